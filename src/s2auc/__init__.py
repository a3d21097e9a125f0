"""s2auc: rank well when labels are few and unlabelled rows are many."""

from importlib.metadata import version

__version__ = version("s2auc")
