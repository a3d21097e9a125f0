"""The table of all datasets."""

from types import MappingProxyType
from typing import get_args

from s2auc.experiments.datasets.adbench import ADBENCH
from s2auc.experiments.datasets.bundled import BUNDLED
from s2auc.experiments.datasets.entries import DatasetEntry, DatasetKind
from s2auc.experiments.datasets.generated import GENERATED
from s2auc.experiments.datasets.published import PUBLISHED

#: Every dataset by its name.
DATASETS = MappingProxyType({entry.name: entry for entry in (*PUBLISHED, *ADBENCH, *BUNDLED, *GENERATED)})


def list_datasets(kind: DatasetKind | None = None) -> list[str]:
    """Return the names of the datasets.

    Parameters
    ----------
    kind
        Only datasets of this kind: "published", "bundled" or "generated".

    Examples
    --------
    >>> from s2auc.experiments.datasets import list_datasets
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
