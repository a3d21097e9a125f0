"""What "auto" stands for in a search, by the number of labelled rows: values that did well on tables of many kinds."""

from dataclasses import dataclass
from typing import Any

from s2auc.search.plan import FEW_FOLDS_LABELS

MANY_LABELS = 1000
"""From this many labelled rows on there is more to learn: longer runs, less regularisation, narrower kernels; and
neighbours have nothing to add."""


@dataclass(frozen=True)
class UsualValues:
    """What "auto" stands for.

    Examples
    --------
    >>> UsualValues(n_labeled=200).kernel_gammas("common")
    ('0.3 median', 'median', '3 median')
    """

    n_labeled: int
    is_projected: bool = False

    kernels = ("gaussian", "laplacian")
    column_weightings = ("none", "auc")
    linear_alphas = (1e-3, 1e-2, 1e-1, 1.0)
    wide_alphas = (1e-4, 1e-3, 1e-2, 1e-1)

    @property
    def scalings(self) -> tuple[str, ...]:
        """Scalings of columns: components are in one unit already, and their ranks say little."""
        return ("common", "standard") if self.is_projected else ("standard", "rank", "common")

    @property
    def linear_scalings(self) -> tuple[str, ...]:
        """Scalings for linear functions."""
        return ("common",) if self.is_projected else ("standard",)

    @property
    def has_many(self) -> bool:
        """Whether labels are many."""
        return self.n_labeled >= MANY_LABELS

    @property
    def forests(self) -> tuple[dict[str, Any], ...]:
        """Forests, as parameters of `ForestEntry`.

        Those that look at few columns do better with few labels, others with more; with many labels, whether leaves
        should hold several rows depends on the table, and can be told.
        """
        if self.has_many:
            judging = {"fold_trees": 50} if self.n_labeled < FEW_FOLDS_LABELS else {"fold_trees": 100, "pair_trees": 50}
            deep = {"max_features": 0.5, "family": "deep trees"}
            return deep | judging, {"max_features": 1.0, "min_samples_leaf": 5} | judging
        return {"max_features": "sqrt"}, {"max_features": 0.5}

    @property
    def alphas(self) -> tuple[float, ...]:
        """Strengths of regularisation."""
        return (1e-5, 1e-4, 1e-3, 1e-2) if self.has_many else (1e-4, 1e-3, 1e-2, 1e-1)

    def labeled_weights(self, scaling: str, kernel: str) -> tuple[float, ...]:
        """Labelled weights: pairs with unlabelled rows are tried with one scaling and one kernel."""
        return (1.0, 0.5) if (scaling, kernel) == ("standard", "gaussian") else (1.0,)

    def neighbor_weights(self, scaling: str) -> tuple[float, ...]:
        """Weights of the neighbours' term: ranks do not keep who is near."""
        return (0.0,) if self.has_many or scaling == "rank" else (0.0, 10.0)

    @property
    def neighbor_alphas(self) -> tuple[float, ...]:
        """Strengths of regularisation with neighbours: the smaller ones, neighbours being one of their own."""
        return self.alphas[:2]

    def kernel_gammas(self, scaling: str) -> tuple[str, ...]:
        """Widths of kernels: narrower ones where columns keep their proportions."""
        if scaling == "common":
            return "0.3 median", "median", "3 median"
        few = "0.1 median", "0.5 median"
        return (*few, "2 median") if self.has_many else few

    def neighbor_gammas(self, scaling: str) -> tuple[str, ...]:
        """Widths of kernels with neighbours: the narrower ones, a wide kernel being smooth already."""
        return self.kernel_gammas(scaling)[1:]

    @property
    def max_iters(self) -> tuple[int, ...]:
        """Stopping iterations."""
        return (32, 64, 128) if self.has_many else (16, 32, 64)
