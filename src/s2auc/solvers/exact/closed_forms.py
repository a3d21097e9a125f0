"""Weights of features for every mask, alpha and other setting: by whichever closed form is faster."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray
from s2auc.common.groups import UNLABELED, PositiveFirst
from s2auc.ranking.objective import Objective
from s2auc.solvers.exact.by_features import equations_of, minimise
from s2auc.solvers.exact.by_rows import RowForm
from s2auc.solvers.exact.moments import moments_of, moments_of_masks
from s2auc.solvers.job import Points

ROWS_WORTHWHILE = 0.75
"""Solving through the rows is faster up to this many labelled rows a feature."""


def is_faster_by_rows(n_rows: int, n_features: int) -> bool:
    """Return whether to solve through so many labelled rows rather than through so many features."""
    return n_rows < ROWS_WORTHWHILE * n_features


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """Rows by their features, whatever these are; float32 or float64, the precision of their products.

    Attributes
    ----------
    labeled, order
        Labelled rows, positive first: an array or, where it is faster to solve through the features, anything that has
        a shape and gives rows by their places.
    pool
        The unlabelled rows that labelled ones are paired with; there may be none.
    roughness
        M of the neighbours (`s2auc.solvers.neighbors`); None where there are none.
    """

    labeled: Any
    order: PositiveFirst
    pool: AnyArray
    roughness: FloatArray | None = None

    @property
    def n_features(self) -> int:
        """How many features a row has."""
        return int(self.labeled.shape[1])

    def weights(self, points: Points, risk: Callable[[float], Objective], is_trained: BoolArray) -> FloatArray:
        """Return the minimisers for all points and masks, (mixes, features, masks).

        Parameters
        ----------
        points
            Alphas, labelled and neighbour weights.
        risk
            Gives the risk at a labelled weight.
        is_trained
            Which labelled rows each mask trains on, (labelled rows, masks).
        """
        by_rows = is_faster_by_rows(self.order.n_rows, self.n_features)
        return (self.weights_by_rows if by_rows else self.weights_by_features)(points, risk, is_trained)

    def weights_by_rows(self, points: Points, risk: Callable[[float], Objective], is_trained: BoolArray) -> FloatArray:
        """Return the same through as many equations as there are labelled rows."""
        weights = self._room(points, is_trained)
        form = RowForm.of_features(self.labeled[: self.order.n_rows], self.order, self.pool)
        for place, labeled_weight in enumerate(points.labeled_weights):
            for number, neighbor_weight in enumerate(points.neighbor_weights):
                penalty = self._penalty(neighbor_weight)
                weights[:, place, number] = form.solve(risk(labeled_weight), points.alphas, is_trained, penalty)
        return weights.reshape(-1, *weights.shape[-2:])

    def weights_by_features(
        self, points: Points, risk: Callable[[float], Objective], is_trained: BoolArray
    ) -> FloatArray:
        """Return the same through as many equations as there are features, mask by mask."""
        weights = self._room(points, is_trained)
        unlabeled = {UNLABELED: moments_of(self.pool)} if len(self.pool) else {}
        for mask, labeled in enumerate(moments_of_masks(self.labeled, self.order, is_trained)):
            moments = labeled | unlabeled
            for place, labeled_weight in enumerate(points.labeled_weights):
                for number, neighbor_weight in enumerate(points.neighbor_weights):
                    equations = equations_of(risk(labeled_weight), moments, self._penalty(neighbor_weight))
                    for first, alpha in enumerate(points.alphas):
                        weights[first, place, number, :, mask] = minimise(*equations, alpha)
        return weights.reshape(-1, *weights.shape[-2:])

    def _room(self, points: Points, is_trained: BoolArray) -> FloatArray:
        n_settings = len(points.alphas), len(points.labeled_weights), len(points.neighbor_weights)
        return np.empty((*n_settings, self.n_features, is_trained.shape[1]))

    def _penalty(self, neighbor_weight: float) -> FloatArray | None:
        """Return the term of neighbours as a matrix; None where it has no weight, or no neighbours."""
        return None if self.roughness is None or neighbor_weight == 0.0 else neighbor_weight * self.roughness
