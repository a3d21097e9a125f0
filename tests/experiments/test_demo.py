"""The demonstration: what it trains on, what it measures, what it says, what it draws."""

import functools

import numpy as np
import pytest

from demo_methods import fast_methods
from s2auc.common.figure_style import figure_bytes
from s2auc.common.storage.files import check_folder, write_file
from s2auc.experiments.demo import (
    FOREST,
    LABELED_ONLY,
    LOGISTIC,
    SEMI_SUPERVISED,
    SINGLE_FIT,
    SPREADING,
    describe_best,
    describe_gain,
    make_data,
    run_demo,
)
from s2auc.experiments.demo_figures import roc_figure, training_figure
from s2auc.experiments.methods.learners import LabelSpreadingLearner, NamedLearner, SupervisedLearner
from s2auc.ranking.intervals import Estimate, delong_difference


def as_set(rows):
    return {row.tobytes() for row in np.ascontiguousarray(rows)}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_labels", [2, 3, 100, 1197])
def test_labels_are_as_many_as_asked_for_and_of_both_classes(n_labels, seed):
    data = make_data(n_labels, seed)
    assert len(data.X_labeled) == len(data.is_positive) == n_labels
    assert set(data.is_positive) == {False, True}
    training = as_set(data.X_labeled) | as_set(data.X_unlabeled)
    assert training.isdisjoint(as_set(data.X_test))
    assert len(data.X_labeled) + len(data.X_unlabeled) + len(data.X_test) == 1797


@pytest.mark.parametrize("n_labels", [-1, 0, 1, 1198, 10**6])
def test_impossible_number_of_labels(n_labels):
    with pytest.raises(ValueError, match=rf"from 2 .* to 1197 .* but it is {n_labels}"):
        make_data(n_labels)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_impossible_seed(seed):
    with pytest.raises(ValueError, match=rf"seed must be .* but it is {seed}"):
        make_data(seed=seed)


def test_training_sees_neither_test_rows_nor_hidden_labels_and_repeats_itself(monkeypatch, demo_result):
    seen = []

    def recording(fit):
        @functools.wraps(fit)
        def wrapped(self, X_labeled, y_labeled, X_unlabeled):
            seen.append((X_labeled, y_labeled, X_unlabeled))
            return fit(self, X_labeled, y_labeled, X_unlabeled)

        return wrapped

    for kind in (NamedLearner, SupervisedLearner, LabelSpreadingLearner):
        monkeypatch.setattr(kind, "fit", recording(kind.fit))
    data = make_data(n_labels=30, seed=3)
    (own,) = (outcome for outcome in demo_result.outcomes if outcome.name == SEMI_SUPERVISED)
    with fast_methods():
        again = run_demo(data, own, max_iter=20)
    assert len(seen) == 5
    for X_labeled, y_labeled, X_unlabeled in seen:
        assert (as_set(X_labeled) | as_set(X_unlabeled)).isdisjoint(as_set(data.X_test))
        assert len(y_labeled) == 30
    assert [(one.name, one.interval) for one in again.outcomes] == [
        (one.name, one.interval) for one in demo_result.outcomes
    ]


def test_outcomes_are_ranked_and_lie_in_their_intervals(demo_result):
    areas = [outcome.interval.value for outcome in demo_result.outcomes]
    assert areas == sorted(areas, reverse=True)
    for outcome in demo_result.outcomes:
        assert 0 < outcome.interval.low < outcome.interval.value < outcome.interval.high < 1
        assert outcome.seconds > 0
    rows = {outcome.name: outcome.n_rows for outcome in demo_result.outcomes}
    assert rows == {
        LABELED_ONLY: 30,
        SEMI_SUPERVISED: 1198,
        SINGLE_FIT: 1198,
        SPREADING: 1198,
        LOGISTIC: 30,
        FOREST: 30,
    }
    assert describe_best(demo_result.outcomes).startswith(f"Best test AUC here: {demo_result.outcomes[0].name}")


def test_gain_is_semi_supervised_minus_labeled_only(demo_result):
    scores = {outcome.name: outcome.scores for outcome in demo_result.outcomes}
    positive = demo_result.data.test_is_positive
    assert demo_result.gain == delong_difference(positive, scores[SEMI_SUPERVISED], scores[LABELED_ONLY])


@pytest.mark.parametrize(
    ("low", "middle", "high", "verdict"),
    [
        (0.004, 0.012, 0.02, "helped: +0.0120 test AUC against labelled rows only (95 % interval +0.0040 to +0.0200)."),
        (-0.02, -0.012, -0.004, "hurt: -0.0120"),
        (-0.004, 0.004, 0.012, "made no clear difference: +0.0040"),
        (0.0, 0.0, 0.0, "made no clear difference: +0.0000"),
        (-0.00003, -0.00001, 0.00001, "made no clear difference: +0.0000"),
    ],
)
def test_sentence_follows_sign_and_interval(low, middle, high, verdict):
    sentence = describe_gain(Estimate(middle, low, high, 0.95, standard_error=0.004))
    assert sentence.startswith(f"The unlabelled rows {verdict}")
    assert sentence.count(". ") == 0


def test_figures_are_images_with_readable_legends(demo_result):
    roc, training = roc_figure(demo_result), training_figure(demo_result)
    for figure in (roc, training):
        assert figure_bytes(figure).startswith(b"\x89PNG")
    axes = roc.axes[0]
    legend = axes.get_legend().get_window_extent()
    curves = axes.get_lines()[:6]
    assert len({(line.get_color(), line.get_linestyle()) for line in curves}) == 6
    for line in curves:
        assert not legend.count_contains(axes.transData.transform(line.get_xydata()))


def test_written_file_is_whole_or_absent(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "figure.png"
    write_file(path, b"old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_folder_is_checked_without_being_made(tmp_path, monkeypatch):
    check_folder(tmp_path / "new" / "deep")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(PermissionError, match="can be written to"):
        check_folder(tmp_path / "new")
