"""Small imitations of tables that people have: what becomes of each column, whichever way the table comes in."""

import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from read_tables import read
from s2auc import S2AUCClassifier, open_table
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning

N_ROWS = 90
rng = np.random.default_rng(5)
LABELS = ["Yes", "No", "", "", ""] * 18


def understood(where, label):
    """Return the schema of a table, what is said of its columns by their names, and a fitted classifier."""
    table = open_table(where, label=label)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IgnoredColumnsWarning)
        schema = table.X.learn_schema("from_dtype")
        ranker = S2AUCClassifier(random_state=0, max_iter=3, n_frequencies=4).fit(table.X, table.y)
    assert np.isfinite(ranker.decision_function(table.X)).all()
    return schema, {role.name: str(role).removeprefix(f"{role.name}: ") for role in table.column_roles}, ranker


def numbers_of(schema, where, label):
    """Return the rows of a table without its label as numbers."""
    return read(schema, open_table(where, drop=[label]))


CHARGES = rng.lognormal(4, 1, N_ROWS).round(2).tolist()
MIXED = [" " if place % 11 == 4 else charge for place, charge in enumerate(CHARGES)]
ZIPS = [90001 + int(value) for value in rng.integers(0, 30, N_ROWS)]
TELCO = pd.DataFrame(
    {
        "CustomerID": [f"{1000 + 7 * place}-{'QWERT'[place % 5]}" for place in range(N_ROWS)],
        "Count": 1,
        "Country": "United States",
        "Zip Code": ZIPS,
        "Gender": rng.choice(["Male", "Female"], N_ROWS),
        "Tenure Months": rng.integers(0, 72, N_ROWS),
        "Total Charges": pd.Series(MIXED, dtype=object),
        "Churn Label": LABELS,
    }
)
"""As `pandas.read_excel` reads the sheet of a telephone company."""


def test_a_sheet_of_excel_with_blanks_among_numbers():
    schema, said, ranker = understood(TELCO, "Churn Label")
    assert said == {
        "CustomerID": "text, ignored: text that is different in every row",
        "Count": "numbers, ignored: the same in every row",
        "Country": "text, ignored: the same in every row",
        "Zip Code": "numbers",
        "Gender": "categories",
        "Tenure Months": "numbers",
        "Total Charges": "numbers",
        "Churn Label": "text, label",
    }
    numbers = TELCO.assign(**{"Total Charges": [np.nan if cell == " " else cell for cell in MIXED]})
    expected = numbers_of(schema, numbers, "Churn Label")
    np.testing.assert_array_equal(numbers_of(schema, TELCO, "Churn Label"), expected)
    typed, _, known = understood(numbers, "Churn Label")
    assert typed == schema
    features = TELCO.drop(columns="Churn Label")
    np.testing.assert_array_equal(ranker.decision_function(features), known.decision_function(features))
    # Other libraries have the column as objects or as text.
    objects = pl.DataFrame({**TELCO.to_dict("list"), "Total Charges": pl.Series(MIXED, dtype=pl.Object)})
    text = TELCO.astype({"Total Charges": str})
    for other in (objects, text, TELCO.to_dict("list")):
        assert understood(other, "Churn Label")[0] == schema
        np.testing.assert_array_equal(numbers_of(schema, other, "Churn Label"), expected)


def test_zip_codes_with_leading_zeros_are_categories():
    codes = TELCO.assign(**{"Zip Code": [f"{code - 90001 + 2108:05}" for code in ZIPS]})
    schema, said, _ = understood(codes, "Churn Label")
    assert said["Zip Code"] == "categories"
    assert all(level.startswith("02") for level in schema.levels[0])
    mixed = TELCO.assign(**{"Zip Code": pd.Series([*ZIPS[:-1], "02108"], dtype=object)})
    assert understood(mixed, "Churn Label")[1]["Zip Code"] == "categories"


MOMENTS = [dt.datetime(2004, 3, 10, 18) + dt.timedelta(hours=31 * place) for place in range(N_ROWS)]
GAS = [f"{value:.1f}".replace(".", ",") for value in rng.lognormal(1, 0.5, N_ROWS)]
GAS[7] = "-200"
AIR = {
    "Date": [moment.strftime("%d/%m/%Y") for moment in MOMENTS],
    "Time": [moment.strftime("%H.%M.%S") for moment in MOMENTS],
    "CO(GT)": GAS,
    "PT08.S1(CO)": [str(value) for value in rng.integers(600, 2000, N_ROWS)],
    "AH": [f"{value:.4f}".replace(".", ",") for value in rng.random(N_ROWS)],
    "high": [{"Yes": "1", "No": "0", "": ""}[label] for label in LABELS],
}


