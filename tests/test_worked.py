"""Worked solutions: right on small data, exact, independent of the metrics, and readable."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from math import isnan, nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from random_inputs import agree, mask_cells, on_random_problems

import mlm_helpers
from mlm_helpers import curves, data, example_based, hamming, label_based, ranking
from mlm_helpers.catalogue import METRICS
from mlm_helpers.worked import exercise, solve
from mlm_helpers.worked import set_steps as sets

ONE_PER_KIND = {(record.reads, record.unit): record for record in METRICS}.values()


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


def has_value(solution, metric_value):
    """Whether a solution has the metric's value, in Fractions, or floats for roots and logs."""
    values = solution.value if isinstance(solution.value, tuple) else (solution.value,)
    return {*map(type, values)} <= {Fraction, float} and agree(metric_value, solution.value)


# ---------------------------------------------------------------------------- all small data


@by_id(METRICS)
@on_random_problems(5)
def test_solve_and_metric_skip_the_same_unknown_labels(record, y_true, y, weights, options, random):
    options = options | {"sample_weight": [None, weights, weights / 8][random.integers(3)]}
    if "per_sample" in record.defaults:
        options["per_sample"] = bool(random.integers(2))
    y_true = mask_cells(y_true, random, most=random.integers(1, y.size + 1))
    solution = solve(record.function, y_true, y, **options)
    assert has_value(solution, record.function(y_true, y, **options))


# ---------------------------------------------------------------------------- exact


def test_weights_beta_and_undefined_are_read_as_they_are_written():
    """Recall with a hit of weight 0.1 and a miss of 0.7 is 1/8, but not by the floats' values."""
    y_true, y_pred, weight = [[1], [1]], [[1], [0]], [0.1, 0.7]
    eighth = Fraction(1, 8)
    assert Fraction(0.1) / (Fraction(0.1) + Fraction(0.7)) != eighth
    assert solve(example_based.recall, y_true, y_pred, sample_weight=weight).value == eighth
    for average in ("macro", "micro", "weighted"):
        options = {"average": average, "sample_weight": weight}
        assert solve(label_based.recall, y_true, y_pred, **options).value == eighth
    # (1 + 1/100) / (1 + 1/100 + 1): one hit and one false alarm
    assert solve(example_based.fbeta, [[1, 0]], [[1, 1]], beta=0.1).value == Fraction(101, 201)
    assert solve(ranking.coverage, [[0]], [[0]], undefined=0.1).value == Fraction(1, 10)
    assert solve(example_based.fbeta, [[1, 0]], [[1, 1]], beta=np.int64(2)).value == Fraction(5, 6)


def test_a_value_is_a_fraction_nan_or_irrational_root_and_several_values_are_not_a_float():
    y_true, y_pred = [[1, 0, 1]], [[1, 1, 0]]
    solution = solve(label_based.recall, y_true, y_pred, average=None, zero_division=nan)
    found, without_positives, missed = solution.value
    assert (found, missed) == (Fraction(1), Fraction(0)) and isnan(without_positives)
    assert [type(value) for value in solution.value] == [Fraction, float, Fraction]
    assert sets.square_root(Fraction(4, 9)) == Fraction(2, 3)
    assert isinstance(sets.square_root(Fraction(2)), float)
    assert float(solve(hamming.hamming_loss, [[1, 0], [1, 1]], [[1, 0], [1, 0]])) == 0.25
    with pytest.raises(TypeError):
        float(solution)


# ---------------------------------------------------------------- displays: the notebooks show more

TINY = {
    "y_true": [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0]],
    "y_pred": [[1, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]],
    "y_score": [[0.9, 0.5, 0.5], [0.2, 0.7, 0.4], [0.4, 0.3, 0.8], [0.5, 0.6, 0.1]],
}
TINY["y_prob"] = TINY["y_score"]


def checked_text(metric, *data, labels=None, samples=None, **options):
    """The solution as text, after a check of its value against the metric."""
    solution = solve(metric, *data, labels=labels, samples=samples, **options)
    assert has_value(solution, metric(*data, **options))
    return solution.to_text()


@by_id(METRICS)
def test_the_display_of_a_metric(record, snapshot):
    names = {"labels": ["cat", "dog", "sea"], "samples": ["p", "q", "r", "s"]}
    tiny = TINY["y_true"], TINY[record.reads]
    assert checked_text(record.function, *tiny, **names, **record.required) == snapshot


LINES = (Path(__file__).parent / "displays.txt").read_text(encoding="utf-8").splitlines()
CALLS = [pytest.param(line, id=line) for line in LINES if line.startswith("solve(")]


@pytest.mark.parametrize("call", CALLS)
def test_the_display_of_a_call(call, snapshot):
    names = {**vars(mlm_helpers), "data": data, "solve": checked_text, "nan": nan}
    assert eval(call, names) == snapshot


