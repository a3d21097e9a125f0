"""Words of the reproduction: names of methods, the protocol, captions, titles of tables, claims."""

import tomllib
from pathlib import Path
from typing import Any

TEXTS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
