"""Text columns: AUC with 150 labels on real tables, compared with what users of text would try instead.

Tables are CSV files in a folder (`--data`): sms_spam.csv, clothing_reviews.csv (without Rating) and tweets.csv (Android
against iPhone); and loans.csv, of which the job titles are text. Rows with the same text are dropped first. Of every
draw, 40 % of the rows are test rows, 5,000 at most; of the others 150 random ones have their label, both classes among
them, and the rest are unlabelled. All methods get the same rows and one thread:

- `s2auc`: `fit_table` on a CSV file with all defaults, but that it is not judged, which leaves the model as it is;
- `labeled_only`: the same without the unlabelled rows;
- `no_text`: the same as `s2auc` without the text columns;
- `by_hand`: TF-IDF of all rows, words and character n-grams, next to scaled numbers, into `S2AUCClassifierCV`;
- `logistic`: the same TF-IDF of labelled rows, scaled numbers and one-hot categories, into `LogisticRegressionCV`;
- `catboost`: CatBoost with `text_features` and `cat_features`, words that occur once included;
- `skrub`: skrub's `TableVectorizer` with `HistGradientBoostingClassifier`.

An interrupted run goes on from the rows file; `--no-run` tells what there is.

    python benchmarks/text.py --data DIRECTORY --rows text.rows.jsonl
"""

import argparse
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from s2auc import S2AUCClassifierCV, open_table
from s2auc.common.storage.files import write_file
from s2auc.common.threads import thread_limit
from s2auc.experiments.harness.store import Row, RowStore, read_rows
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.versions import package_versions
from s2auc.ranking.metrics import auc

N_LABELED, TEST_SHARE, MAX_TEST = 150, 0.4, 5_000
REFERENCE = "logistic"
"""The method that others are compared with."""


@dataclass(frozen=True)
class TextTable:
    """A table with text: its file, the label column and its classes, columns to drop, and those that hold text."""

    file: str
    label: str
    positive: tuple[str, ...]
    texts: tuple[str, ...]
    negative: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


TABLES = {
    "sms_spam": TextTable("sms_spam.csv", "label", ("spam",), ("message",)),
    "clothing_reviews": TextTable(
        "clothing_reviews.csv", "Recommended IND", ("1",), ("Review Text", "Title"), drop=("Rating",)
    ),
    "tweets": TextTable("tweets.csv", "source", ("Twitter for Android",), ("text",), ("Twitter for iPhone",)),
    "loans": TextTable(
        "loans.csv", "grade", ("D", "E", "F", "G"), ("emp_title",), drop=("sub_grade", "interest_rate", "rownames")
    ),
}
TEXT_ALONE = "sms_spam"
"""The table that has nothing but text."""

HAS_REPEATED_TEXTS = "loans"
"""The table whose texts are job titles, which many rows share."""


@dataclass(frozen=True, eq=False)
class Draw:
    """Rows of one draw.

    Attributes
    ----------
    train, test
        Features of the rows to learn from, labelled ones first, and of the test rows.
    y, y_test
        Labels of the labelled rows, and of the test rows.
    texts, seed
        The text columns, and the seed of whatever a method draws.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    y: np.ndarray
    y_test: np.ndarray
    texts: list[str]
    seed: int

    @property
    def labeled(self) -> pd.DataFrame:
        """Features of the labelled rows."""
        return self.train.iloc[: len(self.y)]

    @property
    def others(self) -> list[str]:
        """Columns that hold no text, vary, and do not name rows."""
        return [
            name
            for name in self.train.columns
            if name not in self.texts and 1 < self.train[name].nunique() < 0.9 * len(self.train)
        ]


def make_draw(name: str, folder: Path, trial: int) -> Draw:
    """Return a draw of a table."""
    table = TABLES[name]
    frame = pd.read_csv(folder / table.file, dtype={table.label: str})
    if table.negative:
        frame = frame[frame[table.label].isin(table.positive + table.negative)]
    if name != HAS_REPEATED_TEXTS:
        frame = frame.dropna(subset=table.texts[0]).drop_duplicates(table.texts[0])
    is_positive = frame[table.label].isin(table.positive).to_numpy()
    features = _with_days(frame.drop(columns=[table.label, *table.drop]))
    order = np.random.default_rng([trial, len(frame)]).permutation(len(frame))
    test, train = np.split(order, [int(TEST_SHARE * len(frame))])
    labeled = train[:N_LABELED]
    if len(set(is_positive[labeled].tolist())) < 2:
        raise ValueError(f"Draw {trial} of {name} has labels of one class only; use other draws.")
    return Draw(
        features.iloc[train].reset_index(drop=True),
        features.iloc[test[:MAX_TEST]].reset_index(drop=True),
        is_positive[labeled],
        is_positive[test[:MAX_TEST]],
        list(table.texts),
        trial,
    )


def _with_days(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with dates as days since 1970, which all methods can read."""
    frame = frame.copy()
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            dates = pd.to_datetime(frame[name], errors="coerce", format="ISO8601", utc=True)
            if dates.notna().mean() > 0.95:
                frame[name] = (dates - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)
    return frame


