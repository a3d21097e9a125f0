"""Find the files of a dataset in a data folder or in the cache, or fetch them."""

import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from s2auc.experiments.datasets.download import DownloadError
from s2auc.experiments.datasets.download import download as download_file
from s2auc.experiments.datasets.entries import DatasetEntry, PublishedFile

PathName: TypeAlias = str | os.PathLike[str]

logger = logging.getLogger(__name__)

#: Environment variable that names a data folder.
FOLDER_VARIABLE = "S2AUC_DATA"


@dataclass(frozen=True)
class LocatedFiles:
    """Files on disk that hold a dataset: one npz archive if `file` is None, else a published file."""

    paths: tuple[Path, ...]
    file: PublishedFile | None = None

    @property
    def names(self) -> str:
        """Names of the files, without folders."""
        return " and ".join(path.name for path in self.paths)


def search_places(folder: PathName | None, data_home: PathName | None = None) -> list[Path]:
    """Return the data folder, if any, and then the cache of downloaded files, which need not exist.

    Parameters
    ----------
    folder
        Data folder; None stands for the environment variable ``S2AUC_DATA``.
    data_home
        Data home in the sense of scikit-learn; None stands for the environment variable ``SCIKIT_LEARN_DATA``
        and, without it, for ``~/scikit_learn_data``.
    """
    # sklearn.datasets.get_data_home would make the folder, and looking must not leave traces.
    home = data_home or os.environ.get("SCIKIT_LEARN_DATA") or Path("~", "scikit_learn_data")
    cache = Path(home).expanduser() / "s2auc"
    chosen = os.environ.get(FOLDER_VARIABLE) or None if folder is None else folder
    if chosen is None:
        return [cache]
    path = Path(chosen).expanduser()
    if not path.is_dir():
        origin = f"The environment variable {FOLDER_VARIABLE}" if folder is None else "The 'folder' parameter"
        raise ValueError(
            f"{origin} must name an existing folder. Got {str(chosen)!r} instead; make it or leave it unset."
        )
    return [path, cache]


def find_files(entry: DatasetEntry, places: Sequence[Path]) -> LocatedFiles | None:
    """Return the files of a dataset in the first place that has them: npz archives first, then published files."""
    for folder in places:
        for name in entry.archives:
            if (folder / name).is_file():
                return LocatedFiles((folder / name,))
        for file in entry.files:
            for names in ((file.name,), file.unpacked_names):
                paths = tuple(folder / name for name in names)
                if all(path.is_file() for path in paths):
                    return LocatedFiles(paths, file)
    return None


def locate(
    entry: DatasetEntry, folder: PathName | None, data_home: PathName | None = None, *, fetch: bool = False
) -> LocatedFiles:
    """Return the files of a published dataset, fetched into the cache if need be and allowed."""
    places = search_places(folder, data_home)
    found = find_files(entry, places)
    if found is not None:
        return found
    if fetch and entry.files:
        return _fetch(entry, cache=places[-1])
    names = [*entry.archives, *(file.name for file in entry.files)]
    way_out = "pass download=True" if entry.files else f"fetch it from {entry.homepage}"
    raise FileNotFoundError(
        f"The dataset {entry.name} needs one of the files {', '.join(names)}, but none is in "
        f"{' or '.join(str(place) for place in places)}; pass folder=..., set {FOLDER_VARIABLE}, or {way_out}."
    )


def _fetch(entry: DatasetEntry, cache: Path) -> LocatedFiles:
    errors = []
    for file in entry.files:
        try:
            return LocatedFiles((download_file(file.url, cache / file.name, sha256=file.sha256),), file)
        except DownloadError as error:
            logger.warning("%s", error)
            errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    raise DownloadError(f"No address of {entry.name} works: {' '.join(str(error) for error in errors)}") from errors[-1]
