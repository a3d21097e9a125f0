"""Messages of the library in the words of the command line; what users wrote stays as it is."""

import pytest
import typer

from command_runs import one_line, write_table
from s2auc.__main__ import main
from s2auc.cli.app import app
from s2auc.cli.text import command_line
from s2auc.cli.vocabulary import COMMAND_LINE

NAMES = [
    "row_id",
    "label",
    "features",
    "unlabeled_value",
    "tune=False",
    "features of open_table",
    "keep must stay",
    "named as positive",
    "{label}",
    "{{row_id}",
    "%s %d",
    "a  b",
]
"""Names of columns that equal, or hold, what the library calls parameters."""


def table_with(path, name):
    """Write a table with another name for its column of ages."""
    write_table(path)
    path.write_text(path.read_text().replace(",age,", f",{name},", 1))
    return path


def error_of(capsys, *arguments):
    assert main(list(map(str, arguments))) == 2
    return one_line(capsys.readouterr().err).removeprefix("Error: ").rstrip("\n")


@pytest.mark.parametrize("name", NAMES)
def test_names_of_columns_stay_as_they_are(name, small, tmp_path, capsys):
    table, absent = table_with(tmp_path / "t.csv", name), f"{name}s"
    fit = "fit", table, "-o", "model", "--label"
    assert error_of(capsys, *fit, absent) == (
        f"--label must name a column of the table. Got {absent!r}, which does not exist; did you mean {name!r}?"
    )
    assert error_of(capsys, *fit, "fraud", "--id", name, "--group", name) == (
        f"--label, --id, --group, --random-labels and --time must name different columns. Got {name!r} more than once; "
        "choose another column."
    )
    assert error_of(capsys, *fit, "fraud", "--drop", f"{name},{name}") == (
        f"--drop must name each column once. Got {name!r} more than once; remove the repeats."
    )
    assert error_of(capsys, *fit, "fraud", "--positive", name) == (
        f"--positive must be a class of the label column. Got {name!r}; choose among 'no', 'yes'."
    )
    told = error_of(capsys, *fit, name)
    assert told.startswith(f"Column {name!r} must hold two classes, apart from blanks. Got numbers with fractions")
    typed = command_line("s2auc", *fit, name)
    assert f"; name another column in --label, or say which numbers are positive: {typed} --positive '>=" in told
    told = error_of(capsys, "score", small.model, small.table, "--keep", name, "-o", "scores.csv")
    assert told.startswith(f"--keep must name a column of the table. Got {name!r}, which does not exist; ")


@pytest.mark.parametrize("name", ["row_id", "unlabeled_value", "tune=False", "keep must stay", "as positive"])
def test_names_in_warnings_stay_as_they_are(name, small, tmp_path, capsys):
    table = write_table(tmp_path / "t.csv")
    first, *others = table.read_text().splitlines()
    table.write_text("\n".join([f"{first},{name}", *(f"{line},1" for line in others)]))
    assert main(["score", str(small.model), str(table), "-o", "scores.csv", "--quiet"]) == 0
    assert f"that are ignored: {name!r}." in capsys.readouterr().err


def test_groups_that_are_missing(tmp_path, capsys):
    table = write_table(tmp_path / "t.csv")
    lines = table.read_text().splitlines()
    *start, _, label = lines[4].split(",")
    table.write_text("\n".join([*lines[:4], ",".join([*start, "", label]), *lines[5:]]))
    told = error_of(capsys, "fit", table, "--label", "fraud", "--group", "city", "-o", "model", "--quiet")
    assert told.startswith("--group must name the group of every labelled row. Got None in line 5; ")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_errors_about_cells_name_the_line(encoding, small, tmp_path, capsys):
    head, *rows = write_table(tmp_path / "t.csv").read_text().splitlines()
    cells = rows[200].split(",")
    rows[200] = ",".join(["é", "word", *cells[2:]])
    rows[7] = '"over\n\ntwo lines",' + rows[7].partition(",")[2]
    rows.insert(20, "")
    (tmp_path / "t.csv").write_bytes("\n".join(["", head, *rows]).encode(encoding))
    line = next(number for number, line in enumerate("\n".join(["", head, *rows]).split("\n"), 1) if "word" in line)
    told = error_of(capsys, "score", small.model, "t.csv", "-o", "scores.csv", "--encoding", encoding)
    assert f"Got 'word' in line {line}; " in told
    assert line == 200 + 1 + 1 + 2 + 2 + 0


def test_options_exist():
    commands = typer.main.get_command(app).commands.values()
    known = {
        name for command in commands for option in command.params for name in (*option.opts, *option.secondary_opts)
    }
    named = {word.split()[0] for word in COMMAND_LINE.values() if word.startswith("--")}
    assert len(named) > 10
    assert named <= known
