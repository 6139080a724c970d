"""Every remedy works: the line of code in a refusal leads to the right number, or to another refusal.

Never to a number that is wrong in silence, and never to an error that is not the package's.
"""

from __future__ import annotations

import ast
import re
from math import nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import mlm_helpers
import mlm_helpers.data
from mlm_helpers import hamming, label_based, probability, thresholds
from mlm_helpers.data import Tags

HOUSE = Path(mlm_helpers.__file__).parent
KNOWN = {"np": np, "pd": pd, "mlm_helpers": mlm_helpers}
CODE = ast.Call, ast.Compare, ast.Subscript, ast.BinOp


def lines(sentence, arguments):
    """The longest expressions in a remedy that do something to an argument."""
    text, end = sentence.partition(": ")[2], 0
    stops = [match.start() for match in re.finditer(r"[,; ]|$", text)]
    begins = rf"(?<![\w.'])(np|pd|mlm|\d|\(|{'|'.join(arguments)})"
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
    for line in lines(sentence, arguments):
        made, refused = answer(lambda line=line: eval(line, KNOWN | arguments))
        argument = next(word for word in re.findall(r"\w+", sentence) if word in arguments)
        changed = made._asdict() if isinstance(made, Tags) else {argument: made}
        changed = {name: changed[name] for name in arguments if name in changed}
        again = (call, arguments | changed, (*before, sentence))
        found += [refused] if refused else outcomes(*again)
    return found or [sentence]


# ---------------------------------------------------------------------------- by hand


def frame(rows, columns="ab", index=None):
    return pd.DataFrame(rows, columns=[*columns], index=index)


def of_lists(rows, index=None):
    return pd.Series(rows, index=index, name="labels")


def unknown_minus(y_true, y_pred):
    return label_based.precision(mlm_helpers.data.unknown(y_true, -1), y_pred)


def unknown_blank(y_true, y_pred):
    return label_based.precision(mlm_helpers.data.unknown(y_true, None), y_pred)


f1 = label_based.f1
WORDS = [["True", "False"], ["False", "False"]], [["True", "True"], ["False", "False"]]
LISTS = [[1, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]]  # F1 1, 1, 0
IDS = [[2, 3], [1], [1, 10]], [[2], [1, 3], [10]]  # F1 of 1, 2, 3, 10: 2/3, 1, 0, 1
GAPS, FILLED = [[1, None, -1], [0, 1, None]], [[1, 0, 0], [0, 1, 1]]
LONG = (
    pd.DataFrame({"file": ["f1", "f1", "f2"], "label": ["cat", "dog", "dog"]}),
    pd.DataFrame({"file": ["f1", "f2", "f2"], "label": ["cat", "dog", "cat"]}),
)
THREE_D = np.array([[[1, 0], [0, 1]], [[1, 1], [0, 0]]])

