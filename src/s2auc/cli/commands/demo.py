"""`s2auc demo`: the whole way on a small table that ships with scikit-learn, beside other methods."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from s2auc.cli.commands.fit import print_fitted
from s2auc.cli.options import AsJson, Debug, Quiet, Seed, option
from s2auc.cli.runs import command
from s2auc.cli.screen import Screen
from s2auc.cli.text import command_line
from s2auc.cli.understood import print_understood

if TYPE_CHECKING:
    from s2auc.experiments.demo import DemoResult


def demo(
    output: Annotated[Path, option("FOLDER", "Folder for tables, model and figures.", "--output", "-o")] = Path(
        "s2auc-demo"
    ),
    labels: Annotated[int, typer.Option(help="Training rows that keep their label.")] = 100,
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Show on handwritten digits whether unlabelled rows help.

    Writes a table with few labels, fits it as 's2auc fit' does, compares other methods on test rows, and draws figures.

    \b
    Example: s2auc demo --labels 40
    """
    with command(as_json, quiet, debug, way_on=f"figures were not drawn; what is done is in {output}") as screen:
        from s2auc.common.storage.files import check_folder
        from s2auc.experiments.demo import make_data, run_demo
        from s2auc.experiments.demo_tables import LABEL, ROW_ID, judge_fitted, prepare_fit, write_tables
        from s2auc.kernels.versions import versions_line

        check_folder(output)
        data = make_data(labels, seed)
        files = write_tables(data, output)
        words = ["s2auc", "fit", files.training, "--label", LABEL, "--id", ROW_ID, "-o", files.model]
        screen.say("Handwritten digits, five or above against below. What follows is what this command does:")
        screen.say(command_line(*words))
        screen.say()
        with screen.progress():
            prepared = prepare_fit(files)
        print_understood(screen, prepared.understood)
        with screen.progress():
            fitted = prepared.fit(random_state=seed)
        print_fitted(screen, fitted)
        screen.say()
        with screen.progress():
            result = run_demo(data, judge_fitted(fitted, files, data))
        _print_comparison(screen, result)
        figures = _write_figures(screen, result, output)
        screen.say_next("s2auc", "evaluate", files.model, files.test)
        screen.say_next("s2auc", "score", files.model, files.test, "--top", 10, "-o", "-")
        screen.say(f"Seed {seed}; {versions_line()}.")
        screen.result(_as_dict(result) | {"model": str(files.model), "figures": figures, "seed": seed})


def _print_comparison(screen: Screen, result: "DemoResult") -> None:
    from s2auc.experiments.demo import describe_best, describe_gain

    screen.say(f"Beside other methods, on {len(result.data.X_test)} test rows:")
    interval = "{0.interval.low:.3f} to {0.interval.high:.3f}"
    cells = "{.name}", "{.n_rows}", "{.interval.value:.3f}", interval, "{.seconds:.2f}"
    outcomes = enumerate(result.outcomes, start=1)
    rows = [[str(rank), *(cell.format(outcome) for cell in cells)] for rank, outcome in outcomes]
    screen.table([">#", "Method", ">Rows", ">AUC", ">95 % interval", ">Fit, s"], rows, best=0)
    screen.say(describe_best(result.outcomes))
    screen.say(describe_gain(result.gain))
    screen.say("Intervals cover the draw of the test rows, not that of the labels: try other seeds.")


def _write_figures(screen: Screen, result: "DemoResult", folder: Path) -> list[str]:
    """Write both figures, say where they are and return that."""
    if find_spec("matplotlib") is None:
        screen.warn("No figures, since matplotlib is missing: pip install 's2auc[plot]' adds it.")
        return []
    from s2auc.common.figure_style import figure_bytes
    from s2auc.common.storage.files import write_files
    from s2auc.experiments.demo_figures import roc_figure, training_figure

    figures = {folder / "roc.png": roc_figure(result), folder / "training.png": training_figure(result)}
    write_files({path: figure_bytes(figure) for path, figure in figures.items()})
    paths = list(map(str, figures))
    screen.say(f"Figures: {' and '.join(paths)}")
    return paths


def _as_dict(result: "DemoResult") -> dict[str, Any]:
    methods = []
    for outcome in result.outcomes:
        auc = {"auc": outcome.interval.value, "auc_low": outcome.interval.low, "auc_high": outcome.interval.high}
        methods.append({"method": outcome.name, "n_rows": outcome.n_rows, **auc, "seconds": outcome.seconds})
    gain = {"value": result.gain.value, "low": result.gain.low, "high": result.gain.high}
    return {"methods": methods, "gain_of_unlabeled_rows": gain}
