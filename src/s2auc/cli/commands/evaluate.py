"""`s2auc evaluate`: what a model is worth on rows with labels."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from s2auc.cli.options import (
    AsJson,
    Debug,
    Encoding,
    FileFormat,
    IdColumn,
    Label,
    LatestWins,
    ModelFile,
    Query,
    Quiet,
    Sheet,
    TableName,
    Unreadable,
    Verdicts,
    option,
)
from s2auc.cli.runs import command
from s2auc.cli.screen import Screen
from s2auc.cli.tables import naming_lines, opened, verdicts_of
from s2auc.cli.text import read_amount

if TYPE_CHECKING:
    from s2auc.evaluation.evaluation import Evaluation

USUAL_CUTS = ("1%", "5%", "10%")


def evaluate(
    model: ModelFile,
    table: TableName,
    label: Label = None,
    labels: Verdicts = None,
    latest_wins: LatestWins = False,
    id_column: IdColumn = None,
    top: Annotated[
        list[str] | None,
        option("ROWS", "Where to cut the ranking: a number of rows (100) or a share (1%); may be given several times."),
    ] = None,
    figures: Annotated[
        Path | None, option("FOLDER", "Folder for pictures: ROC, precision and recall, calibration.")
    ] = None,
    file_format: FileFormat = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    query: Query = None,
    unreadable: Unreadable = "error",
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Tell what a model is worth on rows with labels.

    AUC with its interval; precision, recall and lift at the top of the ranking; and whether probabilities are what they
    claim to be. Rows that the model was fitted on flatter it: keep others for this.

    \b
    Examples:
      s2auc evaluate model.safetensors checked.csv --label fraud
      s2auc evaluate model.safetensors claims.csv --labels verdicts.csv
      s2auc evaluate model.safetensors checked.xlsx --sheet May --top 100
      s2auc evaluate model.safetensors checked.csv --label fraud --json
    """
    with command(as_json, quiet, debug) as screen, naming_lines(table, file_format, encoding):
        with screen.progress():
            from s2auc import evaluate_model
            from s2auc.common.storage.files import check_folder

            if figures is not None:
                check_folder(figures)
            rows = opened(table, file_format, encoding, sheet, query)
            y = verdicts_of(model, rows, labels, id_column, label, latest_wins=latest_wins)
            cuts = [read_amount(cut) for cut in top or USUAL_CUTS]
            label = label if y is None else None
            found = evaluate_model(model, rows, y, label=label, top=cuts, unreadable=unreadable)
        _print(screen, found)
        paths = () if figures is None else found.save_figures(figures)
        if paths:
            screen.say(f"Figures: {', '.join(map(str, paths))}.")
        screen.result({**found.as_dict(), "figures": [str(path) for path in paths]})


def _print(screen: Screen, found: "Evaluation") -> None:
    aside = f", {found.n_unlabeled:,} without a label not looked at" if found.n_unlabeled else ""
    screen.say(f"{found.n_positive:,} positive and {found.n_negative:,} negative rows{aside}.")
    screen.say(f"AUC {found.auc}", style="bold")
    if found.may_flatter:
        screen.warn(
            "There are just as many labels as the model was fitted on: if they are the same rows, they flatter it, and "
            "the AUC on rows held out, which 's2auc inspect' tells, is the one to go by."
        )
    base_rate = found.n_positive / (found.n_positive + found.n_negative)
    screen.say(f"Average precision {found.average_precision:.3f}; {base_rate:.1%} of the rows are positive.")
    screen.say()
    cuts = [f"{cut.cut:.3g}" if cut.cut >= 1 else f"{100 * cut.cut:.3g} %" for cut in found.top]
    cells = ["{.n_rows:,}", "{.n_positive:,g}", "{.precision:.3f}", "{.recall:.3f}", "{.lift:.2f}"]
    rows = [[name, *(cell.format(cut) for cell in cells)] for name, cut in zip(cuts, found.top, strict=True)]
    screen.table(["Top", ">Rows", ">Positive", ">Precision", ">Recall", ">Lift"], rows)
    screen.say()
    if found.calibration is None:
        screen.say(
            "The model has no probabilities: 's2auc fit' learns them from labels of both classes, without --no-tune."
        )
        return
    judged = found.calibration
    screen.say(
        f"Probabilities: {judged.mean_probability:.3f} on average, while {judged.share_positive:.3f} of the rows are "
        f"positive. Brier score {judged.brier:.4f}, log loss {judged.log_loss:.4f}."
    )
    cells = ["{.n_rows:,}", "{.mean_probability:.3f}", "{.share_positive:.3f}"]
    rows = [[cell.format(some) for cell in cells] for some in judged.bins]
    screen.table([">Rows", ">Mean probability", ">Share positive"], rows)
