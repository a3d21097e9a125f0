"""The search as a whole: every space trained, settings chosen, the choice judged, one model made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.common.randomness import SEED_LIMIT
from s2auc.common.threads import map_in_order
from s2auc.data.column_scaling import SCALINGS, ColumnScaling, prepare_columns
from s2auc.models.cosine_part import CosinePart
from s2auc.ranking.losses import LOSSES
from s2auc.search.engines import make_engine
from s2auc.search.evidence import Evidence
from s2auc.search.grid import Grid, Point, Setting, SpaceChoice
from s2auc.search.plan import WHOLE, FoldPlan
from s2auc.search.rows import TuningRows, summarise_rows
from s2auc.search.selection import SELECTIONS, Candidates
from s2auc.search.spaces import TrainedSpace, train_space
from s2auc.search.verdict import Estimate, UnlabeledVerdict, cannot_tell, estimate_auc, estimate_difference
from s2auc.search.verdict import say_whether_unlabeled_helped as say
from s2auc.solvers.training import TrainingRows

LEVEL = 0.95
"""Confidence level of all intervals."""


@dataclass(frozen=True)
class Search:
    """How to search, in plain values that were checked."""

    loss: str
    solver: str
    n_frequencies: int
    selection: str
    n_average: int
    max_frequencies: int
    is_judged: bool
    seed: int
    n_threads: int | None


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    spaces
        Every space of the grid, trained.
    evidence
        Held-out scores of all settings.
    fold_auc
        AUC of each setting on each fold, (settings, folds).
    chosen
        The settings that make the model.
    """

    grid: Grid
    search: Search
    spaces: tuple[TrainedSpace, ...]
    evidence: Evidence
    fold_auc: FloatArray
    chosen: list[int]

    def parts(self) -> tuple[CosinePart, ...]:
        """Return the model: the chosen settings' models, each divided by its spread, averaged."""
        spread = self.evidence.spread(WHOLE)
        shares: dict[int, dict[int, float]] = {}
        for place in self.chosen:
            space, point = divmod(place, len(self.grid.points))
            shares.setdefault(space, {})[point] = 1.0 / (spread[place] * len(self.chosen))
        return tuple(self.spaces[space].part(of_points) for space, of_points in shares.items())

    def held_out_auc(self) -> Estimate | None:
        """Return the AUC of the whole procedure on folds that took no part in it; None where folds are too few."""
        if not self.evidence.plan.outer_folds:
            return None
        judged = self.evidence.judge(self._rule, np.arange(len(self.fold_auc)))
        return estimate_auc(*self.evidence.placements(judged), LEVEL)

    def unlabeled_verdict(self) -> UnlabeledVerdict:
        """Return whether choosing among all labelled weights beats choosing at weight 1, on folds neither saw."""
        weights = np.array([setting.point.labeled_weight for setting in self.grid.settings])
        labeled_only = np.flatnonzero(weights == 1.0)
        if self.evidence.is_positive.all():
            return cannot_tell("without negative rows nothing can be learnt without them")
        if not len(labeled_only):
            return cannot_tell("labeled_weights does not hold 1, the weight that leaves them out")
        if len(labeled_only) == len(weights):
            return cannot_tell("no setting uses them")
        if not self.search.is_judged:
            return cannot_tell("judge=False left that out")
        if not self.evidence.plan.outer_folds:
            return cannot_tell(
                "no folds without common rows were left to judge it; label more rows of the smaller class"
            )
        with_unlabeled = self.evidence.placements(self.evidence.judge(self._rule, np.arange(len(weights))))
        without = self.evidence.placements(self.evidence.judge(self._rule, labeled_only))
        gains = [mine - other for mine, other in zip(with_unlabeled, without, strict=True)]
        return say(estimate_difference(gains[0], gains[1], LEVEL))

    def _rule(self, fold_auc: FloatArray, allowed: IndexArray) -> list[int]:
        return choose(self.grid, self.search, fold_auc, allowed)


def search_settings(
    rows: TrainingRows,
    tuning_rows: TuningRows,
    plan: FoldPlan,
    grid: Grid,
    search: Search,
    is_positive: BoolArray,
    is_categorical: BoolArray,
) -> SearchResult:
    """Train every setting of the grid and choose among them."""
    columns = _prepared(rows, grid, search, is_categorical)
    engine = make_engine(search.solver, LOSSES[search.loss], search.n_frequencies)

    def work(numbered: tuple[int, SpaceChoice]) -> TrainedSpace:
        number, choice = numbered
        seed = (search.seed + number) % SEED_LIMIT
        return train_space(choice, columns[choice.scaling], tuning_rows, plan, grid, engine, seed)

    spaces = tuple(map_in_order(work, enumerate(grid.spaces), limit=search.n_threads))
    scores: AnyArray = np.concatenate([space.scores for space in spaces])
    evidence = Evidence(scores, is_positive, plan)
    fold_auc = evidence.fold_auc()
    chosen = choose(grid, search, fold_auc, np.arange(len(fold_auc)))
    return SearchResult(grid, search, spaces, evidence, fold_auc, chosen)


def choose(grid: Grid, search: Search, fold_auc: FloatArray, allowed: IndexArray) -> list[int]:
    """Return the settings that the selection of the search takes among the allowed ones, by number."""
    if not fold_auc.shape[1]:
        return _unchosen(grid, search, allowed)
    settings = [grid.settings[place] for place in allowed]
    frequencies_of = partial(_frequencies, search)
    candidates = Candidates(settings, grid, fold_auc, frequencies_of)
    chosen = SELECTIONS[search.selection](candidates, search.n_average, search.max_frequencies)
    return [int(allowed[place]) for place in chosen]


def _unchosen(grid: Grid, search: Search, allowed: IndexArray) -> list[int]:
    """Return settings to take where there are no folds: a middling alpha, and unlabelled rows used as far as may be."""
    alpha = sorted(grid.alphas)[len(grid.alphas) // 2]
    weight = min(grid.settings[place].point.labeled_weight for place in allowed)
    wanted = Point(alpha, weight, grid.max_iter)
    fitting = [int(place) for place in allowed if grid.settings[place].point == wanted]
    n_settings = search.n_average if search.selection == "average" else 1
    return fitting[: max(1, min(n_settings, search.max_frequencies // (search.n_frequencies * grid.max_iter)))]


def _frequencies(search: Search, setting: Setting) -> int:
    return search.n_frequencies * setting.point.n_iter


def _prepared(rows: TrainingRows, grid: Grid, search: Search, is_categorical: BoolArray) -> Mapping[str, ColumnScaling]:
    """Return what each scaling of the grid does to columns, from one pass over all rows."""
    names = sorted({choice.scaling for choice in grid.spaces})
    summary = summarise_rows(rows, search.seed)
    return {name: prepare_columns(summary, SCALINGS[name], is_categorical) for name in names}
