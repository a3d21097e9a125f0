"""The search as a whole: every entry trained, settings chosen, the choice judged, one model made of them."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TypeAlias

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.progress import has_listener
from s2auc.common.storage.checkpoints import Checkpoint
from s2auc.common.threads import Crew, map_in_order
from s2auc.models.parts.part import Part
from s2auc.ranking.intervals import Estimate, estimate_auc, estimate_difference
from s2auc.search.entries.stored_entries import load_entry, save_entry
from s2auc.search.evidence import Evidence
from s2auc.search.grids.grid import Entry, Grid, TrainedEntry
from s2auc.search.label_sampling import NOT_TESTED, LabelSampling, Sampling, SamplingVerdict, find_label_sampling
from s2auc.search.learning_curve import LearningCurve, find_learning_curve
from s2auc.search.plan import WHOLE
from s2auc.search.progress import SearchProgress
from s2auc.search.selection import Candidates, Selection
from s2auc.search.training import Training
from s2auc.search.verdict import UnlabeledVerdict, cannot_tell, nothing_to_help, say_whether_unlabeled_helped

EntryRun: TypeAlias = tuple[TrainedEntry, float | None]
"""A trained entry, and the seconds that it took; None if it was at hand."""


def run_entries(
    entries: Sequence[Entry], training: Training, checkpoint: Checkpoint | None = None, crew: Crew | None = None
) -> Generator[EntryRun]:
    """Yield entries as they are trained, in the order of the grid; those that a checkpoint has are taken from it.

    Parameters
    ----------
    entries, training
        What is trained, and with what.
    checkpoint
        Where entries are kept; None for nowhere.
    crew
        Who trains on other machines; None for threads of this process.
    """
    if crew is not None:
        return _run_by_crew(entries, training, checkpoint, crew)

    def kept_or_trained(number: int) -> EntryRun:
        found = load_entry(checkpoint, number)
        if found is not None:
            return found, None
        result = _timed(training, entries[number])
        save_entry(checkpoint, number, result[0])
        return result

    return map_in_order(kept_or_trained, range(len(entries)))


def _run_by_crew(
    entries: Sequence[Entry], training: Training, checkpoint: Checkpoint | None, crew: Crew
) -> Generator[EntryRun]:
    at_hand = [load_entry(checkpoint, number) for number in range(len(entries))]
    missing = [entry for entry, found in zip(entries, at_hand, strict=True) if found is None]
    with closing(crew.map_in_order(_timed, training, missing)) as runs:
        for number, found in enumerate(at_hand):
            if found is not None:
                yield found, None
                continue
            result = next(runs)
            save_entry(checkpoint, number, result[0])
            yield result


def _timed(training: Training, entry: Entry) -> tuple[TrainedEntry, float]:
    started = perf_counter()
    trained = entry.train(training)
    return trained, perf_counter() - started


LEFT_OUT = "judge=False left that out"

LEVEL = 0.95
"""Confidence level of all intervals."""


@dataclass(frozen=True, eq=False)
class SelectionContext:
    """How settings are chosen: the grid, the selection, and how many rows are labelled and unlabelled.

    `is_sampling_known` says that users have told how labels were chosen, so that nothing is left to find out.
    """

    grid: Grid
    selection: Selection
    n_labeled: int
    n_unlabeled: int = 0
    is_sampling_known: bool = False

    def choose(self, fold_auc: FloatArray, allowed: IndexArray) -> dict[int, float]:
        """Return what the selection takes among the allowed settings, by number; without folds, usual ones."""
        if not fold_auc.shape[1]:
            allowed = self._usual(allowed)
            fold_auc = np.zeros((len(allowed), 1))
        settings = [self.grid.settings[place] for place in allowed]
        entries = [self.grid.places[place][0] for place in allowed]
        chosen = self.selection.choose(Candidates(settings, entries, fold_auc, self.n_labeled))
        return {int(allowed[place]): share for place, share in chosen.items()}

    def _usual(self, allowed: IndexArray) -> IndexArray:
        """Return the usual settings of every member, all of them where it has none, as with neighbours only."""
        settings = self.grid.settings
        has_usual = {settings[place].member for place in allowed if settings[place].is_usual}
        kept = [place for place in allowed if settings[place].is_usual or settings[place].member not in has_usual]
        return np.array(kept, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    choosing
        How settings were chosen.
    entries
        Every entry of the grid, trained.
    evidence
        Held-out scores of all settings, and how much each labelled row counts.
    fold_auc
        AUC of each setting on each fold, (settings, folds).
    chosen
        The settings that make the model, and how much each counts.
    sampling
        How labelled rows were chosen, as far as their scores show it.
    """

    choosing: SelectionContext
    entries: tuple[TrainedEntry, ...]
    evidence: Evidence
    fold_auc: FloatArray
    chosen: dict[int, float]
    sampling: LabelSampling = NOT_TESTED

    @property
    def grid(self) -> Grid:
        """Everything that was tried."""
        return self.choosing.grid

    def parts(self, *, is_wide: bool = False) -> tuple[Part, ...]:
        """Return the model: the chosen settings' models, each divided by its spread, averaged.

        Where rows are projected there are two kinds of parts: those that see components, and those that see all
        columns (`is_wide`).
        """
        spread = self.evidence.spread(WHOLE)
        shares: dict[int, dict[int, float]] = {}
        for number, share in self.chosen.items():
            entry, place = self.grid.places[number]
            shares.setdefault(entry, {})[place] = share / float(spread[number])
        return tuple(
            self.entries[entry].part(of_settings)
            for entry, of_settings in shares.items()
            if self.grid.entries[entry].is_wide == is_wide
        )

    def held_out_auc(self) -> Estimate | None:
        """Return the AUC of the whole procedure on folds that took no part in it; None where it cannot be estimated.

        That is where folds are too few, or where labelled rows cannot stand for the pool.
        """
        return self._auc_by(self.evidence) if self._can_judge else None

    def time_auc(self) -> Estimate | None:
        """Return the AUC of later rows by models of earlier ones; None where it cannot be estimated."""
        if self.sampling.answer == Sampling.UNCOVERED:
            return None
        return self.evidence.later_auc(self.choosing.choose, self.grid.candidates, LEVEL)

    def unweighted_auc(self) -> Estimate | None:
        """Return what the AUC would be if labels had not been chosen by score; None if they were not, as it seems."""
        if not self.sampling.is_biased or not self.evidence.plan.outer_folds:
            return None
        return self._auc_by(replace(self.evidence, weight=None))

    def sampling_verdict(self) -> SamplingVerdict:
        """Return whether labels were chosen by score, and what the AUC would be without weights."""
        return self.sampling.verdict(self.unweighted_auc())

    def _auc_by(self, evidence: Evidence) -> Estimate:
        choices = self.evidence.choices(self.choosing.choose, self.grid.candidates)
        judged = evidence.judged_by(choices)
        variance = evidence.training_variance(choices)
        return estimate_auc(*evidence.placements(judged), LEVEL, evidence.placement_weights(), variance)

    @property
    def _can_judge(self) -> bool:
        return bool(self.evidence.plan.outer_folds) and self.sampling.answer != Sampling.UNCOVERED

    def learning_curve(self) -> LearningCurve | None:
        """Return how the AUC of the procedure grows with the number of labels; None where it cannot be estimated."""
        if not self._can_judge:
            return None
        return find_learning_curve(self.evidence, self.choosing.choose, self.grid.candidates, LEVEL)

    def unlabeled_verdict(self) -> UnlabeledVerdict:
        """Return whether choosing among all settings beats choosing among those of labelled rows, on unseen folds."""
        settings = self.grid.settings
        uses_unlabeled = np.array([setting.uses_unlabeled for setting in settings])
        labeled_only = np.flatnonzero(~uses_unlabeled)
        compared = {settings[place].member for place in labeled_only}
        if not self.choosing.n_unlabeled:
            return nothing_to_help()
        if self.evidence.is_positive.all():
            return cannot_tell("without negative rows nothing can be learnt without them")
        if self.grid.learns_words and self.grid.n_candidates == len(self.grid.entries):
            is_judged = self.evidence.plan.is_judged
            ended = "the search ended before it tried what labelled rows alone tell of words"
            return cannot_tell(ended if is_judged else LEFT_OUT)
        # Without a member the others would tell what that member brings, not what unlabelled rows do.
        if any(setting.member not in compared for setting in settings):
            return cannot_tell("no setting of kernels leaves them out, as labelled weight 1 and neighbour weight 0 do")
        if not uses_unlabeled.any():
            return cannot_tell("no setting uses them")
        if not self.evidence.plan.is_judged:
            return cannot_tell(LEFT_OUT)
        if self.sampling.answer == Sampling.UNCOVERED:
            return cannot_tell("labels were chosen by score, and none stand for half of the rows")
        if not self.evidence.plan.outer_folds:
            return cannot_tell(
                "no folds without common rows were left to judge it; label more rows of the smaller class"
            )
        with_unlabeled = self.evidence.placements(self.evidence.judge(self.choosing.choose, self.grid.candidates))
        without = self.evidence.placements(self.evidence.judge(self.choosing.choose, labeled_only))
        weights = self.evidence.placement_weights()
        return say_whether_unlabeled_helped(estimate_difference(with_unlabeled, without, LEVEL, weights))


