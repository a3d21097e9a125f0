"""The record of a model: how it was fitted and what was found, as values that JSON can carry exactly.

`check_record` runs before a model is saved and after a file was read, so readers of a record rely on its types. Any
entry may be missing: older versions wrote fewer of them. Names that are not listed here are kept, and not read.
"""

from collections.abc import Callable, Iterable
from math import isfinite
from reprlib import repr as shown
from types import UnionType
from typing import Any, TypedDict, get_args, get_origin, is_typeddict

from s2auc.models.checks import require
from s2auc.models.strict_json import is_text, to_json

DEEPEST = 6
"""Lists and objects inside one another, the record itself being the first."""

LONGEST_TEXT = 10_000
"""Characters of a text, or of a name."""

MAX_INTEGER = 2**64
"""Integers are below it in size: seeds fit."""

RECORD_BYTES = 2**24
"""Of the record's JSON."""


class RecordedEstimate(TypedDict):
    """An estimate with its confidence interval."""

    value: float
    low: float
    high: float
    level: float


class RecordedPoint(RecordedEstimate):
    """A point of the learning curve: the held-out AUC of a fit on so many labels."""

    n_labels: int


class RecordedVerdict(TypedDict):
    """Whether unlabelled rows helped, in a word and in a sentence, and by how much the AUC differs."""

    answer: str
    sentence: str
    difference: RecordedEstimate | None


class RecordedSampling(TypedDict):
    """Whether labels were chosen by score, in a word and in a sentence, and the biased AUC of equal weights."""

    answer: str
    sentence: str
    top_share: float | None
    unweighted_auc: RecordedEstimate | None


class RecordedColumnLeak(TypedDict):
    """A column that alone tells the label."""

    name: str
    auc: float
    sentence: str


class RecordedTime(TypedDict):
    """The AUC on later rows by models of earlier ones, and the sentence that compares it with random folds."""

    sentence: str
    auc: RecordedEstimate | None


class RecordedShift(TypedDict):
    """The column, by its number in the table, in which labelled and unlabelled rows differ most."""

    column: int
    p_value: float
    class_prior: float | None


class RecordedRule(TypedDict):
    """The rule that made two classes of a label column (`data.labels.rules.LabelRule`)."""

    positive: Any
    negative: list[Any]
    ignored: list[Any]


class RecordedColumn(TypedDict):
    """Name, kind ("categories" or "numbers") and statistics of a column that the model reads."""

    name: str
    kind: str
    n_missing: int
    mean: float
    deviation: float
    low: float
    high: float


class Record(TypedDict, total=False):
    """The entries of a record.

    `table` names the columns that were the label, row IDs or groups, by these roles. `columns` is empty where the model
    reads components. `settings_chosen` holds places in `settings_tried`, and `shares` the share of each in the average.
    """

    estimator: str
    settings: dict[str, Any]
    rows: dict[str, int]
    table: dict[str, str]
    label_rule: RecordedRule
    columns: list[RecordedColumn]
    n_sampled: int
    n_components: int | None
    seed: int
    versions: dict[str, str]
    settings_tried: list[dict[str, Any]]
    settings_chosen: list[int]
    shares: list[float]
    held_out_auc: RecordedEstimate | None
    corrected_auc: RecordedEstimate
    time: RecordedTime
    unlabeled: RecordedVerdict
    label_sampling: RecordedSampling
    repeated_rows: str
    telling_columns: list[RecordedColumnLeak]
    learning_curve: list[RecordedPoint]
    learning_curve_sentence: str | None
    shift: RecordedShift | None


