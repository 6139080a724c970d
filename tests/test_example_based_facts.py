"""Facts of notebook 02: hits over four wholes, Fβ, and what 0/0 is worth."""

from fractions import Fraction as F
from functools import partial
from math import isclose, nan
from statistics import mean

import facts
import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, pencil, rows

from mlm_course.disagreement import smallest_disagreement
from mlm_course.documents import PARTIAL_CREDIT as NOTE
from mlm_course.documents import SKLEARN_GUIDE as GUIDE
from mlm_helpers.example_based import accuracy, f1, fbeta, precision, recall

shown, said = partial(facts.shown, "02_example_based"), partial(facts.said, "02_example_based")


def of_samples(document):
    """Each metric of each sample, and their mean."""
    named = {"precision": "precision", "recall": "recall", "f1": "f1", "accuracy": "jaccard"}
    each = {n: pencil(ratio, document.y_true, document.y_pred) for n, ratio in named.items()}
    return {name: [*values, mean(values)] for name, values in each.items()}


def f_beta(beta, tp, fp, fn):
    return (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)


BETAS = {"F½": F(1, 2), "F1": F(1), "F2": F(2)}


def each(metric, *data, **options):
    return metric(*data, per_sample=True, **options)


# ---------------------------------------------------------------------------- hits over four wholes


def test_all_four_share_the_hits_and_differ_in_the_whole():
    def holds(y_true, y_pred):
        hits, true, said = (m.sum(axis=1) for m in (y_true & y_pred, y_true, y_pred))
        wholes = {
            accuracy: true + said - hits,
            precision: said,
            recall: true,
            f1: (true + said) / 2,
        }
        return all(
            np.allclose(each(metric, y_true, y_pred) * whole, hits)
            for metric, whole in wholes.items()
        )

    always(holds)


def test_cells_rightly_left_out_never_count():
    def wider(matrix):
        return np.pad(matrix, ((0, 0), (0, 100)))

    for metric in (accuracy, precision, recall, f1, partial(fbeta, beta=2)):
        always(
            lambda y_true, y_pred, m=metric: m(y_true, y_pred) == m(wider(y_true), wider(y_pred))
        )


def test_precision_does_not_see_misses():
    always(lambda y_true, y_pred: precision(y_true, y_pred) == precision(y_true & y_pred, y_pred))


def test_f1_of_a_sample_is_the_harmonic_mean_and_nearer_to_the_smaller():
    def holds(y_true, y_pred):
        p, r, f = (each(metric, y_true, y_pred)[0] for metric in (precision, recall, f1))
        harmonic = 2 * p * r / (p + r) if p + r else 0
        return isclose(f, harmonic) and f - min(p, r) <= max(p, r) - f + 1e-12

    always(holds, ((1, 2), (1, 3), (1, 4)))


def test_f1_of_a_sample_is_never_below_its_accuracy():
    """F1 = 2A / (1 + A): equal at 0 and at 1 alone."""

    def holds(y_true, y_pred):
        a, f = each(accuracy, y_true, y_pred), each(f1, y_true, y_pred)
        return np.allclose(f, 2 * a / (1 + a)) and all((f > a) == ((a > 0) & (a < 1)))

    always(holds)


def test_the_mean_of_the_f1s_can_lie_below_both_means():
    """As with the document: 0.6 below 13/18 and 11/18; their harmonic mean is 143/216."""
    means = [values[-1] for values in of_samples(NOTE).values()]
    assert means == [F(13, 18), F(11, 18), F(3, 5), F(4, 9)]
    assert 2 / (1 / F(13, 18) + 1 / F(11, 18)) == F(143, 216)
    assert said("02-29").splitlines() == [
        "averages: precision 0.722 recall 0.611",
        "their harmonic mean 143/216 ≈ 0.662",
        "mean of the F1s 3/5 ≈ 0.6",
    ]


