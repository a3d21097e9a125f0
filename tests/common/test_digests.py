"""Digests: equal for equal values in every process, different for different ones."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from s2auc import QSG
from s2auc.common.storage.checkpoints import digest_of
from s2auc.data.schema.schema import Schema

X = np.arange(12.0).reshape(3, 4) % 5
ROWS = sparse.csr_array(X)


def schema(names=("a", "b")):
    return Schema(2, {1: ("x", "y")}, names)


SAME = {
    "arrays": (X, X.copy()),
    "arrays in another order of memory": (X[:, ::2].copy(), X[:, ::2].copy(order="K")),
    "sparse rows": (ROWS, ROWS.copy()),
    "sparse rows within": ((3, ROWS), (3, ROWS.copy())),
    "dicts in another order": ({"a": 1, "b": [2.0]}, {"b": [2.0], "a": 1}),
    "objects": (QSG(step_scale=2.0), QSG(step_scale=2.0)),
    "schemas": (schema(), schema()),
    "texts that were put together": ("".join(["gau", "ssian"]), "gaussian"),
}
DIFFERENT = {
    "a value": (X, np.where(X == 4, 9, X)),
    "a shape": (X, X.reshape(4, 3)),
    "a type": (X, X.astype(np.float32)),
    "a value that is stored": (ROWS, 2 * ROWS),
    "a place where one is stored": (ROWS, sparse.csr_array(X[:, ::-1])),
    "the width of sparse rows": (ROWS, sparse.csr_array((ROWS.data, ROWS.indices, ROWS.indptr), shape=(3, 9))),
    "sparse rows within": ((3, ROWS), (3, 2 * ROWS)),
    "a number": (0.1, 0.1 + 1e-17 + 1e-16),
    "a text": ("gaussian", "laplacian"),
    "a number and a text": (1, "1"),
    "whose value it is": ({"a": 1, "b": 2}, {"a": 2, "b": 1}),
    "an option of an object": (QSG(), QSG(average=False)),
    "names of columns": (schema(), schema(("a", "c"))),
    "nothing": (None, 0),
}


@pytest.mark.parametrize("case", SAME)
def test_equal_values(case):
    first, second = SAME[case]
    assert digest_of("x", first) == digest_of("x", second)
    assert len(digest_of(first)) == 32


@pytest.mark.parametrize("case", DIFFERENT)
def test_different_values(case):
    first, second = DIFFERENT[case]
    assert digest_of("x", first) != digest_of("x", second)


def test_order_and_number_of_values_matter():
    assert len({digest_of(1, 2), digest_of(2, 1), digest_of(1), digest_of(1, 2, 3), digest_of((1, 2))}) == 5


def test_what_a_matrix_has_found_out_of_itself_does_not_matter():
    """Sparse matrices keep notes of whether their indices are sorted."""
    known = ROWS.copy()
    _ = known.has_sorted_indices, known.has_canonical_format
    assert digest_of(known) == digest_of(ROWS.copy())


def test_every_process_finds_the_same():
    code = (
        "import numpy as np; from scipy import sparse\n"
        "from s2auc.common.storage.checkpoints import digest_of; from s2auc.data.schema.schema import Schema\n"
        "X = np.arange(12.0).reshape(3, 4) % 5\n"
        "print(digest_of({'b': {'y', 'x', 'z'}, 'a': X}, sparse.csr_array(X),"
        " Schema(2, {1: ('x', 'y')}, ('a', 'b'))))"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    assert found == digest_of({"a": X, "b": {"x", "y", "z"}}, ROWS, schema())
