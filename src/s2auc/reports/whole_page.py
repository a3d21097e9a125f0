"""A page in one file: what all pages have in common, and nothing that a browser would have to fetch or to run."""

from collections.abc import Sequence
from pathlib import Path

from s2auc.reports.markup import Html, joined, tag

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
    policy = f"{_POLICY}; img-src data:" if has_images else _POLICY
    contents = tag("ol", *(tag("li", tag("a", words, href=f"#{name}")) for name, words, _ in sections))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("title", title),
        tag("style", Html(_style())),
    )
    body = tag(
        "body",
        tag(
            "header",
            tag("p", eyebrow, class_="eyebrow"),
            tag("h1", heading),
            tag("nav", contents, aria_label="Sections"),
        ),
        tag("main", *(_section(*section) for section in sections)),
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
