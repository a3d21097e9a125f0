"""Tables as plain text and as Markdown."""

from dataclasses import dataclass, field


@dataclass
class Table:
    """A table with a title.

    Attributes
    ----------
    title
        What the table shows; empty for a table that stands in a text.
    header
        Names of the columns.
    lines
        Texts of the cells. The first column is set flush left, the others flush right.
    remark
        How to read it.
    """

    title: str
    header: list[str]
    lines: list[list[str]] = field(default_factory=list)
    remark: str = ""

    def as_text(self) -> str:
        """Return the table with aligned columns.

        Examples
        --------
        >>> print(Table("Sizes", ["name", "rows"], [["moons", "2,000"]]).as_text())
        Sizes
        <BLANKLINE>
        name    rows
        moons  2,000
        """
        widths = [max(map(len, column)) for column in zip(self.header, *self.lines, strict=True)]
        aligned = [
            "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
            for line in [self.header, *self.lines]
        ]
        body = "\n".join(line.rstrip() for line in aligned)
        return "\n\n".join(filter(None, [self.title, body, self.remark]))

    def as_markdown(self) -> str:
        """Return the table in Markdown.

        Examples
        --------
        >>> print(Table("Sizes", ["name", "rows"], [["moons", "2,000"]]).as_markdown())
        ## Sizes
        <BLANKLINE>
        | name | rows |
        | :--- | ---: |
        | moons | 2,000 |
        """
        rule = [":---", *["---:"] * (len(self.header) - 1)]
        body = "\n".join(map(_markdown_line, [self.header, rule, *self.lines]))
        return "\n\n".join(filter(None, [self.title and f"## {self.title}", body, self.remark]))


def _markdown_line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