def score_s2auc(draw: Draw, *, uses_pool: bool = True, uses_text: bool = True) -> np.ndarray:
    """Return the scores of test rows by a model that is fitted on a CSV file."""
    train = draw.train if uses_pool else draw.labeled
    label = np.full(len(train), "", dtype=object)
    label[: len(draw.y)] = np.where(draw.y, "yes", "no")
    with tempfile.TemporaryDirectory() as folder:
        files = {"train": train.assign(label=label), "test": draw.test}
        paths = {name: Path(folder) / f"{name}.csv" for name in files}
        for name, frame in files.items():
            frame.to_csv(paths[name], index=False)
        opened = open_table(paths["train"], label="label", drop=None if uses_text else draw.texts)
        ranker = S2AUCClassifierCV(judge=False, n_jobs=1, random_state=draw.seed).fit(opened.X, opened.y)
        return np.asarray(ranker.decision_function(paths["test"]))


def tf_idf_rows(draw: Draw, *, fits_all: bool) -> tuple[csr_array, csr_array]:
    """Return the rows to learn from and the test rows: TF-IDF of texts, learnt from all rows or labelled ones."""
    fitted_on = draw.train if fits_all else draw.labeled
    blocks: list[list[Any]] = [[], []]
    for name in draw.texts:
        for options in ({"ngram_range": (1, 2)}, {"analyzer": "char_wb", "ngram_range": (3, 5)}):
            vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=2, **options).fit(fitted_on[name].fillna(""))
            for side, rows in zip(blocks, (draw.train, draw.test), strict=True):
                side.append(vectorizer.transform(rows[name].fillna("")))
    numbers = [name for name in draw.others if pd.api.types.is_numeric_dtype(draw.train[name])]
    if numbers:
        middle = fitted_on[numbers].median()
        scaler = StandardScaler().fit(fitted_on[numbers].fillna(middle))
        for side, rows in zip(blocks, (draw.train, draw.test), strict=True):
            side.append(csr_array(scaler.transform(rows[numbers].fillna(middle))))
    return csr_array(hstack(blocks[0], format="csr")), csr_array(hstack(blocks[1], format="csr"))


def score_by_hand(draw: Draw) -> np.ndarray:
    """Return the scores of test rows by TF-IDF of all rows and a search."""
    train, test = tf_idf_rows(draw, fits_all=True)
    y = np.full(train.shape[0], -1)
    y[: len(draw.y)] = draw.y
    ranker = S2AUCClassifierCV(judge=False, n_jobs=1, random_state=draw.seed).fit(train, y)
    return np.asarray(ranker.decision_function(test))


def score_logistic(draw: Draw) -> np.ndarray:
    """Return the scores of test rows by TF-IDF of labelled rows and logistic regression, tuned by cross-validation."""
    train, test = tf_idf_rows(draw, fits_all=False)
    train = train[: len(draw.y)]
    words = [name for name in draw.others if not pd.api.types.is_numeric_dtype(draw.train[name])]
    if words:
        encoder = OneHotEncoder(handle_unknown="ignore", max_categories=100)
        train = hstack([train, encoder.fit_transform(draw.labeled[words].fillna("").astype(str))], format="csr")
        test = hstack([test, encoder.transform(draw.test[words].fillna("").astype(str))], format="csr")
    model = LogisticRegressionCV(
        Cs=np.logspace(-2, 4, 13), cv=5, scoring="roc_auc", class_weight="balanced", max_iter=2000, random_state=0
    )
    return np.asarray(model.fit(train, draw.y).decision_function(test))


