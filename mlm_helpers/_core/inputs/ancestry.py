"""The hierarchy of labels: reading the parents of each label, the root, and pairs of child and parent."""

from collections.abc import Hashable, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any

from mlm_helpers._core.inputs.kinds import as_list, is_integer, is_list_like, is_sequence
from mlm_helpers._core.inputs.options import frame_names
from mlm_helpers._core.inputs.read import resolve_for_size
from mlm_helpers._core.inputs.refuse import advice, check_label_order, short_repr


def align_to_labels(raw: Any, name: str, **matrices: Any) -> Any:
    """An option with one entry per label, in the order of the labels and without their names.

    The labels are the columns of the first matrix that has names. A Series must have them as its
    index; a dict may leave labels out. An entry that lists labels, such as parents, becomes a list
    of their indices.
    """
    with_names = (key for key, matrix in matrices.items() if frame_names("columns", matrix))
    source = next(with_names, next(iter(matrices)))
    is_dict = isinstance(raw, Mapping)
    check_label_order(matrices[source], raw, name, source)
    index_of = {label: j for j, label in enumerate(frame_names("columns", matrices[source]) or [])}
    for key in raw if is_dict else ():
        if key not in index_of:
            problem = f"{name} has the key {short_repr(key)}, which is not a column of {source}"
            raise ValueError(f"{problem}: name columns of a DataFrame, or give a list of indices")

    def as_index(label: Any) -> Any:
        # In a list an integer is an index already; in a dict it can be a column's name.
        is_name = isinstance(label, Hashable) and (is_dict or not is_integer(label))
        return index_of.get(label, label) if is_name else label

    entries = [raw.get(label, []) for label in index_of] if is_dict else as_list(raw)
    if not is_sequence(entries):
        return raw
    return [[*map(as_index, entry)] if _is_collection(entry) else entry for entry in entries]


def _is_collection(raw: Any) -> bool:
    """Whether an object holds several values: a set, a list, a Series or an array."""
    return isinstance(raw, Set) or is_list_like(raw)


def read_parents(raw: Any, n_labels: int) -> list[list[int]]:
    """Read the parents of each label, by index; a label that is its own ancestor is refused."""
    entries, remedy = as_list(resolve_for_size(raw, n_labels, "parents")), advice("parents")
    if not (is_sequence(entries) and len(entries) == n_labels):
        problem = f"parents is {short_repr(entries)}, not a list of length {n_labels}"
        raise ValueError(f"{problem}: {remedy}")
    parents = []
    for j, entry in enumerate(map(as_list, entries)):
        for parent in entry if _is_collection(entry) else [entry]:
            if not (_is_collection(entry) and is_integer(parent) and 0 <= parent < n_labels):
                expected = f"a list of columns, by name or by index up to {n_labels - 1}"
                problem = f"parents holds {short_repr(parent)} at position {j}"
                raise ValueError(f"{problem}, which needs {expected}: {remedy}")
        parents.append([*dict.fromkeys(map(int, entry))])
    try:
        TopologicalSorter(dict(enumerate(parents))).prepare()
    except CycleError as error:
        cycle = " → ".join(map(str, error.args[1]))
        problem = f"parents has a cycle, {cycle}, where each label is a parent of the next"
        raise ValueError(f"{problem}: remove one of these parents") from None
    return parents


def find_roots(parents: list[list[int]]) -> list[int]:
    """The root, the only label that has children and no parents; empty where no label has parents."""
    roots = sorted(label for label in {*chain(*parents)} if not parents[label])
    if len(roots) > 1:
        problem = f"root is False, and labels {roots[0]} and {roots[1]} are both roots"
        raise ValueError(f"{problem}: the root above both is not a label, so pass root=True")
    return roots


def child_parent_pairs(parents: list[list[int]]) -> list[tuple[int, int]]:
    """Each label with each of its parents; a label comes before its ancestors."""
    order = [*TopologicalSorter(dict(enumerate(parents))).static_order()]
    return [(label, parent) for label in reversed(order) for parent in parents[label]]
