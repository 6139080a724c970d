"""A scorecard as JSON, and what is refused when it is read back.

Checked are version, fields, shapes, kinds and finiteness of the numbers; and that they agree with one
another: weights with samples, counts with weights, means with the range of their metric.
"""

import json
import math
from collections.abc import Collection, Mapping
from functools import partial
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, inputs
from mlm_helpers.counts import Counts
from mlm_helpers.scorecard.bins import Bins, checked_cuts
from mlm_helpers.scorecard.replicates import LARGEST_SEED, Replicates
from mlm_helpers.scorecard.sums import (
    Conventions,
    Sum,
    checked_conventions,
    own_defaults,
    summed,
)

FORMAT = "mlm_helpers.scorecard"
VERSION = 1
_FIELDS = ("n_samples", "n_labels", "labels", "conventions", "sums", "confusion")
_LARGEST, _MOST = 1e300, 2**54  # of a float and of a whole number, so that sums of them are finite


def written(fields: Mapping[str, Any]) -> str:
    """JSON of the fields of a scorecard."""
    content = {"format": FORMAT, "version": VERSION, **fields}
    asks = {name for record in catalogue.METRICS for name in record.asks_per_label}
    conventions = {
        name: "nan" if value != value else value  # JSON has no nan
        for name, value in fields["conventions"].items()
        if value is not None or name not in asks
    }
    content["conventions"] = conventions
    bins, replicates = content.pop("bins"), content.pop("replicates")
    if bins is not None:
        content["bins"] = bins
    if replicates is not None:
        sums = dict(zip(fields["sums"], replicates.sums, strict=True))
        content["replicates"] = replicates._replace(sums=sums)._asdict()
    return json.dumps(content, allow_nan=False, default=np.ndarray.tolist)


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
        return _checked(content, content.pop("bins", None), content.pop("replicates", None))
    except (TypeError, ValueError) as error:
        raise ValueError(f"the scorecard is damaged, {error}: compute it again") from error


def _checked(content: Any, bins: Any, replicates: Any) -> dict[str, Any]:
    n_samples, n_labels, labels, given, sums, counts = _only(_FIELDS, content, "the scorecard")
    inputs.whole(n_samples, "n_samples", 1, _MOST)
    inputs.whole(n_labels, "n_labels", 1, _MOST)
    if labels is not None:
        are_texts = isinstance(labels, list) and all(isinstance(name, str) for name in labels)
        _require(are_texts, "labels is no list of names")
        labels = tuple(inputs.names(labels, n_labels, "labels"))
    chosen = _conventions(given, n_labels)
    records = _records(sums, counts is not None, chosen)
    if any("k" in record.parameters for record in records):
        inputs.k(chosen["k"], n_labels)
    ids = [record.id for record in records]
    kept = _numbers(_only(ids, sums, "sums"), (len(ids), 3), "sums").astype(float)
    without = kept[:, 2]
    are_counts = (without % 1 == 0) & (without >= 0) & (without <= n_samples)
    _require(are_counts.all(), f"sums has undefined samples that are none of {n_samples}")
    agree = partial(_agree, records, without, n_labels, chosen)
    weight = agree(kept[:, :2, None])
    confusion = None
    if counts is not None:
        confusion = Counts(*_counts(counts, (4, n_labels), "confusion", 0, n_samples, weight))
    if bins is not None:
        bins = _bins(bins, n_samples, n_labels, weight, confusion)
    if replicates is not None:
        replicates = _replicates(replicates, ids, n_samples, n_labels, agree, confusion)
    added = {i: Sum(row[0], row[1], int(row[2])) for i, row in zip(ids, kept.tolist(), strict=True)}
    read = (n_samples, n_labels, labels, chosen, added, confusion, bins, replicates)
    return dict(zip((*_FIELDS, "bins", "replicates"), read, strict=True))


def _conventions(given: Any, n_labels: int) -> dict[str, Any]:
    """All conventions; options of single metrics may be missing, since they came later."""
    if isinstance(given, dict):
        given = own_defaults() | given
    names = checked_conventions({}, n_labels)
    values = zip(names, _only(names, given, "conventions"), strict=True)
    return checked_conventions({n: math.nan if v == "nan" else v for n, v in values}, n_labels)


def _records(sums: Any, are_sets: bool, chosen: Conventions) -> list[catalogue.Metric]:
    """The metrics of predictions, of scores, or of both, that are to be among the sums."""
    of_sets, of_scores = summed("y_pred", chosen), summed("y_score", chosen)
    are_scores = isinstance(sums, dict) and any(record.id in sums for record in of_scores)
    return of_sets * are_sets + of_scores * (are_scores or not are_sets)


