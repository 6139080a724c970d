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
    if not is_nested(given):
        raise TypeError(f"parents is of type {type(given).__name__}: {remedy}")
    if len(given) != n_labels:
        raise ValueError(
            f"parents has length {len(given)}, not {n_labels}, one per label: {remedy}"
        )
    read = []
    for j, each in enumerate(map(listed, given)):
        what = f"parents holds {shown(each)} at position {j}"
        if not (is_nested(each) or isinstance(each, Set)):
            raise TypeError(f"{what}, which is no list: {remedy}")
        for one in each:
            what = f"parents holds {shown(one)} at position {j}"
            if not is_whole(one):
                raise TypeError(f"{what}, which is no index of a label: {remedy}")
            if not 0 <= one < n_labels:
                numbers = f"the labels are numbered from 0 to {n_labels - 1}"
                raise ValueError(f"{what}, and {numbers}: {remedy}")
        read.append([*dict.fromkeys(map(int, each))])
    try:
        TopologicalSorter(dict(enumerate(read))).prepare()
    except CycleError as error:
        circle = " → ".join(map(str, error.args[1]))
        raise ValueError(
            f"parents has a circle, {circle}, each label the parent of the next: leave out one of"
            " these parents"
        ) from None
    return read


def upwards(read: list[list[int]]) -> list[tuple[int, int]]:
    """Each label with each of its parents, the deepest labels first."""
    order = [*TopologicalSorter(dict(enumerate(read))).static_order()]
    return [(label, parent) for label in reversed(order) for parent in read[label]]
