"""What the site adds to Sphinx: inline and displayed formulas, and a search in three languages."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes

CONF = Path(__file__).parents[2] / "docs/conf.py"
SPEC = importlib.util.spec_from_file_location("conf", CONF)
assert SPEC and SPEC.loader
conf = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(conf)


def test_a_formula_in_a_line_is_not_displayed_as_a_block():
    html = {}
    for write in (conf.inline, conf.display):
        page = SimpleNamespace(body=[])
        with pytest.raises(nodes.SkipNode):
            write(page, nodes.math("", "x^2"))
        (html[write],) = page.body
    assert 'display="block"' in html[conf.display] and "<math" in html[conf.inline]
    assert 'display="block"' not in html[conf.inline]


def test_chinese_and_japanese_text_is_searched_by_pairs_of_characters():
    """They begin without a space after a Latin word; a single character is a word."""
    words = conf.Search({}).split("Macro-F1の平均 正確率, 宏")
    assert words == ["Macro", "F1", "の平", "平均", "正確", "確率", "宏"]
