"""Help pages whose options stand in groups, each with an example."""

import re
from typing import Any

from typer.core import TyperCommand

_TYPE = re.compile(r" <[a-z]+>$")
"""Python types that some versions of Typer add to the name of an argument."""


class GroupedCommand(TyperCommand):
    """A command whose help lists options by their group, in the order of the first option of each."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the first line, without what some versions of Typer put around arguments."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options group by group; those without a group come first."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
                name, words = record
                name = _TYPE.sub("", name) if parameter.param_type_name == "argument" else name
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append((name, words))
        for name, records in sections.items():
            with formatter.section(name):
                formatter.write_dl(records)
