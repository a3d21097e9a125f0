"""`s2auc reproduce`: the paper's experiments again, and what they say of its claims."""

from pathlib import Path
from typing import Annotated

import typer

from s2auc.cli.options import AsJson, Debug, Quiet, Seed, option
from s2auc.cli.runs import command

_CLAIM = "statement", "measured", "verdict", "certainty", "why"


def reproduce(
    output: Annotated[Path, option("FOLDER", "Folder for rows, figures and the page.", "--output", "-o")],
    quick: Annotated[bool, typer.Option("--quick", help="Every figure in small, in a few minutes.")] = False,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Judge the rows in the folder again; run nothing.")
    ] = False,
    data: Annotated[
        str | None, option("FOLDER", "Folder with the paper's tables; by default that of S2AUC_DATA.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Trials that run at the same time; by default one, and one a core with --quick."),
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Run the experiments of the paper, and judge its claims.

    Writes report.html (what the paper says, what was measured, whether they agree), figures and rows. A run takes
    hours; stopped, it goes on when it is started again. With --quick it takes minutes, and no tables are needed.

    \b
    Examples:
      s2auc reproduce --quick -o out
      s2auc reproduce --data tables -o out
      s2auc reproduce --report-only -o out
    """
    way_on = f"start the same command again to go on from the rows in {output}"
    with command(as_json, quiet, debug, way_on=way_on) as screen:
        from s2auc.common.threads import available_cores
        from s2auc.experiments.reproduction.reproduce import PAGE, retell
        from s2auc.experiments.reproduction.reproduce import reproduce as run

        n_jobs = jobs or (available_cores() if quick else 1)
        if report_only:
            done = retell(output, seed=seed)
        else:
            with screen.progress():
                done = run(output, quick=quick, folder=data, n_jobs=n_jobs, seed=seed)
        screen.table(["Verdict", "The paper says"], [[claim.verdict, claim.statement] for claim in done.claims])
        if quick:
            screen.say("These are small runs, which show how it works: verdicts need the full one.")
        screen.say(f"{done.n_trials:,} trials, {done.n_failed:,} of them without a result. Page: {output / PAGE}")
        written = {"page": str(output / PAGE), "files": list(map(str, done.files))}
        counts = {"n_trials": done.n_trials, "n_failed": done.n_failed}
        claims = [{name: getattr(claim, name) for name in _CLAIM} for claim in done.claims]
        screen.result({**written, **counts, "claims": claims, "seed": seed})
