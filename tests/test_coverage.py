"""The simulation of how often intervals hold the truth: its population, its parts, its record."""

from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import binom

from mlm_course import records
from mlm_helpers import label_based
from tools import coverage
from tools.coverage import CASES, METHODS, Case, Estimate

RECORD = records.load("coverage")
ROWS = {row["name"]: row for row in RECORD["rows"]}
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def test_labels_and_mistakes_of_a_row_depend_on_each_other_and_rows_do_not():
    """Half of what decides is shared: both of two even labels in 1/4 + arcsin(1/2) / 2π = 1/3 of the rows."""
    drawn = coverage.draw([1], 100_000, 0.05)
    predicted = drawn.read(label_based.f1)[0]
    for matrix in (drawn.truth, predicted):
        assert np.allclose(matrix.mean(axis=0), [0.5, 0.3, 0.2, 0.1, 0.05], rtol=0, atol=0.005)
    even = drawn.scores[0] > 0
    assert (even[:, 0] & even[:, 1]).mean() == pytest.approx(1 / 3, abs=0.005)
    wrong = drawn.truth != predicted
    assert np.corrcoef(wrong[:, 0], wrong[:, 1])[0, 1] > 0.02
    assert abs(np.corrcoef(wrong[1:, 0], wrong[:-1, 0])[0, 1]) < 0.01


def test_a_miss_is_said_by_its_number_and_its_side():
    ends = [(0.1, 0.3), (0.3, 0.5), (0.6, 0.7), (0.4, 0.4)]
    results = [Estimate(0.2, {"ours": each, "percentile": (0, 1)}) for each in ends]
    said = coverage.row(Case(label_based.f1), [7, 8, 9, 11], results, 0.4)
    assert said["ours"] == {"too low": [7], "too high": [9]}
    assert said["percentile"] == {"too low": [], "too high": []}


def test_the_record_is_of_this_simulation():
    text = coverage.RECORD.read_text(encoding="utf-8")
    assert text == coverage.written(RECORD["rows"], RECORD["rare_emoji"])
    assert list(ROWS) == [case.name for case in CASES]
    assert RECORD["data_sets"] >= 1000 and RECORD["samples"] == 150


@pytest.mark.parametrize("n", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
@every_case
def test_the_record_is_of_the_present_method(case, n):
    """Data sets drawn anew miss on the side that the record says; of differences on both sides."""
    kept = ROWS[case.name]
    some = [*kept["ours"]["too low"][:1], *kept["ours"]["too high"][:1], 0]
    numbers = sorted({*some[: n + case.compared]})
    results = [coverage.estimate(case, number) for number in numbers]
    again = coverage.row(case, numbers, results, kept["truth"])
    for method in METHODS:
        for side, missed in kept[method].items():
            assert again[method][side] == [number for number in missed if number in numbers]


@pytest.mark.exhaustive
@every_case
def test_the_truth_is_that_of_the_population(case):
    assert coverage.true_value(case) == pytest.approx(ROWS[case.name]["truth"], abs=1e-6)


# ---------------------------------------------------------------------------- labels alone


def held_by_wilson(samples, positives, recall):
    """The share of all data sets with a cell in the union whose interval holds the truth, added up.

    Of n cells of the union, J are hits in the population: Wilson's interval holds J where the hits are at
    most z standard errors of J away from n J.
    """
    either = (positives + coverage.FALSE_ALARMS * (samples - positives)) / samples
    truth = positives * recall / (either * samples)
    n, hits = np.ogrid[1 : samples + 1, 0 : samples + 1]
    reach = NormalDist().inv_cdf(0.975) * np.sqrt(n * truth * (1 - truth))
    held = (binom.pmf(hits, n, truth) * (np.abs(hits - n * truth) <= reach)).sum(axis=1)
    sizes = binom.pmf(n[:, 0], samples, either)
    return float(sizes @ held / sizes.sum())


@pytest.mark.parametrize("label", coverage.LABELS)
def test_of_a_rare_label_as_many_are_held_as_binomial_distributions_say(label):
    case = Case(label_based.f1, label=label)
    held = 1 - sum(map(len, ROWS[case.name]["ours"].values())) / RECORD["data_sets"]
    wanted = held_by_wilson(*label)
    assert min(held, wanted) >= 0.93
    assert abs(held - wanted) < 4.5 * (wanted * (1 - wanted) / RECORD["data_sets"]) ** 0.5


def test_of_each_rare_emoji_label_at_least_93_of_100_are_held():
    assert len(RECORD["rare_emoji"]) == 71
    assert max(RECORD["rare_emoji"]) <= 0.07 * RECORD["data_sets"]


@pytest.mark.exhaustive
def test_the_record_of_rare_emoji_is_of_the_present_method():
    assert coverage.rare_emoji() == RECORD["rare_emoji"]
