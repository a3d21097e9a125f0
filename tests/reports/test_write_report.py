"""Reports: one page that needs nothing else, for every model and table, whatever names and records hold."""

import html
import json
import os
import re
import shutil
import subprocess
import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from forged_files import is_sound
from model_samples import RECORD, make_model, make_part
from report_pages import checked_page
from s2auc import S2AUCClassifier, fit_table, load_model, open_table, write_report
from s2auc.__main__ import main
from s2auc.common.threads import thread_limit
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.source import RowSource
from s2auc.models.record import Record
from s2auc.ranking.calibration import PlattScaling
from s2auc.ranking.metrics import auc
from sparse_rows import random_rows

pytest.importorskip("pyarrow")

EVIL = '<script>alert("1")</script>\'&'
N_ROWS = 400


@pytest.fixture(scope="module")
def claims():
    """A table with numbers, categories, dates and holes, 120 of whose rows have labels."""
    rng = np.random.default_rng(0)
    hours = rng.integers(0, 24, N_ROWS)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, N_ROWS), "D")
    table = pd.DataFrame(
        {
            "claim_id": [f"C{number:04d}" for number in range(N_ROWS)],
            "filed": days + pd.to_timedelta(hours, "h"),
            "city": rng.choice(["Rome", "Oslo", "Lima"], N_ROWS),
            "amount": rng.lognormal(size=N_ROWS),
        }
    )
    table.loc[::9, "amount"] = np.nan
    truth = (hours > 14) & (rng.random(N_ROWS) < 0.8)
    table["fraud"] = np.where(np.arange(N_ROWS) < 120, np.where(truth, "fraud", "honest"), None)
    return table


@pytest.fixture(scope="module")
def tuned(claims, tmp_path_factory):
    """The path of a model that tuned itself on that table."""
    path = tmp_path_factory.mktemp("model") / "fraud.safetensors"
    fit_table(claims, "fraud", path, positive="fraud", row_id="claim_id")
    return path


@pytest.fixture(scope="module")
def page(tuned, claims, tmp_path_factory):
    out = tmp_path_factory.mktemp("page") / "report.html"
    write_report(tuned, claims, out)
    return checked_page(out)


def single(X, y, **more):
    return S2AUCClassifier(random_state=0, max_iter=20, **more).fit(X, y, X)


def test_every_section_tells_something(page, tuned, claims):
    assert not re.search(r"https?:|//|url\(|xmlns", page.markup)
    model = load_model(tuned)
    held_out = model.record["held_out_auc"]["value"]
    assert f"{held_out:.3f}" in page.section("summary")
    assert f"in {100 * held_out:.0f} of 100 cases" in page.section("summary")
    labeled = claims[:120]
    value = auc(labeled["fraud"] == "fraud", model.decision_function(labeled.drop(columns=["claim_id", "fraud"])))
    assert f"{value:.3f}" in page.section("summary")
    for name in ("city", "filed", "amount", "3 categories", "2024-01-01", "11.2 %"):
        assert name in page.section("data")
    assert f"{len(model.record['settings_tried'])} settings were tried" in page.section("settings")
    assert "flatters the model" in page.section("roc")
    assert page.section("scores").count("<svg") == 1
    assert "“filed” matters most" in page.section("importance")
    assert "filed (hour)" in page.section("effects")
    assert model.record["learning_curve_sentence"] in html.unescape(page.section("labels"))
    assert page.section("top").count("<tr>") == 21
    assert "s2auc report fraud.safetensors TABLE -o report.html --label fraud --keep claim_id --top 20" in page.text


def test_the_top_of_the_list_is_that_of_the_scores(page, tuned, claims):
    model = load_model(tuned)
    scores = model.decision_function(claims.drop(columns=["claim_id", "fraud"]))
    order = np.argsort(-scores, kind="stable")[:20]
    listed = re.findall(r"<td>(C\d{4})</td>", page.section("top"))
    assert listed == claims["claim_id"].to_numpy()[order].tolist()
    assert f"{scores[order[0]]:.4f}" in page.section("top")
    assert f"{100 * model.probabilities_of(scores[order[:1]])[0, 1]:.1f} %" in page.section("top")


def test_equal_input_gives_equal_bytes(tuned, claims, tmp_path):
    (tmp_path / "claims.csv").write_text(claims.to_csv(index=False))
    pages = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_report(tuned, tmp_path / "claims.csv", tmp_path / name / "report.html", keep=["city"], random_state=3)
        pages.append((tmp_path / name / "report.html").read_bytes())
    assert pages[0] == pages[1]
    assert b"--keep city --top 20 --seed 3" in pages[0]
    assert os.fsencode(tmp_path) not in pages[0]


