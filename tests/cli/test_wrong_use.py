"""Mistakes: one line on standard error that begins with "Error: ", and an exit code that tells whose they are."""

import errno
import os
import re
from pathlib import Path

import pytest

from command_runs import one_line, run_command
from s2auc.__main__ import main

FIT = ["fit", "claims.csv", "--label", "fraud", "--no-tune", "--quiet"]
SCORE = ["score", "model.safetensors", "claims.csv", "--quiet", "-o"]
EVALUATE = ["evaluate", "model.safetensors", "checked.csv", "--quiet"]

WRONG = {
    "no table": (["fit"], "Missing argument 'TABLE'. See 's2auc fit --help'."),
    "an absent table": (["fit", "gone.csv", "--label", "y"], "Got 'gone.csv', where there is none; correct the path"),
    "an absent command": (["fitt"], "No such command 'fitt'. Did you mean 'fit'?"),
    "an absent option": (
        [*FIT, "--labl", "y"],
        "No such option:? '?--labl'?.*'?--label'?, '?--labels'?",
    ),
    "too many arguments": ([*FIT, "more"], "more"),
    "a label with a mistake": (["fit", "claims.csv", "--label", "fruad"], "--label must .* did you mean 'fraud'[?]"),
    "an id with a mistake": ([*FIT, "--id", "idd"], "--id must name a column .* did you mean 'id'[?]"),
    "a group with a mistake": (["fit", *FIT[1:4], "--group", "citi"], "--group must .* did you mean 'city'[?]"),
    "a column to drop with a mistake": ([*FIT, "--drop", "agee"], "--drop must name .* did you mean 'age'[?]"),
    "columns with a mistake": ([*FIT, "--features", "size,aage"], "--features must .* did you mean 'age'[?]"),
    "a group without a search": (
        [*FIT, "--group", "city"],
        "--group must be left out with --no-tune, as .* Got 'city'; lea",
    ),
    "one column for two things": (
        [*FIT, "--id", "fraud"],
        "--label, --id, --group, --random-labels and --time must name .* Got 'fraud' more than",
    ),
    "nothing left": ([*FIT, "--features", "size", "--drop", "size"], "all of which are excluded; exclude fewer"),
    "another class": (
        [*FIT, "--positive", "maybe"],
        "--positive must be a class of .* Got 'maybe'; choose among 'no', 'yes'.",
    ),
    "another mark": (
        [*FIT, "--unlabeled-value", "?"],
        "--unlabeled-value must be a value of the label column. Got '[?]'; ch",
    ),
    "numbers as labels": (
        ["fit", "claims.csv", "--label", "age"],
        "Column 'age' must hold two classes, .* numbers with fractions",
    ),
    "no more rows": ([*FIT, "--unlabeled", "gone.csv"], "Got 'gone.csv', where there is none"),
    "a seed that is none": ([*FIT, "--seed", "-1"], "'--seed': it must lie between 0 and .* but it is -1; try 0."),
    "a seed that is text": ([*FIT, "--seed", "x"], "'--seed': "),
    "no threads": ([*FIT, "--jobs", "0"], "must not be 0; leave it out to use all cores."),
    "no folder to keep work in": ([*FIT, "--checkpoint", "claims.csv"], "--checkpoint must be a folder that can be"),
    "a folder as model": ([*FIT, "-o", "folder"], "Cannot save the model: '.*folder' is a folder, name a file in it."),
    "no folder": ([*FIT, "-o", "gone/m.safetensors"], "Cannot save the model: there is no folder '.*gone', create it"),
    "a file as folder": ([*FIT, "-o", "claims.csv/m"], "Cannot save the model: there is no folder '.*claims.csv'"),
    "the table as model": ([*FIT, "-o", "./claims.csv"], "--output must not overwrite an input file. Got 'claims"),
    "other rows as model": (
        [*FIT, "--unlabeled", "checked.csv", "-o", "checked.csv"],
        "--output must not overwrite an input file. Got 'checked.csv', which is one; choose another path.",
    ),
    "verdicts as model": (
        ["fit", "claims.csv", "--id", "id", "--labels", "checked.csv", "-o", "checked.csv"],
        "--output must not overwrite an input file. Got 'checked.csv', which is one; choose another path.",
    ),
    "verdicts as scores": (
        [*SCORE, "checked.csv", "--top", "5", "--id", "id", "--labels", "checked.csv"],
        "--output must not overwrite an input file. Got '.*checked.csv'",
    ),
    "verdicts as report": (
        ["report", *SCORE[1:3], "--id", "id", "--labels", "checked.csv", "-o", "checked.csv"],
        "--output must not overwrite an input file. Got '.*checked.csv'",
    ),
    "no output": (SCORE[:4], "Missing option '--output' / '-o'. See 's2auc score --help'."),
    "another format": ([*SCORE, "x.xlsx"], "must end in .parquet, .feather, .*. Got 'x.xlsx'; choose one of these."),
    "a folder as scores": ([*SCORE, "folder.csv"], "Cannot write the scores: '.*folder.csv' is a folder"),
    "no folder of scores": ([*SCORE, "gone/x.csv"], "Cannot write the scores: there is no folder '.*gone', create"),
    "the table as scores": ([*SCORE, "claims.csv"], "--output must not overwrite an input file. Got '.*claims.csv'"),
    "two uses of standard output": ([*SCORE, "-", "--json"], "--json must not be given where scores go to standard"),
    "a top that is text": ([*SCORE, "x.csv", "--top", "many"], "Got 'many'; write 100, 0.01 or 1%."),
    "a top of nothing": ([*SCORE, "x.csv", "--top", "0"], "--top must be an int >= 1 or a float in the range"),
    "a top of too much": ([*SCORE, "x.csv", "--top", "500%"], "--top must be an int >= 1 or a float in the range"),
    "a kept column with a mistake": ([*SCORE, "x.csv", "--keep", "idd"], "--keep must name .* did you mean 'id'[?]"),
    "a kept column twice": ([*SCORE, "x.csv", "--keep", "id,id"], "--keep must name each column once. Got 'id'"),
    "no probabilities": (["score", "single.safetensors", *SCORE[2:], "x.csv", "--probability"], "without --no-tune"),
    "a column too few": (["score", "model.safetensors", "narrow.csv", "-o", "x.csv"], "Missing: 'weight', 'city'; add"),
    "no model": (["score", "gone", "claims.csv", "-o", "x.csv"], "There is no model file 'gone': check the path"),
    "a model that is none": (
        ["evaluate", "claims.csv", "checked.csv"],
        "Cannot load model file 'claims.csv': it is not a model file",
    ),
    "a model cut short": (["inspect", "half.safetensors"], "Cannot load model file 'half.safetensors': "),
    "a folder of models": (["inspect", "folder"], "'folder' is a folder: name the file in it."),
    "table and model": (
        ["score", "claims.csv", "model.safetensors", "-o", "x.csv"],
        "Cannot load model file 'claims.csv'",
    ),
    "a label to judge by with a mistake": ([*EVALUATE, "--label", "frau"], "--label must .* did you mean 'fraud'[?]"),
    "a column of the model": (
        [*EVALUATE, "--label", "age"],
        "--label must not name a feature of the model. Got 'age'",
    ),
    "no labels": (["evaluate", "model.safetensors", "narrow.csv"], "Missing: 'weight', 'city'; add"),
    "a cut that is text": ([*EVALUATE, "--top", "5x"], "Got '5x'; write 100, 0.01 or 1%."),
    "a file of figures": ([*EVALUATE, "--figures", "claims.csv"], "must be a folder, but claims.csv is not one"),
    "an absent table to inspect": (["inspect", "gone.csv"], "Got 'gone.csv', where there is none; correct the path"),
    "an absent model to inspect": (["inspect", "gone"], "There is no model file 'gone'"),
    "a sheet of a model": (["inspect", "model.safetensors", "--sheet", "May"], "name its format in --format"),
    "too much to inspect": (["inspect", "model.safetensors", "more"], "more"),
    "too much to know": (["info", "more"], "more"),
}


