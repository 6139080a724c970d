"""The worked solutions: right on every small world, exact, on a road of their own, and readable."""

from __future__ import annotations

import ast
import random
import re
import sys
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import isnan, nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
import worlds
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from test_properties import drawn, same

from mlm_helpers import catalogue, exact_match, example_based, hamming, label_based, ranking, worked
from mlm_helpers.board import Ratio, Sentence, Table
from mlm_helpers.catalogue import METRICS, Metric, Parameter
from mlm_helpers.course import documents
from mlm_helpers.worked import exercise, solve
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import set_steps as sets
from mlm_helpers.worked.average import Term, over_labels

SET_METRICS = [record for record in METRICS if record.reads == "y_pred"]
RANKING = [r for r in METRICS if r.reads == "y_score" and r.along == "sample"]
BETAS = (0, 0.5, 1, 2, 0.1)
ZERO_DIVISIONS = (0.0, 1.0, nan, "agree")


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


def turn(choices, number):
    return choices[number % len(choices)]


def is_exact(value):
    values = value if isinstance(value, tuple) else (value,)
    return all(type(v) is Fraction or (type(v) is float and isnan(v)) for v in values)


def equals(solution, metric_value):
    """Exact, but for what is made of logarithms."""
    may_be_float = solution.title.startswith("nDCG")
    return (may_be_float or is_exact(solution.value)) and same(metric_value, solution.value)


# ---------------------------------------------------------------------------- small worlds


def options_in_turn(record, number):
    """Options of a set metric: all combinations come up as the numbers go on."""
    turns = {"average": worlds.AVERAGES, "zero_division": ZERO_DIVISIONS, "beta": BETAS}
    options = {}
    for name, choices in turns.items():
        if name in record.options:
            options[name] = turn(choices, number)
            number //= len(choices)
    return options


def meet_on(record, some_worlds):
    for number, world in enumerate(some_worlds):
        options = options_in_turn(record, number)
        matrices = np.array(world.y_true, bool), np.array(world.y_pred, bool)
        solution = solve(record.function, *matrices, **options)
        assert equals(solution, record.function(*matrices, **options)), (world, options)


@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@by_id(SET_METRICS)
def test_small_worlds(record, shape):
    """Every seventh kind of world: the options, of which there are 4, 16 or 80, come in every order."""
    meet_on(record, worlds.representatives(*shape)[::7])


@pytest.mark.exhaustive
@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@by_id(SET_METRICS)
def test_every_world(record, shape):
    meet_on(record, worlds.worlds(*shape))


@by_id([r for r in SET_METRICS if "per_sample" in r.options])
def test_every_sample(record):
    """All the rows that three labels can make, half of them at a time, under every option."""
    rows = np.array(list(product((0, 1), repeat=6)))
    betas = BETAS if "beta" in record.options else (None,)
    rules = ZERO_DIVISIONS if "zero_division" in record.options else (None,)
    for half, beta, rule in product((0, 1), betas, rules):
        options = {"beta": beta, "zero_division": rule, "per_sample": True}
        options = {name: value for name, value in options.items() if value is not None}
        matrices = rows[half::2, :3], rows[half::2, 3:]
        solution = solve(record.function, *matrices, **options)
        assert equals(solution, record.function(*matrices, **options)), options


@pytest.mark.parametrize("n_labels", [1, 2, 3])
@by_id(RANKING)
def test_every_tie_pattern_with_every_truth(record, n_labels):
    cases = list(product(worlds.rows(n_labels), worlds.weak_orderings(n_labels)))
    own = {name: parameter.values for name, parameter in record.parameters.items()}
    choices = {"ties": worlds.TIES, "undefined": (0.0, 1.0, 0.1, nan)} | own
    taken = {name: values for name, values in choices.items() if name in record.options}
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


@by_id(METRICS)
@settings(derandomize=True, deadline=None, max_examples=12)
@given(data=st.data())
def test_any_data_under_any_option(record, data):
    (y_true, y), weights, options = drawn(data, record, without=("beta", "undefined"))
    if "beta" in record.options:
        options["beta"] = data.draw(st.sampled_from([*BETAS, 3, 1 / 3]))
    if "undefined" in record.options:
        options["undefined"] = data.draw(st.sampled_from([0.0, 1.0, 0.1, -0.5, nan]))
    decimals = tuple(w / 10 for w in weights)
    options["sample_weight"] = data.draw(st.sampled_from([None, weights, decimals]))
    if "per_sample" in record.options:
        options["per_sample"] = data.draw(st.booleans())
    solution = solve(record.function, y_true, y, **options)
    assert equals(solution, record.function(y_true, y, **options))
    bound = partial(record.function, **options)
    assert repr(solve(bound, y_true, y)) == repr(solution)


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
    assert isinstance(nowhere.value, float) and isnan(nowhere.value) and isnan(float(nowhere))
    each = solve(label_based.recall, [[1, 0, 1]], [[1, 1, 0]], average=None, zero_division=nan)
    assert each.value[::2] == (Fraction(1), Fraction(0)) and isnan(each.value[1])
    assert [type(value) for value in each.value] == [Fraction, float, Fraction]


def test_one_value_is_a_float_and_several_are_none():
    y_true, y_pred = [[1, 0], [1, 1]], [[1, 0], [1, 0]]
    assert float(solve(hamming.hamming_loss, y_true, y_pred)) == 0.25
    with pytest.raises(TypeError, match=r"the solution has 2 values: read them from \.value"):
        float(solve(hamming.hamming_loss, y_true, y_pred, per_sample=True))


# ---------------------------------------------------------------------------- a road of its own

