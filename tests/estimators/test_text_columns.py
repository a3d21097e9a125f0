"""Fits and scores of tables with text columns."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from checkpointed_fits import model_bytes, stop_fit
from s2auc import (
    OptAGClassifier,
    PNUAUCClassifier,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    fit_table,
    inspect_model,
    load_model,
    open_table,
    score_table,
)
from s2auc.data.tables import pieces
from s2auc.models.summary import model_facts
from text_tables import SMALL_SEARCH, make_text_table, make_texts

N_LABELED = 60
FRAME, LABELS, TRUTH = make_text_table(n_labeled=N_LABELED)
REST = slice(N_LABELED, None)


def search(**changes):
    return S2AUCClassifierCV(**SMALL_SEARCH | changes)


@pytest.fixture(scope="module")
def fitted():
    return search().fit(FRAME, LABELS)


def score(ranker, frame):
    return ranker.score(frame[REST], TRUTH[REST])


def test_fits_with_text_beat_those_without(fitted):
    numbers = score(search().fit(FRAME[["amount"]], LABELS), FRAME[["amount"]])
    text = score(search().fit(FRAME[["note"]], LABELS), FRAME[["note"]])
    assert numbers < 0.75
    assert text > numbers + 0.1
    assert score(fitted, FRAME) > max(numbers + 0.1, text - 0.02)
    single = S2AUCClassifier(max_iter=40, random_state=0)
    assert (
        score(single.fit(FRAME, LABELS), FRAME) > score(single.fit(FRAME[["amount"]], LABELS), FRAME[["amount"]]) + 0.1
    )


def test_two_text_columns_say_more_than_one():
    weak = [make_texts(TRUTH, seed, n_topic=1, n_filler=9) for seed in (5, 6)]
    both = pd.DataFrame({"first": weak[0], "second": weak[1]})
    found = search().fit(both, LABELS)
    assert [source for source, _ in found.model_.schema.texts.values()] == ["first", "second"]
    assert score(found, both) > score(search().fit(both[["first"]], LABELS), both[["first"]]) + 0.02


def test_names_are_categories_and_text():
    rng = np.random.default_rng(0)
    jobs = {1: ["nurse", "surgeon", "midwife"], 0: ["driver", "mason", "clerk"]}
    titles = [f"{rng.choice(list('abcdefgh')) * 3} {rng.choice(jobs[int(c)])} {rng.integers(10, 18)}" for c in TRUTH]
    frame = FRAME.assign(note=titles)
    found = search().fit(frame, LABELS)
    (column, _) = found.model_.schema.columns()
    assert column.is_categorical
    assert {"nurse", "driver"} <= set(column.text.vocabulary.terms.words)
    assert score(found, frame) > 0.9
    unknown = frame[REST].assign(note=[f"unknown {title.split()[1]}" for title in titles[REST]])
    assert found.score(unknown, TRUTH[REST]) > 0.85  # names that were never seen, of words that were


def as_files(frame, folder):
    frame.to_csv(folder / "table.csv", index=False)
    pq.write_table(pa.Table.from_pandas(frame), folder / "table.parquet", row_group_size=97)
    (folder / "parts").mkdir()
    for place in range(3):
        part = pa.Table.from_pandas(frame[place * 200 : (place + 1) * 200], preserve_index=False)
        pq.write_table(part, folder / "parts" / f"{place}.parquet")
    return [folder / "table.csv", folder / "table.parquet", folder / "parts"]


def test_the_same_bits_from_every_kind_of_table(fitted, tmp_path, monkeypatch):
    expected, scores = model_bytes(fitted, tmp_path), fitted.decision_function(FRAME)
    monkeypatch.setattr(pieces, "BATCH_ROWS", 50)
    tables = [pl.from_pandas(FRAME), FRAME.to_dict("list"), pa.Table.from_pandas(FRAME), *as_files(FRAME, tmp_path)]
    for table in [*tables, FRAME.assign(note=FRAME["note"].astype("string[pyarrow]"))]:
        opened = table if isinstance(table, pd.DataFrame) else open_table(table).X
        found = search().fit(opened, LABELS)
        assert model_bytes(found, tmp_path) == expected, type(table)
        assert found.decision_function(opened).tobytes() == scores.tobytes()


def test_scores_do_not_depend_on_the_rows_that_come_with_them(fitted):
    scores = fitted.decision_function(FRAME)
    order = np.random.default_rng(0).permutation(len(FRAME))
    assert fitted.decision_function(FRAME.iloc[order]).tobytes() == scores[order].tobytes()
    for row in (0, 77, 599):
        assert fitted.decision_function(FRAME.iloc[[row]]).tobytes() == scores[[row]].tobytes()


def test_models_are_saved_with_texts(fitted, tmp_path):
    fitted.save(tmp_path / "m.model")
    loaded = load_model(tmp_path / "m.model")
    assert loaded.decision_function(FRAME).tobytes() == fitted.decision_function(FRAME).tobytes()
    FRAME.to_csv(tmp_path / "rows.csv", index=False)
    score_table(loaded, tmp_path / "rows.csv", tmp_path / "scores.csv")
    scores = pd.read_csv(tmp_path / "scores.csv")
    np.testing.assert_allclose(scores.iloc[:, -1], fitted.decision_function(FRAME), rtol=1e-6)


def test_terms_of_few_texts_are_nowhere_in_the_file(tmp_path):
    secret = "Zebulon Quixotewicz"
    notes = [f"{note} {secret}" if place % 150 == 0 else note for place, note in enumerate(FRAME["note"])]
    assert sum(secret in note for note in notes) == 4
    data = model_bytes(search().fit(FRAME.assign(note=notes), LABELS), tmp_path).lower()
    for term in (b"zebulon", b"quixote", b" zeb", b"quix", b"icz "):
        assert term not in data
    table = open_table(FRAME.assign(note=notes), min_text_rows=4)
    assert b"zebulon" in model_bytes(search().fit(table.X, LABELS), tmp_path).lower()


def test_the_model_is_that_of_one_setting(fitted):
    single = S2AUCClassifier(**fitted.best_params_).fit(FRAME, LABELS)
    assert "columns" not in fitted.best_params_
    assert score(single, FRAME) > 0.75
    alone = search().fit(FRAME[["note"]], LABELS)
    assert score(S2AUCClassifier(**alone.best_params_).fit(FRAME[["note"]], LABELS), FRAME[["note"]]) > 0.75


def test_settings_for_comparison_take_no_part(fitted, tmp_path):
    judged = search(judge=True).fit(FRAME, LABELS)
    assert judged.did_unlabeled_help_.difference is not None
    assert judged.chosen_params_ == fitted.chosen_params_
    assert len(judged.cv_results_["params"]) == len(fitted.cv_results_["params"])
    assert judged.held_out_auc_.value > 0.9
    # Held-out scores of more folds only move the threshold.
    mine, expected = (ranker.decision_function(FRAME) + ranker.offset_ for ranker in (judged, fitted))
    np.testing.assert_allclose(mine, expected, rtol=1e-6, atol=1e-6)


class Stopping:
    """Asks a search to stop after some entries."""

    def __init__(self, n_entries):
        self.n_entries = n_entries

    def __call__(self, *_):
        self.n_entries -= 1
        return self.n_entries <= 0


def test_without_comparison_nothing_is_said_of_unlabelled_rows(monkeypatch):
    labeled = search(judge=True).fit(FRAME, TRUTH)
    assert "There are no unlabelled rows" in str(labeled.did_unlabeled_help_)
    assert "judge=False left that out" in str(search().fit(FRAME, LABELS).did_unlabeled_help_)
    assert "judge=False left that out" in str(search().fit(FRAME[["note"]], LABELS).did_unlabeled_help_)
    whole = search(judge=True).fit(FRAME, LABELS)
    for n_entries in (12, 14):  # in the middle of those for comparison
        monkeypatch.setattr("s2auc.search.progress.SearchProgress.entry_done", Stopping(n_entries))
        stopped = search(judge=True).fit(FRAME, LABELS)
        assert "ended before" in str(stopped.did_unlabeled_help_)
        assert stopped.chosen_params_ == whole.chosen_params_


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_thresholds_for_a_share_of_alerts(share):
    found = search(threshold=("alerts", share)).fit(FRAME, LABELS)
    assert np.mean(found.predict(FRAME[REST]) == 1) == pytest.approx(share, abs=0.005)


def test_positive_and_unlabelled_rows_only():
    positive = np.where(LABELS == 1, 1, -1)
    found = search(labeled_weights="auto", pos_label=1).fit(FRAME[["note"]], positive)
    assert score(found, FRAME[["note"]]) > 0.75


def test_fits_go_on():
    ranker = S2AUCClassifier(max_iter=20, random_state=0)
    first = score(ranker.partial_fit(FRAME, LABELS, classes=[0, 1]), FRAME)
    vocabulary = ranker.model_.schema.texts
    later = FRAME.assign(note="entirely other words of later rows")
    ranker.partial_fit(later, LABELS)
    assert ranker.model_.schema.texts == vocabulary
    warm = S2AUCClassifier(max_iter=20, random_state=0, warm_start=True).fit(FRAME, LABELS)
    assert score(warm, FRAME) == first
    assert score(warm.set_params(max_iter=40).fit(FRAME, LABELS), FRAME) > 0.85


@pytest.mark.parametrize("n_done", [1, 4])
def test_checkpoints_resume_to_the_same_bytes(n_done, tmp_path):
    expected = model_bytes(search(judge=True).fit(FRAME, LABELS), tmp_path)
    ranker = search(judge=True, checkpoint=tmp_path / "work")
    stop_fit(ranker, "search", n_done, FRAME, LABELS)
    assert model_bytes(ranker.fit(FRAME, LABELS), tmp_path) == expected


def test_summaries_count_a_text_column_once(fitted):
    assert "2, 1 of them text: note, amount" in model_facts(fitted.model_).values()
    found = inspect_model(fitted.model_)
    assert (found["n_columns"], found["columns"]) == (2, ["note", "amount"])
    assert found["texts"] == {"note": fitted.model_.schema.columns()[0].text.vocabulary.n_terms}


BAD_CELLS = {
    "empty": "",
    "missing": None,
    "one_word": "word",
    "three_words": ["yes", "no", "maybe"] * 200,
    "numbers": np.random.default_rng(0).permutation(600) * 1.0,
    "nul": [f"{note}\x00\x00 nul\x00" for note in FRAME["note"]],
    "html": [f"<p class='x'>{note}</p>&nbsp;<script>alert(1)</script>" for note in FRAME["note"]],
    "different": [f"w{number}x{number * 7}" for number in np.random.default_rng(0).permutation(600)],
    "blanks": ["\u3000 \t\n"] * 600,
    "emoji": ["😀👩‍👩‍👧", "🇩🇪 ☕"] * 300,
    "mixed": [f"{note} 東京 привет مرحبا" for note in FRAME["note"]],
}


@pytest.mark.parametrize("cells", BAD_CELLS.values(), ids=BAD_CELLS)
def test_any_text_is_learnt_and_scored(cells, fitted, tmp_path):
    frame = FRAME.assign(note=cells)
    found = search(text_features=["note"]).fit(frame, LABELS)
    scores = found.decision_function(frame)
    assert np.isfinite(scores).all()
    found.save(tmp_path / "m.model")
    assert load_model(tmp_path / "m.model").decision_function(frame).tobytes() == scores.tobytes()
    assert np.isfinite(fitted.decision_function(frame)).all()


def test_a_text_column_that_says_nothing_is_no_table():
    with pytest.raises(ValueError, match="X must have a column that differs between rows"):
        search(text_features=["note"]).fit(FRAME[["note"]].assign(note=""), LABELS)


def test_a_huge_cell_is_read_to_a_bound(fitted):
    huge = FRAME.assign(note=[*FRAME["note"][:-1], "prize winner " * 800_000])
    same = FRAME.assign(note=[*FRAME["note"][:-1], "prize winner " * 10_000])
    assert fitted.decision_function(huge).tobytes() == fitted.decision_function(same).tobytes()
    assert score(search(members=["linear"]).fit(huge, LABELS), FRAME) > 0.9


WRONG = {
    "missing": (FRAME[["amount"]], r"X must have the columns .* Missing: 'note'; add them"),
    "array": (np.zeros((3, 2)), r"X must be a data frame .* as its columns 'note' held text\. Got ndarray"),
    "dates": (FRAME.assign(note=pd.Timestamp("2024-02-29")), r"Column 'note' of X must hold text.*Got dates"),
    "bytes": (FRAME.assign(note=b"abc"), r"Column 'note' of X must hold text"),
}


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize(("rows", "message"), WRONG.values(), ids=WRONG)
def test_rows_without_the_text_are_refused(rows, message, fitted):
    with pytest.raises(ValueError, match=message):
        fitted.decision_function(rows)


BAD_PARAMETERS = {
    "unknown": (FRAME, ["nope"], "text_features must list columns of X, which are 'note', 'amount'. Got 'nope'"),
    "place": (FRAME, [2], "text_features must list column names, or column numbers from 0 to 1. Got 2"),
    "text": (FRAME, "note", r"text_features must be None, or a list .*pass \['note'\]"),
    "type": (FRAME, "from_dtype", "text_features must be None, or a list"),
    "numbers": (np.zeros((600, 2)), [0], "text_features must be left out where X holds numbers only"),
    "dates": (FRAME.assign(day=pd.Timestamp("2024-02-29")), ["day"], "Column 'day' of X must hold text"),
    "same_name": (
        FRAME.assign(**{"note (text 1)": FRAME["amount"]}),
        None,
        r"different names. Got 'note \(text 1\)' more than once",
    ),
}


@pytest.mark.parametrize(("rows", "texts", "message"), BAD_PARAMETERS.values(), ids=BAD_PARAMETERS)
def test_wrong_text_features_are_refused(rows, texts, message):
    with pytest.raises(ValueError, match=message):
        search(text_features=texts).fit(rows, LABELS)


@pytest.mark.parametrize("least", [0, -1, 2.5, True, "5", None])
def test_wrong_min_text_rows_are_refused(least):
    with pytest.raises(ValueError, match=f"min_text_rows must be a whole number from 1. Got {least!r}"):
        open_table(FRAME, min_text_rows=least)


def test_texts_of_arrays_of_objects():
    X = FRAME.to_numpy(dtype=object)
    found = search(text_features=[0]).fit(X, LABELS)
    assert found.score(X[REST], TRUTH[REST]) > 0.9
    with pytest.raises(ValueError, match=r"Column 0 of X must hold numbers.*text_features"):
        search().fit(X, LABELS)


@pytest.mark.parametrize("make", [PNUAUCClassifier, SAMULTClassifier, OptAGClassifier])
def test_baselines_have_no_text_columns(make):
    with pytest.raises(ValueError, match=r"Column 'note' of X must hold numbers\. Got text such as"):
        make().fit(FRAME, LABELS)


def test_tables_of_files_by_name(tmp_path, fast_search):
    FRAME.assign(label=np.where(LABELS < 0, None, LABELS)).to_csv(tmp_path / "t.csv", index=False)
    fit = fit_table(tmp_path / "t.csv", "label", text=["amount"], min_text_rows=30, random_state=0)
    for (_, encoding), cells in zip(
        fit.model.schema.texts.values(), (FRAME["note"], FRAME["amount"].astype(str)), strict=True
    ):
        assert encoding.vocabulary.n_terms > 10
        for gram in encoding.vocabulary.terms.grams:
            assert sum(gram in f" {' '.join(cell.split())} ".lower() for cell in set(cells)) >= 30


def test_words_are_learnt_from_all_rows_wherever_they_are(fitted):
    pooled = search().fit(FRAME[:N_LABELED], LABELS[:N_LABELED], FRAME[REST])
    (mine, expected) = (ranker.model_.schema.columns()[0].text for ranker in (pooled, fitted))
    assert mine.vocabulary.terms.names == expected.vocabulary.terms.names
    np.testing.assert_array_equal(mine.components[:, :-1], expected.components[:, :-1])


def test_warnings_and_summaries_call_a_text_column_by_its_name():
    other = FRAME.assign(note=np.where(LABELS < 0, FRAME["note"], "other words of other times " + FRAME["note"]))
    with pytest.warns(UserWarning, match=r"rows differ in column 0 \('note'\) more than"):
        found = search().fit(other, LABELS)
    facts = " ".join(model_facts(found.model_).values())
    assert "note" in facts
    assert "note (text" not in facts


def test_a_row_of_an_unlabelled_table_may_lack_the_text():
    lacking = FRAME[-30:].assign(note=None)
    found = search().fit(FRAME[:N_LABELED], LABELS[:N_LABELED], pd.concat([FRAME[REST], lacking]))
    assert score(found, FRAME) > 0.9


def test_a_column_is_text_or_categorical():
    ranker = S2AUCClassifier(categorical_features=["note"], text_features=["note"])
    with pytest.raises(
        ValueError, match=r"categorical_features must name other columns than text_features\. Got 'note'"
    ):
        ranker.fit(FRAME, LABELS)
