"""The cells of notebook NN show what `expected/NN.toml` states, by expressions.

An entry has the id of its cell and at least one of

    text = ["precision {= 13/18}, recall {= 11/18}"]  # pieces of the text, in their order
    table = [["", "F1"], ["sample 1", "= 1/3"]]  # the first table (`tables` is a list of all)
    rows = [["sample 2", "= f1(1, 0, 1)", "…"]]  # rows in any table; … stands for any text

The entry of a Markdown cell, and in `pages.toml` of a page, has pieces of its text:

    prose = ["In {= 20 + 9} pictures"]

A number of the text that no cell above it prints has to be in such a piece (`test_notebooks`), and
in some files one in words, such as "seven metrics". An
expression may also give words, as in "it {= 'is kept' if 'b' in … else 'is left out'}". In the same
way `notes` has pieces of the teacher's notes on the cell's slide (`test_slides`).

An expression follows each =. It has exact arithmetic (3/4 is a fraction), the functions of `NAMES`,
and the names under `[given]`, which are expressions or plain data. A metric is named by its id:
solved("label_based.f1", y_true, …). A number without an expression is counted by hand or printed
elsewhere, as `source` states. The notebook shows a value as a fraction or rounded, by default to at
least three decimals (`places`).
"""

import ast
import inspect
import re
import tomllib
from fractions import Fraction
from functools import cache
from math import exp, log, log2, nan, sqrt
from pathlib import Path

import facts
import pytest
from test_conventions import CASES

from mlm_course import documents, invariance
from mlm_helpers import catalogue, data, ranking, uncertainty, worked

NUMBER = re.compile(r"-?\d+/\d+|\d{1,3}(?:,\d{3})+|-?(?:\d*\.)?\d+|nan")
WORDS = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_WORD = "|".join(WORDS)
_NOUN = "cells|counts|documents|folds|functions|labels|metrics|notebooks|numbers|options|pairs"
_NOUN += "|people|photos|pictures|places|resamples|rows|samples|tools"
COUNTED = re.compile(rf"\b(?:{_WORD})(?= (?:[\w-]+ )?(?:{_NOUN})\b)", re.I)  # "three tied labels"
EXPRESSION = re.compile(r"\{=([^{}]*)\}")
KEYS = {"text", "table", "tables", "rows", "source", "places"}
PROSE_KEYS = {"prose", "notes", "source"}
# files whose whole numbers are bound, too, also in words before a noun
WHOLE_NUMBERS = {"05", "pages"}
RECIPES = Path(__file__).parents[1].joinpath("docs/recipes.md").read_text(encoding="utf-8")
_LINES = r"((?:(?!```).*\n)*)```"
OUTPUT = re.compile(rf"^```python (\w+)\n{_LINES}\n\n```text\n{_LINES}", re.M)
RECIPE_OUTPUTS = {name: text for name, _, text in OUTPUT.findall(RECIPES)}
ENTRIES = {
    (path.stem, cell): entry
    for path in sorted((Path(__file__).parent / "expected").glob("*.toml"))
    for cell, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()
}


def ratio(part, whole):
    """The exact ratio; 0/0 counts 0."""
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def tool_value(case, metric, tool):
    """The number that a tool gave on a recorded case."""
    return CASES[case].numbers[metric][tool]


def solved_value(metric, *data, **options):
    """The value by the worked steps of a metric, which is named by its id."""
    (function,) = (record.function for record in catalogue.METRICS if record.id == metric)
    return worked.solve(function, *data, **options).value


def shown(source, *words, place=1):
    """The number in a place after some words, in a recipe or a cell such as 10/08-41."""
    notebook, _, cell = source.partition("/")
    if cell:
        (path,) = facts.NOTEBOOKS.glob(f"{notebook}_*.ipynb")
        text = facts.cell_text(path.stem, cell)
    else:
        text = RECIPE_OUTPUTS[source]
    for word in words:
        _, found, text = text.partition(word)
        assert found, f"{source} does not print {word!r}"
    return Fraction(re.findall(NUMBER, text)[place - 1].replace(",", ""))