def test_names_and_values_cannot_break_in(tmp_path):
    rng = np.random.default_rng(0)
    evil = pd.DataFrame(
        {
            EVIL: rng.normal(size=200),
            f"text {EVIL}": rng.choice([EVIL, "\u202e\x00]]>", "$x$"], 200),
            "id'\"><img src=x onerror=alert(1)>": rng.choice(["</td><svg onload=x>", "\n"], 200),
        }
    )
    evil["label"] = np.where(np.arange(200) < 60, np.where(evil[EVIL] > 0, EVIL, f"not {EVIL}"), None)
    model = fit_table(evil, "label", positive=EVIL, tune=False).model
    texts = dict.fromkeys(("estimator", "learning_curve_sentence"), EVIL)
    record = (
        dict(model.record)
        | texts
        | {
            "unlabeled": {"answer": EVIL, "sentence": EVIL, "difference": None},
            "versions": {EVIL: EVIL},
            "settings_tried": [{"member": EVIL, EVIL: EVIL, "kernel": EVIL}, {"kernel": "k"}],
            "settings_chosen": [0],
            "shares": [1.0],
            "columns": [{**column, "kind": EVIL} for column in model.record["columns"]],
        }
    )
    out = tmp_path / "'\"><script>.html"
    write_report(replace(model, record=record), evil, out, label="label", keep=list(evil.columns[:3]))
    page = checked_page(out)
    assert EVIL in page.text
    assert "<script" not in page.markup
    assert "\u202e" not in page.markup


WRONG = [
    None,
    0,
    -1,
    1e308,
    True,
    "text",
    [],
    [1],
    [[]],
    {},
    {"value": 1e308, "low": -1e308, "high": 2**63, "level": -3},
    {"answer": "", "sentence": "", "difference": {"value": 1e308, "low": -1e308, "high": 2**63, "level": -3}},
    {"column": -(2**63), "p_value": -1e308, "class_prior": None},
    {"positive": -(2**63), "negative": 2**63},
    [{"name": "", "kind": "", "n_missing": -(2**63), "mean": 1e308, "deviation": -1, "low": 1e308, "high": -1e308}] * 3,
    [{"value": 0.5, "low": 2, "high": 0.1, "level": 7.0, "n_labels": 2**63}, {}],
    [{"value": 0.5, "low": 2, "high": 0.1, "level": 7.0, "n_labels": 2**63}],
    [{}],
]


@pytest.mark.parametrize("place", range(len(WRONG)), ids=lambda place: repr(WRONG[place]))
def test_records_of_strangers(place, tmp_path):
    wrong = WRONG[place]
    names = Record.__annotations__
    kept = {name: wrong for name in names if is_sound({name: wrong})}
    model = make_model(parts=(make_part(),), record=kept)
    write_report(model, np.random.default_rng(0).normal(size=(50, 3)), tmp_path / "page.html")
    checked_page(tmp_path / "page.html")
    for name in sorted(names)[place % 3 :: 3]:
        record = RECORD | {name: wrong}
        if is_sound(record):
            write_report(replace(model, record=record), np.zeros((2, 3)), tmp_path / "page.html")
            checked_page(tmp_path / "page.html")


def test_shift_drift_and_learning_curves_are_told(tuned, claims, tmp_path):
    model = load_model(tuned)
    interval = {"low": 0.7, "high": 0.9, "level": 0.95}
    points = [{"n_labels": 60, "value": 0.8, **interval}, {"n_labels": 120, "value": 0.85, **interval}]
    record = dict(model.record) | {
        "shift": {"column": 2, "p_value": 1e-6, "class_prior": 0.1},
        "learning_curve": [*reversed(points), {**points[0], "n_labels": -1}, {**points[0], "n_labels": 5, "value": 7}],
        "learning_curve_sentence": "More labels would help.",
    }
    far = claims.assign(amount=1e6)
    done = write_report(replace(model, record=record), far, tmp_path / "page.html", label="fraud")
    page = checked_page(tmp_path / "page.html")
    assert "“amount”" in page.section("summary")
    assert "'amount'" in done.drift
    assert page.section("summary").count('class="caution"') == 2
    assert "With 60 labelled rows the AUC on rows held out is 0.800, with 120 it is 0.850." in page.section("labels")
    assert "More labels would help." in page.section("labels")


