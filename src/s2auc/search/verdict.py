"""The verdict on whether unlabelled rows helped."""

from dataclasses import dataclass
from enum import StrEnum

from s2auc.ranking.intervals import Estimate


class Answer(StrEnum):
    """Whether unlabelled rows helped."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class UnlabeledVerdict:
    """Whether unlabelled rows helped, by how much, and one sentence that says so.

    Attributes
    ----------
    answer
        "yes" if the whole interval of the difference lies above zero, "no" if none of it does, else "cannot tell".
    difference
        AUC of what was chosen among all settings, less that of what was chosen among those that do not use unlabelled
        rows; both on folds that neither had seen. None where there was nothing to compare.
    sentence
        The same in words.
    """

    answer: Answer
    difference: Estimate | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def say_whether_unlabeled_helped(difference: Estimate) -> UnlabeledVerdict:
    """Return the verdict on a difference.

    Examples
    --------
    >>> print(say_whether_unlabeled_helped(Estimate(0.02, 0.005, 0.035, 0.95, 0.01)))
    Yes, the unlabelled rows helped: held-out AUC +0.020 (95% interval +0.005 to +0.035).
    """
    figures = f"held-out AUC {difference.signed}"
    if difference.low > 0.0:
        return UnlabeledVerdict(Answer.YES, difference, f"Yes, the unlabelled rows helped: {figures}.")
    if difference.high <= 0.0:
        return UnlabeledVerdict(Answer.NO, difference, f"No, the unlabelled rows did not help: {figures}.")
    sentence = f"Cannot tell whether the unlabelled rows helped: {figures}; more labels would narrow it."
    return UnlabeledVerdict(Answer.CANNOT_TELL, difference, sentence)


def cannot_tell(reason: str) -> UnlabeledVerdict:
    """Return the verdict where there is nothing to compare."""
    return UnlabeledVerdict(Answer.CANNOT_TELL, None, f"Cannot tell whether the unlabelled rows helped: {reason}.")


def nothing_to_help() -> UnlabeledVerdict:
    """Return the verdict where no row is unlabelled."""
    return UnlabeledVerdict(
        Answer.CANNOT_TELL, None, "There are no unlabelled rows, so the labels alone made the model."
    )


def compare_with_time(time_auc: Estimate | None, held_out_auc: Estimate | None) -> str:
    """Return one sentence about the AUC on later rows, next to that on random folds.

    Examples
    --------
    >>> later, held_out = Estimate(0.7, 0.6, 0.78, 0.95, 0.04), Estimate(0.85, 0.8, 0.9, 0.95, 0.02)
    >>> compare_with_time(later, held_out)[62:]
    '(95% interval 0.600 to 0.780), lower than with random folds (0.850): expect this one on new rows.'
    """
    if time_auc is None:
        return "The AUC on later rows is unknown: labelled rows are too few, or lack a class for some time."
    text = f"Trained on earlier and tested on later rows, the AUC is {time_auc}"
    if held_out_auc is None:
        return f"{text}."
    folds = f"random folds ({held_out_auc.value:.3f})"
    if time_auc.high < held_out_auc.value:
        return f"{text}, lower than with {folds}: expect this one on new rows."
    if time_auc.low > held_out_auc.value:
        return f"{text}, higher than with {folds}."
    return f"{text}; with {folds} it does not differ clearly."
