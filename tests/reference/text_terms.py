"""Terms of texts, their weights and rows, by scikit-learn's vectorizers."""

import unicodedata

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize


def plain(text):
    return unicodedata.normalize("NFKC", text).lower()


WORDS = {"preprocessor": plain, "token_pattern": r"(?u)\w\w+"}
GRAMS = {"preprocessor": plain, "analyzer": "char_wb", "ngram_range": (3, 5)}


def vectorizers(words, pairs, grams):
    """Return what counts given terms: single words, pairs of words, character n-grams."""
    kinds = [
        (words, WORDS),
        (pairs, WORDS | {"ngram_range": (2, 2)}),
        (grams, GRAMS),
    ]
    return [CountVectorizer(**how, vocabulary=list(terms)) if terms else None for terms, how in kinds]


def count(texts, words, pairs, grams):
    """Return how often each term is in each text."""
    found = [
        np.zeros((len(texts), 0)) if one is None else one.transform(texts).toarray().astype(float)
        for one in vectorizers(words, pairs, grams)
    ]
    return np.hstack(found)


def all_terms(texts, ngrams, how):
    """Return all terms of a kind, with the number of texts that contain each."""
    counter = CountVectorizer(**how | ({} if ngrams is None else {"ngram_range": ngrams}))
    try:
        counts = counter.fit_transform(texts)
    except ValueError:  # which it raises where there are none
        return {}
    return dict(zip(counter.get_feature_names_out(), (counts.toarray() > 0).sum(axis=0).tolist(), strict=True))


def vocabulary(texts, min_texts):
    """Return words, pairs and n-grams that enough texts contain, with their numbers."""
    found = [all_terms(texts, (1, 1), WORDS), all_terms(texts, (2, 2), WORDS), all_terms(texts, None, GRAMS)]
    return [{term: n_texts for term, n_texts in terms.items() if n_texts >= min_texts} for terms in found]


def tf_idf(counts, n_containing, n_texts, n_words):
    """Return rows of weighted terms, those made of words and the n-grams each of unit length."""
    inverse = 1 + np.log((1 + n_texts) / (1 + np.asarray(n_containing, dtype=float)))
    values = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * inverse
    blocks = values[:, :n_words], values[:, n_words:]
    return np.hstack([normalize(block) if block.size else block for block in blocks])


def labeled_only(counts, n_words, n_labeled):
    """Return rows of the terms that some labelled row contains, weighted by labelled rows; other terms are zero."""
    n_containing = (counts[:n_labeled] > 0).sum(axis=0)
    return tf_idf(np.where(n_containing > 0, counts, 0), n_containing, n_labeled, n_words)
