"""The search as a whole: every space trained, settings chosen, the choice judged, one model made of them."""

import logging
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.threads import map_in_order
from s2auc.models import CosinePart
from s2auc.ranking.intervals import Estimate, estimate_auc, estimate_difference
from s2auc.search.evidence import Evidence
from s2auc.search.grid import Grid, Setting
from s2auc.search.plan import WHOLE
from s2auc.search.selection import Candidates, Selection
from s2auc.search.spaces import TrainedSpace, Training
from s2auc.search.verdict import UnlabeledVerdict, cannot_tell, say_whether_unlabeled_helped
from s2auc.solvers.job import Point, Solver

LEVEL = 0.95
"""Confidence level of all intervals."""

logger = logging.getLogger("s2auc")


@dataclass(frozen=True, eq=False)
class Choosing:
    """How settings are chosen: the grid, the selection, and how many frequencies models have."""

    grid: Grid
    selection: Selection
    solver: Solver
    n_frequencies: int

    def choose(self, fold_auc: FloatArray, allowed: IndexArray) -> list[int]:
        """Return the settings, by number, that the selection takes among the allowed ones."""
        if not fold_auc.shape[1]:
            return self._unchosen(allowed)
        settings = [self.grid.settings[place] for place in allowed]
        chosen = self.selection.choose(Candidates(settings, self.grid, fold_auc, self._frequencies_of))
        return [int(allowed[place]) for place in chosen]

    def _unchosen(self, allowed: IndexArray) -> list[int]:
        """Return settings to take where there are no folds: a middling alpha, unlabelled rows used as far as may be."""
        points = self.grid.points
        alpha = sorted(points.alphas)[len(points.alphas) // 2]
        weight = min(self.grid.settings[place].point.labeled_weight for place in allowed)
        wanted = Point(alpha, weight, max(points.max_iters))
        fitting = [int(place) for place in allowed if self.grid.settings[place].point == wanted]
        return fitting[: self.selection.most(self.solver.frequencies_of(wanted, self.n_frequencies))]

    def _frequencies_of(self, setting: Setting) -> int:
        return self.solver.frequencies_of(setting.point, self.n_frequencies)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    choosing
        How settings were chosen.
    spaces
        Every space of the grid, trained.
    evidence
        Held-out scores of all settings.
    fold_auc
        AUC of each setting on each fold, (settings, folds).
    chosen
        The settings that make the model.
    """

    choosing: Choosing
    spaces: tuple[TrainedSpace, ...]
    evidence: Evidence
    fold_auc: FloatArray
    chosen: list[int]

    @property
    def grid(self) -> Grid:
        """Everything that was tried."""
        return self.choosing.grid

    def parts(self) -> tuple[CosinePart, ...]:
        """Return the model: the chosen settings' models, each divided by its spread, averaged."""
        spread = self.evidence.spread(WHOLE)
        shares: dict[int, dict[int, float]] = {}
        for place in self.chosen:
            space, point = divmod(place, len(self.grid.points.listed))
            shares.setdefault(space, {})[point] = 1.0 / (spread[place] * len(self.chosen))
        return tuple(self.spaces[space].part(of_points) for space, of_points in shares.items())

    def held_out_auc(self) -> Estimate | None:
        """Return the AUC of the whole procedure on folds that took no part in it; None where folds are too few."""
        if not self.evidence.plan.outer_folds:
            return None
        judged = self.evidence.judge(self.choosing.choose, np.arange(len(self.fold_auc)))
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
        if not self.evidence.plan.is_judged:
            return cannot_tell("judge=False left that out")
        if not self.evidence.plan.outer_folds:
            return cannot_tell(
                "no folds without common rows were left to judge it; label more rows of the smaller class"
            )
        everything = np.arange(len(weights))
        with_unlabeled = self.evidence.placements(self.evidence.judge(self.choosing.choose, everything))
        without = self.evidence.placements(self.evidence.judge(self.choosing.choose, labeled_only))
        gains = [mine - other for mine, other in zip(with_unlabeled, without, strict=True)]
        return say_whether_unlabeled_helped(estimate_difference(gains[0], gains[1], LEVEL))


def search_settings(training: Training, choosing: Choosing, *, is_shown: bool = False) -> SearchResult:
    """Train every setting of the grid and choose among them.

    Parameters
    ----------
    training
        What every space is trained with.
    choosing
        The grid, and how settings are chosen.
    is_shown
        Whether to log progress for users, or for debugging only.
    """
    started = perf_counter()
    level = logging.INFO if is_shown else logging.DEBUG
    spaces: list[TrainedSpace] = []
    for space in map_in_order(training.train, choosing.grid.spaces):
        spaces.append(space)
        seconds = perf_counter() - started
        left = seconds * (len(choosing.grid.spaces) / len(spaces) - 1.0)
        line = "search: %d of %d spaces, %.1f s, about %.0f s left"
        logger.log(level, line, len(spaces), len(choosing.grid.spaces), seconds, left)
    tested = training.rows.tested
    evidence = Evidence(
        scores=np.concatenate([space.scores for space in spaces]),
        is_positive=tested < training.rows.order.n_positive,
        plan=training.plan.among(tested),
    )
    fold_auc = evidence.fold_auc()
    chosen = choosing.choose(fold_auc, np.arange(len(fold_auc)))
    return SearchResult(choosing, tuple(spaces), evidence, fold_auc, chosen)
