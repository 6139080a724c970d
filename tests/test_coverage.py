"""The simulation of how often intervals contain the true value: population, parts, record."""

from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import binom

from mlm_course import records
from mlm_helpers import label_based
from tools import coverage
from tools.coverage import CASES, METHODS, Case

RECORD = records.load("coverage")
ROWS = {row["name"]: row for row in RECORD["rows"]}
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def test_the_record_is_of_this_simulation():
    text = coverage.RECORD.read_text(encoding="utf-8")
    assert text == coverage.as_json(RECORD["rows"], RECORD["rare_emoji"])
    assert records.load("coverage") is not RECORD  # what one caller changes stays with it
    assert list(ROWS) == [case.name for case in CASES]
    assert RECORD["data_sets"] >= 1000 and RECORD["samples"] == 150


@pytest.mark.parametrize("n", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
@every_case
def test_the_record_is_of_the_present_method(case, n):
    """A few data sets, drawn again, miss the truth on the same side as in the record.

    Of a difference they are one more.
    """
    row = ROWS[case.name]
    first_too_low, first_too_high = row["ours"]["too low"][:1], row["ours"]["too high"][:1]
    candidates = [*first_too_low, *first_too_high, 0]
    numbers = sorted({*candidates[: n + case.compared]})
    estimates = [coverage.estimate(case, number) for number in numbers]
    new_row = coverage.record_row(case, numbers, estimates, truth=row["truth"])
    for method in METHODS:
        for side, missed in row[method].items():
            assert new_row[method][side] == [number for number in missed if number in numbers]


@pytest.mark.exhaustive
@every_case
def test_the_truth_is_that_of_the_population(case):
    assert coverage.true_value(case) == pytest.approx(ROWS[case.name]["truth"], abs=1e-6)


def coverage_of_wilson(n_samples, positives, recall):
    """The probability that Wilson's interval for Jaccard J contains it.

    At least one cell in the union is given.

    Of n cells in the union the hits are binomial with probability J, and n is binomial, too. The
    interval contains J if the hits are at most z standard errors away from n J.
    """
    p_union = (positives + coverage.FALSE_ALARM_RATE * (n_samples - positives)) / n_samples
    jaccard = positives * recall / (p_union * n_samples)
    n, hits = np.ogrid[1 : n_samples + 1, 0 : n_samples + 1]
    half_width = NormalDist().inv_cdf(0.975) * np.sqrt(n * jaccard * (1 - jaccard))
    is_contained = np.abs(hits - n * jaccard) <= half_width
    coverage_of_n = (binom.pmf(hits, n, jaccard) * is_contained).sum(axis=1)
    p_of_n = binom.pmf(n[:, 0], n_samples, p_union)
    return float(p_of_n @ coverage_of_n / p_of_n.sum())


@pytest.mark.parametrize("label", coverage.LABELS)
def test_the_coverage_of_a_rare_label_is_that_of_binomial_distributions(label):
    case = Case(label_based.f1, label=label)
    simulated = 1 - sum(map(len, ROWS[case.name]["ours"].values())) / RECORD["data_sets"]
    exact = coverage_of_wilson(*label)
    assert min(simulated, exact) >= 0.93
    assert abs(simulated - exact) < 4.5 * (exact * (1 - exact) / RECORD["data_sets"]) ** 0.5


def test_the_coverage_of_each_rare_emoji_label_is_at_least_93_percent():
    assert len(RECORD["rare_emoji"]) == 71
    assert max(RECORD["rare_emoji"]) <= 0.07 * RECORD["data_sets"]


@pytest.mark.exhaustive
def test_the_record_of_rare_emoji_is_of_the_present_method():
    assert coverage.n_misses_of_rare_emoji() == RECORD["rare_emoji"]
