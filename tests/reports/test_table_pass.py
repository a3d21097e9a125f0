"""One pass over a table: histograms of streams, rows that are picked out, and rows that a ranking is judged by."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_samples import make_model, make_part
from s2auc.data.labels.labels import Labels
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.reports.measures.judged_rows import affordable_rows, choose_judged, draw_sample
from s2auc.reports.measures.table_pass import MAX_BINS, ScoreHistogram, pass_over, shared_edges

scores_of = st.lists(st.floats(-1e12, 1e12), max_size=60)


@given(st.lists(scores_of, max_size=5))
def test_histograms_count_every_score(pieces):
    histogram = ScoreHistogram()
    for piece in pieces:
        histogram.add(np.array(piece, dtype=np.float64))
    scores = np.array([score for piece in pieces for score in piece])
    edges = shared_edges([histogram], 40)
    assert histogram.n_scores == len(scores)
    assert histogram.counts(edges).sum() == len(scores)
    assert len(histogram._counts) <= MAX_BINS + 1
    if len(scores):
        width = np.ptp(scores) / MAX_BINS * 4 + 1e-9 * np.abs(scores).max() + 1e-15
        middle = np.quantile(scores, 0.5, method="inverted_cdf")
        assert abs(histogram.quantile(0.5) - middle) <= width


def test_a_long_stream_is_counted_as_it_is_all_at_once():
    scores = np.random.default_rng(0).normal(size=50_000)
    histogram = ScoreHistogram()
    for piece in np.array_split(np.sort(scores), 37):
        histogram.add(piece)
    edges = np.linspace(-4, 4, 41)
    inside = np.clip(scores, -3.999, 3.999)
    assert np.abs(histogram.counts(edges) - np.histogram(inside, edges)[0]).sum() < 0.02 * len(scores)
    assert histogram.share_above(1.0) == pytest.approx(np.mean(scores > 1.0), abs=0.002)


@pytest.mark.parametrize("value", [0.0, 1e300, -1e-300, 5e-324])
def test_scores_of_any_size(value):
    histogram = ScoreHistogram()
    histogram.add(np.array([value, value]))
    histogram.add(np.array([value, 1.0]))
    assert histogram.counts(shared_edges([histogram], 10)).sum() == 4
    assert shared_edges([ScoreHistogram()], 10).shape == (11,)


def labels_of(n_rows, positive, negative):
    return Labels(np.array([0, 1]), n_rows, np.asarray(positive, dtype=np.intp), np.asarray(negative, dtype=np.intp))


def test_a_pass_finds_what_scoring_at_once_finds(monkeypatch):
    monkeypatch.setattr("s2auc.models.scoring_chunks.SCORE_CHUNK", 7)
    rows = np.random.default_rng(0).normal(size=(100, 3))
    model = make_model(parts=(make_part(),), record={})
    scores = model.score_rows(rows)
    labels = labels_of(100, [3, 50, 99], [0, 4, 98])
    wanted = {"some": np.array([0, 6, 7, 99]), "none": np.zeros(0, dtype=np.intp)}
    found = pass_over(model, DenseRows(rows), labels, most_top=5, wanted=wanted)
    np.testing.assert_allclose(found.scores, scores[[3, 50, 99, 0, 4, 98]])
    np.testing.assert_array_equal(found.picked["some"], rows[[0, 6, 7, 99]])
    assert found.picked["none"].shape == (0, 3)
    np.testing.assert_array_equal(found.top.rows, np.argsort(-scores)[:5])
    assert {group: histogram.n_scores for group, histogram in found.histograms.items()} == {
        "positive": 3,
        "negative": 3,
        "unlabeled": 94,
    }


def test_judged_rows_are_of_both_classes():
    labels = labels_of(1000, np.arange(10), np.arange(10, 500))
    found = choose_judged(labels, 50, seed=0)
    assert (len(found.numbers), found.is_positive.sum(), found.has_stand_ins) == (50, 10, False)
    assert np.all(np.diff(found.numbers) > 0)
    np.testing.assert_array_equal(found.is_positive, found.numbers < 10)
    assert np.all(found.numbers < 500)
    many = choose_judged(labels_of(1000, np.arange(400), np.arange(400, 410)), 50, seed=0)
    assert (len(many.numbers), many.is_positive.sum()) == (50, 40)


def test_unlabelled_rows_stand_in_for_negative_ones():
    positive = np.array([0, 1, 5, 9, 17])
    found = choose_judged(labels_of(20, positive, []), 100, seed=0)
    assert found.has_stand_ins
    np.testing.assert_array_equal(found.numbers, np.arange(20))
    np.testing.assert_array_equal(np.flatnonzero(found.is_positive), positive)


@pytest.mark.parametrize(
    ("positive", "negative", "has_labels", "reason"),
    [
        ([], [], False, "comes without labels"),
        ([], [], True, "No row of this table has a label"),
        ([1], [2, 3], True, "1 positive and 2 negative"),
        ([1, 2], [3], True, "2 positive and 1 negative"),
    ],
)
def test_too_few_labels_have_a_reason(positive, negative, has_labels, reason):
    found = choose_judged(labels_of(10, positive, negative), 100, seed=0, has_labels=has_labels)
    assert reason in found.why_none
    assert not len(found.numbers)


def test_samples_are_of_different_rows():
    assert draw_sample(5, 10, 0).tolist() == [0, 1, 2, 3, 4]
    drawn = draw_sample(10**9, 500, 0)
    assert len(np.unique(drawn)) == 500
    assert np.all(np.diff(drawn) > 0)
    assert drawn.tolist() == draw_sample(10**9, 500, 0).tolist()


def test_large_models_are_shown_fewer_rows():
    small = make_model(parts=(make_part(n_frequencies=5),))
    large = make_model(parts=(make_part(n_frequencies=400_000),))
    assert affordable_rows(small, 100, 200) == 2000
    assert affordable_rows(large, 100, 200) == 214
    assert affordable_rows(large, 1000, 200) == 200
