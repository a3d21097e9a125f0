"""Table of all datasets."""

import tomllib
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from s2auc.experiments.datasets.entries import DatasetEntry, DatasetKind, PublishedFile
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


def list_datasets(kind: DatasetKind | None = None) -> list[str]:
    """Return the names of the datasets.

    Parameters
    ----------
    kind
        Only datasets of this kind: "published", "bundled" or "generated".

    Examples
    --------
    >>> from s2auc.experiments.datasets.table import list_datasets
    >>> list_datasets("bundled")
    ['digits', 'digits_odd', 'digits_eight', 'breast_cancer']
    """
    if kind is not None and kind not in get_args(DatasetKind):
        raise ValueError(
            f"The 'kind' parameter of list_datasets must be one of {', '.join(get_args(DatasetKind))}, or None for "
            f"all datasets. Got {kind!r} instead."
        )
    return [entry.name for entry in DATASETS.values() if kind in (None, entry.kind)]


def find_entry(name: str) -> DatasetEntry:
    """Return the entry of a dataset, or raise a ValueError that names them all."""
    if name not in DATASETS:
        raise ValueError(f"The dataset name must be one of {', '.join(DATASETS)}. Got {name!r} instead.")
    return DATASETS[name]
