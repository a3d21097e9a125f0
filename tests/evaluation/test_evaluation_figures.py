"""The figures of an evaluation: what they show, and the files they go to, all of them or none."""

import builtins
import sys
from dataclasses import replace

import numpy as np
import pytest

from s2auc.common.storage import files
from s2auc.evaluation.evaluation import Evaluation
from s2auc.ranking.intervals import delong_interval
from s2auc.ranking.reliability import judge_probabilities

pytest.importorskip("matplotlib")
IS_POSITIVE = np.array([True, True, False, True, False, False, True, False, False, False, False, False])
SCORES = np.arange(12.0)[::-1]
PROBABILITIES = np.linspace(0.95, 0.02, 12)


@pytest.fixture(autouse=True)
def small_figures(monkeypatch):
    monkeypatch.setattr("s2auc.common.figure_style._DOTS_PER_INCH", 10)


@pytest.fixture
def evaluation():
    return Evaluation(
        n_rows=15,
        n_positive=4,
        n_negative=8,
        n_unlabeled=3,
        may_flatter=False,
        auc=delong_interval(IS_POSITIVE, SCORES),
        average_precision=0.75,
        top=(),
        calibration=judge_probabilities(IS_POSITIVE, PROBABILITIES),
        is_positive=IS_POSITIVE,
        scores=SCORES,
        probabilities=PROBABILITIES,
    )


def wilson(n_positive, n_rows, z=1.959963984540054):
    """Return the interval by its formula."""
    share = n_positive / n_rows
    middle = (share + z**2 / (2 * n_rows)) / (1 + z**2 / n_rows)
    reach = z / (1 + z**2 / n_rows) * (share * (1 - share) / n_rows + z**2 / (4 * n_rows**2)) ** 0.5
    return middle - reach, middle + reach


def words_of(figure):
    (legend,) = figure.legends
    return figure.axes[0].get_title(), [text.get_text() for text in legend.get_texts()]


def test_the_area_below_the_roc_curve_is_the_auc(evaluation):
    figure = evaluation.figures()["roc"]
    curve, diagonal = figure.axes[0].lines
    assert np.trapezoid(curve.get_ydata(), curve.get_xdata()) == pytest.approx(evaluation.auc.value)
    np.testing.assert_array_equal(diagonal.get_xydata(), [[0, 0], [1, 1]])
    title, names = words_of(figure)
    assert title == f"AUC {evaluation.auc}\n4 positive and 8 negative rows"
    assert names == ["this model", "random order"]


def test_precision_and_recall_at_every_cut(evaluation):
    figure = evaluation.figures()["precision_recall"]
    curve, base = figure.axes[0].lines
    hits = np.cumsum(IS_POSITIVE)
    expected = {(hit / 4, hit / n_rows) for n_rows, hit in enumerate(hits.tolist(), start=1)}
    assert {(recall, precision) for recall, precision in curve.get_xydata().tolist()} <= expected | {(0.0, 1.0)}
    assert base.get_ydata()[0] == pytest.approx(4 / 12)
    title, names = words_of(figure)
    assert title.startswith("Average precision 0.750\n")
    assert names[1] == "random order: 33.3% of the rows are positive"


def test_calibration_shows_bins_with_intervals_and_all_probabilities(evaluation):
    figure = evaluation.figures()["calibration"]
    upper, lower = figure.axes
    (bars,) = upper.containers
    points, _, (segments,) = bars
    for part, point, segment in zip(
        evaluation.calibration.bins, points.get_xydata(), segments.get_segments(), strict=True
    ):
        assert point.tolist() == [part.mean_probability, part.share_positive]
        assert segment[:, 1].tolist() == pytest.approx(wilson(part.n_positive, part.n_rows))
    assert sum(bar.get_height() for bar in lower.patches) == 12
    assert "come true" in words_of(figure)[1][0]


def test_without_probabilities_there_is_no_calibration(evaluation):
    plain = replace(evaluation, calibration=None, probabilities=None)
    assert list(plain.figures()) == ["roc", "precision_recall"]
    assert list(evaluation.figures()) == ["roc", "precision_recall", "calibration"]


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_files_have_the_format_and_the_same_bytes_each_time(evaluation, tmp_path, ending, start):
    first, second = (evaluation.save_figures(tmp_path / name / "deep", ending) for name in ("a", "b"))
    assert first == tuple(tmp_path / "a" / "deep" / f"{name}.{ending}" for name in evaluation.figures())
    assert sorted(first) == sorted((tmp_path / "a" / "deep").iterdir())
    for path, again in zip(first, second, strict=True):
        assert path.read_bytes().startswith(start)
        assert path.read_bytes() == again.read_bytes()


def test_windows_are_not_touched(evaluation, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    evaluation.save_figures(tmp_path)
    assert "matplotlib.pyplot" not in sys.modules


def test_all_files_or_none(evaluation, tmp_path, monkeypatch):
    (tmp_path / "roc.png").write_bytes(b"old")
    whole_file = files.whole_file

    def full_disk(path):
        if path.name == "calibration.png":
            raise OSError("No space left on device")
        return whole_file(path)

    monkeypatch.setattr(files, "whole_file", full_disk)
    with pytest.raises(OSError, match="No space left"):
        evaluation.save_figures(tmp_path)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("roc.png", b"old")]


def test_mistakes_are_told_before_figures_are_drawn(evaluation, tmp_path, monkeypatch):
    monkeypatch.setattr(Evaluation, "figures", lambda *_: pytest.fail("figures were drawn"))
    with pytest.raises(
        ValueError, match=r"'format' parameter of save_figures must be a str among \{'png', 'svg'\}\. Go"
    ):
        evaluation.save_figures(tmp_path, "jpeg")
    (tmp_path / "taken").touch()
    with pytest.raises(NotADirectoryError, match="taken must be a folder"):
        evaluation.save_figures(tmp_path / "taken")


def test_without_matplotlib_the_extra_is_named(evaluation, monkeypatch):
    own_import = builtins.__import__

    def without_matplotlib(name, *arguments):
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(name)
        return own_import(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    with pytest.raises(ImportError, match=r"^Figures need matplotlib: pip install 's2auc\[plot\]' adds it\.$"):
        evaluation.figures()
