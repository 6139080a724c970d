"""The explorers of the notebooks, living on a page without a kernel."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from mlm_helpers.practice.explore import board, page

CALL = "practice.explore("


def living(start: Mapping[str, Any]) -> str:
    """HTML that `site.js` makes an explorer of; where no script runs, the table of all metrics stays."""
    table = f"<details><summary>As a table</summary>{board(start['shown']).to_html()}</details>"
    return mounted(start, table)


def mounted(start: Mapping[str, Any], without: str) -> str:
    """A place for what `site.js` makes of the data, and what stands there without scripts."""
    data = json.dumps(start, ensure_ascii=False).replace("</", r"<\/")
    return f'<div class="mlm-start"><script type="application/json">{data}</script>{without}</div>'


def shown_by(sources: Sequence[str]) -> dict[str, Any]:
    """The page data of the explorer in the last of these cells.

    The notebook is not run: of its lines, only those that make the explorer's arguments are.
    """
    *before, call = (line for source in sources for line in ast.parse(source).body)
    if not isinstance(call, ast.Expr):
        raise ValueError(f"the cell does not end in {CALL}…): {sources[-1]!r}")
    names: dict[str, Any] = {}
    exec(compile(ast.Module(making(names_in(call), before), []), "notebook", "exec"), names)
    names["practice"] = SimpleNamespace(explore=page)
    found: dict[str, Any] = eval(compile(ast.Expression(call.value), "notebook", "eval"), names)
    return found


def making(names: Iterable[str], lines: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Those of the lines that make these names, and what the lines need in turn."""
    needed, kept = set(names) - {"practice"}, []
    for line in reversed(lines):
        if needed & made_in(line):
            kept.append(line)
            needed |= names_in(line)
    return kept[::-1]


def names_in(line: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(line) if isinstance(node, ast.Name)}


def made_in(line: ast.stmt) -> set[str]:
    """The names that a line binds."""
    if isinstance(line, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in line.names}
    if isinstance(line, ast.FunctionDef | ast.ClassDef):
        return {line.name}
    stored = (node for node in ast.walk(line) if isinstance(getattr(node, "ctx", None), ast.Store))
    return {name for node in stored for name in names_in(node)}
