"""Tables without some of their columns, columns by name, what was understood of each, and where rows come from."""

import os

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("pyarrow")

from s2auc.data.labels.labeled_rows import find_labeled_rows
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning
from s2auc.data.tables.table import open_table

N_ROWS = 60
FRAME = pd.DataFrame(
    {
        "id": [f"row {row}" for row in range(N_ROWS)],
        "age": np.arange(N_ROWS) % 7 + 0.5,
        "city": ["Rome", "Oslo"] * 30,
        "fraud": [1.0, None, 0.0] * 20,
        "same": 1,
    }
)


@pytest.fixture(params=["frame", "parquet", "csv", "feather"])
def where(request, tmp_path):
    if request.param == "frame":
        return FRAME
    path = tmp_path / f"rows.{request.param}"
    {"parquet": FRAME.to_parquet, "feather": FRAME.to_feather, "csv": lambda p: FRAME.to_csv(p, index=False)}[
        request.param
    ](path)
    return path


def test_columns_are_dropped_from_those_to_learn_from(where):
    table = open_table(where, label="fraud", drop=["same"])
    smaller = table.dropping(["id", "nowhere"])
    assert table.X.names == ["id", "age", "city"]
    assert smaller.X.names == ["age", "city"]
    assert smaller.dropping(["city"]).X.names == ["age"]
    # Everything else stays.
    assert (smaller.names, smaller.n_rows, smaller.paths) == (table.names, N_ROWS, table.paths)
    assert smaller.X.roles == {"label": "fraud"}
    assert smaller.X.origin == table.X.origin
    assert find_labeled_rows(smaller.y, None).numbers.tolist() == np.flatnonzero(FRAME["fraud"].notna()).tolist()
    assert find_labeled_rows(smaller.y, None).values.tolist() == FRAME["fraud"].dropna().tolist()
    assert table.dropping(["nowhere"]) is table
    assert table.dropping([]) is table


def test_columns_that_were_asked_for_can_be_dropped():
    assert open_table(FRAME, features=["age", "id"]).dropping(["id"]).X.names == ["age"]
    with pytest.raises(
        ValueError, match=r"^The table must have at least one feature\. Got .*, all of which are excluded;"
    ):
        open_table(FRAME, features=["age"]).dropping(["age"])


def test_a_column_by_name(where):
    table = open_table(where, label="fraud")
    assert np.asarray(table.column("city")).tolist() == FRAME["city"].tolist()
    assert table.column("id").n_rows == N_ROWS
    with pytest.raises(ValueError, match=r"name must name a column of the table. Got 'citty', .* did you mean 'city'"):
        table.column("citty")


def test_what_was_understood_of_each_column(where):
    table = open_table(where, label="fraud", drop=["same"]).dropping([], {"id": "id"})
    table.X.learn_schema("from_dtype")
    roles = {role.name: role for role in table.column_roles}
    assert list(roles) == list(FRAME.columns)
    assert [name for name, role in roles.items() if role.is_used] == ["age", "city"]
    assert {name: role.role for name, role in roles.items() if role.role} == {
        "id": "row ID",
        "fraud": "label",
        "same": "dropped",
    }
    assert {name: roles[name].holds for name in ("id", "age", "city")} == {
        "id": "text",
        "age": "numbers",
        "city": "categories",
    }
    assert str(roles["age"]) == "age: numbers"
    assert [line.strip() for line in repr(table).splitlines()[1:]] == [str(role) for role in table.column_roles]


def test_columns_that_are_ignored_say_why(where):
    table = open_table(where, label="fraud")
    with pytest.warns(IgnoredColumnsWarning, match=r"are ignored"):
        table.X.learn_schema("from_dtype")
    reasons = {role.name: role.role for role in table.column_roles if role.role.startswith("ignored: ")}
    assert reasons == {
        "id": "ignored: text that is different in every row",
        "same": "ignored: the same in every row",
    }
    assert not any(role.is_used for role in table.column_roles if role.role)


def test_notes_say_how_cells_were_read(tmp_path):
    cells = {
        "price": ["$1,200", "-", "$15.50"] * 20,
        "when": ["05/03/2024", "31/03/2024", "unknown"] * 20,
        "either": ["05/03/2024", "06/03/2024", "07/04/2024"] * 20,
        "plain": ["1.5", "2", ""] * 20,
    }
    pd.DataFrame(cells).to_csv(tmp_path / "rows.csv", index=False)
    for where in (cells, pd.DataFrame(cells), tmp_path / "rows.csv"):
        table = open_table(where)
        table.X.learn_schema("from_dtype")
        assert [str(role) for role in table.column_roles] == [
            "price: numbers, 20 of 60 cells '-' read as missing, '$1,200' read as 1200",
            "when: dates, 20 of 60 cells 'unknown' read as missing",
            "either: categories, day or month first is not clear: kept as text",
            "plain: numbers",
        ]
        assert table.column_roles[1].notes == ("20 of 60 cells 'unknown' read as missing",)


def test_matrices_and_sparse_rows(tmp_path):
    np.save(tmp_path / "rows.npy", np.arange(12.0).reshape(4, 3))
    table = open_table(tmp_path / "rows.npy", label="2")
    assert table.column_roles == []
    assert table.dropping(["0"]).X.n_columns == 1
    assert table.dropping(["0"]).X.roles == {"label": "2"}
    assert np.asarray(table.column("1")).tolist() == [1.0, 4.0, 7.0, 10.0]
    (tmp_path / "rows.svm").write_text("1 1:2.0\n0 2:3.0\n")
    table = open_table(tmp_path / "rows.svm")
    assert (table.column_roles, table.X.roles) == ([], {})
    assert table.dropping(["0"]) is table
    with pytest.raises(ValueError, match=r"Got 'a', which does not exist; leave it out, as columns have no names here"):
        table.column("a")


def test_files_are_told_apart_by_place_size_and_date(where):
    table = open_table(where)
    if where is FRAME:
        assert table.X.origin is None
        return
    assert open_table(where).X.origin == open_table(os.fspath(where), label="fraud").X.origin == table.X.origin
    os.utime(where, ns=(0, where.stat().st_mtime_ns + 1))
    needed_rows = open_table(where).X.origin
    copy = where.with_name(f"copy{where.suffix}")
    copy.write_bytes(where.read_bytes())
    assert len({table.X.origin, needed_rows, open_table(copy).X.origin, open_table([where, copy]).X.origin}) == 4
