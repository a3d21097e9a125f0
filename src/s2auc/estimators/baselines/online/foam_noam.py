"""FOAM and NOAM (Ding, Liu, Zhao and Hoi, 2017): one-pass AUC optimisation on features of a kernel.

FOAM has random Fourier features, NOAM Nyström features: kernels at landmark rows.
"""

from dataclasses import KW_ONLY, dataclass
from math import sqrt
from typing import TypeVar

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.randomness import derived_seed
from s2auc.data.features.scaling import ColumnSample, ColumnScaling
from s2auc.estimators.baselines.base import KernelSpace
from s2auc.estimators.baselines.kernel.centers import CenterFeatures, Regressors
from s2auc.estimators.baselines.online.one_pass import OnePassPairs, check_moments
from s2auc.estimators.baselines.online.online import OnlineRanker
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.kernels.fourier import features
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart


class FOAMSteps:
    """Steps on cosines and sines of the first frequencies of a stream, divided by the root of their number."""

    def __init__(self, columns: ColumnScaling, stream: FrequencyStream, pairs: OnePassPairs) -> None:
        self.columns, self.stream, self.pairs, self.gamma = columns, stream, pairs, stream.gamma
        self.numbers_a_row = max(len(pairs.weights), len(columns.shift))

    def learn(self, X: FloatArray, is_positive: BoolArray) -> None:
        """Make one step a row, in this order."""
        n_frequencies = len(self.pairs.weights) // 2
        Z = features(X, self.stream.take(0, n_frequencies), dtype=np.float64)
        self.pairs.learn(Z / sqrt(n_frequencies), is_positive)

    def part(self) -> CosinePart:
        """Return the sum of cosines that the steps so far have led to."""
        stream, n_frequencies = self.stream, len(self.pairs.weights) // 2
        cosine, sine = np.split(self.pairs.weights / sqrt(n_frequencies), 2)
        return CosinePart(self.columns, stream.kernel, stream.gamma, stream.seed, cosine, sine)


class NOAMSteps:
    """Steps on the coordinates of kernels at the first rows that come.

    Until there are `n_landmarks` rows, all of them are landmarks, and the steps are made anew whenever rows come: so
    nothing depends on how many come at a time.
    """

    def __init__(self, space: KernelSpace, n_landmarks: int, alpha: float, step_size: float) -> None:
        self.columns, self.gamma = space.columns, space.gamma
        self.space, self.n_landmarks, self.alpha, self.step_size = space, n_landmarks, alpha, step_size
        self.numbers_a_row = max(n_landmarks, len(space.columns.shift))
        self.landmarks = np.zeros((0, len(space.columns.shift)))
        self._of_landmarks = np.zeros(0, dtype=bool)
        self._begun: tuple[Regressors, OnePassPairs] | None = None

    def learn(self, X: FloatArray, is_positive: BoolArray) -> None:
        """Make one step a row, in this order."""
        n_lacking = self.n_landmarks - len(self.landmarks)
        if n_lacking:
            self.landmarks = np.concatenate([self.landmarks, X[:n_lacking]])
            self._of_landmarks = np.concatenate([self._of_landmarks, is_positive[:n_lacking]])
            self._begun = None
            if len(self.landmarks) < self.n_landmarks:
                return
        regressors, pairs = self._begin()
        pairs.learn(regressors.features(X[n_lacking:]) @ regressors.transform, is_positive[n_lacking:])

    def part(self) -> KernelPart:
        """Return the sum of kernels at landmarks that the steps so far have led to."""
        regressors, pairs = self._begin()
        coefficients = regressors.transform @ pairs.weights
        return KernelPart(self.columns, self.space.kernel, self.space.gamma, self.landmarks, coefficients)

    def _begin(self) -> tuple[Regressors, OnePassPairs]:
        """Return the coordinates and where the steps on them stand, once those of the landmarks are made."""
        if self._begun is None:
            features = CenterFeatures(self.space.kernel, self.space.gamma, self.landmarks)
            regressors = Regressors.of_centers(features)
            pairs = OnePassPairs(regressors.transform.shape[1], self.alpha, self.step_size)
            pairs.learn(features(self.landmarks) @ regressors.transform, self._of_landmarks)
            self._begun = regressors, pairs
        return self._begun


Steps = TypeVar("Steps", FOAMSteps, NOAMSteps)


