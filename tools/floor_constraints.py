"""Print a constraints file that pins requirements of the package to the lowest versions that pyproject.toml allows.

    python tools/floor_constraints.py > floors.txt
    pip install --constraint floors.txt '.[test]'

Covers the core and the extra `test`, with all extras that it includes.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
EXTRA = "test"
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[(?P<extras>[\w,\s-]+)\])?(?:>=(?P<floor>[\d.]+))?")


def floors(project: dict[str, Any], extra: str = EXTRA) -> dict[str, str]:
    """Return the lowest version of every requirement of the core and of an extra.

    Parameters
    ----------
    project
        The table `project` of pyproject.toml.
    extra
        The extra to include, with all extras that it names itself.
    """
    found: dict[str, str] = {}
    waiting, seen = [*project["dependencies"], f"{project['name']}[{extra}]"], set()
    while waiting:
        requirement = waiting.pop()
        parts = REQUIREMENT.fullmatch(requirement)
        if parts is not None and parts["name"] == project["name"]:
            for name in set(re.split(r"\s*,\s*", parts["extras"])) - seen:
                seen.add(name)
                waiting += project["optional-dependencies"][name]
        elif parts is None or parts["floor"] is None:
            raise ValueError(f"A requirement must have the form 'name>=version'. Got {requirement!r}; add its floor.")
        elif found.setdefault(parts["name"], parts["floor"]) != parts["floor"]:
            raise ValueError(f"{parts['name']} must have one floor. Got two; make them the same in pyproject.toml.")
    return found


if __name__ == "__main__":
    pins = floors(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"])
    print(*(f"{name}=={floor}" for name, floor in sorted(pins.items())), sep="\n")
