"""A page in one file: what all pages have in common, and nothing that a browser would have to fetch or to run."""

from collections.abc import Sequence
from pathlib import Path
from string import Template

from s2auc.reports.markup import Html, joined, text

_FOLDER = Path(__file__).parent

# Browsers are told, too, that nothing is to be fetched and nothing to be run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def whole_page(
    *, title: str, eyebrow: str, heading: str, sections: Sequence[tuple[str, str, Html]], has_images: bool = False
) -> str:
    """Return a page with links to its sections.

    Parameters
    ----------
    title
        What the browser calls it.
    eyebrow, heading
        The line above the headline, and the headline.
    sections
        For each what links call it, its heading, and what it says.
    has_images
        Whether there are images, which then are part of the file.
    """
    # The style sheet goes without the blanks that only its readers need.
    lines = map(str.strip, _FOLDER.joinpath("style.css").read_text("utf-8").splitlines())
    parts = {
        "policy": f"{_POLICY}; img-src data:" if has_images else _POLICY,
        "title": title,
        "style": Html("\n".join(filter(None, lines))),
        "eyebrow": eyebrow,
        "heading": heading,
        "contents": joined(text("page.link", name=name, heading=words) for name, words, _ in sections),
        "sections": joined(
            text("page.section", name=name, heading=words, inside=inside) for name, words, inside in sections
        ),
    }
    template = Template(_FOLDER.joinpath("page.html").read_text("utf-8"))
    return template.substitute({name: joined([part]) for name, part in parts.items()})
