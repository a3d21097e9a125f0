"""Rows, columns and labels as numbers.

`inputs` is the one way in; `training_rows` are the rows of a fit. A new kind of source derives from
`sources.source.RowSource`; nothing else needs to know of it.
"""
