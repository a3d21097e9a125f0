"""Datasets of the paper, read from published files, and others that need no file; and their splits.

`load_dataset` takes a name of `table.DATASETS`.
"""

from s2auc.experiments.datasets.load import Dataset, available_datasets, load_dataset
from s2auc.experiments.datasets.split import Split, semi_supervised_split

__all__ = ["Dataset", "Split", "available_datasets", "load_dataset", "semi_supervised_split"]