@pytest.fixture(autouse=True)
def files(small, tmp_path):
    for path in small.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "half.safetensors").write_bytes(small.model.read_bytes()[:5000])
    (tmp_path / "narrow.csv").write_text("id,size,age,weigth,height,fraud\n1,2,3,4,5,yes\n")  # codespell:ignore
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.csv").mkdir()


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("case", WRONG)
def test_mistakes_cost_one_line_and_exit_code_2(case, capsys, tmp_path):
    arguments, sentence = WRONG[case]
    before = contents(tmp_path)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: ")
    assert one_line(err).rstrip()[-1] in ".?"
    assert sentence in err or re.search(sentence, err)
    assert contents(tmp_path) == before


def test_a_traceback_comes_with_debug_only(capsys):
    assert main(["inspect", "half.safetensors", "--debug"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.splitlines()[-1].startswith("Error: Cannot load model file")


@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_defects_ask_to_be_told(debug, capsys, monkeypatch):
    def broken(_):
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("s2auc.load_model", broken)
    assert main(["inspect", "model.safetensors", *debug]) == 1
    err = capsys.readouterr().err
    assert err.splitlines()[-1].startswith("Error: This should not have happened: ZeroDivisionError: by nothing.")
    assert ("Traceback" in err) is bool(debug)
    assert ("--debug" in err) is not bool(debug)


@pytest.mark.parametrize("arguments", [[*FIT, "-o"], SCORE])
def test_folders_that_may_not_be_written(arguments, capsys, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):
        folder = Path("/sys")  # where not even those may write who may write everywhere
        if not folder.is_dir():
            pytest.skip("all folders may be written")
    target = folder / ("model.safetensors" if "fit" in arguments else "scores.csv")
    assert main([*arguments, str(target)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert one_line(err).startswith("Error: Cannot ")
    assert not target.exists()


@pytest.mark.parametrize("arguments", [[*FIT, "-o", "new.safetensors"], [*SCORE, "new.csv"]])
def test_a_disk_that_is_full(arguments, capsys, monkeypatch, tmp_path):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = contents(tmp_path)
    monkeypatch.setattr("os.fsync", full)
    assert main(arguments) == 1
    err = one_line(capsys.readouterr().err)
    assert err.startswith("Error: Cannot ")
    assert "No space left on device; " in err
    assert contents(tmp_path) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_standard_output_that_takes_nothing():
    with open("/dev/full", "w") as full:
        done = run_command("info", stdout=full)
    assert done.returncode == 1
    assert one_line(done.stderr).startswith("Error: ")
    assert "No space left on device" in done.stderr
