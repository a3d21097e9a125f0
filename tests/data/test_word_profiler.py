"""Columns of plain text: recognised as text, names, categories or identifiers."""

import hashlib
import uuid

import numpy as np
import pyarrow as pa
import pytest

from s2auc import open_table
from s2auc.data.inputs import as_rows, learn_schema
from s2auc.data.schema import word_profiler as word_profilers
from s2auc.data.schema.word_profiler import WordProfiler
from text_tables import make_texts

RNG = np.random.default_rng(0)
FIRST = ["senior", "junior", "assistant", "lead", "chief", "deputy", "regional", "head", "trainee", "principal"]
JOBS = ["nurse", "teacher", "driver", "engineer", "clerk", "manager", "analyst", "cook", "guard", "pilot"]
PLACES = ["north", "south", "east", "west", "airport", "harbour", "city", "village", "campus", "station"]
TITLES = [f"{first} {job} {place}" for first in FIRST for job in JOBS for place in PLACES]


def letters(n_letters):
    return "".join(RNG.choice(list("bcdfghjklmnpqrstvwxz"), n_letters))


def uuids(n_rows):
    return [str(uuid.UUID(bytes=RNG.bytes(16))) for _ in range(n_rows)]


COLUMNS = {
    "sentences": (make_texts(RNG.integers(0, 2, 400)), "text"),
    "titles": (list(RNG.permutation(TITLES)[:400]), "text"),
    "few sentences": (make_texts(RNG.integers(0, 2, 120)), "text"),
    "repeated sentences": (make_texts(RNG.integers(0, 2, 150)) * 4, "text"),
    "job titles": (list(RNG.choice(TITLES[:200], 600)), "names"),
    "cities": (list(RNG.choice(["Rome", "Oslo", "New York"], 400)), "categories"),
    "reasons": (list(RNG.choice(make_texts([0, 1] * 30), 400)), "categories"),
    "codes that repeat": ([f"A-{number}" for number in RNG.integers(0, 150, 600)], "categories"),
    "codes": ([f"A-{number}" for number in range(400)], None),
    "UUIDs": (uuids(400), None),
    "hashes": ([hashlib.sha256(bytes([n % 256, n // 256])).hexdigest() for n in range(400)], None),
    "random letters": ([letters(8) for _ in range(400)], None),
    "surnames": ([letters(7).capitalize() for _ in range(400)], None),
    "one word": (["same"] * 400, None),
    "nothing": ([None] * 400, None),
}


@pytest.mark.parametrize(("cells", "found"), COLUMNS.values(), ids=COLUMNS)
def test_columns_are_recognised(cells, found):
    table = open_table({"column": cells, "number": RNG.normal(size=len(cells))})
    schema = table.X.learn_schema("from_dtype") if found else None
    if found is None:
        with pytest.warns(UserWarning, match="column"):
            assert "column" in table.X.learn_schema("from_dtype").left_out.values()
        return
    (column,) = [column for column in schema.columns() if column.name == "column"]
    kind = {(True, False): "categories", (False, True): "text", (True, True): "names"}
    assert kind[column.is_categorical, column.text is not None] == found
    assert table.X.learnt.holds["column"] == found


def test_few_different_texts_are_text_only_if_a_user_says_so():
    cells = make_texts([0, 1] * 30)
    frame = {"note": cells, "number": RNG.normal(size=60)}
    usual = learn_schema(as_rows(frame | {"note": cells[:30] * 2}))
    assert usual.is_categorical.tolist() == [True, False]
    (column, _) = open_table(frame, text=["note"]).X.learn_schema("from_dtype").columns()
    assert not column.is_categorical
    assert "prize" in column.text.vocabulary.terms.words


@pytest.mark.parametrize("cells", [["", None] * 10, ["a"] * 20, ["", *["x y"] * 19], list(range(20)), [1.5] * 20])
def test_whatever_is_called_text_is_text(cells):
    schema = open_table({"note": cells, "number": RNG.normal(size=20)}, text=["note"]).X.learn_schema("from_dtype")
    assert schema.columns()[0].text is not None


@pytest.mark.parametrize("seed", range(3))
def test_what_is_learnt_does_not_depend_on_order_batches_and_joins(seed, monkeypatch):
    monkeypatch.setattr(word_profilers, "MAX_LEVEL_CHARACTERS", [2**26, 3000, 2**26][seed])
    cells = [*COLUMNS["job titles" if seed == 2 else "sentences"][0], None, "NA", " "]
    rng = np.random.default_rng(seed)

    def profiled(texts, n_batches):
        profiler = WordProfiler("note", "'note' of X")
        for some in np.array_split(np.array(texts, dtype=object), n_batches):
            profiler.update(pa.array(some.tolist(), pa.string()))
        return profiler

    expected = profiled(cells, 1)
    shuffled = [cells[place] for place in rng.permutation(len(cells))]
    for other in (profiled(shuffled, 1), profiled(cells, 7), profiled(shuffled, 50)):
        assert other.learnt() == expected.learnt()
        assert (other.n_values, other.n_missing) == (expected.n_values, expected.n_missing)
    joined, *others = [profiled(some.tolist(), 2) for some in np.array_split(np.array(shuffled, dtype=object), 3)]
    for other in others:
        joined.join(other)
    assert joined.learnt() == expected.learnt()
    assert joined.why_ignored(len(cells)) == expected.why_ignored(len(cells)) is None


def test_what_few_rows_say_is_not_kept():
    titles = [*RNG.choice(TITLES[:150], 600), *["Zebulon Quixote"] * 4]
    frame = {"title": titles, "number": RNG.normal(size=len(titles))}
    for least in (5, 8):
        schema = open_table(frame, min_text_rows=least).X.learn_schema("from_dtype")
        column = schema.columns()[0]
        kept = {title for title in titles if titles.count(title) >= least}
        assert set(column.levels) == kept
        for term in (*column.text.vocabulary.terms.words, *column.text.vocabulary.terms.pairs):
            assert sum(f" {term} " in f" {title} " for title in set(titles)) >= least
        assert not any("zeb" in term or "quix" in term for term in column.text.vocabulary.terms.names)


def test_names_of_which_none_is_frequent_have_no_levels():
    titles = [title for title in TITLES[:150] for _ in range(2)]
    frame = {"title": titles, "number": RNG.normal(size=len(titles))}
    column = open_table(frame).X.learn_schema("from_dtype").columns()[0]
    assert column.levels == ()
    assert column.text is not None
