"""A model in a line and in a table, whatever its names, classes and record are."""

from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import assume, given

from forged_files import ODD_RECORDS, is_sound
from model_samples import RECORD, make_golden_committee, make_golden_model, make_kernel_part, make_model, make_part
from s2auc.data.schema.schema import Schema

SCRIPT = "<script>alert('x')</script>"


class Cells(HTMLParser):
    """Collects tags and the text of cells."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def facts_of(model):
    """Return the headings and texts of a model's table, once its HTML is known to be sound."""
    cells = Cells(model._repr_html_())
    assert set(cells.tags) == {"table", "caption", "tbody", "tr", "th", "td"}
    assert not cells.open
    caption, *texts = cells.texts
    assert caption == "s2auc model"
    return dict(zip(texts[::2], texts[1::2], strict=True))


def test_a_line_says_what_a_model_is():
    assert repr(make_model()) == "<Model: 1 part (cosines) over 3 columns, 0 against 1>"
    assert repr(make_golden_model()) == (
        "<Model: 3 parts (2 of cosines, 1 of kernels) over 7 columns, 'no' against 'yes', held-out AUC 0.938>"
    )
    assert "3 parts (1 of trees, 1 of linear, 1 of cosines) over 7 columns" in repr(make_golden_committee())
    assert str(make_model(parts=(make_kernel_part(),))) == "<Model: 1 part (kernels) over 3 columns, 0 against 1>"


def test_a_table_says_more():
    assert facts_of(make_golden_model()) == {
        "Fitted by": "S2AUCClassifierCV",
        "Score": "3 parts (2 of cosines, 1 of kernels), 211 numbers",
        "Columns": "7, 6 of them categorical: a, b, c, d, e, f, g",
        "Classes": "'no' (negative), 'yes' (positive)",
        "Probabilities": "yes",
        "Held-out AUC": "0.938 (95% interval 0.900 to 0.969)",
        "Rows": "20 positive, 30 negative, 1,234,567 unlabelled",
        "Settings": "2 tried, 1 chosen",
        "Unlabelled rows": "Unlabelled rows helped <b>a lot</b>.",
        "Shift": "p = 0.25 in column 'b'",
        "Seed": "18446744073709551615",
        "Versions": "s2auc 0.1.0, numpy 2.0.0",
    }
    bare = facts_of(make_model())
    assert bare == {
        "Score": "1 part (cosines), 16 numbers",
        "Columns": "3",
        "Classes": "0 (negative), 1 (positive)",
        "Probabilities": "no",
    }


def test_markup_is_shown_as_it_is_spelled():
    record = {
        "estimator": SCRIPT,
        "unlabeled": {"answer": "yes", "sentence": SCRIPT, "difference": None},
        "versions": {SCRIPT: SCRIPT},
    }
    schema = Schema(3, {}, names=(SCRIPT, "<b>", "&amp;"))
    model = make_model(schema=schema, classes=np.array(["<i>", '"&"']), record=record)
    html = model._repr_html_()
    assert "<script" not in html
    facts = facts_of(model)
    assert facts["Fitted by"] == facts["Unlabelled rows"] == SCRIPT
    assert facts["Columns"] == f"3: {SCRIPT}, <b>, &amp;"
    assert facts["Classes"] == "'<i>' (negative), '\"&\"' (positive)"
    assert facts["Versions"].startswith("<script>alert")


@pytest.mark.parametrize("classes", [["x" * 9999, "y" * 9999], ["a\nb", "\u2028c"], [b"x" * 99, b"y"], [1e-300, 1e300]])
def test_lines_are_short_and_tables_small(classes):
    names = tuple(f"{place}{'<' * 10_000}" for place in range(30))
    parts = (make_part(n_columns=30), make_kernel_part(n_columns=30)) * 1000
    record = RECORD | {"estimator": "x" * 10_000, "versions": {f"{'v' * 9999}{place}": "1" for place in range(99)}}
    model = make_model(parts=parts, schema=Schema(30, {}, names), classes=np.array(classes), record=record)
    assert len(repr(model)) < 200
    assert len(repr(model).splitlines()) == 1
    assert len(model._repr_html_()) < 10_000
    assert facts_of(model)["Columns"].endswith("… and 20 more")


@given(ODD_RECORDS)
def test_records_are_refused_or_told(record):
    assume(is_sound(record))
    model = make_model(record=record)
    assert len(repr(model)) < 200
    assert facts_of(model)["Probabilities"] == "no"


@pytest.mark.parametrize("key", RECORD)
def test_any_entry_may_be_missing(key):
    model = replace(make_golden_model(), record={name: value for name, value in RECORD.items() if name != key})
    assert len(repr(model)) < 200
    assert len(facts_of(model)) >= 11


@pytest.mark.parametrize("key", ["held_out_auc", "n_components", "learning_curve_sentence", "shift"])
def test_what_is_not_known_is_left_out(key):
    model = replace(make_golden_model(), record=RECORD | {key: None})
    assert len(facts_of(model)) >= 11
    assert "None" not in f"{model!r} {facts_of(model)}"