BY_HAND = {  # a metric, its arguments, and all values to which a reading leads; none where it is undecidable
    "words": (f1, *WORDS, {1 / 2}),  # F1 1 and 0
    "words in frames": (f1, *map(frame, WORDS), {1 / 2}),
    "words in arrays": (f1, *map(np.array, WORDS), {1 / 2}),
    "two words for yes": (f1, [["yes", "no"], ["Yes", "no"]], [[1, 0], [1, 0]], set()),
    "words in rows": (f1, *map(of_lists, WORDS), {1 / 2}),
    "text": (f1, [["1.0", "0.0"], ["0.0", "1.0"]], [[1, 0], [0, 1]], {1}),
    "text in rows": (f1, of_lists([["1", "0"], ["0", "1"]]), [[1, 0], [0, 1]], {1}),
    "text in another order": (
        f1, frame([["1", "0"], ["1", "1"]]), frame([["0", "1"], ["1", "1"]], "ba"), {1},
    ),
    "lists in cells": (f1, *(pd.DataFrame({"labels": rows}) for rows in LISTS), {2 / 3}),
    "lists in a series": (f1, *map(of_lists, LISTS), {2 / 3}),
    "lists in another order": (
        f1, of_lists(LISTS[0], ["x", "y"]), of_lists(LISTS[1][::-1], ["y", "x"]), {2 / 3},
    ),
    "class numbers": (f1, *IDS, {2 / 3}),
    "class numbers as sets": (f1, *([{*row} for row in rows] for rows in IDS), {2 / 3}),
    "class numbers in a column": (f1, *(pd.DataFrame({"y": rows}) for rows in IDS), {2 / 3}),
    "tags": (f1, [["a"], ["b"]], [["a"], ["a", "b"]], {5 / 6}),  # 2/3 and 1
    "tags as text": (f1, ["a|b", "b"], ["a", "b"], {5 / 6}),  # 1 and 2/3
    "tags in a column": (f1, *(pd.DataFrame({"y": y}) for y in (["a;b", ""], ["a", ""])), {1 / 2}),
    "a row per sample and label": (f1, *LONG, {(2 / 3 + 2 / 3) / 2}),
    "three dimensions": (f1, THREE_D, THREE_D[:, ::-1].tolist(), {0}),
    "names of samples": (
        f1, frame([["p", 1, 0], ["q", 1, 1]], "iab"), frame([["q", 1, 1], ["p", 1, 0]], "iab"), {1},
    ),
    "names twice": (
        f1, frame([[1, 0], [0, 1], [1, 1]], index=[*"xxz"]), frame([[1, 0], [1, 1], [0, 1]], index=[*"xzx"]), set(),
    ),
    "a stray number": (f1, [[0, 0, 10], [1, 0, 0]], [[0, 0, 1], [1, 0, 0]], set()),
    "a blank": (f1, frame([["1", " "], ["0", "1"]]), frame([[1, 1], [0, 1]]), {(1 + 2 / 3) / 2}),
    # blank is no, and -1 is unknown: precision 1, 1, 0; or both are unknown, and the third label has no true cell
    "two kinds of gap": (label_based.precision, GAPS, FILLED, {2 / 3, 1}),
    "two kinds of gap in a frame": (label_based.precision, frame(GAPS, "abc"), FILLED, {2 / 3, 1}),
    "-1 beside blanks": (unknown_minus, GAPS, FILLED, {2 / 3}),
    "blanks beside -1": (unknown_blank, frame(GAPS, "abc"), FILLED, {2 / 3}),
    "one sample or one label": (f1, [1, 1], [1, 0], {2 / 3, 1 / 2}),
    "a shuffled column": (f1, *(pd.Series([1, 0], index=[*names]) for names in ("xy", "yx")), {0}),
}  # fmt: skip


