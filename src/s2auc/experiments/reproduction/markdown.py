"""The page of a reproduction in Markdown, with figures from files beside it."""

from s2auc.experiments.reproduction.claims import all_claims, count_verdicts
from s2auc.experiments.reproduction.figures import FIGURES, title_of
from s2auc.experiments.reproduction.measured import NAMES, Measured, describe_run
from s2auc.experiments.reproduction.protocol import OPEN, STATED
from s2auc.experiments.reproduction.report_tables import all_tables
from s2auc.experiments.results.tables import Table


def write_markdown(measured: Measured, seed: int) -> str:
    """Return the page.

    Parameters
    ----------
    measured
        What was measured.
    seed
        Seed of the run.
    """
    claims = all_claims(measured)
    parts = ["# Does QSG-S2AUC do what the paper says?", count_verdicts(claims), "## Claim by claim"]
    for number, claim in enumerate(claims, start=1):
        parts.append(f"{number}. **{claim.statement}** *{claim.verdict.capitalize()}.* {claim.measured}")
        parts += [f"   {claim.why}"] if claim.why else []
    parts.append("## Figures")
    for name, (_, caption) in FIGURES.items():
        parts += [f"![{name}]({name}.png)", caption]
    parts += [table.as_markdown() for table in all_tables(measured)]
    parts += ["## What was run", f"The paper's protocol: {' '.join(STATED.split())}"]
    parts.append("What it leaves open, and what is done here:")
    parts.append("\n".join(f"- {text}" for text in OPEN))
    parts += describe_run(measured, seed)
    parts.append("\n".join(f"- {words}" for words in measured.sources.values()))
    lines = [
        [NAMES.get(method, method), title_of(dataset), reason, f"{count}"]
        for (method, dataset, reason), count in measured.failures.items()
    ]
    if lines:
        parts.append(Table("Trials without a result", ["method", "table", "reason", "trials"], lines).as_markdown())
    return "\n\n".join(parts) + "\n"
