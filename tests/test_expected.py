"""What the cells of a notebook show is what `expected/NN.toml` says, each value computed anew from an expression.

An entry has the id of its cell and one or more of

    says = ["precision {= 13/18}, recall {= 11/18}"]  # what it prints, or says of its picture: these pieces, in this order
    table = [["", "F1"], ["sample 1", "= 1/3"]]       # its whole first table, head and all (`tables`: a list of all of them)
    rows = [["sample 2", "= f1(1, 0, 1)", "…"]]       # rows that one of its tables has; … is any text

What follows = is an expression: exact arithmetic (3/4 is a fraction), the functions of `NAMES`, and what the file
defines under `[given]`, an expression or plain data. A metric is named by its id: solved("label_based.f1", y_true, …).
A number without one is counted by hand, and `by` says how.
A value is shown as a fraction or rounded; `places` says to how many places (3).
"""

import ast
import re
import tomllib
from fractions import Fraction
from functools import cache
from math import exp, log, log2, nan, sqrt
from pathlib import Path

import facts
import pytest
from test_conventions import RECORDS

from mlm_course import documents
from mlm_helpers import catalogue, worked

NUMBER = re.compile(r"-?\d+/\d+|-?(?:\d*\.)?\d+|nan")
EXPRESSION = re.compile(r"\{=([^{}]*)\}")
KEYS = {"says", "table", "tables", "rows", "by", "places"}
ENTRIES = {
    (path.stem, cell): entry
    for path in sorted((Path(__file__).parent / "expected").glob("*.toml"))
    for cell, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()
}


def ratio(part, whole):
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def gave(case, metric, tool):
    """What a tool gave when it was run."""
    return RECORDS[case].numbers[metric][tool]


def solved(metric, *data, **options):
    """The value that the worked steps of a metric, named by its id, arrive at."""
    (function,) = (record.function for record in catalogue.METRICS if record.id == metric)
    return worked.solve(function, *data, **options).value


NAMES = {
    "precision": lambda tp, fp: ratio(tp, tp + fp),
    "recall": lambda tp, fn: ratio(tp, tp + fn),
    "f1": lambda tp, fp, fn: ratio(2 * tp, 2 * tp + fp + fn),
    "jaccard": lambda tp, fp, fn: ratio(tp, tp + fp + fn),
    "fbeta": lambda b, tp, fp, fn: ratio((1 + b * b) * tp, (1 + b * b) * tp + b * b * fn + fp),
    "mean": lambda *values: ratio(sum(values), len(values)),
    "gave": gave,
    "solved": solved,
    "documents": documents,
    "nan": nan,
    **{function.__name__: function for function in (ratio, exp, log, log2, sqrt, sum, max, min)},
}


class _Exactly(ast.NodeTransformer):
    """Read decimals as fractions, and divide exactly."""

    def visit_Constant(self, node):
        return _fraction(ast.Constant(str(node.value))) if type(node.value) is float else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.left = _fraction(node.left)
        return node


def _fraction(node):
    return ast.Call(ast.Name("Fraction", ast.Load()), [node], [])


def evaluated(expression, given):
    tree = ast.fix_missing_locations(_Exactly().visit(ast.parse(expression.strip(), mode="eval")))
    return eval(compile(tree, expression, "eval"), {"Fraction": Fraction, **NAMES, **given})


@cache
def given_in(notebook):
    """What a file defines for its entries, each name with those above it."""
    given = {}
    for name, value in ENTRIES.get((notebook, "given"), {}).items():
        is_expression = isinstance(value, str) and value.startswith("=")
        given[name] = evaluated(value[1:], given) if is_expression else value
    return given


def is_shown(text, value, places=3):
    """Whether a text shows a number: as a fraction, or to the places it has, but no fewer than `places`."""
    if not NUMBER.fullmatch(text) or text == "nan" or value != value:
        return text == str(value)
    if "/" in text:
        return Fraction(text) == value
    digits = max(len(text.partition(".")[2]), places)
    return abs(Fraction(text) - Fraction(value)) <= Fraction(1, 2 * 10**digits) + Fraction(
        1, 10**12
    )


def _differ(row, wanted, entry, given):
    """The texts of a row that are not as wanted, beside what is."""
    if len(row) != len(wanted):
        return [(row, wanted)]
    return [
        (text, cell)
        for text, cell in zip(row, wanted, strict=True)
        if cell != "…"
        and not (
            is_shown(text, evaluated(cell[1:], given), entry.get("places", 3))
            if cell.startswith("=")
            else text == cell
        )
    ]


def _counted_by_hand(entry):
    """The numbers of an entry that stand there without an expression."""
    whole = [*entry.get("tables", []), entry.get("table", []), entry.get("rows", [])]
    cells = [cell for table in whole for row in table for cell in row[1:]]
    pieces = [EXPRESSION.sub("", piece) for piece in entry.get("says", [])]
    return [cell for cell in cells if NUMBER.fullmatch(cell)] + [
        piece for piece in pieces if re.search(r"\d[./]\d", piece)
    ]


IDS = [f"{notebook}-{cell}" for notebook, cell in ENTRIES]
EACH = [key for key in ENTRIES if key[1] != "given"]


@pytest.mark.parametrize(("notebook", "cell"), EACH, ids=lambda part: part)
def test_a_cell_shows_what_is_expected(notebook, cell):
    entry, given = ENTRIES[notebook, cell], given_in(notebook)
    assert entry and entry.keys() <= KEYS, f"an entry has {sorted(KEYS)}"
    assert entry.get("by") or not _counted_by_hand(entry), "say `by` which arithmetic, or write = …"
    (path,) = facts.NOTEBOOKS.glob(f"{notebook}_*.ipynb")
    wanted = entry.get("tables") or ([entry["table"]] if "table" in entry else [])
    shown = facts.tables(path.stem, cell)
    assert len(shown) >= len(wanted), f"{len(shown)} tables"
    for table, lines in zip(shown, wanted, strict=False):
        assert len(table) == len(lines), f"{len(table)} rows, expected {len(lines)}"
        for row, line in zip(table, lines, strict=True):
            assert _differ(row, line, entry, given) == []
    for line in entry.get("rows", []):
        assert any(_differ(row, line, entry, given) == [] for table in shown for row in table), line
    said, place = facts.cell_text(path.stem, cell), 0
    for piece in entry.get("says", []):
        place = _end(said, place, piece, entry, given)


def _end(said, place, piece, entry, given):
    """Where a piece ends in what a cell says, from a place on."""
    texts, expressions = EXPRESSION.sub("\0", piece).split("\0"), EXPRESSION.findall(piece)
    pattern = rf"({NUMBER.pattern})".join(map(re.escape, texts))
    for match in re.finditer(pattern, said[place:]):
        values = [evaluated(expression, given) for expression in expressions]
        if all(
            is_shown(text, value, entry.get("places", 3))
            for text, value in zip(match.groups(), values, strict=True)
        ):
            return place + match.end()
    raise AssertionError(f"“{piece}” is not in, or not below the piece before it:\n{said[place:]}")
