"""s2auc: rank well when labels are few and unlabelled rows are many."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from s2auc.data.table import open_table
    from s2auc.estimators.class_prior import estimate_class_prior
    from s2auc.estimators.rivals.dsg import DSGClassifier
    from s2auc.estimators.rivals.foam import FOAMClassifier
    from s2auc.estimators.rivals.fsauc import FSAUCClassifier
    from s2auc.estimators.rivals.noam import NOAMClassifier
    from s2auc.estimators.rivals.optag import OptAGClassifier
    from s2auc.estimators.rivals.pnuauc import PNUAUCClassifier
    from s2auc.estimators.rivals.pnuauc_cv import PNUAUCClassifierCV
    from s2auc.estimators.rivals.samult import SAMULTClassifier
    from s2auc.estimators.rivals.samult_cv import SAMULTClassifierCV
    from s2auc.estimators.rivals.solam import SOLAMClassifier
    from s2auc.estimators.rivals.ssrankboost import SSRankBoostClassifier
    from s2auc.estimators.s2auc import S2AUCClassifier
    from s2auc.estimators.s2auc_cv import S2AUCClassifierCV
    from s2auc.estimators.table_fit import fit_table
    from s2auc.kernels.versions import show_versions
    from s2auc.models.evaluate_model import evaluate_model
    from s2auc.models.export_onnx import export_onnx
    from s2auc.models.file import load_model
    from s2auc.models.inspect_model import inspect_model
    from s2auc.models.score_table import score_table
    from s2auc.reports.write_report import write_report
    from s2auc.search.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold
    from s2auc.search.selection import Average
    from s2auc.solvers.exact import Exact
    from s2auc.solvers.qsg import QSG

HOMES = {
    "Average": "search.selection",
    "DSGClassifier": "estimators.rivals.dsg",
    "Exact": "solvers.exact",
    "FOAMClassifier": "estimators.rivals.foam",
    "FSAUCClassifier": "estimators.rivals.fsauc",
    "LabeledGroupKFold": "search.folds",
    "LabeledKFold": "search.folds",
    "NOAMClassifier": "estimators.rivals.noam",
    "OptAGClassifier": "estimators.rivals.optag",
    "PNUAUCClassifier": "estimators.rivals.pnuauc",
    "PNUAUCClassifierCV": "estimators.rivals.pnuauc_cv",
    "QSG": "solvers.qsg",
    "RepeatedLabeledKFold": "search.folds",
    "S2AUCClassifier": "estimators.s2auc",
    "S2AUCClassifierCV": "estimators.s2auc_cv",
    "SAMULTClassifier": "estimators.rivals.samult",
    "SAMULTClassifierCV": "estimators.rivals.samult_cv",
    "SOLAMClassifier": "estimators.rivals.solam",
    "SSRankBoostClassifier": "estimators.rivals.ssrankboost",
    "estimate_class_prior": "estimators.class_prior",
    "evaluate_model": "models.evaluate_model",
    "export_onnx": "models.export_onnx",
    "fit_table": "estimators.table_fit",
    "inspect_model": "models.inspect_model",
    "load_model": "models.file",
    "open_table": "data.table",
    "score_table": "models.score_table",
    "show_versions": "kernels.versions",
    "write_report": "reports.write_report",
}
"""Where each public name lives, below this package."""

__version__ = version("s2auc")
__all__ = [
    "QSG",
    "Average",
    "DSGClassifier",
    "Exact",
    "FOAMClassifier",
    "FSAUCClassifier",
    "LabeledGroupKFold",
    "LabeledKFold",
    "NOAMClassifier",
    "OptAGClassifier",
    "PNUAUCClassifier",
    "PNUAUCClassifierCV",
    "RepeatedLabeledKFold",
    "S2AUCClassifier",
    "S2AUCClassifierCV",
    "SAMULTClassifier",
    "SAMULTClassifierCV",
    "SOLAMClassifier",
    "SSRankBoostClassifier",
    "__version__",
    "estimate_class_prior",
    "evaluate_model",
    "export_onnx",
    "fit_table",
    "inspect_model",
    "load_model",
    "open_table",
    "score_table",
    "show_versions",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: the command line's help needs none of them."""
    if name in HOMES:
        return getattr(import_module(f"s2auc.{HOMES[name]}"), name)
    raise AttributeError(f"module 's2auc' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
