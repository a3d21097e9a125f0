"""Comparisons over groups of tables, and the results file, against numbers computed by hand."""

import numpy as np
import pytest

from s2auc.common.figure_style import figure_bytes
from s2auc.experiments.datasets.groups import CHOSEN_ON, FILES, GROUPS, HELD_BACK
from s2auc.experiments.datasets.table import DATASETS
from s2auc.experiments.results.comparison import compare, comparison_tables
from s2auc.experiments.results.report_figures import difference_figure
from s2auc.experiments.results.results_file import origin_of, results_of, results_text
from s2auc.experiments.results.summary import Summary


def row(dataset, method, trial, auc, seconds=1.0, n_labeled=40, status="timeout"):
    return {
        "cell": f"{dataset}/{method}/{trial}/{n_labeled}",
        "dataset": dataset,
        "method": method,
        "trial": trial,
        "n_labeled": n_labeled,
        "max_unlabeled": 100,
        "scaling": "none",
        "status": status if auc is None else "ok",
        "test_auc": auc,
        "fit_seconds": None if auc is None else seconds,
        "fit_memory_bytes": None if auc is None else 2e6 * seconds,
        "library": "s2auc 1.0",
        "versions": {"numpy": "2.0"},
        "machine": {"processor": "abacus", "cores": 2, "platform": "wood"},
        "threads": 1,
        "started_at": f"2020-01-0{trial + 1}",
    }


#: The reference has a third trial of skin that "other" has not; on yeast "other" has no result at all.
ROWS = [
    row("skin", "mine", 0, 0.8),
    row("skin", "other", 0, 0.7, seconds=3.0),
    row("skin", "mine", 1, 0.9),
    row("skin", "other", 1, 0.6, seconds=5.0),
    row("skin", "mine", 2, 0.1),
    row("susy", "mine", 0, 0.5),
    row("susy", "other", 0, 0.6, seconds=2.0),
    row("yeast", "mine", 0, 0.9),
    row("yeast", "other", 0, None),
]


def test_only_what_all_methods_have_counts():
    comparison = compare(Summary(ROWS), FILES, 40, "mine")
    assert (comparison.datasets, comparison.left_out) == (("susy", "skin"), ("yeast",))
    assert (comparison.fewest_trials, comparison.most_trials) == (1, 2)
    assert comparison.winners == {"skin": "mine", "susy": "other"}
    mine, other = comparison.standings
    # Over skin and susy: 0.85 and 0.5 against 0.65 and 0.6.
    assert (mine.method, mine.mean_auc, mine.mean_rank) == ("mine", pytest.approx(0.675), 1.5)
    assert (other.method, other.mean_auc, other.mean_rank) == ("other", pytest.approx(0.625), 1.5)
    assert other.differences == {"skin": pytest.approx(-0.2), "susy": pytest.approx(0.1)}
    # The standard deviation of -0.2 and 0.1 is 0.3 / √2, divided by √2 for two tables.
    assert (other.difference, other.error) == (pytest.approx(-0.05), pytest.approx(0.15))
    assert (mine.difference, mine.error) == (0.0, 0.0)
    assert (mine.worst_deficit, mine.worst_dataset) == (pytest.approx(0.1), "susy")
    assert (other.worst_deficit, other.worst_dataset) == (pytest.approx(0.2), "skin")
    assert other.mean_seconds == pytest.approx((4.0 + 2.0) / 2)
    assert other.median_seconds == pytest.approx((4.0 + 2.0) / 2)
    assert other.median_bytes == pytest.approx((8e6 + 4e6) / 2)


def test_a_method_without_any_result_does_not_take_part():
    rows = [*ROWS, *(row(dataset, "slow", 0, None) for dataset in ("skin", "susy"))]
    assert compare(Summary(rows), FILES, 40, "mine") == compare(Summary(ROWS), FILES, 40, "mine")
    assert compare(Summary(rows), FILES, 40, "mine").of("slow") is None
    assert compare(Summary(rows), FILES, 40, "slow") is None
    assert compare(Summary(ROWS), FILES, 200, "mine") is None


