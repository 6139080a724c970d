"""Configuration of Sphinx, whose source `python -m tools.site` writes."""

import re
from itertools import pairwise
from pathlib import Path

import math_core
from docutils import nodes
from sphinx.search.en import SearchEnglish

HERE = Path(__file__).parent

project = html_title = "Multi-label metrics by hand"
author = "the contributors of Multi-label metrics by hand"
copyright = f"2026, {author}"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinxcontrib.bibtex",
]
bibtex_bibfiles = [str(HERE / "references.bib")]

nb_execution_mode = "off"  # pages show the committed outputs
nb_ipywidgets_js = {}  # no script from another host
myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "dollarmath", "tasklist"]
myst_heading_anchors = 4

autodoc_default_options = {"member-order": "bysource", "no-value": True}
autodoc_typehints = "none"  # docstrings describe the types
add_module_names = False
default_role = "literal"
napoleon_custom_sections = [("Attributes", "params_style")]  # listed like parameters
napoleon_use_param = napoleon_use_rtype = False  # types are described in words, without links

html_theme = "pydata_sphinx_theme"
html_theme_options = {"navigation_depth": 1, "footer_start": ["copyright"], "footer_end": []}
no_sidebar = ("index", "search", "play", "teaching", "get")
html_sidebars = {page: [] for page in no_sidebar} | {"**": ["sidebar-nav-bs.html"]}
templates_path = [str(HERE / "templates")]
html_static_path = ["static", "../build/site-source/static"]  # committed and generated files
html_context = {"default_mode": "auto"}  # the theme warns if this is missing
html_extra_path = ["../build/site-source/extra"]  # the slides
html_css_files = ["explorer.css", "site.css"]
html_js_files = [("site.js", {"type": "module"})]
html_favicon = str(HERE / "static/icon.svg")
html_copy_source = html_show_sourcelink = html_use_index = html_domain_indices = False
html_search_scorer = str(HERE.parent / "build/site-source/search.js")
html_math_renderer = "mathml"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


# --- formulas as MathML, which browsers draw without a script

LATEX = math_core.LatexToMathML()


def inline(self, node):
    """Write a formula within a line."""
    self.body.append(LATEX.convert_with_local_state(node.astext(), displaystyle=False))
    raise nodes.SkipNode


def display(self, node):
    """Write a displayed formula, which scrolls if it is wider than the page."""
    formula = LATEX.convert_with_local_state(node.astext(), displaystyle=True)
    self.body.append(f'<div class="formula">{formula}</div>')
    raise nodes.SkipNode


# --- search: Chinese and Japanese text is found by any two neighbouring characters

CJK = "\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"


class Search(SearchEnglish):
    """A search for English words and for pairs of Chinese or Japanese characters."""

    js_splitter_code = rf"""
var splitQuery = (query) =>
  (query.match(/[{CJK}]+|(?:(?![{CJK}])[\p{{L}}\p{{N}}_])+/gu) ?? []).flatMap((run) =>
    /[{CJK}]{{2}}/u.test(run) ? [...run.slice(1)].map((sign, i) => run[i] + sign) : [run]);
"""

    def split(self, input):
        """The words of a text, as the script above splits a query."""
        runs = re.findall(rf"[{CJK}]+|[^\W{CJK}]+", input)
        return [word for run in runs for word in character_pairs(run)]


def character_pairs(run):
    """The overlapping pairs of a run of Chinese or Japanese characters; another run unchanged."""
    return [a + b for a, b in pairwise(run)] if re.match(f"[{CJK}]{{2}}", run) else [run]


def is_skipped(app, what, name, obj, skip, options):
    """True for fields of a named tuple, which its docstring lists; None lets autodoc decide."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def setup(app):
    """Register the hooks above; Sphinx calls this first."""
    app.connect("autodoc-skip-member", is_skipped)
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    app.add_search_language(Search)
