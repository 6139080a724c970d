"""Scorecards as JSON; text that is no JSON, of another version or of wrong shapes is refused."""

import json
import math
from collections.abc import Mapping
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers._core.counts import Counts
from mlm_helpers.scorecard.bins import Bins, checked_cuts
from mlm_helpers.scorecard.replicates import LARGEST_SEED, Replicates
from mlm_helpers.scorecard.sums import DEFAULTS, Sum, checked_conventions, own_defaults

FORMAT = "mlm_helpers.scorecard"
VERSION = 1
_LARGEST, _MOST = 1e300, 2**54  # of a float and of a whole number, so that sums of them are finite
_REMEDY = "update the package, or compute the scorecard again"


def written(fields: Mapping[str, Any]) -> str:
    """JSON of the fields of a scorecard; bins, replicates and options per label only where there are any."""
    content = {"format": FORMAT, "version": VERSION, **fields}
    asks = {name for record in catalogue.METRICS for name in record.asks_per_label}
    content["conventions"] = {
        name: "nan" if value != value else value  # JSON has no nan
        for name, value in fields["conventions"].items()
        if value is not None or name not in asks
    }
    bins, replicates = content.pop("bins"), content.pop("replicates")
    if bins is not None:
        content["bins"] = bins
    if replicates is not None:
        sums = dict(zip(fields["sums"], replicates.sums, strict=True))
        content["replicates"] = replicates._replace(sums=sums)._asdict()
    return json.dumps(content, allow_nan=False, default=np.ndarray.tolist)


def read(text: str) -> dict[str, Any]:
    """The fields of a scorecard that was written as JSON; metrics that came later are not among its sums."""
    try:
        content = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"text is no JSON ({error}): give what to_json wrote") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(
            f"text is no scorecard, its format is not {FORMAT!r}: give what to_json wrote"
        )
    version = content.get("version")
    if type(version) is not int or version != VERSION:
        raise ValueError(
            f"the scorecard has version {shortened(version)} and this package reads version"
            f" {VERSION}: {_REMEDY}"
        )
    try:
        conventions, sums = (_mapping(content[name], name) for name in ("conventions", "sums"))
        unknown = sums.keys() - {record.id for record in catalogue.METRICS}
        unknown |= conventions.keys() - (DEFAULTS | own_defaults()).keys()
        if not unknown:
            return _fields(content, conventions, sums)
    except KeyError as error:
        raise ValueError(
            f"the scorecard is damaged, {error} is missing: compute it again"
        ) from error
    except (TypeError, ValueError) as error:
        raise ValueError(f"the scorecard is damaged, {error}: compute it again") from error
    raise ValueError(
        f"the scorecard holds {shortened(min(unknown))}, which this package does not know: {_REMEDY}"
    )


def _fields(content: Any, conventions: Any, sums: Any) -> dict[str, Any]:
    n_samples = inputs.whole(content["n_samples"], "n_samples", 1, _MOST)
    n_labels = inputs.whole(content["n_labels"], "n_labels", 1, _MOST)
    given = {name: math.nan if value == "nan" else value for name, value in conventions.items()}
    chosen = checked_conventions(given, n_labels)
    records = [record for record in catalogue.METRICS if record.id in sums]
    ids = [record.id for record in records]
    if any("k" in record.parameters for record in records):
        inputs.k(chosen["k"], n_labels)
    labels, confusion = content["labels"], content["confusion"]
    if confusion is not None:
        confusion = Counts(*_numbers(confusion, (4, n_labels), "confusion", 0))
    kept = _numbers([sums[name] for name in ids], (len(ids), 3), "sums").tolist()
    return {
        "n_samples": n_samples,
        "n_labels": n_labels,
        "labels": labels if labels is None else tuple(inputs.names(labels, n_labels, "labels")),
        "conventions": chosen,
        "sums": {
            i: Sum(float(t), float(w), int(u)) for i, (t, w, u) in zip(ids, kept, strict=True)
        },
        "confusion": confusion,
        "bins": _bins(content.get("bins"), n_labels),
        "replicates": _replicates(content.get("replicates"), ids, n_labels, confusion),
    }


def _bins(stored: Any, n_labels: int) -> Bins | None:
    if stored is None:
        return None
    cuts, *tables = stored
    cuts = checked_cuts(cuts)
    return Bins(cuts, *_numbers(tables, (2, n_labels, len(cuts) + 1), "bins", 0))


def _replicates(stored: Any, ids: list[str], n_labels: int, confusion: Any) -> Replicates | None:
    if stored is None:
        return None
    read = _mapping(stored, "replicates")
    rows = _numbers(read["rows"], (None, 2), "rows").tolist()
    kept = [_mapping(read["sums"], "replicates")[name] for name in ids]
    sums = _numbers(kept, (len(ids), 2, None), "replicates").astype(float)
    if confusion is not None:
        shape = (4, sums.shape[2], n_labels)
        confusion = Counts(*_numbers(read["confusion"], shape, "confusion of replicates", 0))
    seed = inputs.whole(read["seed"], "seed", 0, LARGEST_SEED)
    return Replicates(seed, tuple((first, end) for first, end in rows), sums, confusion)


def _mapping(stored: Any, what: str) -> dict[str, Any]:
    if not isinstance(stored, dict):
        raise TypeError(f"{what} is {shortened(stored)} and no mapping")
    return stored


def _numbers(
    stored: Any, shape: tuple[int | None, ...], what: str, least: float = -_LARGEST
) -> NDArray[Any]:
    """An array of this shape, None being any size: of whole numbers where all are, else of floats."""
    try:
        found = np.array(stored)
    except (ValueError, OverflowError):  # lists of different lengths, whole numbers too large
        found = np.array(None)
    fits = found.dtype.kind in "if" and found.size and found.ndim == len(shape)
    fits = fits and all(n in (None, size) for n, size in zip(shape, found.shape, strict=True))
    most = _LARGEST if found.dtype.kind == "f" else _MOST
    if not (fits and ((found >= max(least, -most)) & (found <= most)).all()):
        sizes = " × ".join(str(n or "n") for n in shape)
        bound = " of 0 or more" if least == 0 else ""
        raise ValueError(f"{what} is not {sizes} finite numbers{bound}")
    return found
