"""The sections of a run; each takes the sizes and returns what goes under its name in the results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple

from benchmarks import data, scale
from benchmarks.contests import OURS, RANKING_METRICS, SCORE_METRICS, SET_METRICS, Contest, contest
from benchmarks.measure import (
    Tool,
    check_equal,
    exponent,
    extra_memory,
    race,
    read_once,
    rounded,
    sort_scores,
)
from mlm_helpers import uncertainty

DENSITY = 0.05
FEW = ("samples F1", "macro F1", "coverage", "ranking loss", "average precision")
DECIMALS = 4  # of the scores in `scores`
RESAMPLES = 200  # in `resampling`
UNITS = {"scores": ("sorts", sort_scores)}  # what a section's times are a multiple of: else "reads"
LIMIT = 20.0  # seconds; a point of a growth curve that is foreseen to take longer is not run
PATIENCE = 4.0  # seconds; a point of a growth curve that has taken longer is not run again


@dataclass(frozen=True)
class Sizes:
    """How large the data of a run are."""

    dense: tuple[int, int]
    sparse: tuple[int, int]
    samples: tuple[int, ...]  # growth with samples, of as many labels as `dense`
    labels: tuple[int, ...]  # growth with labels, of `few_samples`
    few_samples: int
    densities: tuple[float, ...]  # growth with density, at the size of `dense`
    files: tuple[int, int, int]  # samples, labels and samples a chunk, in `at_scale`
    workers: tuple[int, ...]  # of Dask, in `at_scale`
    extreme: tuple[int, int]  # sparse, in `at_scale`
    top_k: tuple[int, int]  # sparse, in `scores`
    per_sample: int = 5  # labels a sample, in `sparse` and `extreme`


FULL = Sizes(
    dense=(100_000, 100),
    sparse=(300_000, 30_000),
    samples=(10_000, 100_000, 1_000_000),
    labels=(10, 100, 1_000, 10_000),
    few_samples=2_000,
    densities=(0.01, 0.05, 0.2, 0.5),
    files=(300_000_000, 5, 100_000),
    workers=(1, 2),
    extreme=(1_000_000, 500_000),
    top_k=(200_000, 100_000),
)
QUICK = Sizes(
    dense=(300, 10),
    sparse=(300, 50),
    samples=(200, 300),
    labels=(10, 20),
    few_samples=200,
    densities=(0.05, 0.2),
    files=(2_000, 5, 300),
    workers=(1,),
    extreme=(300, 500),
    top_k=(300, 500),
)


def report(line: str) -> None:
    """Say on the error stream how far the run has come."""
    print(line, file=sys.stderr, flush=True)


# ------------------------------------------------------------------------------- tables


def dense(sizes: Sizes) -> dict[str, Any]:
    """Measure every kind of metric on dense arrays."""
    samples, labels = sizes.dense
    given = data.dense(samples, labels, DENSITY)
    contests = [contest(metric) for metric in (*SET_METRICS, *RANKING_METRICS)]
    rows = [_row("dense", one, given) for one in contests]
    return {"samples": samples, "labels": labels, "density": DENSITY, "rows": rows}


def sparse(sizes: Sizes) -> dict[str, Any]:
    """Measure the set metrics on CSR arrays; nothing where SciPy is not installed."""
    if find_spec("scipy") is None:
        return {}
    samples, labels = sizes.sparse
    given = data.sparse(samples, labels, sizes.per_sample)
    rows = [_row("sparse", contest(metric, sparse=True), given) for metric in SET_METRICS]
    return {"samples": samples, "labels": labels, "per_sample": sizes.per_sample, "rows": rows}


def scores(sizes: Sizes) -> dict[str, Any]:
    """Measure curves and top k on scores of which some are tied, then top k on CSR scores."""
    samples, labels = sizes.dense
    given = data.dense(samples, labels, DENSITY, decimals=DECIMALS)
    rows = [_row("scores", contest(metric), given) for metric in SCORE_METRICS]
    measured: dict[str, Any] = {"samples": samples, "labels": labels, "density": DENSITY}
    measured |= {"decimals": DECIMALS, "scores_mib": rounded(given.score.nbytes / 2**20)}
    measured["rows"] = rows
    if find_spec("scipy") is not None:
        measured["sparse"] = scale.top_k(*sizes.top_k)
        report(f"scores: {measured['sparse']}")
    return measured


def resampling(sizes: Sizes) -> dict[str, Any]:
    """Measure an interval of macro F1 beside macro F1 itself."""
    samples, labels = sizes.dense
    given = data.dense(samples, labels, DENSITY)
    metric = contest("macro F1").tools[OURS].function

    def resampled(y_true: Any, y_pred: Any) -> float:
        return uncertainty.interval(metric, y_true, y_pred, n_resamples=RESAMPLES).value

    def fresh() -> tuple[Any, Any]:
        return given.fresh("y_pred")

    tools = {"interval": Tool(resampled), "once": Tool(metric)}
    results = race(tools, fresh)
    check_equal("macro F1", tools, results)
    measured = {
        "samples": samples,
        "labels": labels,
        "density": DENSITY,
        "n_resamples": RESAMPLES,
        "ms": {name: _milliseconds(result.seconds) for name, result in results.items()},
        "evaluations": rounded(results["interval"].seconds / results["once"].seconds, 2),
        "extra_mib": rounded(extra_memory(resampled, *fresh()) / 2**20),
        "data_mib": rounded(sum(matrix.nbytes for matrix in fresh()) / 2**20),
    }
    report(f"resampling: {measured}")
    return measured


def _row(section: str, one: Contest, given: data.Dense | data.Sparse) -> dict[str, Any]:
    """One metric: each tool's milliseconds, ours in reads or sorts of the input, our extra MiB."""

    def fresh() -> tuple[Any, Any]:
        return given.fresh(one.reads)

    unit, once = UNITS.get(section, ("reads", read_once))
    results = race(one.tools | {unit: Tool(once)}, fresh)
    read = results.pop(unit).seconds
    check_equal(one.metric, one.tools, results)
    row = {
        "metric": one.metric,
        "ms": {name: _milliseconds(result.seconds) for name, result in results.items()},
        unit: rounded(results[OURS].seconds / read, 2),
        "extra_mib": rounded(extra_memory(one.tools[OURS].function, *fresh()) / 2**20),
    }
    report(f"{section}: {row}")
    return row


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else rounded(1000 * seconds)


