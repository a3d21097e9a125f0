"""Tables as people have them: each works, or is told in one sentence what to change."""

import datetime as dt
import gzip
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

N_ROWS = 40
rng = np.random.default_rng(1)
X1 = rng.normal(size=N_ROWS).round(6)
X2 = rng.integers(0, 9, N_ROWS)
LABELS = ["1", "0", "", "", ""] * 8


def csv_of(*columns, name="t.csv", separator=",", encoding="utf-8", end="\n", header=None):
    """Return how to write columns of text, the label last, to a file."""

    def write(folder):
        names = header or [*(f"c{place}" for place in range(len(columns))), "y"]
        rows = [names, *zip(*columns, LABELS, strict=True)]
        text = end.join(separator.join(map(str, row)) for row in rows) + end
        data = text.encode(encoding)
        (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return folder / name

    return write


def raw(text, name="t.csv", encoding="utf-8"):
    def write(folder):
        (folder / name).write_bytes(text.encode(encoding))
        return folder / name

    return write


def parquet_of(**columns):
    """Return how to write columns, a number and the label to a file of several row groups."""

    def write(folder):
        table = pa.table({**columns, "x": X1, "y": pa.array([int(v) if v else None for v in LABELS])})
        pq.write_table(table, folder / "t.parquet", row_group_size=11)
        return folder / "t.parquet"

    return write


def two_files(first, second):
    def write(folder):
        for place, columns in enumerate((first, second)):
            half = slice(20 * place, 20 * place + 20)
            labels = pa.array([int(v) if v else None for v in LABELS[half]])
            pq.write_table(pa.table({**columns, "x": X1[half], "y": labels}), folder / f"{place}.parquet")
        return folder

    return write


def hive(folder):
    for place, land in enumerate(["IT", "NO"]):
        (folder / f"land={land}").mkdir()
        half = slice(20 * place, 20 * place + 20)
        labels = pa.array([int(v) if v else None for v in LABELS[half]])
        pq.write_table(pa.table({"x": X1[half], "y": labels}), folder / f"land={land}" / "part.parquet")
    return folder


def sometimes(values, missing, step=10):
    return [missing if place % step == 3 else value for place, value in enumerate(values)]


def dates(spelling):
    return [(dt.datetime(2023, 1, 28, 5) + dt.timedelta(hours=31 * i)).strftime(spelling) for i in range(N_ROWS)]


def dictionaries(folder):
    """Write row groups whose dictionaries differ."""
    labels = pa.array([int(v) if v else None for v in LABELS])
    schema = pa.schema({"c": pa.dictionary(pa.int8(), pa.string()), "x": pa.float64(), "y": pa.int64()})
    with pq.ParquetWriter(folder / "t.parquet", schema) as writer:
        for place, levels in enumerate((["b", "a"], ["c", "b"])):
            half = slice(20 * place, 20 * place + 20)
            values = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 10, pa.int8()), pa.array(levels))
            writer.write_table(pa.table({"c": values, "x": X1[half], "y": labels[half]}))
    return folder / "t.parquet"


def truncated(folder):
    path = parquet_of()(folder)
    path.write_bytes(path.read_bytes()[:200])
    return path


def half_gzip(folder):
    path = csv_of(X1, X2, name="t.csv.gz")(folder)
    path.write_bytes(path.read_bytes()[:100])
    return path


def with_columns(frame):
    return lambda folder: frame.assign(y=[float(v) if v else np.nan for v in LABELS])


NOT_ENGLISH = ["Zürich" if i % 2 else "Málaga" for i in range(N_ROWS)]

