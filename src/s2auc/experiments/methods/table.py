"""The table of methods that experiments compare.

A plugin, a module that a specification names, adds its own: ``METHODS["mine"] = Method(name="mine", ...)``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from s2auc import HOMES
from s2auc.common.memory import show_bytes
from s2auc.experiments.code_identity import code_digest
from s2auc.experiments.machine import library_version
from s2auc.experiments.methods import builders
from s2auc.experiments.methods.learners import LabelSpreadingLearner, Learner, NamedLearner

#: What every trial goes through, whatever its method.
_HARNESS = ("s2auc.experiments.harness.trial", "s2auc.experiments.harness.trial_rows")


@dataclass(frozen=True)
class Sizes:
    """Numbers of training rows and of columns."""

    n_labeled: int
    n_unlabeled: int
    n_columns: int


@dataclass(frozen=True, kw_only=True)
class Method:
    """One method of the table.

    Attributes
    ----------
    name
        Name in specifications and reports.
    description
        What it is and how it is tuned, in one line.
    build
        Makes a learner from a seed and the parameters.
    parameters
        Keyword arguments of `build`, plain JSON values. They identify results: change them with the method.
    library
        Distribution whose version also identifies results; empty for none.
    extra
        Extra of this package that brings the library; empty where it is always there.
    needs_unlabeled
        Whether it cannot do without unlabelled rows.
    max_labeled
        Most labelled rows it can handle in reasonable time.
    memory
        Estimate of the bytes that `fit` needs; None where it is of the order of the rows themselves.
    """

    name: str
    description: str
    build: Callable[..., Learner] = field(repr=False)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    library: str = ""
    extra: str = ""
    needs_unlabeled: bool = False
    max_labeled: int | None = None
    memory: Callable[[Sizes], int] | None = field(default=None, repr=False)

    @property
    def identity(self) -> str:
        """Name and version of the library, and a digest of the code that results depend on; empty for no library.

        A development version keeps its number while its code changes. The code is that of the harness which rows go
        through, of the learner, and of the classifier if it is one of this package.

        Examples
        --------
        >>> METHODS["samult"].identity.split()[0]
        's2auc'
        """
        if not self.library:
            return ""
        home = HOMES.get(str(self.parameters.get("estimator")))
        modules = [*_HARNESS, self.build.__module__, *([f"s2auc.{home}"] if home else [])]
        return f"{self._version()} {code_digest(modules)}"

    def _version(self) -> str:
        """Return name and version of the library; an error names the extra that brings it, if one does."""
        try:
            return library_version(self.library)
        except ModuleNotFoundError as error:
            if not self.extra:
                raise
            raise ModuleNotFoundError(
                f"The method {self.name} needs the package {self.library}, and it is not installed: "
                f"pip install 's2auc[{self.extra}]' adds it."
            ) from error

    def obstacle(self, sizes: Sizes, memory_limit: int | None) -> str:
        """Return why the method cannot run on a problem of this size, or an empty text.

        Examples
        --------
        >>> METHODS["self_training"].obstacle(Sizes(10, 0, 3), None)
        'needs unlabelled rows, there are none'
        """
        if self.needs_unlabeled and not sizes.n_unlabeled:
            return "needs unlabelled rows, there are none"
        if self.max_labeled is not None and sizes.n_labeled > self.max_labeled:
            return f"takes at most {self.max_labeled:,} labelled rows, there are {sizes.n_labeled:,}"
        needed = self.memory(sizes) if self.memory is not None else 0
        if memory_limit is not None and needed > memory_limit:
            return f"needs {show_bytes(needed)}, the limit is {show_bytes(memory_limit)}"
        return ""


def _graph_bytes(sizes: Sizes) -> int:
    # Twenty entries a row (ten neighbours, both directions) of 12 bytes, some copies, and the scaled rows.
    n_rows = sizes.n_labeled + min(sizes.n_unlabeled, _SPREADING["max_unlabeled"])
    return n_rows * (20 * 12 * 6 + 8 * 3 * sizes.n_columns)


def _full_kernel_bytes(sizes: Sizes) -> int:
    from s2auc.estimators.baselines.kernel.full_kernel import needed_bytes

    # The kernel of all rows, and the rows in some copies.
    n_rows = sizes.n_labeled + sizes.n_unlabeled
    return needed_bytes(n_rows) + 8 * 4 * n_rows * sizes.n_columns


_INVERSE_PENALTIES = [float(penalty) for penalty in np.logspace(-3, 3, 7)]
_FOREST = {"n_estimators": 300, "search_estimators": 60, "min_samples_leaf": [1, 3, 10]}
_SPREADING = {"max_unlabeled": 20_000, "n_neighbors": 10, "max_iter": 100}

_TABLE = (
    Method(
        name="qsg",
        description="S2AUCClassifier with its defaults",
        build=NamedLearner,
        parameters={"estimator": "S2AUCClassifier"},
        library="s2auc",
    ),
    Method(
        name="qsg_labeled",
        description="S2AUCClassifier with labeled_weight=1: unlabelled rows only set scaling and kernel width",
        build=NamedLearner,
        parameters={"estimator": "S2AUCClassifier", "labeled_weight": 1.0},
        library="s2auc",
    ),
    Method(
        name="exact",
        description='S2AUCClassifier with solver="exact": the closed form on random features',
        build=NamedLearner,
        parameters={"estimator": "S2AUCClassifier", "solver": "exact"},
        library="s2auc",
    ),
    Method(
        name="samult",
        description="SAMULTClassifier with its defaults: the exact minimiser, every row a centre",
        build=NamedLearner,
        parameters={"estimator": "SAMULTClassifier"},
        library="s2auc",
        memory=_full_kernel_bytes,
    ),
    Method(
        name="samult_centers",
        description="SAMULTClassifier with 500 centres",
        build=NamedLearner,
        parameters={"estimator": "SAMULTClassifier", "n_centers": 500},
        library="s2auc",
    ),
    Method(
        name="pnu_auc",
        description="PNUAUCClassifier with its defaults: 200 centres, the class prior by energy distance",
        build=NamedLearner,
        parameters={"estimator": "PNUAUCClassifier"},
        library="s2auc",
    ),
    Method(
        name="pnu_auc_all",
        description="PNUAUCClassifier with every row as a centre",
        build=NamedLearner,
        parameters={"estimator": "PNUAUCClassifier", "n_centers": "all"},
        library="s2auc",
        memory=_full_kernel_bytes,
    ),
    Method(
        name="dsg",
        description="DSGClassifier with its defaults: kernel logistic regression by doubly stochastic gradients",
        build=NamedLearner,
        parameters={"estimator": "DSGClassifier"},
        library="s2auc",
    ),
    Method(
        name="ssrankboost",
        description="SSRankBoostClassifier with its defaults: 50 stumps, labels borrowed by three neighbours",
        build=NamedLearner,
        parameters={"estimator": "SSRankBoostClassifier"},
        library="s2auc",
    ),
    Method(
        name="optag",
        description="OptAGClassifier with its defaults: linear, unlabelled rows labelled by naive Bayes models",
        build=NamedLearner,
        parameters={"estimator": "OptAGClassifier"},
        library="s2auc",
    ),
    Method(
        name="solam",
        description="SOLAMClassifier with its defaults: a linear ranking, one row a step",
        build=NamedLearner,
        parameters={"estimator": "SOLAMClassifier"},
        library="s2auc",
    ),
    Method(
        name="fsauc",
        description="FSAUCClassifier with its defaults: a linear ranking, one row a step, in stages",
        build=NamedLearner,
        parameters={"estimator": "FSAUCClassifier"},
        library="s2auc",
    ),
    Method(
        name="foam",
        description="FOAMClassifier with its defaults: one row a step, on 100 random frequencies",
        build=NamedLearner,
        parameters={"estimator": "FOAMClassifier"},
        library="s2auc",
    ),
    Method(
        name="noam",
        description="NOAMClassifier with its defaults: one row a step, on kernels at 200 landmarks",
        build=NamedLearner,
        parameters={"estimator": "NOAMClassifier"},
        library="s2auc",
    ),
    Method(
        name="libauc",
        description="LibAUC's margin loss and PESG, two layers of 64 units, learning rate and loss form by 5-fold AUC",
        build=builders.margin_network,
        parameters={"n_steps": 1_000, "learning_rate": [0.02, 0.1, 0.5], "version": ["v1", "v2"]},
        library="libauc",
        extra="libauc",
    ),
    Method(
        name="s2auc_cv",
        description="S2AUCClassifierCV with its defaults: tunes and averages itself",
        build=NamedLearner,
        parameters={"estimator": "S2AUCClassifierCV", "judge": False},
        library="s2auc",
    ),
    Method(
        name="s2auc_cv_labeled",
        description="S2AUCClassifierCV from labelled rows: unlabelled ones only set scaling and kernel width",
        build=NamedLearner,
        parameters={
            "estimator": "S2AUCClassifierCV",
            "judge": False,
            "labeled_weights": [1.0],
            "neighbor_weights": [0.0],
        },
        library="s2auc",
    ),
    Method(
        name="random_forest",
        description="random forest of 300 trees, leaf size by 5-fold AUC",
        build=builders.random_forest,
        parameters=_FOREST,
        library="scikit-learn",
    ),
    Method(
        name="extra_trees",
        description="extremely randomised forest of 300 trees, leaf size by 5-fold AUC",
        build=builders.extra_trees,
        parameters=_FOREST,
        library="scikit-learn",
    ),
    Method(
        name="rbf_svm",
        description="support vector machine with Gaussian kernel on scaled columns, C and width by 5-fold AUC",
        build=builders.SupportVectors,
        parameters={"C": [0.1, 1.0, 10.0, 100.0], "relative_gamma": [0.03, 0.1, 0.3, 1.0, 3.0]},
        library="scikit-learn",
        max_labeled=20_000,
    ),
    Method(
        name="logistic_regression",
        description="logistic regression on scaled columns, C by 5-fold AUC",
        build=builders.logistic_regression,
        parameters={"C": _INVERSE_PENALTIES},
        library="scikit-learn",
    ),
    Method(
        name="hist_gradient_boosting",
        description="gradient boosting of small trees for few rows, their size and number by 5-fold AUC",
        build=builders.hist_gradient_boosting,
        parameters={
            "learning_rate": 0.1,
            "min_samples_leaf": 5,
            "max_leaf_nodes": [4, 8],
            "max_iter": [40, 120],
        },
        library="scikit-learn",
    ),
    Method(
        name="catboost",
        description="CatBoost with its defaults, not tuned",
        build=builders.catboost,
        library="catboost",
        extra="bench",
    ),
    Method(
        name="lightgbm",
        description="LightGBM with its defaults, not tuned",
        build=builders.lightgbm,
        library="lightgbm",
        extra="bench",
    ),
    Method(
        name="xgboost",
        description="XGBoost with its defaults, not tuned",
        build=builders.xgboost,
        library="xgboost",
        extra="bench",
    ),
    Method(
        name="self_training",
        description="self-training of logistic regression (C by 5-fold AUC), threshold 0.9, ten rounds",
        build=builders.self_training,
        parameters={"C": _INVERSE_PENALTIES, "threshold": 0.9, "max_iter": 10},
        library="scikit-learn",
        needs_unlabeled=True,
    ),
    Method(
        name="label_spreading",
        description="label spreading over ten nearest neighbours, with at most 20,000 unlabelled rows, not tuned",
        build=LabelSpreadingLearner,
        parameters=_SPREADING,
        library="scikit-learn",
        needs_unlabeled=True,
        memory=_graph_bytes,
    ),
)

#: Every method by its name; plugins add theirs.
METHODS: dict[str, Method] = {method.name: method for method in _TABLE}


def load_plugins(names: Iterable[str]) -> None:
    """Import the modules that add methods to `METHODS` or datasets to `LOADERS`.

    Parameters
    ----------
    names
        Module names, found as any import is.
    """
    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise ValueError(
                f"A plugin must name a module that can be imported. Got {name!r} instead ({error}); put its folder "
                "on PYTHONPATH."
            ) from error
