"""s2auc: rank well when labels are few and unlabelled rows are many."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from s2auc.estimators.class_prior import estimate_class_prior
    from s2auc.estimators.rivals.pnuauc import PNUAUCClassifier
    from s2auc.estimators.rivals.pnuauc_cv import PNUAUCClassifierCV
    from s2auc.estimators.rivals.samult import SAMULTClassifier
    from s2auc.estimators.rivals.samult_cv import SAMULTClassifierCV
    from s2auc.estimators.s2auc import S2AUCClassifier
    from s2auc.estimators.s2auc_cv import S2AUCClassifierCV
    from s2auc.kernels.versions import show_versions
    from s2auc.models.file import load_model
    from s2auc.search.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold

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
    "LabeledGroupKFold": "s2auc.search.folds",
    "LabeledKFold": "s2auc.search.folds",
    "PNUAUCClassifier": "s2auc.estimators.rivals.pnuauc",
    "PNUAUCClassifierCV": "s2auc.estimators.rivals.pnuauc_cv",
    "RepeatedLabeledKFold": "s2auc.search.folds",
    "S2AUCClassifier": "s2auc.estimators.s2auc",
    "S2AUCClassifierCV": "s2auc.estimators.s2auc_cv",
    "SAMULTClassifier": "s2auc.estimators.rivals.samult",
    "SAMULTClassifierCV": "s2auc.estimators.rivals.samult_cv",
    "estimate_class_prior": "s2auc.estimators.class_prior",
    "load_model": "s2auc.models.file",
    "show_versions": "s2auc.kernels.versions",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: the command line's help needs none of them."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 's2auc' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
