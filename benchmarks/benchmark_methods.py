"""Methods of benchmarks/wide.py and benchmarks/labels.py that the table of methods lacks.

This module is a plugin of the harness (`experiments.methods.table`). Those of the first group take sparse rows too.
"""

import warnings
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from s2auc.experiments.methods.learners import N_FOLDS, Learner, NamedLearner, SupervisedLearner
from s2auc.experiments.methods.table import METHODS, Method

INVERSE_PENALTIES = [float(penalty) for penalty in np.logspace(-4, 4, 10)]


class WideLearner(NamedLearner):
    """A classifier of this library whose rows may be sparse; what it warns of goes into the note."""

    def fit(self, X_labeled: Any, y_labeled: Any, X_unlabeled: Any) -> object:
        """Fit the classifier."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self._estimator.fit(X_labeled, y_labeled, X_unlabeled if X_unlabeled.shape[0] else None)
        self.note = " ".join(dict.fromkeys(str(warning.message) for warning in caught))
        return self._estimator


class LogisticLearner:
    """scikit-learn's LogisticRegressionCV on the labelled rows, its penalty by 5-fold AUC."""

    def __init__(self, seed: int, *, C: list[float]) -> None:
        from sklearn.linear_model import LogisticRegressionCV
        from sklearn.model_selection import StratifiedKFold

        folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
        # liblinear is the faster solver for few rows of many columns.
        self._logistic = LogisticRegressionCV(Cs=C, cv=folds, scoring="roc_auc", solver="liblinear", max_iter=1_000)

    def fit(self, X_labeled: Any, y_labeled: Any, X_unlabeled: Any) -> object:  # noqa: ARG002
        """Search the penalty and fit."""
        # Its products of vectors are too short for threads, which only get into each other's way.
        with threadpool_limits(1, "blas"):
            return self._logistic.fit(X_labeled, y_labeled)

    def scores(self, X: Any) -> Any:
        """Return the decision function."""
        return self._logistic.decision_function(X)


class ReducedLogisticLearner(LogisticLearner):
    """The same on the first singular vectors of all training rows, labelled or not: latent semantic analysis."""

    def __init__(self, seed: int, *, n_components: int, C: list[float]) -> None:
        from sklearn.decomposition import TruncatedSVD

        super().__init__(seed, C=C)
        self._seed = seed
        self._n_components = n_components
        self._make_reduction = TruncatedSVD

    def fit(self, X_labeled: Any, y_labeled: Any, X_unlabeled: Any) -> object:
        """Find the singular vectors, then search the penalty and fit."""
        from scipy.sparse import issparse, vstack

        rows = (vstack if issparse(X_labeled) else np.concatenate)([X_labeled, X_unlabeled])
        self._reduction = self._make_reduction(min(self._n_components, rows.shape[1] - 1), random_state=self._seed)
        reduced = self._reduction.fit_transform(rows)
        return super().fit(reduced[: len(y_labeled)], y_labeled, reduced[len(y_labeled) :])

    def scores(self, X: Any) -> Any:
        """Return the decision function."""
        return super().scores(self._reduction.transform(X))


def linear_svm(seed: int, *, C: list[float]) -> Learner:
    """Return a linear support vector machine whose penalty is searched."""
    from sklearn.svm import LinearSVC

    return SupervisedLearner(LinearSVC(random_state=seed), {"C": C}, seed)


def boosting(seed: int, *, grid: dict[str, list[Any]], **parameters: Any) -> Learner:
    """Return scikit-learn's gradient boosting; what the grid lists is searched."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return SupervisedLearner(HistGradientBoostingClassifier(random_state=seed, **parameters), grid, seed)


_TABLE = (
    Method(
        name="tuned",
        description="S2AUCClassifierCV with all defaults, the judging of its choice included",
        build=WideLearner,
        parameters={"estimator": "S2AUCClassifierCV"},
        library="s2auc",
    ),
    Method(
        name="tuned_unjudged",
        description="S2AUCClassifierCV with judge=False",
        build=WideLearner,
        parameters={"estimator": "S2AUCClassifierCV", "judge": False},
        library="s2auc",
    ),
    Method(
        name="single",
        description="S2AUCClassifier with its defaults",
        build=WideLearner,
        parameters={"estimator": "S2AUCClassifier"},
        library="s2auc",
    ),
    Method(
        name="logistic",
        description="logistic regression, C by 5-fold AUC",
        build=LogisticLearner,
        parameters={"C": INVERSE_PENALTIES},
        library="scikit-learn",
    ),
    Method(
        name="svd_logistic",
        description="logistic regression on 100 singular vectors of all training rows, C by 5-fold AUC",
        build=ReducedLogisticLearner,
        parameters={"n_components": 100, "C": INVERSE_PENALTIES},
        library="scikit-learn",
    ),
    Method(
        name="linear_svm",
        description="linear support vector machine, C by 5-fold AUC",
        build=linear_svm,
        parameters={"C": INVERSE_PENALTIES},
        library="scikit-learn",
    ),
    Method(
        name="boosting_tuned",
        description="histogram gradient boosting, step and size of trees by 5-fold AUC: 6 settings",
        build=boosting,
        parameters={
            "grid": {
                "learning_rate": [0.03, 0.1],
                "max_leaf_nodes": [8, 31, 127],
            },
            "max_iter": 200,
            # The default of 20 leaves twenty labelled rows without any tree.
            "min_samples_leaf": 5,
            "early_stopping": False,
        },
        library="scikit-learn",
    ),
    Method(
        name="boosting",
        description="histogram gradient boosting with its defaults",
        build=boosting,
        parameters={"grid": {}},
        library="scikit-learn",
    ),
)

METHODS.update({method.name: method for method in _TABLE})
