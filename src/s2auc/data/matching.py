"""Whether a source of rows has the columns that were learnt."""

from s2auc.data.schema.schema import Schema
from s2auc.data.sources.source import RowSource


def check_source(source: RowSource, schema: Schema, name: str) -> None:
    """Raise a ValueError unless a source has the columns of a schema: as many, with their names and categories."""
    names = (source.schema.names, schema.names)
    if source.n_columns != schema.n_columns or (None not in names and names[0] != names[1]):
        shown = ", ".join(source.schema.column_labels[:5]) + (", ..." if source.n_columns > 5 else "")
        raise ValueError(
            f"{name} must have the {schema.n_columns} columns of the rows that were fitted, in their order. Got "
            f"{source.n_columns} columns ({shown}); pass a source of the same table."
        )
    for column, levels in source.schema.levels.items():
        fitted = schema.levels.get(column)
        if levels is not None and fitted is not None and levels != fitted:
            # Codes would stand for other categories than they did in the fit.
            raise ValueError(
                f"{name} must have the categories of the rows that were fitted, in their order. Got others in column "
                f"{source.schema.column_labels[column]}; pass a source of the same table."
            )
