"""What the tests of reports ask of every page, whatever model and table it is about."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from s2auc.reports.page import ORIGIN, SECTIONS

VOID = {"meta", "br", "img"}
ADDRESSES = re.compile(r"https?:|//|url\(|@import|data:|javascript:|file:", re.IGNORECASE)


class Page(HTMLParser):
    """The elements and the text of a page, and whether all that was opened was closed."""

    def __init__(self, markup):
        super().__init__()
        self.markup, self.elements, self.ids, self.texts, self.open = markup, [], [], [], []
        self.headings = []
        self.feed(markup)
        self.close()
        assert not self.open, self.open

    @property
    def text(self):
        return " ".join(self.texts)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("h1", "h2", "h3"):
            self.headings.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if data.strip() and "style" not in self.open:
            self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def section(self, name):
        """The markup of one section."""
        found = re.search(rf'<section aria-labelledby="{name}">(.*?)</section>', self.markup, re.DOTALL)
        return found[1]


def checked_page(path):
    """Return a page of a file, after checks that every report must pass."""
    content = path.read_bytes()
    assert len(content) < 1_000_000
    page = Page(content.decode("utf-8"))
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "iframe", "object", "embed", "link", "img", "form", "base", "image", "use", "audio"}
    for _, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "srcset", "xlink:href")]
        href = attributes.get("href")
        assert href is None or href[1:] in page.ids
        assert not ADDRESSES.search(attributes.get("style") or "")
    style = re.search(r"<style>(.*?)</style>", page.markup, re.DOTALL)[1]
    assert not ADDRESSES.search(style)
    assert style.count("{") == style.count("}")
    assert len(set(page.ids)) == len(page.ids)
    always = [name for name in SECTIONS if name != "words"]  # which is there for text columns only
    assert [name for name in page.ids if name in {*always, ORIGIN[0]}] == [*always, ORIGIN[0]]
    for drawing in re.findall(r"<svg.*?</svg>", page.markup, re.DOTALL):
        root = ET.fromstring(drawing)
        is_hidden = root.get("aria-hidden") == "true"
        assert is_hidden or (root.find("title").text and root.get("aria-label"))
        assert "nan" not in drawing.lower().replace("nan</", "")
        assert "inf" not in re.sub(r"<(text|title)[^>]*>.*?</\1>|aria-label=\"[^\"]*\"", "", drawing)
    assert page.headings[:2] == ["h1", "h2"]
    assert page.headings.count("h1") == 1
    assert ("html", {"lang": "en"}) in page.elements
    assert page.markup.count("<figure") == page.markup.count("<figcaption")
    return page
