"""Which statements of a notebook's earlier cells a piece of its code depends on."""

import ast
import builtins
import dis
from collections.abc import Sequence
from types import CodeType


def required_statements(earlier_cells: Sequence[str], code: str) -> str:
    """The statements of earlier cells on which the code depends, in their order.

    The cells are read backwards. A statement is required if it binds a name that is still missing;
    the names that it reads itself are missing from there on. An object must not be changed after it
    is bound, as by rows.append(…): that is not seen.
    """
    required: list[str] = []
    missing, _ = read_and_bound_names(compile(code, "", "exec"))
    for cell in reversed(earlier_cells):
        for statement in reversed(ast.parse(cell).body):
            reads, binds = read_and_bound_names(compile(ast.Module([statement], []), "", "exec"))
            if missing & binds:
                required.append(ast.get_source_segment(cell, statement) or "")
                missing = missing - binds | reads
    return "\n".join(reversed(required))


def read_and_bound_names(code: CodeType) -> tuple[set[str], set[str]]:
    """Names that code reads before it binds them, without builtins, and names that it binds."""
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
