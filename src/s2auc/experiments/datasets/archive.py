"""Read npz files with arrays ``X`` and ``y``."""

import zipfile
import zlib
from pathlib import Path

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray
from s2auc.experiments.datasets.entries import RawRows


def read_archive(path: Path, n_columns: int) -> RawRows:
    """Return ``X`` as stored and ``y`` as booleans from an npz file.

    Parameters
    ----------
    path
        File with arrays ``X`` (rows of numbers) and ``y`` (1 or True for positive rows; 0, -1 or False for
        others). Pickled objects are never loaded.
    n_columns
        Number of columns that ``X`` must have.
    """
    arrays = _arrays(path)
    X, y = arrays["X"], arrays["y"]
    if X.ndim != 2 or X.shape[1] != n_columns or len(X) == 0 or X.dtype.kind not in "buif":
        raise ValueError(
            f"The array X in {path} must hold rows of {n_columns} real numbers. Got shape {X.shape} and type "
            f"{X.dtype} instead; is it the right file?"
        )
    if X.dtype.kind == "f" and not (np.abs(X) <= np.finfo(np.float32).max).all():
        raise ValueError(
            f"The array X in {path} must be finite in float32 but holds NaN or too large a number; write the "
            "file again."
        )
    return X, _positives(y, len(X), path)


def _arrays(path: Path) -> dict[str, AnyArray]:
    rule = f"The file {path} must be an npz file with arrays X and y"
    try:
        if not zipfile.is_zipfile(path):
            raise ValueError("it is no zip archive")
        with np.load(path, allow_pickle=False) as stored:
            missing = {"X", "y"} - set(stored.files)
            if missing:
                raise ValueError(f"it lacks {' and '.join(sorted(missing))}")
            return {"X": stored["X"], "y": stored["y"]}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{rule}, but {error}; write the file again with numpy.savez.") from error


def _positives(y: AnyArray, n_rows: int, path: Path) -> BoolArray:
    if y.shape != (n_rows,):
        raise ValueError(
            f"The array y in {path} must hold one label for each of the {n_rows:,} rows of X. Got shape "
            f"{y.shape} instead; write the file again."
        )
    values = set(np.unique(y).tolist()) if y.dtype.kind in "buif" else {str(y.dtype)}
    if not (values <= {0, 1} or values <= {-1, 1}):
        raise ValueError(
            f"The array y in {path} must hold 1 for positive rows and 0, or -1, for all others. Got "
            f"{', '.join(str(value) for value in sorted(values)[:5])} instead; write the file again."
        )
    return np.asarray(y == 1)
