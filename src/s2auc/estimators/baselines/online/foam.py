"""FOAM (Ding, Liu, Zhao and Hoi, 2017): one-pass AUC optimisation on random Fourier features of a kernel."""

from dataclasses import KW_ONLY, dataclass
from math import sqrt

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.randomness import derived_seed
from s2auc.data.features.scaling import ColumnSample, ColumnScaling
from s2auc.estimators.baselines.base import KernelSpace
from s2auc.estimators.baselines.online.one_pass import OnePassPairs, check_moments
from s2auc.estimators.baselines.online.online import OnlineRanker
from s2auc.kernels.fourier import features
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.models.parts.cosine import CosinePart


class FOAMSteps:
    """Steps on cosines and sines of the first frequencies of a stream, divided by the root of their number."""

    def __init__(self, columns: ColumnScaling, stream: FrequencyStream, pairs: OnePassPairs) -> None:
        self.columns, self.stream, self.pairs = columns, stream, pairs
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


@dataclass(eq=False, repr=False)
class FOAMClassifier(OnlineRanker[FOAMSteps]):
    """Binary classifier that learns to rank from one row at a time, on random Fourier features of a kernel (FOAM).

    A row meets all earlier rows of the other class at once, with square loss: of these the mean and the covariance of
    m cosines and m sines are kept (`s2auc.estimators.baselines.online.one_pass`). A step takes O(m²) time.

    Parameters
    ----------
    kernel, kernel_gamma, scaling, unlabeled, pos_label
        As for `S2AUCClassifier`. Unlabelled rows take part in settling scaling and width, and in nothing else.
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

    kernel: str = "gaussian"
    _: KW_ONLY
    kernel_gamma: float | str = "median"
    alpha: float = 1e-3
    n_frequencies: int = 100
    step_size: float = 0.1
    max_epochs: int = 15

    @property
    def kernel_gamma_(self) -> float:
        """The kernel's g."""
        return self._learner_.stream.gamma

    def _make_learner(self, sample: ColumnSample, seed: int, n_rows: int | None) -> FOAMSteps:  # noqa: ARG002
        n_features = 2 * int(self.n_frequencies)
        check_moments(self, "n_frequencies", n_features)
        space = KernelSpace.of_sample(sample, self.scaling, self.kernel, self.kernel_gamma)
        stream_seed = derived_seed(seed, self.scaling, self.kernel, str(space.bandwidth))
        stream = FrequencyStream(self.kernel, space.gamma, len(space.columns.shift), stream_seed)
        return FOAMSteps(space.columns, stream, OnePassPairs(n_features, float(self.alpha), float(self.step_size)))
