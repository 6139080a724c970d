"""Every remedy works: the line of code in a refusal leads to the right number, or to another refusal.

Never to a number that is wrong in silence, and never to an error that is not the package's.
"""

from __future__ import annotations

import ast
import re
from functools import partial
from inspect import signature
from math import nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import mlm_helpers
import mlm_helpers.data
from mlm_helpers import label_based
from mlm_helpers.data import from_tags
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.probability import brier
from mlm_helpers.thresholds import at

HOUSE = Path(mlm_helpers.__file__).parent
KNOWN = {"np": np, "pd": pd, "mlm_helpers": mlm_helpers}
KNOWN |= {"signature": signature, "from_tags": from_tags}
CODE = ast.Call, ast.Compare, ast.Subscript, ast.BinOp, ast.ListComp


def lines(sentence, arguments):
    """The longest expressions in a remedy that do something to an argument."""
    text, end = sentence.partition(": ")[2], 0
    stops = [match.start() for match in re.finditer(r"[,; ]|$", text)]
    begins = rf"(?<![\w.'])(np|pd|mlm|\d|\(|\[|{'|'.join(arguments)})"
    for start in (match.start() for match in re.finditer(begins, text)):
        for stop in (stop for stop in reversed(stops) if stop > start >= end):
            try:
                tree = ast.parse(text[start:stop], mode="eval").body
            except SyntaxError:
                continue
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            if isinstance(tree, CODE) and names & {*arguments}:
                yield text[start:stop]
                end = stop
                break


def answer(call):
    """What a call returns; or the sentence of its refusal."""
    try:
        return call(), ""
    except (TypeError, ValueError) as error:
        trace = error.__traceback__
        while trace.tb_next:
            trace = trace.tb_next
        assert Path(trace.tb_frame.f_code.co_filename).is_relative_to(HOUSE), error
        return None, str(error)


def outcomes(call, arguments, before=()):
    """The values to which the remedies lead, each of them followed; a sentence where no line is left."""
    value, sentence = answer(lambda: call(**arguments))
    if not sentence:
        return [value]
    assert sentence not in before, f"in circles: {sentence}"
    found = []
    is_of_class_numbers = "a matrix of 0 and 1 to a metric as it is, or" in sentence
    if is_of_class_numbers and {*pd.Series([*arguments[sentence.split()[0]]]).explode()} <= {0, 1}:
        return [sentence]  # a matrix, whose rows list no tags
    for line in lines(sentence, arguments):
        if "from_tags" in line:  # whose own refusals are followed, too
            bound = line.replace("mlm_helpers.data.from_tags", "signature(from_tags).bind")
            tags = eval(bound, KNOWN | arguments).arguments
            found += outcomes(partial(of_tags, call, arguments), tags, (*before, sentence))
            continue
        made, refused = answer(lambda line=line: eval(line, KNOWN | arguments))
        argument = next(word for word in re.findall(r"\w+", sentence) if word in arguments)
        again = (call, arguments | {argument: made}, (*before, sentence))
        found += [refused] if refused else outcomes(*again)
    return found or [sentence]


def of_tags(call, arguments, **tags):
    """What a call says of the matrices of some tags."""
    matrices = from_tags(**tags)._asdict()
    return call(**{name: matrices.get(name, value) for name, value in arguments.items()})


# ---------------------------------------------------------------------------- by hand: remedies.txt


def frame(rows, columns="ab", index=None):
    return pd.DataFrame(rows, columns=[*columns], index=index)


def precision_without(y_true, y_pred, unknown):
    return label_based.precision(mlm_helpers.data.unknown(y_true, unknown), y_pred)


class Tensor(np.ndarray):
    """An array whose type of numbers has no kind, as one of PyTorch."""

    dtype = "torch.float32"


NAMES = {"np": np, "pd": pd, "sparse": sparse, "frame": frame, "rows": pd.Series, "Tensor": Tensor}
CALLS = label_based.f1, label_based.precision, precision_without, brier, hamming_loss, at
LINES = Path(__file__).with_name("remedies.txt").read_text(encoding="utf-8").splitlines()


def ends(values):
    return {str(np.asarray(value, float).round(9).tolist()) for value in values}


