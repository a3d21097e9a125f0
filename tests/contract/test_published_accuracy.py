"""README and docs say of accuracy what the committed results say, no more and nothing else."""

import csv
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from s2auc.experiments.harness.cells import trial_seed
from s2auc.experiments.harness.spec import read_spec
from s2auc.experiments.methods.table import METHODS
from s2auc.experiments.results.results_file import results_text

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def publisher():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import publish

    sys.path.remove(str(ROOT / "benchmarks"))
    return publish


@pytest.fixture(scope="module", params=["accuracy", "systems"])
def published(request, publisher):
    """Name of a topic, the topic, and its blocks from the committed results."""
    topic = publisher.TOPICS[request.param]
    return request.param, topic, topic.make_blocks((ROOT / topic.results).read_text(encoding="utf-8"))


def test_every_topic_is_tested(publisher):
    assert list(publisher.TOPICS) == ["accuracy", "systems"]


def test_pages_agree_with_the_results(publisher, published):
    name, topic, blocks = published
    named = []
    for page in topic.pages:
        text = (ROOT / page).read_text(encoding="utf-8")
        assert publisher.fill(text, name, blocks) == text, f"{page} is out of date: run benchmarks/publish.py"
        marks = re.findall(rf"<!-- {name}: ([\w ]+) -->", text)
        assert len(marks) == text.count("<!-- end -->") > 0
        named += marks
    assert sorted(named) == sorted(blocks)


def test_a_changed_number_is_noticed(publisher, published):
    name, topic, blocks = published
    text = (ROOT / topic.pages[-1]).read_text(encoding="utf-8")
    table = blocks["main table"]
    number = re.search(r"\d\.\d{3}", table).group()
    forged = text.replace(table, table.replace(number, "0.999", 1))
    assert forged != text
    assert publisher.fill(forged, name, blocks) == text


def test_means_of_the_results_file_are_those_of_its_trials(published):
    lines = (ROOT / published[1].results).read_text(encoding="utf-8").splitlines()
    for line in csv.DictReader(line for line in lines if not line.startswith("#")):
        aucs = [float(ending) for ending in line["auc_by_trial"].split() if ending[0].isdigit()]
        assert int(line["trials"]) == len(aucs)
        if aucs:
            assert float(line["mean_auc"]) == pytest.approx(np.mean(aucs), abs=1.1e-5)
        if len(aucs) > 1:
            assert float(line["standard_error"]) == pytest.approx(np.std(aucs, ddof=1) / len(aucs) ** 0.5, abs=1.5e-5)


def test_every_method_of_the_benchmark_has_a_name(published):
    _, topic, _ = published
    assert set(topic.names) == {method for spec in topic.specs for method in read_spec(spec).methods}


def test_results_say_where_they_come_from(published):
    text = (ROOT / published[1].results).read_text(encoding="utf-8")
    for told in ("# seed: 0;", "# versions: python ", "# machine: ", "# threads: 1;"):
        assert told in text


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
        "fit_memory_bytes": 3e6,
        "library": METHODS[method].library,
        "versions": {"numpy": "2.0"},
        "machine": {"processor": "abacus", "cores": 2, "platform": "wood"},
        "threads": 1,
        "started_at": "2020-01-01",
    }


def accuracy_blocks(publisher, rows):
    return publisher.TOPICS["accuracy"].make_blocks(results_text(rows, 0))


def test_a_baseline_that_leads_is_said_to_lead(publisher):
    behind = accuracy_blocks(publisher, made_up_rows(catboost_gain=0.02))
    assert behind["claim"].endswith(
        "if not best on average: ahead of it come CatBoost "
        "(200 and 40 labels, all files; 200 and 40 labels, tables not used for choosing)"
    )
    assert "over the seven not used for choosing, CatBoost leads with 0.820, 0.020 ± 0.000 ahead" in behind["leaders"]
    assert "CatBoost, defaults on 18 (codrna," in behind["winners"]
    ahead = accuracy_blocks(publisher, made_up_rows(catboost_gain=-0.02))
    assert ahead["claim"].endswith("better on average than all two methods of other libraries that it is compared with")
    assert "s2auc, tuned, leads with 0.800, 0.020 ± 0.000 ahead of CatBoost" in ahead["leaders"]
    assert "CatBoost" not in ahead["winners"]


