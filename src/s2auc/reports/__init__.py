"""Reports on models: one HTML file for people, about a model and a table.

`findings` holds all that is known. A new section is a function of findings, an entry of `page.SECTIONS`, and a table of
sentences in `texts.toml`.
"""
