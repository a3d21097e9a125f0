"""Arrow files whose buffers do not hold what they claim, and other data that Arrow takes as it is."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from forged_files import mutate
from s2auc import fit_table, open_table
from s2auc.common.errors import InputError

N_ROWS = 120
TABLE = pa.table(
    {
        "x": np.arange(N_ROWS) * 1.5,
        "city": ["Rome", "Oslo", "Bern"] * 40,
        "kind": pa.array(["a", "b"] * 60).dictionary_encode(),
        "y": [0, 1] * 60,
    }
)


def write(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=50)
    return path


def forge(path, buffer, place, value):
    """Replace a 32-bit number of a buffer in a file."""
    data, content = bytearray(path.read_bytes()), buffer.to_pybytes()
    first = data.index(content) + 4 * place
    data[first : first + 4] = value.to_bytes(4, "little")
    path.write_bytes(data)
    return path


def forge_offset(path, table=TABLE):
    offsets = table["city"].chunk(0).buffers()[1]
    return forge(path, offsets.slice(0, 4 * 51), 20, 5000)


def forge_index(path):
    return forge(path, TABLE["kind"].chunk(0).indices.buffers()[1].slice(0, 4 * 50), 20, 77)


def read_all(path):
    table = open_table(path)
    return pa.Table.from_batches(list(table.batches(table.names, 70)))


@pytest.mark.parametrize(("forgery", "reason"), [(forge_offset, "offset"), (forge_index, "Dictionary indices")])
def test_what_points_out_of_its_buffer_is_refused(forgery, reason, tmp_path):
    path = forgery(write(TABLE, tmp_path / "rows.arrow"))
    sentence = rf"rows\.arrow' must be a readable Arrow file\. Got an error \(.*{reason}.*\); write it again\.$"
    with pytest.raises(InputError, match=sentence):
        read_all(path)
    with pytest.raises(InputError, match=sentence):
        fit_table(path, "y", tune=False)


def test_forged_text_is_refused_before_its_type_changes(tmp_path):
    write(TABLE.set_column(1, "city", TABLE["city"].cast(pa.large_string())), tmp_path / "0.arrow")
    write(TABLE, tmp_path / "1.arrow")
    assert read_all(tmp_path).num_rows == 2 * N_ROWS
    forge_offset(tmp_path / "1.arrow")
    with pytest.raises(InputError, match=r"1\.arrow' must be a readable Arrow file"):
        read_all(tmp_path)


def test_columns_that_a_file_does_not_hold_are_missing(tmp_path):
    write(TABLE.select(["x", "y"]), tmp_path / "0.arrow")
    write(TABLE.select(["city", "x"]), tmp_path / "1.arrow")
    found = read_all(tmp_path).to_pydict()
    assert found["x"] == 2 * TABLE["x"].to_pylist()
    assert found["y"] == TABLE["y"].to_pylist() + [None] * N_ROWS
    assert found["city"] == [None] * N_ROWS + TABLE["city"].to_pylist()


def test_folders_name_columns_of_arrow_files(tmp_path):
    for year in (2024, 2025):
        (tmp_path / f"year={year}").mkdir()
        write(TABLE, tmp_path / f"year={year}" / "rows.arrow")
    assert read_all(tmp_path)["year"].to_pylist() == [2024] * N_ROWS + [2025] * N_ROWS


def test_data_sets_of_arrow_files_are_checked_too(tmp_path):
    path = forge_offset(write(TABLE, tmp_path / "rows.arrow"))
    table = open_table(ds.dataset([ds.dataset(path, format="ipc")]))
    with pytest.raises(InputError, match="'the data set' must be a readable data file"):
        list(table.batches(["city"], 70))


def test_damaged_arrow_files_are_named(tmp_path):
    content = write(TABLE, tmp_path / "rows.arrow").read_bytes()
    chance, sentences = random.Random(0), []
    for _ in range(150):
        (tmp_path / "rows.arrow").write_bytes(mutate(content, chance))
        try:
            read_all(tmp_path / "rows.arrow").validate(full=True)
        except (InputError, MemoryError) as error:
            sentences.append(str(error))
    assert len(sentences) > 75
    assert all("rows.arrow'" in sentence and "\n" not in sentence for sentence in sentences)


def test_forged_tables_in_memory_are_refused():
    offsets = pa.py_buffer(np.array([0, 1, 900, 3], dtype=np.int32))
    text = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"abc")])
    with pytest.raises(InputError, match=r"The table must be valid Arrow data\. Got an error \(.*offset"):
        open_table(pa.table({"t": text}))
    codes = pa.DictionaryArray.from_arrays(pa.array([0, 7]), pa.array(["a"]), safe=False)
    with pytest.raises(InputError, match=r"The table must be valid Arrow data\. Got an error \(.*indices"):
        open_table(pa.table({"t": codes}))


def test_text_of_parquet_files_that_is_not_utf8_is_refused(tmp_path):
    offsets = pa.py_buffer(np.arange(4, dtype=np.int32))
    text = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"a\xffc")])
    pq.write_table(pa.table({"t": text}), tmp_path / "rows.parquet")
    with pytest.raises(InputError, match=r"rows\.parquet' must be a readable parquet file\. Got an error \(.*UTF8"):
        read_all(tmp_path / "rows.parquet")
