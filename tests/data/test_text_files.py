"""Text files whose rows have no end are refused before they fill the memory."""

import gzip

import pytest

from s2auc import open_table
from s2auc.common.errors import InputError
from s2auc.data.tables import csv_files, matrix_files

ENDLESS = {
    "first line": (b"a," * 50_000, "1"),
    "first line, quoted": (b'"a\n",' * 50_000, "1"),
    "line of values": (b"a,b\n" + b"1," * 50_000, "2"),
    "value": (b'a,b\n1,2\n1,"' + b"2\n" * 50_000, "3"),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_rows_without_an_end_are_refused(case, monkeypatch, tmp_path):
    content, line = ENDLESS[case]
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(content))
    monkeypatch.setattr(csv_files, "MAX_ROW_LENGTH", 1000)
    monkeypatch.setattr(csv_files, "_MAX_BLOCK_BYTES", 2000)
    sentence = (
        rf"Rows of 'rows\.csv\.gz' must have at most 1,000 characters\. Got more in .* begins in line {line}; close"
    )
    with pytest.raises(InputError, match=sentence):
        open_table(tmp_path / "rows.csv.gz")


def test_what_follows_the_first_line_is_not_read_for_it(monkeypatch, tmp_path):
    (tmp_path / "rows.csv").write_text("\n\na,b\n" + "1,2\n" * 1000)
    monkeypatch.setattr(csv_files, "MAX_ROW_LENGTH", 10)
    assert open_table(tmp_path / "rows.csv").n_rows == 1000


def test_sparse_rows_without_an_end_are_refused(monkeypatch, tmp_path):
    (tmp_path / "rows.svm").write_text("1 " + " ".join(f"{column}:1" for column in range(1, 5000)))
    monkeypatch.setattr(matrix_files, "_CHUNK_BYTES", 1000)
    monkeypatch.setattr(matrix_files, "_MAX_LINE_BYTES", 3000)
    with pytest.raises(InputError, match=r"Lines of 'rows\.svm' must have at most 3,000 bytes\. Got more in one"):
        open_table(tmp_path / "rows.svm")
