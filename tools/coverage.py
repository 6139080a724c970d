"""How often an interval contains the true value, in simulations where the true value is known.

python -m tools.coverage

The samples of a data set are independent, but the labels of a sample depend on each other, and so
do its mistakes. Other data sets are drawn with replacement from the emoji, half as many samples, or
have one rare label with a random number of positives, where at least one cell is true or predicted.
The record, which is the same on every run, is notebooks/mlm_course/records/coverage.json.
"""

import json
import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache, partial
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
from tools import RECORDS

RECORD = RECORDS / "coverage.json"
SAMPLES, DATA_SETS, SEED = 150, 1000, 1
POPULATION = 1_000_000  # samples that represent the population
LEVEL, RESAMPLES = 0.95, 1000
PREVALENCES = (0.5, 0.3, 0.2, 0.1)  # shares of samples with a label, without the rarest label
NOISE = (0.8, 0.9)  # standard deviations of two models' errors; that of the latent variable is 1
METHODS = ("ours", "percentile")
LABELS = (300, 3, 0.7), (800, 6, 0.3), (800, 6, 0.9), (800, 20, 0.7)  # see `Case.label`
FALSE_ALARM_RATE = 0.001  # in cases of one label
RARE_SUPPORT = 20  # an emoji label with at most so many samples is rare


class Case(NamedTuple):
    """A metric of the first model, or its difference from the second, on one kind of data sets."""

    metric: Any
    compared: bool = False
    rarest: float = 0.05  # the prevalence of the rarest label
    of_emoji: bool = False
    label: tuple[int, int, float] | None = None  # the only one: samples, mean positives, recall

    @property
    def name(self) -> str:
        """The metric, and how the case differs from the default."""
        if self.label:
            return "F1 of a label, {1} of {0}, recall {2}".format(*self.label)
        name = catalogue.full_name(self.metric) + ", difference" * self.compared
        return name + ", rare label" * (self.rarest < 0.05) + ", emoji" * self.of_emoji


micro_f1 = emoji.MICRO_F1
_METRICS = (
    exact_match.subset_accuracy, example_based.f1, hamming.hamming_loss, micro_f1, label_based.f1,
    ranking.coverage, ranking.ranking_loss, ranking.average_precision, curves.average_precision,
    curves.roc_auc, partial(top_k.precision, k=1),
)  # fmt: skip
EMOJI = Case(label_based.f1, of_emoji=True)
CASES = (
    *map(Case, _METRICS),
    *(Case(m, compared=True) for m in (micro_f1, label_based.f1, ranking.average_precision)),
    *(Case(metric, rarest=0.02) for metric in (label_based.f1, curves.average_precision)),
    EMOJI,
    *(Case(label_based.f1, label=label) for label in LABELS),
)


class Data(NamedTuple):
    """Truth, and scores of one or two models; labels are predicted from their thresholds on."""

    truth: NDArray[np.int8]
    scores: tuple[NDArray[np.float64], ...]
    thresholds: tuple[NDArray[np.float64], ...]

    def predictions(self, metric: Any) -> list[Any]:
        """The scores or the label sets of each model, as the metric requires."""
        if catalogue.record_of(metric).reads == "y_score":
            return list(self.scores)
        models = zip(self.scores, self.thresholds, strict=True)
        return [(score >= threshold).astype(np.int8) for score, threshold in models]


def draw_samples(seed: Sequence[int], n_samples: int, rarest: float) -> Data:
    """Samples whose latent variables and score errors correlate by one half between labels."""
    rng = np.random.default_rng(seed)
    prevalences = (*PREVALENCES, rarest)

    def correlated_normals() -> NDArray[np.float64]:
        """Standard normal numbers (n_samples, n_labels); a sample's labels share one half."""
        of_sample = rng.normal(size=(n_samples, 1))
        of_cell = rng.normal(size=(n_samples, len(prevalences)))
        return (of_sample + of_cell) * math.sqrt(0.5)

    latent = correlated_normals()
    threshold = np.array([NormalDist().inv_cdf(1 - prevalence) for prevalence in prevalences])
    scores = tuple(latent + noise * correlated_normals() for noise in NOISE)
    # Each label is predicted as often as it is true.
    thresholds = tuple(threshold * math.sqrt(1 + noise**2) for noise in NOISE)
    return Data((latent > threshold).astype(np.int8), scores, thresholds)


def draw_label(seed: Sequence[int], n_samples: int, mean_positives: int, recall: float) -> Data:
    """Samples of one label, true or predicted at least once; the score is the prediction."""
    rng = np.random.default_rng(seed)
    truth = score = np.zeros((n_samples, 1), dtype=bool)
    while not (truth.any() or score.any()):
        truth = rng.random((n_samples, 1)) < mean_positives / n_samples
        score = rng.random((n_samples, 1)) < np.where(truth, recall, FALSE_ALARM_RATE)
    return Data(truth.astype(np.int8), (score.astype(float),), (np.ones(1),))


