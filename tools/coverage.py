"""How often an interval holds the truth: data sets are simulated, so the truth is known.

python -m tools.coverage

Rows are drawn independently of each other; the labels of a row depend on each other, and so do the
mistakes in it. The result, which is the same on every run, goes to notebooks/mlm_course/records/coverage.json.
"""

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
    uncertainty,
)

RECORD = Path(__file__).parent.parent / "notebooks" / "mlm_course" / "records" / "coverage.json"
SAMPLES, DATA_SETS, SEED = 150, 1000, 1
POPULATION = 1_000_000  # samples that stand for all there are
LEVEL, RESAMPLES = 0.95, 1000
RAREST = {"usual": 0.05, "rare": 0.02}  # the share of the samples that have the rarest label
SHARES = (0.5, 0.3, 0.2, 0.1)  # of the other labels
SPREAD = (0.8, 0.9)  # of the mistakes of two models, beside the 1 of what decides a label
METHODS = ("ours", "percentile")


class Case(NamedTuple):
    """What is estimated: a metric of the first model, or how much better it is than the second."""

    metric: Any
    compared: bool = False
    rarest: str = "usual"

    @property
    def name(self) -> str:
        """The metric, and what is unusual."""
        name = catalogue.describe(self.metric)
        compared = ", difference" if self.compared else ""
        return f"{name}{compared}{', rare label' if self.rarest == 'rare' else ''}"


micro_f1 = partial(label_based.f1, average="micro")
CASES = (
    Case(exact_match.subset_accuracy),
    Case(example_based.f1),
    Case(hamming.hamming_loss),
    Case(micro_f1),
    Case(label_based.f1),
    Case(ranking.coverage),
    Case(ranking.ranking_loss),
    Case(ranking.average_precision),
    Case(curves.average_precision),
    Case(curves.roc_auc),
    Case(partial(top_k.precision, k=1)),
    Case(micro_f1, compared=True),
    Case(label_based.f1, compared=True),
    Case(ranking.average_precision, compared=True),
    Case(label_based.f1, rarest="rare"),
    Case(curves.average_precision, rarest="rare"),
)


class Data(NamedTuple):
    """Truth, and two models' scores; a score above the label's cut is a prediction."""

    truth: NDArray[np.int8]
    scores: tuple[NDArray[np.float64], ...]
    cuts: tuple[NDArray[np.float64], ...]

    def read(self, metric: Any) -> list[Any]:
        """What the metric reads of each model."""
        if catalogue.of(metric).reads == "y_score":
            return list(self.scores)
        return [(s > cut).astype(np.int8) for s, cut in zip(self.scores, self.cuts, strict=True)]


def draw(seed: Sequence[int], n_samples: int, rarest: str) -> Data:
    """Draw rows; half of what decides a label, and half of a mistake, is shared by all labels."""
    rng = np.random.default_rng(seed)
    shares = (*SHARES, RAREST[rarest])

    def dependent() -> NDArray[np.float64]:
        shared, own = rng.normal(size=(n_samples, 1)), rng.normal(size=(n_samples, len(shares)))
        return (shared + own) * math.sqrt(0.5)

    decides = dependent()
    cut = np.array([NormalDist().inv_cdf(1 - share) for share in shares])
    scores = tuple(decides + spread * dependent() for spread in SPREAD)
    cuts = tuple(cut * math.sqrt(1 + spread**2) for spread in SPREAD)  # predict as many as are true
    return Data((decides > cut).astype(np.int8), scores, cuts)


@cache
def true_value(case: Case) -> float:
    """The value in the population."""
    data = draw([SEED], POPULATION, case.rarest)
    one, two = (case.metric(data.truth, other) for other in data.read(case.metric))
    return float(one - two if case.compared else one)


class Found(NamedTuple):
    """The value of one data set, and the ends of its intervals, by the method."""

    value: float
    ends: dict[str, tuple[float, float]]


def found(case: Case, number: int) -> Found:
    """Draw the data set of a number, and put intervals around its value."""
    data = draw([SEED, number], SAMPLES, case.rarest)
    others = dict(zip(("first", "second"), data.read(case.metric), strict=True))
    if not case.compared:
        del others["second"]
    drawn = uncertainty.drawn(case.metric, data.truth, others, RESAMPLES, number)
    one = drawn[0].minus(drawn[1]) if case.compared else drawn[0]
    ours = uncertainty.between(one, LEVEL)
    known = one.resampled[~np.isnan(one.resampled)]
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    ends = ((ours.low, ours.high), (float(low), float(high)))
    return Found(ours.value, dict(zip(METHODS, ends, strict=True)))


def row(
    case: Case, numbers: Iterable[int], results: Sequence[Found], truth: float
) -> dict[str, Any]:
    """What the record says of a case: the data sets whose intervals miss the truth, by their numbers."""
    said: dict[str, Any] = {
        "name": case.name,
        "rarest": RAREST[case.rarest],
        "truth": round(truth, 6),
        "mean": round(float(np.mean([one.value for one in results])), 6),
    }
    numbered = list(zip(numbers, results, strict=True))
    for method in METHODS:
        said[method] = {
            "too low": [i for i, one in numbered if one.ends[method][1] < truth],
            "too high": [i for i, one in numbered if one.ends[method][0] > truth],
        }
    return said


def simulated(case: Case, data_sets: int = DATA_SETS) -> dict[str, Any]:
    """What the record says of a case; some minutes."""
    numbers = range(data_sets)
    with ProcessPoolExecutor() as workers:
        results = workers.map(partial(found, case), numbers, chunksize=10)
        bar = tqdm(results, case.name, total=data_sets)
        return row(case, numbers, list(bar), true_value(case))


def written(rows: Iterable[dict[str, Any]]) -> str:
    """The record as JSON, a line for each case."""
    head = {
        "samples": SAMPLES,
        "labels": len(SHARES) + 1,
        "level": LEVEL,
        "n_resamples": RESAMPLES,
        "data_sets": DATA_SETS,
        "seed": SEED,
        "population": POPULATION,
    }
    top = json.dumps(head, indent=1).removesuffix("\n}")
    body = ",\n".join(f"  {json.dumps(one)}" for one in rows)
    return f'{top},\n "rows": [\n{body}\n ]\n}}\n'


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate data sets, and write how many of their intervals miss the truth."""
    parser = argparse.ArgumentParser(prog="python -m tools.coverage", description=main.__doc__)
    names = [case.name for case in CASES]
    help_only = "simulate these again, and keep what the record says of the others"
    parser.add_argument("--only", nargs="+", choices=names, metavar="CASE", help=help_only)
    parser.add_argument("--out", type=Path, default=RECORD, help="default: %(default)s")
    options = parser.parse_args(arguments)
    rows = {}
    if options.only:
        rows = {one["name"]: one for one in json.loads(options.out.read_text("utf-8"))["rows"]}
    for case in CASES:
        if not options.only or case.name in options.only:
            rows[case.name] = simulated(case)
    kept = [rows[name] for name in names if name in rows]
    options.out.write_text(written(kept), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
