"""Small tables for the command line, and processes in which `s2auc` runs."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import s2auc

NAMES = ["id", "size", "age", "weight", "height", "city", "fraud"]
CHANGED = "PYTHONUNBUFFERED", "FORCE_COLOR", "NO_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TERM"
"""Variables that change what is printed; tests set those that they mean."""


def write_table(path, n_rows=300, n_labels=40):
    """Write a table whose first rows are labelled, and return its path."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(n_rows, 4)).round(3)
    cities = rng.choice(["Rome", "Oslo", "Lima"], n_rows)
    signal = numbers[:, 0] + numbers[:, 1] ** 2 + (cities == "Rome") + 0.5 * rng.normal(size=n_rows)
    labels = np.where(signal > 1.0, "yes", "no")
    labels[n_labels:] = ""
    with Path(path).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(NAMES)
        places = (f"r{place}" for place in range(n_rows))
        writer.writerows(zip(places, *numbers.T.tolist(), cities, labels, strict=True))
    return path


def surroundings(**changes):
    """Return the variables of a process that finds this library, with nothing that changes what is printed."""
    kept = {name: value for name, value in os.environ.items() if name not in CHANGED}
    return kept | {"PYTHONPATH": str(Path(s2auc.__file__).parents[1])} | changes


def command_of(*arguments):
    return [sys.executable, "-m", "s2auc", *map(str, arguments)]


def small_command_of(*arguments):
    """Return the command with a search that tries little."""
    return [sys.executable, str(Path(__file__).with_name("small_program.py")), *map(str, arguments)]


def run_command(*arguments, **options):
    """Return how a command ended in a process of its own, with what it wrote."""
    given = {"env": surroundings(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    return subprocess.run(command_of(*arguments), check=False, **given)


def one_line(text):
    assert text.endswith("\n")
    assert text.count("\n") == 1
    return text
