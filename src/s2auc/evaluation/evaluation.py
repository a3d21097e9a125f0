"""What a model is worth on rows with labels: AUC with its interval, what is found at the top, calibration."""

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.figure_style import IMAGE_FORMATS, figure_bytes
from s2auc.common.files import check_folder, write_files
from s2auc.common.parameters import Choice, check_parameters
from s2auc.evaluation.figures import draw_evaluation
from s2auc.ranking.intervals import Estimate
from s2auc.ranking.metrics import TopRows
from s2auc.ranking.reliability import Calibration

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation:
    """What `evaluate_model` found.

    Attributes
    ----------
    n_rows
        How many rows were given, unlabelled ones among them.
    n_positive, n_negative, n_unlabeled
        How many of them are positive, negative and unlabelled; the last were not scored.
    may_flatter
        Whether there are as many labels of each class as in the fit: if they are the same rows, it has seen them.
    auc
        The AUC with DeLong's 95 % interval: `value`, `low`, `high`, `level`, `standard_error`.
    average_precision
        The mean precision over all cuts, each weighted by the recall that it adds.
    top
        What is found among the highest scores, for every cut that was asked for: `cut`, `n_rows`, `n_positive`,
        `precision`, `recall`, `lift`.
    calibration
        What the probabilities are worth: `brier`, `log_loss`, `mean_probability`, `share_positive`, `bins`; None if the
        model has none.
    is_positive, scores
        Which labelled rows are positive, and the decision function of each; positive rows come first.
    probabilities
        The probability of the positive class for each; None if the model has none.
    """

    n_rows: int
    n_positive: int
    n_negative: int
    n_unlabeled: int
    may_flatter: bool
    auc: Estimate
    average_precision: float
    top: tuple[TopRows, ...]
    calibration: Calibration | None
    is_positive: BoolArray
    scores: FloatArray
    probabilities: FloatArray | None

    def __repr__(self) -> str:
        return f"<Evaluation: AUC {self.auc}, {self.n_positive:,} positive and {self.n_negative:,} negative rows>"

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON can carry them; the scores of rows are not among them."""
        calibration = None if self.calibration is None else asdict(self.calibration)
        if calibration is not None:
            calibration["bins"] = list(calibration["bins"])
        counts = "n_rows", "n_positive", "n_negative", "n_unlabeled", "may_flatter"
        return {name: getattr(self, name) for name in counts} | {
            "auc": self.auc.value,
            "auc_low": self.auc.low,
            "auc_high": self.auc.high,
            "level": self.auc.level,
            "average_precision": self.average_precision,
            "top": [asdict(cut) for cut in self.top],
            "calibration": calibration,
        }

    def figures(self) -> dict[str, "Figure"]:
        """Return figures by name: "roc", "precision_recall" and, where there are probabilities, "calibration".

        Raises
        ------
        ImportError
            If matplotlib is not installed: `pip install 's2auc[plot]'`.
        """
        return draw_evaluation(self)

    def save_figures(self, folder: str | os.PathLike[str], format: str = "png") -> tuple[Path, ...]:  # noqa: A002
        """Write the figures to a folder, all of them or none, and return their paths.

        Parameters
        ----------
        folder
            Where to; it is made if it is not there. Files of the same names are replaced.
        format
            "png" or "svg".

        Raises
        ------
        OSError
            If they cannot be written there.
        ImportError
            If matplotlib is not installed: `pip install 's2auc[plot]'`.
        """
        check_parameters("save_figures", {"format": format}, {"format": (Choice(IMAGE_FORMATS),)})
        target = Path(folder)
        check_folder(target)
        images = {target / f"{name}.{format}": figure_bytes(figure, format) for name, figure in self.figures().items()}
        write_files(images)
        return tuple(images)
