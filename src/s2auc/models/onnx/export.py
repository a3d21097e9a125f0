"""A model as an ONNX file, which other languages and runtimes score rows with."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputTypeError
from s2auc.common.storage.files import check_other_file, check_target, write_whole
from s2auc.models.checks import require
from s2auc.models.files.description import check_model
from s2auc.models.files.file import advising
from s2auc.models.fitted_model import fitted_model
from s2auc.models.inspect_model import inspect_model
from s2auc.models.model import Model
from s2auc.models.onnx.columns import check_levels, check_no_texts, input_names, read_rows
from s2auc.models.onnx.encoding import EncodedRows
from s2auc.models.onnx.graph import FORMAT_VERSION, OPSETS, Graph, load_onnx
from s2auc.models.onnx.parts import add_parts, count_bytes

MAX_FILE = 2**31 - 2**24
"""In bytes: ONNX files end at two gigabytes, and some room is for what is not counted."""

SCORE, LABEL, PROBABILITY = "score", "label", "probability"
"""The outputs."""


@dataclass(frozen=True)
class ExportedModel:
    """What `export_onnx` wrote; stands for the path of the file wherever a path is asked for.

    Attributes
    ----------
    path
        The file.
    n_bytes
        Its size.
    inputs, outputs
        What goes in and what comes out: types by name, such as "float64" or "text".
    """

    path: Path
    n_bytes: int
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    def __fspath__(self) -> str:
        return os.fspath(self.path)


@describes_parameters_like()
def export_onnx(model: Any, path: str | os.PathLike[str]) -> ExportedModel:
    """Write a model as an ONNX file, from columns as they come to scores, labels and probabilities.

    Inputs. Where all columns are plain numbers, "X": float64, (rows, columns), the columns of the model in their order.
    Else one input a column of the table, named like it, (rows, 1): text for categories that are text; float64 for all
    others, booleans as 0 and 1. A missing value is NaN, or text that is no category, such as an empty one. ONNX has no
    dates: they are days since 1970-01-01 in UTC with the time of day as a fraction, times of day are hours since
    midnight, durations seconds. A column without a name, or with that of an output, gets another one.

    Outputs, (rows,): "score", the decision function, float64; "label", the predicted class; and where the model has
    probabilities, "probability", that of the positive class, float64.

    Scores are those of the model to 1e-5 of the largest. Where the library refuses rows, a graph cannot: missing values
    that nothing stands in for score NaN, with the label of the negative class, and infinite values count as very large
    ones. Sparse rows come dense. Models with text columns cannot be exported. The file appears whole or not at all.

    Parameters
    ----------
    model
        A fitted classifier of this library, a `Model`, or the path of a model file.
    path
        The file, which is replaced if it is there.

    Returns
    -------
    ExportedModel
        The path, its size, and what goes in and comes out.

    Raises
    ------
    ValueError
        If the model cannot be exported: it would take more than two gigabytes, has classes that are bytes, categories
        that float64 cannot tell apart, or a kernel whose formula has functions that ONNX has not.
    OSError
        If the file cannot be written.
    ImportError
        If onnx is not installed: `pip install 's2auc[onnx]'`.

    Examples
    --------
    >>> import tempfile
    >>> from s2auc import S2AUCClassifier, export_onnx
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=5).fit([[0.0], [1.0], [2.0]], [0, 1, -1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     exported = export_onnx(ranker, f"{folder}/model.onnx")
    >>> dict(exported.inputs), dict(exported.outputs)
    ({'X': 'float64'}, {'score': 'float64', 'label': 'int64'})
    """
    onnx = load_onnx()
    if not isinstance(path, str | os.PathLike):
        raise InputTypeError("be a path", parameter="path", owner="export_onnx", found=repr(path), fix="name a file")
    target = Path(os.path.realpath(path))
    check_target(target, "export the model")
    check_other_file(target, [model])
    fitted = fitted_model(model, "export_onnx")
    try:
        _check_exportable(fitted)
        graph = _graph_of(fitted)
    except ValueError as error:
        raise ValueError(f"Cannot export the model to {os.fspath(path)!r}: {error}.") from error
    proto = onnx.helper.make_model(
        graph.proto("s2auc"),
        opset_imports=[onnx.helper.make_opsetid(domain, version) for domain, version in OPSETS.items()],
        ir_version=FORMAT_VERSION,
        producer_name="s2auc",
        doc_string="Scores of rows: the higher, the more likely positive.",
    )
    onnx.helper.set_model_props(proto, _facts(fitted))
    onnx.checker.check_model(proto)
    data = proto.SerializeToString()
    write_whole(target, data)
    return ExportedModel(Path(path), len(data), graph.types_of(graph.inputs), graph.types_of(graph.outputs))


def _check_exportable(model: Model) -> None:
    """Raise a ValueError that names what the operators of ONNX, or its files, do not allow."""
    with advising("correct the model first"):
        check_model(model)
    require(
        model.classes.dtype.kind != "S",
        f"its classes must be text, numbers or booleans, got bytes such as {model.classes.tolist()[1]!r}; fit with "
        "labels that are text",
    )
    check_no_texts(model.schema)
    check_levels(model.schema)
    n_bytes = count_bytes(model.parts)
    require(
        n_bytes <= MAX_FILE,
        f"it must take at most {MAX_FILE / 1e9:.2f} GB, as ONNX files end there, got about {n_bytes / 1e9:.2f} GB; fit "
        "with fewer frequencies, or score with s2auc, which draws them from a seed",
    )


def _graph_of(model: Model) -> Graph:
    outputs = [SCORE, LABEL, PROBABILITY]
    names = input_names(model.schema, outputs)
    graph = Graph(taken={*names, *outputs})
    rows = EncodedRows(read_rows(graph, model.schema, names))
    scores: Any = graph.add("Reshape", add_parts(model.parts, rows) - float(model.offset), np.array([-1]))
    graph.output(SCORE, scores, "DOUBLE", "the higher, the more likely positive; above zero means predicted positive")
    is_positive = (scores > 0.0).cast("INT64")
    native = np.dtype(object) if model.classes.dtype.kind == "U" else model.classes.dtype.newbyteorder("=")
    element = graph.onnx.helper.np_dtype_to_tensor_dtype(native)
    labels = graph.add("Gather", model.classes.astype(native), is_positive)
    graph.output(LABEL, labels, graph.onnx.TensorProto.DataType.Name(element), "the predicted class")
    if model.probabilities is not None:
        probabilities: Any = model.probabilities.apply(scores)
        graph.output(PROBABILITY, probabilities, "DOUBLE", "that of the positive class")
    return graph


def _facts(model: Model) -> dict[str, str]:
    """Return what the file says of the model, in texts: JSON but for names."""
    found = inspect_model(model)
    names = "classes", "columns", "held_out_auc", "rows", "versions"
    facts = {
        name: json.dumps(found[name], ensure_ascii=False, sort_keys=True) for name in names if found[name] is not None
    }
    return facts | ({"fitted_by": found["fitted_by"]} if found["fitted_by"] else {})
