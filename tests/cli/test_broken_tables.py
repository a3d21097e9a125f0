"""Tables that cannot be read: one line on standard error, exit code 2, and no file that was not there before."""

import io
import re
import subprocess
import sys
from contextlib import closing
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from broken_tables import BROKEN, locked, make_broken
from command_runs import command_of, one_line, surroundings
from s2auc.__main__ import main
from s2auc.cli.vocabulary import COMMAND_LINE

PYTHON = r"\b(X|y|pandas|pyarrow|DataFrame|Traceback|open_table|file_format|None)\b|[a-z]Error\b|<class"
"""What says nothing to users of the command line."""


def fit(table, *more, label="a"):
    return main(["fit", str(table), "--label", label, "--no-tune", "-o", "model", *more])


def sentence_of(capsys):
    """Return the one line that a command ended with."""
    out, err = capsys.readouterr()
    told = one_line(err)
    assert out == ""
    assert re.fullmatch(r"Error: .*[.?]\n", told)
    assert not re.search(PYTHON, told)
    return told


@pytest.mark.parametrize("case", BROKEN)
def test_broken_tables_cost_one_line(case, tmp_path, capsys):
    (tmp_path / "data").mkdir()
    path, options, sentence = make_broken(case, tmp_path / "data")
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    typed = [word for name, value in options.items() for word in (COMMAND_LINE[name], value)]
    assert fit(path, *typed) == 2
    told = sentence_of(capsys)
    for name in (*options, "encoding", "file_format", "query"):
        sentence = re.sub(rf"(?<!-)\b{name}\b must", f"{COMMAND_LINE[name]} must", sentence)
    assert re.search(sentence, told)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_a_locked_database(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("s2auc.data.tables.formats.databases._BUSY_SECONDS", 0.01)
    with closing(locked(tmp_path / "x.sqlite")):
        assert fit("x.sqlite", "--query", "one") == 2
    assert "an error (database is locked); check that nothing else writes to it" in sentence_of(capsys)


def test_a_workbook_that_would_fill_the_memory(tmp_path, capsys, monkeypatch):
    with ZipFile(tmp_path / "x.xlsx", "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 2**20)
    monkeypatch.setattr("s2auc.data.tables.formats.excel.MAX_SHEET_BYTES", 2**19)
    assert fit("x.xlsx") == 2
    assert "'x.xlsx' must hold sheets of at most 0.000488281 GB. Got 0.0 GB; save it as CSV" in sentence_of(capsys)


def test_files_that_do_not_fit_together(tmp_path, capsys):
    (tmp_path / "parts").mkdir()
    assert fit("parts") == 2
    assert "Got 'parts', where there is none" in sentence_of(capsys)
    (tmp_path / "parts" / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "parts" / "b.csv").write_text("a,c\n1,2\n")
    assert fit("parts") == 2
    assert "must have the same columns in the same order" in sentence_of(capsys)
    (tmp_path / "parts" / "c.xlsx").write_bytes(b"")
    assert fit("parts") == 2
    assert re.search(r"must be of one format. Got ('a.csv'|'c.xlsx'), ", sentence_of(capsys))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (b"", "Standard input must hold a table. Got nothing"),
        (bytes(range(256)), "'standard input' must hold text. Got zero bytes"),
    ],
)
def test_standard_input_without_a_table(given, sentence, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert fit("-", "--format", "csv") == 2
    assert sentence in sentence_of(capsys)


def test_a_pipe_in_a_stated_format(tmp_path):
    lines = "".join(f'{{"a": {place % 7}, "b": {place}.5, "y": {place % 2}}}\n' for place in range(40))
    command = command_of("fit", "-", "--format", "jsonl", "--label", "y", "--no-tune", "-o", "model", "--quiet")
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, env=surroundings())
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("s3://bucket/rows.csv", "'s3://bucket/rows.csv' needs s3fs, which is not installed: pip install s3fs"),
        (
            "nowhere://rows.csv",
            "'nowhere://rows.csv' must be a file that can be read. Got an error (Protocol not",
        ),
        ("file:///nowhere/rows.csv", "Got '/nowhere/rows.csv', where there is none; correct the path"),
    ],
)
def test_addresses_stay_as_they_are(address, sentence, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    assert fit(address) == (1 if "install" in sentence else 2)
    assert sentence in one_line(capsys.readouterr().err)


def test_results_are_written_here(small, capsys):
    assert main(["fit", str(small.table), "--label", "fraud", "-o", "s3://bucket/model"]) == 2
    assert "Cannot save the model: files are written on this machine only, not to an address" in sentence_of(capsys)
