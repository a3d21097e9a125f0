"""What held-out folds say: AUCs of every setting, and of what a rule chooses among them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.ranking.intervals import EQUAL, Estimate, Placements, Weights, estimate_auc, placements
from s2auc.ranking.metrics import auc_of_columns
from s2auc.search.plan import WHOLE, FoldPlan

Shares: TypeAlias = Mapping[int, float]
"""Settings, by number, and how much each counts in an average."""

ChoosingRule: TypeAlias = Callable[[FloatArray, IndexArray], Shares]
"""Chooses among settings, by their AUCs on some folds, (settings, folds), and their numbers."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Scores of followed rows by models that did not see some of them.

    Attributes
    ----------
    scores
        (settings, masks, rows): tested labelled rows first, then reference rows.
    is_positive
        Which tested rows are positive.
    plan
        Which rows each mask leaves out.
    weight
        How much each tested row counts; None where all count alike.
    """

    scores: AnyArray
    is_positive: BoolArray
    plan: FoldPlan
    weight: FloatArray | None = None

    @property
    def n_tested(self) -> int:
        """How many labelled rows are followed."""
        return len(self.is_positive)

    def spread(self, mask: int) -> FloatArray:
        """Return the standard deviation of each setting's scores over the reference rows, labelled ones if none."""
        reference = self.scores[:, mask, self.n_tested :]
        rows = reference if reference.shape[1] > 1 else self.scores[:, mask, : self.n_tested]
        deviation = rows.std(axis=1, dtype=np.float64)
        return np.where(deviation > 0.0, deviation, 1.0)

    def fold_auc(self) -> FloatArray:
        """Return the AUC of each setting on each fold that it did not see, (settings, folds)."""
        aucs = [self.auc_on(fold, self.plan.mask_without(fold)) for fold in range(self.plan.n_folds)]
        return np.stack(aucs, axis=1) if aucs else np.zeros((len(self.scores), 0))

    def auc_on(self, fold: int, mask: int) -> FloatArray:
        """Return the AUC of each setting's model under a mask, on the rows of a fold."""
        return self._auc_of_rows(self.scores[:, mask], self.plan.tests[fold])

    def mixed(self, shares: Shares, mask: int) -> FloatArray:
        """Return the scores of an average of settings, each divided by its spread."""
        settings = list(shares)
        weights = np.array(list(shares.values())) / self.spread(mask)[settings]
        return weights @ self.scores[settings, mask].astype(np.float64)

    def left_out_scores(self, shares: Shares) -> FloatArray:
        """Return, for each tested row, its mean score by averages that did not see it; NaN for rows of no fold.

        Where there are no folds at all, the scores of the average that saw them have to do.
        """
        if not self.plan.tests:
            return self.mixed(shares, WHOLE)[: self.n_tested]
        total, count = np.zeros(self.n_tested), np.zeros(self.n_tested)
        for fold, rows in enumerate(self.plan.tests):
            total[rows] += self.mixed(shares, self.plan.mask_without(fold))[rows]
            count[rows] += 1
        with np.errstate(invalid="ignore"):
            return np.where(count > 0, total / count, np.nan)

    def choices(self, rule: ChoosingRule, allowed: IndexArray) -> list[Shares]:
        """Return, for each outer fold, what the rule chooses among the allowed settings without it."""
        chosen = []
        for outer in self.plan.outer_folds:
            others = [fold for fold in self.plan.outer_folds if fold != outer]
            inner = np.stack([self.auc_on(fold, self.plan.mask_without(outer, fold)) for fold in others], axis=1)
            chosen.append(rule(inner[allowed], allowed))
        return chosen

    def judge(self, rule: ChoosingRule, allowed: IndexArray) -> list[FloatArray]:
        """Return, for each outer fold, the scores by what the rule chooses among the allowed settings without it."""
        return self.judged_by(self.choices(rule, allowed))

    def judged_by(self, choices: Sequence[Shares]) -> list[FloatArray]:
        """Return, for each outer fold, the scores by what was chosen for it."""
        folds = zip(self.plan.outer_folds, choices, strict=True)
        return [self.mixed(chosen, self.plan.mask_without(outer)) for outer, chosen in folds]

    def training_variance(self, choices: Sequence[Shares]) -> float:
        """Return the variance of the held-out AUC that comes from the rows which models were trained on.

        The delete-one-fold jackknife: each fold in turn is taken away from the training rows of the models that judge
        the others, while the rows that they are judged by stay. With D the mean change of the AUC by each of the K
        folds, the variance is (K - 1) / K · Σ (D - mean D)².

        Parameters
        ----------
        choices
            What was chosen for each outer fold.
        """
        outer = self.plan.outer_folds
        change = np.zeros((len(outer), len(outer)))
        for place, (fold, chosen) in enumerate(zip(outer, choices, strict=True)):
            whole = self._auc(self.mixed(chosen, self.plan.mask_without(fold)), fold)
            for left_out, other in enumerate(outer):
                if other != fold:
                    less = self._auc(self.mixed(chosen, self.plan.mask_without(fold, other)), fold)
                    change[place, left_out] = less - whole
        mean_change = change.sum(axis=0) / (len(outer) - 1)
        return float((len(outer) - 1) * np.var(mean_change))

    def later_auc(self, rule: ChoosingRule, candidates: IndexArray, level: float) -> Estimate | None:
        """Return the AUC of later rows by models of earlier ones; None where there are no such models.

        What a rule chooses for one part of the time is chosen by the other parts.
        """
        steps = self.plan.later
        if not steps:
            return None
        aucs = [self._auc_of_rows(self.scores[:, mask], rows) for mask, rows in steps]
        placed = []
        for place, (mask, rows) in enumerate(steps):
            others = aucs[:place] + aucs[place + 1 :] or aucs
            chosen = rule(np.stack(others, axis=1)[candidates], candidates)
            placed.append(placements(*self._sides_of_rows(self.mixed(chosen, mask), rows), self._weights([rows])))
        of_positive, of_negative = zip(*placed, strict=True)
        join = np.mean if self.is_positive.all() else np.concatenate
        weights = self._weights([rows for _, rows in steps])
        return estimate_auc(np.concatenate(of_positive), join(of_negative, axis=0), level, weights)

    def _auc(self, scores: FloatArray, fold: int) -> float:
        return float(self._auc_of_rows(scores[None], self.plan.tests[fold])[0])

    def _auc_of_rows(self, scores: AnyArray, rows: IndexArray) -> FloatArray:
        positive, negative = self._sides_of_rows(scores, rows)
        return auc_of_columns(positive.T, negative.T, *self._weights([rows]))

    def placements(self, judged: Sequence[FloatArray]) -> Placements:
        """Return, over all outer folds, the share of opponents that each positive and each negative row beats or fears.

        Both average to the mean AUC of the folds, if these are of one size; their variances give its error.
        """
        placed = [
            placements(*self._sides(scores, fold), self._weights([self.plan.tests[fold]]))
            for fold, scores in zip(self.plan.outer_folds, judged, strict=True)
        ]
        of_positive, of_negative = zip(*placed, strict=True)
        # Where the same unlabelled rows oppose every fold, each counts once.
        join = np.mean if self.is_positive.all() else np.concatenate
        return np.concatenate(of_positive), join(of_negative, axis=0)

    def placement_weights(self) -> Weights:
        """Return how much each of the placements of the outer folds counts."""
        return self._weights([self.plan.tests[fold] for fold in self.plan.outer_folds])

    def _weights(self, tests: Sequence[IndexArray]) -> Weights:
        if self.weight is None:
            return EQUAL
        places = np.concatenate(tests)
        is_positive = self.is_positive[places]
        of_negative = None if self.is_positive.all() else self.weight[places[~is_positive]]
        return self.weight[places[is_positive]], of_negative

    def _sides(self, scores: AnyArray, fold: int) -> tuple[AnyArray, AnyArray]:
        return self._sides_of_rows(scores, self.plan.tests[fold])

    def _sides_of_rows(self, scores: AnyArray, rows: IndexArray) -> tuple[AnyArray, AnyArray]:
        positive = scores[..., rows[self.is_positive[rows]]]
        # Without negatives the unlabelled rows stand in for them.
        if self.is_positive.all():
            return positive, scores[..., self.n_tested :]
        return positive, scores[..., rows[~self.is_positive[rows]]]
