"""All commands, and running the one that is asked for."""

from collections.abc import Sequence
from typing import Annotated

import typer

from s2auc import __version__
from s2auc.cli.commands import demo, evaluate, export, fit, info, inspect, report, reproduce, score
from s2auc.cli.help_pages import GroupedCommand
from s2auc.cli.runs import BROKEN_PIPE, FAILED, INTERRUPTED, TERMINATED, Terminated, give_up_output, refused_output

ENDING = """\b
Exit codes: 0 done, 1 it could not be done, 2 what was given is wrong,
130 interrupted (Ctrl-C), 141 nobody reads on, 143 asked to end (SIGTERM).
"""

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, epilog=ENDING)
for module in (fit, score, evaluate, report, inspect, export, demo, reproduce, info):
    # Every command is a function in a module of its name.
    app.command(cls=GroupedCommand)(getattr(module, module.__name__.rpartition(".")[2]))


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments ask for and return its exit code; mistakes cost one line, no traceback."""
    command = typer.main.get_command(app)
    try:
        return command.main(list(arguments), prog_name="s2auc", standalone_mode=False, obj=list(arguments)) or 0
    except (KeyboardInterrupt, Terminated) as ending:
        return TERMINATED if isinstance(ending, Terminated) else INTERRUPTED
    except SystemExit as ending:
        # How Click ends where nobody reads help.
        if isinstance(ending.__context__, BrokenPipeError):
            return BROKEN_PIPE
        raise
    except OSError as error:
        # Commands tell of their own errors: this is help that cannot be printed.
        give_up_output()
        typer.echo(f"Error: {refused_output(error)}", err=True)
        return FAILED
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
    """Rank well when labels are few and unlabelled rows are many.

    \b
    s2auc fit claims.csv --label fraud -o model.safetensors
    s2auc score model.safetensors claims.csv --top 100 -o top.csv
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
