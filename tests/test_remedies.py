"""Every remedy works: the code in a message leads to the right number, or to another message.

It never leads to a wrong number without a message, nor to an error that the package does not raise.
"""

from __future__ import annotations

import ast
import re
from functools import partial
from inspect import signature
from math import inf, nan
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import mlm_helpers
import mlm_helpers.data
from mlm_helpers import label_based
from mlm_helpers.agreement import alpha
from mlm_helpers.data import from_tags
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.probability import brier
from mlm_helpers.thresholds import at

PACKAGE = Path(mlm_helpers.__file__).parent
NAMESPACE = {"np": np, "pd": pd, "mlm_helpers": mlm_helpers}
NAMESPACE |= {"signature": signature, "from_tags": from_tags}
CODE = ast.Call, ast.Compare, ast.Subscript, ast.BinOp, ast.List, ast.ListComp


def code_expressions(message, arguments):
    """The longest expressions in the remedy of a message that use an argument."""
    text, end = message.partition(": ")[2], 0
    stops = [match.start() for match in re.finditer(r"[,; ]|$", text)]
    first_token = rf"(?<![\w.'])(np|pd|mlm|\d|\(|\[|{'|'.join(arguments)})"
    for start in (match.start() for match in re.finditer(first_token, text)):
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
    """The result of a call and no message; or no result and the message of the error that it raises."""
    try:
        return call(), ""
    except (TypeError, ValueError) as error:
        trace = error.__traceback__
        while trace.tb_next:
            trace = trace.tb_next
        assert Path(trace.tb_frame.f_code.co_filename).is_relative_to(PACKAGE), error
        return None, str(error)


def outcomes(call, arguments, earlier_messages=()):
    """The values to which the remedies lead if each is followed; the last message where a remedy has no code."""
    value, message = result_and_message(lambda: call(**arguments))
    if not message:
        return [value]
    assert message not in earlier_messages, f"in circles: {message}"
    values, messages = [], (*earlier_messages, message)
    is_of_class_numbers = "a matrix of 0 and 1 to a metric as it is, or" in message
    if is_of_class_numbers and {*pd.Series([*arguments[message.split()[0]]]).explode()} <= {0, 1}:
        return [message]  # the rows of a matrix do not list tags
    for code in code_expressions(message, arguments):
        if "from_tags" in code:  # its own messages are followed, too
            bound = code.replace("mlm_helpers.data.from_tags", "signature(from_tags).bind")
            tags = eval(bound, NAMESPACE | arguments).arguments
            values += outcomes(partial(call_with_tags, call, arguments), tags, messages)
            continue
        mended, refusal = result_and_message(lambda code=code: eval(code, NAMESPACE | arguments))
        name = next(word for word in re.findall(r"\w+", message) if word in arguments)
        if (element := re.match(r"\w+\[(\d+)\]", message)) and " for y in " not in code:
            i = int(element[1])  # the code mends one of several matrices
            mended = [*arguments[name][:i], mended, *arguments[name][i + 1 :]]
        is_of_cell = re.search("not a real number|where only 0 or 1 is allowed", refusal)
        assert is_of_cell or not refusal, f"{code} fails: {refusal}"
        values += [refusal] if refusal else outcomes(call, arguments | {name: mended}, messages)
    return values or [message]


def call_with_tags(call, arguments, **tags):
    """The result of a call with the matrices of tags in place of its matrices."""
    matrices = from_tags(**tags)._asdict()
    return call(**{name: matrices.get(name, value) for name, value in arguments.items()})


# ---------------------------------------------------------------------------- by hand: remedies.txt


def frame(rows, columns="ab", index=None):
    return pd.DataFrame(rows, columns=[*columns], index=index)


def precision_without(y_true, y_pred, unknown):
    return label_based.precision(mlm_helpers.data.unknown(y_true, unknown), y_pred)


class Tensor(np.ndarray):
    """An array whose dtype has no kind, like that of a PyTorch tensor."""

    dtype = "torch.float32"


NAMES = {"np": np, "pd": pd, "sparse": sparse, "frame": frame, "rows": pd.Series, "Tensor": Tensor}
CALLS = alpha, label_based.f1, label_based.precision, precision_without, brier, hamming_loss, at
LINES = Path(__file__).with_name("remedies.txt").read_text(encoding="utf-8").splitlines()


def rounded_texts(values):
    return {str(np.asarray(value, float).round(9).tolist()) for value in values}


@pytest.mark.parametrize("line", [line for line in LINES if line[0] != "#"])
def test_remedies_lead_to_the_right_value(line):
    """A line has the values, one per interpretation that a message offers, or -; a metric; its arguments."""
    values, name, arguments = line.split(" ", 2)
    call = next(call for call in CALLS if call.__name__ == name)
    actual = outcomes(call, eval(f"dict({arguments})", NAMES))
    expected = rounded_texts(eval(f"[{values.removeprefix('-')}]"))
    assert rounded_texts(x for x in actual if not isinstance(x, str)) == expected, actual


