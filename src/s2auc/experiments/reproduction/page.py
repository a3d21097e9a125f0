"""Pages of a reproduction, claim by claim: one HTML file that needs nothing else, and Markdown beside its figures."""

from base64 import b64encode
from collections.abc import Mapping, Sequence

from s2auc.experiments.reproduction.claims import Claim, all_claims, count_verdicts
from s2auc.experiments.reproduction.figures import title_of
from s2auc.experiments.reproduction.measured import NAMES, Measured
from s2auc.experiments.reproduction.report_tables import all_tables
from s2auc.experiments.reproduction.texts import TEXTS
from s2auc.experiments.results.tables import Table
from s2auc.reports.markup import Html, Right, figure, joined, note, table, tag, whole_page

_HOW_TO_JUDGE = "Judged again from its rows by `s2auc reproduce --report-only -o FOLDER`, FOLDER having `rows.jsonl`."


def _protocol_texts(measured: Measured) -> tuple[str, list[str]]:
    """Return what the paper states and what it leaves open, in the version of the protocol that was run."""
    texts = TEXTS["protocol"][str(measured.protocol)]
    return texts["stated"], texts["open"]


def _banners(measured: Measured) -> list[str]:
    """Return what readers must know before they read verdicts: a quick run, or rows of an older protocol."""
    quick = TEXTS["banners"]["quick"] if measured.is_quick else ""
    return [text for text in (quick, TEXTS["protocol"][str(measured.protocol)]["banner"]) if text]


def write_page(measured: Measured, drawings: Mapping[str, bytes], seed: int) -> str:
    """Return the whole page.

    Parameters
    ----------
    measured
        What was measured.
    drawings
        The figures by name, as SVG.
    seed
        Seed of the run.
    """
    return whole_page(
        title="QSG-S2AUC, reproduced",
        eyebrow="Shi and others (IJCAI 2019): quadruply stochastic gradients for semi-supervised AUC maximisation",
        heading="Does it do what the paper says?",
        sections=[
            ("claims", "Claim by claim", _claims(all_claims(measured), _banners(measured))),
            ("figures", "Figures", _figures(drawings)),
            ("tables", "Tables", joined(map(_table, all_tables(measured)))),
            ("protocol", "What was run", _protocol(measured, seed)),
        ],
        has_images=True,
    )


def _claims(claims: Sequence[Claim], banners: Sequence[str]) -> Html:
    parts = [tag("p", tag("strong", text)) for text in banners]
    parts.append(tag("p", count_verdicts(claims), class_="lead"))
    for number, claim in enumerate(claims, start=1):
        parts.append(tag("h3", f"{number}. {claim.statement}"))
        parts.append(tag("p", tag("strong", f"{claim.verdict.capitalize()}. "), claim.measured))
        parts += [note(text) for text in (claim.certainty, claim.why) if text]
    return joined(parts)


def _figures(drawings: Mapping[str, bytes]) -> Html:
    shown = []
    for name, drawing in drawings.items():
        caption = TEXTS["captions"][name]
        source = f"data:image/svg+xml;base64,{b64encode(drawing).decode()}"
        shown.append(figure(tag("img", src=source, alt=caption, class_="plot"), caption))
    return joined(shown)


def _table(content: Table) -> Html:
    first, *others = content.header
    shown = table([first, *map(Right, others)], content.lines, caption=content.title)
    return joined([shown, note(content.remark)])


def _failures(measured: Measured) -> Table:
    lines = [
        [NAMES.get(method, method), title_of(dataset), reason, f"{count}"]
        for (method, dataset, reason), count in measured.failures.items()
    ]
    return Table("Trials without a result", ["method", "table", "reason", "trials"], lines)


def _protocol(measured: Measured, seed: int) -> Html:
    failures, (stated, left_open) = _failures(measured), _protocol_texts(measured)
    headings = [*failures.header[:-1], Right(failures.header[-1])]
    return joined(
        [
            tag("p", tag("strong", "The paper's protocol. "), stated),
            tag("p", tag("strong", "What it leaves open, and what is done here.")),
            tag("ul", *(tag("li", text) for text in left_open)),
            *(tag("p", text) for text in _describe_run(measured, seed)),
            tag("p", tag("strong", "Tables.")),
            tag("ul", *(tag("li", words) for words in measured.sources)),
            table(headings, failures.lines, caption=failures.title) if failures.lines else Html(""),
        ]
    )


def _describe_run(measured: Measured, seed: int) -> list[str]:
    """Return how much was run, with what, and on which machine, a paragraph each."""
    rows = measured.rows
    machines = dict.fromkeys(
        "{processor}, {cores} cores; threads a fit: {threads}".format(**row["machine"], threads=row["threads"])
        for row in rows
    )
    versions = dict.fromkeys(", ".join(f"{name} {v}" for name, v in row["versions"].items()) for row in rows)
    n_methods = len({row["method"] for row in rows})
    counted = f"{len(rows):,} trials of {n_methods} methods, {len(measured.done):,} of them with a result"
    return [
        f"Protocol version {measured.protocol}. {counted}; seed {seed}. Seconds are those of the processor, for fits "
        "of one thread.",
        f"Machine: {'; '.join(machines)}.",
        f"Versions: {'; '.join(versions)}.",
    ]


def write_markdown(measured: Measured, seed: int) -> str:
    """Return the page in Markdown, with figures from files beside it.

    Parameters
    ----------
    measured
        What was measured.
    seed
        Seed of the run.
    """
    claims = all_claims(measured)
    stated, left_open = _protocol_texts(measured)
    parts = ["# Does QSG-S2AUC do what the paper says?", *(f"**{text}**" for text in _banners(measured))]
    parts += [count_verdicts(claims), _HOW_TO_JUDGE, "## Claim by claim"]
    for number, claim in enumerate(claims, start=1):
        lead = f"{number}. "
        parts.append(f"{lead}**{claim.statement}** *{claim.verdict.capitalize()}.* {claim.measured}")
        # As far to the right as the text of the item: otherwise they are no part of the list.
        parts += [" " * len(lead) + text for text in (claim.certainty, claim.why) if text]
    parts.append("## Figures")
    for name, caption in TEXTS["captions"].items():
        parts += [f"![{name}]({name}.png)", caption]
    parts += [table.as_markdown() for table in all_tables(measured)]
    parts += ["## What was run", f"The paper's protocol: {stated}"]
    parts += ["What it leaves open, and what is done here:", "\n".join(f"- {text}" for text in left_open)]
    parts += [*_describe_run(measured, seed), "\n".join(f"- {words}" for words in measured.sources)]
    failures = _failures(measured)
    parts += [failures.as_markdown()] if failures.lines else []
    return "\n\n".join(parts) + "\n"
