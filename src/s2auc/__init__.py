"""s2auc: rank well when labels are few and unlabelled rows are many."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from s2auc.data.tables.table import open_table
    from s2auc.estimators.baselines.dsg import DSGClassifier
    from s2auc.estimators.baselines.kernel.pnuauc import PNUAUCClassifier
    from s2auc.estimators.baselines.kernel.pnuauc_cv import PNUAUCClassifierCV
    from s2auc.estimators.baselines.kernel.samult import SAMULTClassifier, SAMULTClassifierCV
    from s2auc.estimators.baselines.online.foam_noam import FOAMClassifier, NOAMClassifier
    from s2auc.estimators.baselines.online.fsauc import FSAUCClassifier
    from s2auc.estimators.baselines.online.solam import SOLAMClassifier
    from s2auc.estimators.baselines.optag import OptAGClassifier
    from s2auc.estimators.baselines.ssrankboost import SSRankBoostClassifier
    from s2auc.estimators.priors.class_prior import estimate_class_prior
    from s2auc.estimators.s2auc import S2AUCClassifier
    from s2auc.estimators.s2auc_cv import S2AUCClassifierCV
    from s2auc.estimators.table_fit import fit_table
    from s2auc.estimators.verdicts import join_labels
    from s2auc.evaluation.evaluate_model import evaluate_model
    from s2auc.kernels.versions import show_versions
    from s2auc.models.files.file import load_model, save_model
    from s2auc.models.inspect_model import inspect_model
    from s2auc.models.onnx.export import export_onnx
    from s2auc.reports.write_report import write_report
    from s2auc.scoring.score_table import score_table
    from s2auc.search.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold
    from s2auc.search.selection import Average
    from s2auc.solvers.exact.exact import Exact
    from s2auc.solvers.kernel_sgd.kernel_sgd import KernelSGD
    from s2auc.solvers.qsg.qsg import QSG

HOMES = {
    "Average": "search.selection",
    "DSGClassifier": "estimators.baselines.dsg",
    "Exact": "solvers.exact.exact",
    "FOAMClassifier": "estimators.baselines.online.foam_noam",
    "FSAUCClassifier": "estimators.baselines.online.fsauc",
    "KernelSGD": "solvers.kernel_sgd.kernel_sgd",
    "LabeledGroupKFold": "search.folds",
    "LabeledKFold": "search.folds",
    "NOAMClassifier": "estimators.baselines.online.foam_noam",
    "OptAGClassifier": "estimators.baselines.optag",
    "PNUAUCClassifier": "estimators.baselines.kernel.pnuauc",
    "PNUAUCClassifierCV": "estimators.baselines.kernel.pnuauc_cv",
    "QSG": "solvers.qsg.qsg",
    "RepeatedLabeledKFold": "search.folds",
    "S2AUCClassifier": "estimators.s2auc",
    "S2AUCClassifierCV": "estimators.s2auc_cv",
    "SAMULTClassifier": "estimators.baselines.kernel.samult",
    "SAMULTClassifierCV": "estimators.baselines.kernel.samult",
    "SOLAMClassifier": "estimators.baselines.online.solam",
    "SSRankBoostClassifier": "estimators.baselines.ssrankboost",
    "estimate_class_prior": "estimators.priors.class_prior",
    "evaluate_model": "evaluation.evaluate_model",
    "export_onnx": "models.onnx.export",
    "fit_table": "estimators.table_fit",
    "inspect_model": "models.inspect_model",
    "join_labels": "estimators.verdicts",
    "load_model": "models.files.file",
    "open_table": "data.tables.table",
    "save_model": "models.files.file",
    "score_table": "scoring.score_table",
    "show_versions": "kernels.versions",
    "write_report": "reports.write_report",
}
"""Where each public name lives, below this package."""

__version__: str
__all__ = [
    "QSG",
    "Average",
    "DSGClassifier",
    "Exact",
    "FOAMClassifier",
    "FSAUCClassifier",
    "KernelSGD",
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
    "join_labels",
    "load_model",
    "open_table",
    "save_model",
    "score_table",
    "show_versions",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: the command line's help needs none of them."""
    if name == "__version__":
        from importlib.metadata import version

        return version("s2auc")
    if name in HOMES:
        return getattr(import_module(f"s2auc.{HOMES[name]}"), name)
    raise AttributeError(f"module 's2auc' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
