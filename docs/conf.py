"""How Sphinx builds the site; `python -m tools.site` writes what it reads."""

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

nb_execution_mode = "off"  # outputs are those that are committed
nb_ipywidgets_js = {}  # no script of another host
myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "dollarmath", "tasklist"]
myst_heading_anchors = 4

autodoc_default_options = {"member-order": "bysource", "no-value": True}
autodoc_typehints = "none"  # the docstrings say more
add_module_names = False
default_role = "literal"
napoleon_custom_sections = [("Attributes", "params_style")]  # a list, like the parameters
napoleon_use_param = napoleon_use_rtype = False  # their types are words, and no names to link to

html_theme = "pydata_sphinx_theme"
html_theme_options = {"navigation_depth": 1, "footer_start": ["copyright"], "footer_end": []}
alone = ("index", "search", "play", "teaching", "get")  # no page stands below or beside them
html_sidebars = {page: [] for page in alone} | {"**": ["sidebar-nav-bs.html"]}
templates_path = [str(HERE / "templates")]
html_static_path = ["static", "../build/site-source/static"]  # what is written, what is made
html_context = {"default_mode": "auto"}  # without it the theme complains
html_extra_path = ["../build/site-source/extra"]  # the slides
html_css_files = ["explorer.css", "site.css"]
html_js_files = [("site.js", {"type": "module"})]
html_favicon = str(HERE / "static/icon.svg")
html_copy_source = html_show_sourcelink = html_use_index = html_domain_indices = False
html_search_scorer = str(HERE.parent / "build/site-source/search.js")
html_math_renderer = "mathml"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


# --- formulas as MathML, which browsers draw by themselves

LATEX = math_core.LatexToMathML()


def inline(self, node):
    """A formula in a line."""
    self.body.append(LATEX.convert_with_local_state(node.astext(), displaystyle=False))
    raise nodes.SkipNode


def display(self, node):
    """A formula of its own, which scrolls where it is too wide."""
    formula = LATEX.convert_with_local_state(node.astext(), displaystyle=True)
    self.body.append(f'<div class="formula">{formula}</div>')
    raise nodes.SkipNode


# --- search: a Chinese or Japanese word is found by each two characters that follow each other

SCRIPTS = "\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"


class Search(SearchEnglish):
    """English words, and pairs of Chinese or Japanese characters."""

    js_splitter_code = rf"""
var splitQuery = (query) =>
  (query.match(/[{SCRIPTS}]+|(?:(?![{SCRIPTS}])[\p{{L}}\p{{N}}_])+/gu) ?? []).flatMap((run) =>
    /[{SCRIPTS}]{{2}}/u.test(run) ? [...run.slice(1)].map((sign, i) => run[i] + sign) : [run]);
"""

    def split(self, input):
        """The words of a text."""
        runs = re.findall(rf"[{SCRIPTS}]+|[^\W{SCRIPTS}]+", input)
        return [word for run in runs for word in pairs(run)]


def pairs(run):
    """A run of Chinese or Japanese in overlapping pairs; any other run as it is."""
    return [a + b for a, b in pairwise(run)] if re.match(f"[{SCRIPTS}]{{2}}", run) else [run]


def skips(app, what, name, obj, skip, options):
    """Whether autodoc leaves something out: the fields of a named tuple stand in its docstring."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def setup(app):
    """What Sphinx calls first."""
    app.connect("autodoc-skip-member", skips)
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    app.add_search_language(Search)
