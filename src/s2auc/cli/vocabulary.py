"""Words of the command line for parameters of the library."""

from s2auc.common.messages import Vocabulary

_SAME = (
    "categorical checkpoint date drop encoding features group keep label labels negative numeric positive "
    "probability query sheet text time top tune unreadable"
)
"""Parameters that options are named after."""

COMMAND_LINE: Vocabulary = {name: f"--{name}" for name in _SAME.split()} | {
    ", as with labeled_weight=1": "",
    "Input X": "the table",
    "Input X_unlabeled": "--unlabeled",
    "X": "the table",
    "X_unlabeled": "--unlabeled",
    "engine": "--dask",
    "mark rows of y as unlabelled": "leave labels blank",
    "file_format": "--format",
    "features of open_table": "--features",
    "groups": "--group",
    "ignore": "--ignore-label",
    "latest_wins": "--latest-wins",
    "min_text_rows": "--min-text-rows",
    "n_jobs": "--jobs",
    "path": "--output",
    "random_labels": "--random-labels",
    "random_state": "--seed",
    "random_state=0": "--seed 0",
    "row_id": "--id",
    "table": "the table",
    "tune=False": "--no-tune",
    "unlabeled": "--unlabeled-value",
    "unlabeled_table": "--unlabeled",
    "unreadable='missing'": "--unreadable missing",
    "with S2AUCClassifierCV": "without --no-tune",
    "y": "the label column",
    "y == 1": "true for the positive class",
}
"""Options and other words, by what messages of the library call them."""
