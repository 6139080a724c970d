"""What notebook 15 says of tools, and what its cells show: by what the tools gave, by a pencil and by scikit-learn."""

import functools
import re
from fractions import Fraction
from itertools import pairwise
from math import nan

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, decimal, rows, said, shown, sometimes

from mlm_helpers import (
    catalogue,
    conventions,
    curves,
    data,
    example_based,
    label_based,
    ranking,
    top_k,
)
from mlm_helpers.conventions import TOOLS

NOTEBOOK = "15_conventions"
RECORDS = {case.name: case for case in conventions.recorded()}
BOTH_EMPTY = [[1, 1], [0, 0]], [[1, 0], [0, 0]]  # half a hit, and two empty sets
TRUTH_EMPTY = [[1, 1], [0, 0]], [[1, 0], [1, 0]]  # the same hit, and a false alarm on nothing


def text(number, places=6):
    """A number that a tool gave, as tables show it; xCOLUMNs adds a little to what it divides by."""
    return number if isinstance(number, str) else decimal(round(number, 8), places)


def cf1(y_true, y_pred):
    p, r = label_based.precision(y_true, y_pred), label_based.recall(y_true, y_pred)
    return 2 * p * r / (p + r) if p + r else 0.0


# ---------------------------------------------------------------------------- facts


@pytest.mark.parametrize(
    ("tool", "ours", "values"),
    [  # recall of the two: what 0/0 is worth where the prediction is empty too, and where it is not
        ("scikit-learn", 0.0, (1 / 4, 1 / 4)),
        ("scikit-learn, zero_division=1", 1.0, (3 / 4, 3 / 4)),
        ("MULAN", "agree", (3 / 4, 1 / 4)),
        ("scikit-learn, zero_division=nan", nan, (1 / 2, 1 / 2)),
        ("Spark MLlib", None, (nan, nan)),
    ],
)
def test_five_rules_for_0_over_0_are_in_use(tool, ours, values):
    worth = [
        conventions.number(tool, "samples recall", *pair) for pair in (BOTH_EMPTY, TRUTH_EMPTY)
    ]
    assert worth == pytest.approx(values, nan_ok=True)
    for pair, value in zip((BOTH_EMPTY, TRUTH_EMPTY), values, strict=True):
        if ours is not None:
            assert example_based.recall(*pair, zero_division=ours) == value


UNKNOWN = [  # what the tool gives, and what is left when unknown cells are
    ("torchmetrics", "subset accuracy", "with ignore_index a sample of", 1 / 2, 0),  # 1 and 0; 0
    ("torchmetrics", "coverage", "with ignore_index a sample with", 3, 1),  # L; the first of two
    (
        "torchmetrics",
        "ranking loss",
        "with ignore_index an unknown",
        1 / 2,
        1,
    ),  # of two pairs; of one
    ("torchmetrics", "macro F1", "with ignore_index a label", 1 / 2, 1),  # of 1 and 0/0; 1
    ("MEKA", "Hamming loss", "with unknown labels", 1 / 2, 1 / 3),  # 1/1 and 0/2; 1 of 3 cells
    (
        "MEKA",
        "one-error",
        "an unknown label",
        0,
        1,
    ),  # no known label at the top; the second is wrong
    ("MEKA", "macro AUROC", "a label of which", 1 / 2, 1),  # 1 and 0; 1
]


def departure_of(tool, metric, begins):
    of_metric, notes = TOOLS[tool].metrics[metric].departures, TOOLS[tool].notes
    (found,) = (d for d in (*of_metric, *notes) if d.says.startswith(begins))
    return found


@pytest.mark.parametrize(("tool", "metric", "begins", "theirs", "left"), UNKNOWN)
def test_tools_differ_in_what_they_make_of_unknown_labels(tool, metric, begins, theirs, left):
    departure = departure_of(tool, metric, begins)
    said = re.search(r"(?:F1 |ap |^)([\d./]+)", departure.shows)
    assert float(Fraction(said[1])) == theirs
    y_true, y_other = data.unknown(departure.y_true), np.array(departure.y_other)
    ours = catalogue.variants()[metric]
    if catalogue.of(ours).reads == "y_pred":
        y_other = y_other >= 0.5
    assert ours(y_true, y_other) == pytest.approx(left)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("tool", "metric", "begins", "theirs", "left"), UNKNOWN[:4])