def quoted(source, code):
    """A piece of the code of a cell such as 06/06-25."""
    notebook, _, cell = source.partition("/")
    (path,) = facts.NOTEBOOKS.glob(f"{notebook}_*.ipynb")
    assert code in "".join(facts.cells_by_id(path.stem)[cell]["source"]), f"{source} has no {code}"
    return code


def default_value(function, argument):
    """The default of an argument, as in uncertainty.compare."""
    module, name = function.split(".")
    (room,) = (
        room for room in (invariance, ranking, uncertainty) if room.__name__.endswith(f".{module}")
    )
    return inspect.signature(getattr(room, name)).parameters[argument].default


NAMES = {
    "precision": lambda tp, fp: ratio(tp, tp + fp),
    "recall": lambda tp, fn: ratio(tp, tp + fn),
    "f1": lambda tp, fp, fn: ratio(2 * tp, 2 * tp + fp + fn),
    "jaccard": lambda tp, fp, fn: ratio(tp, tp + fp + fn),
    "fbeta": lambda b, tp, fp, fn: ratio((1 + b * b) * tp, (1 + b * b) * tp + b * b * fn + fp),
    "mean": lambda *values: ratio(sum(values), len(values)),
    "gave": tool_value,
    "solved": solved_value,
    "documents": documents,
    "catalogue": catalogue,
    "len": len,
    "data": data,
    "shown": shown,
    "quoted": quoted,
    "default": default_value,
    "nan": nan,
    **{function.__name__: function for function in (ratio, exp, log, log2, sqrt, sum, max, min)},
}


class _ExactArithmetic(ast.NodeTransformer):
    """Turns decimals and dividends of an expression into fractions."""

    def visit_Constant(self, node):
        is_decimal = type(node.value) is float
        return _fraction_call(ast.Constant(str(node.value))) if is_decimal else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.left = _fraction_call(node.left)
        return node


def _fraction_call(node):
    return ast.Call(ast.Name("Fraction", ast.Load()), [node], [])


def evaluate(expression, names):
    """The exact value of an expression, which may use `NAMES` and the given names of its file."""
    tree = _ExactArithmetic().visit(ast.parse(expression.strip(), mode="eval"))
    code = compile(ast.fix_missing_locations(tree), expression, "eval")
    return eval(code, {"Fraction": Fraction, **NAMES, **names})


@cache
def given_names(notebook):
    """The values of the names that a file defines under `[given]`.

    An expression may use the names above it.
    """
    names = {}
    for name, value in ENTRIES.get((notebook, "given"), {}).items():
        is_expression = isinstance(value, str) and value.startswith("=")
        names[name] = evaluate(value[1:], names) if is_expression else value
    return names


def states_value(text, value, places):
    """Whether a text states a value: as its fraction, or rounded.

    Of its decimals at least `places` must be right.
    """
    if text.lower() in WORDS:
        text = str(3 + WORDS.index(text.lower()))
    if not NUMBER.fullmatch(text) or text == "nan" or value != value:  # a word, or nan
        return text == str(value)
    if "/" in text:
        return Fraction(text) == value
    text = text.replace(",", "")
    digits = max(len(text.partition(".")[2]), places)
    tolerance = Fraction(1, 2 * 10**digits) + Fraction(1, 10**12)  # the second for floats
    return abs(Fraction(text) - Fraction(value)) <= tolerance


def differences(row, expected_row, names, places):
    """Pairs of a text in a row and the different text or expression that was expected."""
    if len(row) != len(expected_row):
        return [(row, expected_row)]
    different_pairs = []
    for text, expected in zip(row, expected_row, strict=True):
        if expected.startswith("="):
            is_same = states_value(text, evaluate(expected[1:], names), places)
        else:
            is_same = expected in ("…", text)
        if not is_same:
            different_pairs.append((text, expected))
    return different_pairs


