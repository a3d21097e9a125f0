"""Run an experiment: ``python -m s2auc.experiments SPEC --rows FILE``."""

import argparse
import logging
import sys
from pathlib import Path

from s2auc.common.storage.files import check_folder, write_file
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import Spec, read_spec, spec_names
from s2auc.experiments.harness.store import Row

logger = logging.getLogger("s2auc.experiments")


def main() -> int:
    """Run what is missing of an experiment, then write the report and the figures."""
    arguments = _parser().parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        spec = read_spec(arguments.spec, {"trials": arguments.trials, "seed": arguments.seed})
        for folder in filter(None, (arguments.figures, arguments.report and arguments.report.parent)):
            check_folder(folder)
        rows = run_spec(spec, arguments.rows, folder=arguments.data, n_jobs=arguments.jobs)
        _write(spec, rows, arguments.report, arguments.figures)
    except KeyboardInterrupt:
        logger.error("Stopped; start the same command again to go on.")
        return 130
    except (ValueError, OSError, ModuleNotFoundError) as error:
        logger.error("%s", error)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m s2auc.experiments", description="Run an experiment.")
    spec_help = "the specification: a TOML file, or the name of one that comes with the package"
    parser.add_argument("spec", type=Path, help=f"{spec_help} ({', '.join(spec_names())})")
    parser.add_argument("--rows", type=Path, required=True, help="JSON-lines file of results; a run goes on from it")
    parser.add_argument("--data", help="folder with data files (default: S2AUC_DATA)")
    parser.add_argument("--report", type=Path, help="Markdown file to write")
    parser.add_argument("--figures", type=Path, help="folder to write figures into")
    parser.add_argument("--trials", type=int, help="number of trials instead of the specification's")
    parser.add_argument("--seed", type=int, help="seed instead of the specification's")
    parser.add_argument("--jobs", type=int, default=1, help="cells that run at the same time (default: 1)")
    return parser


def _write(spec: Spec, rows: list[Row], report: Path | None, figures: Path | None) -> None:
    # Here and not above: the harness starts faster without them.
    from s2auc.experiments.results.report import markdown_report

    if report is not None:
        write_file(report, markdown_report(rows, spec.reference, spec.protocol).encode())
    if figures is not None:
        from s2auc.experiments.results.report_figures import write_figures

        write_figures(rows, figures, several_sizes=len(spec.n_unlabeled) > 1)


if __name__ == "__main__":
    sys.exit(main())
