"""Schemas with text columns: names, views, places, and rows by them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from s2auc import open_table
from s2auc.data.features.scaling import SCALINGS, ColumnSample, prepare_columns
from s2auc.data.inputs import as_rows, open_terms
from s2auc.data.schema.arrow_columns import ArrowColumn
from s2auc.data.schema.schema import LearntColumn, Schema
from s2auc.data.tables import arrow_rows, pieces
from s2auc.data.text.text_encoding import learn_text_encoding
from text_tables import make_texts

TEXTS = make_texts([0, 1] * 30)
NOTE, TITLE = learn_text_encoding(TEXTS, 2), learn_text_encoding(TEXTS, 1, min_texts=9)
LEVELS = ("Cook", "Maid")
COLUMNS = [
    LearntColumn("age"),
    LearntColumn("note", text=NOTE),
    LearntColumn("day", parts=("month", "weekday")),
    LearntColumn("title", True, LEVELS, text=TITLE),
    LearntColumn("city", True, ("Oslo", "Rome")),
    LearntColumn("job", text=TITLE),
]
SCHEMA = Schema.of_columns(COLUMNS, {0: "id", 3: "code"})
LABELS = [
    *("age", "note (text 1)", "note (text 2)", "note (words)", "day (month)", "day (weekday)"),
    *("title", "title (text 1)", "title (words)", "city", "job (text 1)", "job (words)"),
]


def test_columns_have_names_places_and_blocks():
    assert SCHEMA.column_labels == LABELS
    assert SCHEMA.displayed_names == ["age", "note", "day (month)", "day (weekday)", "title", "city", "job"]
    assert SCHEMA.text_blocks == {1: slice(1, 4), 7: slice(7, 9), 10: slice(10, 12)}
    assert SCHEMA.sum_columns.tolist() == [3, 8, 11]
    assert SCHEMA.columns() == COLUMNS
    assert [column.n_columns for column in SCHEMA.columns()] == [1, 3, 2, 3, 1, 2]
    assert (SCHEMA.n_sources, SCHEMA.n_passed) == (6, 8)
    assert SCHEMA.source_names == ("age", "note", "day", "title", "city", "job")
    assert SCHEMA.passed_names == ["id", "age", "note", "code", "day", "title", "city", "job"]
    assert SCHEMA.source_places == [1, 2, 4, 5, 6, 7]
    assert SCHEMA.places == [1, 2, 2, 2, 4, 4, 5, 5, 5, 6, 7, 7]
    assert SCHEMA.is_categorical.nonzero()[0].tolist() == [6, 9]


def test_views_show_texts_or_other_columns_but_no_sums():
    views = {view: SCHEMA.columns_of_view(view).tolist() for view in ("all", "text", "other")}
    assert views == {"all": [0, 1, 2, 4, 5, 6, 7, 9, 10], "text": [1, 2, 7, 10], "other": [0, 4, 5, 6, 9]}
    plain = Schema(2, {})
    assert plain.columns_of_view("all").tolist() == plain.columns_of_view("other").tolist() == [0, 1]
    assert plain.columns_of_view("text").tolist() == []


def test_rows_are_encoded_column_by_column():
    notes, titles = [*TEXTS[:2], None], ["Maid", "free prize", "Cook"]
    arrays = [[1.0, None, 3.0], notes, pd.to_datetime(["2024-02-29"] * 3), titles, ["Rome", "x", None], titles]
    columns = [ArrowColumn(pa.array(array), name) for array, name in zip(arrays, SCHEMA.source_names, strict=True)]
    found = SCHEMA.encode(columns, np.full((3, 12), -1.0))
    expected = np.column_stack(
        [
            [1, np.nan, 3],
            NOTE.numbers(["" if note is None else note for note in notes]),
            [2] * 3,
            [3] * 3,
            [1, np.nan, 0],
            TITLE.numbers(titles),
            [1, np.nan, np.nan],
            TITLE.numbers(titles),
        ]
    )
    np.testing.assert_array_equal(found, expected)


def test_learnt_sums_stand_in_their_columns():
    rng = np.random.default_rng(0)
    sizes = [encoding.vocabulary.n_terms for _, encoding in SCHEMA.texts.values()]
    weights = rng.normal(size=sum(sizes))
    learnt = SCHEMA.with_sums(weights)
    rows = rng.normal(size=(len(TEXTS), 12))
    terms = np.hstack([encoding.vocabulary.rows(TEXTS).toarray() for _, encoding in SCHEMA.texts.values()])
    learnt.fill_sums(rows, terms)
    first = 0
    for column, size in zip((3, 8, 11), sizes, strict=True):
        own = slice(first, first + size)
        np.testing.assert_allclose(rows[:, column], terms[:, own] @ weights[own], rtol=1e-5, atol=1e-6)
        first += size
    assert SCHEMA.columns() == COLUMNS  # which stays as it was


def test_rows_of_terms_are_those_of_the_vocabularies(monkeypatch, tmp_path):
    frame = pd.DataFrame({"a": np.random.default_rng(0).normal(size=60), "note": TEXTS, "b": ["x", None] * 30})
    frame["other"] = TEXTS[::-1]
    table = open_table(frame, text=["note", "other"])
    schema = table.X.learn_schema("from_dtype")
    texts = [encoding for _, encoding in schema.texts.values()]
    pairs = zip(texts, (TEXTS, TEXTS[::-1]), strict=True)
    expected = np.hstack([encoding.vocabulary.rows(cells).toarray() for encoding, cells in pairs])
    monkeypatch.setattr(pieces, "BATCH_ROWS", 7)
    monkeypatch.setattr(arrow_rows, "BATCH_ROWS", 7)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for X in (table.X, as_rows(tmp_path / "t.csv")):
        source = open_terms(X, schema)
        assert (source.n_rows, source.n_columns) == expected.shape
        numbers = np.array([5, 59, 0, 5, 31])
        np.testing.assert_array_equal(source.gather(numbers).toarray(), expected[numbers])
        assert source.gather(np.zeros(0, dtype=np.intp)).shape == (0, expected.shape[1])
        chunks = list(source.map_chunks(lambda rows, first: (first, rows.toarray()), 13))
        np.testing.assert_array_equal(np.vstack([rows for _, rows in chunks]), expected)
        assert [first for first, _ in chunks] == np.cumsum([0, *(len(rows) for _, rows in chunks)])[:-1].tolist()
    assert open_terms(np.zeros((3, 2)), schema) is None
    assert open_terms(table.X, Schema(2, {})) is None


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("view", ["all", "text", "other"])
def test_components_keep_their_proportions(scaling, view):
    rng = np.random.default_rng(0)
    schema = Schema.of_columns([LearntColumn("a"), LearntColumn("note", text=NOTE), LearntColumn("b")])
    rows = np.column_stack([rng.normal(size=60), NOTE.numbers(TEXTS), 100 * rng.random(60)])
    scaled = prepare_columns(ColumnSample.of_rows(rows, schema), SCALINGS[scaling], view).apply(rows)
    shown = schema.columns_of_view(view).tolist()
    assert scaled.shape == (60, len(shown))
    deviation = scaled.std(axis=0)
    texts = np.array([column in (1, 2) for column in shown])
    if view == "all":
        assert np.square(deviation[texts]).sum() == pytest.approx(np.square(deviation[~texts]).sum(), rel=0.02)
        assert deviation[texts][0] / deviation[texts][1] == pytest.approx(rows[:, 1].std() / rows[:, 2].std())
        np.testing.assert_allclose(scaled.mean(axis=0)[texts], 0, atol=1e-9)
