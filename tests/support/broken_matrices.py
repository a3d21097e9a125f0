"""Sparse matrices at random, most of them tampered with, and what it means that they are handled.

Compiled code that trusts a broken one may end the process: `run` belongs into a process of its own.
"""

import json
import pickle
import re
import sys
from collections import Counter
from contextlib import suppress
from functools import cache

import numpy as np
from scipy import sparse

from model_samples import make_linear_part, make_part
from reference import dense_form
from s2auc import S2AUCClassifier
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import SparseRows
from s2auc.data.sources.rows import dense_rows
from s2auc.models.model import Model

FORMATS = "csr", "csc", "bsr", "coo", "dia", "lil", "dok"
VALUE_TYPES = "f8", "f4", "g", "i1", "u2", "i8", "?"
ODD_VALUE_TYPES = "f2", ">f8", ">i4", "O"
ODD_INDEX_TYPES = "i8", "i4", "u8", "i2", ">i4", "f8"
STRANGE_NUMBERS = -1, 0, 1, 3, 6, 7, 64, 10**5, 2**31 - 1, -(2**31), 2**40, -(2**62)
SENTENCE = re.compile(r"^[^\n]+ must [^\n]+\. Got [^\n]+; [^\n]+\.$")


def random_matrix(rng, n_rows, n_columns):
    """Return a sound matrix in a random format with small whole numbers, a good part of them zero."""
    X = rng.integers(0, 4, (n_rows, n_columns)) * rng.integers(0, 2, (n_rows, n_columns))
    name = str(rng.choice(FORMATS))
    make = getattr(sparse, f"{name}_{rng.choice(['array', 'matrix'])}")
    options = {}
    if name == "bsr" and n_rows and n_columns:
        divisors = [[size for size in range(1, n + 1) if n % size == 0] for n in X.shape]
        options["blocksize"] = tuple(int(rng.choice(sizes)) for sizes in divisors)
    held = make(X.astype(str(rng.choice(VALUE_TYPES))), **options)
    if rng.random() < 0.3:
        for part in {"indptr", "indices", "offsets"} & set(vars(held)):
            setattr(held, part, getattr(held, part).astype(np.int64))
    return held


def set_one(array, rng):
    array[rng.integers(len(array))] = rng.choice(STRANGE_NUMBERS)


def repeat_one(array, rng):
    array[rng.integers(len(array))] = array[rng.integers(len(array))]


def shuffle(array, rng):
    rng.shuffle(array)


def shorter(array, rng):
    return array[: rng.integers(len(array) + 1)]


def longer(array, rng):
    return np.concatenate([array, array[: 1 + rng.integers(len(array))]])


def other_type(array, rng):
    return array.astype(str(rng.choice(ODD_INDEX_TYPES)))


def no_vector(array, rng):
    return [None, array[None], array.tolist()][rng.integers(3)]


HARMLESS = shuffle, repeat_one
TAMPERINGS = set_one, set_one, shuffle, repeat_one, shorter, longer, other_type, no_vector


def tamper_with_indices(X, rng):
    """Change a part that says where values stand."""
    part = str(rng.choice([part for part in ("indptr", "indices", "coords", "offsets") if hasattr(X, part)]))
    array = getattr(X, part)
    place = int(rng.integers(2))
    if part == "coords":
        array = array[place]
    choices = HARMLESS if rng.random() < 0.3 else TAMPERINGS
    changed = choices[rng.integers(len(choices))](array, rng)
    if changed is not None:
        setattr(X, part, changed if part != "coords" else (*X.coords[:place], changed, *X.coords[place + 1 :]))


def tamper_with_values(X, rng):
    """Change how many values there are, or their type."""
    change = rng.integers(4)
    if change == 0:
        X.data = shorter(X.data, rng)
    elif change == 1:
        X.data = longer(X.data, rng)
    elif change == 2 and X.data.ndim > 1:
        X.data = X.data[:, : 1 + rng.integers(3)]
    else:
        X.data = X.data.astype(str(rng.choice(ODD_VALUE_TYPES)))


def claim_order(X, rng):
    """Let the matrix claim what may not be so."""
    X.has_canonical_format = True


def tamper_with_lists(X, rng):
    row = rng.integers(len(X.rows))
    change = rng.integers(8)
    if change == 0:
        X.rows[row].append(int(rng.choice(STRANGE_NUMBERS)))
        X.data[row].append(1)
    elif change <= 2:
        X.rows[row].append(int(rng.integers(X.shape[1])))
        X.data[row].append(1)
    elif change == 3:
        X.data[row].pop()
    elif change == 4:
        X.rows = X.rows[:-1]
    elif change == 5:
        X.rows[row] = [None, 7][rng.integers(2)]
    elif change == 6:
        X.rows[row][0] = 0.5
    else:
        X.rows[row].reverse()


