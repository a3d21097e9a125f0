"""A model judged by rows with labels, from an array, a frame or files."""

from collections.abc import Sequence
from typing import Any

from sklearn.metrics import average_precision_score

from s2auc.common.parameters import CUT, SequenceOf, check_parameters
from s2auc.data.tables.paths import is_path
from s2auc.evaluation.evaluated_rows import check_label, open_evaluated
from s2auc.evaluation.evaluation import Evaluation
from s2auc.models.fitted_model import fitted_model
from s2auc.models.labels_of_model import are_those_of_fit, read_model_labels, score_labeled
from s2auc.ranking.intervals import delong_interval
from s2auc.ranking.metrics import count_top
from s2auc.ranking.reliability import judge_probabilities

_RULES = {"top": (SequenceOf(CUT),)}


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
    if y is None and label is None and is_path(table):
        label = fitted.record.get("table", {}).get("label")
    check_label(fitted, table, y, label)
    given, labels_given = open_evaluated(fitted, table, y, label, unreadable)
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
