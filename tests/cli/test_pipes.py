"""Commands in pipes: they end quietly when nobody reads on, and leave nothing behind when they are asked to end."""

import os
import signal
import subprocess

import pytest

from command_runs import command_of, one_line, surroundings
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
