"""The page: all sections in their order, one file that needs nothing else."""

from collections.abc import Callable

from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, whole_page
from s2auc.reports.sections import columns, data, headline, origin, ranking, settings, words, worklist

SECTIONS: dict[str, tuple[str, Callable[[Findings], Html]]] = {
    "summary": ("In short", headline.headline),
    "data": ("The data", data.data_summary),
    "settings": ("What was tried and chosen", settings.settings_section),
    "roc": ("How well this table is ranked", ranking.roc_section),
    "scores": ("Where scores lie", ranking.score_section),
    "importance": ("Which columns matter", columns.importance_section),
    "effects": ("How columns move the score", columns.effects_section),
    "words": ("Which words matter", words.words_section),
    "labels": ("What more labels would bring", ranking.learning_curve_section),
    "top": ("The top of the list", worklist.list_section),
}
"""The sections, by what links call them: a heading, and what writes the rest. The last, on its origin, comes apart."""

ORIGIN = "origin", "How this report was made"


def write_page(found: Findings, made_from: origin.Origin) -> str:
    """Return the whole page."""
    negative, positive = found.classes
    about = made_from.table or "a table in memory"
    written = [(name, heading, write(found)) for name, (heading, write) in SECTIONS.items()]
    sections = [section for section in written if section[2]]
    return whole_page(
        title=f"“{positive}” at the top: {about}",
        eyebrow=f"Report on a ranking model: {made_from.model or 'a model in memory'}, {about}",
        heading=f"“{positive}” at the top, “{negative}” below",
        sections=[*sections, (*ORIGIN, origin.origin_section(found, made_from))],
    )
