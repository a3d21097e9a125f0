"""Columns that name rows are left out; columns that describe them stay."""

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest

from s2auc.data.frames import read_columns
from s2auc.data.identifiers import is_doubtful, says_identifier, why_left_out
from s2auc.data.learning import learn_tables

rng = np.random.default_rng(0)


def column_of(values, make=pd.DataFrame):
    [column] = read_columns(make({"x": values}))
    return column


def texts(numbers):
    return [f"row {number}" for number in numbers]


NAMED = {
    "counting": ("x", np.arange(1, 201)),
    "shuffled": ("x", rng.permutation(200)),
    "a start": ("x", 10_000 + rng.permutation(20)),
    "negative": ("x", -rng.permutation(200)),
    "a sample of most rows": ("x", rng.permutation(1000)[:600]),
    "large unsigned": ("x", np.arange(2**64 - 50, 2**64, dtype=np.uint64)),
    "an id by its name": ("customer_id", rng.choice(10**9, 200, replace=False)),
    "the index of a frame": ("Unnamed: 0", np.arange(50) * 1000),
    "names": ("x", texts(range(200))),
    "few names": ("x", texts(range(20))),
    "names with gaps": ("x", [*texts(range(40)), None, None]),
    "free text": ("x", texts([*range(150), *range(50)])),
}
DESCRIBING = {
    "a small table": ("id", np.arange(19)),
    "a few names": ("x", texts(range(19))),
    "incomes": ("x", rng.choice(90_000, 200, replace=False) + 10_000),
    "cents": ("x", (rng.lognormal(10, 1, 500) * 100).astype(int)),
    "populations": ("x", rng.choice(10**7, 300, replace=False)),
    "times": ("x", 1_700_000_000 + np.cumsum(rng.integers(1, 4000, 500))),
    "every minute": ("x", 1_700_000_000 + 60 * np.arange(500)),
    "ages": ("x", rng.integers(18, 90, 200)),
    "different ages of a few": ("x", rng.choice(np.arange(18, 90), 30, replace=False)),
    "an id that occurs again": ("customer_id", np.arange(200) % 120),
    "floats that count": ("id", np.arange(200.0)),
    "booleans": ("id", np.arange(200) % 2 == 0),
    "cities": ("x", texts(rng.integers(0, 30, 200))),
    "many cities": ("x", texts(rng.integers(0, 5000, 20_000))),
    "many cities in few rows": ("x", texts(rng.integers(0, 60, 100))),
    "declared": ("x", pd.Categorical(texts(range(200)))),
    "nothing": ("x", [None] * 50),
}


@pytest.mark.parametrize("case", NAMED)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_that_name_rows(case, make):
    name, values = NAMED[case]
    column = column_of(values, make)
    assert is_doubtful(column)
    assert why_left_out(name, [column])
    turned = column_of(list(values)[::-1] if isinstance(values, list) else values[::-1], make)
    assert why_left_out(name, [turned]) == why_left_out(name, [column])


@pytest.mark.parametrize("case", DESCRIBING)
def test_columns_that_describe_rows(case):
    name, values = DESCRIBING[case]
    assert why_left_out(name, [column_of(values)]) is None


def test_doubt_is_never_less_than_the_answer():
    for name, values in DESCRIBING.values():
        column = column_of(values)
        assert is_doubtful(column) or why_left_out(name, [column]) is None


def test_both_tables_count():
    few, more = column_of(texts(range(30))), column_of(texts(rng.integers(0, 30, 500)))
    assert why_left_out("x", [few])
    assert why_left_out("x", [few, more]) is None, "categories that happen to differ in few rows"
    assert why_left_out("x", [few, column_of(texts(range(30, 500)))])
    assert why_left_out("x", [few, column_of(texts(range(500)))]), "unlabelled rows that hold the labelled ones"
    assert why_left_out("x", [column_of(texts(range(15))), column_of(texts(range(15, 25)))]), "together they are enough"
    numbers = column_of(rng.permutation(40))
    assert why_left_out("x", [numbers, column_of(rng.permutation(1000))])
    assert why_left_out("x", [numbers, column_of(rng.integers(0, 40, 500))]) is None
    assert why_left_out("x", [numbers, column_of(rng.choice(10**6, 500, replace=False))]) is None
    assert why_left_out("x", [column_of(np.arange(0, 400, 2)), column_of(np.arange(1, 400, 2))]), "a split of rows"


def test_names_that_say_identifier():
    said = ["id", "ID", "Id", "customer_id", "customer-id", "PassengerId", "userID", "UUID", "row uuid", "index"]
    silent = ["acid", "humid", "idle", "id_like", "price_index", "", "width", "Druid", "pid1"]
    assert all(map(says_identifier, said))
    assert not any(map(says_identifier, silent))


def test_large_tables_are_judged_fast():
    n_rows = 2_000_000
    frame = pl.DataFrame(
        {
            "id": rng.permutation(n_rows),
            "cents": rng.integers(0, 10**12, n_rows),
            "age": rng.integers(0, 90, n_rows),
        }
    )
    started = time.process_time()
    with pytest.warns(UserWarning, match="left out: 'id'"):
        schema, _ = learn_tables(frame, None, "from_dtype")
    assert time.process_time() - started < 2.0  # about 0.2 on an idle machine
    assert schema.names == ("cents", "age")
