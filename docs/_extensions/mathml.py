"""Formulas as MathML, which browsers draw by themselves: nothing to fetch, nothing to run."""

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer `html_math_renderer = "mathml"`."""
    app.add_html_math_renderer("mathml", inline_renderers=(draw_inline, None), block_renderers=(draw_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def draw_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    writer.body.append(as_mathml(node, as_block=False))
    raise nodes.SkipNode


def draw_block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own, with its number if it has one."""
    identifier = f' id="{node["ids"][0]}"' if node.get("ids") else ""
    number = f'<span class="eqno">({get_node_equation_number(writer, node)})</span>' if node.get("number") else ""
    writer.body.append(f'<div class="math"{identifier}>{number}{as_mathml(node, as_block=True)}</div>')
    raise nodes.SkipNode


def as_mathml(node: nodes.Node, *, as_block: bool) -> str:
    """Return the markup of a formula; a warning names one that cannot be read."""
    try:
        return str(latex2mathml.tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        logger.warning("The formula %r cannot be read: %s", node.astext(), error, location=node)
        return f"<code>{node.astext()}</code>"
