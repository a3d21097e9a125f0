"""Fitted models: sums of parts, their files, and their ONNX graphs.

A new kind of part is a class, an entry of `parts.plain.PLAIN_PARTS` and one of `onnx.parts.EXPORTERS`.
"""
