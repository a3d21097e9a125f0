"""Turn the rows of the accuracy benchmark into what README and docs say about them.

There are two topics, each with a results file and blocks of pages, between `<!-- topic: name -->` and `<!-- end -->`:

- `accuracy`: docs/results/accuracy.csv, docs/images/standings.png and accuracy.png, and blocks of README.md,
  docs/guide/tuning.md and docs/results/accuracy.md;
- `systems`: docs/results/systems.csv, and blocks of docs/results/baselines.md.

Of several results of one trial that of the last file counts.

    python benchmarks/publish.py --rows results.rows.jsonl
    python benchmarks/publish.py --rows results.rows.jsonl --topics systems
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import accuracy_text
import systems_text
from accuracy_pictures import differences_picture, standings_picture
from text_blocks import fill

from s2auc.common.storage.files import write_file
from s2auc.experiments.harness.cells import trial_seed
from s2auc.experiments.harness.spec import read_spec
from s2auc.experiments.harness.store import Row, read_rows
from s2auc.experiments.results.results_file import results_of, results_text
from s2auc.experiments.results.summary import Summary


@dataclass(frozen=True)
class Topic:
    """What is published of some specifications.

    Attributes
    ----------
    specs
        Names of the specifications.
    results
        Results file.
    pages
        Pages with blocks.
    make_blocks
        Gives the blocks by name from the text of the results file.
    names
        What methods are called on the pages.
    pictures
        What draws each picture from the text of the results file.
    """

    specs: tuple[str, ...]
    results: Path
    pages: tuple[Path, ...]
    make_blocks: Callable[[str], dict[str, str]]
    names: dict[str, str]
    pictures: Mapping[Path, Callable[[str], bytes]] = field(default_factory=dict)


TOPICS = {
    "accuracy": Topic(
        specs=("accuracy", "alternatives"),
        results=Path("docs", "results", "accuracy.csv"),
        pages=(Path("README.md"), Path("docs", "guide", "tuning.md"), Path("docs", "results", "accuracy.md")),
        make_blocks=lambda results: accuracy_text.make_blocks(Summary(results_of(results))),
        names=accuracy_text.NAMES,
        pictures={
            Path("docs", "images", "standings.png"): standings_picture,
            Path("docs", "images", "accuracy.png"): differences_picture,
        },
    ),
    "systems": Topic(
        specs=("systems",),
        results=Path("docs", "results", "systems.csv"),
        pages=(Path("docs", "results", "baselines.md"),),
        make_blocks=systems_text.make_blocks,
        names=systems_text.NAMES,
    ),
}


def main() -> None:
    """Write the results files, the picture and the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--rows", type=Path, nargs="+", required=True, help="JSON-lines files of benchmarks/accuracy.py"
    )
    parser.add_argument("--topics", nargs="+", choices=TOPICS, default=list(TOPICS), help="topics (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the benchmark (default: 0)")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="where README.md is")
    arguments = parser.parse_args()
    try:
        rows = [row for path in arguments.rows for row in read_rows(path)]
        publish(rows, arguments.seed, arguments.root, arguments.topics)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        sys.exit(str(error))


def publish(rows: list[Row], seed: int, root: Path, topics: Sequence[str]) -> None:
    """Write the results of rows and whatever is said about them; that comes from the results files' texts alone."""
    written: dict[Path, bytes] = {}
    told = []
    for name in topics:
        topic = TOPICS[name]
        kept = rows_of_specs(rows, topic.specs, seed)
        results = results_text(kept, seed)
        blocks = topic.make_blocks(results)
        written[topic.results] = results.encode()
        written.update({path: draw(results) for path, draw in topic.pictures.items()})
        for page in topic.pages:
            written[page] = fill((root / page).read_text(encoding="utf-8"), name, blocks).encode()
        told.append(f"{len(kept)} of {len(rows)} rows belong to {name}.")
    # Nothing is written, nor told, before everything has worked.
    for path, content in written.items():
        write_file(root / path, content)
    print(f"{' '.join(told)} Written: {', '.join(map(str, written))}")


def rows_of_specs(rows: list[Row], specs: Sequence[str], seed: int) -> list[Row]:
    """Return the rows that the specifications ask for; an error if any is of another seed."""
    wanted = {
        (dataset, method, n_labeled, n_unlabeled, spec.scaling, trial)
        for spec in map(read_spec, specs)
        for dataset in spec.datasets
        for method in spec.methods
        for n_labeled in spec.n_labeled
        for n_unlabeled in spec.n_unlabeled
        for trial in range(spec.trials)
    }
    keys = ("dataset", "method", "n_labeled", "max_unlabeled", "scaling", "trial")
    kept = [row for row in rows if tuple(row[key] for key in keys) in wanted]
    for row in kept:
        if row["seed"] != trial_seed(seed, row["dataset"], row["trial"]):
            raise ValueError(
                f"Rows must come from seed {seed}. Got another one in trial {row['trial']} of {row['dataset']}; name "
                "other files, or the seed with --seed."
            )
    return kept


if __name__ == "__main__":
    main()
