"""Reports and figures against numbers computed by hand."""

import sys

import numpy as np
import pytest

from s2auc.experiments.results.report import make_tables, markdown_report, text_report
from s2auc.experiments.results.report_figures import auc_figure, time_figure, write_figures
from s2auc.experiments.results.summary import Conditions, Summary, mean_of
from s2auc.experiments.results.tables import Table


def row(dataset, method, trial, auc, seconds=1.0, **changes):
    failed = auc is None
    values = {
        "experiment": "test",
        "dataset": dataset,
        "method": method,
        "trial": trial,
        "n_labeled": 20,
        "max_unlabeled": 100,
        "n_unlabeled": 100,
        "scaling": "none",
        "status": "timeout" if failed else "ok",
        "reason": "did not finish within 5 s" if failed else "",
        "note": "",
        "test_auc": auc,
        "fit_seconds": None if failed else seconds,
        "threads": 1,
        "versions": {"s2auc": "1.0", "numpy": "2.0"},
        "machine": {"processor": "abacus", "cores": 2, "platform": "wood"},
        **changes,
    }
    sizes = (values["n_labeled"], values["max_unlabeled"])
    return {"cell": f"{dataset}/{method}/{trial}/{sizes}", **values}


#: Means on "one": a 0.8, b 0.8, c 0.5. On "two": a 0.9 (one trial of two), b 0.7, c nothing.
ROWS = [
    row("one", "a", 0, 0.7),
    row("one", "b", 0, 0.8),
    row("one", "c", 0, 0.4, seconds=3.0),
    row("one", "a", 1, 0.9),
    row("one", "b", 1, 0.8),
    row("one", "c", 1, 0.6, seconds=5.0),
    row("two", "a", 0, 0.9),
    row("two", "b", 0, 0.6),
    row("two", "c", 0, None),
    row("two", "a", 1, None),
    row("two", "b", 1, 0.8),
    row("two", "c", 1, None),
]
ONE, TWO = Conditions("one", 20, 100), Conditions("two", 20, 100)


def table_of(title, rows=ROWS, reference=""):
    (table,) = [table for table in make_tables(rows, reference) if table.title.startswith(title)]
    return {line[0]: line[1:] for line in table.lines}


def test_means_and_intervals():
    # The 97.5 % point of Student's t with one degree of freedom is 12.7062, with two 4.30265.
    summary = Summary(ROWS)
    mean = summary.mean(ONE, "a")
    assert mean.value == pytest.approx(0.8)
    assert mean.reach == pytest.approx(12.7062 * 0.1, rel=1e-5)
    three = mean_of([0.1, 0.2, 0.6])
    assert three.value == pytest.approx(0.3)
    assert three.reach == pytest.approx(4.302653 * np.sqrt(0.07 / 3), rel=1e-6)


def test_a_single_trial_has_no_interval():
    mean = Summary(ROWS).mean(TWO, "a")
    assert (mean.value, mean.reach, mean.n_trials, mean.n_missing) == (0.9, None, 1, 1)
    rows = [row("one", "a", 0, 0.7), row("one", "b", 0, 0.8)]
    assert table_of("Test AUC", rows) == {"a": ["0.7000"], "b": ["0.8000"]}
    assert "nan" not in text_report(rows).lower()


def test_ranks_share_ties_and_put_missing_results_last():
    # "one": a and b share 1.5, c 3; "two": a 1, b 2, c 3.
    assert Summary(ROWS).mean_ranks([ONE, TWO]) == {"a": 1.25, "b": 1.75, "c": 3.0}
    rows = [row("one", "a", 0, None), row("one", "b", 0, None), row("one", "c", 0, 0.5)]
    assert Summary(rows).mean_ranks([ONE]) == {"a": 2.5, "b": 2.5, "c": 1.0}


def test_differences_are_paired():
    summary = Summary(ROWS)
    same = summary.difference(ONE, "b", "a")
    assert same.value == pytest.approx(0.0)
    assert same.reach == pytest.approx(12.7062 * 0.1, rel=1e-5)
    steady = summary.difference(ONE, "c", "a")
    assert (steady.value, steady.reach) == (pytest.approx(-0.3), pytest.approx(0.0, abs=1e-12))
    single = summary.difference(TWO, "b", "a")
    assert (single.value, single.reach, single.n_trials, single.n_missing) == (pytest.approx(-0.3), None, 1, 1)


def test_tables():
    assert table_of("Test AUC") == {
        "a": ["0.8000 ± 1.2706", "0.9000 (1 of 2)"],
        "b": ["0.8000 ± 0.0000", "0.7000 ± 1.2706"],
        "c": ["0.5000 ± 1.2706", "- (0 of 2)"],
    }
    assert table_of("AUC minus that of a") == {
        "a": ["-", "-"],
        "b": ["+0.0000 ± 1.2706", "-0.3000 (1 of 2)"],
        "c": ["-0.3000 ± 0.0000", "- (0 of 2)"],
    }
    assert table_of("Seconds to fit") == {"a": ["1.0", "1.0"], "b": ["1.0", "1.0"], "c": ["4.0", "-"]}
    assert table_of("Summary") == {
        "a": ["0.8500", "1.25", "0.0000", "-", "1.0", "3 of 4"],
        "b": ["0.7500", "1.75", "0.2000", "two", "1.0", "4"],
        "c": ["0.5000 (1 of 2 datasets)", "3.00", "0.3000", "one", "4.0", "2 of 4"],
    }
    assert list(table_of("Summary")) == ["a", "b", "c"]


