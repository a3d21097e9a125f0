"""The program `s2auc` with a search that tries little, so that it is soon done.

The variable S2AUC_TEST_HELD names a stage that does not end once a terminal has shown it.
"""

import os
import time
from functools import partial

import s2auc.cli.screen as screen
from s2auc import S2AUCClassifierCV
from s2auc.__main__ import program
from s2auc.estimators import table_fit
from s2auc.search.entries import forest


def hold(stage):
    """Make a stage wait when it has been shown."""
    show = screen._show

    def show_and_wait(bar, task, done):
        show(bar, task, done)
        if done.stage == stage:
            time.sleep(600)

    screen._show = show_and_wait


if __name__ == "__main__":
    table_fit.S2AUCClassifierCV = partial(S2AUCClassifierCV, kernels=["gaussian"], cv=3)
    forest.N_TREES, forest.N_FOLD_TREES = 8, 4
    if "S2AUC_TEST_HELD" in os.environ:
        hold(os.environ["S2AUC_TEST_HELD"])
    program()
