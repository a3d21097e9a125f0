"""Tables as people have them, through the command: each is fitted, or costs one line that says what to change."""

import json
import re
import shlex
from functools import partial
from pathlib import Path

import openpyxl
import pytest

from command_runs import one_line
from messy_tables import REFUSED, WORKING, csv_of, raw
from s2auc import S2AUCClassifier
from s2auc.__main__ import main

OTHER_WORDS = {
    "infinity": "The table contains infinity: column 'c0' must hold finite numbers, .* Got inf in line 5",
    "label absent": "--label must name a column of the table. Got 'y', which does not exist; choose among 'a', 'b',",
    "names only": "Column 'y' must hold labels of some rows. Got blanks in all 0 rows",
    "one row": "Column 'y' must .* Got 0 only; label rows of the other class, or pass '0' as --positive",
    "label constant": "Column 'y' must .* Got 1 only; label rows of the other class, or pass '1' as --positive",
    "label without values": "Got blanks in all 2 rows; name another column in --label, or label some rows",
    "three classes": r"Column 'y' must .* Got 3 values \('a' in 1 row, 'b' .*\); name another column in --label",
    "label of fractions": "Column 'y' must .* Got numbers with fractions, which are not classes",
    "label of dates in text": r"Column 'y' must hold two classes, .* Got 40 values \('2023-01-28' in 1 row, ",
    "only identifiers": "The table must have columns that describe its rows. Got only ones that do not: 'c0'",
}
"""What the command says of refused tables where the library says something else: it looks at labels first."""

NUMBERS = [place * 0.37 % 1 for place in range(40)]


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr("s2auc.estimators.table_fit.S2AUCClassifier", partial(S2AUCClassifier, max_iter=2))


def fit(table, *more):
    return main(["fit", str(table), "--label", "y", "--no-tune", "-o", "model.safetensors", *more])


IN_MEMORY = "pandas|arrow|mixed|Excel|nothing but lists|label of dates$"
"""Cases that are no files."""


FILES = [
    "commas for points",
    "byte order mark",
    "semicolons",
    "gzip",
    "tsv",
    "quoted lines",
    "quotes in quotes",
    "names with spaces",
    "a column without a name",
    "missing in many spellings",
    "codes with leading zeros",
    "dollars and thousands",
    "row numbers",
    "german dates",
    "times of day with dots",
    "a constant column",
    "letters that are not English",
    "timestamps of a zone",
    "hive partitions",
    "types that widen",
]
"""Cases of which the command prints something of its own; the others are tests of the library."""


@pytest.mark.parametrize("case", FILES)
def test_messy_tables_that_work(case, tmp_path, capsys):
    make, names = WORKING[case]
    (tmp_path / "data").mkdir()
    table = make(tmp_path / "data")
    assert fit(table) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for name in names:
        assert name.partition(" (")[0] in out
    assert main(["score", "model.safetensors", str(table), "-o", "scores.csv"]) == 0
    assert len(Path("scores.csv").read_text().splitlines()) == 41


@pytest.mark.parametrize("case", [case for case in REFUSED if not re.search(IN_MEMORY, case)])
def test_messy_tables_that_are_refused(case, tmp_path, capsys):
    make, sentence = REFUSED[case]
    (tmp_path / "data").mkdir()
    assert fit(make(tmp_path / "data"), "--quiet") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert one_line(err).startswith("Error: ")
    assert re.search(OTHER_WORDS.get(case, sentence), err)
    assert not Path("model.safetensors").exists()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[bold]big[/bold]", "[bold]big[/bold]"),
        ("[/nothing]", "[/nothing]"),
        ("a:smile:b", "a:smile:b"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b31mred", "\\x9b31mred"),
        ("bell\x07", "bell\\x07"),
        ("\u202eright to left", "\\u202eright to left"),
        ("größe 体", "größe 体"),
    ],
)
def test_names_and_classes_are_printed_harmlessly(name, shown, tmp_path, capsys):
    table = csv_of(NUMBERS, NUMBERS[::-1], header=[name, "other", "y"])(tmp_path)
    table.write_text(re.sub(r",1$", f",{name}", table.read_text(), flags=re.MULTILINE))
    assert fit(table, "--positive", name) == 0
    assert main(["inspect", "model.safetensors"]) == 0
    out, err = capsys.readouterr()
    assert main(["inspect", "model.safetensors", "--json"]) == 0
    told = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in told)
    assert json.loads(told)["columns"][0] == name
    assert fit(table, "--drop", f"{name}!") == 2
    assert main(["evaluate", "model.safetensors", str(table), "--label", name]) == 2
    wrong = capsys.readouterr()
    assert (err, wrong.out) == ("", "")
    assert wrong.err.count("\n") == 2
    for text in (out, wrong.err):
        assert shown in text
        assert all(letter.isprintable() or letter == "\n" for letter in text)


def test_two_hundred_columns_are_counted_and_not_listed(tmp_path, capsys):
    columns = [[place * step * 0.0137 % 1 for place in range(40)] for step in range(1, 201)]
    table = csv_of(*columns, header=[*(f"column {place}" for place in range(200)), "y"])(tmp_path)
    assert fit(table) == 0
    assert "column 0, column 1," in capsys.readouterr().out
    assert fit(table, "--drop", "column 9999") == 2
    assert len(one_line(capsys.readouterr().err)) < 300


def test_one_column_beside_the_label_and_no_label_at_all(tmp_path, capsys):
    assert fit(csv_of(NUMBERS)(tmp_path)) == 0
    assert main(["fit", "t.csv", "--no-tune"]) == 2
    assert "--label must name the label column. Got none; choose among 'c0', 'y'." in one_line(capsys.readouterr().err)
    assert fit(raw("alone\n1\n2\n")(tmp_path)) == 2
    assert "'alone'" in one_line(capsys.readouterr().err)


def test_every_column_of_a_table(tmp_path, capsys):
    columns = [[place * step * 0.0137 % 1 for place in range(40)] for step in range(1, 31)]
    table = csv_of(*columns, header=[*(f"column {place}" for place in range(30)), "y"])(tmp_path)
    table.write_text(table.read_text().replace("column 3,", "id,"))
    lines = [*(f"  column {place}  " for place in range(30) if place != 3), "  id", "  y"]
    assert main(["inspect", str(table)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"{table}: 40 rows, 31 columns\nColumns\n")
    assert sorted(map(str.strip, lines)) == sorted(line.split("  ")[1].strip() for line in out.splitlines()[2:])
    assert fit(table, "--columns") == 0
    told = capsys.readouterr().out
    assert all(line in told for line in lines)
    assert "more" not in told.partition("Labels")[0]
    assert main(["inspect", str(table), "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert (described["n_rows"], len(described["columns"])) == (40, 31)
    assert fit(table) == 0
    assert "and 18 more" in (told := capsys.readouterr().out)
    assert "--columns lists every column." in told


def test_the_next_command_reads_the_same_sheet(tmp_path, capsys):
    book = openpyxl.Workbook()
    book.create_sheet("May 1")
    for row in [["a", "b", "y"], *([place, place * 7 % 11, place % 2] for place in range(40))]:
        book["May 1"].append(row)
    book.save("x.xlsx")
    assert fit("x.xlsx", "--sheet", "May 1") == 0
    command = capsys.readouterr().out.partition("Next: s2auc ")[2]
    assert command == "score model.safetensors x.xlsx --sheet 'May 1' --top 100 -o top.csv\n"
    assert main(shlex.split(command)) == 0
