"""Columns of tables: how their cells are read, and what a model knows of them."""
