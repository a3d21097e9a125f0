"""Table of all datasets."""

import tomllib
from pathlib import Path
from types import MappingProxyType
from typing import Any

from s2auc.experiments.datasets.entries import DatasetEntry, PublishedFile
from s2auc.experiments.datasets.generated import GENERATORS, READERS


def _entries(file_name: str) -> dict[str, DatasetEntry]:
    tables = tomllib.loads(Path(__file__).with_name(file_name).read_text(encoding="utf-8"))
    return {name: _entry(name, values) for name, values in tables.items()}


def _entry(name: str, values: dict[str, Any]) -> DatasetEntry:
    files = tuple(PublishedFile(**_with_tuples(file)) for file in values.pop("files", ()))
    functions: dict[str, Any] = {"generate": GENERATORS.get(name), "read": READERS.get(name)}
    return DatasetEntry(name=name, files=files, **functions, **_with_tuples(values))


def _with_tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


#: Every dataset by its name.
DATASETS = MappingProxyType({**_entries("published.toml"), **_entries("built_in.toml")})


def find_entry(name: str) -> DatasetEntry:
    """Return the entry of a dataset, or raise a ValueError that names them all."""
    if name not in DATASETS:
        raise ValueError(f"The dataset name must be one of {', '.join(DATASETS)}. Got {name!r} instead.")
    return DATASETS[name]
