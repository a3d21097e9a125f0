"""Specifications of experiments: datasets x methods x sizes x trials, read from a TOML file and checked."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any

from s2auc.common.parameters import Choice, Number, Rule, check_parameters
from s2auc.data.features.scaling import SCALINGS
from s2auc.experiments.harness.cells import Cell, trial_seed
from s2auc.experiments.harness.trial_rows import TABLE_MINMAX, data_identity
from s2auc.experiments.memory import read_bytes
from s2auc.experiments.methods.table import METHODS, load_plugins

SPECS = Path(__file__).parent / "specs"
"""Specifications that come with the package."""

ALL = "all"
"""In `n_unlabeled`: all rows that are left. A generated dataset then has its usual number of rows."""

NO_LIMIT = "none"


@dataclass(frozen=True)
class _Text:
    """Any text."""

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str)

    def __str__(self) -> str:
        return "a str"


@dataclass(frozen=True)
class _Listed:
    """A list of different values that follow a rule."""

    rules: tuple[Rule, ...]
    may_be_empty: bool = False

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, list | tuple) or not (value or self.may_be_empty):
            return False
        is_allowed = all(any(rule.accepts(entry) for rule in self.rules) for entry in value)
        return is_allowed and len(set(value)) == len(value)

    def __str__(self) -> str:
        kind = "a list" if self.may_be_empty else "a list, not empty,"
        return f"{kind} of different values, each {' or '.join(map(str, self.rules))}"


@dataclass(frozen=True, kw_only=True)
class Spec:
    """An experiment: every combination of datasets, methods, sizes and trials.

    Attributes
    ----------
    name
        Name of the experiment.
    protocol
        What is measured and how, for readers of the report.
    datasets, methods
        Names in the tables of datasets and methods, or of what plugins add.
    n_labeled
        Numbers of labelled rows.
    n_unlabeled
        Greatest numbers of unlabelled rows, or "all".
    n_test
        Greatest number of test rows; never more than half of the rows that are not labelled.
    trials
        Number of trials.
    seed
        Seed from which those of the trials are derived.
    scaling
        What happens to columns before any method sees them: "none", "minmax" for [0, 1] over all training rows, or
        "minmax_of_table" for [0, 1] over the whole table, whatever rows a fit has.
    time_limit_seconds
        Longest time a method may take to fit and score.
    load_limit_seconds
        Longest time to load the rows.
    memory_limit
        Most memory that a process may hold, such as "4 GB", or "none".
    threads
        Threads that each process may use.
    repeats
        How often a fit is run; its seconds are those of the fastest run. Long fits are run once.
    reference
        Method that others are compared with in reports; empty for the first.
    plugins
        Modules to import that add methods or datasets.
    """

    name: str
    protocol: str = ""
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    n_labeled: tuple[int, ...]
    n_unlabeled: tuple[int | str, ...]
    n_test: int = 10_000
    trials: int = 1
    seed: int = 0
    scaling: str = "none"
    time_limit_seconds: float = 600.0
    load_limit_seconds: float = 600.0
    memory_limit: str = "4 GB"
    threads: int = 1
    repeats: int = 1
    reference: str = ""
    plugins: tuple[str, ...] = ()

    @property
    def memory_limit_bytes(self) -> int | None:
        """The memory limit as a number, None for no limit."""
        return None if self.memory_limit == NO_LIMIT else read_bytes(self.memory_limit)

    def cells(self, folder: str | None = None) -> list[Cell]:
        """Return all cells; those of one trial stand together, so that an interrupted run is complete for some.

        Parameters
        ----------
        folder
            Data folder as in `s2auc.experiments.datasets.load_dataset`.
        """
        data = {dataset: data_identity(dataset, folder) for dataset in self.datasets}
        return [
            Cell(
                dataset=dataset,
                method=method,
                n_labeled=n_labeled,
                max_unlabeled=n_unlabeled if isinstance(n_unlabeled, int) else None,
                max_test=self.n_test,
                scaling=self.scaling,
                trial=trial,
                seed=trial_seed(self.seed, dataset, trial),
                parameters=dict(METHODS[method].parameters),
                library=METHODS[method].identity,
                data=data[dataset],
            )
            for trial, dataset, n_labeled, n_unlabeled, method in product(
                range(self.trials), self.datasets, self.n_labeled, self.n_unlabeled, self.methods
            )
        ]


def read_spec(path: str | Path, changes: Mapping[str, Any] | None = None) -> Spec:
    """Return the specification of a TOML file.

    Parameters
    ----------
    path
        The file; or a name without an ending, such as "accuracy", for a specification that comes with the package.
    changes
        Values that take the place of the file's, None for those of the file.

    Examples
    --------
    >>> read_spec("smoke").datasets
    ('moons', 'blobs')
    """
    found = _find(Path(path))
    try:
        with found.open("rb") as file:
            values = tomllib.load(file)
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"There is no specification {path}: check the path, or name one that comes with the package: "
            f"{', '.join(spec_names())}."
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"The specification {path} must be a TOML file. Got an error instead: {error}.") from error
    values |= {name: value for name, value in (changes or {}).items() if value is not None}
    return make_spec({"name": found.stem, **values}, found.name)


def spec_names() -> list[str]:
    """Return the names of the specifications that come with the package.

    Examples
    --------
    >>> spec_names()
    ['accuracy', 'alternatives', 'smoke', 'systems']
    """
    return sorted(path.stem for path in SPECS.glob("*.toml"))


def _find(path: Path) -> Path:
    """Return the file that is meant: the path itself if there is such a file, else that of the package."""
    is_own = path.is_file() or str(path) not in spec_names()
    return path if is_own else SPECS / f"{path}.toml"


def make_spec(values: Mapping[str, Any], owner: str = "the specification") -> Spec:
    """Return the specification with these values, after checking every one of them.

    Parameters
    ----------
    values
        Values by the names of `Spec`'s attributes; a single value does where a list is asked for.
    owner
        What error messages call the specification.

    Examples
    --------
    >>> make_spec({"name": "one", "datasets": "moons", "methods": "qsg", "n_labeled": 20, "n_unlabeled": "most"})
    Traceback (most recent call last):
    ...
    s2auc.common.errors.InputError: The 'n_unlabeled' parameter of the specification must be a list, not empty, of
    different values, each an int >= 0 or a str among {'all'}. Got ['most'] instead.
    """
    known = {entry.name for entry in fields(Spec)}
    for name in values:
        if name not in known:
            close = get_close_matches(name, known, 1)
            advice = f"did you mean {close[0]!r}?" if close else f"known keys are {', '.join(sorted(known))}."
            raise ValueError(f"The key {name!r} of {owner} is not known; {advice}")
    missing = [name for name in ("name", "datasets", "methods", "n_labeled", "n_unlabeled") if name not in values]
    if missing:
        raise ValueError(f"The key {missing[0]!r} must be in {owner}, but it is not; add it.")
    listed = {
        name: [value] if name in _LISTS and not isinstance(value, list | tuple) else value
        for name, value in values.items()
    }
    # Plugins come first: they add names that the other keys may hold.
    _check(listed, {"plugins": _Listed((_Text(),), may_be_empty=True)}, owner)
    load_plugins(listed.get("plugins", ()))
    _check(listed, _rules(), owner)
    chosen: dict[str, Any] = {name: tuple(value) if name in _LISTS else value for name, value in listed.items()}
    spec = Spec(**chosen)
    if spec.reference and spec.reference not in spec.methods:
        raise ValueError(
            f"The 'reference' parameter of {owner} must be one of its methods. Got {spec.reference!r} instead."
        )
    if spec.memory_limit != NO_LIMIT:
        read_bytes(spec.memory_limit)
    return spec


_LISTS = ("datasets", "methods", "n_labeled", "n_unlabeled", "plugins")


def _rules() -> dict[str, Rule]:
    seconds, count = Number(0, open_low=True), Number(1, integer=True)
    return {
        **dict.fromkeys(("name", "protocol", "memory_limit", "reference"), _Text()),
        "datasets": _Listed((_Text(),)),
        "methods": _Listed((Choice(METHODS),)),
        "n_labeled": _Listed((Number(2, integer=True),)),
        "n_unlabeled": _Listed((Number(0, integer=True), Choice([ALL]))),
        "n_test": Number(2, integer=True),
        "trials": count,
        "seed": Number(0, integer=True),
        "scaling": Choice([*SCALINGS, TABLE_MINMAX]),
        "time_limit_seconds": seconds,
        "load_limit_seconds": seconds,
        "threads": count,
        "repeats": count,
    }


def _check(values: Mapping[str, Any], rules: Mapping[str, Rule], owner: str) -> None:
    check_parameters(owner, values, {name: (rule,) for name, rule in rules.items() if name in values})
