"""From what users ask for to the entries of a grid."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from s2auc.common.groups import PositiveFirst
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.wide_rows import WideRows
from s2auc.search.grids.grid import KERNELS, LINEAR, MEMBERS, TREES, Entry, Grid
from s2auc.search.grids.spaces import SpaceEntry
from s2auc.search.linear_entry import LinearEntry, WideLinearEntry
from s2auc.search.usual_values import UsualValues
from s2auc.solvers.column_weights import COLUMN_WEIGHTINGS
from s2auc.solvers.job import Points, Solver
from s2auc.solvers.space import SpaceChoice


@dataclass(frozen=True, kw_only=True)
class Wanted:
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
    wanted: Wanted, solver: Solver, order: PositiveFirst, n_unlabeled: int, wide: WideRows | None = None
) -> Grid:
    """Return the entries to train, for so many labelled and unlabelled rows; with wide rows, on their components.

    Spaces whose columns are weighted by labels, and settings with neighbours, are tried with the largest labelled
    weight only, the former without neighbours: more of them cost much and bring little.

    Without unlabelled rows there is labelled weight 1 and neighbour weight 0 only. Without negative rows there is
    labelled weight 0 only, labels weigh no columns, and there are neither linear functions nor forests.

    Examples
    --------
    >>> from s2auc.solvers.exact.exact import Exact
    >>> wanted = Wanted(kernels=["gaussian"], kernel_gammas=["median"], scalings=["rank"], members=["kernels"])
    >>> grid = make_grid(wanted, Exact(), PositiveFirst(20, 20), n_unlabeled=1000)
    >>> [(entry.choice.column_weighting, len(entry.settings)) for entry in grid.entries]
    [('none', 4), ('auc', 4)]
    """
    usual = UsualValues(order.n_rows, is_projected=wide is not None)
    entries: list[Entry] = []
    if KERNELS in wanted.members:
        entries += _kernel_entries(wanted, usual, solver, order, n_unlabeled)
        if not entries:
            raise ValueError(
                "The parameters column_weightings and neighbor_weights leave nothing to try: columns that are weighted "
                f"by labels have neighbor weight 0 only. Got {list(wanted.column_weightings or ())} and "
                f"{list(wanted.neighbor_weights or ())}; add 'none' or 0."
            )
    # Both learn from labelled pairs only.
    if LINEAR in wanted.members and order.n_negative:
        entries += [LinearEntry(scaling, usual.linear_alphas) for scaling in usual.linear_scalings]
        entries += [] if wide is None else [WideLinearEntry(wide, usual.wide_alphas)]
    if TREES in wanted.members and order.n_negative:
        entries += [ForestEntry(**words) for words in usual.forests]
    if not entries:
        raise ValueError(
            f"Without negative rows only {KERNELS!r} can be tried: linear functions and forests learn from labelled "
            f"pairs. Got the members {list(wanted.members)}; add {KERNELS!r}, or label negative rows."
        )
    return Grid(entries)


def _kernel_entries(
    wanted: Wanted, usual: UsualValues, solver: Solver, order: PositiveFirst, n_unlabeled: int
) -> Iterable[SpaceEntry]:
    max_iters = tuple(sorted(set(map(int, wanted.max_iters or usual.max_iters)))) if solver.makes_steps else (1,)
    # Without negative rows there is nothing to weigh columns by.
    weightings = (wanted.column_weightings or usual.column_weightings) if order.n_negative else ("none",)
    combinations = product(wanted.scalings or usual.scalings, weightings, wanted.kernels or usual.kernels)
    for scaling, weighting, kernel in dict.fromkeys(combinations):
        labeled_weights = wanted.labeled_weights or usual.labeled_weights(scaling, kernel)
        neighbor_weights = wanted.neighbor_weights or usual.neighbor_weights(scaling) if n_unlabeled else (0.0,)
        if not order.n_negative:
            # One term is left, positive against unlabelled rows.
            labeled_weights = (0.0,)
        elif not n_unlabeled:
            labeled_weights = (1.0,)
        uses_labels = COLUMN_WEIGHTINGS[weighting].uses_labels
        most = (float(max(labeled_weights)),)
        near = distinct(weight for weight in neighbor_weights if weight > 0)
        if 0 in neighbor_weights:
            alphas = distinct(wanted.alphas or usual.alphas)
            points = Points(alphas, most if uses_labels else distinct(labeled_weights), max_iters)
            n_frequencies = int(wanted.n_frequencies or solver.search_frequencies)
            for choice in _choices(scaling, weighting, kernel, wanted.kernel_gammas or usual.kernel_gammas(scaling)):
                yield SpaceEntry(choice, points, n_frequencies, solver)
        if near and not uses_labels:
            points = Points(distinct(wanted.alphas or usual.neighbor_alphas), most, max_iters, near)
            n_frequencies = int(wanted.n_frequencies or solver.neighbor_frequencies)
            for choice in _choices(scaling, weighting, kernel, wanted.kernel_gammas or usual.neighbor_gammas(scaling)):
                yield SpaceEntry(choice, points, n_frequencies, solver)


def _choices(scaling: str, weighting: str, kernel: str, gammas: Sequence[float | str]) -> list[SpaceChoice]:
    widths = dict.fromkeys(map(Bandwidth.read, gammas))
    return [SpaceChoice(scaling, weighting, kernel, width) for width in widths]


def distinct(values: Iterable[float]) -> tuple[float, ...]:
    """Return the values once each, in their order."""
    return tuple(dict.fromkeys(map(float, values)))
