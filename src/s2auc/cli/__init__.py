"""The command line: every command reads its options, calls one function of the library, and prints what it returns.

- `app` runs the commands, which are in `commands`; `options`: options of several commands; `runs`: exit codes, errors.
- `screen`: printing and progress; `text`: names and lists; `vocabulary`: options for parameters that messages name.

Help needs neither NumPy nor what builds on it: commands import the library when they run.
"""
