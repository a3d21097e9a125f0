"""Terms, their weights and rows of them, against scikit-learn's vectorizers."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from reference import text_terms as reference
from s2auc.data.text import vocabulary as vocabularies
from s2auc.data.text.labeled_terms import labeled_components, labeled_term_rows
from s2auc.data.text.terms import CHUNK_TEXTS, text_chunks
from s2auc.data.text.text_encoding import learn_text_encoding
from s2auc.data.text.tokens import MAX_TEXT, grams_of, normalized, words_of
from s2auc.data.text.vocabulary import learn_vocabulary
from text_tables import make_texts

PIECES = [
    *"aAbé ß_10-.\n\t\u00a0\u3000\u0301İﬁ①東京都😀👩‍👩‍👧\x00\x1c",
    "cat",
    "Cat's",
    "<b>hot</b>",
    "&amp;",
    "東京 都",
    "naïve",
    "in the",
]
TEXTS = st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=12), max_size=9)


@given(TEXTS, st.integers(1, 3))
@example([], 1)
@example(["", " ", "a"], 1)
@example(["a b", "a b"], 2)
def test_vocabularies_and_rows_are_those_of_scikit_learn(texts, min_texts):
    found = learn_vocabulary(texts, min_texts)
    expected = reference.vocabulary(texts, min_texts) if texts else [{}, {}, {}]
    terms = found.terms
    assert [set(terms.words), set(terms.pairs), set(terms.grams)] == [set(kind) for kind in expected]
    kinds = zip((terms.words, terms.pairs, terms.grams), expected, strict=True)
    n_containing = [n_texts[term] for kind, n_texts in kinds for term in kind]
    others = [*texts, "cat in the 東京 hat", "", "zzz"]
    counts = reference.count(others, terms.words, terms.pairs, terms.grams)
    np.testing.assert_array_equal(terms.count(others).toarray(), counts)
    rows = reference.tf_idf(counts, n_containing, len(texts), terms.n_words)
    np.testing.assert_allclose(found.rows(others).toarray(), rows, rtol=1e-12, atol=1e-300)


@given(st.text(max_size=30))
def test_words_and_n_grams_are_those_of_scikit_learn(text):
    def built(how):
        return reference.CountVectorizer(**how).build_analyzer()(text)

    plain = normalized(text)
    assert plain == reference.plain(text)
    assert words_of(plain) == built(reference.WORDS)
    assert sorted(gram for token in plain.split() for gram in grams_of(token)) == sorted(built(reference.GRAMS))


def test_only_the_beginning_of_a_long_text_is_read():
    assert normalized("é" * (MAX_TEXT + 9)) == "é" * MAX_TEXT
    assert len(normalized("ﷺ" * MAX_TEXT)) == MAX_TEXT  # one character that becomes eighteen
    learnt = learn_vocabulary(["ab " * MAX_TEXT + "end"] * 2, 1)
    assert learnt.terms.words == ("ab",)


def test_the_most_frequent_terms_are_kept(monkeypatch):
    texts = [f"common{' often' * (n % 2)} rare{n}" for n in range(40)]
    monkeypatch.setattr(vocabularies, "MAX_WORD_TERMS", 2)
    monkeypatch.setattr(vocabularies, "MAX_GRAMS", 7)
    found = learn_vocabulary(texts, 1)
    assert found.terms.names[:2] == ("common", "often")
    assert len(found.terms.grams) == 7
    assert all(gram in " common rare " for gram in found.terms.grams)


def test_candidates_come_from_the_words_of_most_texts(monkeypatch):
    monkeypatch.setattr(vocabularies, "MAX_TOKEN_CHARACTERS", 12)
    found = learn_vocabulary([f"shared word{n:02}" for n in range(40)], 1)
    assert " sha" in found.terms.grams
    assert len(found.terms.grams) < 40  # of "shared", and of the first of the others


@given(st.lists(st.sampled_from([*make_texts([0, 1] * 20), "", "东京", "a" * 5000]), min_size=1), st.randoms())
def test_numbers_of_a_text_are_the_same_bits_whatever_comes_with_it(texts, random):
    encoding = ENCODING
    together = encoding.numbers(texts)
    place = random.randrange(len(texts))
    assert encoding.numbers([texts[place]]).tobytes() == together[[place]].tobytes()
    shuffled = random.sample(range(len(texts)), len(texts))
    assert encoding.numbers([texts[i] for i in shuffled]).tobytes() == together[shuffled].tobytes()
    many = encoding.numbers(["other"] * CHUNK_TEXTS + texts)[CHUNK_TEXTS:]
    assert many.tobytes() == together.tobytes()


ENCODING = learn_text_encoding(make_texts([0, 1] * 100), n_components=5).with_sum(
    np.random.default_rng(0).normal(size=learn_vocabulary(make_texts([0, 1] * 100)).n_terms)
)


def test_components_are_singular_vectors():
    texts = make_texts([0, 1] * 60)
    encoding = learn_text_encoding(texts, n_components=4)
    rows = encoding.vocabulary.rows(texts).toarray()
    exact = np.linalg.svd(rows, compute_uv=False)[:4]
    np.testing.assert_allclose(np.linalg.norm(encoding.numbers(texts), axis=0)[:4], exact, rtol=0.02)
    assert encoding.components.dtype == np.float32
    assert not encoding.components[:, -1].any()


@pytest.mark.parametrize("texts", [[], [""], ["a", "b"], ["one", "two", "three"]])
def test_texts_that_share_nothing_give_a_component_of_zeros(texts):
    encoding = learn_text_encoding(texts)
    assert (encoding.vocabulary.n_terms, encoding.n_numbers) == (0, 2)
    np.testing.assert_array_equal(encoding.numbers(["one", ""]), np.zeros((2, 2)))


def test_chunks_are_all_texts_in_order_and_small():
    texts = ["a" * length for length in [10**6, 5, 0, 300_000, 300_000, *[1] * 2500]]
    chunks = list(text_chunks(texts))
    assert [text for some in chunks for text in some] == texts
    assert all(len(some) == 1 or (len(some) <= CHUNK_TEXTS and sum(map(len, some)) <= 2**19) for some in chunks)


@settings(max_examples=8)
@given(st.integers(0, 99), st.integers(1, 30))
def test_terms_as_labelled_rows_alone_weigh_them(seed, n_labeled):
    rng = np.random.default_rng(seed)
    columns = [make_texts(rng.integers(0, 2, 40), seed), ["", *make_texts(rng.integers(0, 2, 39), seed + 1, 1, 1)]]
    encodings = [learn_text_encoding(texts, n_components=6) for texts in columns]
    pairs = zip(encodings, columns, strict=True)
    known = np.hstack([encoding.vocabulary.rows(texts).toarray() for encoding, texts in pairs])
    rows = csr_array(known)
    found = labeled_term_rows(rows, encodings, n_labeled)
    np.testing.assert_array_equal(rows.toarray(), known)  # which other entries still use
    expected = []
    for encoding, texts in zip(encodings, columns, strict=True):
        terms = encoding.vocabulary.terms
        counts = reference.count(texts, terms.words, terms.pairs, terms.grams)
        expected.append(reference.labeled_only(counts, terms.n_words, n_labeled))
    np.testing.assert_allclose(found.toarray(), np.hstack(expected), rtol=1e-9, atol=1e-12)
    numbers = labeled_components(found, encodings, n_labeled)
    assert numbers.shape == (40, sum(encoding.n_numbers for encoding in encodings))
    first = 0
    for encoding, rows in zip(encodings, expected, strict=True):
        ours = numbers[:, first : first + encoding.n_numbers]
        first += encoding.n_numbers
        assert not ours[:, -1].any()  # the sum, which is learnt elsewhere
        _, lengths, vectors = np.linalg.svd(rows[:n_labeled], full_matrices=False)
        vectors = vectors[lengths > 1e-6]
        # All of the labelled rows where they are fewer than components, so signs and rotations do not matter.
        if n_labeled <= encoding.n_components:
            np.testing.assert_allclose(ours @ ours.T, (rows @ vectors.T) @ (rows @ vectors.T).T, atol=1e-6)


def test_directions_of_rounding_errors_are_no_components():
    texts = ["Red hat", "red hat", "red HAT", "blue shoes", "Blue shoes", "blue SHOES"]  # which have rank two
    encoding = learn_text_encoding(texts, min_texts=3)
    assert np.abs(encoding.components).any(axis=0).tolist() == [True, True, False, False, False, False, False]


def test_encodings_are_equal_if_terms_weights_and_components_are():
    texts = make_texts([0, 1] * 30)
    encoding = learn_text_encoding(texts, n_components=3)
    assert encoding == learn_text_encoding(texts, n_components=3)
    assert encoding != encoding.with_sum(np.ones(encoding.vocabulary.n_terms))
    assert encoding != learn_text_encoding(texts, n_components=3, min_texts=6)