def tamper_with_keys(X, rng):
    keys = (int(rng.choice(STRANGE_NUMBERS)), 0), (0, int(rng.choice(STRANGE_NUMBERS))), (0, 0, 0), (0.5, 0), 3
    sound = tuple(int(rng.integers(n)) for n in X.shape)
    # Any text is true as a boolean.
    value = "much" if X.dtype != bool and rng.random() < 0.1 else 1
    X._dict[keys[rng.integers(5)] if rng.random() < 0.4 else sound] = value


def random_broken(rng, n_rows, n_columns):
    """Return a matrix that was tampered with up to three times; it may still be sound."""
    X = random_matrix(rng, n_rows, n_columns)
    ways = {"lil": [tamper_with_lists], "dok": [tamper_with_keys]}.get(
        X.format, [tamper_with_indices, tamper_with_indices, tamper_with_values, claim_order]
    )
    for _ in range(rng.choice(4, p=[0.1, 0.4, 0.3, 0.2])):
        # Some changes are impossible where another one came first, or where nothing is stored.
        with suppress(IndexError, ValueError, TypeError, AttributeError, OverflowError):
            ways[rng.integers(len(ways))](X, rng)
    return X


@cache
def small_model(n_columns):
    parts = make_linear_part(n_columns=n_columns), make_part(n_columns=n_columns)
    return Model(parts, offset=0.1, classes=np.array([0, 1]), schema=Schema(n_columns, {}))


def refused(work):
    """Return whether the work ends with a ValueError of one sentence."""
    try:
        work()
    except ValueError as error:
        return SENTENCE.match(str(error)) is not None
    return False


def check_scores(rng):
    """Rows and scores are those of the dense form, or refused; the matrix stays what it is."""
    X = random_broken(rng, int(rng.integers(7)), int(rng.integers(1, 6)))
    before, dense = pickle.dumps(vars(X)), dense_form(X)
    model = small_model(X.shape[1])
    if dense is None:
        assert refused(lambda: SparseRows(X))
        assert refused(lambda: model.decision_function(X))
    else:
        source, backwards = SparseRows(X), np.arange(X.shape[0])[::-1]
        np.testing.assert_array_equal(dense_rows(source.gather(backwards)), dense[::-1])
        np.testing.assert_array_equal([row for chunk in source.scan(2) for row in dense_rows(chunk)], [*dense])
        np.testing.assert_allclose(model.decision_function(X), model.decision_function(dense), rtol=1e-12, atol=1e-12)
    assert pickle.dumps(vars(X)) == before
    return X.format, dense is not None


def check_fit(rng):
    """A classifier that is fitted and asked about such rows does as with the dense form, or stays unfitted."""
    X, pool, asked = (random_broken(rng, n_rows, 3) for n_rows in (16, 20, 8))
    y = np.arange(16) % 4 - 1
    y[y == 2] = -1
    dense, dense_pool, dense_asked = map(dense_form, (X, pool, asked))
    small = {"max_iter": 3, "n_frequencies": 4, "batch_size": 8, "random_state": 0}
    ranker = S2AUCClassifier(**small)
    if dense is None or dense_pool is None:
        assert refused(lambda: ranker.fit(X, y, pool))
        assert refused(lambda: ranker.partial_fit(X, y, X_unlabeled=pool))
        assert not hasattr(ranker, "model_")
        return X.format, False
    expected = S2AUCClassifier(**small).fit(dense, y, dense_pool)
    ranker.fit(X, y, pool)
    np.testing.assert_allclose(ranker.decision_function(X), expected.decision_function(dense), rtol=1e-6, atol=1e-9)
    if dense_asked is None:
        assert refused(lambda: ranker.decision_function(asked))
        assert refused(lambda: ranker.predict(asked))
    else:
        np.testing.assert_array_equal(ranker.predict(asked), expected.predict(dense_asked))
    return X.format, True


CHECKS = {"scores": check_scores, "fit": check_fit}


def run(check, n_cases, seed):
    """Return how many matrices of each format were sound, and how many were not."""
    counts = Counter()
    for case in range(n_cases):
        try:
            name, is_sound = CHECKS[check](np.random.default_rng([seed, case]))
        except Exception as error:
            raise AssertionError(f"{check}, case {case} of seed {seed}") from error
        counts[f"{name} {'sound' if is_sound else 'broken'}"] += 1
    return counts


if __name__ == "__main__":
    # How many cases of each check: scores=1000 fit=30.
    wanted = dict(argument.split("=") for argument in sys.argv[1:])
    sys.stdout.write(json.dumps({check: run(check, int(n_cases), seed=7) for check, n_cases in wanted.items()}))
