"""Tools' curve and top-k metrics, and the columns of image tagging, as they were measured."""

import math
from fractions import Fraction
from math import nan

import pytest
from scipy import sparse

from mlm_helpers import curves, label_based, top_k
from mlm_helpers.conventions import (
    DERIVED,
    TAGGING,
    TOOLS,
    compare,
    expressible,
    identify,
    number,
    options,
    recorded,
)
from mlm_helpers.conventions.quantities import quantities
from mlm_helpers.conventions.tool import NO_RULE, close

RECORDS = {case.name: case for case in recorded()}
COLUMNS = ("column_tie_first", "column_tie_last", "column_three_tied", "column_wrong_top", "column_wrong_middle")  # fmt: skip
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
STEPS = {"ties": "worst", "interpolation": None}
N1 = RECORDS["label_without_positives"]


@pytest.mark.parametrize(
    ("tools", "values"),
    [
        (
            "scikit-learn torchmetrics torcheval MEKA MULAN,MacroAUCPR",
            [HALF, HALF, HALF, Fraction(7, 12), Fraction(5, 6)],
        ),
        ("ML-GCN mmpretrain MULAN", [1, HALF, Fraction(7, 12), Fraction(7, 12), Fraction(5, 6)]),
        ("ASL", [HALF, 1, Fraction(5, 12), Fraction(7, 12), Fraction(5, 6)]),
        (
            "Query2Label VOC,devkit,since,2010",
            [1, HALF, 2 * THIRD, 2 * THIRD, Fraction(5, 6)],
        ),
        # of 11 recalls 6 read precision 1 and 5 read 2/3; of 101, 51 and 50
        ("VOC,devkit", [1, HALF, 2 * THIRD, 2 * THIRD, (6 + 5 * 2 * THIRD) / 11]),
        ("pycocotools", [1, HALF, 2 * THIRD, 2 * THIRD, (51 + 50 * 2 * THIRD) / 101]),
    ],
)
def test_which_map(tools, values):
    """The table of the field, five one-label inputs by six rules: an option of ours says each."""
    for tool in tools.split():
        key = {"VOC,devkit": "VOC devkit", "VOC,devkit,since,2010": "VOC devkit, since 2010"}.get(
            tool, tool.replace(",", ", ")
        )
        chosen = options(key, curves.average_precision)
        for name, value in zip(COLUMNS, values, strict=True):
            case = RECORDS[name]
            assert curves.average_precision(case.y_true, case.y_score, **chosen) == pytest.approx(
                float(value)
            )
            assert expressible(key, "macro AP", case.y_true, case.y_score)


@pytest.mark.parametrize(
    ("tool", "name", "expected"),
    [
        # The first label's AP is (1 + 2/3) / 2, its AUROC 1/2; the second has no positives.
        ("scikit-learn", "macro AP", Fraction(5, 12)),
        ("ASL", "macro AP", Fraction(5, 12)),
        ("MULAN, MacroAUCPR", "macro AP", Fraction(5, 12)),
        ("MULAN", "macro AP", Fraction(5, 6)),
        ("ML-GCN", "macro AP", "raises ZeroDivisionError"),
        ("Query2Label", "macro AP", nan),
        ("MEKA", "macro AP", nan),
        ("pycocotools", "macro AP", (51 + 50 * 2 * THIRD) / 101),
        ("scikit-learn", "weighted AP", Fraction(5, 6)),
        ("scikit-learn", "macro AUROC", nan),
        ("MULAN", "macro AUROC", nan),
        ("torchmetrics", "macro AUROC", Fraction(1, 4)),
        ("keras", "macro AUROC", Fraction(1, 4)),
        ("torcheval", "macro AUROC", HALF),
        ("scikit-learn", "weighted AUROC", HALF),
        # The second sample is empty, the others have their label on top.
        ("scikit-learn", "average precision", 1),
        (
            "scikit-learn, average_precision_score(average='samples')",
            "average precision",
            2 * THIRD,
        ),
    ],
)
def test_a_label_without_positives(tool, name, expected):
    assert close(number(tool, name, N1.y_true, N1.y_score), expected)


