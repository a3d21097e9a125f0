"""Text columns in model files: kept bit by bit, and forgeries refused."""

import json
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forged_files import edited, unpack
from model_samples import load_bytes, make_linear_part, make_model, pieces_of
from s2auc.data.schema.schema import LearntColumn, Schema
from s2auc.data.text.text_encoding import learn_text_encoding
from s2auc.models.files.file import ModelFileError, load_model, save_model
from s2auc.models.onnx.export import export_onnx
from text_tables import make_texts

TEXTS = [*make_texts([0, 1] * 40), "東京 都 😀", "東京 都 naïve", "with\x00nul", "is\x00nul"]


def text_column(name="note", *, levels=None, seed=0):
    encoding = learn_text_encoding(TEXTS, n_components=3, min_texts=2)
    weights = np.random.default_rng(seed).normal(size=encoding.vocabulary.n_terms)
    return LearntColumn(name, levels is not None, levels, text=encoding.with_sum(weights))


def make_text_model(*others):
    """Return a model of two numbers, a text column and a column of names."""
    names = text_column("title", levels=("Chief Cook",), seed=1)
    columns = [LearntColumn("a"), text_column(), LearntColumn("b"), names, *others]
    schema = Schema.of_columns(columns, {2: "left"})
    return make_model(parts=(make_linear_part(n_columns=schema.n_columns),), schema=schema)


MODEL = make_text_model()
ROWS = pd.DataFrame(
    {"a": [1.0, 2.0, -1.0], "note": ["free prize", "", None], "left": 0, "b": 0.5, "title": "Chief Cook"}
)
NOTE, TITLE = 1, 7
"""The first columns that the texts give."""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "m.model"
    save_model(MODEL, path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "other.model"


def test_models_with_texts_are_kept_bit_by_bit(file, path):
    loaded = load_bytes(file, path)
    assert list(loaded.schema.texts) == [NOTE, TITLE]
    assert pieces_of(loaded) == pieces_of(MODEL)
    assert loaded.decision_function(ROWS).tobytes() == MODEL.decision_function(ROWS).tobytes()
    save_model(loaded, path)
    assert path.read_bytes() == file


@pytest.mark.parametrize("texts", [[], ["one", "two"]])
def test_vocabularies_without_terms_are_kept(texts, path):
    column = LearntColumn("note", text=learn_text_encoding(texts))
    schema = Schema.of_columns([LearntColumn("a"), column])
    model = make_model(parts=(make_linear_part(n_columns=3),), schema=schema)
    save_model(model, path)
    assert pieces_of(load_model(path)) == pieces_of(model)


def test_files_hold_terms_as_lines_and_no_pickle(file):
    header, payload = unpack(file)
    first, end = header["texts.1.terms"]["data_offsets"]
    terms = payload[first:end].decode().split("\n")
    assert "prize" in terms
    assert header["texts.1.components"] | {"data_offsets": 0} == {
        "dtype": "F32", "shape": [len(terms), 4], "data_offsets": 0,
    }  # fmt: skip


def with_array(name, make):
    """Return an edit that puts something else in the place of an array of the first text column."""

    def edit(header):
        header_of = {key: entry for key, entry in header.items() if key != "__metadata__"}
        _, payload = unpack(edit.file)
        pieces, end = [], 0
        for key, entry in sorted(header_of.items(), key=lambda item: item[1]["data_offsets"]):
            data = payload[slice(*entry["data_offsets"])]
            if key == f"texts.{NOTE}.{name}":
                array = np.frombuffer(data, {"U8": "u1", "F32": "<f4", "F64": "<f8"}[entry["dtype"]])
                found = make(array.reshape(entry["shape"]))
                if found is None:
                    del header[key]
                    continue
                found = np.asarray(found)
                entry["dtype"] = {"u1": "U8", "f4": "F32", "f8": "F64", "i4": "I32", "f2": "F16"}[found.dtype.str[1:]]
                entry["shape"], data = list(found.shape), found.tobytes()
            entry["data_offsets"] = [end, end + len(data)]
            pieces.append(data)
            end += len(data)
        return b"".join(pieces)

    return edit


def in_text(**changes):
    def edit(header):
        header["__metadata__"]["model"]["schema"]["texts"][0].update(changes)

    return edit


def in_schema(change):
    def edit(header):
        change(header["__metadata__"]["model"]["schema"])

    return edit


def lines(change):
    def changed(data):
        names = data.tobytes().decode().split("\n")
        change(names)
        return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), "u1")

    return with_array("terms", changed)


def put(array, value):
    changed = array.copy()
    changed.flat[0] = value
    return changed