# ------------------------------------------------------------------------------- growth


class Point(NamedTuple):
    """A place on a growth curve: what grows, and the data."""

    size: float
    samples: int
    labels: int
    density: float


def growth(sizes: Sizes) -> dict[str, Any]:
    """Measure a few metrics while the samples, the labels or the density grow."""
    samples, labels = sizes.dense
    share = f"{DENSITY:.0%} of the cells positive".replace("%", " %")
    with_labels = [Point(n, sizes.few_samples, n, DENSITY) for n in sizes.labels]
    with_density = [Point(d, samples, labels, d) for d in sizes.densities]
    return {
        "limit_s": LIMIT,
        "patience_s": PATIENCE,
        "samples": _curves(
            f"{labels:,} labels, {share}", [Point(n, n, labels, DENSITY) for n in sizes.samples]
        ),
        "labels": _curves(f"{sizes.few_samples:,} samples, {share}", with_labels),
        "density": _curves(f"{samples:,} samples, {labels:,} labels", with_density),
    }


def _curves(data_of: str, points: list[Point]) -> dict[str, Any]:
    """Milliseconds of each metric and tool at each point, None where not run, and the exponents."""
    contests = [contest(metric) for metric in FEW]
    seconds: dict[str, dict[str, list[float | None]]] = {
        one.metric: {name: [] for name in one.tools} for one in contests
    }
    for i, point in enumerate(points):
        given = data.dense(*point[1:])
        for one in contests:
            before = seconds[one.metric]
            tools = {
                name: tool
                for name, tool in one.tools.items()
                if i == 0 or _foreseen(before[name][-1], points[i - 1], point) <= LIMIT
            }
            times = _timed(one, tools, given)
            for name in one.tools:
                before[name].append(times.get(name))
            shown = {name: _milliseconds(times.get(name)) for name in one.tools}
            report(f"growth: {data_of}: {point.size:g}: {one.metric}: {shown}")
    sizes = [point.size for point in points]
    return {
        "data": data_of,
        "sizes": sizes,
        "ms": {m: _each(tools, lambda t: list(map(_milliseconds, t))) for m, tools in seconds.items()},
        "exponents": {
            m: _each(tools, lambda t: rounded(exponent(sizes, t), 2)) for m, tools in seconds.items()
        },
    }  # fmt: skip


def _each(tools: dict[str, list[float | None]], change: Callable[[Any], Any]) -> dict[str, Any]:
    return {name: change(times) for name, times in tools.items()}


def _foreseen(before: float | None, last: Point, point: Point) -> float:
    """Seconds at a point, in proportion to the cells of the last one; infinite if that was not run."""
    if before is None:
        return float("inf")
    return before * (point.samples * point.labels) / (last.samples * last.labels)


def _timed(one: Contest, tools: dict[str, Tool], given: data.Dense) -> dict[str, float]:
    if not tools:
        return {}
    results = race(tools, lambda: given.fresh(one.reads), patience=PATIENCE)
    check_equal(one.metric, tools, results)
    return {name: result.seconds for name, result in results.items()}


# -------------------------------------------------------------------------------- scale


def at_scale(sizes: Sizes) -> dict[str, Any]:
    """Measure scorecards of much data; nothing where Dask or SciPy is not installed."""
    if find_spec("distributed") is None or find_spec("scipy") is None:
        return {}
    measured = {"extreme": scale.extreme(*sizes.extreme, sizes.per_sample)}
    report(f"scale: {measured}")
    measured = {"files": scale.on_disk(*sizes.files, sizes.workers), **measured}
    report(f"scale: {measured['files']}")
    return measured


SECTIONS: dict[str, Callable[[Sizes], dict[str, Any]]] = {
    "dense": dense,
    "sparse": sparse,
    "scores": scores,
    "resampling": resampling,
    "growth": growth,
    "scale": at_scale,
}
"""Name in the results to the function that measures it; a further section has its place here."""


def run(sizes: Sizes, names: Iterable[str] = tuple(SECTIONS)) -> dict[str, Any]:
    """Measure sections; one without anything to measure is left out."""
    measured = {name: SECTIONS[name](sizes) for name in names}
    return {name: result for name, result in measured.items() if result}