def test_names_are_those_of_data_frames_by_default():
    rows, other_rows = [[1, 0], [0, 1]], [[1, 1], [0, 1]]
    frame = pd.DataFrame(rows, columns=["cat", "dog"], index=["x.png", "y.png"])
    for y_true in (frame, rows):
        solution = solve(hamming.hamming_loss, y_true, frame)
        assert solution.steps[0].rows[0] == ("x.png", "{cat}", "{cat}")  # in the table of data
    named = solve(hamming.hamming_loss, frame, frame, labels=["Katze", "Hund"], samples=[3, 4])
    assert named.steps[0].rows[0] == ("3", "{Katze}", "{Katze}")
    numbered = solve(hamming.hamming_loss, rows, other_rows)
    assert numbered.steps[0].rows[0] == ("1", "{1}", "{1, 2}")


# ---------------------------------------------------------------------------- what is refused


@by_id(ONE_PER_KIND)
def test_solve_refuses_bad_input_with_the_message_of_the_metric(record):
    """A bad value of each argument; for other refusals see refusals/worked.txt."""
    good = {"y_true": [[1, 0], [0, 1]], "y": [[1, 1], [0, 1]], "sample_weight": None}
    bad = {"y_true": [[0, 1], [2, 0]], "y": [[0, nan], [1, 0]], "sample_weight": [-1, 2]}
    for name, value in bad.items():
        y_true, y, weight = (good | {name: value}).values()
        messages = set()
        for call in (record.function, partial(solve, record.function)):
            with pytest.raises(ValueError) as error:
                call(y_true, y, **record.required, sample_weight=weight)
            messages.add(str(error.value))
        assert len(messages) == 1


# ---------------------------------------------------------------------------- exercises


def exercises(metric, n_seeds=8, n_samples=3, n_labels=4):
    sizes = {"n_samples": n_samples, "n_labels": n_labels}
    return [exercise(metric, seed=i, **sizes) for i in range(n_seeds)]


def test_a_seed_makes_the_same_data_everywhere():
    """Relevant ranks 2 and 3 in the first sample, ½(1/2 + 2/3) = 7/12; rank 1 in the second."""
    of_sets = exercise(hamming.hamming_loss, seed=1, n_samples=2, n_labels=3)
    assert of_sets[:2] == ([[1, 1, 0], [1, 0, 0]], [[1, 1, 0], [0, 1, 1]])
    of_scores = exercise(ranking.average_precision, seed=1, n_samples=2, n_labels=3)
    assert of_scores[:2] == (of_sets.y_true, [[0.04, 0.03, 0.54], [0.93, 0.38, 0.22]])
    assert of_scores.solution.value == (Fraction(7, 12) + 1) / 2


@by_id(ONE_PER_KIND)
def test_exercises_of_every_kind_of_metric(record):
    """They are shaped as the docstring says; for their values see test_every_metric.py."""
    metric = partial(record.function, **record.required)
    problems = exercises(metric)
    assert len({repr(problem[:2]) for problem in problems}) == 8  # each seed has its own data
    random.seed(5)  # the state of the global generator does not matter
    assert exercise(metric, seed=3, n_samples=3, n_labels=4) == problems[3]
    for y_true, y_pred, solution in problems:
        assert repr(solve(metric, y_true, y_pred)) == repr(solution)
        truth, prediction = np.array(y_true), np.array(y_pred)
        assert truth.shape == prediction.shape == (3, 4)
        if record.reads == "y_pred":
            assert set(prediction.flat) <= {0, 1}
        else:
            assert all(0 < score < 1 and round(score, 2) == score for score in prediction.flat)
        if record.reads != "y_pred" and record.unit == "label":  # its lists are columns
            truth, prediction = truth.T, prediction.T
        assert all({*row} == {0, 1} for row in truth.tolist())
        if record.reads != "y_pred":
            assert all(len({*row}) == len(row) for row in prediction.tolist())


@pytest.mark.parametrize(("n_labels", "n_seeds"), [(3, 5), (4, 5), (50, 1)])
def test_scores_are_tied_where_ties_is_bound(n_labels, n_seeds):
    """From three labels on: two tied labels have only trivial values."""
    by_sample = partial(ranking.one_error, ties="max")
    for _, scores, _ in exercises(by_sample, n_seeds, n_labels=n_labels):
        assert all(len(set(row)) < n_labels for row in scores)
        assert all(round(score, 2) == score for row in scores for score in row)
    by_column = partial(curves.average_precision, ties="min")
    for _, scores, _ in exercises(by_column, n_seeds, n_samples=5, n_labels=2):
        assert all(len({*column}) < 5 for column in zip(*scores, strict=True))
