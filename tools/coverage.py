"""How often an interval holds the truth: data sets are simulated, so the truth is known.

python -m tools.coverage

Rows are drawn independently of each other; the labels of a row depend on each other, and so do the
mistakes in it. Other data sets are half as many rows as the emoji have, drawn from them with replacement,
or have one rare label, whose positives are drawn, too; they have at least one that is true or predicted.
The result, which is the same on every run, goes to notebooks/mlm_course/records/coverage.json.
"""

import json
import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache, partial
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from mlm_course import emoji
from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    thresholds,
    top_k,
    uncertainty,
)

RECORD = Path(__file__).parent.parent / "notebooks" / "mlm_course" / "records" / "coverage.json"
SAMPLES, DATA_SETS, SEED = 150, 1000, 1
POPULATION = 1_000_000  # samples that stand for all there are
LEVEL, RESAMPLES = 0.95, 1000
SHARES = (0.5, 0.3, 0.2, 0.1)  # of the samples that have a label, but for the rarest label
SPREAD = (0.8, 0.9)  # of the mistakes of two models, beside the 1 of what decides a label
METHODS = ("ours", "percentile")
LABELS = (300, 3, 0.7), (800, 6, 0.3), (800, 6, 0.9), (800, 20, 0.7)  # see `Case`
FALSE_ALARMS = 0.001  # of the samples without the label, where there is one label
FEW = 20  # emoji that a rare label has at most


class Case(NamedTuple):
    """What is estimated: a metric of the first model, or how much better it is than the second."""

    metric: Any
    compared: bool = False
    rarest: float = 0.05
    of_emoji: bool = False
    label: tuple[int, int, float] | None = None  # alone: samples, positives on average, recall

    @property
    def name(self) -> str:
        """The metric, and what is unusual."""
        if self.label:
            return "F1 of a label, {1} of {0}, recall {2}".format(*self.label)
        name = catalogue.full_name(self.metric) + ", difference" * self.compared
        return name + ", rare label" * (self.rarest < 0.05) + ", emoji" * self.of_emoji


micro_f1 = emoji.MICRO_F1
_ALONE = (
    exact_match.subset_accuracy, example_based.f1, hamming.hamming_loss, micro_f1, label_based.f1,
    ranking.coverage, ranking.ranking_loss, ranking.average_precision, curves.average_precision,
    curves.roc_auc, partial(top_k.precision, k=1),
)  # fmt: skip
EMOJI = Case(label_based.f1, of_emoji=True)
CASES = (
    *map(Case, _ALONE),
    *(Case(m, compared=True) for m in (micro_f1, label_based.f1, ranking.average_precision)),
    *(Case(metric, rarest=0.02) for metric in (label_based.f1, curves.average_precision)),
    EMOJI,
    *(Case(label_based.f1, label=label) for label in LABELS),
)


class Data(NamedTuple):
    """Truth, and two models' scores; a score of at least the label's threshold is a prediction."""

    truth: NDArray[np.int8]
    scores: tuple[NDArray[np.float64], ...]
    thresholds: tuple[NDArray[np.float64], ...]

    def read(self, metric: Any) -> list[Any]:
        """What the metric reads of each model."""
        if catalogue.record_of(metric).reads == "y_score":
            return list(self.scores)
        both = zip(self.scores, self.thresholds, strict=True)
        return [(score >= threshold).astype(np.int8) for score, threshold in both]


def draw(seed: Sequence[int], n_samples: int, rarest: float) -> Data:
    """Draw rows; half of what decides a label, and half of a mistake, is shared by all labels."""
    rng = np.random.default_rng(seed)
    shares = (*SHARES, rarest)

    def dependent() -> NDArray[np.float64]:
        shared, own = rng.normal(size=(n_samples, 1)), rng.normal(size=(n_samples, len(shares)))
        return (shared + own) * math.sqrt(0.5)

    decides = dependent()
    threshold = np.array([NormalDist().inv_cdf(1 - share) for share in shares])
    scores = tuple(decides + spread * dependent() for spread in SPREAD)
    # As many are predicted as are true.
    thresholds = tuple(threshold * math.sqrt(1 + spread**2) for spread in SPREAD)
    return Data((decides > threshold).astype(np.int8), scores, thresholds)


def draw_label(seed: Sequence[int], samples: int, positives: int, recall: float) -> Data:
    """Draw one label until a sample has it or is predicted to; its score is 1 where it is predicted, else 0."""
    rng = np.random.default_rng(seed)
    truth = score = np.zeros((samples, 1), dtype=bool)
    while not (truth.any() or score.any()):
        truth = rng.random((samples, 1)) < positives / samples
        score = rng.random((samples, 1)) < np.where(truth, recall, FALSE_ALARMS)
    return Data(truth.astype(np.int8), (score.astype(float),), (np.ones(1),))


