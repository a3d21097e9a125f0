"""Tables without some of their columns, columns by name, what was understood of each, and where rows come from."""

import os

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("pyarrow")

from s2auc.data.table import open_table

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
    np.testing.assert_array_equal(np.asarray(smaller.y), FRAME["fraud"])
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
    table = open_table(where, label="fraud", drop=["same"]).dropping(["id"])
    table.X.roles = {"label": "fraud", "id": "id"}
    roles = {role.name: role for role in table.column_roles}
    assert list(roles) == list(FRAME.columns)
    assert [name for name, role in roles.items() if role.is_learnt_from] == ["age", "city"]
    assert {name: role.role for name, role in roles.items() if role.role} == {
        "id": "names rows",
        "fraud": "the label",
        "same": "dropped",
    }
    assert str(roles["age"]) == "age: numbers (double)"
    assert [line.strip() for line in repr(table).splitlines()[1:]] == [str(role) for role in table.column_roles]


def test_columns_that_are_left_out_say_why():
    table = open_table(FRAME, label="fraud")
    with pytest.warns(UserWarning, match=r"left out"):
        table.X.learn_schema("from_dtype")
    reasons = {role.name: role.role for role in table.column_roles if role.role.startswith("left out: ")}
    assert reasons.keys() == {"id", "same"}


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
    with pytest.raises(ValueError, match=r"Sparse rows have no columns with names. Got 'a'; leave it out"):
        table.column("a")


def test_files_are_told_apart_by_place_size_and_date(where):
    table = open_table(where)
    if where is FRAME:
        assert table.X.origin is None
        return
    assert open_table(where).X.origin == open_table(os.fspath(where), label="fraud").X.origin == table.X.origin
    os.utime(where, ns=(0, where.stat().st_mtime_ns + 1))
    touched = open_table(where).X.origin
    copy = where.with_name(f"copy{where.suffix}")
    copy.write_bytes(where.read_bytes())
    assert len({table.X.origin, touched, open_table(copy).X.origin, open_table([where, copy]).X.origin}) == 4
