"""s2auc: rank well when labels are few and unlabelled rows are many."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from s2auc.estimator import S2AUCClassifier
    from s2auc.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold
    from s2auc.model_file import load_model
    from s2auc.tuned_estimator import S2AUCClassifierCV
    from s2auc.versions import show_versions

__version__ = version("s2auc")
__all__ = [
    "LabeledGroupKFold",
    "LabeledKFold",
    "RepeatedLabeledKFold",
    "S2AUCClassifier",
    "S2AUCClassifierCV",
    "__version__",
    "load_model",
    "show_versions",
]

_HOMES = {
    "LabeledGroupKFold": "s2auc.folds",
    "LabeledKFold": "s2auc.folds",
    "RepeatedLabeledKFold": "s2auc.folds",
    "S2AUCClassifier": "s2auc.estimator",
    "S2AUCClassifierCV": "s2auc.tuned_estimator",
    "load_model": "s2auc.model_file",
    "show_versions": "s2auc.versions",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: the command line's help needs none of them."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 's2auc' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
