"""Metrics of a hierarchy by hand: who stands above whom, the label sets with their ancestors, their counts."""

from collections.abc import Sequence
from typing import Any

from mlm_helpers.board import Table
from mlm_helpers.worked import set_steps as sets
from mlm_helpers.worked.average import Worked
from mlm_helpers.worked.problem import Problem, data, label_set


def closed(kind: sets.SetRatio, problem: Problem) -> Worked:
    """Add all ancestors, then take a fraction of each row and their mean, or of all rows together."""
    above = [ancestors(j, problem.settings["parents"]) for j in range(len(problem.labels))]
    grown = problem._replace(
        truth=[_with(row, above) for row in problem.truth],
        other=[_with(row, above) for row in problem.other],
    )
    of_rows = sets.per_sample if problem.settings["average"] == "samples" else sets.pooled
    steps, value = of_rows(kind, grown)
    return [data(problem), _tree(problem, above), _added(problem, grown), *steps[1:]], value


def ancestors(label: int, parents: Sequence[Sequence[int]]) -> set[int]:
    """The parents of a label, their parents, and so on."""
    return {one for parent in parents[label] for one in {parent, *ancestors(parent, parents)}}


def _with(row: Sequence[Any], above: Sequence[set[int]]) -> list[bool | None]:
    """A label is there if it or one below it is, and unknown if one of these may be."""
    below = [[row[j] for j in range(len(row)) if k in {j, *above[j]}] for k in range(len(row))]
    return [True if any(some) else None if None in some else False for some in below]


def _tree(problem: Problem, above: Sequence[set[int]]) -> Table:
    """Who stands above each label."""
    rows = tuple(
        (
            name,
            *(label_set(problem.labels, [k in some for k in range(len(above))]) for some in both),
        )
        for name, *both in zip(problem.labels, problem.settings["parents"], above, strict=True)
    )
    return Table("Above each label", ("label", "parents", "all ancestors"), rows)


def _added(problem: Problem, grown: Problem) -> Table:
    """Each label set, and the labels that it gains."""
    sides = (problem.truth, grown.truth), (problem.other, grown.other)
    columns = [
        label_set(problem.labels, [new and not old for old, new in zip(*rows, strict=True)])
        for side in sides
        for rows in zip(*side, strict=True)
    ]
    n = len(problem.samples)
    rows = tuple(zip(problem.samples, columns[:n], columns[n:], strict=True))
    return Table("Ancestors that are added", ("sample", "to the true", "to the predicted"), rows)
