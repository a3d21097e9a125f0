"""Help pages whose options stand in groups."""

from typing import Any

from typer.core import TyperCommand


class GroupedCommand(TyperCommand):
    """A command whose help lists options by their group, in the order of the first option of each."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options group by group; those without a group come first."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(record)
        for name, records in sections.items():
            with formatter.section(name):
                formatter.write_dl(records)
