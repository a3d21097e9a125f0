"""Commands in pipes: they end quietly when nobody reads on, and leave nothing behind when they are asked to end."""

import os
import signal
import subprocess

import pytest

from command_runs import command_of, one_line, run_command, surroundings
from harness_events import SAFETY_SECONDS, wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def start(*arguments, **variables):
    return subprocess.Popen(
        command_of(*arguments), env=surroundings(**variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.parametrize("table", ["table", "long_table"])
def test_a_reader_that_has_enough(table, small, long_table):
    name = small.table if table == "table" else long_table
    # The table that fits into a pipe is read by nobody at all: else the command may be done before the reader leaves.
    with start("score", small.model, name, "-o", "-", "--keep", "id", "--quiet") as process:
        if name == long_table:
            assert process.stdout.readline() == b'"id","score"\n'
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(SAFETY_SECONDS) == 141


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["info"]])
def test_nobody_reads_what_is_for_people(arguments):
    with start(*arguments) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(SAFETY_SECONDS) == 141


def test_asked_to_end_while_it_fits(small, tmp_path):
    (tmp_path / "scratch").mkdir()
    arguments = "fit", small.table, "--label", "fraud", "-o", tmp_path / "model", "--checkpoint", tmp_path / "work"
    with start(*arguments, TMPDIR=str(tmp_path / "scratch")) as process:
        wait_until(lambda: list(tmp_path.glob("work/*/entry-*")))
        process.send_signal(signal.SIGTERM)
        said = process.stderr.read().decode()
        assert process.wait(SAFETY_SECONDS) == 143
    kept = f"the same command goes on from what is kept in {tmp_path / 'work'}."
    assert one_line(said) == f"Terminated: {kept}\n"
    assert not (tmp_path / "model").exists()
    assert not list((tmp_path / "scratch").iterdir())


LOADING = """
import pathlib, time
pathlib.Path(__file__).with_suffix(".loading").touch()
try:
    time.sleep(600)
except BaseException:
    raise ImportError("initialization failed") from None  # as modules in C do
"""


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "Interrupted"), (signal.SIGTERM, 143, "Terminated")]
)
@pytest.mark.parametrize("module", ["typer", "scipy"])
def test_asked_to_end_while_modules_load(module, number, code, word, small, tmp_path):
    (tmp_path / f"{module}.py").write_text(LOADING)
    path = os.pathsep.join([str(tmp_path), surroundings()["PYTHONPATH"]])
    with start("evaluate", small.model, small.table, PYTHONPATH=path) as process:
        wait_until((tmp_path / f"{module}.loading").exists)
        process.send_signal(number)
        said = process.stderr.read().decode()
        assert process.wait(SAFETY_SECONDS) == code
    # Nobody can print sentences before Typer is there.
    assert said == ("" if module == "typer" else f"{word}: nothing was written.\n")


@pytest.mark.parametrize(
    "arguments", [["info", "--json"], ["score", "{model}", "{table}", "-o", "-"]], ids=["json", "csv"]
)
def test_results_need_a_standard_output(arguments, small):
    given = [argument.format(model=small.model, table=small.table) for argument in arguments]
    done = run_command(*given, stdout=None, preexec_fn=lambda: os.close(1))
    assert done.returncode == 1
    told = "Error: Standard output must be open for results. Got a closed one; redirect it to a file or a pipe.\n"
    assert done.stderr == told


def test_a_closed_standard_input_holds_no_table(small):
    done = run_command("evaluate", small.model, "-", preexec_fn=lambda: os.close(0))
    assert (done.returncode, done.stdout) == (2, "")
    told = "Error: Standard input must hold a table. Got nothing; check the command before the pipe.\n"
    assert done.stderr == told


def test_sentences_need_no_standard_output():
    done = run_command("info", stdout=None, preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [["--help"], ["info"], ["info", "--json"]])
def test_output_on_a_full_disk(arguments, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with open("/dev/full", "w") as full:
        done = run_command(*arguments, stdout=full)
    assert done.returncode == 1
    assert one_line(done.stderr).startswith("Error: Cannot write to standard output: No space left on device;")