def test_torchmetrics_gives_these_numbers(tool, metric, begins, theirs, left):
    torch, theirs_of = (pytest.importorskip(n) for n in ("torch", "torchmetrics.classification"))
    departure, call = departure_of(tool, metric, begins), TOOLS[tool].metrics[metric].call
    name, _, average = call.partition("(")
    options = {"average": "macro"} if average else {}
    n_labels = len(departure.y_true[0])
    run = getattr(theirs_of, name)(num_labels=n_labels, ignore_index=-1, **options)
    value = run(torch.tensor(departure.y_other, dtype=torch.float), torch.tensor(departure.y_true))
    assert float(value) == pytest.approx(theirs)


def test_unknown_as_0_and_unknown_as_1_are_no_bounds():
    """U-Zeros and U-Ones of CheXpert: 2 × 1 / (2 + 1 + 0) and 2 × 2 / (4 + 0 + 1) of micro F1."""
    y_true, y_pred = data.unknown([[1, -1, -1]]), [[1, 1, 0]]
    micro = functools.partial(label_based.f1, average="micro")
    assert micro(y_true, y_pred) == 1  # U-Ignore
    assert [micro(y_true.filled(cell), y_pred) for cell in (0, 1)] == [2 / 3, 4 / 5]
    assert data.bounds(micro, y_true, y_pred) == (2 / 4, 1)


def test_the_macro_map_of_partial_labeling_csl_is_weighted_by_positives():
    """Its map_macro sums AP × positives ÷ all positives over labels with a known positive and negative."""
    y_true = data.unknown([[1, 0, 1], [0, 1, -1], [1, -1, 1]])  # APs 1, 1/2 and none
    y_score = np.array([[0.9, 0.8, 0.3], [0.1, 0.4, 0.2], [0.8, 0.3, 0.1]])
    judged = y_true[:, :2], y_score[:, :2]
    assert curves.average_precision(*judged) == 3 / 4
    assert curves.average_precision(*judged, average="weighted") == (2 * 1 + 1 * 1 / 2) / 3


def test_f1_is_0_over_0_only_where_truth_and_prediction_are_both_empty():
    def holds(y_true, y_pred):
        each = example_based.f1(y_true, y_pred, zero_division=nan, per_sample=True)
        return (np.isnan(each) == ~(y_true | y_pred).any(axis=1)).all()

    always(holds)
    for rule in (0.0, 1.0, nan, "agree"):
        assert example_based.f1([[0, 0, 0]], [[1, 0, 0]], zero_division=rule) == 0


def test_exchanging_two_columns_changes_a_ranking_metric_only_under_first_and_last():
    def changes(metric, ties):
        return lambda y_true, y_score: (
            not np.isclose(
                metric(y_true, y_score, ties=ties),
                metric(y_true[:, ::-1], y_score[:, ::-1], ties=ties),
            )
        )

    for metric in (
        ranking.coverage,
        ranking.one_error,
        ranking.ranking_loss,
        ranking.average_precision,
    ):
        for ties in ("first", "last"):
            sometimes(changes(metric, ties), ((1, 2),))
        always(
            lambda y_true, y_score, m=metric: not changes(m, "worst")(y_true, y_score), ((1, 2),)
        )


def test_cf1_is_never_below_macro_f1():
    always(lambda y_true, y_pred: cf1(y_true, y_pred) >= label_based.f1(y_true, y_pred) - 1e-12)