WORKING = {
    "plain": (csv_of(X1, X2), ["c0", "c1"]),
    "commas for points": (csv_of([str(v).replace(".", ",") for v in X1], X2, separator=";"), ["c0", "c1"]),
    "a comma too many": (csv_of(X1, X2, [""] * N_ROWS, header=["a", "b", "", "y"]), ["a", "b"]),
    "byte order mark": (csv_of(X1, X2, encoding="utf-8-sig"), ["c0", "c1"]),
    "windows lines": (csv_of(X1, X2, end="\r\n"), ["c0", "c1"]),
    "blank lines": (csv_of(X1, X2, end="\n\n"), ["c0", "c1"]),
    "semicolons": (csv_of(X1, X2, separator=";"), ["c0", "c1"]),
    "tabs in a csv": (csv_of(X1, X2, separator="\t"), ["c0", "c1"]),
    "bars": (csv_of(X1, X2, separator="|"), ["c0", "c1"]),
    "gzip": (csv_of(X1, X2, name="t.csv.gz"), ["c0", "c1"]),
    "tsv": (csv_of(X1, X2, name="t.tsv", separator="\t"), ["c0", "c1"]),
    "capital ending": (csv_of(X1, X2, name="T.CSV"), ["c0", "c1"]),
    "spaces around": (csv_of([f" {v} " for v in X1], [f" {v}" for v in X2]), ["c0", "c1"]),
    "quoted commas": (csv_of(X1, ['"Lima, Peru"', "Rome"] * 20), ["c0", "c1"]),
    "quoted lines": (csv_of(X1, ['"two\nlines"', "one"] * 20), ["c0", "c1"]),
    "quoted lines in the last row": (csv_of(X1, ["one", '"two\nlines"'] * 20), ["c0", "c1"]),
    "quotes in quotes": (csv_of(X1, ['"a ""b"""', "c"] * 20), ["c0", "c1"]),
    "names with spaces": (csv_of(X1, X2, header=["the age", " size ", "y"]), ["the age", "size"]),
    "names in quotes": (csv_of(X1, X2, header=['"a,b"', "ä", "y"]), ["a,b", "ä"]),
    "a column without a name": (csv_of(range(N_ROWS), X1, header=["", "x", "y"]), ["x"]),
    "missing as NA": (csv_of(sometimes(X1, "NA"), sometimes(X2, "N/A")), ["c0", "c1"]),
    "missing in many spellings": (
        csv_of(sometimes(sometimes(X1, "null"), "None", 7), sometimes(X2, "NaN")),
        ["c0", "c1"],
    ),
    "yes and no and nothing": (csv_of(X1, sometimes(["yes", "no"] * 20, "")), ["c0", "c1"]),
    "true and FALSE": (csv_of(X1, sometimes(["True", "FALSE", "true", "false"] * 10, "")), ["c0", "c1"]),
    "numbers, then text": (csv_of(X1, ["1"] * 39 + ["unknown"]), ["c0", "c1"]),
    "whole numbers, then a float": (csv_of(X1, [*X2[:-1], 2.5]), ["c0", "c1"]),
    "codes with leading zeros": (csv_of(X1, ["007", "010"] * 20), ["c0", "c1"]),
    "huge integers are codes": (csv_of(X1, [10**25 + i * 10**20 for i in range(N_ROWS)]), ["c0"]),
    "huge integers that occur again": (csv_of(X1, [10**25, 10**25 + 1] * 20), ["c0", "c1"]),
    "dollars and thousands": (csv_of(X1, [f'"${1000 * v + 17:,}"' for v in X2]), ["c0", "c1"]),
    "euros": (csv_of(X1, [f"{v},50 €" for v in X2], separator=";"), ["c0", "c1"]),
    "percent": (csv_of(X1, [f"{v} %" for v in X2]), ["c0", "c1"]),
    "placeholders among numbers": (csv_of(X1, sometimes(sometimes(X2, "?"), "unknown", 7)), ["c0", "c1"]),
    "row numbers": (csv_of(X1, range(1, N_ROWS + 1)), ["c0"]),
    "row numbers after a filter": (csv_of(X1, np.arange(N_ROWS) ** 2 + 5), ["c0"]),
    "exponents": (csv_of(X1, [f"{v}e-3" for v in range(N_ROWS)]), ["c0", "c1"]),
    "iso dates": (csv_of(X1, dates("%Y-%m-%d")), ["c0", "c1", "c1 (month)", "c1 (weekday)"]),
    "iso times": (csv_of(X1, dates("%Y-%m-%dT%H:%M:%S")), ["c0", "c1", "c1 (month)", "c1 (weekday)", "c1 (hour)"]),
    "iso times of a zone": (
        csv_of(X1, dates("%Y-%m-%d %H:%M:%SZ")),
        ["c0", "c1", "c1 (month)", "c1 (weekday)", "c1 (hour)"],
    ),
    "german dates": (csv_of(X1, dates("%d.%m.%Y")), ["c0", "c1", "c1 (month)", "c1 (weekday)"]),
    "american dates": (csv_of(X1, dates("%m/%d/%Y")), ["c0", "c1", "c1 (month)", "c1 (weekday)"]),
    "dates that some rows lack": (
        csv_of(X1, sometimes(dates("%d/%m/%Y %H:%M"), "")),
        ["c0", "c1", "c1 (month)", "c1 (weekday)", "c1 (hour)"],
    ),
    "times of day": (csv_of(X1, dates("%H:%M:%S")), ["c0", "c1"]),
    "times of day with dots": (csv_of(X1, dates("%H.%M.%S")), ["c0", "c1"]),
    "days or months first": (csv_of(X1, [f"0{v + 1}/05/2024" for v in X2]), ["c0", "c1"]),
    "an empty column": (csv_of(X1, [""] * N_ROWS), ["c0"]),
    "a constant column": (csv_of(X1, ["same"] * N_ROWS), ["c0"]),
    "letters that are not English": (csv_of(X1, NOT_ENGLISH), ["c0", "c1"]),
    "nested columns": (parquet_of(tags=[[1]] * N_ROWS, place=[{"a": 1}] * N_ROWS, c=X2), ["c", "x"]),
    "timestamps of a zone": (
        parquet_of(t=pa.array([10**9 + 10**5 * i for i in range(N_ROWS)], pa.timestamp("s", "Asia/Tokyo"))),
        ["t", "t (month)", "t (weekday)", "t (hour)", "x"],
    ),
    "decimals": (parquet_of(d=sometimes([Decimal(i) / 4 for i in range(N_ROWS)], None)), ["d", "x"]),
    "all null": (parquet_of(n=pa.nulls(N_ROWS), m=pa.nulls(N_ROWS, pa.string())), ["x"]),
    "ten per cent missing": (
        parquet_of(c=sometimes(X2.tolist(), None), t=sometimes(["a", "b"] * 20, None)),
        ["c", "t", "x"],
    ),
    "dictionaries that differ": (dictionaries, ["c", "x"]),
    "hive partitions": (hive, ["x", "land"]),
    "a column that one file lacks": (two_files({"a": X2[:20]}, {}), ["a", "x"]),
    "types that widen": (two_files({"a": X2[:20]}, {"a": X2[20:] + 0.5}), ["a", "x"]),
    "columns in another order": (
        two_files({"a": X2[:20], "b": X1[:20]}, {"b": X1[20:], "a": X2[20:]}),
        ["a", "b", "x"],
    ),
    "objects of pandas": (
        with_columns(pd.DataFrame({"a": sometimes([1, 2] * 20, None), "x": X1}, dtype=object)),
        ["a", "x"],
    ),
    "sparse pandas": (with_columns(pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1.0] * 20)})), ["a"]),
    "mixed objects": (with_columns(pd.DataFrame({"a": [1, "b"] * 20, "x": X1}, dtype=object)), ["a", "x"]),
    "blanks among numbers, as from Excel": (
        with_columns(pd.DataFrame({"a": pd.Series(sometimes(X1.tolist(), " "), dtype=object), "x": X1})),
        ["a", "x"],
    ),
    "pandas that can be null": (
        with_columns(pd.DataFrame({"a": sometimes([1, 2] * 20, None), "x": X1}).convert_dtypes()),
        ["a", "x"],
    ),
}
"""Tables that work: how each is made, and the names of the columns that a model has."""