def _agree(
    records: list[catalogue.Metric],
    without: NDArray[Any],
    n_labels: int,
    chosen: Conventions,
    sums: NDArray[Any],
) -> NDArray[Any]:
    """The weight of all samples, if each metric has it, and a mean within its range."""
    per_sample = [record.along == "sample" for record in records]
    heaviest: NDArray[Any] = sums[per_sample, 1].max(axis=0)
    for record, (total, weight), none in zip(records, sums, without, strict=True):
        ends = [float(end) for end in record.bounds(n_labels, chosen)]
        if none:
            worth = chosen["undefined"]
            ends += [0.0, 1.0] if worth is None else [] if worth != worth else [worth]
        slack = 1e-9 * max(1, *map(abs, ends)) * weight
        fits = (min(ends) * weight - slack <= total) & (total <= max(ends) * weight + slack)
        _require(fits.all(), f"{record.id} adds up to more or less than its weight allows")
        is_free = none or record.along == "all"
        weighs = weight >= 0 if is_free else np.isclose(weight, heaviest, rtol=1e-9, atol=0)
        _require(weighs.all(), f"{record.id} weighs more or less than other metrics")
    return heaviest


def _bins(
    stored: Any, n_samples: int, n_labels: int, weight: Any, confusion: Counts | None
) -> Bins:
    are_three = isinstance(stored, list) and len(stored) == 3
    _require(are_three, f"bins is {shortened(stored)} and not cuts and two tables of counts")
    cuts = checked_cuts(_numbers(stored[0], (None,), "cuts"))
    shape = 2, n_labels, len(cuts) + 1
    found = _counts(stored[1:], shape, "bins", (0, 2), n_samples, weight)
    if confusion is not None:
        of_label = found[0].sum(axis=1), confusion.tp + confusion.fn
        _require(
            np.allclose(*of_label, rtol=1e-9, atol=0), "bins has other positives than confusion"
        )
    return Bins(cuts, *found)


def _replicates(
    stored: Any, ids: list[str], n_samples: int, n_labels: int, agree: Any, confusion: Any
) -> Replicates:
    keys = ("seed", "rows", "sums", "confusion")
    seed, rows, sums, counts = _only(keys, stored, "replicates")
    inputs.whole(seed, "seed", 0, LARGEST_SEED)
    ranges = _numbers(rows, (None, 2), "rows")
    grow = ranges.dtype.kind == "i" and (np.diff(ranges.ravel(), prepend=-1) > 0).all()
    number = (ranges[:, 1] - ranges[:, 0]).sum()
    _require(grow and number == n_samples, f"rows is not {n_samples} rows in growing order")
    kept = _numbers(_only(ids, sums, "replicates"), (len(ids), 2, None), "replicates") * 1.0
    _require(kept.size, "replicates has no number")
    weight = agree(kept)
    _require((counts is None) == (confusion is None), "replicates and confusion do not agree")
    if counts is not None:
        shape, what = (4, len(weight), n_labels), "confusion of replicates"
        counts = Counts(*_counts(counts, shape, what, 0, None, weight[:, None]))
    return Replicates(seed, tuple((first, end) for first, end in rows), kept, counts)


# ---------------------------------------------------------------------------- what holds


def _require(holds: Any, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def _only(keys: Collection[str], mapping: Any, what: str) -> list[Any]:
    """The values of these keys, in their order, if a mapping has them and no others."""
    _require(isinstance(mapping, dict), f"{what} is {shortened(mapping)} and no mapping")
    for key in keys:
        _require(key in mapping, f"{key} is missing from {what}")
    for key in mapping:
        _require(key in keys, f"{what} has {shortened(key)}, which it cannot have")
    return [mapping[key] for key in keys]


def _numbers(stored: Any, shape: tuple[int | None, ...], what: str) -> NDArray[Any]:
    """An array of this shape, None being any size: of whole numbers where all are, else of floats."""
    try:
        found = np.array(stored)
    except (ValueError, OverflowError):  # lists of different lengths, whole numbers too large
        found = np.array(None)
    fits = found.dtype.kind in "if" and found.ndim == len(shape)
    fits = fits and all(n in (None, size) for n, size in zip(shape, found.shape, strict=True))
    most = _LARGEST if found.dtype.kind == "f" else _MOST
    sizes = " × ".join(str(n or "n") for n in shape)
    otherwise = f"{what} is not {sizes} finite numbers"
    _require(fits and ((found >= -most) & (found <= most)).all(), otherwise)
    return found


def _counts(
    stored: Any, shape: tuple[int, ...], what: str, axis: Any, number: int | None, weight: Any
) -> NDArray[Any]:
    """Counts of which those of each label add up to all samples, or to their weight."""
    found = _numbers(stored, shape, what)
    _require((found >= 0).all(), f"{what} holds a number below 0")
    whole = number if number and found.dtype.kind == "i" else weight
    adds_up = np.allclose(found.sum(axis=axis), whole, rtol=1e-9, atol=0)
    _require(adds_up, f"the counts of a label in {what} do not add up to all samples")
    return found
