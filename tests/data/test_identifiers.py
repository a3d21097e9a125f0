"""Columns that name rows are ignored; columns that describe them stay."""

import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from s2auc import open_table
from s2auc.data.inputs import as_rows, learn_schema
from s2auc.data.schema.identifiers import says_identifier
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning

rng = np.random.default_rng(0)


def rows_of(name, values, make=pd.DataFrame):
    """Return rows with one column, and another that describes them."""
    return as_rows(make({name: values, "other": np.arange(len(values)) % 2 + 0.5}))


def why_ignored(name, values, *, pool=None, make=pd.DataFrame):
    """Return why a column is ignored; None if it is not."""
    rows = rows_of(name, values, make)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IgnoredColumnsWarning)
        schema = learn_schema(rows, "from_dtype", None if pool is None else rows_of(name, pool, make))
    reason = rows.learnt.reasons.get(name)
    assert (name in schema.source_names) == (reason is None)
    return reason


def texts(numbers):
    return [f"row {number}" for number in numbers]


NAMED = {
    "counting": ("x", np.arange(1, 201)),
    "shuffled": ("x", rng.permutation(200)),
    "a start": ("x", 10_000 + rng.permutation(20)),
    "negative": ("x", -rng.permutation(200)),
    "a sample of most rows": ("x", rng.permutation(1000)[:600]),
    "rising": ("x", np.cumsum(rng.integers(1, 4000, 500))),
    "falling": ("x", 10**6 - np.cumsum(rng.integers(1, 4000, 100))),
    "row names that are left after a filter": ("rownames", np.flatnonzero(rng.random(3000) < 0.1)),
    "every minute": ("x", 1_700_000_000 + 60 * np.arange(500)),
    "fifteen digits": ("x", rng.integers(10**14, 10**15, 200)),
    "eighteen digits": ("x", rng.integers(10**17, 10**18, 200)),
    "large unsigned": ("x", np.arange(2**64 - 50, 2**64, dtype=np.uint64)),
    "an id first in its name": ("id_str", rng.choice(10**9, 200, replace=False)),
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
    "times": ("x", rng.permutation(1_700_000_000 + np.cumsum(rng.integers(1, 4000, 500)))),
    "every minute in any order": ("x", rng.permutation(1_700_000_000 + 60 * np.arange(500))),
    "fourteen digits": ("x", rng.integers(10**13, 10**14, 200)),
    "rising with a repeat": ("x", np.cumsum(rng.integers(1, 4000, 500)) // 5000),
    "ages": ("x", rng.integers(18, 90, 200)),
    "different ages of a few": ("x", rng.choice(np.arange(18, 90), 30, replace=False)),
    "an id that occurs again": ("customer_id", np.arange(200) % 120),
    "floats that count": ("id", np.arange(200.0)),
    "booleans": ("id", np.arange(200) % 2 == 0),
    "cities": ("x", texts(rng.integers(0, 30, 200))),
    "many cities": ("x", texts(rng.integers(0, 5000, 20_000))),
    "many cities in few rows": ("x", texts(rng.integers(0, 60, 100))),
    "declared": ("x", pd.Categorical(texts(range(200)))),
}


@pytest.mark.parametrize("case", NAMED)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_that_name_rows(case, make):
    name, values = NAMED[case]
    reason = why_ignored(name, values, make=make)
    assert reason is not None
    assert reason.startswith("text that is different" if isinstance(values, list) else "row ID: ") or "codes" in reason
    assert why_ignored(name, values[::-1], make=make) == reason


@pytest.mark.parametrize("case", NAMED)
def test_numbers_that_name_rows_may_be_text(case):
    name, values = NAMED[case]
    if not isinstance(values, list):
        spelled = [str(value) for value in values]
        # More digits than numbers can hold are text: it is different in every row.
        expected = why_ignored(name, values) if len(spelled[0]) < 16 else "text that is different in every row"
        assert why_ignored(name, spelled) == expected


@pytest.mark.parametrize("case", DESCRIBING)
def test_columns_that_describe_rows(case):
    name, values = DESCRIBING[case]
    assert why_ignored(name, values) is None


def test_columns_that_a_user_names_stay():
    for name, values in NAMED.values():
        frame = pd.DataFrame({name: values, "other": np.arange(len(values)) % 2 + 0.5})
        kept = open_table(frame, features=[name, "other"]).X
        assert learn_schema(kept).source_names == (name, "other")
        assert learn_schema(as_rows(frame), [name]).source_names == (name, "other")


def test_both_tables_count():
    few, more = texts(range(30)), texts(rng.integers(0, 30, 500))
    assert why_ignored("x", few)
    assert why_ignored("x", few, pool=more) is None, "categories that happen to differ in few rows"
    assert why_ignored("x", few, pool=texts(range(30, 500)))
    assert why_ignored("x", few, pool=texts(range(500))), "unlabelled rows that hold the labelled ones"
    assert why_ignored("x", texts(range(15)), pool=texts(range(15, 25))), "together they are enough"
    numbers = rng.permutation(40)
    assert why_ignored("x", numbers, pool=rng.permutation(1000))
    assert why_ignored("x", numbers, pool=rng.integers(0, 40, 500)) is None
    assert why_ignored("x", numbers, pool=rng.choice(10**6, 500, replace=False)) is None
    assert why_ignored("x", np.arange(0, 400, 2), pool=np.arange(1, 400, 2)), "a split of rows"
    split = rng.permutation(400)
    assert why_ignored("x", split[:200], pool=split[200:]), "a split of shuffled rows"


def test_names_that_say_identifier():
    said = ["id", "ID", "Id", "customer_id", "customer-id", "PassengerId", "userID", "UUID", "row uuid", "index"]
    said += ["id_str", "id_like", "idCustomer", "rownames", "row names", "rowid", "Unnamed: 0", "Unnamed: 12"]
    silent = ["acid", "humid", "idle", "price_index", "", "width", "Druid", "pid1", "paid", "unnamed", "names"]
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
    with pytest.warns(IgnoredColumnsWarning, match="ignored: 'id'"):
        schema = learn_schema(as_rows(frame))
    assert time.process_time() - started < 2.0  # about 0.2 on an idle machine
    assert schema.names == ("cents", "age")