FORGERIES = {
    "not_utf8": (with_array("terms", lambda a: put(a, 0xFF)), "terms of text column 1 must be UTF-8"),
    "surrogate": (lines(lambda names: names.__setitem__(0, "\ud800")), "must be UTF-8"),
    "terms_many": (lines(lambda names: names.append("more")), "must be [0-9]+ lines"),
    "terms_none": (with_array("terms", lambda a: a[:0]), "must be [0-9]+ lines, got 0"),
    "terms_twice": (lines(lambda names: names.__setitem__(1, names[0])), "words of text column 1 must be different"),
    "term_empty": (lines(lambda names: names.__setitem__(1, "")), "words of text column 1 must be different"),
    "terms_float": (with_array("terms", lambda a: a.astype("f8")), r"texts.1.terms must be there as uint8"),
    "terms_matrix": (with_array("terms", lambda a: a[None]), r"texts.1.terms must be there as uint8"),
    "terms_missing": (with_array("terms", lambda a: None), "texts.1.terms must be there"),
    "weights_missing": (with_array("weights", lambda a: None), "texts.1.weights must be there"),
    "weights_float32": (with_array("weights", lambda a: a.astype("f4")), "texts.1.weights must be there as float64"),
    "weights_short": (with_array("weights", lambda a: a[1:]), "weights of text column 1 must be [0-9]+ numbers"),
    "weights_nan": (with_array("weights", lambda a: put(a, np.nan)), "weights of text column 1 must be"),
    "weights_zero": (with_array("weights", lambda a: put(a, 0.0)), "weights of text column 1 must be"),
    "weights_huge": (with_array("weights", lambda a: put(a, 1e300)), "weights of text column 1 must be"),
    "components_missing": (with_array("components", lambda a: None), "texts.1.components must be there"),
    "components_float64": (with_array("components", lambda a: a.astype("f8")), "must be there as float32"),
    "components_half": (with_array("components", lambda a: a.astype("f2")), "must be a vector or matrix of float64"),
    "components_vector": (with_array("components", lambda a: a.ravel()), "texts.1.components must be there"),
    "components_short": (with_array("components", lambda a: a[1:]), "components of text column 1 must be a matrix"),
    "components_nan": (with_array("components", lambda a: put(a, np.nan)), "components of text column 1 must be"),
    "components_inf": (with_array("components", lambda a: put(a, np.inf)), "components of text column 1 must be"),
    "components_one": (with_array("components", lambda a: a[:, :1]), "components of text column 1 must be a matrix"),
    "components_no_columns": (with_array("components", lambda a: a[:, :0]), "components of text column 1 must be"),
    "components_wide": (with_array("components", lambda a: np.hstack([a, a])), "must be named after it"),
    "column_other": (in_text(column=2), "texts.2.terms must be there"),
    "column_negative": (in_text(column=-1), "must be a whole number from 0"),
    "column_text": (in_text(column="1"), "must be a whole number from 0"),
    "column_twice": (in_text(column=TITLE), "must name each column once, got 7 twice"),
    "source": (in_text(source="text"), "columns of text column 1 must be named after it"),
    "source_number": (in_text(source=1), "columns of text column 1 must be named after it"),
    "source_surrogate": (in_text(source="\ud800"), "columns of text column 1 must be named after it"),
    "words_few": (in_text(words=0), "must be [0-9]+ lines"),
    "words_huge": (in_text(words=10**15), "must be [0-9]+ lines"),
    "words_fraction": (in_text(words=1.0), "must be a whole number from 0"),
    "word_missing": (in_schema(lambda schema: schema["texts"][0].pop("grams")), "must have the names"),
    "texts_empty": (in_schema(lambda schema: schema.update(texts=[])), "texts of its schema must be a list"),
    "texts_dict": (in_schema(lambda schema: schema.update(texts={})), "texts of its schema must be a list"),
    "texts_none": (in_schema(lambda schema: schema.pop("texts")), "must have the texts of its arrays"),
    "texts_fewer": (in_schema(lambda schema: schema["texts"].pop()), "its arrays must be those of its text columns"),
    "names_none": (in_schema(lambda schema: schema.update(names=None)), "must be named after it"),
    "names_other": (in_schema(lambda schema: schema["names"].__setitem__(2, "other")), "must be named after it"),
    "levels": (
        in_schema(lambda schema: schema["levels"].insert(0, {"column": 2, "type": "text", "values": ["x"]})),
        "columns of text column 1 must hold numbers",
    ),
    "levels_of_sum": (
        in_schema(lambda schema: schema["levels"].insert(0, {"column": 4, "type": "text", "values": ["x"]})),
        "columns of text column 1 must hold numbers",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "message"), FORGERIES.values(), ids=FORGERIES)
def test_forged_texts_are_refused_in_one_sentence(edit, message, file, path):
    edit.file = file
    with pytest.raises(ModelFileError, match=message) as caught:
        load_bytes(edited(file, edit), path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@given(JSON, st.sampled_from([None, "column", "source", "words", "pairs", "grams"]))
def test_any_json_in_the_place_of_texts_is_refused_or_right(file, tmp_path_factory, value, field):
    def edit(header):
        schema = header["__metadata__"]["model"]["schema"]
        if field is None:
            schema["texts"] = value
        else:
            schema["texts"][0][field] = value

    path = tmp_path_factory.mktemp("json") / "m.model"
    data = edited(file, edit)
    before = unpack(file)[0]["__metadata__"]["model"]
    if json.dumps(unpack(data)[0]["__metadata__"]["model"]) == json.dumps(before):
        return
    with pytest.raises(ModelFileError):
        load_bytes(data, path)


@pytest.mark.parametrize("shape", [[10**12, 0], [0, 10**12], [0, 2**62]])
def test_claims_of_texts_allocate_nothing(shape, file, path):
    header, payload = unpack(file)
    first, end = header["texts.1.components"]["data_offsets"]

    def claim(header):
        for entry in header.values():
            if "data_offsets" in entry and entry["data_offsets"][0] >= end:
                entry["data_offsets"] = [place - end + first for place in entry["data_offsets"]]
        header["texts.1.components"].update(shape=shape, data_offsets=[first, first])
        header["__metadata__"]["model"]["schema"]["parts"] = [{"column": 0, "source": "a", "part": "month"}]
        return payload[:first] + payload[end:]

    path.write_bytes(edited(file, claim))
    tracemalloc.start()
    with pytest.raises(ModelFileError):
        load_model(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3e7


def test_graphs_of_onnx_cannot_hold_texts(tmp_path):
    with pytest.raises(ValueError, match=r"must hold no text.*got 'note', 'title'; score with the model file"):
        export_onnx(MODEL, tmp_path / "m.onnx")
    assert not list(tmp_path.iterdir())