def test_what_unlabelled_rows_bring_is_held_against_its_error(publisher):
    text = accuracy_blocks(publisher, made_up_rows(catboost_gain=0.0))["unlabeled"]
    assert re.search(r"\+0\.0(100|101|099) ± 0\.000\d with 20 labels", text)
    assert "They help with 20 labels. No more than chance can be told with 40, 100 and 200 labels." in text
    assert re.search(r"On handwritten digits.* they bring \+0\.010 with 20, .* and .* with 200\.$", text)
    rows = [made for made in made_up_rows(0.0) if made["method"] != "s2auc_cv_labeled"]
    assert "not among these results" in accuracy_blocks(publisher, rows)["unlabeled"]


def test_everything_is_written_from_rows(publisher, tmp_path, capsys):
    topic = publisher.TOPICS["accuracy"]
    for page in topic.pages:
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / page).write_text("Text <!-- accuracy: claim --> old <!-- end --> more.\n", encoding="utf-8")
    rows = made_up_rows(catboost_gain=0.02)
    publisher.publish([*rows, {**rows[0], "n_labeled": 7}], 0, tmp_path, ["accuracy"])
    assert f"{len(rows)} of {len(rows) + 1} rows belong to accuracy." in capsys.readouterr().out
    for picture in topic.pictures:
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert re.fullmatch(r"Text <!-- accuracy: claim -->it tunes itself .*<!-- end --> more\.\n", text)
    with pytest.raises(ValueError, match=r"Rows must come from seed 1\. Got another one in trial 0 of codrna"):
        publisher.publish(rows, 1, tmp_path, ["accuracy"])
    few = [made for made in rows if (made["dataset"], made["n_labeled"]) == ("skin", 40)]
    with pytest.raises(ValueError, match="there must be a trial that all methods have a result for, s2auc_cv among"):
        publisher.publish(few, 0, tmp_path, ["accuracy"])
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == text
    with pytest.raises(ValueError, match="Got 'clam' instead"):
        publisher.fill("<!-- accuracy: clam --><!-- end -->", "accuracy", {"claim": ""})


def test_a_system_is_told_where_it_wins_and_where_it_loses(publisher, tmp_path):
    """LibAUC is ahead of all on skin alone; with 40 labels it has no result."""
    gains = {"s2auc_cv": 0.05, "qsg": 0.0, "optag": -0.1, "libauc": 0.02}
    rows = [
        row(dataset, method, n_labeled, trial, 0.8 + gain + 0.1 * (method == "libauc" and dataset == "skin"))
        for dataset in read_spec("systems").datasets
        for method, gain in gains.items()
        for n_labeled in (200, 40)
        for trial in range(2)
        if (method, n_labeled) != ("libauc", 40)
    ]
    page = tmp_path / "docs" / "results" / "baselines.md"
    page.parent.mkdir(parents=True)
    page.write_text("<!-- systems: libauc --><!-- end -->\n<!-- systems: optag --><!-- end -->\n", encoding="utf-8")
    publisher.publish(rows, 0, tmp_path, ["systems"])
    libauc, optag = page.read_text(encoding="utf-8").splitlines()
    assert "With 200 labels its mean AUC is 0.827: 0.023 ± 0.007 behind s2auc, tuned (ahead on skin), and" in libauc
    assert (
        "0.027 ± 0.007 ahead of s2auc, untuned (ahead on all tables). It is the best of all methods on skin." in libauc
    )
    assert "40 labels" not in libauc
    assert optag.count("0.100 ± 0.000 behind s2auc, untuned (ahead on no table).") == 2
    blocks = publisher.TOPICS["systems"].make_blocks((tmp_path / "docs/results/systems.csv").read_text("utf-8"))
    assert "| LibAUC, tuned | 0.827 | 1.9 | - | - | 1 | 3 |" in blocks["main table"]
    assert "The best of the two systems is LibAUC with 0.827, 0.023 ± 0.007 behind s2auc" in blocks["leaders"]
    assert "| **0.920** |" in blocks["by table"]
    with pytest.raises(ValueError, match="there must be a trial that all methods have a result for, s2auc_cv and qsg"):
        publisher.publish([made for made in rows if made["method"] != "qsg"], 0, tmp_path, ["systems"])
