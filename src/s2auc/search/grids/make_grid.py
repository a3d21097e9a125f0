"""From what users ask for to the entries of a grid."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from s2auc.common.groups import PositiveFirst
from s2auc.data.features.scaling import ColumnView
from s2auc.data.schema.schema import EVERY, OTHER, TEXT, Schema
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.labeled_only import LabeledOnlyEntry
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry, WideRows
from s2auc.search.grids.grid import KERNEL_FUNCTIONS, LINEAR, MEMBERS, TREES, Entry, Grid
from s2auc.search.grids.spaces import SpaceEntry
from s2auc.search.plan import FEW_FOLDS_LABELS
from s2auc.solvers.job import Points, Solver
from s2auc.solvers.space import COLUMN_WEIGHTINGS, SpaceChoice

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
    has_text: bool = False
    has_others: bool = True

    kernels = ("gaussian", "laplacian")
    column_weightings = ("none", "auc")
    linear_alphas = (1e-3, 1e-2, 1e-1, 1.0)
    wide_alphas = (1e-4, 1e-3, 1e-2, 1e-1)

    @property
    def scalings(self) -> tuple[str, ...]:
        """Scalings of columns: components are in one unit already, and their ranks say little."""
        return ("common", "standard") if self.is_projected else ("standard", "rank", "common")

    @property
    def views(self) -> tuple[ColumnView, ...]:
        """Views of columns for kernels: where there are texts, these alone, the other columns alone, and all."""
        if not self.has_text:
            return tuple(map(ColumnView, self.scalings))
        if not self.has_others:
            return ColumnView("common"), ColumnView("standard", TEXT)
        of_texts = ColumnView("common", TEXT), ColumnView("standard", TEXT)
        return *(
            ColumnView(scaling, columns) for columns in (EVERY, OTHER) for scaling in ("standard", "rank")
        ), *of_texts

    @property
    def linear_views(self) -> tuple[ColumnView, ...]:
        """Views of columns for linear functions."""
        if self.has_text and self.has_others:
            return ColumnView("standard"), ColumnView("standard", OTHER), ColumnView("common", TEXT)
        return (ColumnView("common" if self.is_projected or self.has_text else "standard"),)

    @property
    def forest_columns(self) -> tuple[str, ...]:
        """Columns that forests see."""
        return (EVERY, OTHER) if self.has_text and self.has_others else (EVERY,)

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

    def labeled_weights(self, view: ColumnView, kernel: str) -> tuple[float, ...]:
        """Labelled weights: pairs with unlabelled rows are tried with one scaling and one kernel."""
        is_tried = view.scaling == "standard" and kernel == "gaussian" and view.columns != OTHER
        return (1.0, 0.5) if is_tried else (1.0,)

    def neighbor_weights(self, view: ColumnView) -> tuple[float, ...]:
        """Weights of the neighbours' term: ranks do not keep who is near."""
        return (0.0,) if self.has_many or view.scaling == "rank" or view.columns == OTHER else (0.0, 10.0)

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


@dataclass(frozen=True, kw_only=True)
class GridSpec:
    """What to try: lists of values, None for the usual ones.

    Attributes
    ----------
    kernels, kernel_gammas, alphas, labeled_weights, neighbor_weights, scalings, column_weightings, max_iters
        As the parameters of `S2AUCClassifierCV`.
    n_frequencies
        For all settings alike; None for what the solver thinks right.
    members
        Who may take part in an average.
    """

    kernels: Sequence[str] | None = None
    kernel_gammas: Sequence[float | str] | None = None
    alphas: Sequence[float] | None = None
    labeled_weights: Sequence[float] | None = None
    neighbor_weights: Sequence[float] | None = None
    scalings: Sequence[str] | None = None
    column_weightings: Sequence[str] | None = None
    max_iters: Sequence[int] | None = None
    n_frequencies: int | None = None
    members: Sequence[str] = MEMBERS


