"""A scorecard as JSON: what is written, and what is refused when it is read back."""

import json
import math
from collections.abc import Collection, Mapping
from itertools import pairwise
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, inputs
from mlm_helpers.counts import Counts
from mlm_helpers.scorecard.bins import Bins, checked_cuts
from mlm_helpers.scorecard.replicates import LARGEST_SEED, LAST_ROW, Replicates
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
    bins, replicates = content.pop("bins"), content.pop("replicates")
    if bins is not None:
        content["bins"] = [list(bins.cuts), *(kept.tolist() for kept in bins[1:])]
    if replicates is not None:
        confusion = replicates.confusion
        content["replicates"] = {
            "seed": replicates.seed,
            "rows": replicates.rows,
            "sums": dict(zip(fields["sums"], replicates.sums.tolist(), strict=True)),
            "confusion": confusion and [kept.tolist() for kept in confusion],
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
        bins, replicates = (content.pop(name, None) for name in ("bins", "replicates"))
        fields = _checked(**_only(_FIELDS, content, "the scorecard"))
        return fields | {
            "bins": None if bins is None else _bins(bins, fields),
            "replicates": None if replicates is None else _replicates(replicates, fields),
        }
    except ValueError as error:
        raise ValueError(f"the scorecard is damaged, {error}: compute it again") from error


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def _only(keys: Collection[str], mapping: Any, what: str) -> dict[str, Any]:
    """The values of these keys, in their order, if a mapping has them and no others."""
    _require(isinstance(mapping, dict), f"{what} is {shortened(mapping)} and no mapping")
    for key in keys:
        _require(key in mapping, f"{key} is missing from {what}")
    for key in mapping:
        _require(key in keys, f"{what} has {shortened(key)}, which it cannot have")
    return {key: mapping[key] for key in keys}


def _checked(
    *, n_samples: Any, n_labels: Any, labels: Any, conventions: Any, sums: Any, confusion: Any
) -> dict[str, Any]:
    for name, size in (("n_samples", n_samples), ("n_labels", n_labels)):
        _require(type(size) is int and 1 <= size <= _MOST, f"{name} is {shortened(size)}")
    if labels is not None:
        are_texts = isinstance(labels, list) and all(isinstance(name, str) for name in labels)
        _require(are_texts and len(labels) == n_labels, f"labels is not {n_labels} names")
        labels = tuple(inputs.names(labels, n_labels, "labels"))
    chosen = _only(checked_conventions({}), conventions, "conventions")
    chosen = checked_conventions({n: math.nan if v == "nan" else v for n, v in chosen.items()})
    kept = _sums(sums, n_samples, n_labels, chosen, confusion is not None)
    if confusion is not None:
        heaviest = max(each.weight for each in kept.values())
        confusion = _confusion(confusion, n_samples, n_labels, heaviest)
    return dict(zip(_FIELDS, (n_samples, n_labels, labels, chosen, kept, confusion), strict=True))


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
    kept = {
        name: _sum(records[name], each, n_samples, n_labels, chosen)
        for name, each in _only(records, stored, "sums").items()
    }
    heaviest = max(each.weight for each in kept.values())
    for name, each in kept.items():
        weighs_all = each.undefined > 0 or math.isclose(each.weight, heaviest)
        _require(weighs_all, f"{name} weighs {each.weight!r} and another metric {heaviest!r}")
    return kept


def _sum(
    record: catalogue.Metric, each: Any, n_samples: int, n_labels: int, chosen: Conventions
) -> Sum:
    """Three numbers, of a mean between the lowest and the highest value that a sample can have."""
    name = record.id
    are_three = isinstance(each, list) and len(each) == 3 and all(map(_is_number, each))
    _require(are_three, f"the sum of {name} is {shortened(each)} and not three numbers")
    total, weight, undefined = each
    _require(weight >= 0, f"the weight of {name} is {weight!r}")
    without = f"{shortened(undefined)} of {n_samples} samples have no value of {name}"
    _require(type(undefined) is int and 0 <= undefined <= n_samples, without)
    found = Sum(float(total), float(weight), undefined)
    fits = _fits(record, found.total, found.weight, undefined, n_labels, chosen)
    _require(fits, f"{name} adds up to {found.total!r} of a weight of {found.weight!r}")
    return found


def _fits(
    record: catalogue.Metric,
    total: Any,
    weight: Any,
    undefined: int,
    n_labels: int,
    chosen: Conventions,
) -> bool:
    """Whether sums are of values no lower than the lowest and no higher than the highest."""
    ends = [float(end) for end in record.bounds(n_labels, chosen)]
    if undefined:
        worth = chosen["undefined"]
        ends += [0.0, 1.0] if worth is None else [] if worth != worth else [worth]
    slack = 1e-9 * max(1, *map(abs, ends)) * weight
    low, high = min(ends) * weight - slack, max(ends) * weight + slack
    return bool(np.all((low <= total) & (total <= high)))


def _confusion(columns: Any, n_samples: int, n_labels: int, heaviest: float) -> Counts:
    """Four lists of counts, of which those of each label are those of all samples."""
    sizes = [isinstance(c, list) and len(c) for c in columns] if isinstance(columns, list) else []
    _require(sizes == [n_labels] * 4, f"confusion is not four lists of {n_labels} counts")
    are_whole = all(type(count) is int for column in columns for count in column)
    whole = n_samples if are_whole else heaviest
    for j, counted in enumerate(zip(*columns, strict=True)):
        for name, count in zip(Counts._fields, counted, strict=True):
            if not _is_number(count) or count < 0:
                raise ValueError(f"{name} of label {j} is {shortened(count)}")
        total = sum(counted)
        if not (total == whole if are_whole else math.isclose(total, whole)):
            raise ValueError(
                f"the counts of label {j} add up to {shortened(total)}, not to {whole!r}"
            )
    kind = np.intp if are_whole else float
    return Counts(*(np.array(column, dtype=kind) for column in columns))


def _bins(stored: Any, fields: Mapping[str, Any]) -> Bins:
    """Cuts, and counts between them, which of each label add up to all samples."""
    are_three = isinstance(stored, list) and len(stored) == 3 and isinstance(stored[0], list)
    _require(are_three, f"bins is {shortened(stored)} and not cuts and two tables of counts")
    _require(all(map(_is_number, stored[0])), f"the cuts are {shortened(stored[0])}")
    cuts = checked_cuts(stored[0])
    shape = (fields["n_labels"], len(cuts) + 1)
    positives, negatives = (_table(table, shape, "bin", "count") for table in stored[1:])
    is_whole = positives.dtype.kind == negatives.dtype.kind == "i"
    heaviest = max(each.weight for each in fields["sums"].values())
    totals = (positives + negatives).sum(axis=1)
    add_up = np.allclose(totals, fields["n_samples"] if is_whole else heaviest, rtol=1e-9, atol=0)
    _require(bool(add_up), "the bins of a label do not add up to all samples")
    return Bins(cuts, positives, negatives)


def _replicates(stored: Any, fields: Mapping[str, Any]) -> Replicates:
    """Seed and rows, and of each replicate sums and counts that resampled data can have."""
    keys = ("seed", "rows", "sums", "confusion")
    seed, rows, sums, confusion = _only(keys, stored, "replicates").values()
    _require(type(seed) is int and 0 <= seed <= LARGEST_SEED, f"seed is {shortened(seed)}")
    n_samples = fields["n_samples"]
    are_rows = _are_rows(rows) and sum(end - first for first, end in rows) == n_samples
    _require(are_rows, f"rows is {shortened(rows)}, not {n_samples} rows in growing order")
    pairs = list(_only(fields["sums"], sums, "replicates").values())
    is_pair = isinstance(pairs[0], list) and pairs[0] and isinstance(pairs[0][0], list)
    number = len(pairs[0][0]) if is_pair else 0
    _require(number > 0, f"a replicate is {shortened(pairs[0])} and not two lists of numbers")
    added = np.array([_table(pair, (2, number), "replicate", "number") for pair in pairs], float)
    heaviest = added[:, 1].max(axis=0)
    for (total, weight), (name, kept) in zip(added, fields["sums"].items(), strict=True):
        (record,) = (record for record in catalogue.METRICS if record.id == name)
        weighs_all = kept.undefined > 0 or np.allclose(weight, heaviest, rtol=1e-9, atol=0)
        fits = _fits(
            record, total, weight, kept.undefined, fields["n_labels"], fields["conventions"]
        )
        adds_up = (weight >= 0).all() and weighs_all and fits
        _require(bool(adds_up), f"the replicates of {name} do not add up")
    counted = _counted(confusion, heaviest, fields)
    return Replicates(seed, tuple((first, end) for first, end in rows), added, counted)


def _counted(stored: Any, heaviest: NDArray[Any], fields: Mapping[str, Any]) -> Counts | None:
    """Counts of each label in each replicate, which add up to what it weighs, where the card has any."""
    if fields["confusion"] is None:
        _require(stored is None, "replicates have counts of labels and the scorecard has none")
        return None
    are_four = isinstance(stored, list) and len(stored) == 4
    _require(are_four, f"the counts of the replicates are {shortened(stored)}")
    shape = (len(heaviest), fields["n_labels"])
    counted = np.array([_table(table, shape, "replicate", "count") for table in stored])
    adds_up = np.allclose(counted.sum(axis=0), heaviest[:, None], rtol=1e-9, atol=0)
    _require(adds_up, "the counts of a replicate do not add up to what it weighs")
    return Counts(*counted)


def _are_rows(rows: Any) -> bool:
    """Whether these are pairs of whole numbers, in growing order."""
    pairs: Any = rows if isinstance(rows, list) else [None]
    if not all(isinstance(p, list) and len(p) == 2 and {*map(type, p)} == {int} for p in pairs):
        return False
    ends = [0, *(end for pair in pairs for end in pair)]
    grow = all(one < other for one, other in pairwise(ends[1:]))
    return grow and min(ends) == 0 and max(ends) <= 2 * LAST_ROW


def _table(stored: Any, shape: tuple[int, int], what: str, kind: str) -> NDArray[Any]:
    """Lists of numbers, or of counts, as an array: of whole numbers where all are."""
    rows = stored if isinstance(stored, list) else []
    fits = len(rows) == shape[0] and all(isinstance(r, list) and len(r) == shape[1] for r in rows)
    _require(fits, f"the {what}s are not {shape[0]} lists of {shape[1]} {kind}s")
    cells = [cell for row in rows for cell in row]
    least = 0 if kind == "count" else -_LARGEST
    valid = all(_is_number(cell) and cell >= least for cell in cells)
    _require(valid, f"a {what} holds what is no {kind}")
    are_whole = all(type(cell) is int and cell <= _MOST for cell in cells)
    return np.array(rows, dtype=np.intp if are_whole else float)


def _is_number(value: Any) -> bool:
    """Whether it is a number, neither nan nor too large."""
    return type(value) in (int, float) and abs(value) <= _LARGEST
