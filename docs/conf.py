"""Settings of the documentation site; `tools/docs` makes it."""

import sys
from pathlib import Path

from sphinx_gallery.sorting import ExplicitOrder

import s2auc

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "s2auc"
author = "The s2auc developers"
copyright = "the s2auc developers, BSD 3-clause licence"  # noqa: A001
version = release = s2auc.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "mathml",
]
exclude_patterns = ["_build", "api/backreferences"]
templates_path = ["_templates"]
# Names in single backticks, in docstrings, lead to their pages where they have one.
default_role = "py:obj"

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# From what it does to how it is extended.
EXAMPLES = [
    "plot_two_moons.py",
    "plot_digits.py",
    "plot_imbalance.py",
    "plot_against_trees.py",
    "plot_cannot_help.py",
    "plot_positive_unlabeled.py",
    "plot_roc_intervals.py",
    "plot_large_file.py",
    "plot_kernels.py",
    "plot_convergence.py",
    "plot_custom_loss.py",
    "plot_custom_source.py",
]

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "plot_",
    "within_subsection_order": ExplicitOrder(EXAMPLES),
    "doc_module": ("s2auc",),
    "reference_url": {"s2auc": None},
    "backreferences_dir": "api/backreferences",
    "reset_modules": ("matplotlib", "gallery_look.reset"),
    "reset_modules_order": "before",
    "abort_on_example_error": True,
    "show_signature": False,
    "thumbnail_size": (560, 360),
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "s2auc"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = html_show_sourcelink = False
html_sidebars = {"index": [], "changelog": []}
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
