"""The page: all sections in their order, one file that needs nothing else."""

from collections.abc import Callable
from pathlib import Path

from s2auc.reports.column_sections import effects_section, importance_section
from s2auc.reports.data_section import data_summary
from s2auc.reports.findings import Findings
from s2auc.reports.headline import headline
from s2auc.reports.list_section import list_section
from s2auc.reports.markup import Html, joined, tag
from s2auc.reports.origin_section import Origin, origin_section
from s2auc.reports.ranking_sections import learning_curve_section, roc_section, score_section
from s2auc.reports.settings_section import settings_section

SECTIONS: dict[str, tuple[str, Callable[[Findings], Html]]] = {
    "summary": ("In short", headline),
    "data": ("The data", data_summary),
    "settings": ("What was tried and chosen", settings_section),
    "roc": ("How well this table is ranked", roc_section),
    "scores": ("Where scores lie", score_section),
    "importance": ("Which columns matter", importance_section),
    "effects": ("How columns move the score", effects_section),
    "labels": ("What more labels would bring", learning_curve_section),
    "top": ("The top of the list", list_section),
}
"""The sections, by what links call them: a heading, and what writes the rest. The last, on its origin, comes apart."""

ORIGIN = "origin", "How this report was made"

# Browsers are told, too, that nothing is to be fetched and nothing to be run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write_page(found: Findings, origin: Origin) -> str:
    """Return the whole page."""
    negative, positive = found.classes
    about = origin.table or "a table in memory"
    title = f"“{positive}” at the top: {about}"
    links = [*((name, heading) for name, (heading, _) in SECTIONS.items()), ORIGIN]
    contents = tag("ol", *(tag("li", tag("a", heading, href=f"#{name}")) for name, heading in links))
    sections = [_section(name, heading, write(found)) for name, (heading, write) in SECTIONS.items()]
    sections.append(_section(*ORIGIN, origin_section(found, origin)))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("title", title),
        tag("style", Html(_style())),
    )
    body = tag(
        "body",
        tag(
            "header",
            tag("p", f"Report on a ranking model: {origin.model or 'a model in memory'}, {about}", class_="eyebrow"),
            tag("h1", f"“{positive}” at the top, “{negative}” below"),
            tag("nav", contents, aria_label="Sections"),
        ),
        tag("main", *sections),
        tag("footer", tag("p", "Made by s2auc. This file needs no network and runs no program.", class_="note")),
    )
    return joined([Html("<!DOCTYPE html>\n"), tag("html", head, Html("\n"), body, lang="en"), Html("\n")])


def _section(name: str, heading: str, inside: Html) -> Html:
    return joined(
        [Html("\n"), tag("section", tag("h2", heading, id=f"{name}"), Html("\n"), inside, aria_labelledby=name)]
    )


def _style() -> str:
    """Return the style sheet without the blanks that only its readers need."""
    lines = Path(__file__).with_name("style.css").read_text("utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())
