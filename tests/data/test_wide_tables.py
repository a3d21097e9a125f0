"""Tables of very many columns: the work for one of them does not grow with their number."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa

from s2auc import open_table
from s2auc.data.schema import text_readings
from s2auc.data.schema.text_readings import NUMBERS, TextProfile
from s2auc.data.tables import csv_files

NAMES = [f"c{number}" for number in range(50)]
FRAME = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 50)).round(3), columns=NAMES)


class Counted:
    """An object that counts how often its attributes are asked for."""

    def __init__(self, counted, counts):
        self._counted, self._counts = counted, counts

    def __getattr__(self, name):
        self._counts[name] += 1
        return getattr(self._counted, name)


class Unsearchable(list):
    def __contains__(self, name):
        raise AssertionError("a list of all columns was searched for one of them")


def test_the_schema_of_a_file_is_asked_for_once(tmp_path):
    FRAME.to_parquet(tmp_path / "rows.parquet")
    counts = Counter()
    (piece,) = open_table(tmp_path / "rows.parquet").columns.pieces
    (batch,) = replace(piece, fragment=Counted(piece.fragment, counts)).batches(NAMES, 100)
    assert batch.num_columns == 50
    assert max(counts.values()) <= 3


def test_names_are_looked_up_without_a_search():
    table = open_table(FRAME)
    schema = table.X.learn_schema("from_dtype")
    pool = replace(table.X, names=Unsearchable(NAMES))
    assert pool.find(schema) == NAMES
    table.X.learn_schema("from_dtype", pool)


def test_plain_numbers_take_one_pattern(monkeypatch):
    patterns = []
    matching = text_readings.pc.match_substring_regex

    def counted(text, pattern):
        patterns.append(pattern)
        return matching(text, pattern)

    monkeypatch.setattr(text_readings.pc, "match_substring_regex", counted, raising=False)
    for cells in (["0.126", "-0.132", "1.234"], ["1", "-2", None]):
        patterns.clear()
        profile = TextProfile()
        profile.update(pa.array(cells))
        assert profile.settle() == NUMBERS
        assert len(patterns) == 1


def test_blocks_of_a_text_file_grow_with_its_columns(monkeypatch, tmp_path):
    FRAME.to_csv(tmp_path / "rows.csv", index=False)
    monkeypatch.setattr(csv_files, "_BLOCK_BYTES", 2**10)
    assert len(open_table(tmp_path / "rows.csv").columns.pieces) == 1
    monkeypatch.setattr(csv_files, "_COLUMN_BYTES", 2**3)
    assert len(open_table(tmp_path / "rows.csv").columns.pieces) > 1
