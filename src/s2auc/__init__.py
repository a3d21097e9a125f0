"""s2auc: rank well when labels are few and unlabelled rows are many."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from s2auc.baselines.pnuauc import PNUAUCClassifier
    from s2auc.baselines.pnuauc_cv import PNUAUCClassifierCV
    from s2auc.baselines.samult import SAMULTClassifier
    from s2auc.baselines.samult_cv import SAMULTClassifierCV
    from s2auc.class_prior import estimate_class_prior
    from s2auc.estimator import S2AUCClassifier
    from s2auc.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold
    from s2auc.model_file import load_model
    from s2auc.tuned_estimator import S2AUCClassifierCV
    from s2auc.versions import show_versions

__version__ = version("s2auc")
__all__ = [
    "LabeledGroupKFold",
    "LabeledKFold",
    "PNUAUCClassifier",
    "PNUAUCClassifierCV",
    "RepeatedLabeledKFold",
    "S2AUCClassifier",
    "S2AUCClassifierCV",
    "SAMULTClassifier",
    "SAMULTClassifierCV",
    "__version__",
    "estimate_class_prior",
    "load_model",
    "show_versions",
]

_HOMES = {
    "LabeledGroupKFold": "s2auc.folds",
    "LabeledKFold": "s2auc.folds",
    "PNUAUCClassifier": "s2auc.baselines.pnuauc",
    "PNUAUCClassifierCV": "s2auc.baselines.pnuauc_cv",
    "RepeatedLabeledKFold": "s2auc.folds",
    "S2AUCClassifier": "s2auc.estimator",
    "S2AUCClassifierCV": "s2auc.tuned_estimator",
    "SAMULTClassifier": "s2auc.baselines.samult",
    "SAMULTClassifierCV": "s2auc.baselines.samult_cv",
    "estimate_class_prior": "s2auc.class_prior",
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
