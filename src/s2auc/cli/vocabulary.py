"""Words of the command line for parameters of the library."""

from s2auc.common.messages import Vocabulary

COMMAND_LINE: Vocabulary = {
    "Input X": "the table",
    "Input X_unlabeled": "--unlabeled",
    "X": "the table",
    "X_unlabeled": "--unlabeled",
    "checkpoint": "--checkpoint",
    "drop": "--drop",
    "engine": "--dask",
    "features": "--features",
    "features of open_table": "--features",
    "group": "--group",
    "groups": "--group",
    "keep": "--keep",
    "label": "--label",
    "n_jobs": "--jobs",
    "path": "--output",
    "positive": "--positive",
    "probability": "--probability",
    "random_state": "--seed",
    "random_state=0": "--seed 0",
    "row_id": "--id",
    "table": "the table",
    "top": "--top",
    "tune": "--tune",
    "tune=False": "--no-tune",
    "unlabeled": "--unlabeled-value",
    "unlabeled_table": "--unlabeled",
    "unreadable": "--unreadable",
    "unreadable='missing'": "--unreadable missing",
    "with S2AUCClassifierCV": "without --no-tune",
    "y": "the label column",
    "y == 1": "true for the positive class",
}
"""Options and other words, by what messages of the library call them."""
