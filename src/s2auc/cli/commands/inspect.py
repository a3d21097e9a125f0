"""`s2auc inspect`: what a model file holds, from its record."""

from s2auc.cli.options import AsJson, Debug, ModelFile, Quiet
from s2auc.cli.runs import command


def inspect(model: ModelFile, as_json: AsJson = False, quiet: Quiet = False, debug: Debug = False) -> None:
    """Print what a model is and how it came about.

    Columns, classes, rows and settings, how good it was, and versions: everything comes from the file.

    \b
    Example: s2auc inspect model.safetensors
    """
    with command(as_json, quiet, debug) as screen:
        from s2auc import inspect_model, load_model
        from s2auc.models.summary import model_facts

        loaded = load_model(model)
        screen.table(["", ""], [[name, text] for name, text in model_facts(loaded).items() if text])
        screen.result(inspect_model(loaded))
