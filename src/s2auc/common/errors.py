"""Errors about what users give: one sentence that is made of facts, so that each front end words it itself."""

from reprlib import Repr

from s2auc.common.messages import Message, Parameter, Place

_COLUMN_NAMES = Repr()
_COLUMN_NAMES.maxstring = 80


class _InputFactsError(Exception):
    def __init__(
        self,
        rule: str,
        /,
        *,
        parameter: str | None = None,
        owner: str | None = None,
        column: str | int | None = None,
        subject: str | None = None,
        found: str | None = None,
        row: int | None = None,
        line: int | None = None,
        fix: str = "",
        **facts: object,
    ) -> None:
        self.parameter, self.column, self.row, self.line = parameter, column, row, line
        self.rule, self.found, self.fix = rule, found, fix
        if isinstance(rule, Message):  # also where it is unpickled
            super().__init__(rule)
            return
        template = f"{subject or ('Column {column}' if parameter is None else '{parameter}')} must {rule}"
        template += "" if found is None else ". Got {found}"
        template += "" if row is None else " in {row}"
        template += f"; {fix}" if fix else ""
        facts |= {"column": _COLUMN_NAMES.repr(column), "found": found}
        facts |= {} if parameter is None else {"parameter": Parameter(parameter, owner)}
        facts |= {} if row is None else {"row": Place(row, line)}
        super().__init__(Message(template if template.endswith("?") else f"{template}.", **facts))


class InputError(_InputFactsError, ValueError):
    """An error about what was given: "<subject> must <rule>. Got <found>; <fix>" and a full stop.

    All parameters but `subject`, `owner` and more facts are attributes, too.

    Parameters
    ----------
    rule : str or Message
        What must be the case: a template, as for `Message`. Or a message, in place of the whole sentence.
    parameter : str, optional
        The parameter that breaks the rule: the subject of the sentence.
    owner : str, optional
        The function or class that takes the parameter, for Python to name.
    column : str or int, optional
        The name of the column that breaks the rule: the subject if no parameter is given.
    subject : str, optional
        A template for another subject.
    found : str or Message, optional
        What was given, in words. Text is data, not a template.
    row, line : int, optional
        The row where it was found, counted from 0, and its line in the file, counted from 1.
    fix : str, optional
        What to do: a template, which may end in a question mark.
    **facts : object
        More data for the templates.

    Examples
    --------
    >>> from s2auc.common.messages import render
    >>> error = InputError("not name {label}, {name}", parameter="row_id", found="'row_id'", name="'row_id'")
    >>> str(error)
    "row_id must not name label, 'row_id'. Got 'row_id'."
    >>> render(error, {"row_id": "--id", "label": "--label"})
    "--id must not name --label, 'row_id'. Got 'row_id'."
    """


class InputTypeError(_InputFactsError, TypeError):
    """An error about the type of what was given; its parameters are those of `InputError`."""
