"""Tables of text and the like: two of documentation strings, two of words that were never written.

- `docstrings_learning`: is a passage about statistics and learning (scikit-learn and scipy.stats), or not?
- `docstrings_solving`: of the passages of NumPy and SciPy, is it one about equations (linear algebra, optimisation,
  interpolation, integration)? It is the harder of the two.
- `topics`: documents that mix a few topics each, the label a noisy function of some of the topics. Frequencies of
  words follow Zipf's law.
- `rare`: columns that know nothing of one another, the label a noisy linear function of 300 of them; unlabelled rows
  tell nothing about such a label.

Words and pairs of words of passages are weighed by scikit-learn's TfidfVectorizer, fitted on all rows of the table,
test rows included: weights need no labels. Names of packages and subpackages are left out. Trials draw other labelled,
unlabelled and test rows from the same table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from docstring_text import Passage, all_passages, package_words
from scipy.sparse import csr_array

N_TOPICS, N_TELLING_TOPICS, WORDS_PER_DOCUMENT, TOPIC_NOISE = 24, 5, 130, 0.5
N_TELLING_COLUMNS, AMONG_COLUMNS, COLUMN_NOISE = 300, 1_000, 0.3
STORED_PER_ROW = 100
EQUATIONS = frozenset(("linalg", "optimize", "interpolate", "integrate"))


@dataclass(frozen=True, eq=False)
class WideTable:
    """Rows, dense or in CSR format, and True for the positive ones."""

    X: Any
    y: np.ndarray
    source: str

    @property
    def stored_per_row(self) -> float:
        """Stored values of a row in the mean; all columns if rows are dense."""
        return self.X.nnz / self.X.shape[0] if isinstance(self.X, csr_array) else float(self.X.shape[1])

    def describe(self) -> str:
        """Return source and sizes in a few words."""
        n_rows, n_columns = self.X.shape
        stored = f"{self.stored_per_row:,.0f} stored values a row"
        return f"{self.source}: {n_rows:,} rows, {n_columns:,} columns, {stored}, {self.y.mean():.0%} positive"


def docstrings_learning(n_rows: int, n_columns: int, seed: int) -> WideTable:
    """Return passages of all packages; those of scikit-learn and of scipy.stats are positive."""

    def is_positive(passage: Passage) -> bool:
        return passage.package == "sklearn" or (passage.package, passage.subpackage) == ("scipy", "stats")

    return passage_table(all_passages(), is_positive, n_rows, n_columns, seed)


def docstrings_solving(n_rows: int, n_columns: int, seed: int) -> WideTable:
    """Return passages of NumPy and SciPy; those of subpackages that solve equations are positive."""
    passages = tuple(passage for passage in all_passages() if passage.package in ("numpy", "scipy"))
    return passage_table(passages, lambda passage: passage.subpackage in EQUATIONS, n_rows, n_columns, seed)


def passage_table(
    passages: tuple[Passage, ...], is_positive: Callable[[Passage], bool], n_rows: int, n_columns: int, seed: int
) -> WideTable:
    """Return random passages, at most as many as asked for, as weights of their words and pairs of words."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # Here: processes that fit need none of it.

    chosen = [passages[place] for place in np.random.default_rng(seed).permutation(len(passages))[:n_rows]]
    weigh = TfidfVectorizer(ngram_range=(1, 2), max_features=n_columns, stop_words=package_words(passages))
    X = csr_array(weigh.fit_transform(passage.text for passage in chosen))
    y = np.array([is_positive(passage) for passage in chosen])
    return WideTable(X, y, f"{len(chosen):,} of {len(passages):,} passages of documentation strings")


def topics(n_rows: int, n_columns: int, seed: int) -> WideTable:
    """Return documents that are mixtures of topics."""
    from sklearn.feature_extraction.text import TfidfTransformer

    rng = np.random.default_rng(seed)
    words_of_topics = zipf(n_columns, 3.0) * rng.gamma(0.1, size=(N_TOPICS, n_columns))
    shares = rng.dirichlet(np.full(N_TOPICS, 0.1), n_rows)
    counts = rng.multinomial(rng.poisson(WORDS_PER_DOCUMENT, n_rows), shares)
    documents = np.concatenate([np.repeat(np.arange(n_rows), of_topic) for of_topic in counts.T])
    words = np.concatenate(
        [
            rng.choice(n_columns, of_topic.sum(), p=weights / weights.sum())
            for weights, of_topic in zip(words_of_topics, counts.T, strict=True)
        ]
    )
    X = csr_array(TfidfTransformer().fit_transform(as_csr(documents, words, np.ones(len(words)), (n_rows, n_columns))))
    signal = shares[:, :N_TELLING_TOPICS].sum(axis=1)
    return WideTable(X, noisy_labels(signal, TOPIC_NOISE, rng), f"mixtures of {N_TOPICS} topics, made up")


def rare(n_rows: int, n_columns: int, seed: int, stored_per_row: float = STORED_PER_ROW) -> WideTable:
    """Return independent columns, most of them rare."""
    rng = np.random.default_rng(seed)
    # Cells that are hit by a Poisson number of draws are hit independently of one another.
    n_draws = rng.poisson(n_rows * stored_per_row)
    columns = rng.choice(n_columns, n_draws, p=zipf(n_columns, 10.0))
    cells = np.unique(rng.integers(n_rows, size=n_draws) * n_columns + columns)
    X = as_csr(*np.divmod(cells, n_columns), rng.lognormal(0.0, 0.5, len(cells)), (n_rows, n_columns))
    weights = np.zeros(n_columns)
    among = min(AMONG_COLUMNS, n_columns)
    telling = rng.choice(among, min(N_TELLING_COLUMNS, among), replace=False)
    weights[telling] = rng.normal(size=len(telling))
    return WideTable(X, noisy_labels(X @ weights, COLUMN_NOISE, rng), "independent sparse columns, made up")


def zipf(n_columns: int, shift: float) -> np.ndarray:
    """Return probabilities that fall with the rank, as those of words do."""
    weights = 1.0 / (np.arange(n_columns) + shift)
    return weights / weights.sum()


def noisy_labels(signal: np.ndarray, noise: float, rng: np.random.Generator) -> np.ndarray:
    """Return True for the third of rows with the highest signal, to which noise of so many spreads was added."""
    noisy = signal / signal.std() + noise * rng.normal(size=len(signal))
    return noisy > np.quantile(noisy, 2 / 3)


def as_csr(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> csr_array:
    """Return a sparse table with indices of 32 bits, which scikit-learn's solvers ask for."""
    return csr_array((values, (rows.astype(np.int32), columns.astype(np.int32))), shape=shape)


#: Every task by its name: a function of numbers of rows and columns, and a seed.
TEXT_TASKS: dict[str, Callable[[int, int, int], WideTable]] = {
    make.__name__: make for make in (docstrings_learning, docstrings_solving, topics, rare)
}