def test_a_file_of_semicolons_with_decimal_commas(tmp_path):
    lines = [";".join(row) + ";;" for row in [list(AIR), *zip(*AIR.values(), strict=True)]]
    (tmp_path / "air.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    schema, said, ranker = understood(tmp_path / "air.csv", "high")
    assert said == {
        "Date": "dates",
        "Time": "times of day",
        "CO(GT)": f"numbers, {GAS[0]!r} read as {GAS[0].replace(',', '.').removesuffix('.0')}",
        "PT08.S1(CO)": "numbers",
        "AH": f"numbers, {AIR['AH'][0]!r} read as {float(AIR['AH'][0].replace(',', '.')):.15g}",
        "high": "text, label",
        "Unnamed: 6": "text, ignored: no values",
        "Unnamed: 7": "text, ignored: no values",
    }
    assert schema.readings == {
        0: "dates, day first",
        3: "times with dots",
        4: "numbers with decimal commas",
        6: "numbers with decimal commas",
    }
    assert ranker.classes_.tolist() == [0, 1]
    rows = numbers_of(schema, tmp_path / "air.csv", "high")
    epoch = dt.datetime(1970, 1, 1)
    for row, moment in enumerate(MOMENTS):
        day = dt.datetime(moment.year, moment.month, moment.day)
        assert rows[row, :4].tolist() == [(day - epoch).days, moment.month, moment.weekday(), moment.hour]
    np.testing.assert_array_equal(rows[:, 4], [float(cell.replace(",", ".")) for cell in GAS])
    # The same cells of a data frame, and a later file that could be read another way.
    frame = pd.DataFrame(AIR)
    assert understood(frame, "high")[0].readings == schema.readings
    later = frame.iloc[:3].assign(Date="05/04/2004", **{"CO(GT)": "1.234"}, **{"Unnamed: 6": "", "Unnamed: 7": ""})
    found = numbers_of(schema, later, "high")
    assert found[0, 1] == 4.0, "April, and not May"
    assert found[0, 4] == 1234.0
    with pytest.raises(
        ValueError, match=r"Column 'Date' of X must hold dates, .* Got '04/13/2004' in row 1; correct the"
    ):
        numbers_of(schema, later.assign(Date=["05/04/2004", "04/13/2004", "05/04/2004"]), "high")


IDS = [12 * 10**18 + 10**6 * int(value) for value in np.sort(rng.choice(10**9, N_ROWS, replace=False))]
TWEETS = {
    "id": IDS,
    "id_str": [str(number) for number in IDS],
    "created_at": [moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in MOMENTS],
    "text": [f"words number {place} and {place * place}" for place in range(N_ROWS)],
    "in_reply_to_user_id_str": ["" if place % 3 else "25073877" for place in range(N_ROWS)],
    "retweet_count": rng.integers(0, 50, N_ROWS).tolist(),
    "is_retweet": ["TRUE" if place % 4 else "FALSE" for place in range(N_ROWS)],
    "source": LABELS,
}
SPELLED_TWEETS = {name: list(map(str, column)) for name, column in TWEETS.items()}
SHUFFLED = rng.permutation(N_ROWS)


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: TWEETS,
        lambda folder: SPELLED_TWEETS,
        lambda folder: pd.DataFrame(TWEETS),
        lambda folder: pd.DataFrame(TWEETS).astype({"id": object}),
        lambda folder: pd.DataFrame(TWEETS).iloc[SHUFFLED],
        lambda folder: pl.DataFrame(TWEETS, schema_overrides={"id": pl.UInt64}),
        lambda folder: to_csv(folder),
    ],
    ids=["dict", "text", "pandas", "pandas objects", "shuffled", "polars", "csv"],
)
def test_tweets_with_identifiers_of_twenty_digits(make, tmp_path):
    schema, said, _ = understood(make(tmp_path), "source")
    assert schema.names[:4] == ("created_at", "created_at (month)", "created_at (weekday)", "created_at (hour)")
    assert schema.names[4:] == ("in_reply_to_user_id_str", "retweet_count", "is_retweet")
    assert [said[name].split(", ")[1].split(":")[0] for name in ("id", "id_str", "text")] == ["ignored"] * 3
    assert said["id_str"] == "text, ignored: text that is different in every row"
    assert schema.readings == {0: "dates with time zones"}
    assert schema.levels == {6: (False, True)}
    first = numbers_of(schema, SPELLED_TWEETS, "source")[0]
    assert first.tolist() == [12487.75, 3.0, 2.0, 18.0, 25073877.0, TWEETS["retweet_count"][0], 0.0]


def to_csv(folder):
    pd.DataFrame(TWEETS).to_csv(folder / "tweets.csv", index=False)
    return folder / "tweets.csv"


def test_row_names_that_are_left_after_a_filter():
    kept = np.flatnonzero(rng.random(4000) < 0.05)[:N_ROWS] + 1
    comics = pd.DataFrame(
        {
            "rownames": kept,
            "name": [f"Hero {number}" for number in kept],
            "year": rng.integers(1940, 2013, N_ROWS),
            "eye": rng.choice(["Blue Eyes", "Brown Eyes", ""], N_ROWS),
            "align": LABELS,
        }
    )
    for frame in (comics, comics.astype(str), comics.iloc[::-1], comics.rename(columns={"rownames": "Unnamed: 0"})):
        schema, said, _ = understood(frame, "align")
        assert schema.names == ("year", "eye")
        first = frame.columns[0]
        assert said[first].endswith("ignored: row ID: whole numbers, different in every row, in a column of that name")
        assert said["name"] == "text, ignored: text that is different in every row"
    schema, said, _ = understood(comics.rename(columns={"rownames": "line"}), "align")
    assert said["line"] == "numbers, ignored: row ID: whole numbers in the order of rows"
    shuffled = comics.rename(columns={"rownames": "line"}).iloc[SHUFFLED]
    assert understood(shuffled, "align")[1]["line"] == "numbers", "no order, no name and gaps: it may be an amount"