def test_numbers_of_the_threads():
    """torchmetrics #1665, scikit-learn #16568, #29521 and #27726: the data asked about, the numbers given."""
    y_pred = [[1, 1, 1], [0, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]]
    y_true = [[1, 0, 1], [1, 1, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    assert conventions.number("torchmetrics", "micro F1", y_true, y_pred) == pytest.approx(5 / 9)
    assert cf1(y_true, y_pred) == pytest.approx(0.5714, abs=5e-5)
    scores = [[0.1, 0.4, 0.35, 0.8]] * 2
    each = curves.roc_auc([[1, 0, 1, 0], [1, 0, 0, 1]], scores, average=None)
    assert np.isnan(each).tolist() == [True, True, False, False]
    y = [[1, 0, 1], [0, 0, 0]]
    assert skm.ndcg_score(y, y) == top_k.ndcg(y, y, k=3) == 0.5
    assert top_k.ndcg(y, y, k=3, undefined=nan) == 1
    always(
        lambda y_true, y_score: top_k.ndcg(0 * y_true + 1, y_score, k=2) == pytest.approx(1),
        ((1, 3),),
    )


def test_the_report_writes_the_sentences_for_a_paper():
    empty, absent = RECORDS["perfect+both_empty"], RECORDS["perfect+absent_label"]
    mixed, column = RECORDS["bad+no_relevant"], RECORDS["label_without_positives"]
    for case, metric, words in [
        (
            empty,
            example_based.f1,
            "a value per sample, then their mean; 0/0 counts 0 (1 of 2 samples)",
        ),
        (
            absent,
            label_based.f1,
            "a value per label, then their mean; 0/0 counts 0 (1 of 3 labels)",
        ),
        (mixed, ranking.coverage, "counts 0 (1 of 2 samples)"),
        (mixed, ranking.coverage, "tied labels share their largest rank"),
        (column, curves.average_precision, "a label without a value counts 0 (1 of 2 labels)"),
    ]:
        assert words in conventions.report([metric], case.y_true, case.y_pred, case.y_score)


# ---------------------------------------------------------------------------- what the cells show


@pytest.mark.parametrize(
    ("cell", "metric", "case", "numbers"),
    [
        ("11-22", "coverage", "cov_three", "1.5 2.5"),
        ("11-30", "macro AP", "column_three_tied", "0.359 0.417 0.5 0.583 0.667"),
        ("11-32", "macro AP", "label_without_positives", "0.417 0.833 nan"),
    ],
)
def test_tools_side_by_side_have_the_numbers_that_they_gave(cell, metric, case, numbers):
    gave, table = RECORDS[case].numbers[metric], shown(NOTEBOOK, cell)
    if RECORDS[case].y_score is not None:
        assert f"true {RECORDS[case].y_true}, scores {RECORDS[case].y_score}" in said(
            NOTEBOOK, cell
        )
    told = {tool: number for number, row in table.items() for tool in row["printed by"].split("; ")}
    assert told == {tool: text(number, 3) for tool, number in gave.items()}
    assert {*numbers.split()} <= {*table}


def test_ties_average_is_the_mean_rank_in_ranking_and_the_mean_value_in_top_k():
    """Two labels tied, one true: rank 3/2, so AP 2/3; over both orders (1 + 1/2) / 2 of the same reading."""
    tied = [[1, 0]], [[0.5, 0.5]]
    assert ranking.average_precision(*tied, ties="average") == pytest.approx(2 / 3)
    assert top_k.ndcg(*tied, k=2, ties="average") == pytest.approx((1 + 1 / np.log2(3)) / 2)


def test_mulans_map_takes_the_first_of_tied_samples():
    metrics = TOOLS["MULAN"].metrics
    assert metrics["macro AP"].options["ties"] == "first"
    assert {
        metrics[n].options["ties"] for n in ("ranking loss", "one-error", "average precision")
    } == {"last"}


def test_keras_accuracy():
    """Cells: 1 and 2 of three are wrong; on top: label 1 of the first true pair, label 3 of the second."""
    lines = (
        ('"accuracy" in 2018: right cells', 4 / 6),
        ('"accuracy" today: the label on top', 1 / 2),
    )
    assert shown(NOTEBOOK, "11-102") == rows(("value",), *lines)


@pytest.mark.exhaustive
def test_keras_gives_these_numbers(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    keras = pytest.importorskip("keras")
    tags, scores = np.array([[1.0, 1, 0], [0, 1, 1]]), np.array([[0.9, 0.2, 0.1], [0.1, 0.3, 0.8]])
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Activation("linear")])
    cells = keras.metrics.BinaryAccuracy(name="cells")
    model.compile(loss="binary_crossentropy", metrics=["accuracy", cells])
    found = model.evaluate(scores, tags, verbose=0, return_dict=True)
    assert (found["accuracy"], found["cells"]) == pytest.approx((1 / 2, 4 / 6))


def test_a_perfect_prediction():
    """The second sample has no label and gets none."""
    assert said(NOTEBOOK, "11-03").strip().endswith("Sample 1: label 1; sample 2: no label.")
    gave = RECORDS["perfect+both_empty"].numbers["samples F1"]
    words = said(NOTEBOOK, "11-04").partition("tools: ")[2].rstrip(".\n")
    for group in words.split("; "):
        number, _, tools = group.partition(" from ")
        for tool in re.split(r", | and ", tools):
            assert text(gave[tool], 3) == number


def test_three_accuracies():
    """Rows: one of two is right; shares: 1/2 and 1; cells: five of six."""
    lines = (
        ("exact match", 1 / 2),
        ("Jaccard per sample", (1 / 2 + 1) / 2),
        ("1 − Hamming loss", 5 / 6),
    )
    assert shown(NOTEBOOK, "11-10") == rows(("value",), *lines)
    camps = dict(re.findall(r"([\d.]+) from ([^;]+)", said(NOTEBOOK, "11-13")))
    for value, tool in (
        ("0.5", "scikit-learn"),
        ("0.75", "MULAN"),
        ("0.75", "MEKA"),
        ("0.833", "keras"),
    ):
        assert tool in camps[value], tool
    assert "torchmetrics: MultilabelAccuracy" in camps["0.833"]


def test_options_and_what_they_give():
    """F1 of the perfect prediction is (1 + worth of 0/0) / 2, or 1 where it is left out."""
    for tool, row in shown(NOTEBOOK, "11-18").items():
        (worth,) = re.findall(r"': '?([\w.]+)'?}", row["our options"])
        assert row["our F1"] == {"0.0": "0.5", "1.0": "1", "nan": "1", "agree": "1"}[worth]
        assert worth in {"scikit-learn": ("0.0",), "MULAN": ("agree",)}.get(tool, ("1.0", "nan"))
        assert tool.endswith(f"={worth.removesuffix('.0')}") or "," not in tool
    wanted = {
        "scikit-learn": ((3 + 0) / 2, 1),
        "MULAN": ((2 + 0) / 2, 0),
        "LAMDA MATLAB": ((2 - 1) / 2, 0),
    }
    for tool, row in shown(NOTEBOOK, "11-24").items():
        value, start = wanted[tool]
        assert row["our coverage"] == decimal(value) and f"'start': {start}" in row["our options"]


def test_who_wins_a_tie():
    """By each rule: what a pencil says where the first of two tied labels is true, and where the last is."""
    rules = {
        "ranking loss": {"worst": "11", "last": "10", "first": "01"},
        "one-error": {"average": ("0.5", "0.5"), "last": "10", "first": "01", "best": "00"},
        "average precision": {"worst": ("0.5", "0.5"), "last": ("0.5", "1"), "first": ("1", "0.5")},
    }
    for name, row in shown(NOTEBOOK, "11-27", names=2).items():
        tool, metric = name.split(", ")
        *numbers, rule = row.values()
        assert numbers == list(rules[metric][rule]), name
        for case, number in zip(("tie_first_relevant", "tie_last_relevant"), numbers, strict=True):
            gave = RECORDS[case].numbers.get(metric, {})
            assert tool not in gave or text(gave[tool], 3) == number
    assert list(shown(NOTEBOOK, "11-27", names=2)["MULAN, one-error"]) == [
        "true [[1, 0]]",
        "true [[0, 1]]",
        "our ties",
    ]


def test_cf1_and_macro_f1_of_image_tagging():
    case = RECORDS["tagging"]
    macro = skm.f1_score(case.y_true, case.y_pred, average="macro")
    table = shown(NOTEBOOK, "11-105")
    assert [table[tool]["its number"] for tool in ("ML-GCN", "ASL")] == [
        decimal(cf1(case.y_true, case.y_pred)), decimal(macro)
    ]  # fmt: skip


def test_a_score_of_exactly_one_half():
    threshold = {tool: row["its threshold"] for tool, row in shown(NOTEBOOK, "11-40").items()}
    assert {t for t, words in threshold.items() if "is a no" in words} == {
        "torchmetrics",
        "keras",
        "ASL",
        "LibMultiLabel",
    }
    for words in threshold.values():
        assert (">=" in words) == ("is a yes" in words)
    more, least, refused = said(NOTEBOOK, "11-41").splitlines()
    assert (more, least) == (
        f">  {2 / 3:.3f}",
        ">= 1.0",
    ) and "y_pred holds the score 0.5" in refused


def test_samples_without_labels():
    """The first sample's label is last of three: loss 1, AP 1/3, one-error 1; the second is worth "undefined"."""
    first = {"ranking loss": 1, "average precision": 1 / 3, "one-error": 1}
    for name, row in shown(NOTEBOOK, "11-44", names=2).items():
        values = [first[name.split(", ")[1]], float(row["our option undefined"])]
        assert row["its number"] == decimal(np.nanmean(values)), name
    tool = shown(NOTEBOOK, "11-44", names=2)
    mulan = [tool[f"MULAN, {name}"]["our option undefined"] for name in first]
    assert mulan == ["0", "nan", "1"]


def test_annif_divides_by_the_labels_that_were_scored():
    """Hits of 1 of 1 and 1 of 2 that were scored; of 3 places each, 1 and 1."""
    gave = RECORDS["top_few_scored"].numbers["precision at 3"]
    assert gave.pop("Annif") == pytest.approx((1 + 1 / 2) / 2)
    assert [*gave.values()] == pytest.approx([1 / 3] * len(gave))


def test_numbers_without_a_recipe():
    for cell, number, metric, fit in (
        ("11-50", "0.5", "samples F1", "exactly"),
        ("11-52", "0.416667", "macro AP", "rounded"),
        ("11-54", "0.416667", "Hamming loss", "truncated"),
        ("11-56", "0.633333", "samples F1", "no"),
    ):
        table = shown(NOTEBOOK, cell, names=2)
        (row,) = [
            r
            for n, r in table.items()
            if n.startswith(metric) and r["tools"].startswith("scikit-learn")
        ]
        assert (row["value"], row["fits"]) == (number, fit)
    distances = [
        abs(float(row["value"]) - 0.631) for row in shown(NOTEBOOK, "11-56", names=2).values()
    ]
    assert all(a <= b for a, b in pairwise(distances))


def test_tools_are_counted_by_how_they_are_known():
    for row in shown(NOTEBOOK, "11-07").values():
        assert int(row["tools"]) == len(row["names"].split(", "))


def test_departures_are_those_of_their_tools():
    known = {
        d.says: (t.name, str(d.y_true), str(d.y_other), str(d.shows))
        for t in TOOLS.values()
        for d in (*t.notes, *(d for m in t.metrics.values() for d in m.departures))
    }
    table = shown(NOTEBOOK, "11-59", names=2)
    for name, row in table.items():
        tool, _, does = name.partition(", ")
        assert known[does] == (tool, row["truth"], row["given"], row["its number"])


def test_11_the_ladder():
    """Label 3 is absent: (1 + 1 + worth) / 3; theirs misses one of three of label 2: (1 + 4/5 + worth) / 3."""
    lines = [
        (rule, (2 + worth) / 3, (1 + 4 / 5 + worth) / 3) for rule, worth in (("0", 0), ("agree", 1))
    ]
    assert shown(NOTEBOOK, "11-ladder-10") == rows(("ours", "theirs"), *lines)
    ours, theirs = (line.split()[-1] for line in said(NOTEBOOK, "11-ladder-8").splitlines())
    assert (ours, theirs) == (f"{2 / 3:.3f}", f"{(1 + 4 / 5 + 1) / 3:.3f}")
    lines = ("the flat one", 0, 1, 0.5), ("the other", 1 / 3, 1 / 3, 1 / 3)
    assert shown(NOTEBOOK, "11-ladder-12") == rows(("MEKA", "MULAN", "scikit-learn"), *lines)
    paragraph = " ".join(said(NOTEBOOK, "11-62").split())
    values = {
        "subset accuracy": 2 / 3,
        "samples F1": (1 + 1 / 2 + 1) / 3,
        "micro F1": 4 / 6,
        "ranking loss": (0 + 3 / 4) / 2,
    }
    for name, value in values.items():
        assert f"{name} = {decimal(value, 6)}" in paragraph, name
