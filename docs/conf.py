"""Settings of the site: Sphinx with MyST on the pages of this folder. `docs/build.py` builds and checks it."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

import site_parts  # noqa: E402

import autostatistician  # noqa: E402

project = "autostatistician"
author = "The autostatistician developers"
copyright = author
version = release = autostatistician.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "site_parts"]
exclude_patterns = ["_build"]
nitpicky = False

# Markdown: anchors of headings as GitHub makes them, formulas between dollars.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
# Reports are whole pages of their own, tables and scripts lie beside the pages: `site_parts` copies or names them.
source_suffix = {".md": "markdown"}

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
# Methods of our own bases are shown, those of scikit-learn's are not.
OF_SCIKIT_LEARN = "BaseEstimator, RegressorMixin, ClassifierMixin, ClusterMixin, DensityMixin, TransformerMixin"
autodoc_default_options = {
    "members": True,
    "inherited-members": f"{OF_SCIKIT_LEARN}, ClassNamePrefixFeaturesOutMixin",
}
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes are told once, in the docstring of their class
strip_signature_backslash = True  # keeps the underscore of `kernel_`, which is a link to `kernel` otherwise

html_theme = "furo"
html_title = "autostatistician"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = site_parts.MATH
html_copy_source = False
html_show_sourcelink = False
default_role = "literal"  # single backquotes in docstrings are code
