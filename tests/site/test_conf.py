"""What the site adds to Sphinx: formulas in a line and of their own, and words of three languages."""

from __future__ import annotations

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


def test_a_formula_of_its_own_is_displayed_and_one_in_a_line_is_not() -> None:
    written = {}
    for way in (conf.inline, conf.display):
        page = SimpleNamespace(body=[])
        with pytest.raises(nodes.SkipNode):
            way(page, nodes.math("", "x^2"))
        (written[way],) = page.body
    assert 'display="block"' in written[conf.display] and "<math" in written[conf.inline]
    assert 'display="block"' not in written[conf.inline]


def test_a_run_of_signs_is_found_by_each_two_of_them() -> None:
    """Also where another language goes on without a space; a sign alone is a word."""
    said = conf.Search({}).split("Macro-F1の平均 正確率, 宏")
    assert said == ["Macro", "F1", "の平", "平均", "正確", "確率", "宏"]
