"""`s2auc info`: what this installation consists of."""

from s2auc.cli.options import AsJson, Debug, Quiet
from s2auc.cli.runs import command


def info(as_json: AsJson = False, quiet: Quiet = False, debug: Debug = False) -> None:
    """Print versions, extras, threads and platform.

    \b
    Example: s2auc info
    """
    with command(as_json, quiet, debug) as screen:
        from s2auc.kernels.versions import collect_versions, versions_text

        for line in versions_text().splitlines():
            screen.say(line)
        screen.result(dict(collect_versions()))
