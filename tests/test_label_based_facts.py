"""Facts of notebook 04: along each label, divided before or after, and where the averages part."""

import operator
from collections import Counter
from fractions import Fraction as F
from functools import cache, partial
from itertools import combinations
from math import isclose
from statistics import mean

import facts
import numpy as np
import pytest
import worlds
from facts import always, decimal, rows, sometimes, tally
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import classification_report, f1_score

from mlm_course import documents
from mlm_course.disagreement import smallest_disagreement
from mlm_helpers import conventions, example_based, label_based
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.label_based import f1, jaccard, matthews_correlation, specificity

shown, said = partial(facts.shown, "04_label_based"), partial(facts.said, "04_label_based")
DATA = documents.MACRO_MICRO.y_true, documents.MACRO_MICRO.y_pred
LABELS = ("label 1", "label 2", "label 3", "label 4")


FIVE = ("macro", "micro", "weighted", "samples", "of mean P and R")
micro_f1 = partial(f1, average="micro")


@cache
def _averages(name, y_true, y_pred):
    columns = [list(zip(*matrix, strict=True)) for matrix in (y_true, y_pred)]
    labels, support = facts.pencil(name, *columns), [sum(column) for column in columns[0]]
    (of_all,) = facts.pencil(name, [sum(y_true, ())], [sum(y_pred, ())])
    votes = sum(map(operator.mul, labels, support))
    return {
        "each": labels,
        "macro": mean(labels),
        "micro": of_all,
        "weighted": votes / sum(support) if any(support) else F(0),
        "samples": mean(facts.pencil(name, y_true, y_pred)),
    }


def pencil(name, y_true, y_pred):
    """A ratio of each label and under every average."""
    return _averages(name, *(tuple(map(tuple, np.asarray(m).tolist())) for m in (y_true, y_pred)))


def of_f1(average):
    return lambda y_true, y_pred: pencil("f1", y_true, y_pred)[average]


def cf1(y_true, y_pred):
    """The F1 of macro precision and macro recall."""
    cp, cr = (pencil(name, y_true, y_pred)["macro"] for name in ("precision", "recall"))
    return 2 * cp * cr / (cp + cr) if cp + cr else F(0)


def five(y_true, y_pred):
    return [*(of_f1(average)(y_true, y_pred) for average in FIVE[:4]), cf1(y_true, y_pred)]


# ---------------------------------------------------------------------------- divide, then average


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("name, metric", [("f1", f1), ("jaccard", jaccard)])
def test_macro_divides_then_averages_and_micro_adds_up_then_divides(name, metric, average):
    def holds(y_true, y_pred):
        value = metric(y_true, y_pred, average=average)
        return isclose(value, pencil(name, y_true, y_pred)[average], abs_tol=1e-12)

    always(holds)


def test_micro_f1_is_the_harmonic_mean_of_micro_precision_and_recall():
    def holds(y_true, y_pred):
        p, r, f = (pencil(n, y_true, y_pred)["micro"] for n in ("precision", "recall", "f1"))
        return f * (p + r) == 2 * p * r

    always(holds)


def test_micro_f1_does_not_ask_which_label_a_mistake_belongs_to():
    def turned(matrix):
        """Each row by itself, in truth and prediction alike."""
        return np.array([np.roll(row, i) for i, row in enumerate(matrix)])

    always(
        lambda y_true, y_pred: micro_f1(y_true, y_pred) == micro_f1(*map(turned, (y_true, y_pred)))
    )
    sometimes(lambda y_true, y_pred: f1(y_true, y_pred) != f1(*map(turned, (y_true, y_pred))))


def test_the_axis_of_the_counts_makes_the_family():
    """A sample is a label of the matrix turned on its side; everything is one sample."""

    def holds(y_true, y_pred):
        along_rows = example_based.f1(y_true, y_pred, per_sample=True)
        of_all = example_based.f1(y_true.reshape(1, -1), y_pred.reshape(1, -1))
        along_columns = f1(y_true.T, y_pred.T, average=None)
        return np.allclose(along_rows, along_columns) and isclose(of_all, micro_f1(y_true, y_pred))

    always(holds)


