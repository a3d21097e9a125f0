"""Look at every page of a site in a folder: links lead somewhere, and nothing is asked for from outside.

    python tools/check_site.py FOLDER

Links of readers may lead to other sites; scripts, styles, pictures and fonts may not come from there. Prints every
fault, and exits with 1 if there is one.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Where elements name what a browser fetches by itself.
_FETCHED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "video": ("src", "poster"),
}
#: Kinds of `link` that tell of a page and fetch nothing.
_TELLING = {"alternate", "author", "canonical", "index", "license", "next", "prev", "search"}
_IN_STYLES = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")


@dataclass
class _Page(HTMLParser):
    """What a page links to, what it fetches, and which places it has."""

    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the addresses and the name of one element."""
        found = {name: value for name, value in attrs if value}
        self.places.update(found[name] for name in ("id", "name") if name in found)
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and set(found.get("rel", "").split()) & _TELLING:
            return
        for name in _FETCHED.get(tag, ()):
            addresses = found.get(name, "").split(",") if name == "srcset" else [found.get(name, "")]
            self.fetched += [address.split()[0] for address in addresses if address.strip()]
        self.fetched += _named_in_styles(found.get("style", ""))


def faults_of(site: Path) -> Iterator[str]:
    """Yield a sentence for everything that is wrong with the pages of a folder."""
    pages = {path: _read(path) for path in pages_of(site.resolve())}
    if not pages:
        yield f"There are no pages in {site}."
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for address in page.fetched:
            if _is_outside(address):
                yield f"{name} asks for {address}, which is not part of the site."
        for address in [*page.links, *page.fetched]:
            if not _leads_somewhere(address, path, pages):
                yield f"{name} points to {address}, which is not there."
    for path in sorted(site.rglob("*.css")):
        for address in _named_in_styles(path.read_text(encoding="utf-8")):
            if _is_outside(address):
                yield f"{path.relative_to(site)} asks for {address}, which is not part of the site."


def pages_of(site: Path) -> list[Path]:
    """Return the pages of a folder; themes keep pieces of pages among what never changes."""
    return [path for path in sorted(site.rglob("*.html")) if "_static" not in path.relative_to(site).parts]


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _named_in_styles(style: str) -> list[str]:
    return [first or second for first, second in _IN_STYLES.findall(style)]


def _is_outside(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https")


def _leads_somewhere(address: str, page: Path, pages: dict[Path, _Page]) -> bool:
    """Return whether an address within the site leads to a file and a place that are there; others always do."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return True
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    if not parts.fragment or target not in pages:
        return True
    return unquote(parts.fragment) in pages[target].places


def main() -> None:
    """Check the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit("Usage: python tools/check_site.py FOLDER")
    site = Path(sys.argv[1])
    faults = list(faults_of(site))
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"{len(faults)} faults in {site}.")
    print(f"{len(pages_of(site))} pages: all links lead somewhere, and nothing is asked for from outside.")


if __name__ == "__main__":
    main()
