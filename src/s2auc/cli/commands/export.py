"""`s2auc export`: a model as an ONNX file, for other languages and runtimes."""

import os
from typing import Annotated

from s2auc.cli.options import AsJson, Debug, ModelFile, Quiet, option
from s2auc.cli.runs import command
from s2auc.cli.text import listed

MAX_INPUTS = 10
"""Inputs that are listed."""


def export(
    model: ModelFile,
    output: Annotated[str, option("FILE", "File to write, such as model.onnx.", "--output", "-o")],
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Write a model as an ONNX file.

    It goes from columns as they come to scores, labels and probabilities, in any language that has a runtime for ONNX.
    The file appears whole or not at all.

    \b
    Example: s2auc export model.safetensors -o model.onnx
    """
    with command(as_json, quiet, debug) as screen:
        from s2auc import export_onnx

        done = export_onnx(model, output)
        inputs, outputs = (
            listed([f"{name} ({kind})" for name, kind in side.items()], MAX_INPUTS)
            for side in (done.inputs, done.outputs)
        )
        screen.say(f"Model written to {os.fspath(done)}, {done.n_bytes / 1e6:,.2f} MB.")
        screen.table(["", ""], [["Inputs", inputs], ["Outputs", outputs]])
        screen.result(
            {"path": output, "n_bytes": done.n_bytes, "inputs": dict(done.inputs), "outputs": dict(done.outputs)}
        )
