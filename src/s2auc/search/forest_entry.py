"""Forests on the labelled rows: they see steps and interactions where kernels see smooth functions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

from s2auc.common.arrays import AnyArray
from s2auc.common.randomness import derived_seed
from s2auc.models import TreePart
from s2auc.search.grid import TREES, Setting
from s2auc.search.plan import WHOLE
from s2auc.search.training import Training

N_TREES, N_FOLD_TREES = 100, 30
"""Trees of the forest that is kept, and of those that judge it: these only have to tell how good it is."""

MOST_ROWS, MOST_LEAVES = 20_000, 2000
"""Of a tree, about: with many labelled rows each tree learns from some of them, and leaves hold several."""

SCALING = "standard"
"""Of columns for trees. They see the order of values only, in float32: timestamps, say, would lose it unscaled."""


@dataclass(frozen=True, eq=False)
class TrainedForest:
    """A forest on all labelled rows, and scores of followed rows by it and by those of the folds, (1, masks, rows)."""

    forest: TreePart
    scores: AnyArray

    def part(self, shares: Mapping[int, float]) -> TreePart:
        """Return the forest with its share."""
        return replace(self.forest, share=shares[0])


@dataclass(frozen=True)
class ForestEntry:
    """One forest of extremely randomised trees.

    Attributes
    ----------
    max_features
        Columns that a tree looks at for a split, as in scikit-learn: a rule or a share.
    """

    max_features: str | float
    scaling = SCALING
    points = None
    is_wide = False

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting."""
        return (Setting(TREES, TREES, {"max_features": self.max_features}),)

    def train(self, training: Training) -> TrainedForest:
        """Grow a forest for every mask."""
        rows, is_trained = training.rows, training.plan.is_trained
        columns = training.prepared[self.scaling].columns
        labeled = training.scaled(self.scaling)[: rows.order.n_rows].astype(np.float32)
        forests = []
        for mask, is_used in enumerate(is_trained.T):
            forest = self._forest(mask, int(is_used.sum()), training.seed)
            forests.append(TreePart.of_forest(columns, forest.fit(labeled[is_used], rows.order.is_positive[is_used])))
        followed = rows.X[rows.followed]
        scores = np.stack([forest.score(followed) for forest in forests]).astype(np.float32)
        return TrainedForest(forests[WHOLE], scores[None])

    def _forest(self, mask: int, n_rows: int, seed: int) -> ExtraTreesClassifier:
        return ExtraTreesClassifier(
            n_estimators=N_TREES if mask == WHOLE else N_FOLD_TREES,
            max_features=self.max_features,
            bootstrap=n_rows > MOST_ROWS,
            max_samples=MOST_ROWS if n_rows > MOST_ROWS else None,
            min_samples_leaf=1 + min(n_rows, MOST_ROWS) // MOST_LEAVES,
            random_state=derived_seed(seed, TREES, str(self.max_features), str(mask)) % 2**32,
        )