def score_catboost(draw: Draw) -> np.ndarray:
    """Return the scores of test rows by CatBoost, which takes texts and categories as they are."""
    from catboost import CatBoostClassifier, Pool

    words = [name for name in draw.others if not pd.api.types.is_numeric_dtype(draw.train[name])]
    columns = [*draw.texts, *draw.others]

    def pool(rows: pd.DataFrame, y: np.ndarray | None = None) -> Any:
        filled = rows[columns].copy()
        for name in [*draw.texts, *words]:
            filled[name] = filled[name].fillna("").astype(str)
        return Pool(filled, y, text_features=draw.texts, cat_features=words)

    # By default words count only if they occur often, of which there may be none in so few rows.
    dictionary = {"dictionary_id": "Word", "occurrence_lower_bound": "1", "max_dictionary_size": "50000"}
    calcers = ["NaiveBayes", "BoW:top_tokens_count=300"]
    model = CatBoostClassifier(
        verbose=False,
        thread_count=1,
        random_seed=draw.seed,
        allow_writing_files=False,
        text_processing={
            "dictionaries": [dictionary],
            "feature_processing": {"default": [{"dictionaries_names": ["Word"], "feature_calcers": calcers}]},
        },
    )
    return np.asarray(model.fit(pool(draw.labeled, draw.y)).predict(pool(draw.test), prediction_type="RawFormulaVal"))


def score_skrub(draw: Draw) -> np.ndarray:
    """Return the scores of test rows by skrub's pipeline with gradient boosting."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from skrub import tabular_pipeline

    model = tabular_pipeline(HistGradientBoostingClassifier(random_state=draw.seed)).fit(draw.labeled, draw.y)
    return np.asarray(model.predict_proba(draw.test)[:, 1])


METHODS: dict[str, Callable[[Draw], np.ndarray]] = {
    "s2auc": score_s2auc,
    "labeled_only": lambda draw: score_s2auc(draw, uses_pool=False),
    "no_text": lambda draw: score_s2auc(draw, uses_text=False),
    "by_hand": score_by_hand,
    "logistic": score_logistic,
    "catboost": score_catboost,
    "skrub": score_skrub,
}


def missing(arguments: argparse.Namespace, store: RowStore) -> Iterator[Row]:
    """Yield a row for every result that is asked for and not there, as it is done."""
    for trial in range(arguments.first, arguments.first + arguments.draws):
        for table in arguments.tables:
            draw = None
            for method in arguments.methods:
                cell = f"{table}/{trial}/{method}"
                if cell in store.rows or (
                    method == "no_text" and len(TABLES[table].texts) == 1 and table == "sms_spam"
                ):
                    continue
                draw = draw or make_draw(table, arguments.data, trial)
                started = process_time()
                scores = METHODS[method](draw)
                seconds = process_time() - started
                row = {"cell": cell, "table": table, "draw": trial, "method": method}
                yield row | {"test_auc": auc(draw.y_test, scores), "seconds": seconds}


def print_report(rows: list[Row]) -> None:
    """Print the mean AUC of every method, and its difference to TF-IDF with logistic regression over the same draws."""
    for table in TABLES:
        for method in dict.fromkeys(row["method"] for row in rows if row["table"] == table):
            own = [row for row in rows if row["table"] == table and row["method"] == method]
            line = f"{table:<18}{method:<14}{np.mean([row['test_auc'] for row in own]):.4f} over {len(own)} draws"
            gaps = differences(rows, table, method)
            if method != REFERENCE and len(gaps) > 1:
                error = gaps.std(ddof=1) / np.sqrt(len(gaps))
                line += f", {gaps.mean():+.4f} ± {error:.4f} against {REFERENCE}"
            print(f"{line}, {np.median([row['seconds'] for row in own]):.1f} s")


PAGE = """# Text columns

Test AUC with {n_labeled} labels on real tables with text, compared with what users of text would try instead. Rows
with the same text are dropped before rows are drawn; all methods of a draw get the same rows. "Difference" is to
TF-IDF with tuned logistic regression over the same draws, with its standard error. Seconds are processor time on one
thread of a busy machine.

    python benchmarks/text.py --data DIRECTORY --rows text.rows.jsonl --results text.csv --page text.md

{tables}
- **s2auc**: `fit_table` on a CSV file with all defaults (not judged, which leaves the model as it is).
- **s2auc, labelled rows only**: the same without the unlabelled rows, so words, too, are learnt from labelled rows.
- **s2auc, TF-IDF by hand**: TF-IDF of all rows (words, pairs, character n-grams) next to scaled numbers, into
  `S2AUCClassifierCV`.
- **s2auc without text**: the text columns dropped.
- **TF-IDF + logistic regression**: the same terms of labelled rows, numbers and one-hot categories, `C` by
  cross-validation.
- **CatBoost**: `text_features` and `cat_features`, words that occur once included.
- **skrub + gradient boosting**: `tabular_pipeline(HistGradientBoostingClassifier())`.

