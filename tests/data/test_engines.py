"""Collections on other machines are told from all else, and their library is loaded when one is met."""

import re
import subprocess
import sys

import numpy as np
import pytest

from s2auc.data.inputs import as_rows
from s2auc.data.tables.engines import is_dask_collection, load_engine, open_labels


def test_what_is_elsewhere():
    dask = pytest.importorskip("dask")
    da, dd = pytest.importorskip("dask.array"), pytest.importorskip("dask.dataframe")
    import pandas as pd

    frame = pd.DataFrame({"a": [1.0, 2.0]})
    assert is_dask_collection(da.zeros((2, 2)))
    assert is_dask_collection(dd.from_pandas(frame, npartitions=1))
    assert is_dask_collection(dd.from_pandas(frame["a"], npartitions=1))
    assert not any(map(is_dask_collection, (frame, np.zeros(3), [1], None, dask.delayed(frame))))


def test_what_is_here_stays_as_it_is():
    X, y = np.zeros((2, 2)), [0, 1]
    assert as_rows(X) is X
    assert open_labels(y) is y


def test_unknown_engines():
    with pytest.raises(ValueError, match=r"engine must be None or one of 'dask'\. Got 'ray'; choose one"):
        load_engine("ray")


WITHOUT_DASK = """
import sys
import numpy as np
sys.modules["distributed"] = None
from s2auc import S2AUCClassifier, open_table
X = np.random.default_rng(0).normal(size=(60, 2))
S2AUCClassifier(max_iter=2).fit(X, np.where(np.arange(60) < 20, X[:, 0] > 0, None)).decision_function(X)
assert not {"dask", "s2auc.distributed"} & set(sys.modules)
try:
    open_table("rows.parquet", engine="dask")
except ImportError as error:
    print(error)
"""


def test_without_dask():
    command = [sys.executable, "-W", "ignore", "-c", WITHOUT_DASK]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    told = r"Rows on other machines need dask, of which \w+ is not installed: pip install 's2auc\[dask\]'\.\n"
    assert re.fullmatch(told, finished.stdout)
