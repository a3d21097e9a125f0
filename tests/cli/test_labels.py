"""Labels on the command line: more than two values, verdict files, and the command that an error shows."""

import json
import shlex

import numpy as np
import pytest

from command_runs import one_line
from s2auc.__main__ import main


@pytest.fixture
def claims(tmp_path):
    """A table with four labels, and one with no labels and a file of verdicts."""
    rng = np.random.default_rng(0)
    size = rng.normal(size=200)
    status = np.select([size > 1, size > 0.5, size < -1.2], ["fraud", "abuse", "open"], "ok").astype(object)
    status[rng.random(200) < 0.3] = ""
    rows = [f"C{place},{size[place]:.3f},{rng.normal():.3f}" for place in range(200)]
    lines = [f"{row},{value}" for row, value in zip(rows, status, strict=True)]
    (tmp_path / "claims.csv").write_text("\n".join(["claim,size,noise,status", *lines, ""]))
    (tmp_path / "rows.csv").write_text("\n".join(["claim,size,noise", *rows, ""]))
    known = [(place, value) for place, value in enumerate(status) if value in ("fraud", "ok")]
    verdicts = [f"{value},2026-01-01T00:00:{place % 60:02},C{place},top,0.1,ann" for place, value in known]
    verdicts += ["ok,2026-01-02,Z9,top,0.1,ann", f"open,2025-12-31,C{known[0][0]},top,0.1,bob"]
    (tmp_path / "verdicts.csv").write_text("\n".join(["verdict,time,id,strategy,score,reviewer", *verdicts, ""]))
    return {str(value): int((status == value).sum()) for value in ("fraud", "abuse", "open", "ok")}


def fit(*arguments):
    return main(["fit", *arguments, "--no-tune", "-o", "model"])


def test_the_command_that_an_error_shows_works(claims, capsys):
    assert fit("claims.csv", "--label", "status", "--drop", "noise") == 2
    told = one_line(capsys.readouterr().err)
    assert f"Got 4 values ('ok' in {claims['ok']} rows, " in told
    command = told.rstrip(".\n").partition("negative: ")[2]
    assert command.startswith("s2auc fit claims.csv --label status --drop noise --no-tune -o model --positive ")
    assert main(shlex.split(command)[1:]) == 0


def test_labels_are_counted(claims, capsys):
    assert fit("claims.csv", "--label", "status", "--positive", "fraud", "--ignore-label", "open") == 0
    out, err = capsys.readouterr()
    assert err == ""
    negative = claims["ok"] + claims["abuse"]
    assert f"{negative}  'not fraud', negative: 'ok' ({claims['ok']}), 'abuse' ({claims['abuse']})\n" in out
    assert f"{claims['open']}  neither, count as unlabelled: 'open' ({claims['open']})\n" in out
    assert f"{200 - sum(claims.values())}  unlabelled (blank)\n" in out


def test_a_file_of_verdicts_in_all_commands(claims, capsys):
    with_verdicts = ["rows.csv", "--id", "claim", "--labels", "verdicts.csv"]
    assert fit(*with_verdicts, "--positive", "fraud") == 0
    assert capsys.readouterr().err.splitlines() == [
        "Warning: Row IDs in --labels that are not in the table: 1 ('Z9').",
        "Warning: Row IDs with contradictory verdicts: 1 ('C1'). These rows count as unlabelled; "
        "with --latest-wins the latest verdict counts.",
    ]
    assert fit(*with_verdicts, "--positive", "fraud", "--latest-wins", "--json") == 0
    labels = json.loads(capsys.readouterr().out)["table"]
    assert (labels["n_positive"], labels["n_negative"]) == (claims["fraud"], claims["ok"])
    given = ["model", *with_verdicts]
    assert main(["evaluate", *given, "--latest-wins"]) == 0
    assert f"{claims['fraud']} positive and {claims['ok']} negative rows" in capsys.readouterr().out
    assert main(["report", *given, "--latest-wins", "-o", "page.html"]) == 0
    assert f"{claims['fraud'] + claims['ok']} of them with labels" in capsys.readouterr().out
    assert main(["score", *given, "--top", "150", "--keep", "claim", "-o", "top.csv"]) == 0
    with open("top.csv") as scores, open("verdicts.csv") as verdicts:
        listed = {line.split(",")[0].strip('"') for line in scores}
        judged = {line.split(",")[2] for line in verdicts}
    assert len(listed) == 1 + 200 - claims["fraud"] - claims["ok"]
    assert not listed & judged


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["fit", "rows.csv", "--labels", "verdicts.csv"],
            "--id must be given with --labels. Got none",
        ),
        (
            ["fit", "rows.csv", "--id", "size", "--labels", "verdicts.csv"],
            "--labels must hold row IDs of the table",
        ),
        (["fit", "rows.csv", "--id", "claim", "--labels", "gone.csv"], "Got 'gone.csv', where there is none"),
        (
            ["fit", "rows.csv", "--id", "claim", "--labels", "claims.csv"],
            "--labels must hold a column of row IDs and",
        ),
        (
            ["score", "model", "rows.csv", "--labels", "verdicts.csv", "-o", "x.csv"],
            "--labels must be given with --top",
        ),
    ],
)
def test_verdicts_that_cannot_be_joined(arguments, sentence, claims, capsys):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in one_line(err)


def test_words_of_python_stay_out(tmp_path, capsys):
    lines = [f"{place % 7},{place * 3 % 11},{'yes' if place % 3 else 'no'}" for place in range(40)]
    (tmp_path / "full.csv").write_text("\n".join(["a,b,y", *lines]))
    (tmp_path / "positive.csv").write_text("\n".join(["a,b,y", *lines]).replace("no", "yes"))
    assert fit("full.csv", "--label", "y", "--positive", "yes", "--quiet") == 0
    told = "Warning: There are no unlabelled rows: the model is learnt from labelled pairs only.\n"
    assert capsys.readouterr().err == told
    for more in (["--no-tune"], []):
        assert main(["fit", "positive.csv", "--label", "y", "--positive", "yes", "--quiet", *more]) == 2
        told = one_line(capsys.readouterr().err)
        assert told.endswith("needs unlabelled ones. Got none; pass --unlabeled, or leave labels blank.\n")
    ignored = ["--ignore-label", "yes", "--ignore-label", "no"]
    assert fit("full.csv", "--label", "y", *ignored) == 2
    assert "Got only ones to be ignored; leave some labels out of --ignore-label." in one_line(capsys.readouterr().err)