def test_positive_rows_alone(claims, tmp_path):
    table = claims.assign(fraud=claims["fraud"].where(claims["fraud"] == "fraud"))
    model = fit_table(table, "fraud", positive="fraud", row_id="claim_id", tune=False).model
    done = write_report(model, table, tmp_path / "page.html")
    page = checked_page(tmp_path / "page.html")
    assert done.auc.value > 0.5
    assert done.n_negative == 0
    assert "There are no negative rows" in page.section("roc")
    assert "Unlabelled rows above the cut" in page.section("roc")
    assert "stand in for negatives" in page.section("importance")


def test_a_table_without_labels(tuned, claims, tmp_path):
    for table, reason in (
        (claims.drop(columns=["fraud"]), "comes without labels"),
        (claims.assign(fraud=None), "No row of this table has a label"),
    ):
        done = write_report(tuned, table, tmp_path / "page.html")
        page = checked_page(tmp_path / "page.html")
        assert done.auc is None
        assert reason in page.section("roc")
        assert reason in page.section("importance")
        assert page.section("effects").count("<figure") >= 2
        assert page.section("scores").count("<svg") == 1


def test_arrays_of_many_columns(tmp_path):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 250))
    model = single(rows, rows[:, 7] > 0)
    write_report(model, rows, tmp_path / "page.html", y=rows[:, 7] > 0)
    page = checked_page(tmp_path / "page.html")
    assert "“column 7” matters most" in page.section("importance")
    assert "Of 250 columns the 200" in page.section("importance")
    assert page.section("importance").count("<tr>") == 21
    assert "185 more columns" in page.section("data")


def test_sparse_rows(tmp_path):
    rows = random_rows((200, 60), density=0.1, rng=np.random.default_rng(0))
    y = rows[:, [3]].toarray().ravel() > 0
    write_report(single(rows, y), rows, tmp_path / "page.html", y=y)
    assert "“column 3” matters most" in checked_page(tmp_path / "page.html").section("importance")


class Simulated(RowSource):
    """Rows that are made when they are asked for."""

    n_rows, schema = 0, Schema(3, {})

    def gather(self, numbers):
        return np.sin(np.outer(numbers, [1.0, 2.0, 3.0]))

    def map_chunks(self, work, chunk_rows):
        for first in range(0, self.n_rows, chunk_rows):
            yield work(self.gather(np.arange(first, min(first + chunk_rows, self.n_rows))), first)


def test_memory_does_not_grow_with_unlabelled_rows(tmp_path):
    model, rows, peaks = make_model(parts=(make_part(),), record={}), Simulated(), []
    for rows.n_rows in (200_000, 800_000):
        tracemalloc.start()
        try:
            with thread_limit(2):
                assert write_report(model, rows, tmp_path / "page.html").n_rows == rows.n_rows
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] - peaks[0] < 8 * 100_000


@pytest.mark.parametrize("n_rows", [0, 1, 2, 5])
def test_tables_of_few_rows(tuned, claims, tmp_path, n_rows):
    write_report(tuned, claims[:n_rows], tmp_path / "page.html", label="fraud", top=3)
    page = checked_page(tmp_path / "page.html")
    assert f"{n_rows}" in page.section("data")


def test_one_column_of_categories(tmp_path):
    table = pd.DataFrame({"city": ["Rome", "Oslo", "Bonn", None] * 20})
    model = single(table, table["city"] == "Rome")
    write_report(model, table, tmp_path / "page.html", y=table["city"] == "Rome")
    page = checked_page(tmp_path / "page.html")
    assert all(name in page.section("effects") for name in ("Rome", "Oslo", "missing"))
    assert "no probabilities" in page.section("top")


def test_columns_that_hold_one_value(tmp_path):
    rows = np.ones((30, 2))
    model = make_model(parts=(make_part(n_columns=2),), schema=Schema(2, {}), record={})
    write_report(model, rows, tmp_path / "page.html", y=np.arange(30) % 2)
    page = checked_page(tmp_path / "page.html")
    assert "No column matters by itself" in page.section("importance")
    assert "No column moves the ranking" in page.section("effects")


def test_long_names_and_lists_stay_below_the_limit(tmp_path):
    model = make_model(parts=(make_part(),), schema=Schema(3, {}, ("x0", "x1", "x2")), probabilities=PlattScaling(2, 0))
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(500, 3)), columns=["x0", "x1", "x2"])
    more = {f"kept {number} " + "&" * 200: ["<&>" * 500] * 500 for number in range(10)}
    write_report(model, table.assign(**more), tmp_path / "page.html", keep=list(more), top=500)
    page = checked_page(tmp_path / "page.html")
    assert "left out to keep this file small" in page.section("top")