def test_a_bare_map_leads_back_to_who_counts_a_label_without_positives_0():
    first = identify(0.4167, N1.y_true, None, N1.y_score).matches[0]
    assert first.metric == "macro AP"
    assert dict(first.options) == {"interpolation": None, "undefined": 0.0}
    assert first.tools == (
        *("scikit-learn", "torchmetrics", "torcheval", "ASL", "mmpretrain"), "MULAN, MacroAUCPR",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "name", "y_true", "y_score", "expected"),
    [
        # 5 thresholds lie a quarter apart: 0.9 and 0.8 fall to 0.75, 0.7 to 0.5.
        ("torchmetrics, thresholds=5", "macro AUROC", [[0], [1], [1]], [[0.9], [0.8], [0.7]], 0.25),
        ("torchmetrics, thresholds=200", "macro AUROC", [[0], [1], [1]], [[0.9], [0.8], [0.7]], 0),
        ("torchmetrics, thresholds=5", "macro AP", [[1], [0]], [[0.25], [0.2]], 1),
        # sigmoid(20) and sigmoid(30) are both 1 in single precision
        ("torchmetrics", "macro AP", [[0], [1]], [[20], [30]], HALF),
        ("torchmetrics", "micro AUROC", [[0, 1]], [[20, 30]], HALF),
        # A score of exactly n/199 lies in the bin below: the bin's lower end is not included.
        ("keras", "macro AUROC", [[1], [0]], [[1.0], [0.999]], HALF),
        ("keras", "macro AUROC", [[1], [0]], [[1.0], [0.99]], 1),
        ("keras", "macro AUROC", [[1], [0]], [[0.001], [0.0]], HALF),
        # Three negatives above the positive: of 4 the last; precision grows along a hyperbola.
        ("keras", "macro AP", [[0], [0], [0], [1]], [[0.9], [0.8], [0.7], [0.6]],
         1 - 3 * math.log(4 / 3)),
        ("keras", "micro AP", [[0, 1]], [[0.9, 0.8]], 1 - math.log(2)),
        ("keras", "macro AP", [[0, 1]], [[0.9, 0.8]], HALF),  # columns of 0 and of 1
        ("keras", "recall at 1", [[0, 0]], [[0.9, 0.8]], 0),
        # three relevant labels, one found; and one, found: (1 + 1) / (3 + 1)
        ("keras", "recall at 1", [[1, 1, 1], [1, 0, 0]], [[0.9, 0.8, 0.7]] * 2, HALF),
        ("torchmetrics", "precision at 1", [[0, 0], [0, 1]], [[0.9, 0.8]] * 2, 0),
        ("torchmetrics, empty_target_action='pos'", "precision at 1", [[0, 0], [0, 1]],
         [[0.9, 0.8]] * 2, HALF),
        ("torchmetrics, empty_target_action='skip'", "precision at 1", [[0, 0], [1, 0]],
         [[0.9, 0.8]] * 2, 1),
        ("torchmetrics, empty_target_action='skip'", "precision at 1", [[0, 0]], [[0.9, 0.8]], 0),
        ("scikit-learn, ignore_ties=True", "nDCG at 1", [[0, 0, 1]], [[0.5] * 3], 1),
        ("scikit-learn", "nDCG at 1", [[0, 0, 1]], [[0.5] * 3], THIRD),
        ("xCOLUMNs", "precision at 2", [[0, 1]], [[0.9, 0.8]], "raises ValueError"),
        ("Annif", "precision at 2", [[1, 0]], [[0.9, 0.0]], 1),  # one predicted, and right
        ("Annif", "nDCG at 2", [[0, 1]], [[0.9, 0.0]], 0),
        ("Annif", "nDCG at 1", [[0, 0]], [[0.9, 0.8]], 1),
        ("ranx", "recall at 1", [[1, 0]], [[0.5, 0.5]], NO_RULE),
        ("ranx", "recall at 2", [[1, 0]], [[0.5, 0.5]], 1),  # both are first
        ("pycocotools", "macro AP", [[0, 0]], [[0.9, 0.8]], -1),
    ],
)  # fmt: skip
def test_what_no_option_says(key, name, y_true, y_score, expected):
    assert close(number(key, name, y_true, y_score), expected)


def test_labels_that_were_not_scored_are_no_predictions():
    """One and two of five labels are scored: 1 and 1 hits of 3; Annif divides by 1 and 2."""
    case = RECORDS["top_few_scored"]
    data = case.y_true, case.other("precision at 3")
    assert case.is_sparse and data[1].nnz == 3
    for tool in ("napkinXC", "pyxclib", "ranx", "xCOLUMNs"):
        assert close(number(tool, "precision at 3", *data), THIRD)
    assert close(number("Annif", "precision at 3", *data), Fraction(3, 4))
    assert top_k.precision(*data, k=3) == pytest.approx(1 / 3)
    caption = compare("precision at 3", "top_few_scored").steps[0].caption
    assert "scores [[0.9, None, None, None, None], [None, 0.9, None, None, 0.8]]" in caption


