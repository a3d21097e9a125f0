"""ONNX graphs, written like NumPy: arithmetic on a `Tensor` adds nodes to the graph that it belongs to.

So formulas that NumPy computes elsewhere, such as those of kernels and of probabilities, become nodes by being called,
and there is no second copy of them. Numbers are float64 throughout, as older and newer runtimes know the operators used
here in float64 too.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import count
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from scipy.special import expit

from s2auc.common.arrays import AnyArray
from s2auc.common.lazy_modules import import_optional

OPSETS = {"": 16, "ai.onnx.ml": 3}
"""Versions of the operators: old enough for runtimes of 2022."""

FORMAT_VERSION = 8
"""Of the file, which goes with them."""

OPERATORS: dict[Any, str] = {
    np.add: "Add",
    np.subtract: "Sub",
    np.multiply: "Mul",
    np.true_divide: "Div",
    np.negative: "Neg",
    np.power: "Pow",
    np.absolute: "Abs",
    np.exp: "Exp",
    np.sqrt: "Sqrt",
    np.sin: "Sin",
    np.floor: "Floor",
    np.matmul: "MatMul",
    np.isnan: "IsNaN",
    np.less: "Less",
    np.less_equal: "LessOrEqual",
    np.greater: "Greater",
    np.equal: "Equal",
    expit: "Sigmoid",
}
"""Functions of NumPy and SciPy that can be applied to tensors, and what ONNX calls them."""


def load_onnx() -> Any:
    """Return the onnx library, or raise an ImportError that says how to install it."""
    return import_optional("onnx", "Exporting a model needs the onnx library", "onnx")


class Tensor(NDArrayOperatorsMixin):
    """A value of a graph, to be computed when the graph is run.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", "DOUBLE", 1)
    >>> _ = np.exp(-0.5 * x)
    >>> [node.op_type for node in graph.nodes]
    ['Mul', 'Exp']
    """

    def __init__(self, graph: "Graph", name: str) -> None:
        self.graph, self.name = graph, name

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> "Tensor":
        """Add a node that applies a function of NumPy."""
        if ufunc not in OPERATORS or method != "__call__" or kwargs:
            raise _no_operator(ufunc)
        return self.graph.add(OPERATORS[ufunc], *inputs)

    def __array_function__(self, function: Any, *_: Any) -> NoReturn:
        """Refuse what is no function of single numbers, before NumPy makes something else of a tensor."""
        raise _no_operator(function)

    def __getitem__(self, columns: AnyArray) -> "Tensor":
        """Return some columns, by their numbers."""
        return self.graph.add("Gather", self, columns.astype(np.int64), axis=1)

    def cast(self, element: str) -> "Tensor":
        """Return the values as another type, by its name in ONNX."""
        return self.graph.add("Cast", self, to=self.graph.element(element))

    def summed(self) -> "Tensor":
        """Return the sum of every row, (n, 1)."""
        return self.graph.add("ReduceSum", self, np.array([1]), keepdims=1)

    def held(self, largest: float) -> "Tensor":
        """Return values held to a bound, missing ones as they are."""
        # Clip leaves open what becomes of NaN.
        not_above = self.graph.where(self > largest, largest, self)
        return self.graph.where(not_above < -largest, -largest, not_above)


def _no_operator(function: Any) -> ValueError:
    known = ", ".join(sorted(known.__name__ for known in OPERATORS))
    return ValueError(
        f"formulas of its kernels must be made of {known}, for which there are operators, got {function.__name__}; "
        "score with s2auc"
    )


class Graph:
    """Nodes, constants, inputs and outputs of a graph that is being built.

    Parameters
    ----------
    taken
        Names that inputs and outputs will have, which are not for values in between.
    fresh_name
        What gives names, where the graph is part of another one.
    """

    def __init__(self, taken: Collection[str] = (), fresh_name: Callable[[], str] | None = None) -> None:
        self.onnx = load_onnx()
        self.nodes: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self._constants: list[Any] = []
        names = (name for number in count() if (name := f"value {number}") not in taken)
        self._fresh_name = names.__next__ if fresh_name is None else fresh_name

    def element(self, name: str) -> int:
        """Return the number of a type, given its name in ONNX."""
        return int(self.onnx.TensorProto.DataType.Value(name))

    def input(self, name: str, element: str, width: int, meaning: str = "") -> Tensor:
        """Return an input of so many columns."""
        shape = ["rows", width]
        self.inputs.append(self.onnx.helper.make_tensor_value_info(name, self.element(element), shape, meaning))
        return Tensor(self, name)

    def output(self, name: str, value: Tensor, element: str, meaning: str = "") -> None:
        """Let a value be an output, one number, text or boolean a row."""
        self.nodes.append(self.onnx.helper.make_node("Identity", [value.name], [name], name=name))
        self.outputs.append(self.onnx.helper.make_tensor_value_info(name, self.element(element), ["rows"], meaning))

    def constant(self, value: Any) -> Tensor:
        """Return an array as it is, or a number as float64."""
        array = value if isinstance(value, np.ndarray) else np.float64(value)
        name = self._fresh_name()
        self._constants.append(self.onnx.numpy_helper.from_array(np.asarray(array, order="C"), name))
        return Tensor(self, name)

    def add(self, operator: str, *inputs: Any, domain: str = "", **attributes: Any) -> Tensor:
        """Add a node and return its value; inputs that are no tensors are constants."""
        tensors = [value if isinstance(value, Tensor) else self.constant(value) for value in inputs]
        name = self._fresh_name()
        names = [tensor.name for tensor in tensors]
        self.nodes.append(self.onnx.helper.make_node(operator, names, [name], name, domain=domain, **attributes))
        return Tensor(self, name)

    def where(self, condition: Tensor, value: Any, other: Any) -> Tensor:
        """Return one of two values, as a condition holds or not."""
        return self.add("Where", condition, value, other)

    def beside(self, columns: list[Tensor]) -> Tensor:
        """Return columns side by side."""
        return columns[0] if len(columns) == 1 else self.add("Concat", *columns, axis=1)

    def fold(self, step: Callable[..., Tensor], start: Tensor, *columns: Tensor) -> Tensor:
        """Return what is left after `step(total, *column)` was applied to the total for each column in turn.

        Parameters
        ----------
        step
            Returns the new total, given the old one and the next of each of the columns, as they stand in them.
        start
            The first total, a matrix.
        columns
            Matrices by column, (columns, …).
        """
        body = Graph(fresh_name=self._fresh_name)
        make_info, double = self.onnx.helper.make_tensor_value_info, self.element("DOUBLE")
        values = [Tensor(body, self._fresh_name()) for _ in (start, *columns)]
        body.inputs = [make_info(value.name, double, [None, None]) for value in values]
        body.outputs = [make_info(step(*values).name, double, [None, None])]
        return self.add("Scan", start, *columns, body=body.proto("step"), num_scan_inputs=len(columns))

    def types_of(self, values: Sequence[Any]) -> dict[str, str]:
        """Return the types of inputs or outputs by name, such as "float64" or "text"."""
        types = [self.onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type) for value in values]
        return {value.name: str(kind).replace("object", "text") for value, kind in zip(values, types, strict=True)}

    def proto(self, name: str) -> Any:
        """Return the graph as ONNX has it."""
        return self.onnx.helper.make_graph(self.nodes, name, self.inputs, self.outputs, self._constants)
