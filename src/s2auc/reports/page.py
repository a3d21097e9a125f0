"""The page: all sections in their order, one file that needs nothing else."""

from collections.abc import Callable

from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, whole_page
from s2auc.reports.sections.columns import effects_section, importance_section
from s2auc.reports.sections.data import data_summary
from s2auc.reports.sections.headline import headline
from s2auc.reports.sections.origin import Origin, origin_section
from s2auc.reports.sections.ranking import learning_curve_section, roc_section, score_section
from s2auc.reports.sections.settings import settings_section
from s2auc.reports.sections.worklist import list_section

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


def write_page(found: Findings, origin: Origin) -> str:
    """Return the whole page."""
    negative, positive = found.classes
    about = origin.table or "a table in memory"
    title = f"“{positive}” at the top: {about}"
    sections = [(name, heading, write(found)) for name, (heading, write) in SECTIONS.items()]
    return whole_page(
        title=title,
        eyebrow=f"Report on a ranking model: {origin.model or 'a model in memory'}, {about}",
        heading=f"“{positive}” at the top, “{negative}” below",
        sections=[*sections, (*ORIGIN, origin_section(found, origin))],
    )
