"""The label column of a table: which value is positive, which negative, and which rows are not labelled."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.user_warnings import warn_user
from s2auc.data.labels.labeled_rows import KnownLabels, LabeledRows, find_labeled_rows
from s2auc.data.labels.labels import Labels, read_labels
from s2auc.data.labels.rules import LabelRule, is_value, read_comparison
from s2auc.data.labels.values import is_equal, kind_of
from s2auc.data.schema.column_names import listed, short
from s2auc.data.schema.text_readings import MISSING, PLACEHOLDERS
from s2auc.data.tables.lazy_table import LabelColumn

_SHOWN_VALUES = 10
_MAX_CODES = 3
"""Numbers that may stand for classes without an order; more of them are grades."""

_EMPTY_WORDS = {*PLACEHOLDERS, "invalid", "undetermined", "inconclusive", "unclear", "open", "pending", "other"}
"""Labels that are nothing to look for."""

USUAL_MARKER = -1
"""What marks unlabelled rows beside two other labels, as in scikit-learn."""


class UnclearLabelsError(InputError):
    """A label column has more than two values, and nobody said which of them is positive.

    Parameters
    ----------
    rule : str or Message
        As for `InputError`.
    value : str or None
        A value, or a comparison, that may be meant.
    **facts : object
        As for `InputError`; "example" shows how to say so.
    """

    def __init__(self, rule: str, /, *, value: str | None = None, **facts: Any) -> None:
        super().__init__(rule, **facts)
        self.value = value

    def with_example(self, example: str) -> "UnclearLabelsError":
        """Return the same error with another way to say what is meant."""
        message = self.args[0]
        return UnclearLabelsError(Message(message.template, **{**message.facts, "example": example}), value=self.value)


@dataclass(frozen=True, eq=False)
class TableLabels:
    """What a label column means, read once.

    Attributes
    ----------
    column
        The labels, as estimators take them.
    labels
        Which rows are positive, negative and unlabelled.
    marker
        The value that marks unlabelled rows, beside blanks; None if there is none.
    positive
        The positive class if it was named; else None, and it is the larger one.
    passed_over
        Values that are neither positive nor negative, and in how many rows each stands: these count as unlabelled.
    negative
        Values that are negative where there may be several, and in how many rows each stands.
    """

    column: KnownLabels
    labels: Labels
    marker: Any
    positive: Any
    passed_over: Mapping[Any, int]
    negative: Mapping[Any, int]


def read_table_labels(
    column: LabelColumn,
    name: str | None,
    positive: Any = None,
    unlabeled: Any = None,
    negative: Sequence[Any] = (),
    ignored: Sequence[Any] = (),
) -> TableLabels:
    """Return what a label column means.

    Blank labels are those of unlabelled rows. So is -1 where it stands beside two other numbers.

    Parameters
    ----------
    column
        The column.
    name
        Its name; None where the format has a place of its own for labels.
    positive
        The class to rank at the top, or its spelling, or a comparison such as ``">=7"``; None for the larger of two.
    unlabeled
        Another value that marks unlabelled rows, or its spelling.
    negative
        Values that are negative, or their spellings; none for all that are not positive.
    ignored
        Values that are as good as blank, or their spellings.

    Examples
    --------
    >>> column = KnownLabels(find_labeled_rows([1.0, None, 0.0, None], marker=None))
    >>> found = read_table_labels(column, "fraud", positive="1")
    >>> found.labels.classes.tolist(), found.labels.n_unlabeled
    ([0.0, 1.0], 2)
    """
    found = find_labeled_rows(column, None)
    distinct: list[Any] = np.unique(found.values).tolist()
    if not distinct:
        raise InputError(
            "hold labels of some rows",
            **_subject(name),
            found=f"blanks in all {found.n_rows:,} rows",
            fix="name another column in {label}, or label some rows",
        )
    marker = _marker(distinct, unlabeled)
    marked = found if marker is None else found.without(marker)
    count_of = _counted(marked)
    rule = _rule(count_of, positive, negative, ignored)
    kept = marked if rule is None else rule.apply(marked)
    wanted = positive
    if rule is not None and rule.positive is not None:
        wanted = rule.classes[1]
    kept_counts = _counted(kept)
    wanted = None if wanted is None else _value_spelled(wanted, list(kept_counts), "positive", "a class")
    _check_classes(kept_counts, name, wanted)
    _warn_of_missing_words(kept_counts)
    if wanted is None:
        _warn_of_majority(kept_counts)
    known = KnownLabels(kept, rule=rule)
    labels = read_labels(known, unlabeled=marker, pos_label=wanted)
    if rule is None:
        return TableLabels(known, labels, marker, wanted, {}, {})
    return TableLabels(known, labels, marker, wanted, rule.passed_over(count_of), rule.negative_among(count_of))


def _counted(found: LabeledRows) -> dict[Any, int]:
    classes, counts = np.unique(found.values, return_counts=True)
    return dict(zip(classes.tolist(), counts.tolist(), strict=True))


def _rule(
    count_of: Mapping[Any, int], positive: Any, negative: Sequence[Any], ignored: Sequence[Any]
) -> LabelRule | None:
    """Return what makes two classes of the values of a label column; None if they are two already."""
    values = list(count_of)
    left_out = tuple(_value_spelled(value, values, "ignore", "a value") for value in ignored)
    rest = [value for value in values if value not in left_out]
    others = tuple(_value_spelled(value, rest, "negative", "a value") for value in negative)
    is_value_named = any(is_value(value, positive) for value in rest)
    if others and positive is None:
        fix = "name the class to rank at the top in {positive}"
        raise InputError("be given with {positive}", parameter="negative", found=repr(list(others)), fix=fix)
    if positive is not None and (is_value_named or read_comparison(positive) is not None):
        if not is_value_named:
            return LabelRule(positive, others, left_out)
        first = _value_spelled(positive, rest, "positive", "a class")
        if first in others:
            rule, fix = "not name the positive class, too", "leave it out"
            raise InputError(rule, parameter="negative", found=repr(first), fix=fix)
        if others or len(rest) > 2:
            return LabelRule(first, others, left_out)
    return LabelRule(ignored=left_out) if left_out else None


def _warn_of_majority(count_of: Mapping[Any, int]) -> None:
    """Warn where the class that sorts last, and is ranked at the top, is clearly the majority (of numbers, by far)."""
    (other, n_other), (last, n_last) = count_of.items()
    if n_last > (1.5 if kind_of(last) == "text" else 2) * n_other:  # the alphabet says nothing
        told = "{last} is ranked at the top, and most labelled rows have it ({n_last} of {n_rows}). "
        told += "If {other} is what you look for, pass it as {positive}."
        facts = {"last": repr(last), "other": repr(other), "n_last": f"{n_last:,}", "n_rows": f"{n_last + n_other:,}"}
        warn_user(Message(told, **facts))


def _subject(name: str | None) -> dict[str, Any]:
    return {"subject": "The label column"} if name is None else {"column": name}


def _marker(distinct: Sequence[Any], unlabeled: Any) -> Any:
    if unlabeled is not None:
        return _value_spelled(unlabeled, distinct, "unlabeled", "a value")
    is_marked = len(distinct) == 3 and any(is_equal(value, USUAL_MARKER) for value in distinct)
    return USUAL_MARKER if is_marked else None


def _warn_of_missing_words(count_of: Mapping[Any, int]) -> None:
    """Warn of a class that may mean that a row is unlabelled: only blank cells do."""
    for value, count in count_of.items():
        if value in MISSING or str(value).lower() in PLACEHOLDERS:
            warn_user(
                Message(
                    "The label column holds {value} in {count} rows, which counts as a class. If these rows are "
                    "unlabelled, pass {value} as {unlabeled}.",
                    value=repr(value),
                    count=f"{count:,}",
                )
            )


def _check_classes(count_of: Mapping[Any, int], name: str | None, positive: Any) -> None:
    """Raise an InputError unless there are two classes, or the positive one alone, named as such."""
    classes = list(count_of)
    if not classes:
        fix = "leave some labels out of {ignore}"
        raise InputError("hold labels of some rows", **_subject(name), found="only ones to be ignored", fix=fix)
    if len(classes) == 1 and positive is None:
        raise InputError(
            "hold two classes, or one that {positive} names",
            **_subject(name),
            found=f"{classes[0]!r} only",
            fix="label rows of the other class, or pass {value} as {positive} for PU learning (positive-unlabelled)",
            value=repr(str(classes[0])),
        )
    has_fractions = any(kind_of(value) == "number" and value != np.floor(value) for value in classes)
    if has_fractions or len(classes) > 2:
        raise _unclear(count_of, name, has_fractions=has_fractions)


def _unclear(count_of: Mapping[Any, int], name: str | None, *, has_fractions: bool) -> UnclearLabelsError:
    """Return the error about a column of more than two values, which lists them and shows a way out."""
    kind = "numbers with fractions, which are not classes" if has_fractions else f"{len(count_of):,} values"
    example = _example(count_of)
    fix = "name another column in {label}"
    if example is not None and has_fractions:
        fix += ", or say which numbers are positive: {example}"
    elif example is not None:
        fix = "name the one to rank at the top, and all others count as negative: {example}"
    return UnclearLabelsError(
        "hold two classes, apart from blanks",
        **_subject(name),
        found=f"{kind} ({counted(count_of.items(), _SHOWN_VALUES)})",
        value=example,
        example=Message("{positive}={value}", value=repr(example)),
        fix=fix,
    )


def counted(count_of: Iterable[tuple[Any, int]], most: int) -> str:
    """Return values as a sentence lists them, the most frequent first, each with how many rows have it.

    Examples
    --------
    >>> counted([("ok", 1), ("fraud", 3), ("open", 1)], most=2)
    "'fraud' in 3 rows, 'ok' in 1, ..."
    """
    by_count = sorted(count_of, key=lambda pair: -pair[1])
    words = [f"{short(value)} in {count:,}" for value, count in by_count[:most]]
    words[:1] = [f"{word} {'row' if by_count[0][1] == 1 else 'rows'}" for word in words[:1]]
    return ", ".join(words) + (", ..." if len(by_count) > most else "")


def _example(count_of: Mapping[Any, int]) -> str | None:
    """Return what might be ranked at the top, as users would write it; None where values differ in most rows.

    Of several numbers it is the upper ones, a third of the rows at most; else the rarest value that says something.
    """
    n_rows = sum(count_of.values())
    values = sorted(count_of)
    is_graded = len(values) > _MAX_CODES or any(kind_of(value) == "number" and value % 1 for value in values)
    if is_graded and kind_of(values[0]) == "number":
        n_above = np.cumsum([count_of[value] for value in reversed(values)])[::-1]
        first = next((value for value, n in zip(values, n_above, strict=True) if 3 * n <= n_rows), values[-1])
        return f">={first:.15g}"
    if 2 * len(count_of) > n_rows:
        return None
    telling = [value for value in count_of if str(value).lower() not in _EMPTY_WORDS]
    return str(min(sorted(telling or count_of, reverse=True), key=lambda value: count_of[value]))


def _value_spelled(wanted: Any, values: Sequence[Any], parameter: str, kind: str) -> Any:
    """Return the value that equals what is wanted or, if that is text, is spelled like it."""
    for value in values:
        if is_value(value, wanted):
            return value
    raise InputError(
        "be {kind} of the label column",
        parameter=parameter,
        found=repr(wanted),
        fix="choose among {values}",
        kind=kind,
        values=listed(list(values)),
    )
