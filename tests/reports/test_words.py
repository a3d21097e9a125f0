"""The section of reports about words."""

import html

import numpy as np
import pytest

from report_pages import checked_page
from s2auc import S2AUCClassifierCV, open_table, write_report
from s2auc.reports.measures.word_effects import word_effects
from text_tables import SMALL_SEARCH, TOPICS, make_text_table

FRAME, LABELS, TRUTH = make_text_table()
FRAME = FRAME.assign(note=FRAME["note"] + " <script>alert('x')</script> & http://example.org")
LABELED = FRAME.assign(label=np.where(LABELS < 0, None, LABELS))


@pytest.fixture(scope="module")
def fitted():
    return S2AUCClassifierCV(**SMALL_SEARCH).fit(FRAME, LABELS)


def test_words_speak_for_their_topic(fitted):
    model = fitted.model_
    rows = np.zeros((12, model.n_columns))
    (found,) = word_effects(model, rows)
    assert found.name == "note"
    assert all(entry.effect > 0 for entry in found.positive)
    assert all(entry.effect < 0 for entry in found.negative)
    for entries, topic in ((found.positive, 1), (found.negative, 0)):
        words = {word for entry in entries for word in entry.word.split()}
        assert len(words & set(TOPICS[topic])) > 2
        assert not words & set(TOPICS[1 - topic])
    # The literal meaning: the score of a row whose text is the word, next to that of the average word.
    encoding = model.schema.columns()[0].text
    terms = encoding.vocabulary.terms.names[: encoding.vocabulary.terms.n_words]
    assert (found.n_tried, found.n_terms) == (min(500, len(terms)), len(terms))
    if len(terms) <= 500:
        frame = FRAME.iloc[: len(terms)].assign(note=terms[: len(FRAME)], amount=0.0)
        scores = model.decision_function(frame)
        effects = scores - scores.mean()
        expected = dict(zip(terms, effects, strict=True))
        assert [entry.effect for entry in found.positive] == pytest.approx(
            [expected[entry.word] for entry in found.positive], abs=1e-6
        )


def test_nothing_is_said_of_words_without_texts_or_rows(fitted):
    assert word_effects(fitted.model_, np.zeros((0, fitted.model_.n_columns))) == []
    numbers = S2AUCClassifierCV(**SMALL_SEARCH).fit(FRAME[["amount"]], LABELS)
    assert word_effects(numbers.model_, np.zeros((3, 1))) == []


@pytest.mark.parametrize("kind", ["frame", "file"])
def test_reports_show_words_with_examples(kind, fitted, tmp_path):
    LABELED.to_csv(tmp_path / "rows.csv", index=False)
    fitted.save(tmp_path / "m.model")
    table = LABELED if kind == "frame" else tmp_path / "rows.csv"
    write_report(tmp_path / "m.model", open_table(table, label="label"), tmp_path / "r.html")
    page = checked_page(tmp_path / "r.html")
    words = html.unescape(page.section("words"))
    assert "Raise the score" in words
    assert "Lower the score" in words
    assert any(word in words for word in TOPICS[1])
    assert "words and pairs of words were tried" in words
    assert "<script>" not in page.section("words")
    assert "note (text 1)" not in page.text
    assert "note" in page.section("importance")


def test_words_that_the_table_lacks_have_no_example(fitted, tmp_path):
    for notes in ("", None):
        write_report(fitted, open_table(LABELED.assign(note=notes), label="label"), tmp_path / "r.html")
        assert "Raise the score" in checked_page(tmp_path / "r.html").section("words")