def test_partial_credit_by_hand():
    """Hits, false alarms, misses: 1 0 2, 1 1 1, 2 1 0."""
    assert "Sample 1: hit label 1, miss label 3 and label 4; sample 2: hit label 2, false" in said(
        "02-03"
    )
    assert (
        said("02-06") == "true: [{1, 3, 4}, {1, 2}, {1, 3}]\npredicted: [{1}, {2, 4}, {1, 2, 3}]\n"
    )
    assert [line.split("→ ")[1] for line in said("02-08").splitlines()] == ["1/3", "1/3", "2/3"]
    assert said("02-10") == "4/9 ≈ 0.4444\n"
    assert said("02-15") == "0.4444\n[0.3333 0.3333 0.6667]\n0.4444\n"
    assert [*shown("02-17", table=1)["1"].values()] == ["1", "0", "2", "1/3", "1/3"]
    assert "miss label 3 and label 4, 1/1; sample 2" in said("02-19")
    assert "mean of the rows: 13/18 ≈ 0.722" in said("02-19")
    assert said("02-21").splitlines()[0] == "precision 1/1, recall 1/3"
    assert said("02-21").splitlines()[2] == "precision 2/3, recall 2/2"
    assert said("02-22") == "precision 13/18 ≈ 0.7222\nrecall 11/18 ≈ 0.6111\n"
    assert said("02-25").splitlines()[::3] == ["2·1 / (3 + 1) = 2/4", "3/5 ≈ 0.6"]
    lines = [(name, *[float(v[-1])] * 2) for name, v in [*of_samples(NOTE).items()][:3]]
    assert shown("02-27") == rows(("helper", "scikit-learn"), *lines, places=4)
    assert shown("02-explore")["sample 1"]["label 4"] == "○ miss"


def test_what_the_document_prints():
    table = shown("02-12")
    assert table["precision"] == {"printed": "0.7222222222222222", "exactly": "13/18", "remark": ""}
    assert table["recall"]["exactly"] == "11/18"
    assert table["F1"] == {
        "printed": "0.6",
        "exactly": "3/5",
        "remark": "printed under the name “recall”",
    }


# ---------------------------------------------------------------------------- Fβ


@pytest.mark.parametrize("beta", [F(1, 2), 1, 2, 3])
def test_a_miss_weighs_beta_squared_false_alarms(beta):
    def of(tp, fp, fn):
        truth = [1] * tp + [0] * fp + [1] * fn
        return fbeta([truth], [[1] * (tp + fp) + [0] * fn], beta=float(beta))

    misses, alarms = beta.denominator**2, beta.numerator**2
    assert isclose(of(1, 0, misses), of(1, alarms, 0))
    assert isclose(of(2, 1, 3), f_beta(beta, 2, 1, 3))


def test_recall_beta_times_precision_is_where_both_count_alike():
    """Van Rijsbergen's meaning of β: there a small step of either moves Fβ as far."""
    for beta in (0.5, 1, 2, 3):
        p, r, step = 0.2, 0.2 * beta, 1e-6

        def of(p, r, b=beta):
            return (1 + b**2) * p * r / (b**2 * p + r)

        assert isclose(of(p + step, r) - of(p, r), of(p, r + step) - of(p, r), rel_tol=1e-3)


def test_f_beta_goes_from_precision_to_recall():
    always(lambda y_true, y_pred: fbeta(y_true, y_pred, beta=0) == precision(y_true, y_pred))
    always(lambda y_true, y_pred: isclose(fbeta(y_true, y_pred, beta=1e9), recall(y_true, y_pred)))


def test_f_beta_of_the_document():
    """F½ finds the cautious first and the bold third alike, F2 does not; where P = R, β is nothing."""
    counts = {"sample 1": (1, 0, 2), "sample 2": (1, 1, 1), "sample 3": (2, 1, 0)}
    each = [[f_beta(beta, *three) for beta in BETAS.values()] for three in counts.values()]
    means = [sum(column) / 3 for column in zip(*each, strict=True)]
    lines = [(name, *line) for name, line in zip((*counts, "mean"), (*each, means), strict=True)]
    assert shown("02-32") == rows(BETAS, *lines)
    lines = [(beta, float(m), float(m)) for beta, m in zip(("0.5", "1", "2"), means, strict=True)]
    assert shown("02-34") == rows(("helper", "scikit-learn"), *lines, places=4)


# ---------------------------------------------------------------------------- the second document


def test_the_second_document_sample_by_sample():
    heads = ("sample 1", "sample 2", "sample 3", "mean")
    lines = [(name, *values) for name, values in of_samples(GUIDE).items()]
    assert shown("02-37") == rows(heads, *lines)