def test_failures_and_notes_are_told():
    (table,) = [table for table in make_tables(ROWS) if table.title == "Trials without result"]
    assert table.lines == [
        ["two", "c", "20", "≤ 100", "2", "timeout", "did not finish within 5 s"],
        ["two", "a", "20", "≤ 100", "1", "timeout", "did not finish within 5 s"],
    ]
    assert not [table for table in make_tables(ROWS[:6]) if table.title == "Trials without result"]
    noted = [row("one", "a", 0, 0.7, note="left out rows")]
    assert table_of("Notes of methods", noted) == {"one": ["a", "20", "1", "left out rows"]}


def test_a_method_that_never_ran_somewhere_counts_as_missing():
    rows = [row("one", "a", 0, 0.7), row("one", "b", 0, 0.8), row("two", "a", 0, 0.9)]
    assert table_of("Summary", rows)["b"] == ["0.8000 (1 of 2 datasets)", "1.50", "0.0000", "-", "1.0", "1 of 2"]
    assert table_of("Test AUC", rows)["b"] == ["0.8000", "- (0 of 1)"]


def test_a_later_row_replaces_an_earlier_one():
    rows = [*ROWS, row("two", "a", 1, 0.5)]
    assert Summary(rows).mean(TWO, "a").value == pytest.approx(0.7)
    assert len(Summary(rows).failures) == 2


def test_sizes_have_tables_of_their_own():
    rows = [*ROWS[:3], row("one", "a", 0, 0.6, n_labeled=40), row("one", "a", 0, 0.6, max_unlabeled=None)]
    titles = [table.title for table in make_tables(rows) if table.title.startswith("Test AUC")]
    assert titles == [
        "Test AUC, 20 labelled and at most 100 rows unlabelled",
        "Test AUC, 40 labelled and at most 100 rows unlabelled",
        "Test AUC, 20 labelled and all other rows unlabelled",
    ]


def test_reports_carry_versions_machines_and_protocol():
    other = row("one", "a", 2, 0.7, machine={"processor": "slide rule", "cores": 1, "platform": "ivory"})
    for report in (
        text_report([*ROWS, other], protocol="As\nusual."),
        markdown_report([*ROWS, other], "b", "As usual."),
    ):
        assert "As usual." in report
        assert "s2auc 1.0, numpy 2.0" in report
        assert "abacus, 2 cores, wood" in report
        assert "slide rule" in report
        assert "13 results, trials: 3, successful: 10." in report
        assert "did not finish within 5 s" in report
    assert markdown_report(ROWS).startswith("# test\n")


def test_what_cannot_be_reported():
    with pytest.raises(ValueError, match="A report must have rows"):
        make_tables([])
    with pytest.raises(ValueError, match=r"The reference of a report must be one of a, b, c\. Got 'd' instead"):
        make_tables(ROWS, "d")


def test_text_tables_line_up():
    text = Table("Title", ["name", "n"], [["long name", "1"], ["x", "1,000"]], "Remark.").as_text()
    assert text == "Title\n\nname           n\nlong name      1\nx          1,000\n\nRemark."
    assert "| a\\|b |" in Table("Title", ["name"], [["a|b"]]).as_markdown()


def test_auc_figure_shows_every_method_and_the_greatest_size():
    rows = [*ROWS, *(row("one", "a", trial, 0.5, max_unlabeled=None) for trial in (0, 1))]
    figure = auc_figure(rows)
    one, two = [axes for axes in figure.axes if axes.get_visible()]
    assert [label.get_text() for label in one.get_yticklabels()] == ["a", "b", "c"]
    assert (one.get_title(), two.get_title()) == ("one", "two")
    assert [line.get_xdata()[0] for line in one.lines if line.get_marker() == "o"] == [0.5]
    assert sorted(line.get_xdata()[0] for line in two.lines if line.get_marker() == "o") == pytest.approx([0.7, 0.9])
    assert sum(line.get_marker() == "x" for line in two.lines) == 1


def test_time_figure_is_logarithmic_in_both():
    rows = [row("one", "a", 0, 0.5, size / 10, n_unlabeled=size, max_unlabeled=size) for size in (100, 10, 0, 1000)]
    rows.append(row("one", "a", 0, 0.5, 300, n_unlabeled=1000, max_unlabeled=None))
    (axes,) = time_figure(rows).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    np.testing.assert_allclose(axes.lines[0].get_xdata(), [10, 100, 1000])
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [1, 10, 200])


def test_figures_are_written(tmp_path):
    paths = write_figures(ROWS, tmp_path / "new", several_sizes=True)
    assert [path.name for path in paths] == ["auc.png", "time.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_figures_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"Figures need matplotlib: pip install 's2auc\[plot\]' adds it"):
        auc_figure(ROWS)
