"""Load a dataset by name."""

import logging
from dataclasses import dataclass, field

import numpy as np

from s2auc.common.arrays import BoolArray
from s2auc.common.parameters import Nothing, Number, check_parameters
from s2auc.experiments.datasets.entries import DatasetEntry, Float32Array, PublishedFile, RawRows
from s2auc.experiments.datasets.formats import read_archive, read_blocks
from s2auc.experiments.datasets.locate import LocatedFiles, PathName, find_files, locate, search_places
from s2auc.experiments.datasets.sampling import RowCollector, RowSampler, sample_rows
from s2auc.experiments.datasets.table import DATASETS, find_entry

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of a two-class dataset.

    Attributes
    ----------
    name
        Name in the table of datasets.
    X
        Feature rows, float32 and C-contiguous, as published: not scaled.
    y
        True for positive rows.
    entry
        What the table says of the dataset: citation, licence, notes.
    source
        One sentence that says which rows these are.
    """

    name: str
    X: Float32Array = field(repr=False)
    y: BoolArray = field(repr=False)
    entry: DatasetEntry = field(repr=False)
    source: str


def load_dataset(
    name: str,
    *,
    folder: PathName | None = None,
    data_home: PathName | None = None,
    download: bool = False,
    n_rows: int | None = None,
    seed: int = 0,
) -> Dataset:
    """Return a dataset of the table.

    A published dataset is looked for in the data folder, then in the cache of downloaded files; with
    ``download=True`` it is fetched into the cache otherwise. In each place an npz archive with arrays ``X``
    and ``y`` (say ``skin.npz``) comes before the published files. Rows keep the order of their file, which
    often is one class after the other.

    Parameters
    ----------
    name
        Name of the dataset, one of `table.DATASETS`.
    folder
        Folder with data files; None stands for the one named by the environment variable ``S2AUC_DATA``, if
        any.
    data_home
        Folder whose subfolder ``s2auc`` is the cache; None stands for that of scikit-learn.
    download
        Whether to fetch published files that are not there.
    n_rows
        Number of rows: a random subset without repetition or, for generated datasets, how many to make. None
        stands for all published rows or the usual number of generated ones.
    seed
        Seed of the subset or of the generated rows; the same seed gives the same bits.

    Examples
    --------
    >>> from s2auc.experiments.datasets import load_dataset
    >>> dataset = load_dataset("digits", n_rows=500)
    >>> dataset.X.shape, dataset.X.dtype, dataset.y.dtype
    ((500, 64), dtype('float32'), dtype('bool'))
    >>> dataset.source
    'digits: 500 random rows (seed 0) of all 1,797 rows that ship with scikit-learn'
    """
    entry = find_entry(name)
    count = Number(2 if entry.generate else 1, integer=True)
    rules = {"seed": (Number(0, integer=True),), "n_rows": (count, Nothing())}
    check_parameters("load_dataset", {"seed": seed, "n_rows": n_rows}, rules)
    if entry.generate is not None:
        size = n_rows or entry.n_rows
        X, y = entry.generate(size, seed)
        return Dataset(name, X, y, entry, f"{name}: {size:,} generated rows (seed {seed}), {entry.title}")
    if entry.read is not None:
        return _pick(entry, entry.read(), n_rows, seed, f"all {entry.n_rows:,} rows that ship with scikit-learn")
    found = locate(entry, folder, data_home, fetch=download)
    if found.file is None:
        X_raw, y = read_archive(found.paths[0], entry.n_columns)
        return _pick(entry, (X_raw, y), n_rows, seed, _origin(entry, len(y), found))
    return _stream(entry, found, found.file, n_rows, seed)


def available_datasets(folder: PathName | None = None, *, data_home: PathName | None = None) -> dict[str, str]:
    """Return the datasets that load without a download, each with where its rows come from.

    Parameters
    ----------
    folder, data_home
        Where to look, as in `load_dataset`.

    Examples
    --------
    >>> from s2auc.experiments.datasets import available_datasets
    >>> available_datasets()["moons"]
    'generated'
    """
    places = search_places(folder, data_home)
    available: dict[str, str] = {}
    for name, entry in DATASETS.items():
        if entry.kind != "published":
            available[name] = entry.kind
        elif (found := find_files(entry, places)) is not None:
            available[name] = f"{found.names} in {found.paths[0].parent}"
    return available


def _stream(entry: DatasetEntry, found: LocatedFiles, file: PublishedFile, n_rows: int | None, seed: int) -> Dataset:
    """Read published files without ever holding more than the rows asked for."""
    sink = RowCollector(entry.n_columns, entry.n_rows) if n_rows is None else RowSampler(entry.n_columns, n_rows, seed)
    for path in found.paths:
        for X, y in read_blocks(path, file, entry.n_columns):
            sink.add(X, y)
    if sink.n_seen != entry.n_rows:
        logger.warning("%s holds %d rows, %d were published", found.names, sink.n_seen, entry.n_rows)
    source = _source(entry, n_rows, seed, sink.n_seen, _origin(entry, sink.n_seen, found))
    X, y = sink.rows()
    return Dataset(entry.name, X, y, entry, source)


def _pick(entry: DatasetEntry, rows: RawRows, n_rows: int | None, seed: int, origin: str) -> Dataset:
    """Return the rows asked for out of rows that are all in memory."""
    X, y = rows
    source = _source(entry, n_rows, seed, len(y), origin)
    if n_rows is not None:
        chosen = sample_rows(len(y), n_rows, seed)
        X, y = X[chosen], y[chosen]
    X = np.ascontiguousarray(X, dtype=np.float32)
    return Dataset(entry.name, X, np.asarray(y, dtype=np.bool_), entry, source)


def _origin(entry: DatasetEntry, n_there: int, found: LocatedFiles) -> str:
    count = f"all {n_there:,}" if n_there == entry.n_rows else f"{n_there:,} of {entry.n_rows:,}"
    return f"{count} published rows, from {found.names}"


def _source(entry: DatasetEntry, n_rows: int | None, seed: int, n_there: int, origin: str) -> str:
    """Return the sentence that says which rows a dataset has, if there are as many as asked for."""
    if n_rows is None:
        return f"{entry.name}: {origin}"
    if n_rows > n_there:
        raise ValueError(
            f"The 'n_rows' parameter of load_dataset must be at most {n_there:,} for {entry.name} "
            f"({origin}). Got {n_rows:,} instead; leave it out to load all rows."
        )
    return f"{entry.name}: {n_rows:,} random rows (seed {seed}) of {origin}"
