"""Text columns on the workers of Dask."""

import dask.dataframe as dd
import numpy as np
import pytest

from dask_runs import saved
from s2auc import S2AUCClassifierCV, open_table
from text_tables import SMALL_SEARCH, make_text_table

FRAME, LABELS, _ = make_text_table()


@pytest.mark.parametrize("n_parts", [1, 4])
def test_partitions_give_the_bits_of_rows_in_memory(client, n_parts, tmp_path):
    here = S2AUCClassifierCV(**SMALL_SEARCH).fit(open_table(FRAME).X, LABELS)
    parts = dd.from_pandas(FRAME, npartitions=n_parts)
    there = S2AUCClassifierCV(**SMALL_SEARCH).fit(parts, LABELS)
    assert saved(there, tmp_path / "there") == saved(here, tmp_path / "here")
    np.testing.assert_array_equal(there.decision_function(parts).compute(), here.decision_function(FRAME))


def test_entries_for_comparison_train_on_workers(client):
    parts = dd.from_pandas(FRAME, npartitions=3)
    there = S2AUCClassifierCV(**SMALL_SEARCH | {"judge": True}).fit(parts, LABELS)
    here = S2AUCClassifierCV(**SMALL_SEARCH | {"judge": True}).fit(FRAME, LABELS)
    assert there.did_unlabeled_help_ == here.did_unlabeled_help_
