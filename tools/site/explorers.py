"""The explorers and exercises of the notebooks on pages, where no kernel runs."""

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
    """HTML from which `site.js` builds an explorer; without scripts, the table of all metrics."""
    table = static_display(start["shown"]).to_html()
    return mount_point(start, f"<details><summary>As a table</summary>{table}</details>")


def mount_point(start: Mapping[str, Any], fallback: str) -> str:
    """HTML with the data from which `site.js` builds, and what it shows without scripts."""
    data = f'<script type="application/json">{as_json(start)}</script>'
    return f'<div class="mlm-start">{data}{fallback}</div>'


def as_json(start: Mapping[str, Any]) -> str:
    """Data as JSON for a script element, where a "<" could begin a tag."""
    return json.dumps(start, ensure_ascii=False).replace("<", r"\u003c")


def exercise_html(sources: Sequence[str], name: str) -> str:
    """HTML of the exercise in the last of these cells: its data, and the form of `site.js`."""
    exercise = last_value(sources)
    data = Display(exercise.title, exercise.steps).to_html()
    if isinstance(exercise, practice.Quiz):
        return mount_point(exercise.page_json() | {"name": name}, data)
    return data + mount_point(sheets.page_json(exercise) | {"name": name}, "")


def explorer_data(sources: Sequence[str], metrics: Sequence[str] = ()) -> dict[str, Any]:
    """The data of the explorer in the last of these cells, with these metrics in view at first."""
    start: dict[str, Any] = last_value(sources, practice=SimpleNamespace(explore=page_json))
    return start | ({"first": list(metrics)} if metrics else {})


def last_value(sources: Sequence[str], **names: Any) -> Any:
    """The value of the last expression of the last cell.

    Of the statements above it, only those run on which it depends; `names` replace what they bind.
    """
    last = ast.parse(sources[-1]).body[-1]
    call = ast.get_source_segment(sources[-1], last) or ""
    above = sources[-1].removesuffix("\n").removesuffix(call)
    namespace: dict[str, Any] = {}
    exec(required_statements([*sources[:-1], above], call), namespace)
    return eval(call, namespace | names)