@lru_cache(2)
def population(rarest: float, of_emoji: bool) -> Data:
    """A million samples, or all emoji, with the thresholds that are best on all of them."""
    if not of_emoji:
        return draw_samples([SEED], POPULATION, rarest)
    y, scores = emoji.load().y, [emoji.scores()[model] for model in ("trees", "neighbours")]
    best = [np.array(thresholds.tune(micro_f1, y, score)) for score in scores]
    return Data(y.astype(np.int8), tuple(scores), tuple(best))


def data_set(case: Case, number: int) -> Data:
    """The data set of a case with a number, its seed; of emoji a resample of half as many."""
    if case.label:
        return draw_label([SEED, number], *case.label)
    if not case.of_emoji:
        return draw_samples([SEED, number], SAMPLES, case.rarest)
    truth, scores, best = population(case.rarest, case.of_emoji)
    rows = np.random.default_rng([SEED, number]).integers(len(truth), size=len(truth) // 2)
    return Data(truth[rows], tuple(score[rows] for score in scores), best)


@cache
def true_value(case: Case) -> float:
    """The metric, or the difference, in the population.

    F1 of one label is computed from its expected counts.
    """
    if case.label:
        n_samples, positives, recall = case.label
        false_alarms = FALSE_ALARM_RATE * (n_samples - positives)
        return 2 * positives * recall / (positives * (1 + recall) + false_alarms)
    data = population(case.rarest, case.of_emoji)
    predictions = data.predictions(case.metric)
    first, second = (case.metric(data.truth, prediction) for prediction in predictions)
    return float(first - second if case.compared else first)


class Estimate(NamedTuple):
    """The value on one data set, and the ends of its interval by each method."""

    value: float
    ends: dict[str, tuple[float, float]]


def estimate(case: Case, number: int) -> Estimate:
    """The estimate from the data set with a number, which is also the seed of its resamples."""
    data = data_set(case, number)
    first, *others = data.predictions(case.metric)
    predictions = {"first": first, "second": others[0]} if case.compared else {"first": first}
    models = uncertainty.resample(case.metric, data.truth, predictions, RESAMPLES, seed=number)
    resamples = models[0].minus(models[1]) if case.compared else models[0]
    if case.label:  # Wilson's interval, without resamples
        (ours,) = uncertainty.per_label(case.metric, data.truth, first, level=LEVEL)
    else:
        ours = uncertainty.bca_interval(resamples, LEVEL)
    low, high = np.nanquantile(resamples.resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    ends = {"ours": (ours.low, ours.high), "percentile": (float(low), float(high))}
    return Estimate(ours.value, ends)


def record_row(
    case: Case, numbers: Sequence[int], estimates: Sequence[Estimate], truth: float
) -> dict[str, Any]:
    """The row of a case in the record: how many data sets' intervals miss the truth."""
    numbered = list(zip(numbers, estimates, strict=True))
    misses = {
        method: {
            "too low": [n for n, estimate in numbered if estimate.ends[method][1] < truth],
            "too high": [n for n, estimate in numbered if estimate.ends[method][0] > truth],
        }
        for method in METHODS
    }
    mean = round(float(np.mean([estimate.value for estimate in estimates])), 6)
    head = {"name": case.name, "rarest": case.rarest, "truth": round(truth, 6), "mean": mean}
    return head | misses


def simulate(case: Case) -> dict[str, Any]:
    """The row of a case in the record, from new simulations, which take some minutes."""
    numbers = range(DATA_SETS)
    with ProcessPoolExecutor() as workers:
        results = workers.map(partial(estimate, case), numbers, chunksize=10)
        return record_row(case, numbers, [*tqdm(results, case.name, DATA_SETS)], true_value(case))


def n_misses_of_rare_emoji() -> list[int]:
    """For each rare emoji label, how many data sets have an F1 interval that misses the truth."""
    whole, metric = population(EMOJI.rarest, EMOJI.of_emoji), label_based.f1
    is_rare = emoji.load().y.sum(axis=0) <= RARE_SUPPORT
    f1: Any = metric(whole.truth, whole.predictions(metric)[0], average=None)
    n_misses = np.zeros(is_rare.sum(), dtype=int)
    for data in map(partial(data_set, EMOJI), range(DATA_SETS)):
        y_pred = data.predictions(metric)[0][:, is_rare]
        intervals = uncertainty.per_label(metric, data.truth[:, is_rare], y_pred, level=LEVEL)
        low, high = np.transpose([(interval.low, interval.high) for interval in intervals])
        n_misses += (low > f1[is_rare]) | (high < f1[is_rare])
    return [int(n) for n in n_misses]


def as_json(rows: Iterable[dict[str, Any]], n_misses: list[int]) -> str:
    """The record as JSON: a line for each case, and one for the rare emoji labels."""
    head = {
        "samples": SAMPLES, "labels": len(PREVALENCES) + 1, "level": LEVEL,
        "n_resamples": RESAMPLES, "data_sets": DATA_SETS, "seed": SEED, "population": POPULATION,
    }  # fmt: skip
    top = json.dumps(head, indent=1).removesuffix("\n}")
    body = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{top},\n "rows": [\n{body}\n ],\n "rare_emoji": {json.dumps(n_misses)}\n}}\n'


if __name__ == "__main__":
    text = as_json(map(simulate, CASES), n_misses_of_rare_emoji())
    RECORD.write_text(text, encoding="utf-8", newline="\n")
