"""Errors and warnings made of facts: each front end words them itself, and leaves data alone."""

import ast
import copy
import pickle
import warnings
from pathlib import Path

import pytest

import s2auc
from s2auc.common import errors
from s2auc.common.errors import InputError, InputTypeError
from s2auc.common.messages import Message, Parameter, render
from s2auc.common.parameters import Choice, check_parameters
from s2auc.common.user_warnings import warn_user

OPTIONS = {"X": "the table", "label": "--label", "row_id": "--id", "tune=False": "--no-tune", "top": "--top"}
HOSTILE = [
    "row_id",
    "label",
    "X",
    "{label}",
    "{found}",
    "{",
    "}{",
    "%s",
    "%(label)s",
    "\\1",
    "{0}",
    "{{label}}",
    "a  b",
]
KINDS = [InputError, InputTypeError]


def make(kind=InputError):
    return kind(
        "name a column of {X}",
        parameter="row_id",
        found="'idd'",
        row=5,
        line=7,
        fix="did you mean {close}, with {tune=False}?",
        close="'id'",
    )


@pytest.mark.parametrize("kind", KINDS)
def test_both_front_ends_word_the_same_facts(kind):
    error = make(kind)
    python = "row_id must name a column of X. Got 'idd' in row 5; did you mean 'id', with tune=False?"
    assert (str(error), render(error, {})) == (python, python)
    assert render(error, OPTIONS) == (
        "--id must name a column of the table. Got 'idd' in line 7; did you mean 'id', with --no-tune?"
    )


def test_kinds_are_those_of_python():
    assert isinstance(make(), ValueError)
    assert isinstance(make(InputTypeError), TypeError)
    assert not isinstance(make(), TypeError)
    assert not isinstance(make(InputTypeError), ValueError)


def test_facts_are_attributes():
    error = InputError("hold numbers", column="age", found="'x'", row=0, fix="convert it")
    facts = error.parameter, error.column, error.rule, error.found, error.row, error.line, error.fix
    assert facts == (None, "age", "hold numbers", "'x'", 0, None, "convert it")
    assert str(error) == "Column 'age' must hold numbers. Got 'x' in row 0; convert it."
    assert render(error, OPTIONS) == str(error)  # no line is known
    assert make().parameter == "row_id"


@pytest.mark.parametrize(
    ("facts", "python", "options"),
    [
        ({"parameter": "X"}, "X must be so.", "The table must be so."),
        ({"parameter": "top", "owner": "f"}, "The 'top' parameter of f must be so.", "--top must be so."),
        ({"parameter": "alpha", "owner": "f"}, *["The 'alpha' parameter of f must be so."] * 2),
        (
            {"subject": "Columns of {X}", "fix": "stop"},
            "Columns of X must be so; stop.",
            "Columns of the table must be so; stop.",
        ),
        ({"subject": "{X}", "parameter": "top"}, "X must be so.", "The table must be so."),
        ({"column": 3}, *["Column 3 must be so."] * 2),
        (
            {"parameter": "label", "found": Message("{label} and {row_id}")},
            "label must be so. Got label and row_id.",
            "--label must be so. Got --label and --id.",
        ),
    ],
)
def test_subjects(facts, python, options):
    error = InputError("be so", **facts)
    assert (str(error), render(error, OPTIONS)) == (python, options)


@pytest.mark.parametrize("name", HOSTILE)
def test_data_are_left_alone(name):
    error = InputError(
        "not be {value} of {column}", parameter="label", column=name, found=name, fix="use {value}", value=name
    )
    for vocabulary, label in (({}, "label"), (OPTIONS, "--label")):
        assert render(error, vocabulary) == f"{label} must not be {name} of {name!r}. Got {name}; use {name}."
    message = Message("{name} of {X}", name=name)
    assert (str(message), message.render(OPTIONS)) == (f"{name} of X", f"{name} of the table")
    assert render(ValueError(name), OPTIONS) == name


def test_a_parameter_may_have_any_name():
    """What a table is called in an error can hold the name of a file."""
    assert str(InputError("be so", parameter="'{label}.csv'")) == "'{label}.csv' must be so."
    assert render(InputError("be so", parameter="'row_id'"), OPTIONS) == "'row_id' must be so."


def test_long_names_of_columns_are_cut():
    assert len(str(InputError("be so", column="x" * 10_000))) < 120


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, *(lambda e, p=p: pickle.loads(pickle.dumps(e, p)) for p in range(6))]
)
def test_errors_travel(duplicate, kind):
    error = make(kind)
    found = duplicate(error)
    assert type(found) is kind
    assert (str(found), render(found, OPTIONS)) == (str(error), render(error, OPTIONS))
    assert vars(found) == vars(error)


def test_whatever_facts_are_errors_travel():
    found = pickle.loads(pickle.dumps(InputError("be {rule}", parameter="top", rule=lambda: 0)))
    assert str(found).startswith("top must be <function")


def test_errors_have_causes():
    def fail():
        try:
            {}["a"]
        except KeyError as error:
            raise make() from error

    with pytest.raises(InputError) as caught:
        fail()
    assert isinstance(caught.value.__cause__, KeyError)
    assert str(caught.value) == str(make())


def test_errors_within_errors_keep_their_facts():
    inner = InputError("be so", parameter="X")
    error = pickle.loads(pickle.dumps(InputError(Message("In part {place}: {error}", place=3, error=inner))))
    assert str(error) == "In part 3: X must be so."
    assert render(error, OPTIONS) == "In part 3: The table must be so."
    assert str(Message("{error}", error=OSError(2, "gone"))) == "[Errno 2] gone"
    assert render(PermissionError(Message("{label} is shut")), OPTIONS) == "--label is shut"
    assert render(ValueError(), OPTIONS) == ""


def test_warnings_keep_their_facts():
    class Special(UserWarning):
        pass

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_user(Message("Name {column} in {label}.", column="'row_id'"), Special)
        warn_user("Name 'row_id' in label.")
    assert [warning.category for warning in caught] == [Special, UserWarning]
    assert [warning.filename for warning in caught] == [__file__] * 2
    assert {str(warning.message) for warning in caught} == {"Name 'row_id' in label."}
    told = [render(warning.message, OPTIONS) for warning in caught]
    assert told == ["Name 'row_id' in --label.", "Name 'row_id' in label."]


def test_parameters_of_rules():
    with pytest.raises(InputError) as caught:
        check_parameters("score", {"top": "{X}"}, {"top": (Choice(["label", "X"]),)})
    rest = "must be a str among {'label', 'X'}. Got '{X}' instead."
    assert str(caught.value) == f"The 'top' parameter of score {rest}"
    assert render(caught.value, OPTIONS) == f"--top {rest}"
    assert repr(Parameter("X")) == "'X'"


def test_templates_hold_no_data():
    """Templates are plain texts: what a user wrote could look like a placeholder."""
    checked = 0
    for path in set(Path(s2auc.__file__).parent.rglob("*.py")) - {Path(errors.__file__)}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            display_name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if display_name not in ("InputError", "InputTypeError", "Message"):
                continue
            options = [keyword.value for keyword in node.keywords if keyword.arg in ("rule", "fix", "subject")]
            for template in [*node.args, *options]:
                is_made = any(isinstance(part, ast.JoinedStr | ast.BinOp) for part in ast.walk(template))
                assert not is_made or isinstance(template, ast.Call), f"{path}:{template.lineno}"
                checked += 1
    assert checked
