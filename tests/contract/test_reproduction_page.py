"""What the repository says of the paper's experiments is what its rows say."""

import json
from pathlib import Path

import pytest

from s2auc.experiments.harness.store import read_rows
from s2auc.experiments.reproduction.figures import FIGURES
from s2auc.experiments.reproduction.measured import Measured
from s2auc.experiments.reproduction.page import write_markdown
from s2auc.experiments.reproduction.protocol import FULL
from s2auc.experiments.reproduction.reproduce import MARKDOWN, PAGE, ROWS

FOLDER = Path(__file__).parents[2] / "docs" / "reproduction"


@pytest.fixture(scope="module")
def measured():
    return Measured(read_rows(FOLDER / ROWS))


def test_the_page_is_made_from_the_rows(measured):
    assert (FOLDER / MARKDOWN).read_text(encoding="utf-8") == write_markdown(measured, seed=0)


def test_every_figure_is_there():
    assert {path.stem for path in FOLDER.glob("*.png")} == {path.stem for path in FOLDER.glob("*.svg")} == set(FIGURES)
    page = (FOLDER / PAGE).read_text(encoding="utf-8")
    assert page.count("<img ") == len(FIGURES)


def test_all_tables_were_run_and_no_row_names_a_folder(measured):
    assert set(measured.datasets) == set(FULL.datasets)
    for line in (FOLDER / ROWS).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert "/" not in row.get("source", "")
        assert not str(row.get("reason", "")).startswith("/")
