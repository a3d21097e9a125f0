"""Reports on models: one HTML file for people, about a model and a table.

`findings` holds all that is known. A new section is a function of findings, and an entry of `page.SECTIONS`.
"""
