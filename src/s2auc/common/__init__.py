"""What every room may use and nothing here knows of: array types, checks, seeds, threads, memory, files, warnings.

- `arrays`: types of the annotations.
- `groups`: the groups that rows fall into, and the order of labelled rows.
- `messages`: texts that each front end words itself; `errors`: errors about what users give, made of facts.
- `parameters`: what a parameter may be, in one sentence shape.
- `randomness`: random numbers by (seed, stream, index).
- `threads`, `host_memory`: what the machine gives; `crews`: whoever takes tasks on others.
- `whole_files`: files that are whole or absent; `output`: folders of results; `figure_style`: how figures look.
- `user_warnings`: warnings that point at the user's line; `callers`: whose code called.
"""
