"""Every remedy works: the code in a message leads to the right number, or to another message.

It never leads to a wrong number without a message, nor to an error that the package does not raise.
"""

from __future__ import annotations

import ast
import re
from math import nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import mlm_helpers
import mlm_helpers.data
from mlm_helpers import label_based
from mlm_helpers.agreement import alpha
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.probability import brier
from mlm_helpers.thresholds import at

PACKAGE = Path(mlm_helpers.__file__).parent
NAMESPACE = {"np": np, "pd": pd, "mlm_helpers": mlm_helpers}
CODE = ast.Call, ast.Compare, ast.ListComp


def code_expressions(message, arguments):
    """The longest expressions in the remedy of a message that use an argument."""
    text, end = message.partition(": ")[2], 0
    stops = [match.start() for match in re.finditer(r"[,; ]|$", text)]
    for start in (match.start() for match in re.finditer(r"(?<![\w.'(\[])[\w\[]", text)):
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


def result_and_message(call):
    """The result of a call and no message; or no result and the message of the package's error."""
    try:
        return call(), ""
    except (TypeError, ValueError) as error:
        trace = error.__traceback__
        while trace.tb_next:
            trace = trace.tb_next
        assert Path(trace.tb_frame.f_code.co_filename).is_relative_to(PACKAGE), error
        return None, str(error)


def outcomes(call, arguments, earlier_messages=()):
    """The values to which the remedies lead; the last message where a remedy has no code."""
    value, message = result_and_message(lambda: call(**arguments))
    if not message:
        return [value]
    assert message not in earlier_messages, f"in circles: {message}"
    values = []
    for code in code_expressions(message, arguments):
        result, refusal = result_and_message(lambda code=code: eval(code, NAMESPACE | arguments))
        if refusal:
            values.append(refusal)
        else:
            mended = arguments | mended_arguments(message, result, arguments)
            values += outcomes(call, mended, (*earlier_messages, message))
    return values or [message]


def mended_arguments(message, result, arguments):
    """The arguments that the result of the code in a message replaces."""
    if isinstance(result, mlm_helpers.data.Tags):
        return {"y_true": result.y_true, "y_pred": result.y_pred}
    name, position = re.match(r"(\w+)(?:\[(\d)\])?", message).groups()
    if position and not isinstance(result, list):  # the code mends one of several matrices
        matrices = [*arguments[name]]
        matrices[int(position)] = result
        return {name: matrices}
    return {name: result}


# ---------------------------------------------------------------------------- by hand: remedies.txt


def frame(rows, columns="ab", index=None):
    return pd.DataFrame(rows, columns=[*columns], index=index)


NAMES = {"np": np, "pd": pd, "sparse": sparse, "frame": frame}
CALLS = alpha, label_based.f1, label_based.precision, brier, hamming_loss, at
LINES = Path(__file__).with_name("remedies.txt").read_text(encoding="utf-8").splitlines()


def rounded_texts(values):
    return {str(np.asarray(value, float).round(9).tolist()) for value in values}


@pytest.mark.parametrize("line", [line for line in LINES if line[0] != "#"])
def test_remedies_lead_to_the_right_value(line):
    """A line has the values, one per remedy of a message, or -; a metric; its arguments."""
    values, name, arguments = line.split(" ", 2)
    call = next(call for call in CALLS if call.__name__ == name)
    actual = outcomes(call, eval(f"dict({arguments})", NAMES))
    expected = rounded_texts(eval(f"[{values.removeprefix('-')}]"))
    assert rounded_texts(x for x in actual if not isinstance(x, str)) == expected, actual


# --------------------------------------------------------------- random faults, in any container

TRUE = frame([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], "abc", [*"wxyz"])
PRED = frame([[1, 0, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1]], "abc", [*"wxyz"])
ROW_WEIGHTS, LABEL_WEIGHTS = np.array([1, 2, 4, 8]), np.array([1, 10, 100])  # differ by cell


def weighted_f1(y_true, y_pred):
    """The label-based F1s in one number."""
    f1 = label_based.f1(y_true, y_pred, average=None, sample_weight=ROW_WEIGHTS)
    return float(f1 @ LABEL_WEIGHTS)


def weighted_f1_by_hand(unknown):
    """The same by 2 tp ÷ (true + predicted), without the unknown cells, numbered row by row."""
    weights = ROW_WEIGHTS[:, None] * ~np.isin(np.arange(12).reshape(4, 3), unknown)
    tp, sums = ((weights * cells).sum(axis=0) for cells in (TRUE * PRED, TRUE + PRED))
    return float((2 * tp / sums) @ LABEL_WEIGHTS)


# values and the numbers of their cells, which are 0 in both matrices (1 for cell 0)
CELL_FAULTS = {
    "": {}, "nan": {1: nan}, "None": {8: None}, "-1": {5: -1}, "nan and -1": {1: nan, 5: -1},
    "score": {0: 0.7}, "score and nan": {0: 0.7, 1: nan}, "stray": {3: 10},
    "blank": {9: ""}, "text": {7: "?"},
}  # fmt: skip
TABLE_FAULTS = {
    "": lambda table: table,
    "text": lambda table: table.map(str),
    "label twice": lambda table: table.set_axis([*"aab"], axis=1),
    "names in a column": lambda table: table.reset_index(),
    "other columns": lambda table: table[[*"cab"]],
    "other rows": lambda table: table.loc[[*"yxzw"]],
    "name twice": lambda table: table.loc[[*"zyxw"]].set_axis([*"xyyz"]),
}
CONTAINERS = {
    "frame": lambda table: table,
    "rows": lambda table: pd.Series(table.to_numpy().tolist(), table.index),
    "list": lambda table: table.to_numpy().tolist(),
    "array": lambda table: table.to_numpy(),
}
REORDERED = ("label twice", "other columns", "other rows", "name twice")  # frames alone show it


def damaged(table, cell_fault, table_fault, container):
    table = table.astype(object) if cell_fault else table
    for cell, value in CELL_FAULTS[cell_fault].items():
        table.iloc[np.unravel_index(cell, table.shape)] = value
    return CONTAINERS[container](TABLE_FAULTS[table_fault](table))


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("table_fault", TABLE_FAULTS)
@pytest.mark.parametrize("cell_fault", CELL_FAULTS)
def test_no_remedy_leads_to_a_wrong_number(cell_fault, table_fault, container):
    """One matrix has both faults, and the other is a frame without a fault."""
    is_reordered = table_fault in REORDERED
    if is_reordered and container != "frame":
        return
    unknown = [i for i, x in CELL_FAULTS[cell_fault].items() if x in (-1, None) or x != x]
    faults = cell_fault, table_fault, container
    pairs = [(TRUE, damaged(PRED, *faults)), (damaged(TRUE, *faults), PRED)]
    for y_true, y_pred in pairs[:1] if is_reordered else pairs:  # the truth has the right order
        results = outcomes(weighted_f1, {"y_true": y_true, "y_pred": y_pred})
        numbers = [result for result in results if not isinstance(result, str)]
        right = weighted_f1_by_hand(unknown if y_pred is PRED else [])
        assert numbers == pytest.approx([right] * len(numbers)), results