def test_counts_and_averages_by_hand():
    """TP, FP and FN of the labels: 3 0 0, 2 0 0, 1 1 0, 1 0 0."""
    counts = [tally(t, p) for t, p in zip(*(zip(*m, strict=True) for m in DATA), strict=True)]
    assert counts == [(3, 0, 0, 0), (2, 0, 0, 1), (1, 1, 0, 1), (1, 0, 0, 2)]
    outcomes = "sample 2: hit label 1 and label 2, false alarm label 3; sample 3: hit label 1, label 2, label 3"
    assert outcomes in said("04-03")
    lines = [(i, *four) for i, four in enumerate(counts, 1)]
    assert shown("04-07") == rows(("TP", "FP", "FN", "TN"), *lines)
    assert said("04-66") == "precision of label 3 1/2\nrecall of label 3 1\nF1 of label 3 2/3\n"
    assert said("04-10") == "1 1 2/3 1 → macro-F1 11/12 ≈ 0.916667\n"
    assert said("04-13").startswith(
        "TP 7, FP 1, FN 0, TN 4\nprecision 7/8, recall 1\nmicro-F1 14/15"
    )
    assert said("04-40") == "micro-F1 by its formula 14/15 and by our counts 14/15\n"
    assert [*shown("04-21", table=1)["3"].values()] == ["1", "1", "0", "1", "2/3", "2/3"]
    assert "(3 × 6/6 + 2 × 4/4 + 1 × ⅔ + 1 × 2/2) ÷ (3 + 2 + 1 + 1) = 20/21" in said("04-21")
    assert shown("04-explore")["sample 2"]["label 3"] == "✗ false alarm"


# ---------------------------------------------------------------------------- the report


def test_our_functions_fill_the_report():
    three = [pencil(name, *DATA) for name in ("precision", "recall", "f1")]
    lines = [(name, *(float(v["each"][i]) for v in three)) for i, name in enumerate(LABELS)]
    for average in ("micro", "macro", "weighted", "samples"):
        lines.append((average, *(float(v[average]) for v in three)))
    assert shown("04-19") == rows(("precision", "recall", "F1"), *lines, places=6)
    printed = [line.split() for line in said("04-23").splitlines() if line.strip()]
    names = [*"0123", "micro avg", "macro avg", "weighted avg", "samples avg"]
    support = [3, 2, 1, 1, 7, 7, 7, 7]
    assert printed[1:] == [
        [*name.split(), *(f"{value:.6f}" for value in line[1:]), str(n)]
        for name, line, n in zip(names, lines, support, strict=True)
    ]


def test_f1_is_the_harmonic_mean_in_rows_of_labels_and_in_micro_alone():
    found = {}
    for t, p in np.random.default_rng(4).integers(2, size=(9, 2, 4, 3)):
        report = classification_report(t, p, output_dict=True, zero_division=0)
        for name, (pr, re, f, _) in ((name, row.values()) for name, row in report.items()):
            harmonic = 2 * pr * re / (pr + re) if pr + re else 0
            found[name] = found.get(name, True) and isclose(f, harmonic, abs_tol=1e-9)
    assert [name for name, always_so in found.items() if always_so] == ["0", "1", "2", "micro avg"]


# ---------------------------------------------------------------------------- Jaccard


def test_jaccard_of_a_label_is_never_above_its_f1():
    """F1 = 2J / (1 + J), of a label and of micro."""
    for average in (None, "micro"):

        def holds(y_true, y_pred, average=average):
            j, f = (metric(y_true, y_pred, average=average) for metric in (jaccard, f1))
            return np.allclose(f, 2 * j / (1 + j)) and np.all(j <= f)

        always(holds)


