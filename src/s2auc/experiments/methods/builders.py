"""Learners from other libraries, as the table of methods builds them: from a seed and parameters.

Modules are imported where they are used: a process loads only its own, and the others need not be installed.
"""

from functools import partial
from typing import Any

from s2auc.common.threads import n_threads
from s2auc.experiments.methods.learners import Learner, SelfTrainingLearner, SupervisedLearner


def _forest(kind: str, seed: int, *, n_estimators: int, search_estimators: int, **grid: list[int]) -> Learner:
    """Return a forest of scikit-learn, named by its class; what is listed is searched, with fewer trees."""
    from sklearn import ensemble

    classifier = getattr(ensemble, kind)(n_estimators=search_estimators, random_state=seed, n_jobs=n_threads())
    return SupervisedLearner(classifier, grid, seed, final={"n_estimators": n_estimators})


random_forest = partial(_forest, "RandomForestClassifier")
extra_trees = partial(_forest, "ExtraTreesClassifier")


class SupportVectors(SupervisedLearner):
    """A support vector machine whose widths are tried relative to 1 / columns, the usual choice for scaled rows."""

    def __init__(self, seed: int, *, C: list[float], relative_gamma: list[float]) -> None:
        from sklearn.svm import SVC

        super().__init__(_scaled(SVC(kernel="rbf")), {"classify__C": C}, seed)
        self._relative_gamma = relative_gamma

    def search(self, X: Any, target: Any) -> dict[str, Any]:
        """Return the best parameters of the grid for this number of columns."""
        self._grid["classify__gamma"] = [factor / X.shape[1] for factor in self._relative_gamma]
        return super().search(X, target)


def logistic_regression(seed: int, *, C: list[float]) -> Learner:
    """Return a logistic regression on scaled columns whose penalty is searched."""
    return SupervisedLearner(_scaled(_logistic()), {"classify__C": C}, seed)


def self_training(seed: int, *, C: list[float], threshold: float, max_iter: int) -> Learner:
    """Return self-training around such a logistic regression."""
    return SelfTrainingLearner(_scaled(_logistic()), {"classify__C": C}, seed, threshold=threshold, max_iter=max_iter)


def _scaled(classifier: Any) -> Any:
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    return Pipeline([("scale", StandardScaler()), ("classify", classifier)])


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=2_000)


def hist_gradient_boosting(seed: int, *, learning_rate: float, min_samples_leaf: int, **grid: list[int]) -> Learner:
    """Return scikit-learn's gradient boosting; what is listed is searched."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    boosting = HistGradientBoostingClassifier(
        learning_rate=learning_rate, min_samples_leaf=min_samples_leaf, early_stopping=False, random_state=seed
    )
    return SupervisedLearner(boosting, grid, seed)


def catboost(seed: int) -> Learner:
    """Return CatBoost's classifier with its defaults; it writes no files."""
    from catboost import CatBoostClassifier

    quiet = {"verbose": False, "allow_writing_files": False}
    return SupervisedLearner(CatBoostClassifier(random_seed=seed, thread_count=n_threads(), **quiet), {}, seed)


def lightgbm(seed: int) -> Learner:
    """Return LightGBM's classifier with its defaults."""
    from lightgbm import LGBMClassifier

    return SupervisedLearner(LGBMClassifier(random_state=seed, n_jobs=n_threads(), verbosity=-1), {}, seed)


def xgboost(seed: int) -> Learner:
    """Return XGBoost's classifier with its defaults."""
    from xgboost import XGBClassifier

    return SupervisedLearner(XGBClassifier(random_state=seed, n_jobs=n_threads(), verbosity=0), {}, seed)


def margin_network(seed: int, *, n_steps: int, **grid: list[Any]) -> Learner:
    """Return LibAUC's margin loss on a small network over scaled columns; what is listed is searched."""
    from s2auc.experiments.methods.margin_network import MarginNetwork, import_libraries

    import_libraries()
    network = _scaled(MarginNetwork(n_steps=n_steps, seed=seed))
    return SupervisedLearner(network, {f"classify__{name}": values for name, values in grid.items()}, seed)
