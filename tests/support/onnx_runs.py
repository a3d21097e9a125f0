"""Models run by onnxruntime: rows as an exported file takes them, and what comes out."""

import numpy as np
import pandas as pd
import pytest

from s2auc import export_onnx

ACCURACY = 1e-5
"""Of the largest score."""


def run_onnx(model, X, folder):
    """Export a model and return its outputs for some rows, by name."""
    exported = export_onnx(model, folder / "model.onnx")
    return run_file(exported, feed_of(model, X, exported.inputs))


def run_file(path, feed):
    runtime = pytest.importorskip("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = runtime.InferenceSession(str(path.__fspath__()), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, feed), strict=True))


def feed_of(model, X, inputs):
    """Return rows as the inputs of a file take them."""
    if list(inputs) == ["X"]:
        rows = X[list(model.schema.names)] if isinstance(X, pd.DataFrame) and model.schema.names else X
        return {"X": np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)}
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    columns = [frame[column.name] for column in model.schema.columns()]
    return {
        name: column_of(values, kind)[:, None] for (name, kind), values in zip(inputs.items(), columns, strict=True)
    }


def column_of(values, kind):
    """Return a column of a data frame as a file takes it, by the rules of the page on exports."""
    if kind == "text":
        # An empty text is as good as any other that is no category, but it may be one.
        missing = "" if (values != "").all() else "(missing)"
        return np.array([missing if pd.isna(value) else value for value in values], dtype=object)
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return ((values - pd.Timestamp("1970-01-01")) / pd.Timedelta("1D")).to_numpy(np.float64)
    if pd.api.types.is_timedelta64_dtype(values.dtype):
        return (values / pd.Timedelta("1s")).to_numpy(np.float64)
    return np.array([np.nan if pd.isna(value) else float(value) for value in values])


def check_same(model, X, folder):
    """Compare what a file gives with the library; return the largest error, as a share of the largest score."""
    outputs, scores = run_onnx(model, X, folder), model.decision_function(X)
    assert outputs["score"].shape == scores.shape
    assert outputs["score"].dtype == np.float64
    error = np.abs(outputs["score"] - scores).max() / np.abs(scores).max()
    assert error <= ACCURACY
    is_clear = np.abs(scores) > ACCURACY * np.abs(scores).max()
    assert np.array_equal(np.asarray(outputs["label"], dtype=model.classes.dtype)[is_clear], model.predict(X)[is_clear])
    assert ("probability" in outputs) == (model.probabilities is not None)
    if model.probabilities is not None:
        slope = model.probabilities.slope * np.abs(scores).max()
        assert np.abs(outputs["probability"] - model.predict_proba(X)[:, 1]).max() <= ACCURACY * max(1.0, slope)
    return error