T, S = [[1, 0], [0, 1]], frame([[0.5, 0.5], [0.5, 0.5]])
ONE_WRONG = {"y_true": T, "y_pred": [[1, 1], [0, 1]]}
brier, weighed = probability.brier, hamming.hamming_loss
WORTH = pd.Series([4.0, 1.0], [*"ba"])
OTHER_ARGUMENTS = {  # likewise, all arguments by name
    "rounded probabilities": (brier, {"y_true": T, "y_prob": [[1 + 2e-16, 0], [-1e-9, 1]]}, {0}),
    "sparse ones": (brier, {"y_true": T, "y_prob": sp.csr_array([[1 + 2e-16, 0], [0, 1]])}, {0}),
    "logits": (brier, {"y_true": T, "y_prob": [[0, 0], [0, np.log(3)]]}, {(3 / 4 + 1 / 16) / 4}),
    "a column of weights": (weighed, {**ONE_WRONG, "sample_weight": [[3], [1]]}, {3 / 8}),
    "a frame of weights": (weighed, {**ONE_WRONG, "sample_weight": pd.DataFrame([3, 1])}, {3 / 8}),
    "weights as text": (weighed, {**ONE_WRONG, "sample_weight": ["3.0", "1"]}, {3 / 8}),
    "scores in rows": (thresholds.at, {"y_score": of_lists([["0.7", "0.2"]])}, {"[[1 0]]"}),
    "thresholds of other labels": (thresholds.at, {"y_score": S, "threshold": WORTH / 8}, {"[[1 1]\n [1 1]]"}),
    "probabilities in a long table": (
        thresholds.at,
        {"y_score": pd.DataFrame({"i": ["p", "p", "q", "q"], "j": ["a", "b", "b", "a"], "p": [0.9, 0.2, 0.7, 0.6]})},
        {"[[1 0]\n [1 1]]"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_ARGUMENTS)
def test_so_do_those_of_scores_weights_and_options(name):
    call, arguments, values = OTHER_ARGUMENTS[name]
    found = outcomes(call, arguments)
    assert {round(x, 12) if isinstance(x, float) else str(np.asarray(x)) for x in found} == values


@pytest.mark.parametrize("name", BY_HAND)
def test_whoever_follows_a_remedy_ends_at_the_right_value(name):
    metric, y_true, y_pred, values = BY_HAND[name]
    found = outcomes(metric, {"y_true": y_true, "y_pred": y_pred})
    assert {round(x, 12) for x in found if not isinstance(x, str)} == {
        round(x, 12) for x in values
    }, found


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


def put(value, cell):
    def change(table):
        table = table.astype(object)
        table.loc["wxyz"[cell // 3], "abc"[cell % 3]] = value
        return table

    return change


def words(yes, no):
    return lambda table: table.map(lambda x: {0: no, 1: yes}.get(x, str(x)))


# cells that are 0 in both matrices; a score of 0.7 where both have 1
GAPS_AT = {"nan": (put(nan, 1), 1), "None": (put(None, 8), 8), "-1": (put(-1, 5), 5)}
CELLS = {name: change for name, (change, _) in GAPS_AT.items()} | {
    "a score": put(0.7, 0), "a stray 10": put(10, 3), "blank": put("", 9),
    "none": lambda table: table,
}  # fmt: skip
WHOLE = {
    "text": lambda table: table.map(str), "1.0": lambda table: table.map(lambda x: f"{x}.0" if x in (0, 1) else x),
    "yes": words("yes", "no"), "True": words("True", "False"), "none": lambda table: table,
    "other columns": lambda table: table[[*"cab"]], "other rows": lambda table: table.loc[[*"yxzw"]],
    "a name twice": lambda table: table.loc[[*"zyxw"]].set_axis([*"xyyz"]),
    "a label twice": lambda table: table.set_axis([*"aab"], axis=1),
    "names in a column": lambda table: table.reset_index(),
}  # fmt: skip
CONTAINERS = {
    "frame": lambda table: table,
    "list": lambda table: table.to_numpy().tolist(),
    "array": lambda table: table.to_numpy(),
    "rows": lambda table: pd.Series(table.to_numpy().tolist(), table.index),
    "rows in a frame": lambda table: pd.DataFrame({"y": table.to_numpy().tolist()}, table.index),
    "three dimensions": lambda table: table.to_numpy().reshape(2, 2, -1),
}
NAMED = "frame", "rows", "rows in a frame"  # containers that keep the names of rows
MOVES = {"other columns": ["frame"], "other rows": NAMED, "a name twice": NAMED}


def drawn(number):
    """Truth and prediction, each with a fault of its cells, one of the whole, and a container."""
    random = np.random.default_rng(0)
    while number:
        faults = [
            [str(random.choice([*some])) for some in (CELLS, WHOLE, CONTAINERS)] for _ in "ab"
        ]
        (*_, whole, _), (_, moved, container) = faults
        if "rows in a frame" in {faults[0][2], container} and faults[0][2] != container:
            continue  # a line that converts both takes both as columns
        if whole in MOVES or not {faults[0][2], container} <= {*MOVES.get(moved, CONTAINERS)}:
            continue  # what has no names cannot tell that it was moved
        if sum(one != "none" for cell, whole, _ in faults for one in (cell, whole)) <= 2:
            number -= 1
            yield faults


def damaged(table, cell, whole, container):
    return CONTAINERS[container](WHOLE[whole](CELLS[cell](table)))


@pytest.mark.parametrize("number", [150, pytest.param(2000, marks=pytest.mark.exhaustive)])
def test_no_remedy_of_two_faults_leads_to_a_wrong_number(number):
    for faults in drawn(number):
        pair = (damaged(table, *fault) for table, fault in zip((TRUE, PRED), faults, strict=True))
        found = outcomes(f1s, dict(zip(("y_true", "y_pred"), pair, strict=True)))
        cell = faults[0][0]
        right = {by_hand([]), *([by_hand(GAPS_AT[cell][1])] if cell in GAPS_AT else [])}
        assert {round(x, 9) for x in found if not isinstance(x, str)} <= right, (faults, found)