# ---------------------------------------------------------------------------- image tagging


def test_columns_of_image_tagging():
    """Y = 10, 11 and P = 11, 01: P 1 and 1/2, R 1/2 and 1, so CF1 3/4; each label's F1 is 2/3."""
    case = RECORDS["tagging"]
    data = case.y_true, case.y_pred
    expected = dict.fromkeys(("CP", "CR", "CF1"), 0.75) | dict.fromkeys(("OP", "OR", "OF1"), 2 / 3)
    for column, value in expected.items():
        assert number("ML-GCN", column, *data) == pytest.approx(value)
        assert case.numbers[TAGGING[column]]["ML-GCN"] == pytest.approx(value)
        assert TOOLS["ML-GCN"].metrics[TAGGING[column]].call == column
    assert number("ASL", "macro F1", *data) == pytest.approx(2 / 3)
    assert DERIVED[TAGGING["CF1"]](*data) == 0.75
    assert options("ML-GCN", "CF1") == {"zero_division": 0.0}
    assert options("ASL", "CP") == options("ASL", label_based.precision)


def test_a_column_of_image_tagging_is_named():
    case = RECORDS["tagging"]
    found = identify(0.75, case.y_true, case.y_pred)
    (match,) = (m for m in found.matches if m.metric == TAGGING["CF1"])
    assert match.tools == ("ML-GCN",)
    assert "ML-GCN (CF1)" in str(found)
    found = str(identify(0.667, case.y_true, case.y_pred))
    assert "ML-GCN (OF1)" in found and "ASL (F_C / 100)" in found


def test_columns_side_by_side():
    (table,) = compare("CF1", "tagging").steps
    assert table.rows == (("ML-GCN", "0.75", "CF1", "zero_division=0.0", "0.75"),)


@pytest.mark.parametrize(
    ("tool", "column", "y_true", "y_pred", "expected"),
    [
        # Of two labels the second is never predicted: 1 hit of 1 prediction, and 1 more.
        ("ML-GCN", "OP", [[1, 0]], [[1, 0]], HALF),
        ("ML-GCN", "CP", [[1, 0]], [[1, 0]], HALF),
        ("ML-GCN", "OR", [[1, 0]], [[1, 0]], 1),
        ("ML-GCN", "OF1", [[1, 0]], [[1, 0]], 2 * THIRD),
        ("ML-GCN", "CR", [[1, 0]], [[1, 0]], nan),
        ("ML-GCN", "CF1", [[1, 0]], [[1, 0]], nan),
        ("ML-GCN", "CF1", [[1, 1]], [[0, 0]], nan),
        ("ML-GCN", "OF1", [[1, 1]], [[0, 0]], nan),
        ("ML-GCN", "OR", [[0, 0]], [[1, 0]], nan),
        ("ML-GCN", "OP", [[0, 0]], [[0, 0]], 0),
        ("ASL", "OP", [[1, 0]], [[1, 0]], 1),
        ("ASL", "OF1", [[1, 1]], [[0, 0]], nan),
        ("ASL", "OP", [[1, 1]], [[0, 0]], nan),
        ("ASL", "CP", [[1, 1]], [[0, 0]], 0),
    ],
)
def test_corners_of_image_tagging(tool, column, y_true, y_pred, expected):
    """As `overall` of ML-GCN and `validate.py` of ASL have them in their source."""
    assert close(number(tool, column, y_true, y_pred), expected)


@pytest.mark.parametrize(
    "name", [n for n, r in quantities().items() if r.general.endswith(" at k")]
)
def test_every_tool_reads_scores_that_are_not_all_there(name):
    """Whatever the truth comes as; and what was given stays as it was, a stored 0 too."""
    y_true = [[1, 0, 0, 0, 1], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]]
    score = sparse.csr_array(([0.5, 0.5, 0.0, 0.4], ([0, 0, 1, 2], [0, 1, 2, 0])), shape=(3, 5))
    for tool in TOOLS.values():
        for setting, _ in tool.answers(quantities()[name].general):
            key = tool.key(setting)
            values = [number(key, name, y, score) for y in (y_true, sparse.csr_array(y_true))]
            assert close(*values)
            assert isinstance(values[0], float) or values[0] == NO_RULE
    assert score.nnz == 4
