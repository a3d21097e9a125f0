"""The benchmark of wide tables: its tables are what they are said to be, it runs, and its verdicts follow from rows."""

import json
from importlib import import_module

import numpy as np
import pytest
from scipy.sparse import csr_array

from benchmark_runs import BENCHMARKS, forged_row, run_benchmark


@pytest.fixture
def module(monkeypatch):
    """Modules of the benchmark by their names."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module


def test_it_runs_and_does_not_run_again_what_it_has(tmp_path):
    output = tmp_path / "out" / "wide.json"
    arguments = ["--json", output, "--quick", "--tasks", "rare", "--trials", "1"]
    first = run_benchmark("wide.py", *arguments, "--methods", "logistic")
    assert first.returncode == 0, first.stderr
    rows = json.loads(output.read_text())
    tables = ["rare", "dense", "shape_1", "shape_2"]
    assert [(row["dataset"], row["status"]) for row in rows] == [(table, "ok") for table in tables]
    assert all(row["test_auc"] > 0.5 and row["fit_seconds"] > 0 and row["fit_memory_bytes"] > 0 for row in rows)
    assert all(row["threads"] == 2 and row["versions"]["numpy"] and row["machine"]["cores"] for row in rows)
    assert (rows[0]["n_unlabeled"], rows[0]["n_test"], rows[0]["n_columns"]) == (400, 300, 600)
    assert "rare: independent sparse columns, made up: 900 rows, 600 columns" in first.stdout
    assert "Seed 0, 2 thread(s)" in first.stdout
    second = run_benchmark("wide.py", *arguments, "--parts", "text", "--methods", "logistic")
    assert second.returncode == 0, second.stderr
    assert "wide_text: 1 cells, 1 have a result" in second.stderr
    assert json.loads(output.read_text()) == rows[:1]


@pytest.mark.filterwarnings("ignore:The (default value for l1_ratios|fitted attributes of):FutureWarning")
@pytest.mark.parametrize("name", ["tuned", "tuned_unjudged", "single", "logistic", "svd_logistic", "linear_svm"])
def test_its_methods_take_sparse_rows(module, name):
    method = module("benchmark_methods").METHODS[name]
    assert name in module("wide").TEXT_METHODS
    learner = method.build(0, **method.parameters)
    if name.startswith("tuned"):
        learner._estimator.set_params(members=["linear"], cv=2, alphas=[0.1])
    table = module("text_tasks").rare(90, 60, 0)
    learner.fit(table.X[:40], table.y[:40], table.X[40:])
    scores = np.asarray(learner.scores(table.X))
    assert scores.shape == (90,)
    assert np.isfinite(scores).all()


def test_another_text_is_another_cell(module, tmp_path):
    tables, rare = module("wide_tables"), module("text_tasks").rare
    spec = tables.WideSpec(name="one", datasets=("rare",), methods=("qsg",), n_labeled=(20,), n_unlabeled=("all",))
    keys = []
    for seed in (0, 0, 1):
        tables.write_table(tmp_path, "rare", rare(50, 40, seed))
        keys.append(spec.cells(str(tmp_path))[0].key)
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("task", ["topics", "rare"])
def test_made_up_tables_are_sparse_and_come_from_their_seed(module, task):
    make = module("text_tasks").TEXT_TASKS[task]
    table, same, other = make(400, 3_000, 0), make(400, 3_000, 0), make(400, 3_000, 1)
    assert isinstance(table.X, csr_array)
    assert table.X.shape == (400, 3_000)
    assert table.X.indices.dtype == np.int32
    assert 40 < table.stored_per_row < 130
    assert table.y.mean() == pytest.approx(1 / 3, abs=0.01)
    assert (table.X != same.X).nnz == 0
    assert (table.X != other.X).nnz > 0


def test_tables_of_the_memory_part_have_as_many_values_in_every_shape(module):
    rare = module("text_tasks").rare
    tables = [rare(n_rows, n_columns, 0, 40_000 / n_rows) for n_rows, n_columns in ((400, 5_000), (1_600, 80_000))]
    assert tables[1].X.nnz == pytest.approx(tables[0].X.nnz, rel=0.25)


def test_passages_are_cut_from_documentation(module):
    text = module("docstring_text")
    long = " ".join(f"Word{number}" for number in range(310))
    code = f'''"""{long}"""\ndef function():\n    r"""Too \\short."""\nclass Kind:\n    """{long} more"""\n'''
    passages = [passage for docstring in text.docstrings(code.encode()) for passage in text.cut_text(docstring)]
    # Ten words are left over of the first text, eleven of the second: too few.
    assert [len(passage.split()) for passage in passages] == [150, 150] * 2
    assert passages[0].startswith("word0 word1 ")
    assert list(text.docstrings(b"def {{template}}")) == []


def test_of_passages_with_the_same_text_the_first_is_kept(module):
    text = module("docstring_text")
    first, again, other = (text.Passage(words, name, "") for words, name in (("a", "numpy"), ("a", "scipy"), ("b", "")))
    assert text.every_text_once([first, again, other]) == (first, other)


def test_passages_know_where_they_stand(module, tmp_path):
    text = module("docstring_text")
    for place in ("top.py", "stats/deep.py", "stats/tests/test_deep.py", "_lib/foreign.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(f'"""{place} {"word " * 30}"""')
    found = tuple(text.passages_of("scipy", tmp_path))
    assert [(passage.text.split()[0], passage.subpackage) for passage in found] == [
        ("stats/deep.py", "stats"),
        ("top.py", ""),
    ]
    assert {"stats", "scipy", "np"} < set(text.package_words(found))


def test_names_of_packages_are_no_columns(module, monkeypatch):
    tasks, text = module("text_tasks"), module("docstring_text")
    passages = tuple(
        text.Passage(f"{package} {subpackage} common number{number}", package, subpackage)
        for number, (package, subpackage) in enumerate([("sklearn", "svm"), ("scipy", "stats"), ("numpy", "fft")] * 5)
    )
    monkeypatch.setattr(tasks, "all_passages", lambda: passages)
    table = tasks.docstrings_learning(12, 1_000, 0)
    assert table.X.shape[0] == len(table.y) == 12
    # A word that all have, and a word and a pair of each.
    assert table.X.shape[1] == 1 + 2 * 12
    assert table.y.sum() in range(7, 11)


def test_written_tables_are_read_back(module, tmp_path):
    tables = module("wide_tables")
    for name, table in (("sparse", module("text_tasks").rare(50, 40, 0)), ("full", tables.dense(50, 40, 0))):
        tables.write_table(tmp_path, name, table)
        found = tables.read_table(tmp_path, name)
        assert type(found.X) is type(table.X)
        assert np.array_equal(found.X.toarray() if name == "sparse" else found.X, table.X @ np.eye(40))
        assert np.array_equal(found.y, table.y)
        assert found.describe() == table.describe()


def test_verdicts_follow_from_the_rows(module, capsys):
    report, table = module("wide_report"), module("text_tasks").rare(50, 40, 0)
    rows = [
        forged_row("rare", "tuned", test_auc=0.796, fit_seconds=9.0),
        forged_row("rare", "tuned_unjudged", test_auc=0.79, fit_seconds=11.0, fit_memory_bytes=2 * 10**9),
        forged_row("rare", "single", status="timeout", reason="did not finish", test_auc=None),
        forged_row("rare", "logistic"),
    ]
    report.print_text(rows, {"rare": table})
    *_, failure, judged, unjudged = capsys.readouterr().out.splitlines()
    assert failure == "single, trial 0: timeout, did not finish"
    assert judged == (
        "tuned: 9.0 s (target: under 10 s, met); 100 MB (target: under 1 GB, met); AUC -0.0040 (target: at least "
        "-0.005, met)."
    )
    assert unjudged.count("missed") == 3
    report.print_dense([{**row, "fit_seconds": 14.0} for row in rows], {"rare": table})
    assert "tuned_unjudged: 14.0 s (target: under 15 s, met); AUC" in capsys.readouterr().out


def test_growth_of_memory_is_told(module, capsys):
    report, rare = module("wide_report"), module("text_tasks").rare
    tables = {"shape_1": rare(50, 40, 0), "shape_2": rare(100, 400, 0)}
    rows = [
        forged_row("shape_1", "tuned_unjudged"),
        forged_row("shape_2", "tuned_unjudged", fit_memory_bytes=3 * 10**8),
    ]
    report.print_memory(rows, tables)
    expected = "300 MB (target: under 1 GB, met) in the last shape; rows x columns x 20, memory x 3.0."
    assert expected in capsys.readouterr().out
    rows[1]["status"] = "out_of_memory"
    report.print_memory(rows, tables)
    printed = capsys.readouterr().out
    assert "out_of_memory" in printed
    assert "target missed" in printed
