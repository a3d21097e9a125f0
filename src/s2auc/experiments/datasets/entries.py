"""What the table of datasets holds about one dataset and about one file of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import AnyArray, BoolArray

Float32Array: TypeAlias = NDArray[np.float32]
DatasetRows: TypeAlias = tuple[Float32Array, BoolArray]
RawRows: TypeAlias = tuple[AnyArray, BoolArray]

Format: TypeAlias = Literal["svmlight", "csv", "tsv"]

#: File endings that say how a published file is packed.
COMPRESSIONS = ("bz2", "xz", "gz", "zip")


@dataclass(frozen=True, kw_only=True)
class PublishedFile:
    """One file as its publisher offers it.

    Attributes
    ----------
    name
        File name at the publisher, which is also the name looked for in data folders.
    url
        Address of the file.
    format
        "svmlight" (LIBSVM), "csv" or "tsv", all without a header line.
    positive, negative
        Label values of the two classes; any other value is an error.
    label_column
        Column of the label in csv and tsv files, 0 or -1.
    members
        Files to read, one after another, from a zip archive (folders inside it do not matter).
    sha256
        Digest of the file, None where no reliable source states it.
    """

    name: str
    url: str
    format: Format
    positive: tuple[int, ...]
    negative: tuple[int, ...]
    label_column: Literal[0, -1] = 0
    members: tuple[str, ...] = ()
    sha256: str | None = None

    @property
    def compression(self) -> str | None:
        """How the file is packed: "bz2", "xz", "gz", "zip" or None."""
        ending = PurePosixPath(self.name).suffix.removeprefix(".")
        return ending if ending in COMPRESSIONS else None

    @property
    def unpacked_names(self) -> tuple[str, ...]:
        """Names the file has after it was unpacked by hand."""
        if self.compression == "zip":
            return self.members
        return (self.name.removesuffix(f".{self.compression}"),)


@dataclass(frozen=True, kw_only=True)
class DatasetEntry:
    """One dataset of the table.

    Attributes
    ----------
    name
        Name that `load_dataset` takes.
    title
        What the dataset is, in a few words.
    kind
        "published" (read from files), "bundled" (ships with scikit-learn) or "generated".
    n_rows
        Published number of rows; for generated datasets, the number made unless asked otherwise.
    n_columns
        Number of feature columns, without the label.
    positive
        Which rows are the positive class.
    citation, licence, homepage
        Whom to cite, under which terms the data are offered, and where.
    notes
        What a user should know before comparing numbers.
    in_paper
        Whether it stands in the dataset table of Shi et al. (2019), the paper of QSG-S2AUC.
    files
        Alternatives that each hold the whole dataset; the first is downloaded first.
    archives
        Names of npz files that may hold the dataset or a part of it, looked for in this order.
    generate
        Makes ``(X, y)`` from a number of rows and a seed (generated datasets).
    read
        Reads the whole ``(X, y)`` (bundled datasets).
    """

    name: str
    title: str
    kind: Literal["published", "bundled", "generated"]
    n_rows: int
    n_columns: int
    positive: str
    citation: str
    licence: str
    homepage: str
    notes: str = ""
    in_paper: bool = False
    files: tuple[PublishedFile, ...] = ()
    archives: tuple[str, ...] = ()
    generate: Callable[[int, int], DatasetRows] | None = field(default=None, repr=False)
    read: Callable[[], RawRows] | None = field(default=None, repr=False)