All rows are in `text.csv`, and in `text.rows.jsonl`, from which the benchmark goes on. {versions}
"""
"""The page of results."""

DISPLAYED = {
    "s2auc": "**s2auc**",
    "labeled_only": "s2auc, labelled rows only",
    "no_text": "s2auc without text",
    "by_hand": "s2auc, TF-IDF by hand",
    "logistic": "TF-IDF + logistic regression",
    "catboost": "CatBoost",
    "skrub": "skrub + gradient boosting",
}


def differences(rows: list[Row], table: str, method: str) -> np.ndarray:
    """Return the test AUC of a method less that of the reference, over the draws that have both."""
    of_draw = {
        name: {row["draw"]: row["test_auc"] for row in rows if row["table"] == table and row["method"] == name}
        for name in (method, REFERENCE)
    }
    both = sorted(of_draw[method].keys() & of_draw[REFERENCE].keys())
    return np.array([of_draw[method][draw] - of_draw[REFERENCE][draw] for draw in both])


def results_page(rows: list[Row], circumstances: dict[str, Any]) -> str:
    """Return the page of results, a table per table."""
    tables = []
    for table in TABLES:
        lines = [f"## {table}", "", "| method | test AUC | draws | difference | seconds |", "|---|---:|---:|---:|---:|"]
        for method in METHODS:
            own = [row for row in rows if row["table"] == table and row["method"] == method]
            if not own:
                continue
            gaps = differences(rows, table, method)
            told = ""
            if method != REFERENCE and len(gaps) > 1:  # a single draw has no error
                told = f"{gaps.mean():+.4f} ± {gaps.std(ddof=1) / np.sqrt(len(gaps)):.4f}"
            mean, seconds = np.mean([row["test_auc"] for row in own]), np.median([row["seconds"] for row in own])
            lines.append(f"| {DISPLAYED[method]} | {mean:.4f} | {len(own)} | {told} | {seconds:.1f} |")
        if len(lines) > 4:
            tables.append("\n".join(lines) + "\n")
    versions = ", ".join(f"{name} {version}" for name, version in circumstances["versions"].items())
    machine = circumstances["machine"]
    versions = f"{versions}; {machine['processor']}, {machine['cores']} cores."
    page = PAGE.format(n_labeled=N_LABELED, tables="\n".join(tables), versions=versions)
    absent = [DISPLAYED[method].strip("*") for method in METHODS if all(row["method"] != method for row in rows)]
    return "\n".join(line for line in page.split("\n") if not any(line.startswith(f"- **{name}**") for name in absent))


def results_text(rows: list[Row]) -> str:
    """Return a small table of all results."""
    lines = ["table,draw,method,test_auc,seconds"]
    lines += [
        f"{row['table']},{row['draw']},{row['method']},{row['test_auc']:.6f},{row['seconds']:.2f}" for row in rows
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is missing, and print what there is."""
    arguments = parse_arguments()
    warnings.simplefilter("ignore")
    circumstances = {"threads": 1, "versions": package_versions(), "machine": describe_machine()}
    try:
        if not arguments.no_run:
            with RowStore(arguments.rows) as store, thread_limit(1):
                for row in missing(arguments, store):
                    store.add(row | circumstances)
                    print(f"{row['cell']}: {row['test_auc']:.4f}", file=sys.stderr)
        rows = read_rows(arguments.rows)
        if arguments.results:
            write_file(arguments.results, results_text(rows).encode())
        if arguments.page:
            write_file(arguments.page, results_page(rows, circumstances).encode())
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError, ImportError) as error:
        sys.exit(str(error))
    print_report(rows)
    print("\n" + ", ".join(f"{name} {value}" for name, value in circumstances.items()))


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="folder with the CSV files")
    parser.add_argument(
        "--rows", metavar="FILE", type=Path, required=True, help="JSON-lines file to write and go on from"
    )
    parser.add_argument("--results", metavar="FILE", type=Path, help="also write a small table of results (.csv)")
    parser.add_argument("--page", metavar="FILE", type=Path, help="also write the page of results (.md)")
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=TABLES, help="tables (default: all)")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS, help="methods (default: all)")
    parser.add_argument("--draws", type=int, default=20, help="number of draws (default: 20)")
    parser.add_argument("--first", type=int, default=0, help="number of the first draw (default: 0)")
    parser.add_argument("--no-run", action="store_true", help="run nothing: tell what the rows file holds")
    return parser.parse_args()


if __name__ == "__main__":
    main()
