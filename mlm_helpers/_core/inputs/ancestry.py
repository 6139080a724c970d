"""Which labels stand above which, as every metric of a hierarchy is told."""

from collections.abc import Set
from graphlib import CycleError, TopologicalSorter
from typing import Any

from mlm_helpers._core.inputs.kinds import is_nested, is_whole, listed
from mlm_helpers._core.inputs.refuse import advice, shown


def parents(raw: Any, n_labels: int) -> list[list[int]]:
    """Read the parents of each label, by index; no label may stand above itself.

    Or a function that makes them of the number of labels, for data of many sizes.
    """
    given, remedy = listed(raw(n_labels) if callable(raw) else raw), advice("parents")
    if not (is_nested(given) and len(given) == n_labels):
        raise ValueError(f"parents is {shown(given)}, not a list for {n_labels} labels: {remedy}")
    read = []
    for j, each in enumerate(map(listed, given)):
        indices = each if is_nested(each) or isinstance(each, Set) else [each, None]
        for one in indices:
            if not (is_whole(one) and 0 <= one < n_labels):
                where = f"{shown(one)} at position {j}, which takes a list of indices"
                raise ValueError(f"parents holds {where} from 0 to {n_labels - 1}: {remedy}")
        read.append([*dict.fromkeys(map(int, indices))])
    try:
        TopologicalSorter(dict(enumerate(read))).prepare()
    except CycleError as error:
        circle = " → ".join(map(str, error.args[1]))
        what = f"parents has a circle, {circle}, each label the parent of the next"
        raise ValueError(f"{what}: leave out one of these parents") from None
    return read


def upwards(read: list[list[int]]) -> list[tuple[int, int]]:
    """Each label with each of its parents, the deepest labels first."""
    order = [*TopologicalSorter(dict(enumerate(read))).static_order()]
    return [(label, parent) for label in reversed(order) for parent in read[label]]