def test_the_second_document_rounds_and_cuts_off():
    assert shown("02-39") == rows(
        ("as a sum", "in its text", "in its code"),
        ("example_based.precision", "⅓(½+2/2+½)", "0.666", "0.6666"),
        ("example_based.recall", "⅓(½+2/2+⅓)", "0.611", "0.6111"),
        ("example_based.f1", "⅔(¼+½+⅕)", "0.633", "0.6333"),
        ("example_based.accuracy", "⅓(⅓+2/2+¼)", "0.5278", "0.5277"),
    )


def test_names_and_weights_of_the_second_document():
    """All weight on the first sample: its Jaccard index, 1/3."""
    assert [hasattr(skm, name) for name in ("jaccard_similarity_score", "jaccard_score")] == [
        False,
        True,
    ]
    assert said("02-41").splitlines()[-3:] == [
        "jaccard_score is in scikit-learn: True",
        "accuracy, weights None → 0.5278",
        "accuracy, weights [1, 0, 0] → 0.3333",
    ]


# ---------------------------------------------------------------------------- nothing over nothing


def test_a_perfect_model_can_score_one_half():
    """{1} and {}, both predicted rightly: F1 is 1 and 0/0."""
    assert "sample 2: all rightly left out, 0/0 → 0; mean of the rows: 1/2" in said("02-44")
    assert said("02-45") == "0.0 → 0.5\n1.0 → 1.0\nnan → 1.0\nagree → 1.0\n"


def test_predicting_nothing_has_precision_1_where_0_over_0_counts_1():
    values = [
        precision([[1, 0, 0]], [[0, 0, 0]], zero_division=rule) for rule in (0.0, 1.0, nan, "agree")
    ]
    assert values[:2] == [0, 1] and np.isnan(values[2]) and values[3] == 0
    assert said("02-47") == "1.0\n0.0\n"


def test_accuracy_and_f1_part_on_two_samples_and_not_on_one():
    """Jaccard 0 and 1 against 1/2 and 1/3; F1 0 and 1 against 2/3 and 1/2."""
    assert not smallest_disagreement(accuracy, f1, max_samples=1, max_labels=4)
    assert (
        "Samples accuracy (Jaccard) ↑  first 1/2 = 0.5, second 5/12 ≈ 0.417: prefers the first. "
        "Samples F1 ↑  first 1/2 = 0.5, second 7/12 ≈ 0.583: prefers the second." in said("02-50")
    )
    assert ((F(1, 2) + F(1, 3)) / 2, (F(2, 3) + F(1, 2)) / 2) == (F(5, 12), F(7, 12))


# ---------------------------------------------------------------------------- the ladder


def test_the_number_to_read_is_precision():
    """Truth {1, 3}, {2, 3, 4}, {1}; predicted {2, 3}, nothing, {1, 2, 3}."""
    assert (F(1, 2) + 0 + F(1, 3)) / 3 == F(5, 18)
    assert said("02-58").startswith("Which number is this: 5/18")
    assert shown("02-58")["1"] == {"true labels": "{1, 3}", "predicted labels": "{2, 3}"}
    assert shown("02-58", table=1)["B"] == {"recipe": "samples precision"}


def test_the_sheet_asks_for_f2():
    assert "example_based.fbeta, beta=2" in said("02-61")


def test_f1_of_the_means_is_not_the_mean_of_the_f1s():
    """Precision 1 and 1/5, recall 1/5 and 1: both means 3/5; each F1 is 2/6."""
    assert said("02-66") == "mean F1 of the samples: 0.6\n"
    assert said("02-68").splitlines() == [
        "2·1 / (5 + 1) = 2/6", "2·1 / (1 + 5) = 2/6", "mean F1 of the samples: 0.333",
    ]  # fmt: skip


def test_f1_finds_few_and_many_alike_and_f2_does_not():
    """Of two true keywords: few has 1 hit and 1 miss each, many 2 hits and 2 false alarms."""
    counts = {"few": (1, 0, 1), "many": (2, 2, 0)}
    lines = [
        (name, *(f_beta(beta, *three) for beta in BETAS.values())) for name, three in counts.items()
    ]
    assert shown("02-70") == rows(BETAS, *lines)