def numbers_without_expression(entry):
    """The pieces of text and the cells of tables that state a number, not an expression.

    Row names do not count.
    """
    tables = [*entry.get("tables", []), entry.get("table", []), entry.get("rows", [])]
    cells = [cell for table in tables for row in table for cell in row[1:]]
    pieces = [EXPRESSION.sub("", piece) for piece in entry.get("text", [])]
    in_text = [piece for piece in pieces if re.search(r"\d[./]\d", piece)]
    return in_text + [cell for cell in cells if NUMBER.fullmatch(cell)]


CELLS = [key for key in ENTRIES if key[1] != "given" and not {"prose", "notes"} & set(ENTRIES[key])]


@pytest.mark.parametrize(("notebook", "cell"), CELLS, ids=map("{0[0]}.toml [{0[1]}]".format, CELLS))
def test_a_cell_shows_what_is_expected(notebook, cell):
    entry, names = ENTRIES[notebook, cell], given_names(notebook)
    places = entry.get("places", 3)
    assert entry and entry.keys() <= KEYS, f"an entry has {sorted(KEYS)}"
    if numbers_without_expression(entry):
        assert entry.get("source"), "state the `source` of its numbers, or write expressions"
    (path,) = facts.NOTEBOOKS.glob(f"{notebook}_*.ipynb")
    expected_tables = entry.get("tables") or ([entry["table"]] if "table" in entry else [])
    tables = facts.tables(path.stem, cell)
    assert len(tables) >= len(expected_tables), f"{len(tables)} tables"
    for table, expected in zip(tables, expected_tables, strict=False):
        assert len(table) == len(expected), f"{len(table)} rows, expected {len(expected)}"
        for row, expected_row in zip(table, expected, strict=True):
            assert differences(row, expected_row, names, places) == []
    rows = [row for table in tables for row in table]
    for expected_row in entry.get("rows", []):
        is_shown = any(differences(row, expected_row, names, places) == [] for row in rows)
        assert is_shown, expected_row
    text = facts.cell_text(path.stem, cell)
    for piece in entry.get("text", []):
        text = text_after(piece, text, names, places)


def text_after(piece, text, names, places):
    """The rest of a text after the first match of a piece whose expressions are as shown."""
    return text[stated(piece, text, names, places).end() :]


def stated(piece, text, names, places):
    """The first match of a piece in a text, whose expressions must have the values shown."""
    pattern, values = "", []
    for i, part in enumerate(EXPRESSION.split(piece)):  # fixed text and expressions alternate
        value = evaluate(part, names) if i % 2 else part
        if isinstance(value, str):
            pattern += re.escape(value).replace(r"\ ", r"\s")
        else:
            pattern += f"({NUMBER.pattern}|(?i:{_WORD}))"
            values.append(value)
    for match in re.finditer(pattern, text):
        pairs = zip(match.groups(), values, strict=True)
        if all(states_value(number, value, places) for number, value in pairs):
            return match
    raise AssertionError(f"“{piece}” is not in the text (after the piece before it):\n{text}")


def without_bound_numbers(notebook, cell, text):
    """The text of a Markdown cell or page, in which # stands for each right number of `prose`."""
    entry = ENTRIES.get((notebook, cell), {})
    assert entry.keys() <= PROSE_KEYS, f"an entry of text has {sorted(PROSE_KEYS)}"
    for piece in entry.get("prose", ()):
        match = stated(piece, text, given_names(notebook), places=0)
        for start, end in map(match.span, reversed(range(1, match.re.groups + 1))):
            text = f"{text[:start]}#{text[end:]}"
    if notebook in WHOLE_NUMBERS:
        assert COUNTED.findall(" ".join(text.split())) == []
    return text
