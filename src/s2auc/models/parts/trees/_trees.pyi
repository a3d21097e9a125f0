"""The compiled extension (`src/native`); `scoring.py` is what calls it."""

from s2auc.common.arrays import AnyArray, FloatArray

def pack(
    column: AnyArray, threshold: AnyArray, right: AnyArray, value: FloatArray, first: AnyArray, n_columns: int, /
) -> object: ...
def sums(forest: object, X: AnyArray, out: FloatArray, /) -> None: ...
