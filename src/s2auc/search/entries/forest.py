"""Forests on the labelled rows: they see steps and interactions where kernels see smooth functions."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

from s2auc.common.randomness import derived_seed
from s2auc.data.features.scaling import ColumnView, of_view
from s2auc.data.schema.schema import EVERY
from s2auc.models.parts.trees.part import TreePart
from s2auc.search.grids.grid import TREES, Setting, TrainedEntry
from s2auc.search.plan import WHOLE
from s2auc.search.training import Training

N_TREES, N_FOLD_TREES = 100, 30
"""Trees of the forest that is kept and, unless asked otherwise, of those that judge it."""

MAX_ROWS = 20_000
"""Of a tree: with more labelled rows each tree learns from some of them."""

MAX_FEATURES = 256
"""Columns that a tree looks at for a split, at most."""

LEAF_WEIGHT = 0.5
"""Of a leaf where rows have weights, at least, in mean weights of a row, for each row that a leaf must hold. Else rows
of next to no weight would have leaves of their own, in which they decide alone."""

SCALING = "standard"
"""Of columns for trees. They see the order of values only, in float32: timestamps, say, would lose it unscaled."""


@dataclass(frozen=True)
class ForestEntry:
    """One forest of extremely randomised trees.

    Attributes
    ----------
    max_features
        Columns that a tree looks at for a split, as in scikit-learn: a rule or a share, of which there are at most
        `MAX_FEATURES`.
    min_samples_leaf
        Rows of a leaf, at least.
    family
        Forests of one family are averaged alike.
    fold_trees, pair_trees
        Trees of the forests without a fold, and without two: these only have to tell how good the one that is kept is.
        Fewer trees make a forest look a little worse than it is, which counts where AUCs are known well.
    columns
        The columns that it sees, one of `VIEWS`.
    """

    max_features: str | float
    min_samples_leaf: int = 1
    family: str = TREES
    fold_trees: int | None = None
    pair_trees: int | None = None
    columns: str = EVERY
    points = None
    is_wide = False

    @property
    def view(self) -> ColumnView:
        """The columns that it sees."""
        return ColumnView(SCALING, self.columns)

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting."""
        words = {"max_features": self.max_features, "min_samples_leaf": self.min_samples_leaf}
        return (Setting(TREES, of_view(self.family, self.columns), words | self.view.words),)

    def train(self, training: Training) -> TrainedEntry:
        """Grow a forest for every mask."""
        rows, is_trained, n_folds = training.rows, training.plan.is_trained, training.plan.n_folds
        columns = training.prepared[self.view].columns
        labeled = training.scaled(self.view)[: rows.order.n_rows].astype(np.float32)
        forests = []
        for mask, is_used in enumerate(is_trained.T):
            wanted = N_TREES if mask == WHOLE else self.fold_trees if mask <= n_folds else self.pair_trees
            forest = self._forest(mask, int(is_used.sum()), labeled.shape[1], training.seed)
            forest.set_params(n_estimators=wanted or N_FOLD_TREES)
            weight = rows.order.weight_of(np.flatnonzero(is_used))
            if weight is not None:
                least = LEAF_WEIGHT * self.min_samples_leaf / len(weight)
                forest.set_params(min_weight_fraction_leaf=min(least, 0.5))
                # The last bits come from the unit of weights: they must not choose between splits that are as good.
                weight = weight.astype(np.float32)
            forest.fit(labeled[is_used], rows.order.is_positive[is_used], sample_weight=weight)
            forests.append(TreePart.of_forest(columns, forest))
        followed = rows.X[rows.followed]
        scores = np.stack([forest.score(followed) for forest in forests]).astype(np.float32)
        return TrainedEntry(scores[None], forests[WHOLE], {"share": np.ones(1)})

    def _forest(self, mask: int, n_rows: int, n_columns: int, seed: int) -> ExtraTreesClassifier:
        share = self.max_features
        return ExtraTreesClassifier(
            max_features=share if isinstance(share, str) else min(share, MAX_FEATURES / n_columns),
            bootstrap=n_rows > MAX_ROWS,
            max_samples=MAX_ROWS if n_rows > MAX_ROWS else None,
            min_samples_leaf=self.min_samples_leaf,
            random_state=derived_seed(seed, TREES, str(self.max_features), str(mask)) % 2**32,
        )