def check_record(record: Record) -> None:
    """Raise a ValueError that names the first thing in a record that no file can hold, or that is of another type.

    A record is a dict with text for names, of texts, numbers, booleans, None, lists and dicts. Numbers are Python's own
    and finite: None stands for what is not known.

    Examples
    --------
    >>> check_record({"seed": 7, "settings_tried": [{"alpha": 0.1, "mean_auc": 0.93}]})
    >>> check_record({"settings_tried": [{"mean_auc": float("nan")}]})
    Traceback (most recent call last):
    ...
    ValueError: numbers in its record must be finite, or None, got nan at settings_tried.0.mean_auc
    >>> check_record({"rows": {"positive": "many"}})
    Traceback (most recent call last):
    ...
    ValueError: its record must hold a value of type int at rows.positive, got 'many'
    """
    require(isinstance(record, dict), f"its record must be a dict, got {type(record).__name__}")
    _check_json(record, ())
    size = len(to_json(record).encode())
    require(size <= RECORD_BYTES, f"the JSON of its record must have at most {RECORD_BYTES} bytes, got {size}")
    _check_type(record, Record, ())
    n_tried, chosen = len(record.get("settings_tried", [])), record.get("settings_chosen", [])
    require(
        all(0 <= place < n_tried for place in chosen) and len(record.get("shares", chosen)) == len(chosen),
        f"settings_chosen of its record must be places among {n_tried} settings_tried, with a share each, got "
        f"{shown(chosen)}",
    )


def _check_json(value: Any, place: tuple[Any, ...]) -> None:
    """Raise a ValueError unless a value, and all inside it, can be written as JSON within the limits above."""
    if not isinstance(value, dict | list):
        _check_leaf(value, place)
        return
    sentence = f"its record must be at most {DEEPEST} lists and dicts deep, got more at {_path(place)}"
    require(len(place) < DEEPEST, sentence)
    inner: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        if isinstance(value, dict) and (not is_text(key) or len(key) > LONGEST_TEXT):
            raise ValueError(
                f"names in its record must be text of at most {LONGEST_TEXT} characters, got {shown(key)} at "
                f"{_path(place)}"
            )
        _check_json(item, (*place, key))


def _check_leaf(value: Any, place: tuple[Any, ...]) -> None:
    kind = next((kind for kind in _LEAVES if isinstance(value, kind)), None)
    require(
        kind is not None,
        "its record must hold texts, Python's own numbers, booleans, None, lists and dicts, got "
        f"{type(value).__name__} at {_path(place)}",
    )
    rule, is_sound = _LEAVES[kind]
    require(is_sound(value), f"{rule}, got {shown(value)} at {_path(place)}")


_LEAVES: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    bool | None: ("", lambda _: True),
    str: (
        f"texts in its record must be UTF-8 of at most {LONGEST_TEXT} characters",
        lambda text: is_text(text) and len(text) <= LONGEST_TEXT,
    ),
    float: ("numbers in its record must be finite, or None", isfinite),
    int: ("integers in its record must be smaller than 2**64", lambda number: abs(number) < MAX_INTEGER),
}
"""Rules for values of each type, tried in this order: booleans are integers, too."""


def _check_type(value: Any, kind: Any, place: tuple[Any, ...]) -> None:
    """Raise a ValueError unless a value is of the type that is annotated for its place."""
    if isinstance(kind, UnionType):  # the type, or None
        if value is None:
            return
        kind = get_args(kind)[0]
    plain = dict if is_typeddict(kind) else get_origin(kind) or kind
    wanted = int | float if plain is float else plain
    if plain is not Any and (isinstance(value, bool) or not isinstance(value, wanted)):
        raise ValueError(f"its record must hold a value of type {plain.__name__} at {_path(place)}, got {shown(value)}")
    if is_typeddict(kind):
        if not kind.__required_keys__ <= value.keys():
            names = sorted(kind.__required_keys__)
            raise ValueError(f"its record must hold the names {names} at {_path(place)}, got {shown(sorted(value))}")
        inner = [(name, value[name], own) for name, own in kind.__annotations__.items() if name in value]
    else:
        items = value.items() if plain is dict else enumerate(value if plain is list else ())
        inner = [(name, item, get_args(kind)[-1]) for name, item in items]
    for name, item, own in inner:
        _check_type(item, own, (*place, name))


def _path(place: tuple[Any, ...]) -> str:
    return ".".join(shown(step).strip("'") for step in place) or "its top"
