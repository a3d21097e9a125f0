"""Whole runs: every way to fail becomes a row, results repeat, finished cells are not run again."""

import argparse
import json
import runpy
import sys
from pathlib import Path

import pytest

from harness_events import wait_until
from harness_rows import lasting
from s2auc.experiments import __main__ as command_line
from s2auc.experiments.datasets.groups import CHOSEN_ON, FILES, HELD_BACK
from s2auc.experiments.harness import runner
from s2auc.experiments.harness.limits import Stop
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import SPECS, make_spec, read_spec
from s2auc.experiments.harness.store import read_rows

SMOKE = SPECS / "smoke.toml"
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "accuracy.py"


def spec_of(*methods, **changes):
    values = {
        "name": "test",
        "datasets": ["four_columns"],
        "methods": list(methods),
        "n_labeled": 20,
        "n_unlabeled": 30,
        "n_test": 100,
        "plugins": ["harness_plugin"],
        "time_limit_seconds": 3_600,
        "memory_limit": "1 GB",
    }
    return make_spec({**values, **changes})


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_every_way_to_fail_becomes_a_row(tmp_path):
    expected = {
        "linear": ("ok", ""),
        "allocate_at_once": ("out_of_memory", "MemoryError: Unable to allocate"),
        "segfault": ("crashed", "killed by SIGSEGV"),
        "kill": ("crashed", "killed by SIGKILL"),
        "fail": ("error", "RuntimeError: no luck"),
        "leave": ("crashed", "ended with exit code 3 and without a result"),
        "leave_politely": ("error", "SystemExit: bye"),
        "talk": ("ok", ""),
        "reserve": ("ok", ""),
        "stay_light": ("ok", ""),
        "not_numbers": ("invalid", "100 of 100 scores are NaN"),
        "wrong_shape": ("invalid", "scores have shape (100, 2), not (100,)"),
        "quadratic": ("skipped", "needs 33 GB, the limit is 1 GB"),
    }
    rows = run_spec(spec_of(*expected), tmp_path / "rows.jsonl", n_jobs=2)
    assert [row["method"] for row in rows] == list(expected)
    for row in rows:
        status, reason = expected[row["method"]]
        assert (row["status"], row["reason"][: len(reason)]) == (status, reason), row
        assert (row["test_auc"] is not None) == (status == "ok")
        assert "\n" not in row["reason"]
        assert (row["n_labeled"], row["n_unlabeled"], row["n_test"], row["n_columns"]) == (20, 30, 100, 4)
        assert row["source"] == "four columns, made up"
        assert row["versions"]["numpy"]
        assert row["machine"]["cores"] >= 1


def test_allocation_beyond_the_limit_is_stopped(tmp_path):
    (row,) = run_spec(spec_of("allocate", memory_limit="300 MB"), tmp_path / "rows.jsonl")
    assert row["status"] == "out_of_memory"
    assert row["reason"].startswith("held 3")
    assert row["reason"].endswith("MB, the limit is 300 MB")
    assert 300e6 < row["peak_memory_bytes"] < 400e6


@pytest.mark.parametrize("method", ["hang", "hang_with_lock"])
def test_hanging_is_stopped(tmp_path, method):
    # Left alone it would end well, in its own time.
    (row,) = run_spec(spec_of(method, time_limit_seconds=0.3), tmp_path / "rows.jsonl")
    assert (row["status"], row["reason"]) == ("timeout", "did not finish within 0.3 s")


def test_loading_has_a_limit_of_its_own(tmp_path):
    spec = spec_of("linear", datasets=["endless_rows"], load_limit_seconds=0.01)
    (row,) = run_spec(spec, tmp_path / "rows.jsonl")
    assert (row["status"], row["reason"]) == ("timeout", "rows were not loaded within 0.01 s")
    assert row["n_unlabeled"] is None


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at /proc")
def test_processes_that_a_method_leaves_behind_are_ended(tmp_path, monkeypatch):
    monkeypatch.setenv("S2AUC_TEST_CHILD", str(tmp_path / "child"))
    (row,) = run_spec(spec_of("leave_child"), tmp_path / "rows.jsonl")
    assert row["status"] == "ok"
    # A signal was sent to it; it may take a moment to end.
    wait_until(lambda: not is_running((tmp_path / "child").read_text()))


