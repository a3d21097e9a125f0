"""Labels that were chosen by score: noticed by held-out scores, told in a sentence, corrected by weights."""

from dataclasses import replace

import numpy as np
import pytest

from s2auc.ranking.intervals import Estimate
from s2auc.search.evidence import Evidence
from s2auc.search.label_sampling import NOT_TESTED, LabelSampling, Sampling, find_label_sampling, held_out_quantiles
from s2auc.search.plan import auto_folds, make_plan

ONLY = {0: 1.0}
POOL, REFERENCE = 20_000, 200


def make_evidence(chooses, seed=0):
    """One setting whose scores are those of a fixed function, with a little noise from mask to mask."""
    random = np.random.default_rng(seed)
    is_positive = random.random(POOL) < 0.2
    score = random.normal(size=POOL) + 1.5 * is_positive
    labeled = chooses(random, score)
    labeled = np.concatenate([labeled[is_positive[labeled]], labeled[~is_positive[labeled]]])
    others = random.choice(np.setdiff1d(np.arange(POOL), labeled), REFERENCE, replace=False)
    plan = make_plan(auto_folds(is_positive[labeled], 5, seed), is_positive[labeled], judged=True)
    rows = score[np.concatenate([labeled, others])]
    scores = rows + 0.1 * random.normal(size=(1, plan.is_trained.shape[1], len(rows)))
    return Evidence(scores.astype(np.float32), is_positive[labeled], plan)


def at_random(random, score):
    return random.choice(len(score), 150, replace=False)


def top_too(random, score):
    return np.union1d(at_random(random, score), np.argsort(score)[-60:])


def only_top(random, score):
    return np.argsort(score)[-200:]


def test_random_labels_are_not_weighted():
    found = find_label_sampling(make_evidence(at_random), ONLY, POOL)
    assert (found.answer, found.weight) == (Sampling.RANDOM, None)
    assert not found.is_biased


def test_labels_from_the_top_are_weighted():
    evidence = make_evidence(top_too)
    found = find_label_sampling(evidence, ONLY, POOL)
    assert found.answer == Sampling.BY_SCORE
    assert found.top_share > 0.2
    weighted = replace(evidence, weight=found.weight)
    plain, corrected = (each.fold_auc().mean() for each in (evidence, weighted))
    truth = 0.856  # of two normal distributions with means 1.5 apart
    assert plain > truth + 0.03
    assert corrected == pytest.approx(truth, abs=0.05)


def test_labels_from_the_top_alone_cannot_stand_for_the_pool():
    found = find_label_sampling(make_evidence(only_top), ONLY, POOL)
    assert (found.answer, found.weight) == (Sampling.UNCOVERED, None)
    assert "cannot be estimated" in str(found.verdict(None))


def test_few_rows_are_not_tested():
    evidence = make_evidence(top_too)
    few = replace(evidence, scores=evidence.scores[:, :, : evidence.n_tested + 49])
    assert find_label_sampling(few, ONLY, POOL) is NOT_TESTED


def test_quantiles_are_shares_of_reference_rows_below_by_models_that_did_not_see_the_row():
    evidence = make_evidence(top_too)
    found = held_out_quantiles(evidence, ONLY)
    for row in range(0, evidence.n_tested, 7):
        (fold,) = (place for place, rows in enumerate(evidence.plan.tests) if row in rows)
        mask = evidence.plan.mask_without(fold)
        assert not evidence.plan.is_trained[row, mask]
        scores = evidence.scores[0, mask].astype(float)
        below = np.mean(scores[evidence.n_tested :] < scores[row])
        assert found[row] == pytest.approx(below, abs=1e-12)


def test_both_numbers_are_told():
    verdict = LabelSampling(Sampling.BY_SCORE, 0.41, 0.02, 1e-9, np.ones(3)).verdict(
        Estimate(0.966, 0.94, 0.98, 0.95, 0.01)
    )
    assert "41% of the labelled rows are among the top 2% of scores" in str(verdict)
    assert "without weights the AUC would be 0.966" in str(verdict)
    uneven = LabelSampling(Sampling.BY_SCORE, 0.02, 0.02, 1e-9, np.ones(3)).verdict(None)
    assert "(p = 1e-09)" in str(uneven)