# ---------------------------------------------------------------------- two random faults at a time

TRUE = frame([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], "abc", [*"wxyz"])
PRED = frame([[1, 0, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1]], "abc", [*"wxyz"])
ROW_WEIGHTS, LABEL_WEIGHTS = np.array([1, 2, 4, 8]), np.array([1, 10, 100])  # differ by cell


def weighted_f1(y_true, y_pred):
    """The label-based F1s in one number."""
    f1 = label_based.f1(y_true, y_pred, average=None, sample_weight=ROW_WEIGHTS)
    return float(f1 @ LABEL_WEIGHTS)


def weighted_f1_by_hand(unknown):
    """The same by 2 tp ÷ (true + predicted), without the unknown cells, which are numbered row by row."""
    weights = ROW_WEIGHTS[:, None] * ~np.isin(np.arange(12).reshape(4, 3), unknown)
    tp, sums = ((weights * cells).sum(axis=0) for cells in (TRUE * PRED, TRUE + PRED))
    return round(float((2 * tp / sums) @ LABEL_WEIGHTS), 9)


CELL_FAULTS = {  # values and the numbers of their cells, which are 0 in both matrices (1 for cell 0)
    "nan": {1: nan}, "None": {8: None}, "-1": {5: -1}, "nan and -1": {1: nan, 5: -1}, "score": {0: 0.7},
    "inf and nan": {0: inf, 1: nan}, "stray": {3: 10}, "blank": {9: ""}, "text": {7: "?"},
}  # fmt: skip
TABLE_FAULTS = {
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


def as_sparse(table):
    """A CSR array; or an array of text, which is never sparse."""
    try:
        return sparse.csr_array(table.to_numpy(float))
    except ValueError:
        return table.to_numpy()


CONTAINERS = {
    "frame": lambda table: table,
    "rows": lambda table: pd.Series(table.to_numpy().tolist(), table.index),
    "rows in a frame": lambda table: pd.DataFrame({"y": table.to_numpy().tolist()}, table.index),
    "list": lambda table: table.to_numpy().tolist(),
    "array": lambda table: table.to_numpy(),
    "sparse": as_sparse,
    "three dimensions": lambda table: table.to_numpy().reshape(2, 2, -1),
}
NAMED = [*CONTAINERS][:3]  # containers that keep the names of rows
REORDERINGS = {"other columns": ["frame"], "other rows": NAMED, "name twice": NAMED}


class Faults(NamedTuple):
    cell: str  # a name of CELL_FAULTS, or "" for none
    table: str  # a name of TABLE_FAULTS, of which "" changes nothing
    container: str


def random_faults(n):
    """``n`` pairs of faults, of truth and prediction; two faults at most, which a message can detect."""
    rng, choices = np.random.default_rng(0), (["", *CELL_FAULTS], [*TABLE_FAULTS], [*CONTAINERS])
    while n:
        true, pred = (Faults(*(str(rng.choice(values)) for values in choices)) for _ in range(2))
        with_names = {*REORDERINGS.get(pred.table, CONTAINERS)}  # that show a reordered prediction
        are_shown = {true.container, pred.container} <= with_names
        n_faults = sum(map(bool, (true.cell, true.table, pred.cell, pred.table)))
        if true.table not in REORDERINGS and are_shown and n_faults < 3:
            n -= 1
            yield true, pred


def damaged(table, faults):
    if faults.cell:
        table = table.astype(object)
        for cell, value in CELL_FAULTS[faults.cell].items():
            table.iloc[np.unravel_index(cell, table.shape)] = value
    return CONTAINERS[faults.container](TABLE_FAULTS[faults.table](table))


@pytest.mark.parametrize("n", [50, pytest.param(800, marks=pytest.mark.exhaustive)])
def test_no_remedy_of_two_faults_leads_to_a_wrong_number(n):
    for true, pred in random_faults(n):
        arguments = {"y_true": damaged(TRUE, true), "y_pred": damaged(PRED, pred)}
        results = outcomes(weighted_f1, arguments)
        assert not [x for x in results if "_tags" in str(x)], (true, pred)  # no row lists tags
        cells = CELL_FAULTS.get(true.cell, {}).items()
        unknown = [cell for cell, value in cells if value in (-1, None) or value != value]
        minus = [cell for cell in unknown if CELL_FAULTS[true.cell][cell] == -1]
        right = {*map(weighted_f1_by_hand, ([], unknown, minus))}
        values = {round(value, 9) for value in results if not isinstance(value, str)}
        assert values <= right, (true, pred, values)
