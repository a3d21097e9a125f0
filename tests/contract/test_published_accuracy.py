"""README and docs say of accuracy what the committed results say, no more and nothing else."""

import csv
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from s2auc.experiments.cells import trial_seed
from s2auc.experiments.methods import METHODS
from s2auc.experiments.results_file import results_of
from s2auc.experiments.spec import read_spec
from s2auc.experiments.summary import Summary

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def publisher():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import publish

    sys.path.remove(str(ROOT / "benchmarks"))
    return publish


@pytest.fixture(scope="module")
def blocks(publisher):
    return publisher.make_blocks(Summary(results_of((ROOT / publisher.RESULTS).read_text(encoding="utf-8"))))


def test_pages_agree_with_the_results(publisher, blocks):
    named = []
    for page in publisher.PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        assert publisher.fill(text, blocks) == text, f"{page} is out of date: run benchmarks/publish.py"
        marks = re.findall(r"<!-- accuracy: ([\w ]+) -->", text)
        assert len(marks) == text.count("<!-- end -->") > 0
        named += marks
    assert sorted(named) == sorted(blocks)


def test_a_changed_number_is_noticed(publisher, blocks):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = blocks["main table"]
    number = re.search(r"\d\.\d{3}", table).group()
    forged = text.replace(table, table.replace(number, "0.999", 1))
    assert forged != text
    assert publisher.fill(forged, blocks) == text


def test_means_of_the_results_file_are_those_of_its_trials(publisher):
    lines = (ROOT / publisher.RESULTS).read_text(encoding="utf-8").splitlines()
    for line in csv.DictReader(line for line in lines if not line.startswith("#")):
        aucs = [float(ending) for ending in line["auc_by_trial"].split() if ending[0].isdigit()]
        assert int(line["trials"]) == len(aucs)
        if aucs:
            assert float(line["mean_auc"]) == pytest.approx(np.mean(aucs), abs=1.1e-5)
        if len(aucs) > 1:
            assert float(line["standard_error"]) == pytest.approx(np.std(aucs, ddof=1) / len(aucs) ** 0.5, abs=1.5e-5)


def test_every_method_of_the_benchmark_has_a_name(publisher):
    assert set(publisher.NAMES) == {*read_spec("accuracy").methods, *read_spec("alternatives").methods}


def made_up_rows(catboost_gain):
    """Rows in which CatBoost is ahead by so much, everywhere, and unlabelled rows bring 0.01 with 20 labels only."""
    rng = np.random.default_rng(0)
    rows = []
    for name in ("accuracy", "alternatives"):
        spec = read_spec(name)
        for dataset in spec.datasets:
            for n_labeled in spec.n_labeled:
                for trial in range(2):
                    for method in ("s2auc_cv", "s2auc_cv_labeled", "catboost", "rbf_svm"):
                        if method not in spec.methods:
                            continue
                        gain = {"catboost": catboost_gain, "rbf_svm": -0.05}.get(method, 0.0)
                        gain -= 0.01 * (method == "s2auc_cv_labeled" and n_labeled == 20)
                        rows.append(row(dataset, method, n_labeled, trial, 0.8 + gain + rng.normal(0, 1e-4)))
    return rows


def row(dataset, method, n_labeled, trial, auc):
    return {
        "cell": f"{dataset}/{method}/{n_labeled}/{trial}",
        "dataset": dataset,
        "method": method,
        "n_labeled": n_labeled,
        "max_unlabeled": 20_000,
        "scaling": "none",
        "trial": trial,
        "seed": trial_seed(0, dataset, trial),
        "status": "ok",
        "test_auc": auc,
        "fit_seconds": 1.0,
        "library": METHODS[method].library,
        "versions": {"numpy": "2.0"},
        "machine": {"processor": "abacus", "cores": 2, "platform": "wood"},
        "threads": 1,
        "started_at": "2020-01-01",
    }


def test_a_rival_that_leads_is_said_to_lead(publisher):
    behind = publisher.make_blocks(Summary(made_up_rows(catboost_gain=0.02)))
    assert behind["claim"].endswith(
        "if not best on average: ahead of it come CatBoost "
        "(200 and 40 labels, all files; 200 and 40 labels, tables not used for choosing)"
    )
    assert "over the seven not used for choosing, CatBoost leads with 0.820, 0.020 ± 0.000 ahead" in behind["leaders"]
    assert "CatBoost, defaults on 18 (codrna," in behind["winners"]
    ahead = publisher.make_blocks(Summary(made_up_rows(catboost_gain=-0.02)))
    assert ahead["claim"].endswith("better on average than all two methods of other libraries that it is compared with")
    assert "s2auc, tuned, leads with 0.800, 0.020 ± 0.000 ahead of CatBoost" in ahead["leaders"]
    assert "CatBoost" not in ahead["winners"]


def test_what_unlabelled_rows_bring_is_held_against_its_error(publisher):
    text = publisher.make_blocks(Summary(made_up_rows(catboost_gain=0.0)))["unlabeled"]
    assert re.search(r"\+0\.0(100|101|099) ± 0\.000\d with 20 labels", text)
    assert "They help with 20 labels. No more than chance can be told with 40, 100 and 200 labels." in text
    assert re.search(r"On handwritten digits.* they bring \+0\.010 with 20, .* and .* with 200\.$", text)
    rows = [made for made in made_up_rows(0.0) if made["method"] != "s2auc_cv_labeled"]
    assert "not among these results" in publisher.make_blocks(Summary(rows))["unlabeled"]


def test_everything_is_written_from_rows(publisher, tmp_path, capsys):
    for page in publisher.PAGES:
        (tmp_path / page).parent.mkdir(exist_ok=True)
        (tmp_path / page).write_text("Text <!-- accuracy: claim --> old <!-- end --> more.\n", encoding="utf-8")
    rows = made_up_rows(catboost_gain=0.02)
    publisher.publish([*rows, {**rows[0], "n_labeled": 7}], 0, tmp_path)
    assert f"{len(rows)} of {len(rows) + 1} rows belong to the benchmark" in capsys.readouterr().out
    assert (tmp_path / publisher.PICTURE).read_bytes().startswith(b"\x89PNG")
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert re.fullmatch(r"Text <!-- accuracy: claim -->it tunes itself .*<!-- end --> more\.\n", text)
    with pytest.raises(ValueError, match=r"Rows must come from seed 1\. Got another one in trial 0 of codrna"):
        publisher.publish(rows, 1, tmp_path)
    few = [made for made in rows if (made["dataset"], made["n_labeled"]) == ("skin", 40)]
    with pytest.raises(ValueError, match="there must be a trial that all methods have a result for, s2auc_cv among"):
        publisher.publish(few, 0, tmp_path)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == text
    with pytest.raises(ValueError, match="Got 'clam' instead"):
        publisher.fill("<!-- accuracy: clam --><!-- end -->", {"claim": ""})