def test_macro_f1_and_macro_jaccard_part_on_six_cells_and_micro_never():
    """F1 0 and 1 against 1/2 and 2/3, Jaccard 0 and 1 against 1/3 and 1/2."""
    for average in ("macro", "micro"):
        both = (partial(metric, average=average) for metric in (f1, jaccard))
        sizes = {"max_samples": 4, "max_labels": 1} if average == "macro" else {}
        assert smallest_disagreement(*both, **sizes) is None
    assert "Macro F1 ↑  first 1/2 = 0.5, second 7/12 ≈ 0.583: prefers the second" in said("04-72")
    assert "Macro Jaccard ↑  first 1/2 = 0.5, second 5/12 ≈ 0.417: prefers the first" in said(
        "04-72"
    )


def test_precision_jaccard_and_f1_of_the_document():
    lines = [
        (name, *map(float, (*value["each"], value["macro"], value["micro"])))
        for name in ("precision", "jaccard", "f1")
        for value in [pencil(name, *DATA)]
    ]
    assert shown("04-69") == rows((*LABELS, "macro", "micro"), *lines)


# ---------------------------------------------------------------------------- the document


def test_five_numbers_of_the_document_carry_a_slip():
    table = shown("04-28")
    assert (table["micro precision, by hand"] | {"the slip": ""}) == {
        "printed": "1", "exact": "7/8", "the slip": "",
    }  # fmt: skip
    assert table["micro precision, by hand"]["the slip"] == "its table swaps FP and FN"
    assert table["micro recall, by hand"]["printed"] == "7/8"
    assert table["micro-F1, in code"]["the slip"] == "labelled “macro-F1”"
    assert len(table) == 5 == sum(bool(v.slip) for v in documents.MACRO_MICRO.published)


def test_three_of_five_f1s_are_one_number_on_the_document():
    values = five(*DATA)
    assert Counter(values)[F(14, 15)] == 3
    assert shown("04-31") == rows(("value",), *zip(FIVE, values, strict=True))


def test_the_smallest_data_that_tell_five_f1s_apart():
    """Without an empty row or column, and with a hit; of one sample or one label some are equal."""
    counted = []
    for shape in ((2, 2), (2, 3), (3, 2)):
        pairs = [
            (t, p)
            for t, p in worlds.worlds(*shape)
            if all(any(line) for m in (t, p) for line in (*m, *zip(*m, strict=True)))
            and any(a and b for rows in zip(t, p, strict=True) for a, b in zip(*rows, strict=True))
        ]
        counted.append((sum(len(set(five(*pair))) == 5 for pair in pairs), len(pairs)))
    assert counted == [(0, 47), (6, 619), (120, 619)]
    pair = [[0, 1], [0, 1], [1, 0]], [[0, 1], [0, 1], [1, 1]]
    assert f"true      {pair[0]}\npredicted {pair[1]}" in said("04-34")
    assert shown("04-34") == rows(("value",), *zip(FIVE, five(*pair), strict=True))


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0


def test_only_for_micro_f1_is_the_harmonic_mean_of_the_p_and_r_beside_it():
    def of(family, y_true, y_pred, **average):
        ratios = family.precision, family.recall, family.f1
        p, r, f1 = (ratio(y_true, y_pred, **average) for ratio in ratios)
        return f1, harmonic(p, r)

    always(lambda y_true, y_pred: isclose(*of(label_based, y_true, y_pred, average="micro")))
    for family, average in (
        (label_based, {"average": "macro"}), (label_based, {"average": "weighted"}), (example_based, {}),
    ):  # fmt: skip

        def never_above(y_true, y_pred, family=family, average=average):
            f1, mean = of(family, y_true, y_pred, **average)
            return f1 <= mean + 1e-12

        always(never_above)
        sometimes(
            lambda y_true, y_pred, family=family, average=average: (
                np.subtract(*of(family, y_true, y_pred, **average)) < -1e-9
            )
        )


def test_the_report_and_its_harmonic_means():
    """P 7/8 and R 1; macro 7/8 and 1; weighted 13/14 and 1; samples 8/9 and 1."""
    lines = [
        (name, float(p), 1.0, float(value), float(2 * p / (p + 1)))
        for name, p, value in (
            ("micro", F(7, 8), F(14, 15)), ("macro", F(7, 8), F(11, 12)),
            ("weighted", F(13, 14), F(20, 21)), ("samples", F(8, 9), F(14, 15)),
        )
    ]  # fmt: skip
    assert shown("04-302") == rows(("P", "R", "F1", "harmonic mean of P and R"), *lines)


