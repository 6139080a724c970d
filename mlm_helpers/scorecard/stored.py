"""A scorecard as JSON: what is written, and what is refused when it is read back."""

import json
import math
from collections.abc import Collection, Mapping
from reprlib import repr as shortened
from typing import Any

import numpy as np

from mlm_helpers import catalogue, inputs
from mlm_helpers.counts import Counts
from mlm_helpers.scorecard.sums import Conventions, Sum, checked_conventions, summed

FORMAT = "mlm_helpers.scorecard"
VERSION = 1
_FIELDS = ("n_samples", "n_labels", "labels", "conventions", "sums", "confusion")
_LARGEST, _MOST = 1e300, 2**53  # what a sum and a number of samples cannot exceed


def written(fields: Mapping[str, Any]) -> str:
    """JSON of the fields of a scorecard."""
    confusion = fields["confusion"]
    content = {
        "format": FORMAT,
        "version": VERSION,
        **fields,
        # JSON has no nan
        "conventions": {n: "nan" if v != v else v for n, v in fields["conventions"].items()},
        "sums": dict(fields["sums"]),
        "confusion": None if confusion is None else [kept.tolist() for kept in confusion],
    }
    return json.dumps(content, allow_nan=False)


def read(text: str) -> dict[str, Any]:
    """The fields of a scorecard that was written as JSON, if all of it can be one."""
    try:
        content = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"text is no JSON ({error}): give what to_json wrote") from error
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise ValueError(
            f"text is no scorecard, its format is not {FORMAT!r}: give what to_json wrote"
        )
    version = content.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise ValueError(
            f"the scorecard has version {shortened(version)} and this package reads version"
            f" {VERSION}: update the package, or compute the scorecard again"
        )
    try:
        return _checked(**_only(_FIELDS, content, "the scorecard"))
    except ValueError as error:
        raise ValueError(f"the scorecard is damaged, {error}: compute it again") from error


def _only(keys: Collection[str], mapping: Any, what: str) -> dict[str, Any]:
    """The values of these keys, in their order, if a mapping has them and no others."""
    if not isinstance(mapping, dict):
        raise ValueError(f"{what} is {shortened(mapping)} and no mapping")
    for key in keys:
        if key not in mapping:
            raise ValueError(f"{key} is missing from {what}")
    for key in mapping:
        if key not in keys:
            raise ValueError(f"{what} has {shortened(key)}, which it cannot have")
    return {key: mapping[key] for key in keys}


def _checked(
    *, n_samples: Any, n_labels: Any, labels: Any, conventions: Any, sums: Any, confusion: Any
) -> dict[str, Any]:
    for name, size in (("n_samples", n_samples), ("n_labels", n_labels)):
        if type(size) is not int or not 1 <= size <= _MOST:
            raise ValueError(f"{name} is {shortened(size)}")
    names = _labels(labels, n_labels)
    chosen = _only(checked_conventions({}), conventions, "conventions")
    chosen = checked_conventions({n: math.nan if v == "nan" else v for n, v in chosen.items()})
    kept = _sums(sums, n_samples, n_labels, chosen, confusion is not None)
    if confusion is not None:
        heaviest = max(each.weight for each in kept.values())
        confusion = _confusion(confusion, n_samples, n_labels, heaviest)
    return dict(zip(_FIELDS, (n_samples, n_labels, names, chosen, kept, confusion), strict=True))


def _labels(labels: Any, n_labels: int) -> tuple[str, ...] | None:
    if labels is None:
        return None
    if not isinstance(labels, list) or len(labels) != n_labels:
        raise ValueError(f"labels is not {n_labels} names")
    if not all(isinstance(name, str) for name in labels):
        raise ValueError(f"labels is not {n_labels} names")
    return tuple(inputs.names(labels, n_labels, "labels"))


def _sums(
    stored: Any, n_samples: int, n_labels: int, chosen: Conventions, are_sets: bool
) -> dict[str, Sum]:
    """Sums of all metrics of predictions, of scores, or of both."""
    of_sets, of_scores = (
        {record.id: record for record in summed(reads)} for reads in ("y_pred", "y_score")
    )
    records = of_sets if are_sets else of_scores
    if are_sets and isinstance(stored, dict) and not stored.keys().isdisjoint(of_scores):
        records = of_sets | of_scores
    kept = {}
    for name, each in _only(records, stored, "sums").items():
        kept[name] = _sum(name, each, n_samples)
        _check_range(records[name], kept[name], chosen, n_labels)
    heaviest = max(each.weight for each in kept.values())
    for name, each in kept.items():
        if not (each.undefined or math.isclose(each.weight, heaviest)):
            raise ValueError(f"{name} weighs {each.weight!r} and another metric {heaviest!r}")
    return kept


def _sum(name: str, each: Any, n_samples: int) -> Sum:
    if not (isinstance(each, list) and len(each) == 3 and all(map(_is_number, each))):
        raise ValueError(f"the sum of {name} is {shortened(each)} and not three numbers")
    total, weight, undefined = each
    if weight < 0:
        raise ValueError(f"the weight of {name} is {weight!r}")
    if type(undefined) is not int or not 0 <= undefined <= n_samples:
        raise ValueError(f"{shortened(undefined)} of {n_samples} samples have no value of {name}")
    return Sum(float(total), float(weight), undefined)


def _check_range(record: catalogue.Metric, each: Sum, chosen: Conventions, n_labels: int) -> None:
    """A mean lies between the lowest and the highest value that a sample can have."""
    ends = [float(end) for end in record.bounds(n_labels, chosen)]
    if each.undefined:
        worth = chosen["undefined"]
        ends += [0.0, 1.0] if worth is None else [] if worth != worth else [worth]
    low, high = min(ends) * each.weight, max(ends) * each.weight
    slack = 1e-9 * max(each.weight, abs(low), abs(high))
    if not low - slack <= each.total <= high + slack:
        raise ValueError(f"{record.id} adds up to {each.total!r} of a weight of {each.weight!r}")


def _confusion(columns: Any, n_samples: int, n_labels: int, heaviest: float) -> Counts:
    if not (
        isinstance(columns, list)
        and len(columns) == len(Counts._fields)
        and all(isinstance(column, list) and len(column) == n_labels for column in columns)
    ):
        raise ValueError(f"confusion is not four lists of {n_labels} counts")
    for name, column in zip(Counts._fields, columns, strict=True):
        for j, count in enumerate(column):
            if not _is_number(count) or count < 0:
                raise ValueError(f"{name} of label {j} is {shortened(count)}")
    are_whole = all(type(count) is int for column in columns for count in column)
    whole = n_samples if are_whole else heaviest
    for j, counted in enumerate(zip(*columns, strict=True)):
        if not (sum(counted) == whole if are_whole else math.isclose(sum(counted), whole)):
            raise ValueError(
                f"the counts of label {j} add up to {shortened(sum(counted))}, not to {whole!r}"
            )
    kind = np.intp if are_whole else float
    return Counts(*(np.array(column, dtype=kind) for column in columns))


def _is_number(value: Any) -> bool:
    """Whether it is a number, neither nan nor too large."""
    return type(value) in (int, float) and abs(value) <= _LARGEST
