"""The check of the documentation site notices what it is there for."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check_site.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("check_site", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GOOD = """<html><head><link rel="stylesheet" href="style/site.css"><link rel="canonical" href="https://example.org/"></head>
<body id="top"><a href="other%20page.html#part">there</a> <a href="#top">up</a> <a href="style/">folder</a>
<a href="https://example.org/elsewhere">away</a> <a href="mailto:a@example.org">write</a>
<img src="data:image/png;base64,AAAA" srcset="dot.png 1x, dot.png 2x"></body></html>"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "style").mkdir()
    (tmp_path / "style" / "index.html").write_text("<p>Styles</p>")
    (tmp_path / "style" / "site.css").write_text("p { background: url('../dot.png') }")
    (tmp_path / "dot.png").write_bytes(b"")
    (tmp_path / "other page.html").write_text('<h2 id="part">Part</h2>')
    (tmp_path / "index.html").write_text(GOOD)
    return tmp_path


def test_a_good_site_has_no_faults(tool, site):
    assert list(tool.faults_of(site)) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("other%20page.html#part", "gone.html", "points to gone.html, which is not there"),
        ("#part", "#no-part", "points to other%20page.html#no-part, which is not there"),
        ("#top", "#bottom", "points to #bottom, which is not there"),
        ("dot.png 2x", "far.png 2x", "points to far.png, which is not there"),
        ('href="style/site.css"', 'href="https://example.org/a.css"', "asks for https://example.org/a.css"),
        ("<img ", '<img style="background:url(//example.org/b.png)" ', "asks for //example.org/b.png"),
        ("</body>", '<script src="http://example.org/c.js"></script></body>', "asks for http://example.org/c.js"),
        ("</body>", '<iframe src="https://example.org/d"></iframe></body>', "asks for https://example.org/d"),
    ],
)
def test_faults_are_found(tool, site, old, new, fault):
    assert old in GOOD
    (site / "index.html").write_text(GOOD.replace(old, new))
    (found,) = tool.faults_of(site)
    assert found.startswith("index.html ")
    assert fault in found


def test_styles_and_empty_folders_are_looked_at(tool, site, tmp_path_factory):
    (site / "style" / "site.css").write_text('@import "https://example.org/e.css";')
    (found,) = tool.faults_of(site)
    assert "asks for https://example.org/e.css" in found
    assert "no pages" in next(tool.faults_of(tmp_path_factory.mktemp("empty")))