def test_f1s_of_a_flattened_matrix():
    """Seven hits, one false alarm and four cells rightly left out: the zeros have the F1 8/9."""
    of_zeros = F(2 * 4, 2 * 4 + 1)
    values = F(14, 15), (F(14, 15) + of_zeros) / 2, F(11, 12)
    table = shown("04-305")
    assert [row["value"] for row in table.values()] == [decimal(float(value)) for value in values]

    def holds(y_true, y_pred):
        flat = y_true.ravel(), y_pred.ravel()
        right, wrong = (y_true == y_pred).mean(), (y_true != y_pred).sum()
        tp, tn = (y_true & y_pred).sum(), (1 - (y_true | y_pred)).sum()
        each = [2 * n / (2 * n + wrong) if n or wrong else 0.0 for n in (tp, tn)]
        theirs = [
            f1_score(*flat, average=a, labels=[1, 0], zero_division=0) for a in ("macro", "micro")
        ]
        return np.allclose(theirs, [np.mean(each), right])

    always(holds, ((2, 2),))


# ---------------------------------------------------------------------------- CF1


def test_a_mean_of_f1s_can_lie_below_mean_precision_and_mean_recall():
    """Recall 1/4 and precision 1, the other way round for label 2: both F1 0.4."""
    assert shown("04-37") == rows(
        ("label 1", "label 2", "mean"),
        ("precision", 1, 1 / 4, 5 / 8),
        ("recall", 1 / 4, 1, 5 / 8),
        ("f1", 2 / 5, 2 / 5, 2 / 5),
        ("F1 of the means", "–", "–", 5 / 8),
    )
    assert 2 * F(1, 4) * 1 / (F(1, 4) + 1) == F(2, 5)


@pytest.mark.parametrize("name", ["macroF1_definition", "tagging"])
def test_every_tool_that_says_macro_f1_takes_the_mean_of_the_f1s_and_ml_gcn_says_cf1(name):
    case = next(case for case in conventions.recorded() if case.name == name)
    of_f1s, of_means = (
        pencil("f1", case.y_true, case.y_pred)["macro"],
        cf1(case.y_true, case.y_pred),
    )
    for number in case.numbers["macro F1"].values():
        assert number == pytest.approx(float(of_f1s))
    theirs = case.numbers.get("F1 of macro precision and macro recall", {})
    assert theirs.get("ML-GCN", of_means) == pytest.approx(float(of_means)) != float(of_f1s)


def test_cf1_is_never_below_macro_f1_and_less_than_one_half_above():
    """Nearly one half: label 1 found in one of its n samples, label 2 predicted for all, true of one."""
    always(
        lambda y_true, y_pred: (
            0 <= cf1(y_true, y_pred) - pencil("f1", y_true, y_pred)["macro"] < F(1, 2)
        ),
        ((2, 2), (3, 2), (1, 3)),
    )
    lines = [(n, (1 + 1 / n) / 2, 2 / (n + 1)) for n in (4, 100, 10_000)]
    assert shown("04-84") == rows(("CF1", "macro-F1"), *lines, places=4)


def places(values):
    """Each value's place in order, for fractions are slow to compare."""
    order = {value: place for place, value in enumerate(sorted(set(values)))}
    return [order[value] for value in values]


def reversed_by(one, other, n_samples, n_labels, asks=lambda truth: True):
    """Of each truth, the pairs of predictions that two metrics order differently."""
    every = worlds.matrices(n_samples, n_labels)
    for truth in filter(asks, every):
        ones, others = (places([metric(truth, p) for p in every]) for metric in (one, other))
        judged = zip(ones, others, every, strict=True)
        for (a, b, first), (c, d, second) in combinations(judged, 2):
            if (a - c) * (b - d) < 0:
                yield truth, first, second