def test_chosen_methods_have_more_in_common():
    comparison = compare(Summary(ROWS), FILES, 40, "mine", methods=("mine",))
    assert comparison.datasets == ("susy", "skin", "yeast")
    assert comparison.of("mine").mean_auc == pytest.approx((0.6 + 0.5 + 0.9) / 3)


def test_tables_by_group():
    tables = {table.title: table for table in comparison_tables(Summary(ROWS), "mine")}
    assert list(tables) == [
        "Tables that come as files, 40 labelled rows",
        "Tables not used for choosing, 40 labelled rows",
        "Tables used for choosing, 40 labelled rows",
    ]
    files = tables["Tables that come as files, 40 labelled rows"]
    assert files.lines[1] == ["other", "0.6250", "1.50", "-0.0500 ± 0.1500", "0.2000", "skin", "3.00"]
    assert files.remark.endswith("Left out: yeast.")


def test_groups_hold_known_datasets_once():
    assert not set(CHOSEN_ON) & set(HELD_BACK)
    assert set(FILES) == {name for name in (*CHOSEN_ON, *HELD_BACK) if DATASETS[name].kind == "published"}
    for names in GROUPS.values():
        assert len(set(names)) == len(names)
        assert set(names) <= set(DATASETS)


def test_results_file_gives_back_what_counts():
    text = results_text(ROWS, seed=3)
    assert "skin,mine,40,3,0.60000,0.25166,1,2,0.80000 0.90000 0.10000" in text
    assert "yeast,other,40,0,-,-,-,-,timeout" in text
    assert "# seed: 3;" in text
    assert "abacus, 2 cores, wood" in text
    read = Summary(results_of(text))
    assert len(read.failures) == 1
    assert compare(read, FILES, 40, "mine").standings == compare(Summary(ROWS), FILES, 40, "mine").standings


def test_results_without_memory_are_read_too():
    columns = "dataset,method,labels,trials,mean_auc,standard_error,mean_seconds,auc_by_trial"
    text = f"# seed: 3\n{columns}\nskin,mine,40,1,0.80000,-,1,0.80000\n"
    assert origin_of(text) == ["seed: 3"]
    (standing,) = compare(Summary(results_of(text)), FILES, 40, "mine").standings
    assert (standing.median_seconds, standing.median_bytes) == (1.0, None)


def test_a_trial_that_was_not_run_keeps_its_place():
    text = results_text([row("skin", "mine", 2, 0.8)], seed=0)
    assert text.endswith("skin,mine,40,1,0.80000,-,1,2,- - 0.80000\n")
    assert [(read["trial"], read["test_auc"]) for read in results_of(text)] == [(2, 0.8)]
    with pytest.raises(ValueError, match="A results file must have results to hold"):
        results_text([], seed=0)


def test_difference_figure_shows_every_table_and_those_far_away():
    rows = [*ROWS[:7], *(row("skin", "lost", trial, 0.3) for trial in (0, 1)), row("susy", "lost", 0, 0.7)]
    figure = difference_figure([compare(Summary(rows), FILES, 40, "mine")], "mine", {"other": "another"})
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["another", "lost"]
    points = [(line.get_marker(), np.asarray(line.get_data(), dtype=float)) for line in axes.lines]
    drawn = [(marker, *np.round(places[:, 0], 6)) for marker, places in points if places.shape == (2, 1)]
    assert ("o", 0.1, 0) in drawn  # susy, another
    assert ("<", -0.2, 1) in drawn  # skin, lost: 0.55 behind
    assert (">", 0.15, 1) in drawn  # susy, lost: 0.2 ahead
    assert figure_bytes(figure).startswith(b"\x89PNG")
