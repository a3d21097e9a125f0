"""A model judged by rows with labels, from an array, a frame or files."""

from collections.abc import Sequence
from typing import Any

from sklearn.metrics import average_precision_score

from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputError, InputTypeError
from s2auc.common.messages import Message
from s2auc.common.parameters import CUT, SequenceOf, check_parameters
from s2auc.data.labels.values import kind_of
from s2auc.data.tables.paths import LABELED_FORMATS, find_files, is_path
from s2auc.data.tables.table import Table
from s2auc.evaluation.evaluation import Evaluation
from s2auc.models.fitted_model import fitted_model
from s2auc.models.labels_of_model import are_those_of_fit, read_model_labels, score_labeled
from s2auc.models.model import Model
from s2auc.models.open_for_model import open_for_model
from s2auc.ranking.intervals import delong_interval
from s2auc.ranking.metrics import count_top
from s2auc.ranking.reliability import judge_probabilities

_RULES = {"top": (SequenceOf(CUT),)}


@describes_parameters_like()
def evaluate_model(
    model: Any,
    table: Any,
    y: Any = None,
    *,
    label: str | None = None,
    top: Sequence[float] = (0.01, 0.05, 0.1),
    unreadable: str = "error",
) -> Evaluation:
    """Return what a model is worth on rows with labels.

    Rows without a label are not scored, nor are those that hold what marked unlabelled rows in the fit. After a fit
    without negative rows, whatever label stands beside the positive class counts as negative. Rows that the model
    was fitted on flatter it: keep others for this.

    Parameters
    ----------
    model
        A fitted classifier of this library, a `Model`, or the path of a model file.
    table
        The rows: a table as `s2auc.open_table` gives or takes it, with its labels in a column, or whatever estimators
        take, with `y`. Columns of a table that the model does not know are passed over.
    y
        One label a row, if no column holds them; missing where a row is unlabelled.
    label
        The column of labels, if X is not an open table that has one. For files, that of the table that the model was
        fitted on is taken by default.
    top
        Cuts in the ranking of the labelled rows: as many rows if it is a whole number, such a share of them, rounded
        up, if it lies between 0 and 1.
    unreadable : {"error", "missing"}, default="error"
        What to do with a cell that the model cannot read, such as a word in a column that held numbers: raise an error
        that names it, or treat it as missing.

    Returns
    -------
    Evaluation
        The AUC with its interval, average precision, what is found at the top, and calibration; it draws figures, too.

    Raises
    ------
    ValueError, TypeError
        If something is not as said above, the columns or classes are not those of the model, or a class has less than
        two rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from s2auc import S2AUCClassifier, evaluate_model
    >>> rows = pd.DataFrame({"age": [31.0, 45.0, 20.0, 52.0] * 3, "claims": [0, 3, 1, 4] * 3})
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=20).fit(rows[:4], [0, 1, 0, 1], rows)
    >>> found = evaluate_model(ranker, rows.assign(fraud=[0, 1, 0, 1, None, None] * 2), label="fraud", top=[2])
    >>> found
    <Evaluation: AUC 1.000 (95% interval 0.398 to 1.000), 4 positive and 4 negative rows>
    >>> found.n_unlabeled, found.top[0].precision, found.top[0].recall
    (4, 1.0, 0.5)
    """
    check_parameters("evaluate_model", {"top": top}, _RULES)
    fitted = fitted_model(model, "evaluate_model")
    if y is None and label is None and (is_path(table) or (isinstance(table, Table) and table.y is None)):
        label = fitted.record.get("table", {}).get("label")
    _check_label(fitted, table, y, label)
    given, labels_given = _open_evaluated(fitted, table, y, label, unreadable)
    rows = fitted.open_rows(given)
    labels = read_model_labels(fitted, rows, labels_given, "y" if label is None else f"Column {label!r}")
    scores, is_positive = score_labeled(fitted, rows, labels), labels.order.is_positive
    probabilities = None if fitted.probabilities is None else fitted.probabilities_of(scores)[:, 1]
    return Evaluation(
        n_rows=labels.n_rows,
        n_positive=labels.n_positive,
        n_negative=labels.n_negative,
        n_unlabeled=labels.n_unlabeled,
        may_flatter=are_those_of_fit(fitted.record, labels),
        auc=delong_interval(is_positive, scores),
        average_precision=float(average_precision_score(is_positive, scores)),
        top=tuple(count_top(is_positive, scores, cut) for cut in top),
        calibration=None if probabilities is None else judge_probabilities(is_positive, probabilities),
        is_positive=is_positive,
        scores=scores,
        probabilities=probabilities,
    )


def _check_label(model: Model, X: Any, y: Any, label: Any) -> None:
    """Raise an error unless it is clear where labels come from, before anything is read."""
    check_label_name(model, label, "evaluate_model")
    has_own = isinstance(X, Table) and X.y is not None
    if y is not None and (has_own or label is not None):
        raise labels_twice(Message("the label column of {X}" if has_own else "{label}"))
    holds_labels = is_path(X) and find_files(X).format in LABELED_FORMATS
    if y is None and label is None and not has_own and not holds_labels:
        advice = "pass {y}, or name the label column in {label}"
        if isinstance(X, Table) or is_path(X):
            advice = "open the table with {label}" if isinstance(X, Table) else "name the label column in {label}"
        raise InputError("have labels", subject="The rows to evaluate on", found="none", fix=advice)


def labels_twice(other: Message) -> InputError:
    """Return the error that labels come from `y` and from elsewhere."""
    return InputError(
        "come from one place", subject="Labels", found=Message("{y} and {other}", other=other), fix="leave one out"
    )


def check_label_name(model: Model, label: Any, asked_by: str) -> None:
    """Raise an error unless a column of labels, if one is named, is none that the model scores by."""
    if label is not None and kind_of(label) not in ("text", "number"):
        raise InputTypeError(
            "be the name of a column or None",
            parameter="label",
            owner=asked_by,
            found=repr(label),
            fix="name the label column, or pass the labels as {y}",
        )
    if label is not None and label in (model.schema.source_names or ()):
        raise InputError("not name a feature of the model", parameter="label", found=repr(label), fix="name another")


def _open_evaluated(model: Model, X: Any, y: Any, label: Any, unreadable: str) -> tuple[Any, Any]:
    """Return rows, as models take them, and their labels; columns that a model does not know are ignored."""
    if label is None and not isinstance(X, Table) and not is_path(X):
        return X, y
    table = open_for_model(model, X, label=label, unreadable=unreadable)
    if y is not None and table.y is not None:
        raise labels_twice(Message("those of {X}"))
    return table.X.known_to(model.schema), table.y if y is None else y