FILES = sorted(Path(worked.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_knows_no_metric_and_no_array(path):
    """The standard library, the gate, the records and the board: no counts, no ordering, no NumPy."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            packaged = node.module in ("mlm_helpers", "mlm_helpers.worked")
            found |= (
                {f"{node.module}.{name.name}" for name in node.names} if packaged else {node.module}
            )
            assert node.level == 0
    rooms = {name.split(".")[1] for name in found if name.startswith("mlm_helpers.")}
    assert rooms <= {"board", "catalogue", "inputs", "worked"}
    others = {name.partition(".")[0] for name in found} - {"mlm_helpers"}
    assert others <= sys.stdlib_module_names - {"importlib"}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not attributes & {"function", "func", "parts"}  # what a record holds of the first road
    assert not names & {"eval", "exec", "__import__"}


def test_every_metric_has_steps():
    assert sorted(worked.STEPS) == sorted(record.id for record in METRICS)


# ---------------------------------------------------------------------------- what pictures take


def test_fractions_of_counts_without_a_problem():
    """Two hits, one false alarm, three misses and four cells rightly left out."""
    counts = sets.count([(1, 1, 2), (0, 1, 1), (1, 0, 3), (0, 0, 4)])
    assert counts == (2, 1, 3, 4)
    expected = {
        (2, 3): sets.PRECISION,
        (2, 5): sets.RECALL,
        (2, 6): sets.JACCARD,
        (4, 8): sets.F1,
        (10, 23): sets.fbeta(2),
        (4, 10): sets.HAMMING,
        (0, 1): sets.ALL_RIGHT,
        (1, 1): sets.ANY_WRONG,
    }
    assert {kind.ratio(counts): kind for kind in expected.values()} == expected
    nothing = sets.count([(0, 0, 1)])
    assert sets.ALL_RIGHT.ratio(nothing).above == 1 and sets.ANY_WRONG.ratio(nothing).above == 0
    assert isnan(sets.worth(sets.PRECISION, nothing, nan).value)


def test_readings_of_ranks_without_a_problem():
    """Scores 5, 3, 3, 1 of labels a to d, of which b and d are relevant."""
    labels = ranks.ranked([0, 1, 0, 1], [5, 3, 3, 1], names="abcd")
    assert [(label.name, label.rank) for label in labels] == [
        ("a", 1),
        ("b", 3),
        ("c", 3),
        ("d", 4),
    ]
    assert [label.rank_among_relevant for label in labels if label.relevant] == [1, 2]
    a, b, c, d = labels
    errors = [ranks.pair_error(*pair, "average") for pair in ((b, a), (b, c), (d, a), (d, c))]
    assert errors == [1, Fraction(1, 2), 1, 1]
    settings = {"ties": "worst", "start": 1}
    readings = [
        (ranks.read_coverage, (4, 1)),
        (ranks.read_one_error, (1, 1)),
        (ranks.read_ranking_loss, (4, 4)),
        (ranks.read_average_precision, (5, 12)),  # ½(1/3 + 2/4)
    ]
    for read, ratio in readings:
        assert read(labels, settings)[1] == ratio
        assert read(ranks.ranked([0, 0], [1, 2]), settings)[1] == "No label is relevant"


# ---------------------------------------------------------------------------- a stranger's metric


def specificity(y_true, y_pred, *, zero_division=0.0, sample_weight=None, per_sample=False):
    """A value per sample from counts: TN / (TN + ✗)."""


def precision_at(y_true, y_score, *, k, ties="worst", sample_weight=None, per_sample=False):
    """A value per sample from ranks: relevant labels among the first k, of k."""


def top_scored(y_true, y_score, *, average="macro", sample_weight=None):
    """A value per label from scores: whether its best scored sample is relevant."""


def read_precision_at(labels, settings):
    found = [one for one in labels if one.relevant and one.rank <= settings["k"]]
    said = f"Relevant labels down to rank {settings['k']}: {len(found)}."
    return [Sentence(said)], Ratio(Fraction(len(found)), Fraction(settings["k"]))


def steps_of_top_scored(problem):
    table = Table("The data", ("sample", "score"), tuple(zip(problem.samples, "", strict=False)))
    terms, supports = [], []
    for j, _ in enumerate(problem.labels):
        best = max(range(len(problem.samples)), key=lambda i: problem.other[i][j])
        right = Fraction(problem.truth[best][j])
        terms.append(Term(str(right), right, str(right)))
        supports.append(Fraction(sum(row[j] for row in problem.truth)))
    return over_labels(problem, [table], terms, supports)


@pytest.fixture
def strangers(monkeypatch):
    common = {"family": "", "latex": "", "higher_is_better": True, "parts": None}
    k = Parameter(lambda value: None, (2,))
    by_label = {"reads": "y_score", "along": "label"}
    records = (
        Metric("specificity", specificity, **common),
        Metric("P@k", precision_at, **common, reads="y_score", parameters={"k": k}),
        Metric("top", top_scored, **common, **by_label),
    )
    ratio = sets.SetRatio(lambda c: Ratio(c.tn, c.tn + c.fp), "TN / (TN + ✗)")
    monkeypatch.setitem(worked.STEPS, records[0].id, partial(sets.per_sample, ratio))
    monkeypatch.setitem(worked.STEPS, records[1].id, partial(ranks.per_sample, read_precision_at))
    monkeypatch.setitem(worked.STEPS, records[2].id, steps_of_top_scored)
    with catalogue.added(*records):
        yield


@pytest.mark.usefixtures("strangers")
def test_a_strangers_metric_needs_its_steps_only():
    counted = solve(specificity, [[1, 0, 0], [1, 1, 1]], [[1, 1, 0], [1, 0, 0]])
    assert counted.value == Fraction(1, 4)  # ½(1/2 + 0)
    assert counted.steps[1].rows[1][-2:] == (
        Ratio(Fraction(0), Fraction(0)),
        "0, by zero_division=0.0",
    )
    y_true, y_score = [[1, 0, 1], [0, 0, 1]], [[3, 2, 1], [3, 2, 1]]
    listed = solve(partial(precision_at, k=2), y_true, y_score)
    assert listed.value == Fraction(1, 4)  # ½(1/2 + 0/2)
    assert listed.title == "P@k: test_worked.precision_at, k=2"
    y_true, y_score = [[1, 0, 1], [1, 0, 0]], [[3, 2, 1], [2, 1, 2]]  # supports 2, 0 and 1
    values = {"macro": Fraction(1, 3), "weighted": Fraction(2, 3), None: (1, 0, 0)}
    for choice, value in values.items():
        assert solve(top_scored, y_true, y_score, average=choice).value == value
    with pytest.raises(TypeError, match=r"k is missing: test_worked\.precision_at needs it"):
        solve(precision_at, y_true, y_score)


@pytest.mark.usefixtures("strangers")
@pytest.mark.parametrize("metric", [specificity, partial(precision_at, k=2), top_scored])
def test_a_strangers_sheet(metric):
    sheet = exercise(metric, seed=1, n_samples=4, n_labels=3)
    assert 0 < sheet.solution.value < 1
    assert np.shape(sheet.y_pred_or_score) == (4, 3)
    assert "value" not in sheet.task.to_text()


def test_a_metric_without_steps(monkeypatch):
    monkeypatch.delitem(worked.STEPS, "label_based.f1")
    with pytest.raises(ValueError, match=r"^label_based\.f1 has no worked steps: write them into"):
        solve(label_based.f1, [[1]], [[1]])


# ---------------------------------------------------------------------------- the documents' boards

DATA = {  # how each document's own example stands on a board
    "partial_credit": """
The data: 4 labels
sample  true labels                  predicted labels
1       {label 1, label 3, label 4}  {label 1}
2       {label 1, label 2}           {label 2, label 4}
3       {label 1, label 3}           {label 1, label 2, label 3}""",
    "sklearn_guide": """
The data: 4 labels
sample  true labels                  predicted labels
1       {label 2, label 4}           {label 2, label 3}
2       {label 2, label 3}           {label 2, label 3}
3       {label 1, label 3, label 4}  {label 2, label 4}""",
    "macro_micro": """
The data: 4 labels
sample  true labels                           predicted labels
1       {label 1}                             {label 1}
2       {label 1, label 2}                    {label 1, label 2, label 3}
3       {label 1, label 2, label 3, label 4}  {label 1, label 2, label 3, label 4}""",
    "ranking": """
Sample 1
rank  label          score  relevant
1     entertainment  0.5    ✓
2     geography      0.4
3     sport          0.3    ✓
4     technology     0.15
5     military       0.1""",
}
BOARDS = [
    (example_based.accuracy, {}, "partial_credit", "accuracy (Jaccard): example_based.accuracy", """
Each sample
sample  ✓ hits  ✗ false alarms  ○ misses  ✓ / (✓ + ✗ + ○)  value
1       1       0               2         1/3              1/3
2       1       1               1         1/3              1/3
3       2       1               0         2/3              2/3

⅓(⅓ + ⅓ + ⅔) = 4/9 ≈ 0.444"""),
    (example_based.precision, {}, "partial_credit", "precision: example_based.precision", """
Each sample
sample  ✓ hits  ✗ false alarms  ○ misses  ✓ / (✓ + ✗)  value
1       1       0               2         1/1          1
2       1       1               1         1/2          1/2
3       2       1               0         2/3          2/3

⅓(1/1 + ½ + ⅔) = 13/18 ≈ 0.722"""),
    (example_based.recall, {}, "partial_credit", "recall: example_based.recall", """
Each sample
sample  ✓ hits  ✗ false alarms  ○ misses  ✓ / (✓ + ○)  value
1       1       0               2         1/3          1/3
2       1       1               1         1/2          1/2
3       2       1               0         2/2          1

⅓(⅓ + ½ + 2/2) = 11/18 ≈ 0.611"""),
    (example_based.f1, {}, "partial_credit", "F1: example_based.f1", """
Each sample
sample  ✓ hits  ✗ false alarms  ○ misses  2✓ / (2✓ + ✗ + ○)  value
1       1       0               2         2/4                1/2
2       1       1               1         2/4                1/2
3       2       1               0         4/5                4/5

⅓(2/4 + 2/4 + ⅘) = 3/5 = 0.6"""),
    (example_based.accuracy, {}, "sklearn_guide", "accuracy (Jaccard): example_based.accuracy", """
Each sample
sample  ✓ hits  ✗ false alarms  ○ misses  ✓ / (✓ + ✗ + ○)  value
1       1       1               1         1/3              1/3
2       2       0               0         2/2              1
3       1       1               2         1/4              1/4

⅓(⅓ + 2/2 + ¼) = 19/36 ≈ 0.528"""),
    (hamming.hamming_loss, {}, "sklearn_guide", "Hamming loss: hamming.hamming_loss", """
Each sample
sample  ✓ hits  ✗ false alarms  ○ misses  (✗ + ○) / labels  value
1       1       1               1         2/4               1/2
2       2       0               0         0/4               0
3       1       1               2         3/4               3/4

⅓(2/4 + 0/4 + ¾) = 5/12 ≈ 0.417"""),
    (label_based.f1, {}, "macro_micro", "F1: label_based.f1, average='macro'", """
Each label
label    ✓ TP  ✗ FP  ○ FN  TN  2✓ / (2✓ + ✗ + ○)  value
label 1  3     0     0     0   6/6                1
label 2  2     0     0     1   4/4                1
label 3  1     1     0     1   2/3                2/3
label 4  1     0     0     2   2/2                1

¼(6/6 + 4/4 + ⅔ + 2/2) = 11/12 ≈ 0.917"""),
    (label_based.f1, {"average": "micro"}, "macro_micro",
     "F1: label_based.f1, average='micro'", """
Each label, and all together
label       ✓ TP  ✗ FP  ○ FN  TN  2✓ / (2✓ + ✗ + ○)  value
label 1     3     0     0     0
label 2     2     0     0     1
label 3     1     1     0     1
label 4     1     0     0     2
all labels  7     1     0     4   14/15              14/15

14/15 ≈ 0.933"""),
    (ranking.average_precision, {}, "ranking", "average precision: ranking.average_precision", """
Each relevant label
relevant label  rank among the relevant  rank among all  fraction
entertainment   1                        1               1/1
sport           2                        3               2/3

½(1/1 + ⅔) = 5/6 ≈ 0.833"""),
    (ranking.ranking_loss, {}, "ranking", "ranking loss: ranking.ranking_loss", """
2 × 3 = 6 pairs of a relevant and an irrelevant label; misordered: geography before sport.

1/6 ≈ 0.167"""),
]  # fmt: skip


@pytest.mark.parametrize("metric, options, document, title, rest", BOARDS)
def test_the_board_of_a_document(metric, options, document, title, rest):
    found = getattr(documents, document.upper())
    example = next(iter(found.examples.values()))
    other = example.y_score if document == "ranking" else example.y_pred
    solution = solve(metric, example.y_true, other, labels=found.labels, **options)
    expected = "\n\n".join([title, DATA[document].strip(), rest.strip()])
    assert solution.to_text() == repr(solution) == expected


def steps_after_data(metric, y_true, other, **options):
    """What is on the board under the data, line by line."""
    return solve(metric, y_true, other, **options).to_text().split("\n\n", 2)[2]


def last_line(metric, y_true, other, **options):
    return solve(metric, y_true, other, **options).to_text().splitlines()[-1]


def test_the_documents_own_sum():
    example = documents.SKLEARN_GUIDE.examples["main"]
    line = last_line(example_based.precision, example.y_true, example.y_pred)
    assert line == "⅓(½ + 2/2 + ½) = 2/3 ≈ 0.667"


def test_sums_in_all_their_forms():
    two = [[1, 0, 0], [1, 0, 0]]
    deep = [[3, 2, 1], [1, 3, 2]]
    assert last_line(ranking.coverage, two, deep) == "½(1 + 3) = 2"
    assert last_line(ranking.coverage, two, deep, start=0) == "½(0 + 2) = 1"
    assert last_line(ranking.coverage, [[1, 0]], [[5, 5]], ties="average") == "1.5 = 3/2"
    assert last_line(ranking.coverage, [[1, 0]], [[2, 1]]) == "1"
    assert last_line(ranking.coverage, [[0]], [[2]], undefined=0.5) == "1/2 = 0.5"
    undefined = {"undefined": -100.5}
    assert last_line(ranking.coverage, [[0], [1]], [[2], [2]], **undefined) == (
        "½(-201/2 + 1) = -199/4 = -49.75"
    )
    assert last_line(hamming.hamming_loss, [[0, 0]], [[1, 1]]) == "2/2 = 1"
    assert last_line(hamming.hamming_loss, [[0, 0], [1, 0]], [[1, 1], [1, 1]]) == (
        "½(2/2 + ½) = 3/4 = 0.75"
    )
    weight = {"sample_weight": [0.1, 0.2]}
    assert last_line(hamming.hamming_loss, [[0, 0], [1, 0]], [[1, 1], [1, 1]], **weight) == (
        "(0.1 × 2/2 + 0.2 × ½) ÷ (0.1 + 0.2) = 2/3 ≈ 0.667"
    )


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (1, "1/2500 = 0.0004"),
        (16, "16/2500 = 4/625 = 0.0064"),
        (2499, "2499/2500 = 0.9996"),
    ],
)
def test_decimals_of_large_boards(wrong, line):
    """50 × 50 cells, all in one micro-recall."""
    y_true = [[1] * 50] * 50
    cells = [0] * (2500 - wrong) + [1] * wrong
    y_pred = [cells[50 * i : 50 * i + 50] for i in range(50)]
    assert last_line(label_based.recall, y_true, y_pred, average="micro") == line


def test_decimals_that_do_not_end():
    """A single miss among 41 × 50 = 2050 cells, and a single hit among 41 × 17 = 697."""
    almost, hardly = [[1] * 50] * 41, [[1] * 17] * 41
    miss, hit = [[1] * 50 for _ in almost], [[0] * 17 for _ in hardly]
    miss[0][0], hit[0][0] = 0, 1
    assert last_line(label_based.recall, almost, miss, average="micro") == "2049/2050 ≈ 1.000"
    assert last_line(label_based.recall, hardly, hit, average="micro") == "1/697 ≈ 0.00143"


def test_rules_are_named_where_they_gave_a_value():
    y_true, y_pred = [[1, 0], [0, 0], [1, 0]], [[0, 0], [0, 0], [1, 0]]

    def table(rule):
        solution = solve(example_based.precision, y_true, y_pred, zero_division=rule)
        return [row[-1] for row in solution.steps[1].rows], solution.to_text().splitlines()[-1]

    assert table(0.0) == (
        ["0, by zero_division=0.0", "0, by zero_division=0.0", "1"],
        "⅓(0 + 0 + 1/1) = 1/3 ≈ 0.333",
    )
    assert table(1) == (
        ["1, by zero_division=1", "1, by zero_division=1", "1"],
        "⅓(1 + 1 + 1/1) = 1",
    )
    assert table(nan) == (
        ["left out, by zero_division=nan", "left out, by zero_division=nan", "1"],
        "1/1 = 1",
    )
    assert table("agree") == (
        [
            "0, by zero_division='agree': only one is empty",
            "1, by zero_division='agree': both are empty",
            "1",
        ],
        "⅓(0 + 1 + 1/1) = 2/3 ≈ 0.667",
    )


def test_nothing_left():
    nothing = "No sample is left to average: the value is nan."
    assert last_line(example_based.precision, [[1]], [[0]], zero_division=nan) == nothing
    options = {"zero_division": nan, "sample_weight": [0, 1]}
    assert last_line(example_based.precision, [[1], [1]], [[1], [0]], **options) == (
        "No weight is left to average: the value is nan."
    )


def test_weighted_by_support():
    y_true, y_pred = [[1, 0, 1], [1, 0, 0]], [[1, 0, 0], [0, 1, 0]]
    assert steps_after_data(label_based.recall, y_true, y_pred, average="weighted") == (
        """
Each label
label  ✓ TP  ✗ FP  ○ FN  TN  ✓ / (✓ + ○)  value
1      1     0     1     0   1/2          1/2
2      0     1     0     1   0/0          0, by zero_division=0.0
3      0     0     1     1   0/1          0

Each label weighs as much as it has relevant samples, TP + FN.

(2 × ½ + 0 × 0 + 1 × 0/1) ÷ (2 + 0 + 1) = 1/3 ≈ 0.333
""".strip()
    )
    no_support = steps_after_data(label_based.precision, [[0, 0]], [[1, 0]], average="weighted")
    assert no_support.splitlines()[-3:] == [
        "No label that is left has a relevant sample: all weigh the same.",
        "",
        "½(0/1 + 0) = 0",
    ]


def test_wrong_labels_of_exact_match():
    y_true, y_pred = [[1, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 1]]
    assert steps_after_data(exact_match.zero_one_loss, y_true, y_pred) == (
        """
Each sample
sample  wrong labels  value
1       ∅             0
2       {1, 3}        1

½(0 + 1) = 1/2 = 0.5
""".strip()
    )


def test_several_ranked_samples():
    """Named tied pairs, what is undefined and why, weights beside the scores."""
    y_true = [[0, 1, 0], [1, 1, 1], [0, 0, 0]]
    y_score = [[0.5, 0.5, 0.9], [1, 2, 3], [1, 2, 3]]
    options = {"ties": "average", "undefined": 0.25, "sample_weight": [1, 0.5, 0]}
    solution = solve(ranking.ranking_loss, y_true, y_score, labels=["a", "b", "c"], **options)
    assert solution.to_text() == (
        """
ranking loss: ranking.ranking_loss, ties='average', undefined=0.25, with sample weights

Sample 1, weight 1
rank  label  score  relevant
1     c      0.9
2.5   a      0.5
2.5   b      0.5    ✓

1 × 2 = 2 pairs of a relevant and an irrelevant label; misordered: c before b; a tied with b (counts 1/2).

Sample 2, weight 0.5
rank  label  score  relevant
1     c      3      ✓
2     b      2      ✓
3     a      1      ✓

Every label is relevant, so there is no pair: 0.25, by undefined=0.25.

Sample 3, weight 0
rank  label  score  relevant
1     c      3
2     b      2
3     a      1

No label is relevant: 0.25, by undefined=0.25.

Each sample
sample  relevant labels  weight  value
1       {b}              1       1.5/2
2       {a, b, c}        0.5     0.25, by undefined=0.25
3       ∅                0       0.25, by undefined=0.25

(1 × 1.5/2 + 0.5 × ¼ + 0 × ¼) ÷ (1 + 0.5 + 0) = 7/12 ≈ 0.583
""".strip()
    )


def sentences(metric, y_true, y_score, **options):
    solution = solve(metric, y_true, y_score, labels=["a", "b", "c"], **options)
    return [step.text for step in solution.steps if isinstance(step, Sentence)]


def test_what_is_said_of_a_ranked_sample():
    y_true, tied, clear = [[1, 0, 0]], [[5, 5, 1]], [[2, 3, 1]]
    pairs = "1 × 2 = 2 pairs of a relevant and an irrelevant label; "
    assert sentences(ranking.coverage, y_true, clear) == [
        "The deepest relevant label is a, at rank 2."
    ]
    assert sentences(ranking.coverage, y_true, tied, start=0, ties="average") == [
        "The deepest relevant label is a, at rank 1.5, counted from 0: 0.5."
    ]
    assert sentences(ranking.one_error, y_true, clear) == [
        "The top label is b, which is not relevant."
    ]
    assert sentences(ranking.one_error, y_true, tied, ties="first") == [
        "The top label is a, which is relevant."
    ]
    for ties, worth in {"worst": "1", "best": "0", "average": "1/2"}.items():
        assert sentences(ranking.one_error, y_true, tied, ties=ties) == [
            f"At the top are tied: a, b; 1 of 2 are irrelevant, and ties={ties!r} makes it {worth}."
        ]
    assert sentences(ranking.ranking_loss, y_true, tied) == [
        pairs + "misordered: b tied with a (counts 1)."
    ]
    assert sentences(ranking.ranking_loss, y_true, tied, ties="first") == [
        pairs + "none is misordered."
    ]
    assert sentences(ranking.average_precision, [[0, 0, 0]], clear) == [
        "No label is relevant: 1, by undefined=1.0."
    ]


def test_labels_stand_in_the_order_that_ties_give_them():
    def order(ties):
        ranked = solve(ranking.coverage, [[1, 0, 0]], [[5, 5, 5]], ties=ties).steps[0]
        return [row[:2] for row in ranked.rows]

    assert order("first") == [("1", "1"), ("2", "2"), ("3", "3")]
    assert order("last") == [("1", "3"), ("2", "2"), ("3", "1")]
    assert order("worst") == [("3", "1"), ("3", "2"), ("3", "3")]


def test_formulas_of_fbeta_in_whole_numbers():
    def formula(beta):
        table = solve(example_based.fbeta, [[1, 0]], [[1, 1]], beta=beta).steps[1]
        return table.header[4], table.rows[0][4]

    assert formula(0) == ("✓ / (✓ + ✗)", Ratio(Fraction(1), Fraction(2)))
    assert formula(0.5) == ("5✓ / (5✓ + 4✗ + ○)", Ratio(Fraction(5), Fraction(9)))
    assert formula(2) == ("5✓ / (5✓ + ✗ + 4○)", Ratio(Fraction(5), Fraction(6)))


# ---------------------------------------------------------------------------- what is refused

Y, Z = [[1, 0], [0, 1]], [[1, 1], [0, 1]]


def test_data_frames_give_the_names():
    frame = pd.DataFrame(Y, columns=["cat", "dog"], index=["x.png", "y.png"])
    solution = solve(hamming.hamming_loss, frame, frame)
    assert solution.steps[0].rows[0] == ("x.png", "{cat}", "{cat}")
    named = solve(hamming.hamming_loss, frame, frame, labels=["Katze", "Hund"], samples=[3, 4])
    assert named.steps[0].rows[0] == ("3", "{Katze}", "{Katze}")
    assert solve(hamming.hamming_loss, Y, Z).steps[0].rows[0] == ("1", "{1}", "{1, 2}")


@pytest.mark.parametrize("make", [np.array, pd.DataFrame, sparse.csr_array, tuple], ids=repr)
@by_id(METRICS)
def test_every_container_and_none_is_changed(record, make):
    y_true, y, weight = make(Y), make(Z), np.array([0.1, 0.2])
    before = [np.asarray(m.toarray() if sparse.issparse(m) else m).copy() for m in (y_true, y)]
    options = {"sample_weight": weight} | record.required
    solution = solve(record.function, y_true, y, **options)
    assert equals(solution, record.function(y_true, y, **options))
    after = [np.asarray(m.toarray() if sparse.issparse(m) else m) for m in (y_true, y)]
    assert all(map(np.array_equal, before, after)) and weight.tolist() == [0.1, 0.2]
    assert type(y_true) is type(make(Y))


def test_names_and_options_are_not_changed():
    labels, options = ["a", "b"], {"zero_division": nan}
    solve(partial(example_based.f1, **options), Y, Z, labels=labels, samples=("s", "t"))
    assert labels == ["a", "b"] and list(options) == ["zero_division"]


def test_fifty_is_the_most():
    assert solve(hamming.hamming_loss, [[1] * 50] * 50, [[0] * 50] * 50).value == 1
    for shape, what in (((51, 2), "51 samples"), ((2, 51), "51 labels")):
        matrix = np.ones(shape, dtype=int)
        for metric in (hamming.hamming_loss, ranking.coverage):
            sentence = (
                f"y_true has {what}, more than the 50 that a person can follow: for large data call"
                rf" \w+\.{metric.__name__} itself"
            )
            with pytest.raises(ValueError, match=sentence):
                solve(metric, matrix, matrix)


@pytest.mark.parametrize(
    ("metric", "options", "error", "sentence"),
    [
        (hamming.hamming_loss, {"zero_division": 0}, TypeError,
         "zero_division is not an option of hamming.hamming_loss: it takes sample_weight, per_sample"),
        (label_based.f1, {"beta": 2}, TypeError, "beta is not an option of label_based.f1"),
        (partial(label_based.f1, y_pred=Z), {}, TypeError, "y_pred is not an option of"),
        (label_based.fbeta, {}, TypeError, "beta is missing: label_based.fbeta needs it"),
        (example_based.fbeta, {}, TypeError, "beta is missing: example_based.fbeta needs it"),
        (label_based.confusion, {}, ValueError, "metric is confusion, which the catalogue does not"),
        (ranking.ranks, {}, ValueError, "metric is ranks, which the catalogue does not hold"),
        (sklearn.metrics.f1_score, {}, ValueError, "metric is f1_score, which the catalogue"),
        (partial(sorted), {}, ValueError, "metric is sorted, which the catalogue does not hold"),
        ("f1", {}, ValueError, "metric is of type str, which the catalogue does not hold"),
        (label_based.f1, {"average": "samples"}, ValueError, "average is 'samples': choose one of"),
        (label_based.f1, {"zero_division": 0.5}, ValueError, "zero_division is 0.5: choose one of"),
        (label_based.fbeta, {"beta": -1}, ValueError, "beta is -1: give a finite number of 0 or more"),
        (ranking.coverage, {"start": 2}, ValueError, "start is 2: choose one of 0, 1"),
        (ranking.coverage, {"ties": "random"}, ValueError, "ties is 'random': choose one of"),
        (ranking.coverage, {"undefined": "x"}, ValueError, "undefined is 'x': give nan or a number"),
        (hamming.hamming_loss, {"per_sample": 1}, ValueError, "per_sample is 1: choose one of"),
        (hamming.hamming_loss, {"labels": ["a"]}, ValueError, "labels has 1 names for 2 labels"),
        (hamming.hamming_loss, {"labels": {"a", "b"}}, TypeError, "labels is of type set: give a list"),
        (hamming.hamming_loss, {"samples": pd.DataFrame([["a"], ["b"]])}, TypeError,
         "samples is of type DataFrame: give a list of 2 names"),
        (hamming.hamming_loss, {"labels": np.array("ab")}, TypeError,
         "labels is of type ndarray: give a list of 2 names"),
        (hamming.hamming_loss, {"labels": ["a", "a"]}, ValueError,
         "labels has 'a' at positions 0 and 1: name each label differently"),
        (hamming.hamming_loss, {"samples": ["a", "b", "c"]}, ValueError, "samples has 3 names for 2"),
        (hamming.hamming_loss, {"labels": "ab"}, TypeError, "labels is of type str: give a list of 2"),
        (hamming.hamming_loss, {"samples": 2}, TypeError, "samples is of type int: give a list of 2"),
    ],
)  # fmt: skip
def test_refused(metric, options, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        solve(metric, Y, Z, **options)
    assert "\n" not in str(caught.value)


BAD = [
    {"y_true": [["a"], ["b"]]},
    {"y_true": [[0, 1], [2, 0]]},
    {"y_true": [[0, 1]]},
    {"y_true": []},
    {"y_true": [1, 0]},
    {"y_true": [[0, nan], [1, 0]]},
    {"y_true": [{1}, {0, 1}]},
    {"y": [[1, 0], [1]]},
    {"y": None},
    {"y": [[1, 0, 0], [1, 0, 0]]},
    {"y": [[0, float("inf")], [1, 0]]},
    {"y": [np.eye(2), np.eye(2)]},
    {"y": np.ma.array([[1, 0], [0, 1]], mask=[[True, False], [False, False]])},
    {"sample_weight": [1]},
    {"sample_weight": [-1, 2]},
    {"sample_weight": [0, 0]},
    {"sample_weight": "ab"},
]


@pytest.mark.parametrize("bad", BAD, ids=[f"{i} {' '.join(bad)}" for i, bad in enumerate(BAD)])
@by_id(METRICS)
def test_bad_input_gets_the_sentence_of_the_gate(record, bad):
    given = {"y_true": Y, "y": Z, "sample_weight": None} | bad
    matrices, weight = (given["y_true"], given["y"]), {"sample_weight": given["sample_weight"]}
    with pytest.raises((TypeError, ValueError)) as by_metric:
        record.function(*matrices, **record.required, **weight)
    with pytest.raises((TypeError, ValueError)) as by_hand:
        solve(record.function, *matrices, **record.required, **weight)
    assert str(by_hand.value) == str(by_metric.value)
    assert type(by_hand.value) is type(by_metric.value)


def test_frames_in_another_order_are_refused():
    frame = pd.DataFrame(Y, columns=["cat", "dog"])
    with pytest.raises(ValueError, match="bring both into one order"):
        solve(hamming.hamming_loss, frame, frame[["dog", "cat"]])


# ---------------------------------------------------------------------------- exercises


@cache
def sheets(metric, n=20, ties=False, n_samples=3, n_labels=4):
    return [
        exercise(metric, seed=seed, n_samples=n_samples, n_labels=n_labels, ties=ties)
        for seed in range(n)
    ]


def bound(record):
    return partial(record.function, **record.required) if record.required else record.function


def test_a_sheet_of_label_sets():
    """Two wrong labels of three on the second sample (1 is missed, 2 and 3 are not meant)."""
    sheet = exercise(hamming.hamming_loss, seed=1, n_samples=2, n_labels=3)
    assert sheet.y_true == [[1, 1, 0], [1, 0, 0]]
    assert sheet.y_pred_or_score == [[1, 1, 0], [0, 1, 1]]
    assert sheet.solution.value == Fraction(1, 2)
    assert sheet.task.to_text() == (
        """
Compute Hamming loss: hamming.hamming_loss

The data: 3 labels
sample  true labels  predicted labels
1       {1, 2}       {1, 2}
2       {1}          {2, 3}
""".strip()
    )


def test_a_sheet_of_scores():
    """Relevant ranks 2 and 3 in the first sample, ½(1/2 + 2/3) = 7/12; rank 1 in the second."""
    sheet = exercise(ranking.average_precision, seed=1, n_samples=2, n_labels=3)
    assert sheet.y_true == [[1, 1, 0], [1, 0, 0]]
    assert sheet.y_pred_or_score == [[0.04, 0.03, 0.54], [0.93, 0.38, 0.22]]
    assert sheet.solution.value == (Fraction(7, 12) + 1) / 2
    assert sheet.task.to_text() == (
        """
Compute average precision: ranking.average_precision

Sample 1
label  score  relevant
1      0.04   ✓
2      0.03   ✓
3      0.54

Sample 2
label  score  relevant
1      0.93   ✓
2      0.38
3      0.22
""".strip()
    )


@by_id(METRICS)
def test_twenty_sheets(record):
    made = sheets(bound(record))
    assert len({repr(sheet[:2]) for sheet in made}) == 20
    random.seed(5)
    assert exercise(bound(record), seed=3, n_samples=3, n_labels=4) == made[3]
    lowest, highest = (1, 4) if record.id == "ranking.coverage" else (0, 1)
    for y_true, other, task, solution in made:
        assert lowest < solution.value < highest
        assert repr(solve(bound(record), y_true, other)) == repr(solution)
        assert np.shape(y_true) == np.shape(other) == (3, 4)
        if record.reads == "y_score":
            truths, lists = np.array(y_true), np.array(other)
            if record.along == "label":  # read down its columns
                truths, lists = truths.T, lists.T
            assert all({*row} == {0, 1} for row in truths.tolist())
            assert all(len({*row}) == len(row) for row in lists.tolist())
            assert all(0 < score < 1 and round(score, 2) == score for row in other for score in row)
        else:
            assert all(set(row) == {0, 1} for row in y_true)
            assert all(set(row) <= {0, 1} for row in other)
        shown = task.to_text()
        assert all(isinstance(step, Table) for step in task.steps)
        assert not re.search(r"[½⅓¼≈÷]|rank  |value|hits|TP|misordered", shown)
        data = solution.to_text()
        assert all(name in data for name in re.findall(r"\{.*?\}|0\.\d+", shown))


@by_id(RANKING)
def test_ties_when_asked(record):
    """At the smallest sizes too; but two labels that tie leave only trivial answers."""
    for n_labels in (3, 4, 50):
        for sheet in sheets(bound(record), n=5, ties=True, n_labels=n_labels):
            assert all(len(set(row)) < n_labels for row in sheet.y_pred_or_score)
            lowest, highest = (1, n_labels) if record.id == "ranking.coverage" else (0, 1)
            assert lowest < sheet.solution.value < highest


@by_id([record for record in METRICS if record.family == "curves"])
def test_ties_of_a_curve_metric_are_in_its_columns(record):
    for sheet in sheets(record.function, n=5, ties=True, n_samples=5, n_labels=2):
        assert all(len({*column}) < 5 for column in zip(*sheet.y_pred_or_score, strict=True))
        assert 0 < sheet.solution.value < 1
    with pytest.raises(ValueError, match="n_samples is 1: give a whole number from 2 to 50"):
        exercise(record.function, seed=1, n_samples=1, n_labels=3)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_what_is_said_where_no_label_has_a_value(average):
    solution = solve(label_based.recall, [[0]], [[1]], average=average, zero_division=nan)
    assert solution.steps[-1] == Sentence("No label is left to average: the value is nan.")


def test_the_data_of_one_label_and_of_weighted_samples():
    one, *_ = solve(hamming.hamming_loss, [[1], [0]], [[1], [1]], sample_weight=[0.5, 2]).steps
    assert one == Table(
        "The data: 1 label",
        ("sample", "true labels", "predicted labels", "weight"),
        (("1", "{1}", "{1}", "0.5"), ("2", "∅", "{1}", "2")),
    )


def test_without_a_rule_ties_are_worst_and_what_is_left_out_is_nan():
    relevant, irrelevant = (label for label in ranks.ranked([1, 0], [0.5, 0.5], names="ab"))
    assert (relevant.rank, ranks.rank(0, range(2), [0.5, 0.5])) == (2, 2)
    assert ranks.pair_error(relevant, irrelevant) == 1
    nothing = sets.worth(sets.RECALL, sets.count([(0, 1, 1)]), nan)
    assert nothing.written == "nan" and nothing.said == "left out, by zero_division=nan"


def test_tied_scores_are_few_levels_evenly_apart():
    """Half as many as labels, rounded up: 2 for four labels, thirds apart; 3 for five, quarters."""
    for n_labels, levels in ((4, {0.33, 0.66}), (5, {0.25, 0.5, 0.75})):
        found = set()
        for seed in range(10):
            sheet = exercise(ranking.coverage, seed=seed, n_samples=3, n_labels=n_labels, ties=True)
            found |= {score for row in sheet.y_pred_or_score for score in row}
        assert found == levels


def test_a_sheet_shows_its_weights_and_its_labels():
    weighted = {"sample_weight": [0.1, 3]}
    for metric in (hamming.hamming_loss, ranking.ranking_loss):
        task = exercise(partial(metric, **weighted), seed=2, n_samples=2, n_labels=4).task
        assert {"0.1", "3"} <= set(re.findall(r"[\d.]+", task.to_text()))
        assert task.title.endswith(", with sample weights")


@pytest.mark.parametrize("start", [0, 1])
def test_coverage_sheets_ask_for_neither_end(start):
    metric = partial(ranking.coverage, start=start)
    values = {sheet.solution.value for sheet in sheets(metric, n_samples=1, n_labels=3)}
    assert values == {Fraction(start + 1)}  # of ranks start, start + 1, start + 2


def test_several_answers():
    made = sheets(partial(label_based.f1, average=None))
    assert all(any(0 < value < 1 for value in sheet.solution.value) for sheet in made)
    made = sheets(partial(ranking.coverage, per_sample=True, start=0))
    assert all(any(0 < value < 3 for value in sheet.solution.value) for sheet in made)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"n_samples": 0}, ValueError, "n_samples is 0: give a whole number from 1 to 50"),
        ({"n_samples": 51}, ValueError, "n_samples is 51: give a whole number from 1 to 50"),
        ({"n_samples": True}, ValueError, "n_samples is True: give a whole number from 1 to 50"),
        ({"n_labels": 1}, ValueError, "n_labels is 1: give a whole number from 2 to 50"),
        ({"n_labels": 2.5}, ValueError, "n_labels is 2.5: give a whole number from 2 to 50"),
        ({"n_labels": 51}, ValueError, "n_labels is 51: give a whole number from 2 to 50"),
        ({"seed": None}, ValueError, "seed is None: give a whole number"),
        ({"seed": 1.5}, ValueError, "seed is 1.5: give a whole number"),
        (
            {"n_samples": 1},
            ValueError,
            "no data of 1 samples and 2 labels on which exact_match.subset_accuracy is neither at its"
            " lowest nor at its highest turned up: ask for more samples and labels",
        ),
    ],
)
def test_sheets_that_cannot_be(options, error, sentence):
    sizes = {"seed": 1, "n_samples": 2, "n_labels": 2} | options
    with pytest.raises(error, match=re.escape(sentence)):
        exercise(exact_match.subset_accuracy, **sizes)


def test_many_labels_where_chance_gets_no_row_right():
    """Of 20 labels a random row is right once in a million times: predictions near the truth are."""
    sheet = exercise(exact_match.subset_accuracy, seed=1, n_samples=50, n_labels=20)
    wrong = (np.array(sheet.y_true) != sheet.y_pred_or_score).sum(axis=1)
    assert set(wrong) == {0, 1} and 0 < sheet.solution.value < 1


@pytest.mark.parametrize(
    ("metric", "sizes", "remedy"),
    [
        (exact_match.subset_accuracy, (1, 20), "ask for more samples"),
        (partial(ranking.one_error, ties="worst"), (5, 2), "ask for more labels"),
        (partial(exact_match.zero_one_loss, sample_weight=[0, 1, 0]), (3, 3),
         "give the metric other options"),
    ],
)  # fmt: skip
def test_advice_that_helps(metric, sizes, remedy):
    """One row is right or wrong; the two labels of a row tie at its top; one row alone has weight."""
    ties = metric is not exact_match.subset_accuracy and metric.func is ranking.one_error
    with pytest.raises(ValueError, match=f"highest turned up: {remedy}$"):
        exercise(metric, seed=1, n_samples=sizes[0], n_labels=sizes[1], ties=ties)


def test_numbers_and_words_of_numpy():
    sizes = {"n_samples": 3, "n_labels": 4}
    as_numpy = {name: np.int64(size) for name, size in sizes.items()}
    plain = exercise(label_based.f1, seed=1, **sizes)
    assert exercise(label_based.f1, seed=np.uint8(1), **as_numpy) == plain
    micro = solve(label_based.f1, Y, Z, average=np.str_("micro"), zero_division=np.float64(1))
    assert micro.title == "F1: label_based.f1, average='micro', zero_division=1.0"
    tied = solve(ranking.one_error, [[1, 0]], [[5, 5]], ties=np.str_("best"))
    assert tied.title == "one-error: ranking.one_error, ties='best'"
    assert tied.steps[1].text.endswith("and ties='best' makes it 0.")


def test_sheets_of_the_largest_size():
    for metric in (hamming.hamming_loss, ranking.ranking_loss):
        sheet = exercise(metric, seed=1, n_samples=50, n_labels=50)
        assert np.shape(sheet.y_pred_or_score) == (50, 50) and 0 < sheet.solution.value < 1
