"""The command line: every command reads its options, calls one function of the library, and prints what it returns.

- `app` puts the commands together and runs them.
- One file a command: `fit`, `score`, `evaluate`, `report`, `inspect`, `export`, `demo`, `info`.
- `options`: what several commands take; `runs`: how commands end, well or not; `screen`: what is printed where;
  `vocabulary`: options for the parameters that messages of the library name;
  `progress_bar`: what a terminal shows meanwhile; `text`: names and lists as people read them; `workers`: of Dask.

Help needs neither NumPy nor what builds on it: commands import the library when they run.
"""
