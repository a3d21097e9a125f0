"""The command line: reads options, calls the library, prints. Help needs neither NumPy nor what builds on it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from s2auc import __version__

if TYPE_CHECKING:
    from s2auc.experiments.demo import DemoData, DemoResult, MethodResult

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments ask for and return its exit code; mistakes cost one line, no traceback."""
    command = typer.main.get_command(app)
    try:
        return command.main(list(arguments), prog_name="s2auc", standalone_mode=False) or 0
    except Exception as error:
        # Typer raises Click's errors or those of its own copy of Click: both know their sentence and exit code.
        if not hasattr(error, "format_message"):
            raise
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "s2auc"
        sentence = " ".join(error.format_message().split())
        stop = "" if sentence.endswith((".", "?")) else "."
        typer.echo(f"Error: {sentence}{stop} See '{path} --help'.", err=True)
        return int(getattr(error, "exit_code", 1))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"s2auc {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Rank well when labels are few and unlabelled rows are many."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="Folder that the figures go to.")] = Path("s2auc-demo"),
    labels: Annotated[int, typer.Option(help="Training rows that keep their label.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the split, the labels and the methods.")] = 0,
) -> None:
    """Show on handwritten digits whether unlabelled rows help.

    Trains on few labelled and many unlabelled digits, compares other methods on test rows, and draws figures.
    """
    written: list[Path] = []
    with _interruptible(written):
        has_figures = find_spec("matplotlib") is not None
        data = _checked_data(labels, seed, output if has_figures else None)
        if not has_figures:
            typer.echo("No figures, since matplotlib is missing: pip install 's2auc[plot]' adds it.", err=True)
        result = _trained(data)
        _print_result(result)
        if has_figures:
            _write_figures(result, output, written)
        from s2auc.kernels.versions import versions_line

        _say(Console(highlight=False), f"Seed {seed}; {versions_line()}.")


@app.command()
def info() -> None:
    """Print versions, extras, threads and platform."""
    with _interruptible([]):
        from s2auc.kernels.versions import versions_text

        typer.echo(versions_text())


def _checked_data(labels: int, seed: int, output: Path | None) -> "DemoData":
    """Return the data, or end with what is wrong about the options before anything is trained."""
    from s2auc.common.output import check_folder
    from s2auc.experiments.demo import make_data

    try:
        if output is not None:
            check_folder(output)
        return make_data(labels, seed)
    except (ValueError, OSError) as error:
        _end(str(error), exit_code=2)


def _trained(data: "DemoData") -> "DemoResult":
    """Return the result; a terminal shows meanwhile which method is being trained."""
    from s2auc.experiments.demo import run_demo

    with Console(stderr=True).status("Training") as status:
        return run_demo(data, report=lambda name: status.update(f"Training: {name}"))


def _print_result(result: "DemoResult") -> None:
    from s2auc.experiments.demo import describe_best, describe_gain

    console = Console(highlight=False)
    data = result.data
    _say(
        console,
        f"Handwritten digits, five or above against below: {len(data.X_labeled)} labelled and {len(data.X_unlabeled)} "
        f"unlabelled rows to learn from, {len(data.X_test)} test rows.",
    )
    console.print()
    console.print(_table(result.outcomes))
    console.print()
    _say(console, describe_best(result.outcomes))
    _say(console, describe_gain(result.gain))
    _say(console, "Intervals cover the draw of the test rows, not that of the labels: try other seeds.")


def _table(outcomes: "Sequence[MethodResult]") -> Table:
    """Return the outcomes as a table that fits 60 columns and, in less, folds rather than cuts."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("#", justify="right", overflow="fold")
    table.add_column("Method", overflow="fold")
    for name in ("Rows", "AUC", "95 % interval", "Fit, s"):
        table.add_column(name, justify="right", overflow="fold")
    for rank, outcome in enumerate(outcomes, start=1):
        interval = outcome.interval
        table.add_row(
            str(rank),
            outcome.name,
            str(outcome.n_rows),
            f"{interval.value:.3f}",
            f"{interval.low:.3f} to {interval.high:.3f}",
            f"{outcome.seconds:.2f}",
            style="bold" if rank == 1 else None,
        )
    return table


def _write_figures(result: "DemoResult", folder: Path, written: list[Path]) -> None:
    """Write both figures and say where they are; `written` holds those that are in place."""
    from s2auc.common.output import figure_bytes, write_file
    from s2auc.experiments.figures import roc_figure, training_figure

    images = {"roc.png": figure_bytes(roc_figure(result)), "training.png": figure_bytes(training_figure(result))}
    for name, content in images.items():
        try:
            write_file(folder / name, content)
        except OSError as error:
            _end(f"{folder / name} could not be written ({error.strerror}): name another folder with --output.")
        written.append(folder / name)
    typer.echo(f"Figures: {' and '.join(map(str, written))}")


def _end(sentence: str, exit_code: int = 1) -> NoReturn:
    typer.echo(f"Error: {sentence}", err=True)
    raise typer.Exit(exit_code)


def _say(console: Console, sentence: str) -> None:
    """Print a sentence: wrapped between words on a terminal, one line elsewhere."""
    console.print(sentence, soft_wrap=not console.is_terminal, markup=False)


@contextmanager
def _interruptible(written: Sequence[Path]) -> Iterator[None]:
    """Answer Ctrl-C with one line that says what was written, and with exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        outcome = f"wrote {' and '.join(map(str, written))}" if written else "nothing was written"
        typer.echo(f"Interrupted: {outcome}.", err=True)
        raise typer.Exit(130) from None