@lru_cache(2)
def population(rarest: float, of_emoji: bool = False) -> Data:
    """All there are; the thresholds of emoji are tuned on all of them."""
    if not of_emoji:
        return draw([SEED], POPULATION, rarest)
    y, scores = emoji.load().y, [emoji.scores()[model] for model in ("trees", "neighbours")]
    best = [np.array(thresholds.tune(micro_f1, y, score)) for score in scores]
    return Data(y.astype(np.int8), tuple(scores), tuple(best))


def data_set(case: Case, number: int) -> Data:
    """The data set of a number; of the emoji half as many as there are, drawn with replacement."""
    if case.label:
        return draw_label([SEED, number], *case.label)
    if not case.of_emoji:
        return draw([SEED, number], SAMPLES, case.rarest)
    truth, scores, best = population(case.rarest, case.of_emoji)
    rows = np.random.default_rng([SEED, number]).integers(len(truth), size=len(truth) // 2)
    return Data(truth[rows], tuple(score[rows] for score in scores), best)


@cache
def true_value(case: Case) -> float:
    """The value in the population."""
    if case.label:
        samples, positives, recall = case.label
        false_alarms = FALSE_ALARMS * (samples - positives)
        return 2 * positives * recall / (positives * (1 + recall) + false_alarms)
    data = population(case.rarest, case.of_emoji)
    one, two = (case.metric(data.truth, other) for other in data.read(case.metric))
    return float(one - two if case.compared else one)


class Estimate(NamedTuple):
    """The value of one data set, and the ends of its intervals, by the method."""

    value: float
    ends: dict[str, tuple[float, float]]


def estimate(case: Case, number: int) -> Estimate:
    """Draw the data set of a number, and put intervals around its value."""
    data = data_set(case, number)
    others = data.read(case.metric)[: 2 if case.compared else 1]
    drawn = uncertainty.resample(
        case.metric, data.truth, dict(enumerate(others)), RESAMPLES, number
    )
    one = drawn[0].minus(drawn[1]) if case.compared else drawn[0]
    ours = uncertainty.bca_interval(one, LEVEL)
    if case.label:
        (ours,) = uncertainty.per_label(case.metric, data.truth, others[0], level=LEVEL)
    low, high = np.nanquantile(one.resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    ends = ((ours.low, ours.high), (float(low), float(high)))
    return Estimate(ours.value, dict(zip(METHODS, ends, strict=True)))


def row(
    case: Case, numbers: Sequence[int], results: Sequence[Estimate], truth: float
) -> dict[str, Any]:
    """A case in the record, with the numbers of the data sets whose intervals miss the truth."""
    numbered = list(zip(numbers, results, strict=True))
    misses = {
        method: {
            "too low": [i for i, one in numbered if one.ends[method][1] < truth],
            "too high": [i for i, one in numbered if one.ends[method][0] > truth],
        }
        for method in METHODS
    }
    mean = round(float(np.mean([one.value for one in results])), 6)
    head = {"name": case.name, "rarest": case.rarest, "truth": round(truth, 6), "mean": mean}
    return head | misses


def simulated(case: Case) -> dict[str, Any]:
    """A case in the record; some minutes."""
    numbers = range(DATA_SETS)
    with ProcessPoolExecutor() as workers:
        results = workers.map(partial(estimate, case), numbers, chunksize=10)
        return row(case, numbers, [*tqdm(results, case.name, DATA_SETS)], true_value(case))


def rare_emoji() -> list[int]:
    """In how many data sets the interval of each rare label's F1 misses that of all emoji."""
    rare, every = emoji.load().y.sum(axis=0) <= FEW, population(EMOJI.rarest, EMOJI.of_emoji)
    f1: Any = label_based.f1(every.truth, every.read(label_based.f1)[0], average=None)
    missed = np.zeros(rare.sum(), dtype=int)
    for data in map(partial(data_set, EMOJI), range(DATA_SETS)):
        both = data.truth[:, rare], data.read(label_based.f1)[0][:, rare]
        intervals = uncertainty.per_label(label_based.f1, *both, level=LEVEL)
        low, high = np.transpose([one[1:3] for one in intervals])
        missed += (low > f1[rare]) | (high < f1[rare])
    return [int(n) for n in missed]


def written(rows: Iterable[dict[str, Any]], missed: list[int]) -> str:
    """The record as JSON, a line for each case, and one for the rare labels of the emoji."""
    head = {
        "samples": SAMPLES, "labels": len(SHARES) + 1, "level": LEVEL, "n_resamples": RESAMPLES,
        "data_sets": DATA_SETS, "seed": SEED, "population": POPULATION,
    }  # fmt: skip
    top = json.dumps(head, indent=1).removesuffix("\n}")
    body = ",\n".join(f"  {json.dumps(one)}" for one in rows)
    return f'{top},\n "rows": [\n{body}\n ],\n "rare_emoji": {json.dumps(missed)}\n}}\n'


if __name__ == "__main__":
    text = written(map(simulated, CASES), rare_emoji())
    RECORD.write_text(text, encoding="utf-8", newline="\n")
