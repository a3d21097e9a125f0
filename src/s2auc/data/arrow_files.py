"""Parquet and Arrow files as columns: one file or many, whose columns may differ a little."""

from typing import Any

from s2auc.common.lazy_modules import pa, pads
from s2auc.data.tables.paths import TableFiles
from s2auc.data.tables.pieces import ArrowColumns, DatasetColumns, one_line, readable


def open_files(files: TableFiles, keeper: object = None) -> ArrowColumns:
    """Return the columns of Parquet or Arrow files, and those that the names of their folders give.

    A column may be absent from some files, where its values are missing then, and its types may differ if one holds
    the values of the other: whole numbers and floats, for example.

    Parameters
    ----------
    files
        The files.
    keeper
        Something that must live as long as the columns do.

    Raises
    ------
    ValueError
        If a file cannot be read, or the types of a column have nothing in common.
    """
    paths = [str(path) for path in files.paths]
    options: dict[str, Any] = {"format": files.format}
    if files.base is not None:
        options |= {"partitioning": "hive", "partition_base_dir": str(files.base)}
    name = paths[0]
    try:
        with readable(name, files.format):
            found = pads.dataset(paths, **options)
        if len(paths) == 1:
            return DatasetColumns(found, keeper)
        unified = found.schema
        for fragment in found.get_fragments():
            name = fragment.path
            with readable(name, files.format):
                physical = fragment.physical_schema
            unified = pa.unify_schemas([unified, physical], promote_options="permissive")
        return DatasetColumns(pads.dataset(paths, schema=unified, **options), keeper)
    except pa.ArrowTypeError as error:
        raise ValueError(
            f"Files of one table must have the same types in their columns. Got others in {name!r} "
            f"({one_line(error)}); convert one of them."
        ) from error