@pytest.mark.parametrize("line", [line for line in LINES if line[0] != "#"])
def test_whoever_follows_a_remedy_ends_at_the_right_value(line):
    """A line has the values to which the readings of a refusal lead, or -; a function; and its arguments."""
    values, name, arguments = line.split(" ", 2)
    call = next(call for call in CALLS if call.__name__ == name)
    found = outcomes(call, eval(f"dict({arguments})", NAMES))
    values = eval(f"[{values.removeprefix('-')}]")
    assert ends(x for x in found if not isinstance(x, str)) == ends(values), found


# ---------------------------------------------------------------------------- two faults at a time, drawn

TRUE = frame([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], "abc", [*"wxyz"])
PRED = frame([[1, 0, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1]], "abc", [*"wxyz"])
ROWS, LABELS = np.array([1, 2, 4, 8]), np.array([1, 10, 100])  # so that no cell can change places


def f1s(y_true, y_pred):
    """The label-based F1s as one number."""
    return float(label_based.f1(y_true, y_pred, average=None, sample_weight=ROWS) @ LABELS)


def by_hand(unknown):
    """The same in a loop, without the unknown cells: 2 × hits ÷ (true + predicted)."""
    known = ROWS[:, None] * ~np.isin(np.arange(12).reshape(4, 3), unknown)
    hits, all_ = ((known * cells).sum(axis=0) for cells in (TRUE * PRED, TRUE + PRED))
    return round(float((2 * hits / all_) @ LABELS), 9)


CELLS = {  # each is 0 in both matrices, but for the score
    "nan": (nan, 1), "None": (None, 8), "-1": (-1, 5), "score": (0.7, 0), "stray": (10, 3), "blank": ("", 9),
}  # fmt: skip
WHOLE = {
    "": lambda table: table,
    "text": lambda table: table.map(str),
    "1.0": lambda table: table.map(lambda x: f"{x}.0" if x in (0, 1) else x),
    "yes": lambda table: table.map(lambda x: {0: "no", 1: "yes"}.get(x, str(x))),
    "label twice": lambda table: table.set_axis([*"aab"], axis=1),
    "names in a column": lambda table: table.reset_index(),
    "other columns": lambda table: table[[*"cab"]],
    "other rows": lambda table: table.loc[[*"yxzw"]],
    "name twice": lambda table: table.loc[[*"zyxw"]].set_axis([*"xyyz"]),
}
CONTAINERS = {
    "frame": lambda table: table,
    "rows": lambda table: pd.Series(table.to_numpy().tolist(), table.index),
    "rows in a frame": lambda table: pd.DataFrame({"y": table.to_numpy().tolist()}, table.index),
    "list": lambda table: table.to_numpy().tolist(),
    "array": lambda table: table.to_numpy(),
    "three dimensions": lambda table: table.to_numpy().reshape(2, 2, -1),
}
NAMED = [*CONTAINERS][:3]  # containers that keep the names of rows
MOVES = {"other columns": ["frame"], "other rows": NAMED, "name twice": NAMED}


def drawn(number):
    """A fault of a cell, one of the whole and a container, for truth and prediction; two faults at most."""
    random, choices = np.random.default_rng(0), (["", *CELLS], [*WHOLE], [*CONTAINERS])
    while number:
        true, said = ([str(random.choice(some)) for some in choices] for _ in "ab")
        is_told = true[1] not in MOVES and {true[2], said[2]} <= {*MOVES.get(said[1], CONTAINERS)}
        if is_told and sum(map(bool, true[:2] + said[:2])) < 3:
            number -= 1
            yield true, said


def damaged(table, cell, whole, container):
    if cell:
        value, place = CELLS[cell]
        table = table.astype(object)
        table.iloc[divmod(place, 3)] = value
    return CONTAINERS[container](WHOLE[whole](table))


@pytest.mark.parametrize("number", [50, pytest.param(800, marks=pytest.mark.exhaustive)])
def test_no_remedy_of_two_faults_leads_to_a_wrong_number(number):
    for true, said in drawn(number):
        given = {"y_true": damaged(TRUE, *true), "y_pred": damaged(PRED, *said)}
        found = {x if isinstance(x, str) else round(x, 9) for x in outcomes(f1s, given)}
        unknown = CELLS[true[0]][1:] if true[0] in ("nan", "None", "-1") else ()
        right = {by_hand([]), by_hand(unknown)}
        assert {x for x in found if not isinstance(x, str)} <= right, (true, said, found)