def search_settings(
    training: Training,
    choosing: SelectionContext,
    progress: SearchProgress | None = None,
    checkpoint: Checkpoint | None = None,
    crew: Crew | None = None,
) -> SearchResult:
    """Train every setting of the grid and choose among them.

    Parameters
    ----------
    training
        What every entry is trained with.
    choosing
        The grid, and how settings are chosen.
    progress
        Who is told of every entry, and may ask to leave the others out; None for nobody.
    checkpoint
        Where entries are kept, and looked for before they are trained; None for nowhere.
    crew
        Who trains entries on other machines; None for threads of this process.
    """
    grid = choosing.grid
    run = run_entries(grid.entries, training, checkpoint, crew)
    entries = _train_entries(grid.entries, training, progress or SearchProgress(), run)
    if len(entries) < len(grid.entries):
        del entries[grid.n_candidates :]  # comparisons with some of the settings only would mislead
        choosing = replace(choosing, grid=replace(grid, entries=grid.entries[: len(entries)]))
    evidence = _evidence(entries, training)
    fold_auc = evidence.fold_auc()
    candidates = choosing.grid.candidates
    chosen, sampling = choosing.choose(fold_auc[candidates], candidates), NOT_TESTED
    if not choosing.is_sampling_known and evidence.plan.n_folds:
        sampling = find_label_sampling(evidence, chosen, choosing.n_unlabeled)
    if sampling.weight is not None:
        evidence = replace(evidence, weight=sampling.weight)
        fold_auc = evidence.fold_auc()
        chosen = choosing.choose(fold_auc[candidates], candidates)
    return SearchResult(choosing, tuple(entries), evidence, fold_auc, chosen, sampling)


