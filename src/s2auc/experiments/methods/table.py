"""The table of methods that experiments compare.

A plugin, a module that a specification names, adds its own: ``METHODS["mine"] = Method(name="mine", ...)``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from s2auc.common.memory import show_bytes
from s2auc.experiments.methods import builders
from s2auc.experiments.methods.learners import LabelSpreadingLearner, Learner, NamedLearner

_installed_version = cache(version)


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
    version
        Version of the method's results: raise it by hand with every change of code that changes them.
    library
        Distribution that brings the method; empty for none. The version of a library other than s2auc also identifies
        results.
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
    version: int = 1
    library: str = ""
    extra: str = ""
    needs_unlabeled: bool = False
    max_labeled: int | None = None
    memory: Callable[[Sizes], int] | None = field(default=None, repr=False)

    @property
    def identity(self) -> str:
        """Library, its version unless it is s2auc, and version of the results: part of the key of stored results.

        Examples
        --------
        >>> METHODS["samult"].identity
        's2auc, results 1'
        """
        library = self.library
        if library not in ("", "s2auc"):
            try:
                library = f"{library} {_installed_version(library)}"
            except PackageNotFoundError as error:
                needs, source = f"Methods from {library} need that package", library
                if self.extra:
                    needs, source = f"The method {self.name} needs the package {library}", f"'s2auc[{self.extra}]'"
                raise ModuleNotFoundError(f"{needs}, and it is not installed: pip install {source} adds it.") from error
        return ", ".join(filter(None, [library, f"results {self.version}"]))

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


def full_kernel_bytes(sizes: Sizes) -> int:
    """Return the bytes that a fit with every row as a centre needs."""
    from s2auc.estimators.baselines.kernel.full_kernel import needed_bytes

    # The kernel of all rows, and the rows in some copies.
    n_rows = sizes.n_labeled + sizes.n_unlabeled
    return needed_bytes(n_rows) + 8 * 4 * n_rows * sizes.n_columns


_INVERSE_PENALTIES = [float(penalty) for penalty in np.logspace(-3, 3, 7)]
_FOREST = {"n_estimators": 300, "search_estimators": 60, "min_samples_leaf": [1, 3, 10]}
_SPREADING = {"max_unlabeled": 20_000, "n_neighbors": 10, "max_iter": 100}


def own_method(
    name: str, description: str, estimator: str, *, memory: Callable[[Sizes], int] | None = None, **parameters: Any
) -> Method:
    """Return the method that fits an estimator of this library with these parameters."""
    named = {"estimator": estimator, **parameters}
    return Method(
        name=name, description=description, build=NamedLearner, parameters=named, library="s2auc", memory=memory
    )


_scikit_learn = partial(Method, library="scikit-learn")

_TABLE = (
    own_method("qsg", "S2AUCClassifier with its defaults", "S2AUCClassifier"),
    own_method(
        "qsg_labeled",
        "S2AUCClassifier with labeled_weight=1: unlabelled rows only set scaling and kernel width",
        "S2AUCClassifier",
        labeled_weight=1.0,
    ),
    own_method(
        "exact",
        'S2AUCClassifier with solver="exact": the closed form on random features',
        "S2AUCClassifier",
        solver="exact",
    ),
    own_method(
        "samult",
        "SAMULTClassifier with its defaults: the exact minimiser, every row a centre",
        "SAMULTClassifier",
        memory=full_kernel_bytes,
    ),
    own_method("samult_centers", "SAMULTClassifier with 500 centres", "SAMULTClassifier", n_centers=500),
    own_method(
        "pnu_auc",
        "PNUAUCClassifier with its defaults: 200 centres, the class prior by energy distance",
        "PNUAUCClassifier",
    ),
    own_method(
        "pnu_auc_all",
        "PNUAUCClassifier with every row as a centre",
        "PNUAUCClassifier",
        memory=full_kernel_bytes,
        n_centers="all",
    ),
    own_method(
        "dsg",
        "DSGClassifier with its defaults: kernel logistic regression by doubly stochastic gradients",
        "DSGClassifier",
    ),
    own_method(
        "ssrankboost",
        "SSRankBoostClassifier with its defaults: 50 stumps, labels borrowed by three neighbours",
        "SSRankBoostClassifier",
    ),
    own_method(
        "optag",
        "OptAGClassifier with its defaults: linear, unlabelled rows labelled by naive Bayes models",
        "OptAGClassifier",
    ),
    own_method("solam", "SOLAMClassifier with its defaults: a linear ranking, one row a step", "SOLAMClassifier"),
    own_method(
        "fsauc", "FSAUCClassifier with its defaults: a linear ranking, one row a step, in stages", "FSAUCClassifier"
    ),
    own_method("foam", "FOAMClassifier with its defaults: one row a step, on 100 random frequencies", "FOAMClassifier"),
    own_method(
        "noam", "NOAMClassifier with its defaults: one row a step, on kernels at 200 landmarks", "NOAMClassifier"
    ),
    Method(
        name="libauc",
        description="LibAUC's margin loss and PESG, two layers of 64 units, learning rate and loss form by 5-fold AUC",
        build=builders.margin_network,
        parameters={"n_steps": 1_000, "learning_rate": [0.02, 0.1, 0.5], "version": ["v1", "v2"]},
        library="libauc",
        extra="libauc",
    ),
    own_method(
        "s2auc_cv", "S2AUCClassifierCV with its defaults: tunes and averages itself", "S2AUCClassifierCV", judge=False
    ),
    own_method(
        "s2auc_cv_labeled",
        "S2AUCClassifierCV from labelled rows: unlabelled ones only set scaling and kernel width",
        "S2AUCClassifierCV",
        judge=False,
        labeled_weights=[1.0],
        neighbor_weights=[0.0],
    ),
    _scikit_learn(
        name="random_forest",
        description="random forest of 300 trees, leaf size by 5-fold AUC",
        build=partial(builders.forest, "RandomForestClassifier"),
        parameters=_FOREST,
    ),
    _scikit_learn(
        name="extra_trees",
        description="extremely randomised forest of 300 trees, leaf size by 5-fold AUC",
        build=partial(builders.forest, "ExtraTreesClassifier"),
        parameters=_FOREST,
    ),
    _scikit_learn(
        name="rbf_svm",
        description="support vector machine with Gaussian kernel on scaled columns, C and width by 5-fold AUC",
        build=builders.SupportVectors,
        parameters={"C": [0.1, 1.0, 10.0, 100.0], "relative_gamma": [0.03, 0.1, 0.3, 1.0, 3.0]},
        max_labeled=20_000,
    ),
    _scikit_learn(
        name="logistic_regression",
        description="logistic regression on scaled columns, C by 5-fold AUC",
        build=builders.logistic_regression,
        parameters={"C": _INVERSE_PENALTIES},
    ),
    _scikit_learn(
        name="hist_gradient_boosting",
        description="gradient boosting of small trees for few rows, their size and number by 5-fold AUC",
        build=builders.hist_gradient_boosting,
        parameters={"learning_rate": 0.1, "min_samples_leaf": 5, "max_leaf_nodes": [4, 8], "max_iter": [40, 120]},
    ),
    *(
        Method(
            name=library,
            description=f"{title} with its defaults, not tuned",
            build=build,
            library=library,
            extra="bench",
        )
        for library, title, build in (
            ("catboost", "CatBoost", builders.catboost),
            ("lightgbm", "LightGBM", builders.lightgbm),
            ("xgboost", "XGBoost", builders.xgboost),
        )
    ),
    _scikit_learn(
        name="self_training",
        description="self-training of logistic regression (C by 5-fold AUC), threshold 0.9, ten rounds",
        build=builders.self_training,
        parameters={"C": _INVERSE_PENALTIES, "threshold": 0.9, "max_iter": 10},
        needs_unlabeled=True,
    ),
    _scikit_learn(
        name="label_spreading",
        description="label spreading over ten nearest neighbours, with at most 20,000 unlabelled rows, not tuned",
        build=LabelSpreadingLearner,
        parameters=_SPREADING,
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
