"""A name stands beside its own value in the notebooks' code, and a word beside its own sign.

Names are heads of a table, keys, and what is printed before a value. Two that would share more words
with each other's code than with their own have changed places.
"""

import ast
import builtins
import json
import re
from itertools import combinations, pairwise

import pytest

from tools import notebooks

CELLS = {
    cell["id"]: "".join(cell["source"])
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    if cell["cell_type"] == "code"
}
COUNT = ["", "one", "two", "three", "four", "five", *map(str, range(100))]
NUMBER = re.compile(r"(?<!of )\b(?:one|two|three|four|five|\d\d?)\b")
WORD = re.compile(r"[^\W\d_][^\W_]+|[<>]=?")
LITTLE = {"all", "and", "by", "for", "from", "in", "metric", "of", "the", "their", "with"}
SIGNS = {
    "above": ">", "larger": ">", "more": ">", "below": "<", "smaller": "<", "fewer": "<",
    "equal": "==", "least": ">=", "most": "<=",
}  # fmt: skip


def words(text):
    found = {word.lower().removesuffix("s") for word in WORD.findall(text)}
    return {word[:5] for word in found - LITTLE}


def said(value):
    """The words of an expression: of its names, not of its texts, and its signs."""
    code = re.sub(r"'[^']*'|\w+=(?!=)", " ", ast.unparse(value))
    return words(
        " ".join(w for w in WORD.findall(code.replace("_", " ")) if w not in dir(builtins))
    )


def assigned(tree, name):
    """What a name is set to."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    return [node.value for node in found if ast.unparse(node.targets[0]) == ast.unparse(name)]


def rows(tree, table):
    """Each row that the code of a table writes down, as an expression."""
    if isinstance(table, ast.Name):
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        added = [call.args for call in calls if ast.unparse(call.func) == f"{table.id}.append"]
        added += [rows(tree, value) for value in assigned(tree, table)]
        return [row for some in added for row in some]
    return table.elts if isinstance(table, ast.List) else [getattr(table, "elt", table)]


def named(code):
    """Groups of names, each with the value beside it."""
    tree = ast.parse(code)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    yield [pair for c in calls if ast.unparse(c.func) == "print" for pair in pairwise(c.args)]
    tuples = [n for n in ast.walk(tree) if isinstance(n, ast.Tuple) and len(n.elts) > 1]
    yield [
        n.elts[:2] for n in tuples if not any(n in c.args[:1] for c in calls)
    ]  # heads have no value
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and all(
            re.fullmatch(r"[,;]? ?[^\W\d]+ ", c.value)
            for c in node.values
            if type(c) is ast.Constant
        ):  # TP 1, FP 2
            yield pairwise(node.values)
        elif isinstance(node, ast.Dict):
            yield zip(node.keys, node.values, strict=True)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "board.table":
            heads, table = node.args[:2]
            for head in [heads, *assigned(tree, heads)]:
                for row in rows(tree, table):
                    yield until_a_star(getattr(head, "elts", []), getattr(row, "elts", []))


def until_a_star(heads, cells):
    """Heads and cells of a row, as long as they count alike; not the name of the row itself."""
    stars = [i for i, cell in enumerate(cells) if isinstance(cell, ast.Starred)]
    first = 1 if cells and isinstance(cells[0], ast.Name) else 0
    return list(zip(heads, cells[: min(stars, default=None)], strict=False))[first:]


def exchanged(code):
    """Pairs of names that fit better the other way round."""
    for group in named(code):
        texts = [
            (name.value, words(name.value), said(value))
            for name, value in group
            if isinstance(name, ast.Constant)
            and isinstance(name.value, str)
            and not isinstance(value, ast.Constant)
        ]
        for (one, a, x), (other, b, y) in combinations(texts, 2):
            if len(a & y) + len(b & x) > len(a & x) + len(b & y) and a != b:
                yield f"{one} | {other}"


def contrary(code):
    """Values beside a word such as "larger" that compare with another sign."""
    for name, value in [pair for group in named(code) for pair in group]:
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            meant = {SIGNS[word] for word in re.findall(r"\w+", name.value) if word in SIGNS}
            signs = {*re.findall(r"(?<= )[<>=]=?(?= )", ast.unparse(value))}
            if meant and signs and not signs <= meant:
                yield f"{name.value} {ast.unparse(value)}"


def disordered(code):
    """Names in another order than that of counting, or than the variables that are set from a row."""
    nodes = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Tuple | ast.List)]
    texts = [[e.value for e in n.elts if isinstance(e, ast.Constant)] for n in nodes]
    texts = [[text for text in some if isinstance(text, str)] for some in texts]
    for one, other in (pair for some in texts for pair in pairwise(some)):
        (x,), (y,) = ([COUNT.index(n) for n in NUMBER.findall(t)][-1:] or [0] for t in (one, other))
        if x > y and NUMBER.sub("", one) == NUMBER.sub("", other):
            yield f"{one} | {other}"
    for node in (n for n in nodes if isinstance(n.ctx, ast.Store)):
        variables = [ast.unparse(e) for e in node.elts]
        for some in texts:
            heads = [text.lower() for text in some if text.lower() in variables]
            if heads != [name for name in variables if name in heads] and len({*heads}) > 2:
                yield f"{some} | {variables}"


@pytest.mark.parametrize("cell", CELLS)
def test_names_and_signs_are_their_values(cell):
    assert [*exchanged(CELLS[cell]), *contrary(CELLS[cell])] == []


ROWS = {"says nothing": "hit|alarm", "says all": "miss|left out", "all wrong": "hit"}  # have not


def misnamed(text):
    """Rows of a picture whose name does not fit what the picture's sentence says of them."""
    for name, never in ROWS.items():
        for row in re.findall(rf"{name}: [^;.]*", text, re.I):
            yield from re.findall(never, row)


def test_rows_of_pictures_are_what_their_names_say():
    outputs = "\n".join(
        path.read_text(encoding="utf-8") for path in notebooks.NOTEBOOKS.glob("*.ipynb")
    )
    assert all(f"{name}: " in outputs.lower() for name in ROWS)
    assert [*misnamed(outputs)] == []
    assert [*misnamed("Says nothing: hit label 1; says all: miss label 2.")] == ["hit", "miss"]


@pytest.mark.parametrize("number", sorted({cell[:2] for cell in CELLS}))
def test_names_stand_in_their_order(number):
    notebook = [code for cell, code in CELLS.items() if cell[:2] == number]
    assert [*disordered("\n".join(notebook))] == []


@pytest.mark.parametrize(
    "code",
    [
        'print("recall", precision, "precision", round(recall, 3))',
        'print("exact match:", f1(x))\nprint("F1:", exact_match(x))',
        'print(">", f(score >= cut))\nprint(">=", f(score > cut))',
        'board.table(("exact", "printed"), [(v.printed, v.exact) for v in found])',
        'rows = []\nrows.append((d.title, d.language))\nboard.table(("language", "title"), rows)',
        'f"TP {TP}, FP {FN}, FN {FP}"',
        '{"micro": macro_f1, "macro": micro_f1}',
        'for name, f in (("micro", macro_f1), ("macro", micro_f1)):\n    pass',
        '("", "text two", "text one", "mean")',
        'for tp, fp, fn in counts:\n    print(tp)\nheads = "label", "TP", "FN", "FP"',
        'print("larger in", sum(gap >= 0 for gap in gaps))',
    ],
)  # fmt: skip
def test_an_exchange_and_a_contrary_sign_are_found(code):
    assert [*exchanged(code), *contrary(code), *disordered(code)] != []
