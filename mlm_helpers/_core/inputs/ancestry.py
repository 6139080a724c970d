"""Which labels stand above which, as every metric of a hierarchy is told."""

from collections.abc import Hashable, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any

from mlm_helpers._core.inputs.kinds import as_list, is_integer, is_list, is_nested
from mlm_helpers._core.inputs.options import frame_names
from mlm_helpers._core.inputs.read import resolve_for_size
from mlm_helpers._core.inputs.refuse import advice, check_label_order, short_repr


def align_to_labels(raw: Any, name: str, **matrices: Any) -> Any:
    """An option with an entry for each label, in the order of the labels and without their names.

    The first of the matrices that names its labels says which they are. A Series has to have them as its
    index; a dict has an entry for some of them. Lists of labels, such as parents, become lists of indices.
    """
    named = (one for one in matrices if frame_names("columns", matrices[one]))
    called, is_dict = next(named, next(iter(matrices))), isinstance(raw, Mapping)
    check_label_order(matrices[called], raw, name, called)
    place = {x: j for j, x in enumerate(frame_names("columns", matrices[called]) or [])}
    if others := [key for key in raw if key not in place] if is_dict else []:
        what = f"{name} has the key {short_repr(others[0])}, which is not a column of {called}"
        raise ValueError(f"{what}: name columns of a DataFrame, or give a list of indices")

    def index(label: Any) -> Any:
        is_name = isinstance(label, Hashable) and (is_dict or not is_integer(label))
        return place.get(label, label) if is_name else label

    entries = [raw.get(label, []) for label in place] if is_dict else as_list(raw)
    if not is_nested(entries):
        return raw
    return [[*map(index, one)] if _is_several(one) else one for one in entries]


def _is_several(raw: Any) -> bool:
    return isinstance(raw, Set) or is_list(raw)


def read_parents(raw: Any, n_labels: int) -> list[list[int]]:
    """Read the parents of each label, by index; no label may stand above itself."""
    given, remedy = as_list(resolve_for_size(raw, n_labels, "parents")), advice("parents")
    if not (is_nested(given) and len(given) == n_labels):
        raise ValueError(
            f"parents is {short_repr(given)}, not a list of length {n_labels}: {remedy}"
        )
    read = []
    for j, each in enumerate(map(as_list, given)):
        for one in each if _is_several(each) else [each]:
            if not (_is_several(each) and is_integer(one) and 0 <= one < n_labels):
                what = f"{short_repr(one)} at position {j}, which takes a list of columns, by name"
                raise ValueError(f"parents holds {what} or by index up to {n_labels - 1}: {remedy}")
        read.append([*dict.fromkeys(map(int, each))])
    try:
        TopologicalSorter(dict(enumerate(read))).prepare()
    except CycleError as error:
        circle = " → ".join(map(str, error.args[1]))
        what = f"parents has a circle, {circle}, each label the parent of the next"
        raise ValueError(f"{what}: leave out one of these parents") from None
    return read


def find_roots(read: list[list[int]]) -> list[int]:
    """The root, the only label that has children and no parents; empty where no label has parents."""
    tops = sorted(label for label in {*chain(*read)} if not read[label])
    if len(tops) > 1:
        what = f"root is False, and labels {tops[0]} and {tops[1]} each stand at the top of others"
        raise ValueError(f"{what}: the root above both is not a label, so pass root=True")
    return tops


def child_parent_pairs(read: list[list[int]]) -> list[tuple[int, int]]:
    """Each label with each of its parents, the deepest labels first."""
    order = [*TopologicalSorter(dict(enumerate(read))).static_order()]
    return [(label, parent) for label in reversed(order) for parent in read[label]]
