"""What held-out folds say, row by row and pair by pair, and that no row judges a choice it took part in."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.ranking.intervals import estimate_auc
from s2auc.search.evidence import Evidence
from s2auc.search.plan import auto_folds, make_plan

SIZES = st.tuples(st.integers(3, 12), st.one_of(st.just(0), st.integers(3, 12)))


def make_evidence(seed=0, n_positive=7, n_negative=9, n_settings=6, n_reference=5, n_splits=3):
    rng = np.random.default_rng(seed)
    is_positive = np.arange(n_positive + n_negative) < n_positive
    plan = make_plan(auto_folds(is_positive, n_splits, seed % 2**31), is_positive, judged=True)
    shape = (n_settings, plan.is_trained.shape[1], len(is_positive) + n_reference)
    # Rounded, so that there are ties; settings differ in scale.
    scores = rng.normal(size=shape).round(1) * 10.0 ** rng.integers(-2, 3, (n_settings, 1, 1))
    return Evidence(scores.astype(np.float32), is_positive, plan)


def sides(evidence, scores, fold):
    rows = evidence.plan.tests[fold].tolist()
    positive = [float(scores[row]) for row in rows if evidence.is_positive[row]]
    negative = [float(scores[row]) for row in rows if not evidence.is_positive[row]]
    return positive, negative if not evidence.is_positive.all() else scores[evidence.n_tested :].tolist()


def slow_mix(evidence, shares, mask):
    """The weighted sum of scores over their deviation among reference rows, one setting and row at a time."""
    n_rows = evidence.scores.shape[2]
    total = [0.0] * n_rows
    for setting, share in shares.items():
        scores = [float(score) for score in evidence.scores[setting, mask]]
        rows = scores[evidence.n_tested :] if n_rows - evidence.n_tested > 1 else scores[: evidence.n_tested]
        mean = sum(rows) / len(rows)
        spread = math.sqrt(sum((score - mean) ** 2 for score in rows) / len(rows)) or 1.0
        total = [sum_ + share * score / spread for sum_, score in zip(total, scores, strict=True)]
    return total


def take_best(inner, allowed):
    return {int(allowed[np.argmax(inner.mean(axis=1))]): 1.0}


def take_two(inner, allowed):
    first, second = allowed[np.argsort(-inner.mean(axis=1), kind="stable")[:2]]
    return {int(first): 0.75, int(second): 0.25}


@given(st.integers(0, 2**32), SIZES)
def test_aucs_of_folds_are_those_of_all_pairs(seed, sizes):
    evidence = make_evidence(seed, *sizes)
    found = evidence.fold_auc()
    assert found.shape == (6, evidence.plan.n_folds)
    for setting in range(6):
        for fold in range(evidence.plan.n_folds):
            scores = evidence.scores[setting, evidence.plan.mask_without(fold)]
            assert found[setting, fold] == pytest.approx(reference.auc(*sides(evidence, scores, fold)), abs=1e-12)


@given(
    st.integers(0, 2**32),
    st.dictionaries(st.integers(0, 5), st.floats(0.01, 1.0), min_size=1, max_size=4),
    st.integers(0, 5),
)
def test_a_mixture_adds_scores_over_their_spread(seed, shares, n_reference):
    evidence = make_evidence(seed, n_reference=n_reference)
    for mask in (0, 2, evidence.scores.shape[1] - 1):
        expected = slow_mix(evidence, shares, mask)
        np.testing.assert_allclose(evidence.mixed(shares, mask), expected, rtol=1e-6, atol=1e-6)


def test_constant_scores_are_not_divided_by_zero():
    evidence = make_evidence()
    evidence.scores[2] = 3.0
    np.testing.assert_array_equal(evidence.mixed({2: 1.0}, 1), 3.0)
    np.testing.assert_array_equal(evidence.fold_auc()[2], 0.5)


@given(st.integers(0, 2**32), st.integers(3, 12))
def test_left_out_scores_are_means_over_the_folds_that_test_a_row(seed, n_positive):
    evidence = make_evidence(seed, n_positive)
    found = evidence.left_out_scores({1: 0.3, 4: 0.7})
    for row in range(evidence.n_tested):
        folds = [fold for fold, rows in enumerate(evidence.plan.tests) if row in rows.tolist()]
        masks = [evidence.plan.mask_without(fold) for fold in folds]
        assert not evidence.plan.is_trained[row, masks].any()
        expected = np.mean([slow_mix(evidence, {1: 0.3, 4: 0.7}, mask)[row] for mask in masks])
        assert found[row] == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_rows_that_no_fold_tests_have_no_left_out_score():
    is_positive = np.arange(8) < 4
    plan = make_plan([np.array([0, 4]), np.array([1, 5]), np.array([2, 6])], is_positive, judged=False)
    evidence = Evidence(np.random.default_rng(0).normal(size=(2, 4, 10)), is_positive, plan)
    assert np.flatnonzero(np.isnan(evidence.left_out_scores({0: 1.0}))).tolist() == [3, 7]


@given(st.integers(0, 2**32), st.integers(3, 12), st.integers(3, 12), st.integers(2, 6))
def test_judging_is_a_search_within_a_search(seed, n_positive, n_negative, n_splits):
    """What the other folds choose, by models that saw neither, is scored by the models without the outer one."""
    evidence = make_evidence(seed, n_positive, n_negative, n_splits=n_splits)
    plan, allowed = evidence.plan, np.array([0, 2, 3, 5])
    judged = evidence.judge(take_two, allowed)
    assert len(judged) == len(plan.outer_folds)
    for outer, scores in zip(plan.outer_folds, judged, strict=True):
        means = {}
        for setting in allowed.tolist():
            aucs = []
            for fold in plan.outer_folds:
                if fold != outer:
                    mask = plan.mask_without(outer, fold)
                    aucs.append(reference.auc(*sides(evidence, evidence.scores[setting, mask], fold)))
            means[setting] = sum(aucs) / len(aucs)
        if len(set(means.values())) == len(means):
            first, second = sorted(means, key=means.get, reverse=True)[:2]
            chosen = {first: 0.75, second: 0.25}
            expected = slow_mix(evidence, chosen, plan.mask_without(outer))
            np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-6)


@given(st.integers(0, 2**32), SIZES, st.integers(2, 6))
def test_rows_of_the_outer_fold_take_no_part_in_the_choice(seed, sizes, n_splits):
    evidence = make_evidence(seed, *sizes, n_splits=n_splits)
    plan = evidence.plan

    def choices(changed):
        chosen = []

        def rule(inner, allowed):
            chosen.append(take_best(inner, allowed))
            return chosen[-1]

        changed.judge(rule, np.arange(len(changed.scores)))
        return chosen

    before = choices(evidence)
    noise = np.random.default_rng(seed).normal(size=evidence.scores.shape).astype(np.float32)
    for place, outer in enumerate(plan.outer_folds):
        # New scores for the outer fold's rows under all masks, and for all rows under masks that train on the fold.
        scores, rows = evidence.scores.copy(), plan.tests[outer]
        scores[:, :, rows] = noise[:, :, rows]
        is_trained = plan.is_trained[rows].any(axis=0)
        scores[:, is_trained] = noise[:, is_trained]
        assert choices(Evidence(scores, evidence.is_positive, plan))[place] == before[place]


def test_rows_of_the_other_folds_do_take_part_in_the_choice():
    evidence = make_evidence(n_positive=20, n_negative=20, n_splits=5)
    inner = [evidence.plan.mask_without(0, fold) for fold in range(1, 5)]
    for setting in range(6):
        scores = evidence.scores.copy()
        scores[setting, inner, : evidence.n_tested] = evidence.is_positive
        changed = Evidence(scores, evidence.is_positive, evidence.plan)
        np.testing.assert_array_equal(changed.judge(take_best, np.arange(6))[0], evidence.mixed({setting: 1.0}, 1))


@pytest.mark.parametrize("n_negative", [12, 0])
def test_placements_average_to_the_aucs_of_folds_of_one_size(n_negative):
    evidence = make_evidence(n_positive=15, n_negative=n_negative)
    judged = evidence.judge(take_two, np.arange(6))
    folds = [
        reference.auc(*sides(evidence, scores, fold))
        for fold, scores in zip(evidence.plan.outer_folds, judged, strict=True)
    ]
    of_positive, of_negative = evidence.placements(judged)
    assert len(of_positive) == 15
    assert len(of_negative) == (12 if n_negative else 5)
    assert of_positive.mean() == pytest.approx(np.mean(folds), abs=1e-12)
    assert of_negative.mean() == pytest.approx(np.mean(folds), abs=1e-12)


def test_placements_are_shares_of_opponents():
    is_positive = np.arange(9) < 3
    tests = [np.array([0, 3, 4]), np.array([1, 5, 6]), np.array([2, 7, 8])]
    plan = make_plan(tests, is_positive, judged=True)
    evidence = Evidence(np.zeros((1, plan.is_trained.shape[1], 9)), is_positive, plan)
    judged = [np.array([2.0, 0, 0, 1, 1, 0, 0, 0, 0]), np.array([0, 1.0, 0, 0, 0, 1, 2, 0, 0]), np.zeros(9)]
    of_positive, of_negative = evidence.placements(judged)
    assert of_positive.tolist() == [1.0, 0.25, 0.5]
    assert of_negative.tolist() == [1.0, 1.0, 0.5, 0.0, 0.5, 0.5]


def test_the_judged_auc_of_noise_is_one_half():
    """Also where the folds are repeated, because rows of a class are few."""
    for n_positive, n_splits in [(3, 5), (4, 5), (10, 3)]:
        values = []
        for seed in range(100):
            is_positive = np.arange(n_positive + 20) < n_positive
            plan = make_plan(auto_folds(is_positive, n_splits, seed), is_positive, judged=True)
            noise = np.random.default_rng(seed).normal(size=(30, 1, n_positive + 25))
            # The same model under every mask: nothing is learnt, and only the choice could leak.
            evidence = Evidence(np.repeat(noise, plan.is_trained.shape[1], axis=1), is_positive, plan)
            values.append(evidence.placements(evidence.judge(take_best, np.arange(30)))[0].mean())
        assert abs(np.mean(values) - 0.5) < 3.5 * np.std(values) / np.sqrt(len(values))


def test_unlabelled_rows_that_stand_in_for_negatives_count_once():
    """They oppose every fold; taken for new rows each time they would make the interval too narrow."""
    is_positive = np.ones(50, dtype=bool)
    plan = make_plan(auto_folds(is_positive, 5, 0), is_positive, judged=True)
    covered = 0
    for seed in range(300):
        scores = np.random.default_rng(seed).normal(size=(1, 1, 50 + 40))
        evidence = Evidence(np.repeat(scores, plan.is_trained.shape[1], axis=1), is_positive, plan)
        found = estimate_auc(*evidence.placements(evidence.judge(take_best, np.arange(1))), 0.95)
        covered += found.low <= 0.5 <= found.high
    assert 0.92 < covered / 300 < 0.985


@given(st.integers(0, 2**32), SIZES)
def test_the_training_variance_is_the_jackknife_over_folds(seed, sizes):
    """Fold by fold: what its rows, as training rows, bring to the AUC on the others."""
    evidence = make_evidence(seed, *sizes)
    plan, outer = evidence.plan, evidence.plan.outer_folds
    choices = [{(3 * fold) % 6: 0.75, 5: 0.25} for fold in outer]
    changes = []
    for left_out in outer:
        gaps = []
        for fold, chosen in zip(outer, choices, strict=True):
            if fold == left_out:
                continue
            less, whole = (
                reference.auc(*sides(evidence, np.array(slow_mix(evidence, chosen, mask)), fold))
                for mask in (plan.mask_without(fold, left_out), plan.mask_without(fold))
            )
            gaps.append(less - whole)
        changes.append(sum(gaps) / len(gaps))
    if not outer:
        return
    mean, n_folds = sum(changes) / len(changes), len(changes)
    expected = (n_folds - 1) / n_folds * sum((change - mean) ** 2 for change in changes)
    assert evidence.training_variance(choices) == pytest.approx(expected, abs=1e-9)