REFUSED = {
    "two columns of one name": (
        csv_of(X1, X2, header=["a", "a", "y"]),
        "Columns of 't.csv' must have different names. Got 'a' more",
    ),
    "two names in arrow": (
        lambda folder: pa.table([X1, X2, X2], names=["a", "a", "y"]),
        "Columns of the table must have different names. Got 'a' more than once",
    ),
    "label absent": (
        csv_of(X1, X2, header=["a", "b", "fraud"]),
        "label must name a column of the table. Got 'y', which does not",
    ),
    "ragged lines": (
        raw("a,y\n1,0\n2,1\n3\n4,1\n"),
        "Rows of 't.csv' must have a value for each of its 2 columns. Got 1 in line 4;",
    ),
    "too long lines": (
        raw("a,y\n1,0\n2,1,5\n"),
        "Got 3 in line 3; correct the line, or put quotes around values that hold ','",
    ),
    "nothing at all": (raw(""), "'t.csv' must name its columns in its first row. Got an empty file"),
    "names only": (raw("a,y\n"), "must have rows to learn from. Got a table of 1 columns without any"),
    "one row": (raw("a,y\n1,0\n"), "y holds only one class, 0"),
    "label constant": (raw("a,y\n1,1\n2,1\n3,\n"), "y holds only one class, 1"),
    "label without values": (raw("a,y\n1,\n2,\n"), "y should hold two classes, but all 2 rows are unlabelled"),
    "three classes": (raw("a,y\n1,a\n2,b\n3,c\n"), "y holds 3 classes"),
    "label of fractions": (raw("a,y\n1,0.5\n2,0.25\n3,\n"), "Unknown label type: continuous"),
    "label only": (raw("y\n1\n0\n"), "The table must have at least one feature. Got 'y', all of which"),
    "only identifiers": (
        csv_of(range(N_ROWS)),
        "X must have columns that describe its rows. Got only ones that do not: 'c0'",
    ),
    "infinity": (csv_of(sometimes(X1, "inf")), "Input X contains infinity: column 'c0' must hold finite numbers"),
    "types with nothing in common": (
        two_files({"a": X2[:20]}, {"a": ["t"] * 20}),
        "must have the same types in their columns. Got others in .*1.parquet",
    ),
    "half a parquet file": (truncated, "t.parquet' must be a readable parquet file. Got an error"),
    "no parquet file": (
        raw("a,y\n", name="t.parquet"),
        "t.parquet' must be a readable parquet file. Got an error",
    ),
    "a quote that is never closed": (
        raw('a,y\n1,0\n2,"1\n3,1\n4,0\n'),
        "Quotes of 't.csv' must be closed. Got one that is not, in line 3; close it",
    ),
    "no gzip": (
        raw("hello", name="t.csv.gz"),
        "'t.csv.gz' must be a readable text file. Got an error .Not a gzip",
    ),
    "half a gzip": (half_gzip, "'t.csv.gz' must be a readable text file. Got an error"),
    "a very long line": (
        raw("a" * 200_000 + "\n1\n"),
        "'t.csv' must be a readable text file. Got an error .field larger",
    ),
    "label of dates": (
        lambda folder: pa.table(
            {"x": X1, "y": pa.array([10**9 + 10**5 * i for i in range(N_ROWS)], pa.timestamp("s"))}
        ),
        "label must name a column of numbers, booleans or text. Got 'y', which holds timestamp",
    ),
    "label of dates in text": (
        csv_of(X1, dates("%Y-%m-%d"), header=["x", "y", "z"]),
        "Only binary classification is supported: y holds 40 classes .'2023-01-28', ",
    ),
    "two names in pandas": (
        lambda folder: pd.DataFrame(np.zeros((2, 3)), columns=["a", "a", "y"]),
        "Columns of the table must have different names. Got 'a' more than once",
    ),
    "another format": (
        raw("hello", name="t.docx"),
        "Files of a table must end in .parquet, .* Got 't.docx'; name its format",
    ),
    "nothing but lists": (
        with_columns(pd.DataFrame({"a": [[1], [2]] * 20})),
        "X must have columns that describe its rows. Got only ones that do not: 'a' .lists, a type that is not read",
    ),
}
"""Tables that are refused: how each is made, and what the sentence says."""