def test_cf1_and_macro_f1_rank_two_models_differently_on_three_samples_and_two_labels():
    found = [len([*reversed_by(cf1, of_f1("macro"), *shape)]) for shape in ((2, 2), (2, 3), (3, 2))]
    assert found == [0, 0, 432]
    truth = [[0, 0], [0, 1], [1, 1]]
    models = [[0, 0], [1, 0], [1, 1]], [[0, 1], [1, 1], [1, 1]]
    assert f"true {truth} one {models[0]} two {models[1]}\n" in said("04-82")
    lines = [("CF1", *(float(cf1(truth, model)) for model in models))]
    for head, name, average in (
        ("CP", "precision", "macro"), ("OP", "precision", "micro"), ("CR", "recall", "macro"),
        ("OR", "recall", "micro"), ("OF1", "f1", "micro"), ("macro-F1", "f1", "macro"),
    ):  # fmt: skip
        lines.append((head, *(float(pencil(name, truth, model)[average]) for model in models)))
    assert shown("04-82") == rows(("model one", "model two"), *lines)


# ---------------------------------------------------------------------------- micro


def test_micro_f1_is_exact_match_where_each_sample_has_one_true_and_one_predicted_label():
    def holds(y_true, y_pred):
        one_each = {*y_true.sum(axis=1), *y_pred.sum(axis=1)} == {1}
        return not one_each or isclose(
            f1(y_true, y_pred, average="micro"), subset_accuracy(y_true, y_pred)
        )

    always(holds, ((2, 2), (1, 3), (3, 2), (2, 3)))
    assert shown("04-50") == rows(
        ("micro-F1", "exact match"),
        ("one label each", 3 / 4, 3 / 4),
        ("our data", 14 / 15, 2 / 3),
    )


def test_micro_f1_follows_the_frequent_label_and_macro_f1_hangs_on_one_sample():
    """Label 2 has one of n samples: missed, micro is 2n / (2n + 1), macro one half."""
    lines = []
    for n in (4, 100):
        lines += [
            (f"micro-F1, {n} samples", 2 * n / (2 * n + 1), 1),
            (f"macro-F1, {n} samples", 1 / 2, 1),
        ]
    assert shown("04-54") == rows(("label 2 missed", "label 2 found"), *lines)
    assert "Sample 1: hit label 1, miss label 2; sample 2: hit label 1; sample 3" in said("04-53")
    assert "label 1 8/8, label 2 0/1; macro" in said("04-53") and "divide: 8/9" in said("04-53")


def test_macro_and_micro_f1_quarrel_on_four_cells_and_no_fewer():
    """Where every label has a sample, so that no F1 is 0/0."""

    def full(truth):
        return all(map(any, zip(*truth, strict=True)))

    judges = of_f1("macro"), of_f1("micro")
    found = [[*reversed_by(*judges, *shape, full)] for shape in ((1, 2), (1, 3), (2, 2))]
    assert [*map(len, found)] == [0, 0, 8]
    first = "Sample 1: hit label 2; sample 2: hit label 2, miss label 1; label 1 0/1, label 2 4/4; macro"
    second = "Sample 1: false alarm label 1, miss label 2; sample 2: hit label 1 and label 2; label 1 2/3"
    assert said("04-77").index(first) < said("04-77").index(second)
    assert shown("04-99") == rows(
        ("first prediction", "second prediction"),
        ("Hamming loss", 1 / 4, 2 / 4),
        ("micro-F1", 4 / 5, 4 / 6),
        ("macro-F1", 1 / 2, 2 / 3),
    )


# ---------------------------------------------------------------------------- the absent label


def test_an_absent_label_costs_a_perfect_prediction_a_third():
    """Where 0/0 counts 0, as in scikit-learn, which warns."""
    perfect = [[1, 0, 0], [0, 1, 0]]
    with pytest.warns(UndefinedMetricWarning):
        assert isclose(f1_score(perfect, perfect, average="macro"), 2 / 3)
    lines = ("0.0", 2 / 3), ("1.0", 1), ("nan", 1), ("agree", 1), ("scikit-learn, 0", 2 / 3)
    assert shown("04-59") == rows(("macro-F1",), *lines)


