"""Tables as people have them work, or are told in one sentence what to change."""

import warnings

import numpy as np
import pytest

from messy_tables import N_ROWS, REFUSED, WORKING
from s2auc import S2AUCClassifier, open_table


def fit(where):
    table = open_table(where, label="y")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Columns of X that say nothing")
        return table, S2AUCClassifier(max_iter=2, random_state=0).fit(table.X, table.y)


@pytest.mark.parametrize("case", WORKING)
def test_messy_tables_that_work(case, tmp_path):
    make, names = WORKING[case]
    table, model = fit(make(tmp_path))
    assert list(model.model_.schema.names) == names
    assert model.classes_.tolist() == [0, 1]
    scores = model.decision_function(table.X)
    assert scores.shape == (N_ROWS,)
    assert np.isfinite(scores).all()
    assert repr(table)


@pytest.mark.parametrize("case", REFUSED)
def test_messy_tables_that_are_refused(case, tmp_path):
    make, sentence = REFUSED[case]
    with pytest.raises(ValueError, match=sentence) as caught:
        fit(make(tmp_path))
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 600


def test_files_that_are_not_there(tmp_path):
    for where in (tmp_path / "no.csv", str(tmp_path / "*.parquet"), tmp_path, [tmp_path / "no.parquet"]):
        with pytest.raises(FileNotFoundError, match="correct"):
            open_table(where)


def test_files_of_two_formats(tmp_path):
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / "a.npy").touch()
    with pytest.raises(ValueError, match="Files of a table must be of one format"):
        open_table(tmp_path)