def test_open_tables_and_files_say_the_same(tuned, claims, tmp_path):
    claims.to_parquet(tmp_path / "claims.parquet")
    by_path = write_report(tuned, tmp_path / "claims.parquet", tmp_path / "page.html")
    first = (tmp_path / "page.html").read_bytes()
    table = open_table(tmp_path / "claims.parquet", label="fraud")
    by_handle = write_report(tuned, table, tmp_path / "page.html", keep=["claim_id"])
    assert by_path.auc == by_handle.auc
    again = (tmp_path / "page.html").read_bytes()
    assert first.replace(b"--label fraud ", b"") == again.replace(b"--label fraud ", b"")


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"top": 0}, ValueError, "'top' parameter of write_report"),
        ({"top": 501}, ValueError, "in the range \\[1, 500\\]"),
        ({"keep": "claim_id"}, TypeError, "'keep' parameter of write_report"),
        ({"keep": ["nothing"]}, ValueError, "keep must name a column of the table"),
        ({"label": "nothing"}, ValueError, "nothing"),
        ({"label": "amount"}, ValueError, "must not name a feature of the model"),
        ({"label": 3.5j}, TypeError, "'label' parameter of write_report"),
        ({"random_state": -1}, ValueError, "random_state"),
        ({"path": 3}, TypeError, "'path' parameter of write_report"),
        ({"path": "nowhere/at/all.html"}, FileNotFoundError, "Cannot write the report"),
        ({"y": [1, 2], "label": "fraud"}, ValueError, "one place"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(tuned, claims, tmp_path, monkeypatch, options, error, sentence):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=sentence):
        write_report(**({"model": tuned, "table": claims, "path": "page.html"} | options))
    assert not list(tmp_path.iterdir())


def test_the_report_replaces_neither_table_nor_model(tuned, claims, tmp_path):
    claims.to_csv(tmp_path / "claims.csv", index=False)
    shutil.copy(tuned, tmp_path / "model.safetensors")
    for name in ("claims.csv", "model.safetensors"):
        with pytest.raises(ValueError, match=r"^path must not overwrite an input file"):
            write_report(tmp_path / "model.safetensors", tmp_path / "claims.csv", tmp_path / name)
    with pytest.raises(ValueError, match=r"^keep must name columns of a table. Got 'a' for an array; leave keep out"):
        write_report(make_model(), np.zeros((2, 3)), tmp_path / "page.html", keep=["a"])


def test_the_command(tuned, claims, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    claims.to_csv("claims.csv", index=False)
    arguments = ["report", str(tuned), "claims.csv", "-o", "page.html", "--keep", "claim_id,city", "--top", "5"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "400 rows, 120 of them with labels. AUC on its labelled rows: " in out
    assert "Report: page.html, " in out
    page = checked_page(tmp_path / "page.html")
    command = re.search(r"<code>(.*?)</code>", page.markup)[1]
    assert command == (
        "s2auc report fraud.safetensors claims.csv -o page.html --label fraud --keep claim_id --keep city --top 5 "
        "--seed 0"
    )
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["n_rows"], found["n_positive"] + found["n_negative"], found["warnings"]) == (400, 120, [])
    assert found["auc_low"] < found["auc"] < found["auc_high"]
    assert main([*arguments[:3], "-o", "nowhere/page.html"]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_browser_shows_it_without_a_request_or_an_error(tuned, claims, tmp_path):
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("chromium is not installed")
    out = tmp_path / "report.html"
    write_report(tuned, claims, out)
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    options += ["--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--v=0"]
    options += ["--window-size=1400,3000", "--hide-scrollbars"]
    names = [f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={tmp_path / 'shot.png'}"]
    log = f"--log-net-log={tmp_path / 'net.json'}"
    try:
        ended = subprocess.run(
            [browser, *options, *names, log, out.as_uri()], capture_output=True, text=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip("chromium did not end within a minute")
    if not (tmp_path / "shot.png").exists():
        pytest.skip(f"chromium does not start here: {ended.stderr[-300:]}")
    assert "CONSOLE" not in ended.stderr
    assert (tmp_path / "shot.png").stat().st_size > 30_000
    # The browser itself asks its makers for the time and for updates, whatever page it shows.
    addresses = re.findall(r'"url":"([^"]+)"', (tmp_path / "net.json").read_text(errors="replace"))
    assert not [address for address in addresses if address.startswith("http") and "google" not in address]
