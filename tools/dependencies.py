"""What of a notebook's code a piece of it needs: the statements that give it its names."""

from __future__ import annotations

import ast
import builtins
import dis
from collections.abc import Sequence
from types import CodeType

MUTATORS = {"append", "extend", "setdefault", "update"}


def required_statements(before: Sequence[str], code: str) -> str:
    """The statements of the cells before, in their order, without which the code lacks a name."""
    found: list[str] = []
    wanted, _ = read_and_bound_names(compile(code, "", "exec"))
    for cell in reversed(before):
        for statement in reversed(ast.parse(cell).body):
            reads, binds = read_and_bound_names(compile(ast.Module([statement], []), "", "exec"))
            if wanted & (binds | mutated_names(statement)):
                found.append(ast.get_source_segment(cell, statement) or "")
                wanted = wanted - binds | reads
    return "\n".join(reversed(found))


def read_and_bound_names(code: CodeType) -> tuple[set[str], set[str]]:
    """The names that code takes from elsewhere, and those that it binds."""
    reads: set[str] = set()
    binds: set[str] = set()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
            reads |= {step.argval} - binds - set(dir(builtins))
        elif step.opname == "STORE_NAME":
            binds.add(step.argval)
        elif isinstance(step.argval, CodeType):
            reads |= read_and_bound_names(step.argval)[0] - binds
    return reads, binds


def mutated_names(statement: ast.stmt) -> set[str]:
    """What gets another item: by rows.append(…), or by scores["mix"][0] = …"""
    return {
        root.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Attribute | ast.Subscript)
        if isinstance(node.ctx, ast.Store) or getattr(node, "attr", "") in MUTATORS
        if isinstance(root := root_of(node), ast.Name)
    }


def root_of(node: ast.expr) -> ast.expr:
    """The x of x.y[0]."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node
