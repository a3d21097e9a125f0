"""Datasets to try semi-supervised AUC maximisation on, and how to cut them.

`load_dataset` takes a name of the table `DATASETS`: the datasets of the paper of QSG-S2AUC, which are read
from published files, and others that need no file at all.
"""

from s2auc.experiments.datasets.download import DownloadError
from s2auc.experiments.datasets.entries import DatasetEntry, PublishedFile
from s2auc.experiments.datasets.load import Dataset, available_datasets, load_dataset
from s2auc.experiments.datasets.split import Split, semi_supervised_split
from s2auc.experiments.datasets.table import DATASETS, list_datasets

__all__ = [
    "DATASETS",
    "Dataset",
    "DatasetEntry",
    "DownloadError",
    "PublishedFile",
    "Split",
    "available_datasets",
    "list_datasets",
    "load_dataset",
    "semi_supervised_split",
]
