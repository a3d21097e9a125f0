"""Parts that see components: their scores, their form in a file, and files that claim what cannot be."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix

from forged_files import edited, in_part, put, read_by_hand
from model_samples import (
    load_bytes,
    make_golden_projection,
    make_kernel_part,
    make_linear_part,
    make_model,
    make_part,
    make_projected_part,
    make_tree_part,
    save_and_read,
)
from s2auc.data.features.projection import Projection
from s2auc.models.files.file import ModelFileError, load_model, save_model
from s2auc.models.parts.kinds import PLAIN_PARTS, ProjectedPart
from sparse_rows import random_rows

N_COLUMNS = 50


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


def make_rows(n_rows=90):
    rows = random_rows((n_rows, N_COLUMNS), density=0.1, rng=np.random.default_rng(0))
    rows.data[::9] = np.nan
    return rows


def test_its_score_is_the_sum_of_what_its_parts_make_of_components():
    part, rows = make_projected_part(n_columns=N_COLUMNS), make_rows()
    components = np.nan_to_num(rows.toarray()) @ part.projection.matrix
    expected = sum(inner.score(components) for inner in part.parts)
    np.testing.assert_allclose(part.score(rows), expected, rtol=1e-5, atol=1e-6)
    assert part.takes_missing


@pytest.mark.parametrize("form", [csr_matrix, csc_array, coo_array, lambda rows: rows.toarray()])
def test_rows_of_every_form_have_the_same_bits(form):
    part, rows = make_projected_part(n_columns=N_COLUMNS), make_rows()
    scores = part.score(rows)
    np.testing.assert_array_equal(part.score(form(rows)), scores)
    for name in ("indices", "indptr"):
        np.testing.assert_array_equal(getattr(rows, name), getattr(make_rows(), name))


def test_rows_are_projected_once_for_all_parts(monkeypatch):
    applied = []
    monkeypatch.setattr(Projection, "apply", lambda self, X: applied.append(self) or np.zeros((3, 4)))
    make_projected_part().score(np.zeros((3, 3)))
    assert len(applied) == 1


def test_bytes_are_the_documented_ones(path):
    part = make_projected_part()
    header, _ = read_by_hand(save_and_read(make_model(parts=(make_linear_part(), part)), path))
    description = json.loads(header["__metadata__"]["model"])
    words = [{"kind": kind, **inner.description()} for kind, inner in zip(KINDS, part.parts, strict=True)]
    assert description["parts"] == [{"kind": "linear", "encoding": None}, {"kind": "projected", "parts": words}]
    arrays = load_file(path)
    expected = {"parts.1.matrix": part.projection.matrix}
    for place, inner in enumerate(part.parts):
        expected |= {f"parts.1.parts.{place}.{name}": array for name, array in inner.arrays().items()}
    assert {"parts.1.parts.0.cosine", "parts.1.parts.3.column"} < expected.keys()
    assert {name for name in arrays if name.startswith("parts.1.")} == expected.keys()
    assert all(np.array_equal(arrays[name], array) for name, array in expected.items())


KINDS = "cosines", "kernels", "linear", "trees"


def test_a_sample_has_every_plain_kind():
    assert tuple(PLAIN_PARTS) == KINDS
    assert [type(inner) for inner in make_projected_part().parts] == list(PLAIN_PARTS.values())


def test_a_model_of_components_describes_itself():
    model = make_golden_projection()
    assert repr(model) == (
        "<Model: 2 parts (1 of projected, 1 of linear) over 6 columns, 'no' against 'yes', held-out AUC 0.938>"
    )
    n_inside = sum(array.size for inner in model.parts[0].parts for array in inner.arrays().values())
    n_numbers = 6 * 2 + n_inside + sum(array.size for array in model.parts[1].arrays().values())
    assert model.n_numbers == n_numbers
    assert f'<td style="text-align: left">2 parts (1 of projected, 1 of linear), {n_numbers} numbers</td>' in (
        model._repr_html_()
    )
    assert model.takes_missing
    assert not make_model(parts=(make_projected_part(), make_part())).takes_missing


def with_inside(*parts):
    return make_model(parts=(replace(make_projected_part(), parts=parts),))


def with_matrix(matrix):
    return make_model(parts=(make_part(), replace(make_projected_part(), projection=Projection(matrix))))


BAD_MODELS = {
    "nothing inside": (with_inside(), "part 0 must have at least one part inside, got none"),
    "nested": (
        with_inside(make_projected_part(n_columns=4)),
        "inside part 0, its parts must be of the kinds .*, got one of type ProjectedPart",
    ),
    "stranger": (with_inside(object()), "inside part 0, its parts must be of the kinds .*, got one of type object"),
    "other columns": (
        with_inside(make_kernel_part(n_columns=4), make_tree_part(n_columns=3)),
        "inside part 0, shift of part 1 must hold a number for each of 4 > 0 columns, got 3",
    ),
    "bad weights": (
        with_inside(replace(make_linear_part(n_columns=4), weights=np.full(4, np.nan))),
        "inside part 0, weights of part 0 must hold finite numbers",
    ),
    "few rows": (with_matrix(np.zeros((2, 4))), r"matrix of part 1 must have a row for each of 3 columns, .* \(2, 4\)"),
    "no components": (with_matrix(np.zeros((3, 0))), r"matrix of part 1 must .*, and columns, got shape \(3, 0\)"),
    "other components": (with_matrix(np.zeros((3, 5))), "inside part 1, shift of part 0 must hold .* for each of 5"),
    "infinite": (with_matrix(np.full((3, 4), np.inf)), "matrix of part 1 must hold finite numbers, got inf"),
    "float32": (with_matrix(np.zeros((3, 4), np.float32)), "matrix of part 1 must be a float64 matrix"),
    "vector": (with_matrix(np.zeros(3)), "matrix of part 1 must be a float64 matrix"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_MODELS)
def test_models_that_no_file_can_hold(case, path):
    model, message = BAD_MODELS[case]
    with pytest.raises(ValueError, match=f"^Cannot save the model to .*: .*{message}.*; correct the model first"):
        save_model(model, path)
    assert list(path.parent.iterdir()) == []


def inside(key, value):
    return put("__metadata__", "model", "parts", 0, "parts", 0, key, value=value)


def nested(header):
    """Put the parts inside into a part of the outer kind, with their arrays."""
    (part,) = header["__metadata__"]["model"]["parts"]
    header["__metadata__"]["model"]["parts"] = [{"kind": "projected", "parts": [part]}]
    for name in [name for name in header if name.startswith("parts.0.parts.")]:
        header[f"parts.0.{name}"] = header.pop(name)


def renamed(name, other):
    def edit(header):
        header[other] = header.pop(name)

    return edit


def reshaped(*shape):
    return put("parts.0.matrix", "shape", value=list(shape))


BAD_CONTENTS = {
    "nested": (nested, "in part 0, the kind of part 0 must be one of .'cosines', .*'trees'., got 'projected'"),
    "kind inside": (inside("kind", "projected"), "in part 0, the kind of part 0 must be one of .*, got 'projected'"),
    "kind unknown": (inside("kind", "forests"), "in part 0, the kind of part 0 must be one of .*, got 'forests'"),
    "kernel": (inside("kernel", "linear"), "inside part 0, the kernel of part 0 must be one of"),
    "gamma": (inside("gamma", "inf"), "inside part 0, gamma of part 0 must be a finite float > 0"),
    "gamma spelled": (inside("gamma", 0.5), "in part 0, in part 0, gamma must be a number in hexadecimal"),
    "words inside": (inside("more", 1), "in part 0, in part 0, its description must have the names"),
    "no parts": (in_part("parts", []), r"in part 0, its parts must be a list of at least one, got \[\]"),
    "parts of text": (in_part("parts", "cosines"), "in part 0, its parts must be a list of at least one"),
    "part of text": (in_part("parts", ["cosines"]), "in part 0, its arrays must be those of its 1 parts"),
    "fewer parts": (in_part("parts", [{"kind": "linear"}]), "in part 0, its arrays must be those of its 1 parts"),
    "more words": (in_part("more", 1), "in part 0, its description must have the names"),
    "no matrix": (renamed("parts.0.matrix", "parts.0.matrices"), "in part 0, its arrays must have the name 'matrix'"),
    "nobody's array": (renamed("parts.0.parts.0.sine", "parts.0.parts.9.sine"), "in part 0, its arrays must be those"),
    "other name": (renamed("parts.0.parts.0.sine", "parts.0.sine"), "in part 0, its arrays must be those of its 4"),
    "array inside": (renamed("parts.0.parts.0.sine", "parts.0.parts.0.sin"), "in part 0, in part 0, its arrays must"),
    "turned": (reshaped(4, 3), r"matrix of part 0 must have a row for each of 3 columns, .* got shape \(4, 3\)"),
    "flat": (reshaped(12), "matrix of part 0 must be a float64 matrix"),
    "wide schema": (
        put("__metadata__", "model", "schema", "n_columns", value=2**50),
        "matrix of part 0 must have a row for each of 1125899906842624",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_CONTENTS)
def test_bad_contents_with_a_good_digest(case, path):
    edit, message = BAD_CONTENTS[case]
    data = save_and_read(make_model(parts=(make_projected_part(),)), path)
    with pytest.raises(ModelFileError, match=message) as caught:
        load_bytes(edited(data, edit), path)
    sentence = str(caught.value)
    assert sentence.startswith(f"Cannot load model file {str(path)!r}: ")
    assert sentence.endswith("; upgrade s2auc or save the model again.")
    assert "\n" not in sentence
    assert len(sentence) < len(str(path)) + 500


def test_a_matrix_of_any_memory_order_is_the_same_file(path):
    part = make_projected_part(n_columns=N_COLUMNS)
    turned = ProjectedPart(Projection(np.asfortranarray(part.projection.matrix)), part.parts)
    data = save_and_read(make_model(parts=(part,)), path)
    assert save_and_read(make_model(parts=(turned,)), path) == data
    rows = csr_array(make_rows())
    np.testing.assert_array_equal(turned.score(rows), part.score(rows))
    np.testing.assert_array_equal(load_model(path).parts[0].score(rows), part.score(rows))