def test_finished_cells_are_not_run_again(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl"
    methods = ("linear", "fail", "quadratic")
    first = run_spec(spec_of(*methods), path)
    ran = []
    second = run_spec(spec_of(*methods), path, on_row=lambda row: ran.append(row["method"]))
    assert ran == ["fail"]
    assert lasting(first) == lasting(second)
    assert [row["method"] for row in read_rows(path)] == list(methods)
    # Another memory limit is another answer to whether a method fits.
    third = run_spec(spec_of("quadratic", memory_limit="40 GB"), path, on_row=lambda row: ran.append(row["method"]))
    assert (ran, third[0]["status"]) == (["fail", "quadratic"], "ok")


def test_two_at_a_time_give_the_same_rows(tmp_path):
    spec = spec_of("linear", "slow_linear", trials=2)
    alone = run_spec(spec, tmp_path / "alone.jsonl")
    together = run_spec(spec, tmp_path / "together.jsonl", n_jobs=2)
    assert lasting(alone) == lasting(together)
    assert len({row["test_auc"] for row in alone if row["method"] == "linear"}) == 2
    with pytest.raises(ValueError, match=r"'n_jobs' parameter of run_spec must be an int >= 1\. Got 0"):
        run_spec(spec, tmp_path / "alone.jsonl", n_jobs=0)


def test_an_interrupt_stops_trials_and_keeps_rows(tmp_path, monkeypatch):
    path, hangs, stops = tmp_path / "rows.jsonl", tmp_path / "hangs", []
    monkeypatch.setenv("S2AUC_TEST_HANGS", str(hangs))
    run_limited = runner.run_limited

    def run_and_tell(*arguments, **options):
        ending = run_limited(*arguments, **options)
        stops.append(ending.stop)
        return ending

    def interrupt(row):
        wait_until(hangs.exists)
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run_limited", run_and_tell)
    with pytest.raises(KeyboardInterrupt):
        run_spec(spec_of("linear", "hang"), path, n_jobs=2, on_row=interrupt)
    assert stops == [None, Stop.INTERRUPT]
    assert [row["method"] for row in read_rows(path)] == ["linear"]


def test_workers_have_the_threads_of_the_specification():
    environment = runner._environment(3)
    assert environment["OMP_NUM_THREADS"] == environment["S2AUC_NUM_THREADS"] == "3"


def test_command_line_runs_the_smoke_specification(tmp_path, monkeypatch, caplog, capsys):
    small = tmp_path / "small.toml"
    smaller = SMOKE.read_text().replace("trials = 2", "trials = 1").replace('["moons", "blobs"]', '["moons"]')
    small.write_text(smaller.replace("time_limit_seconds = 60", "time_limit_seconds = 3_600"))
    outputs = ["--report", str(tmp_path / "report.md"), "--figures", str(tmp_path / "figures")]
    monkeypatch.setattr(sys, "argv", ["", str(small), "--rows", str(tmp_path / "rows.jsonl"), "--jobs", "2", *outputs])
    with caplog.at_level("INFO"):
        assert command_line.main() == 0
    assert capsys.readouterr().out == ""
    assert "2 of 2: moons, " in caplog.text
    rows = read_rows(tmp_path / "rows.jsonl")
    assert [row["status"] for row in rows] == ["ok", "ok"]
    assert "## Test AUC, 30 labelled and at most 300 rows unlabelled" in (tmp_path / "report.md").read_text()
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["auc.png"]


def test_command_line_says_what_is_wrong(tmp_path, monkeypatch, caplog):
    (tmp_path / "bad.toml").write_text('datasets = "moons"')
    monkeypatch.setattr(sys, "argv", ["", str(tmp_path / "bad.toml"), "--rows", str(tmp_path / "rows.jsonl")])
    assert command_line.main() == 2
    assert caplog.messages == ["The key 'methods' must be in bad.toml, but it is not; add it."]
    assert not (tmp_path / "rows.jsonl").exists()


def test_benchmark_chooses_datasets_that_are_there(tmp_path, monkeypatch):
    monkeypatch.delenv("S2AUC_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "none"))
    benchmark = runpy.run_path(str(BENCHMARK))

    def choose(**given):
        nothing = dict.fromkeys(("specs", "datasets", "methods", "labels", "trials", "seed", "data"))
        return benchmark["choose_specs"](argparse.Namespace(**{**nothing, **given}))

    bundled = ("digits", "digits_odd", "digits_eight", "breast_cancer")
    assert [(spec.name, spec.datasets) for spec in choose()] == [("accuracy", bundled), ("alternatives", bundled)]
    (tmp_path / "skin.npz").touch()
    assert choose(data=str(tmp_path))[0].datasets == ("skin", *bundled)
    (chosen,) = choose(methods=["rbf_svm", "qsg"], labels=[30])
    assert (chosen.name, chosen.methods, chosen.reference) == ("alternatives", ("qsg", "rbf_svm"), "qsg")
    assert [spec.n_labeled for spec in choose(labels=[30])] == [(30,), (30,)]
    with pytest.raises(ValueError, match=r"--methods must name methods of the specifications .* Got 'samult' instead"):
        choose(methods=["samult"])
    with pytest.raises(ValueError, match="none is; name the folder of its files with --data"):
        choose(specs=["systems"])


def test_specifications_of_the_benchmark_share_their_cells(monkeypatch, tmp_path):
    """What several ask for runs once, and every dataset stands in a group that is reported."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    changes = {"datasets": ["digits"], "methods": ["s2auc_cv"]}
    own, all_methods, systems = (
        {cell.key for cell in read_spec(name, changes).cells()} for name in ("accuracy", "alternatives", "systems")
    )
    assert systems < all_methods < own
    assert read_spec("systems").datasets == FILES
    assert read_spec("systems").reference == "s2auc_cv"
    for name in ("accuracy", "alternatives"):
        assert read_spec(name).datasets == (*CHOSEN_ON, *HELD_BACK)
        assert read_spec(name).reference == "s2auc_cv"


def test_benchmark_writes_rows_and_prints_tables(tmp_path, monkeypatch, capsys):
    output = tmp_path / "out" / "results.json"
    arguments = ["--json", str(output), "--trials", "1", "--labels", "30", "--methods", "qsg", "--datasets", "moons"]
    monkeypatch.setattr(sys, "argv", ["", *arguments])
    runpy.run_path(str(BENCHMARK), run_name="__main__")
    printed = capsys.readouterr().out
    (row,) = json.loads(output.read_text())
    assert {name: row[name] for name in ("dataset", "method", "n_labels", "trial")} == {
        "dataset": "moons",
        "method": "qsg",
        "n_labels": 30,
        "trial": 0,
    }
    assert row["test_auc"] > 0.6
    assert row["fit_seconds"] > 0
    assert "mean rank" in printed
    assert "Seed 0" in printed
    assert (tmp_path / "out" / "results.rows.jsonl").exists()
