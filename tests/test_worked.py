"""The worked solutions: right on every small world, exact, on a road of their own, and readable."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from functools import partial
from itertools import product
from math import isnan, nan

import numpy as np
import pandas as pd
import pytest
import worlds
from drawing import examples, hiding, on, same

from mlm_course import documents
from mlm_helpers import (
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    probability,
    ranking,
    top_k,
    worked,
)
from mlm_helpers.board import Ratio, Sentence
from mlm_helpers.catalogue import METRICS
from mlm_helpers.worked import exercise, solve
from mlm_helpers.worked import set_steps as sets

RANKING = [r for r in METRICS if r.reads == "y_score" and r.along == "sample"]


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


def equals(solution, metric_value):
    """In fractions, or in floats where a root or a logarithm asks for them."""
    values = solution.value if isinstance(solution.value, tuple) else (solution.value,)
    return {*map(type, values)} <= {Fraction, float} and same(metric_value, solution.value)


# ---------------------------------------------------------------------------- small worlds


@pytest.mark.exhaustive
@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@by_id([r for r in METRICS if r.reads == "y_pred" and r.asks_per_label])
def test_every_world(record, shape):
    """With an option per label, where their order matters; the others: test_small_worlds.py."""
    own = {name: examples(record.parameters[name], shape[1])[0] for name in record.asks_per_label}
    for number, world in enumerate(worlds.worlds(*shape)):
        average, rule = divmod(number, len(worlds.ZERO_DIVISIONS))
        options = own | {
            "average": record.averages[average % len(record.averages)],
            "zero_division": worlds.ZERO_DIVISIONS[rule],
        }
        matrices = np.array(world.y_true, bool), np.array(world.y_pred, bool)
        solution = solve(record.function, *matrices, **options)
        assert equals(solution, record.function(*matrices, **options)), (world, options)


@pytest.mark.parametrize("n_labels", [1, 2, 3])
@by_id(RANKING)
def test_every_tie_pattern_with_every_truth(record, n_labels):
    cases = list(product(worlds.rows(n_labels), worlds.weak_orderings(n_labels)))
    own = {name: parameter.values for name, parameter in record.parameters.items()}
    choices = {"ties": worlds.TIES, "undefined": (0.1, nan)} | own
    taken = {name: values for name, values in choices.items() if name in record.defaults}
    for chosen in product(*taken.values()):
        options = dict(zip(taken, chosen, strict=True))
        if options.get("k", 1) > n_labels:
            continue
        for begin in range(0, len(cases), 50):
            matrices = zip(*cases[begin : begin + 50], strict=True)
            y_true, y_score = map(np.array, matrices)
            solution = solve(record.function, y_true, y_score, **options, per_sample=True)
            theirs = record.function(y_true, y_score, **options, per_sample=True)
            assert equals(solution, theirs), options


# ---------------------------------------------------------------------------- unknown labels


@by_id(METRICS)
@on(12)
def test_unknown_labels_are_left_out_on_both_roads(record, y_true, y, weights, options, random):
    options = options | {"sample_weight": [None, weights, weights / 8][random.integers(3)]}
    if "per_sample" in record.defaults:
        options["per_sample"] = bool(random.integers(2))
    y_true = hiding(y_true, random, most=random.integers(1, y.size + 1))
    assert equals(
        solve(record.function, y_true, y, **options), record.function(y_true, y, **options)
    )


def test_unknown_labels_are_marked_and_put_in_words():
    y_true = np.ma.masked_equal([[1, -1, 0], [-1, -1, -1]], -1)
    text = solve(example_based.f1, y_true, [[1, 1, 0], [0, 1, 0]], labels=list("abc")).to_text()
    assert text.splitlines()[2:6] == [
        "The data: 3 labels",
        "sample  true labels   predicted labels",
        "1       {a, b?}       {a, b}",
        "2       {a?, b?, c?}  {b}",
    ]
    assert "0/0                nan\n" in text
    assert text.endswith("\n2/2 = 1")
    text = solve(exact_match.subset_accuracy, y_true, [[1, 1, 0], [0, 1, 0]]).to_text()
    assert re.search(r"1\s+∅\s+1\n2\s+∅\s+nan", text)
    text = solve(ranking.one_error, y_true, [[0.5, 0.9, 0.1], [0.1, 0.2, 0.3]]).to_text()
    assert re.search(r"–\s+2\s+0.9\s+\?", text)  # scores more, and is unknown


# ---------------------------------------------------------------------------- exact


def test_weights_and_beta_are_read_as_they_are_written():
    """A hit of weight 0.1 and a miss of weight 0.7: an eighth, but not of the nearest floats."""
    y_true, y_pred, weight = [[1], [1]], [[1], [0]], [0.1, 0.7]
    eighth = Fraction(1, 8)
    assert Fraction(0.1) / (Fraction(0.1) + Fraction(0.7)) != eighth
    for metric in (exact_match.subset_accuracy, example_based.recall):
        assert solve(metric, y_true, y_pred, sample_weight=weight).value == eighth
    for average in ("macro", "micro", "weighted"):
        options = {"average": average, "sample_weight": weight}
        assert solve(label_based.recall, y_true, y_pred, **options).value == eighth
    # (1 + 1/100) / (1 + 1/100 + 1): one hit and one false alarm
    assert solve(example_based.fbeta, [[1, 0]], [[1, 1]], beta=0.1).value == Fraction(101, 201)
    assert solve(ranking.coverage, [[0]], [[0]], undefined=0.1).value == Fraction(1, 10)
    assert solve(example_based.fbeta, [[1, 0]], [[1, 1]], beta=np.int64(2)).value == Fraction(5, 6)


def test_nan_is_the_only_float():
    nowhere = solve(example_based.recall, [[0]], [[1]], zero_division=nan)
    assert isinstance(nowhere.value, float) and isnan(nowhere.value)
    each = solve(label_based.recall, [[1, 0, 1]], [[1, 1, 0]], average=None, zero_division=nan)
    assert each.value[::2] == (Fraction(1), Fraction(0)) and isnan(each.value[1])
    assert [type(value) for value in each.value] == [Fraction, float, Fraction]


def test_one_value_is_a_float_and_several_are_none():
    y_true, y_pred = [[1, 0], [1, 1]], [[1, 0], [1, 0]]
    assert float(solve(hamming.hamming_loss, y_true, y_pred)) == 0.25
    with pytest.raises(TypeError):
        float(solve(hamming.hamming_loss, y_true, y_pred, per_sample=True))


def test_every_metric_has_steps():
    assert sorted(worked.STEPS) == sorted(record.id for record in METRICS)


# ---------------------------------------------------------------------------- boards: more of them in the notebooks

MICRO = """
F1: label_based.f1, average='micro'

