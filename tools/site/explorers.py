"""The explorers and exercises of the notebooks, living on a page without a kernel."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from mlm_course import practice
from mlm_course.practice import sheets
from mlm_course.practice.page import page_json, static_display
from mlm_helpers.tables import Display
from tools.dependencies import required_statements

CALL = "practice.explore("
EXERCISES = "practice.sheet(", "practice.quiz("
JUDGE = "practice.judge("


def explorer_html(start: Mapping[str, Any]) -> str:
    """HTML that `site.js` makes an explorer of; where no script runs, the table of all metrics stays."""
    table = f"<details><summary>As a table</summary>{static_display(start['shown']).to_html()}</details>"
    return mount_point(start, table)


def mount_point(start: Mapping[str, Any], without: str) -> str:
    """A place for what `site.js` makes of the data, and what stands there without scripts."""
    return f'<div class="mlm-start"><script type="application/json">{as_json(start)}</script>{without}</div>'


def as_json(start: Mapping[str, Any]) -> str:
    """Data as they may stand within a page: without a sign that begins a tag or a comment."""
    return json.dumps(start, ensure_ascii=False).replace("<", r"\u003c")


def exercise_html(sources: Sequence[str], name: str) -> str:
    """HTML of the exercise in the last of these cells, which `site.js` brings to life."""
    found = last_value(sources)
    data = Display(found.title, found.steps[:-1]).to_html()
    if isinstance(found, practice.Quiz):
        return mount_point(found.page_json() | {"name": name}, data)
    return data + mount_point(sheets.page_json(found) | {"name": name}, "")


def explorer_data(sources: Sequence[str], metrics: Sequence[str] = ()) -> dict[str, Any]:
    """The page data of the explorer in the last of these cells, with these metrics in view."""
    start: dict[str, Any] = last_value(sources, practice=SimpleNamespace(explore=page_json))
    return start | ({"first": list(metrics)} if metrics else {})


def last_value(sources: Sequence[str], **names: Any) -> Any:
    """What the last line of the last cell gives; of all other lines, only those run that it needs."""
    last = ast.parse(sources[-1]).body[-1]
    call = ast.get_source_segment(sources[-1], last) or ""
    above = sources[-1].removesuffix("\n").removesuffix(call)
    known: dict[str, Any] = {}
    exec(required_statements([*sources[:-1], above], call), known)
    return eval(call, known | names)