def _evidence(entries: Sequence[TrainedEntry], training: Training) -> Evidence:
    """Return what some entries say of held-out rows."""
    tested = training.rows.tested
    return Evidence(
        scores=np.concatenate([entry.scores for entry in entries]),
        is_positive=tested < training.rows.order.n_positive,
        plan=training.plan.among(tested),
        weight=training.rows.order.weight_of(tested),
    )


def _train_entries(
    entries: Sequence[Entry], training: Training, progress: SearchProgress, run: Generator[EntryRun]
) -> list[TrainedEntry]:
    """Train entries, all of them unless the search is asked to stop."""
    trained: list[TrainedEntry] = []
    seconds: list[float | None] = []
    best: float | None = None
    # Entries hold BLAS to one thread: an error's traceback must not keep them, and with them the limit.
    with closing(run):
        for result, taken in run:
            trained.append(result)
            seconds.append(taken)
            if has_listener():
                best = _highest(best, _evidence([result], training).fold_auc())
            if progress.entry_done(entries, seconds, best):
                break
    return trained


def _highest(best: float | None, fold_auc: FloatArray) -> float | None:
    """Return the highest mean AUC over folds so far; None while there is none."""
    means = fold_auc.mean(axis=1) if fold_auc.shape[1] else np.zeros(0)
    return max([*([] if best is None else [best]), *means[np.isfinite(means)].tolist()], default=None)
