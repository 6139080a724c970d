"""The hierarchy of labels: the parents of each label, the root, and pairs of child and parent.

Labels are columns: ``parents[j]`` lists the indices of the parents of label j.
"""

from collections.abc import Hashable, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any

from mlm_helpers._core.inputs.kinds import as_list, is_collection, is_integer, is_sequence
from mlm_helpers._core.inputs.options import frame_names
from mlm_helpers._core.inputs.read import resolve_for_size
from mlm_helpers._core.inputs.refuse import advice, check_label_order, short_repr


def align_to_labels(raw: Any, name: str, **matrices: Any) -> Any:
    """An option with one entry per label, as a list in the order of the labels.

    ``raw`` is the option called ``name``, and ``matrices`` are the arguments whose columns are the
    labels. Names are those of the first matrix that has any. A Series must have them as its index;
    a dict may leave labels out. An entry that lists labels, such as parents, becomes a list of
    their indices. An option without entries, such as one number for all labels, is unchanged.
    """
    with_names = [key for key in matrices if frame_names("columns", matrices[key])]
    source = [*with_names, *matrices][0]  # the first with names, or else the first matrix
    check_label_order(matrices[source], raw, name, source)
    labels = frame_names("columns", matrices[source]) or []
    is_dict = isinstance(raw, Mapping)
    if is_dict and not {*raw} <= {*labels}:
        key = next(key for key in raw if key not in labels)
        problem = f"{name} has the key {short_repr(key)}, which is not a column of {source}"
        raise ValueError(f"{problem}: name columns of a DataFrame, or give a list of indices")
    entries = [raw.get(label, []) for label in labels] if is_dict else as_list(raw)
    if not is_sequence(entries):
        return raw  # a number, a function, or a value that its reader refuses
    # In a list an integer is an index already; in a dict it can be a column's name.
    index_of = {x: j for j, x in enumerate(labels) if is_dict or not is_integer(x)}
    return [_as_indices(entry, index_of) if is_collection(entry) else entry for entry in entries]


def _as_indices(entry: Any, index_of: dict[Any, int]) -> list[Any]:
    """The labels that an entry lists, by index instead of name; what is not a name is unchanged."""
    return [index_of.get(x, x) if isinstance(x, Hashable) else x for x in entry]


def read_parents(raw: Any, n_labels: int) -> list[list[int]]:
    """Read the parents of each label, by index; a label that is its own ancestor is refused.

    Names have become indices already, in `align_to_labels`. As inverse propensities, parents can be
    a function of the number of labels, which returns the list.
    """
    entries = as_list(resolve_for_size(raw, n_labels))
    remedy = advice("parents")
    if not (is_sequence(entries) and len(entries) == n_labels):
        problem = f"parents is {short_repr(entries)}, not a list of length {n_labels}"
        raise ValueError(f"{problem}: {remedy}")
    parents = []
    for j, entry in enumerate(map(as_list, entries)):
        is_valid = is_collection(entry) and all(is_integer(x) and 0 <= x < n_labels for x in entry)
        if not is_valid:
            expected = f"a list of columns, by name or by index up to {n_labels - 1}"
            problem = f"parents holds {short_repr(entry)} at position {j}"
            raise ValueError(f"{problem}, which needs {expected}: {remedy}")
        parents.append([*dict.fromkeys(map(int, entry))])  # each parent once
    try:
        TopologicalSorter(dict(enumerate(parents))).prepare()
    except CycleError as error:
        cycle = " → ".join(map(str, error.args[1]))
        problem = f"parents has a cycle, {cycle}, where each label is a parent of the next"
        raise ValueError(f"{problem}: remove one of these parents") from None
    return parents


def find_roots(parents: list[list[int]]) -> list[int]:
    """A list of the root, the only label with children and no parents; [] if none has parents."""
    roots = sorted(label for label in {*chain(*parents)} if not parents[label])
    if len(roots) > 1:
        problem = f"root is False, and labels {roots[0]} and {roots[1]} are both roots"
        raise ValueError(f"{problem}: the root above both is not a label, so pass root=True")
    return roots


def child_parent_pairs(parents: list[list[int]]) -> list[tuple[int, int]]:
    """Each label with each of its parents, as pairs of indices.

    The pairs of a label come before those of its ancestors.
    """
    order = [*TopologicalSorter(dict(enumerate(parents))).static_order()]  # parents come first
    return [(label, parent) for label in reversed(order) for parent in parents[label]]