The data: 4 labels
sample  true labels                           predicted labels
1       {label 1}                             {label 1}
2       {label 1, label 2}                    {label 1, label 2, label 3}
3       {label 1, label 2, label 3, label 4}  {label 1, label 2, label 3, label 4}

Each label, and all together
label       ✓ TP  ✗ FP  ○ FN  TN  2✓ / (2✓ + ✗ + ○)  value
label 1     3     0     0     0
label 2     2     0     0     1
label 3     1     1     0     1
label 4     1     0     0     2
all labels  7     1     0     4   14/15              14/15

14/15 ≈ 0.933
"""


def test_the_board_of_a_document():
    found = documents.MACRO_MICRO
    example = next(iter(found.examples.values()))
    options = {"labels": found.labels, "average": "micro"}
    solution = solve(label_based.f1, example.y_true, example.y_pred, **options)
    assert solution.to_text() == repr(solution) == MICRO.strip()


def last_line(metric, y_true, other, **options):
    return solve(metric, y_true, other, **options).to_text().splitlines()[-1]


def test_sums_in_all_their_forms():
    two = [[1, 0, 0], [1, 0, 0]]
    deep = [[3, 2, 1], [1, 3, 2]]
    assert last_line(ranking.coverage, two, deep) == "½(1 + 3) = 2"
    assert last_line(ranking.coverage, two, deep, start=0) == "½(0 + 2) = 1"
    assert last_line(ranking.coverage, [[1, 0]], [[5, 5]], ties="average") == "3/2 = 1.5"
    assert last_line(ranking.coverage, [[1, 0]], [[2, 1]]) == "1"
    assert last_line(ranking.coverage, [[0]], [[2]], undefined=0.5) == "1/2 = 0.5"
    undefined = {"undefined": -100.5}
    assert last_line(ranking.coverage, [[0], [1]], [[2], [2]], **undefined) == (
        "½(-201/2 + 1) = -199/4 = -49.75"
    )
    assert last_line(hamming.hamming_loss, [[0, 0]], [[1, 1]]) == "2/2 = 1"
    weight = {"sample_weight": [0.1, 0.2]}
    assert last_line(hamming.hamming_loss, [[0, 0], [1, 0]], [[1, 1], [1, 1]], **weight) == (
        "(0.1 × 2/2 + 0.2 × ½) ÷ (0.1 + 0.2) = 2/3 ≈ 0.667"
    )


def test_rules_give_a_value_where_there_is_none():
    y_true, y_pred = [[1, 0], [0, 0], [1, 0]], [[0, 0], [0, 0], [1, 0]]

    def table(rule):
        solution = solve(example_based.precision, y_true, y_pred, zero_division=rule)
        return [row[-1] for row in solution.steps[1].rows], solution.to_text().splitlines()[-1]

    assert table(0.0) == (
        ["0", "0", "1"],
        "⅓(0 + 0 + 1/1) = 1/3 ≈ 0.333",
    )
    assert table(nan) == (
        ["nan", "nan", "1"],
        "1/1 = 1",
    )
    assert table("agree") == (
        ["0", "1", "1"],
        "⅓(0 + 1 + 1/1) = 2/3 ≈ 0.667",
    )


def test_nothing_left():
    nothing = "Nothing is left to average: the value is nan."
    options = {"zero_division": nan, "sample_weight": [0, 1]}
    assert last_line(example_based.precision, [[1], [1]], [[1], [0]], **options) == nothing
    for average in ("macro", "micro", "weighted"):
        options = {"zero_division": nan, "average": average}
        assert last_line(label_based.recall, [[0]], [[1]], **options) == nothing


def test_weighted_by_support():
    y_true, y_pred = [[1, 0, 1], [1, 0, 0]], [[1, 0, 0], [0, 1, 0]]
    assert last_line(label_based.recall, y_true, y_pred, average="weighted") == (
        "(2 × ½ + 0 × 0 + 1 × 0/1) ÷ (2 + 0 + 1) = 1/3 ≈ 0.333"
    )
    assert last_line(label_based.precision, [[0, 0]], [[1, 0]], average="weighted") == (
        "½(0/1 + 0) = 0"
    )


def test_several_ranked_samples():
    """Named tied pairs, and what is undefined."""
    y_true = [[0, 1, 0], [1, 1, 1], [0, 0, 0]]
    y_score = [[0.5, 0.5, 0.9], [1, 2, 3], [1, 2, 3]]
    options = {"ties": "average", "undefined": 0.25, "sample_weight": [1, 0.5, 0]}
    solution = solve(ranking.ranking_loss, y_true, y_score, labels=["a", "b", "c"], **options)
    assert solution.to_text() == (
        """
