"""OptAG (Fujino and Ueda, 2016): a linear AUC maximiser whose unlabelled rows are labelled by generative models."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.threads import single_blas_thread
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.base import warn_of_no_pool
from s2auc.estimators.baselines.base import BatchRanker
from s2auc.estimators.baselines.generative_auc import Weights, maximise
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.models.parts.linear import LinearPart
from s2auc.solvers.space import PreparedColumns


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False)
class OptAGClassifier(BatchRanker):
    """Binary classifier: a linear score for pairs of labelled rows and expected pairs of unlabelled ones.

    With f linear in the columns, π_y·p(x|y) a naive Bayes model of each class (independent normal columns), and q_u how
    far unlabelled row u counts as positive, it maximises over f, q and the class models

        mean log σ(f_p - f_n) - alpha/2·‖w‖²
            + β·mean_u [ q_u·mean_n log σ(f_u - f_n) + (1-q_u)·mean_p log σ(f_p - f_u) + entropy of q_u ]
            + τ·( mean over labelled rows of log π_y·p(x|y) + β·mean_u of what is expected of the same ),

    σ being the logistic function. Each step of an alternation maximises it over one of the three: q is a sigmoid of
    what scores and class models say of a row; f follows by L-BFGS; class models are weighted means and variances. So
    the objective never falls (`objective_`), and with β = 0 it is pairwise logistic regression with a ridge. Rows with
    weights count by these in pairs and in the class models.

    How it is read here: the publication could not be consulted, only the abstract of the authors' report on the same
    method. It says that the AUC of labelled rows is maximised, that generative models assist in using unlabelled ones,
    and that these were naive Bayes models of text. The objective above is our reading: the least that does so, as a
    lower bound that can be shown never to fall. Ours too are normal columns in place of counts of words, that class
    models learn from unlabelled rows as well, and that unlabelled rows are paired with labelled ones, not with each
    other: then every q_u has a closed form.

    Parameters
    ----------
    alpha
        Strength of the ridge.
    unlabeled_weight
        β: how much expected pairs count against labelled ones.
    generative_weight
        τ: how much the class models count against scores in saying what an unlabelled row is; 0 for not at all.
    max_unlabeled
        Unlabelled rows that are looked at, drawn at random where there are more: time goes with them times the
        labelled rows.
    max_iter
        Alternations at most.
    tol
        They end when the objective grows by no more than this, times its size where that is above one.
    random_state
        Seed of the unlabelled rows that are looked at.

    Attributes
    ----------
    classes_, model_, offset_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    objective_
        What is maximised, before the first alternation and after each.
    n_iter_
        How many alternations there were; 1 where there was nothing to alternate.
    n_unlabeled_
        How many unlabelled rows were looked at.

    References
    ----------
    A. Fujino and N. Ueda (2016), A semi-supervised AUC optimization method with generative models, ICDM.
    A. Fujino and N. Ueda (2016), A semi-supervised learning method for imbalanced binary classification, IEICE
    technical report IBISML2016-3: the abstract that was consulted.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = np.arange(500) % 2
    >>> X = rng.normal(size=(500, 5)) + truth[:, None]
    >>> y = np.where(np.arange(500) < 10, truth, -1)
    >>> ranker = OptAGClassifier().fit(X, y)
    >>> ranker.score(X[10:], truth[10:]) > 0.9, bool(np.all(np.diff(ranker.objective_) >= 0))
    (True, True)
    """

    alpha: float = 1e-2
    _: KW_ONLY
    unlabeled_weight: float = 0.5
    generative_weight: float = 1.0
    max_unlabeled: int = 2000
    max_iter: int = 50
    tol: float = 1e-5

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        rows = data.rows
        columns = PreparedColumns.of_sample(sample, self.scaling).columns
        labeled = columns.apply(rows.labeled)
        drawn = rows.unlabeled_sample(int(self.max_unlabeled), data.seed) if self.unlabeled_weight else []
        if not drawn and self.unlabeled_weight:
            warn_of_no_pool("unlabeled_weight=0")
        unlabeled = columns.apply(drawn[0]) if drawn else labeled[:0]
        weights = Weights(float(self.alpha), float(self.unlabeled_weight), float(self.generative_weight))
        # On one thread: sums that are split among several differ in their last bits.
        with single_blas_thread:
            w, objective = maximise(
                labeled, rows.order, unlabeled, weights, max_iter=int(self.max_iter), tol=float(self.tol)
            )
        n_iter = max(1, len(objective) - 1)
        found = {"objective_": objective, "n_iter_": n_iter, "n_unlabeled_": len(unlabeled)}
        return self._keep_part(data, sample, LinearPart(columns, w), found)