@pytest.mark.parametrize("values, shape", [((0, 1), (2, 2)), ((1 / 2, 1 / 2), (3, 2))])
def test_a_mean_of_one_half_hides_which_labels_are_found(values, shape):
    sometimes(
        lambda y_true, y_pred: np.allclose(f1(y_true, y_pred, average=None), values), (shape,)
    )


# ---------------------------------------------------------------------------- the ladder


def test_the_variant_with_both_parts_ends_first_and_is_last_at_epoch_4():
    curves = documents.FORMULAS.curves
    of_epoch = [sorted(curves, key=lambda name, i=i: curves[name][i]) for i in range(8)]
    assert of_epoch[7][-1] == of_epoch[3][0] == "w/ ATM, w/ APP"
    points = (
        "w/o ATM, w/o APP 0.52 0.54 0.56 0.58 0.6 0.61 0.62 0.63; "
        "w/ ATM, w/o APP 0.53 0.55 0.57 0.59 0.61 0.62 0.63 0.64; "
        "w/o ATM, w/ APP 0.54 0.56 0.58 0.59 0.61 0.64 0.63 0.65; "
        "w/ ATM, w/ APP 0.55 0.57 0.58 0.56 0.62 0.63 0.64 0.66."
    )
    assert said("04-43").endswith(points) and said("04-47").endswith(points)
    assert "drawn from 0 to 1" in said("04-47") and "drawn from 0 to 1" not in said("04-43")


def test_leaving_out_an_absent_label_hides_its_false_alarms():
    """Its F1 is 0/2 and not 0/0: macro-F1 (1 + 1 + 0) / 3."""
    assert said("04-95") == "macro-F1 1.0\n"
    assert said("04-97") == "label 3: 0/2\nmacro-F1 2/3\n"


# ---------------------------------------------------------------------------- invented labels

NAMED = np.array([[1, 0, 0, 0], [0, 1, 0, 0]]), np.array([[1, 0, 1, 0], [0, 1, 0, 0]])


def test_an_invented_label_has_f1_0_under_every_rule_and_an_absent_one_is_0_over_0():
    def is_so(y_true, y_pred):
        absent = ~y_true.any(axis=0)
        for rule in (0.0, 1.0, float("nan"), "agree"):
            values = f1(y_true, y_pred, average=None, zero_division=rule)
            worth = 1.0 if rule == "agree" else rule
            wanted = np.where(y_pred.any(axis=0), 0.0, worth)
            if not np.array_equal(values[absent], wanted[absent], equal_nan=True):
                return False
        return True

    always(is_so)


def test_three_lists_of_labels():
    """Labels a and b have F1 1, the invented x 0, and the absent y 0/0; two hits and one false alarm."""
    columns = ("", "macro-F1, 0/0 is 0", "macro-F1, 0/0 left out", "micro-F1")
    assert shown("04-202") == rows(
        columns,
        ("of the truth", "a, b", 1, 1, 1),
        ("true or predicted", "a, b, x", F(2, 3), F(2, 3), F(4, 5)),
        ("declared", "a, b, x, y", F(2, 4), F(2, 3), F(4, 5)),
    )
    for average in ("macro", "micro"):
        text = shown("04-202")["declared"]["micro-F1" if average == "micro" else columns[1]]
        theirs = f1_score(*NAMED, average=average, zero_division=0)
        assert theirs == pytest.approx(float(F(text)))


def test_one_label_has_one_average():
    def is_one(y_true, y_pred):
        averages = (f1(y_true, y_pred, average=a) for a in ("macro", "micro", "weighted"))
        return np.ptp([*averages]) < 1e-12

    always(is_one, ((1, 1), (2, 1), (3, 1)))


# ---------------------------------------------------------------------------- negatives