ranking loss: ranking.ranking_loss, ties='average', undefined=0.25, sample_weight=[1, 0.5, 0]

Sample 1
rank  label  score  relevant
1     c      0.9
2.5   a      0.5
2.5   b      0.5    ✓

2 pairs of relevant and irrelevant; misordered: c before b; a tied with b.

Sample 2
rank  label  score  relevant
1     c      3      ✓
2     b      2      ✓
3     a      1      ✓

Sample 3
rank  label  score  relevant
1     c      3
2     b      2
3     a      1

Each sample
sample  relevant labels  value
1       {b}              3/4
2       {a, b, c}        1/4
3       ∅                1/4

(1 × 1.5/2 + 0.5 × ¼ + 0 × ¼) ÷ (1 + 0.5 + 0) = 7/12 ≈ 0.583
""".strip()
    )


TIED, CLEAR = [[5, 5, 1]], [[2, 3, 1]]  # of a, b and c, of which a is relevant
PAIRS = "2 pairs of relevant and irrelevant; "
SENTENCES = [
    (ranking.ranking_loss, CLEAR, {}, PAIRS + "misordered: b before a."),
    (ranking.ranking_loss, TIED, {}, PAIRS + "misordered: b tied with a."),
    (ranking.ranking_loss, TIED, {"ties": "first"}, PAIRS + "misordered: none."),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "y_score", "options", "sentence"), SENTENCES)
def test_the_sentence_on_a_ranked_sample(metric, y_score, options, sentence):
    solution = solve(metric, [[1, 0, 0]], y_score, labels=["a", "b", "c"], **options)
    assert [step.text for step in solution.steps if isinstance(step, Sentence)] == [sentence]


def test_formulas_of_fbeta_in_whole_numbers():
    def formula(beta):
        table = solve(example_based.fbeta, [[1, 0]], [[1, 1]], beta=beta).steps[1]
        return table.header[4], table.rows[0][4]

    assert formula(0.5) == ("5✓ / (5✓ + 4✗ + 1○)", Ratio(Fraction(5), Fraction(9)))
    assert formula(2) == ("5✓ / (5✓ + 1✗ + 4○)", Ratio(Fraction(5), Fraction(6)))


# ---------------------------------------------------------------------------- what is refused

Y, Z = [[1, 0], [0, 1]], [[1, 1], [0, 1]]


def test_data_frames_give_the_names():
    frame = pd.DataFrame(Y, columns=["cat", "dog"], index=["x.png", "y.png"])
    solution = solve(hamming.hamming_loss, frame, frame)
    assert solution.steps[0].rows[0] == ("x.png", "{cat}", "{cat}")
    beside_an_array = solve(hamming.hamming_loss, Y, frame)
    assert beside_an_array.steps[0].rows[0] == ("x.png", "{cat}", "{cat}")
    named = solve(hamming.hamming_loss, frame, frame, labels=["Katze", "Hund"], samples=[3, 4])
    assert named.steps[0].rows[0] == ("3", "{Katze}", "{Katze}")
    assert solve(hamming.hamming_loss, Y, Z).steps[0].rows[0] == ("1", "{1}", "{1, 2}")


def test_fifty_is_the_most():
    assert solve(hamming.hamming_loss, [[1] * 50] * 50, [[0] * 50] * 50).value == 1
    for shape in ((51, 2), (2, 51)):
        matrix = np.ones(shape, dtype=int)
        sentence = f"y_true has shape {shape}: the most is (50, 50)"
        with pytest.raises(ValueError, match=re.escape(sentence)):
            solve(hamming.hamming_loss, matrix, matrix)


@pytest.mark.parametrize(
    ("metric", "options", "error", "sentence"),
    [
        (hamming.hamming_loss, {"zero_division": 0}, TypeError,
         "got an unexpected keyword argument 'zero_division'"),
        (label_based.f1, {"beta": 2}, TypeError, "got an unexpected keyword argument 'beta'"),
        (partial(label_based.f1, y_pred=Z), {}, TypeError, "multiple values for argument 'y_pred'"),
        (label_based.fbeta, {}, TypeError, "missing a required argument: 'beta'"),
        (hamming.hamming_loss, {"labels": ["a"]}, ValueError, "labels has 1 names for 2 labels"),
        (hamming.hamming_loss, {"samples": ["a", "b", "c"]}, ValueError, "samples has 3 names for 2"),
    ],
)  # fmt: skip
def test_refused(metric, options, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        solve(metric, Y, Z, **options)
    assert "\n" not in str(caught.value)


@by_id({(record.reads, record.along): record for record in METRICS}.values())
def test_bad_input_gets_the_sentence_of_the_gate(record):
    """Of one argument after the other; every other kind of bad input: test_inputs.py."""
    bad = {"y_true": [[0, 1], [2, 0]], "y": [[0, nan], [1, 0]], "sample_weight": [-1, 2]}
    for name, value in bad.items():
        y_true, y, weight = ({"y_true": Y, "y": Z, "sample_weight": None} | {name: value}).values()
        sentences = []
        for call in (record.function, partial(solve, record.function)):
            with pytest.raises(ValueError) as caught:
                call(y_true, y, **record.required, sample_weight=weight)
            sentences.append(str(caught.value))
        assert sentences[0] == sentences[1]


# ---------------------------------------------------------------------------- exercises


def exercises(metric, n=8, n_samples=3, n_labels=4):
    return [exercise(metric, seed=i, n_samples=n_samples, n_labels=n_labels) for i in range(n)]


def bound(record):
    return partial(record.function, **record.required) if record.required else record.function


def test_an_exercise_on_label_sets():
    """Two wrong labels of three on the second sample (1 is missed, 2 and 3 are not meant)."""
    assert exercise(hamming.hamming_loss, seed=1, n_samples=2, n_labels=3)[:2] == (
        [[1, 1, 0], [1, 0, 0]], [[1, 1, 0], [0, 1, 1]]
    )  # fmt: skip


def test_an_exercise_on_scores():
    """Relevant ranks 2 and 3 in the first sample, ½(1/2 + 2/3) = 7/12; rank 1 in the second."""
    found = exercise(ranking.average_precision, seed=1, n_samples=2, n_labels=3)
    assert found.y_true == [[1, 1, 0], [1, 0, 0]]
    assert found.y_pred_or_score == [[0.04, 0.03, 0.54], [0.93, 0.38, 0.22]]
    assert found.solution.value == (Fraction(7, 12) + 1) / 2


@by_id(METRICS)
def test_exercises_of_every_metric(record):
    made = exercises(bound(record))
    assert len({repr(one[:2]) for one in made}) == 8
    random.seed(5)
    assert exercise(bound(record), seed=3, n_samples=3, n_labels=4) == made[3]
    lowest, highest = record.bounds(4, record.defaults)
    for y_true, other, solution in made:
        assert lowest < solution.value < highest
        assert repr(solve(bound(record), y_true, other)) == repr(solution)
        assert np.shape(y_true) == np.shape(other) == (3, 4)
        if record.reads == "y_pred":
            assert all(set(row) == {0, 1} for row in y_true)
            assert all(set(row) <= {0, 1} for row in other)
            continue
        truths, lists = np.array(y_true), np.array(other)
        if record.along == "label":  # read down its columns
            truths, lists = truths.T, lists.T
        assert all({*row} == {0, 1} for row in truths.tolist())
        assert all(len({*row}) == len(row) for row in lists.tolist())
        assert all(0 < score < 1 and round(score, 2) == score for row in other for score in row)


@by_id(RANKING)
def test_scores_are_tied_where_ties_is_bound(record):
    """At the smallest sizes too; but two labels that tie leave only trivial answers."""
    metric = partial(bound(record), ties=record.defaults["ties"])
    for n_labels, n in ((3, 5), (4, 5), (50, 1)):
        for _, scores, solution in exercises(metric, n, n_labels=n_labels):
            assert all(len(set(row)) < n_labels for row in scores)
            lowest, highest = record.bounds(n_labels, record.defaults)
            assert lowest < solution.value < highest


def test_ties_of_a_curve_metric_are_in_its_columns():
    metric = partial(curves.average_precision, ties="best")
    for _, scores, solution in exercises(metric, n=5, n_samples=5, n_labels=2):
        assert all(len({*column}) < 5 for column in zip(*scores, strict=True))
        assert 0 < solution.value < 1
    with pytest.raises(ValueError, match="n_samples is 1: give a whole number from 2 to 50"):
        exercise(metric, seed=1, n_samples=1, n_labels=3)


def test_a_pair_of_a_curve_is_lost_where_the_negative_is_above():
    """Sample b has the label; a is above it and c below: one of two pairs is won."""
    one = {"samples": ["a", "b", "c"], "labels": ["x"]}
    solution = solve(curves.roc_auc, [[0], [1], [0]], [[0.9], [0.5], [0.1]], **one)
    assert solution.value == Fraction(1, 2)
    said = "2 pairs of relevant and irrelevant; misordered: a before b."
    assert solution.steps[2] == Sentence(said)
    tied = solve(curves.roc_auc, [[0], [1]], [[0.5], [0.5]], samples=["a", "b"])
    assert tied.steps[2].text.endswith("misordered: a tied with b.")


def test_sums_are_added_up_before_they_are_divided():
    """Worth 1, 2, 4 and 8: reached are 1 of 8 + 1 and 2 of 2; with logarithms, 1 of 8 + 1/log2(3)."""
    y_true, y_score = [[1, 0, 0, 1], [0, 1, 0, 0]], [[0.9, 0.3, 0.2, 0.1], [0.9, 0.8, 0.1, 0.2]]
    options = {"inverse_propensities": [1, 2, 4, 8], "k": 2}
    solution = solve(top_k.propensity_scored_precision, y_true, y_score, **options)
    assert solution.value == Fraction(3, 11)
    assert solution.to_text().endswith("All samples together, by weight:\n\n3/11 ≈ 0.273")
    weighted = solve(
        top_k.propensity_scored_precision, y_true, y_score, **options, sample_weight=[1, 0.5]
    )
    assert weighted.value == Fraction(2, 10)
    by_place = solve(top_k.propensity_scored_ndcg, y_true, y_score, **options)
    assert by_place.value == pytest.approx(0.212762, abs=1e-6)  # as Jain et al. divide, by k ranks
    nothing = solve(
        top_k.propensity_scored_precision, [[0, 0]], [[2, 1]], inverse_propensities=[1, 2], k=1
    )
    assert isnan(nothing.value)


def test_a_root_is_exact_where_it_can_be():
    assert sets.root(Fraction(4, 9)) == Fraction(2, 3) and isinstance(sets.root(Fraction(2)), float)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"n_samples": 0}, ValueError, "n_samples is 0: give a whole number from 1 to 50"),
        ({"n_samples": 51}, ValueError, "n_samples is 51: give a whole number from 1 to 50"),
        ({"n_labels": 1}, ValueError, "n_labels is 1: give a whole number from 2 to 50"),
        ({"seed": 1.5}, ValueError, "seed is 1.5: give a whole number"),
        (
            {"n_samples": 1},
            ValueError,
            "exact_match.subset_accuracy is trivial on 1 × 2 cells: ask for more of them",
        ),
    ],
)
def test_sheets_that_cannot_be(options, error, sentence):
    sizes = {"seed": 1, "n_samples": 2, "n_labels": 2} | options
    with pytest.raises(error, match=re.escape(sentence)):
        exercise(exact_match.subset_accuracy, **sizes)


# ---------------------------------------------------------------------------- steps in words, by hand


@pytest.mark.parametrize(("metric", "data", "value", "words"), [
    (partial(top_k.precision, k=2), ([[1, 1, 0]], [[3, 1, 1]]), Fraction(3, 4),
     "place  label   hits\n1      1       1\n2      2 or 3  1/2\n"),
    (partial(top_k.propensity_scored_precision, inverse_propensities=[4, 1, 2], k=2, normalize=False),
     ([[1, 0, 1]], [[0.9, 0.1, 0.5]]), 3, "(4 + 2) ÷ (1 + 1) = 3"),
    (partial(probability.calibration_error, norm="l2", bins=2),
     ([[1], [0], [0], [1]], [[0.8], [0.8], [0.2], [0.2]]), Fraction(3, 10), "3/10 = 0.3"),
    (partial(probability.calibration_error, norm="max", bins=1),
     ([[1], [1], [0]], [[0.5], [0.5], [0.5]]), Fraction(1, 6), "1          3        0.5               2/3"),
    (partial(curves.average_precision, sample_weight=[2, 1, 3]), ([[1], [0], [1]], [[3], [2], [1]]),
     Fraction(9, 10), "(2 × 2/2 + 3 × ⅚) ÷ (2 + 3) = 9/10 = 0.9"),
    # recall 0 to 5/10 is first reached by the first positive, the other five levels by the second
    (partial(curves.average_precision, interpolation=11), ([[1], [0], [1]], [[3], [2], [1]]),
     Fraction(28, 33), "(6 × 1 + 5 × ⅔) ÷ (6 + 5) = 28/33"),
])  # fmt: skip
def test_ties_worth_and_levels_are_shown(metric, data, value, words):
    solution = solve(metric, *data)
    assert float(solution.value) == pytest.approx(float(value)) and words in str(solution)