def make_grid(
    wanted: GridSpec,
    solver: Solver,
    order: PositiveFirst,
    n_unlabeled: int,
    wide: WideRows | None = None,
    schema: Schema | None = None,
    labeled_wide: WideRows | None = None,
) -> Grid:
    """Return the entries to train, for so many labelled and unlabelled rows; with wide rows, on their components.

    A schema with text columns says that wide rows are the terms of these. Then the texts alone and the other columns
    alone are tried, too. Given also rows of the terms as labelled rows alone weigh them, entries for comparison are
    trained on these.

    Spaces whose columns are weighted by labels, and settings with neighbours, are tried with the largest labelled
    weight only, the former without neighbours: more of them cost much and bring little.

    Without unlabelled rows there is labelled weight 1 and neighbour weight 0 only. Without negative rows there is
    labelled weight 0 only, labels weigh no columns, and there are neither linear functions nor forests.

    Examples
    --------
    >>> from s2auc.solvers.exact.exact import Exact
    >>> wanted = GridSpec(kernels=["gaussian"], kernel_gammas=["median"], scalings=["rank"], members=["kernels"])
    >>> grid = make_grid(wanted, Exact(), PositiveFirst(20, 20), n_unlabeled=1000)
    >>> [(entry.choice.column_weighting, len(entry.settings)) for entry in grid.entries]
    [('none', 4), ('auc', 4)]
    """
    has_text = schema is not None and bool(schema.texts)
    usual = UsualValues(
        order.n_rows,
        is_projected=wide is not None and not has_text,
        has_text=has_text,
        has_others=schema is None or len(schema.columns_of_view(OTHER)) > 0,
    )
    entries: list[Entry] = []
    if KERNEL_FUNCTIONS in wanted.members:
        entries += _kernel_entries(wanted, usual, solver, order, n_unlabeled)
        if not entries:
            raise ValueError(
                "The parameters column_weightings and neighbor_weights leave nothing to try: columns that are weighted "
                f"by labels have neighbor weight 0 only. Got {list(wanted.column_weightings or ())} and "
                f"{list(wanted.neighbor_weights or ())}; add 'none' or 0."
            )
    # Both learn from labelled pairs only.
    if LINEAR in wanted.members and order.n_negative:
        entries += [LinearEntry(view, usual.linear_alphas) for view in usual.linear_views]
        entries += [] if wide is None else [WideLinearEntry(wide, usual.wide_alphas)]
    if TREES in wanted.members and order.n_negative:
        entries += [
            ForestEntry(**words, columns=columns) for columns in usual.forest_columns for words in usual.forests
        ]
    if not entries:
        raise ValueError(
            f"Without negative rows only {KERNEL_FUNCTIONS!r} can be tried: linear functions and forests learn from "
            f"labelled pairs. Got the members {list(wanted.members)}; add {KERNEL_FUNCTIONS!r}, or label negative rows."
        )
    if labeled_wide is not None:
        # The same without unlabelled rows, which are no news where texts are not seen.
        alike = make_grid(wanted, solver, order, 0, labeled_wide, schema)
        entries += [LabeledOnlyEntry(entry) for entry in alike.entries if alike.sees_texts(entry)]
    return Grid(entries, has_text, learns_words=has_text and wide is not None and n_unlabeled > 0)


def _kernel_entries(
    wanted: GridSpec, usual: UsualValues, solver: Solver, order: PositiveFirst, n_unlabeled: int
) -> Iterable[SpaceEntry]:
    max_iters = tuple(sorted(set(map(int, wanted.max_iters or usual.max_iters)))) if solver.makes_steps else (1,)
    # Without negative rows there is nothing to weigh columns by.
    weightings = (wanted.column_weightings or usual.column_weightings) if order.n_negative else ("none",)
    views = tuple(map(ColumnView, wanted.scalings)) if wanted.scalings else usual.views
    for view, weighting, kernel in dict.fromkeys(product(views, weightings, wanted.kernels or usual.kernels)):
        scaling = view.scaling
        labeled_weights = wanted.labeled_weights or usual.labeled_weights(view, kernel)
        neighbor_weights = wanted.neighbor_weights or usual.neighbor_weights(view) if n_unlabeled else (0.0,)
        if not order.n_negative:
            # One term is left, positive against unlabelled rows.
            labeled_weights = (0.0,)
        elif not n_unlabeled:
            labeled_weights = (1.0,)
        uses_labels = COLUMN_WEIGHTINGS[weighting].uses_labels
        most = (float(max(labeled_weights)),)
        near = distinct(weight for weight in neighbor_weights if weight > 0)
        # Settings without neighbours, then settings with them.
        tried: list[tuple[Points, int, Sequence[float | str]]] = []
        if 0 in neighbor_weights:
            alphas = distinct(wanted.alphas or usual.alphas)
            points = Points(alphas, most if uses_labels else distinct(labeled_weights), max_iters)
            tried.append((points, solver.search_frequencies, usual.kernel_gammas(scaling)))
        if near and not uses_labels:
            points = Points(distinct(wanted.alphas or usual.neighbor_alphas), most, max_iters, near)
            tried.append((points, solver.neighbor_frequencies, usual.neighbor_gammas(scaling)))
        for points, n_frequencies, gammas in tried:
            for width in dict.fromkeys(map(Bandwidth.read, wanted.kernel_gammas or gammas)):
                choice = SpaceChoice(scaling, weighting, kernel, width, view.columns)
                yield SpaceEntry(choice, points, int(wanted.n_frequencies or n_frequencies), solver)


def distinct(values: Iterable[float]) -> tuple[float, ...]:
    """Return the values once each, in their order."""
    return tuple(dict.fromkeys(map(float, values)))