@dataclass(eq=False, repr=False)
class OnePassRanker(OnlineRanker[Steps]):
    """Base of classifiers that make steps of one-pass AUC optimisation on features of a kernel."""

    kernel: str = "gaussian"
    _: KW_ONLY
    kernel_gamma: float | str = "median"
    alpha: float = 1e-3
    step_size: float = 0.1
    max_epochs: int = 15

    @property
    def kernel_gamma_(self) -> float:
        """The kernel's g."""
        return self._learner_.gamma


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class FOAMClassifier(OnePassRanker[FOAMSteps]):
    """Binary classifier that learns to rank from one row at a time, on random Fourier features of a kernel (FOAM).

    A row meets all earlier rows of the other class at once, with square loss: of these the mean and the covariance of
    m cosines and m sines are kept (`s2auc.estimators.baselines.online.one_pass`). A step takes O(m²) time.

    Parameters
    ----------
    alpha
        Strength of regularisation: alpha/2·‖w‖² joins the loss of every row.
    n_frequencies
        m, random frequencies, of each of which the cosine and the sine are features.
    step_size
        η, the size of all steps.
    max_epochs
        Passes over the labelled rows in `fit`, each in a random order; mean and covariance go on from pass to pass.
        `partial_fit` makes one pass, in the order given.
    random_state
        Seed of the frequencies and the order of rows, and of the rows that settle scaling and width where the
        unlabelled ones are many.

    Attributes
    ----------
    classes_, model_, offset_, kernel_gamma_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    n_steps_
        How many rows were learnt from.

    See Also
    --------
    NOAMClassifier : The same steps on features of landmark rows.

    Notes
    -----
    No code of the publication's authors is known to us. Our readings of what can be done in more than one way:

    - Pairs are those of one-pass AUC optimisation (Gao, Jin, Zhu and Zhou, 2013), all earlier rows of the other class,
      and not a buffer of some.
    - The step is the same for all rows, and the model is the last iterate, as in the code of that method's authors.
    - A row meets the rows before it. It is added to the mean and the covariance of its class after its step, which
      does not look at these.
    - Of every frequency both the cosine and the sine are taken, with factor 1/√m.

    References
    ----------
    Y. Ding, C. Liu, P. Zhao and S. C. H. Hoi (2017), Large scale kernel methods for online AUC maximization, ICDM.

    W. Gao, R. Jin, S. Zhu and Z.-H. Zhou (2013), One-pass AUC optimization, ICML.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(1000, noise=0.2, random_state=0)
    >>> ranker = FOAMClassifier(random_state=0).fit(X[:200], y[:200])
    >>> ranker.n_steps_, ranker.score(X[200:], y[200:]) > 0.95
    (3000, True)
    """

    n_frequencies: int = 100

    def _make_learner(self, sample: ColumnSample, seed: int, n_rows: int | None) -> FOAMSteps:  # noqa: ARG002
        n_features = 2 * int(self.n_frequencies)
        check_moments(self, "n_frequencies", n_features)
        space = KernelSpace.of_sample(sample, self.scaling, self.kernel, self.kernel_gamma)
        stream_seed = derived_seed(seed, self.scaling, self.kernel, str(space.bandwidth))
        stream = FrequencyStream(self.kernel, space.gamma, len(space.columns.shift), stream_seed)
        return FOAMSteps(space.columns, stream, OnePassPairs(n_features, float(self.alpha), float(self.step_size)))


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class NOAMClassifier(OnePassRanker[NOAMSteps]):
    """Binary classifier that learns to rank from one row at a time, on kernels at landmark rows (NOAM).

    The steps are those of `FOAMClassifier`, on the Nyström features K(x, L)·K(L, L)^(-½) of a row x for landmarks L.
    With all rows as landmarks they are those of the kernel itself.

    Parameters
    ----------
    alpha
        Strength of regularisation: alpha/2·‖w‖² joins the loss of every row.
    n_landmarks
        How many labelled rows are landmarks, at most: those that come first, which in `fit` are random ones.
    step_size
        η, the size of all steps.
    max_epochs
        Passes over the labelled rows in `fit`, each in a random order; mean and covariance go on from pass to pass.
        `partial_fit` makes one pass, in the order given.
    random_state
        Seed of the order of rows, and of the rows that settle scaling and width where the unlabelled ones are many.

    Attributes
    ----------
    classes_, model_, offset_, kernel_gamma_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    n_landmarks_
        How many rows are landmarks.
    n_steps_
        How many rows were learnt from.

    See Also
    --------
    FOAMClassifier : The same steps on random features, which need no rows to be kept.

    Notes
    -----
    What is said of `FOAMClassifier` holds here, too. Of Nyström features:

    - Coordinates are those of the eigenvectors Q of K(L, L), K(x, L)·Q·Λ^(-½). They are K(x, L)·K(L, L)^(-½) turned,
      and steps do not depend on how features are turned.
    - Directions whose eigenvalue is zero to working precision, such as those of rows that come twice, are left out.
    - In a stream the first rows are the landmarks. While these are fewer than `n_landmarks`, each call of `partial_fit`
      makes all their steps anew.

    References
    ----------
    Y. Ding, C. Liu, P. Zhao and S. C. H. Hoi (2017), Large scale kernel methods for online AUC maximization, ICDM.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(1000, noise=0.2, random_state=0)
    >>> ranker = NOAMClassifier(n_landmarks=50, random_state=0).fit(X[:200], y[:200])
    >>> ranker.n_landmarks_, ranker.score(X[200:], y[200:]) > 0.95
    (50, True)
    """

    n_landmarks: int = 200

    @property
    def n_landmarks_(self) -> int:
        """How many rows are landmarks."""
        return len(self._learner_.landmarks)

    def _make_learner(self, sample: ColumnSample, seed: int, n_rows: int | None) -> NOAMSteps:  # noqa: ARG002
        n_landmarks = int(self.n_landmarks) if n_rows is None else min(n_rows, int(self.n_landmarks))
        check_moments(self, "n_landmarks", n_landmarks)
        space = KernelSpace.of_sample(sample, self.scaling, self.kernel, self.kernel_gamma)
        return NOAMSteps(space, n_landmarks, float(self.alpha), float(self.step_size))
