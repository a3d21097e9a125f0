"""The verdict follows from the interval."""

import numpy as np
import pytest

from s2auc.ranking.intervals import Estimate, delong_difference
from s2auc.search.verdict import Answer, cannot_tell
from s2auc.search.verdict import say_whether_unlabeled_helped as say


@pytest.mark.parametrize(
    ("low", "high", "answer", "begin"),
    [
        (0.01, 0.03, Answer.YES, "Yes, the unlabelled rows helped"),
        (-0.03, -0.01, Answer.NO, "No, the unlabelled rows did not help"),
        (-0.02, 0.0, Answer.NO, "No, the unlabelled rows did not help"),
        (0.0, 0.0, Answer.NO, "No, the unlabelled rows did not help"),
        (-0.01, 0.02, Answer.CANNOT_TELL, "Cannot tell whether the unlabelled rows helped"),
        (0.0, 0.02, Answer.CANNOT_TELL, "Cannot tell whether the unlabelled rows helped"),
    ],
)
def test_the_answer_follows_from_the_interval(low, high, answer, begin):
    difference = Estimate((low + high) / 2, low, high, 0.95, standard_error=0.01)
    verdict = say(difference)
    assert verdict.answer == answer
    assert verdict.difference is difference
    assert str(verdict).startswith(f"{begin}: held-out AUC {difference.value:+.3f} (95% interval {low:+.3f} to ")
    assert str(verdict).endswith(".")


def test_nothing_to_compare():
    verdict = cannot_tell("there are none")
    assert (verdict.answer, verdict.difference) == (Answer.CANNOT_TELL, None)
    assert str(verdict) == "Cannot tell whether the unlabelled rows helped: there are none."


def test_answers_are_readable():
    assert [str(answer) for answer in Answer] == ["yes", "no", "cannot tell"]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_two_rows_of_a_class_tell_nothing(sign):
    """However large the gain, and the same in every row."""
    truth = np.arange(4) < 2
    for other in (np.zeros(4), -sign * truth):
        assert say(delong_difference(truth, sign * truth, other)).answer == Answer.CANNOT_TELL


def test_many_rows_that_all_gain_tell():
    truth = np.arange(80) < 40
    assert say(delong_difference(truth, truth, np.zeros(80))).answer == Answer.YES
    assert say(delong_difference(truth, np.zeros(80), truth)).answer == Answer.NO


def test_the_level_of_the_interval_is_told():
    verdict = say(Estimate(0.02, 0.005, 0.035, 0.8, 0.01))
    assert str(verdict) == "Yes, the unlabelled rows helped: held-out AUC +0.020 (80% interval +0.005 to +0.035)."