def test_five_rates_of_the_document_by_hand():
    """TP, FP, FN, TN are 3 0 0 0, 2 0 0 1, 1 1 0 1 and 1 0 0 2, together 7 1 0 4."""
    assert said("04-211") == (
        "specificity 1/2\nnegative predictive value 1\nbalanced accuracy 3/4\n"
        "Matthews correlation 1/√4 = 1/2\n"
    )
    assert said("04-2110") == "kappa 2/5\n"
    columns = ("", *LABELS, "macro", "micro")
    values = {
        "specificity": (F(1, 2), F(4, 5)),
        "negative predictive value": (F(1), F(4, 4)),
        "balanced accuracy": (F(3, 4), (1 + F(4, 5)) / 2),
        "Matthews correlation": (F(1, 2), 28 / (8 * 7 * 5 * 4) ** 0.5),
        "kappa": (F(2, 5), F(2 * 28, 8 * 5 + 7 * 4)),
    }
    lines = [
        (name, *map(float, (0, 1, third, 1, (0 + 1 + third + 1) / 4, micro)))
        for name, (third, micro) in values.items()
    ]
    assert shown("04-212") == rows(columns[1:], *lines)


def test_a_never_used_label_lifts_macro_specificity():
    def grown(matrix):
        return np.hstack([matrix, np.zeros((len(matrix), 1), dtype=int)])

    for average in ("macro", "micro"):

        def gain(y_true, y_pred, average=average):
            rate = partial(specificity, average=average)
            return rate(grown(y_true), grown(y_pred)) - rate(y_true, y_pred)

        always(lambda y_true, y_pred, gain=gain: gain(y_true, y_pred) >= -1e-12)
        sometimes(lambda y_true, y_pred, gain=gain: gain(y_true, y_pred) > 0.1)
    columns = "macro specificity", "micro specificity", "macro Matthews", "micro-F1"
    lines = [
        (n, *map(float, (F(5 + 2 * n, 8 + 2 * n), F(4 + 3 * n, 5 + 3 * n), F(5, 8 + 2 * n), F(14, 15))))
        for n in (0, 10, 100)
    ]  # fmt: skip
    assert shown("04-215") == rows(columns, *lines)


def test_documentation_examples_tell_macro_matthews_from_micro_nowhere():
    table = shown("04-218")
    assert table["Hugging Face's example"] == {"macro": "0.25", "micro": "0.25"}
    assert table["torchmetrics' example"] == {"macro": "0.333", "micro": "0.333"}
    assert table["our three pictures"] == {"macro": "0.625", "micro": "0.837"}
    assert "micro Matthews correlation" in conventions.TOOLS["torchmetrics"].metrics
    assert "macro Matthews correlation" not in conventions.TOOLS["torchmetrics"].metrics
    assert "macro Matthews correlation" in conventions.TOOLS["Hugging Face evaluate"].metrics
    micro = partial(matthews_correlation, average="micro")
    assert smallest_disagreement(matthews_correlation, micro, max_samples=1) is None


def test_always_yes_has_matthews_0_but_in_torchmetrics():
    """(TP − FP) ÷ √((TP + FP) TP FP) of three and one; -0.577, 0.408 and a 1 where torchmetrics 1.9.0 ran."""
    table = shown("04-222")
    assert table == rows(
        ("value",),
        ("ours, zero_division=0", 0),
        ("torchmetrics", 0.577),
        ("balanced accuracy", 0.5),
    )
    ask = partial(conventions.number, "torchmetrics", "micro Matthews correlation")
    for truth, said_, value in (
        ([1, 1, 1, 0], [1, 1, 1, 1], 0.57735026),
        ([1, 0, 0, 0], [1, 1, 1, 1], -0.57735026),
        ([1, 0, 0, 0], [0, 0, 0, 0], 0.57735026),
        ([1, 1, 1], [1, 1, 0], 0.40824825),
        ([1, 1], [1, 1], 1),
        ([0, 0], [1, 1], -1),
    ):
        columns = ([[cell] for cell in column] for column in (truth, said_))
        assert isclose(ask(*columns), value, abs_tol=1e-7)
