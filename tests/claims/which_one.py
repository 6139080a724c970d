"""What notebook 11 says of mAP, CF1 and P@k, beside the tools' numbers that make it true."""

from functools import partial
from math import isnan, nan

import numpy as np
from sklearn import metrics as sklearn_metrics

from claims import always, claim, on_trust
from claims.conventions import RECORDS, close, gives, keys, refuses, reported
from mlm_helpers import conventions, curves, label_based, top_k
from mlm_helpers.conventions import DERIVED, TAGGING, TOOLS

CF1 = DERIVED[TAGGING["CF1"]]
TIED = RECORDS["column_three_tied"]
ABSENT = RECORDS["label_without_positives"]


def maps(case):
    """What each tool, and each of its settings, gives for mAP."""
    return {key: gives(key, "macro AP", case) for key in keys("macro AP")}


def by_default(case):
    return {tool: number for tool, number in maps(case).items() if tool in TOOLS}


# ---------------------------------------------------------------------------- mAP


@claim("mAP is each label's average precision, its samples ranked by score, then the mean.")
def _():
    def says(y_true, y_score):
        each = [
            np.mean([y[s >= own].mean() for own in s[y == 1]]) if y.any() else 0
            for y, s in zip(y_true.T, y_score.T, strict=True)
        ]
        return close(curves.average_precision(y_true, y_score), np.mean(each))

    return always(says)


@claim("One label, four samples; the last three scores are tied.")
def _():
    first, *rest = TIED.y_score
    return np.shape(TIED.y_true) == (4, 1) and len(set(map(tuple, rest))) == 1 and first not in rest


@claim("Before you run: how many numbers will you see?", "Five.")
def _(printed):
    seen = {round(number, 3) for number in by_default(TIED).values()}
    return seen == {0.5, 0.583, 0.417, 0.667, 0.359} and "column_three_tied" not in printed


@claim(
    "Tied samples are one threshold (0.5), stay in input order (0.583), or in its reverse (0.417)."
)
def _():
    steps = {"worst": 0.5, "first": 0.583, "last": 0.417}
    data = TIED.y_true, TIED.y_score
    ours = {ties: round(curves.average_precision(*data, ties=ties), 3) for ties in steps}
    said = [TOOLS[tool].metrics["macro AP"].options for tool in by_default(TIED)]
    ties = {o["ties"] for o in said if o["interpolation"] is None}
    # in input order: right at places 2 and 3; in its reverse at 3 and 4; as one at 4 alone
    by_hand = [2 / 4, np.mean([1 / 2, 2 / 3]), np.mean([1 / 3, 2 / 4])]
    return (
        ours == steps
        and ties == set(steps)
        and [round(float(n), 3) for n in by_hand] == list(ours.values())
    )


@claim(
    "VOC and COCO take the best precision at this recall or beyond (0.667). keras puts the scores into"
    " 200 bins (0.359)."
)
def _():
    found = maps(TIED)
    interpolated = [found[t] for t in ("VOC devkit", "VOC devkit, since 2010", "pycocotools")]
    said = TOOLS["keras"].metrics["macro AP"].departures[0].says
    recorded = TIED.numbers["macro AP"]["keras"]
    best = max(1 / 2, 2 / 3)  # of precisions at both positives the better one comes last
    return close(*interpolated, best) and "200 bins" in said and round(recorded, 3) == 0.359


@claim("It counts 0, is left out, makes the mean nan, or raises an error.")
def _():
    """The other label's AP is (1 + 2/3) / 2 without interpolation."""
    found, one = by_default(ABSENT), (1 + 2 / 3) / 2
    raises = {tool for tool, number in found.items() if isinstance(number, str)}
    nans = {tool for tool, number in found.items() if tool not in raises and isnan(number)}
    halved = {t for t, n in found.items() if t not in raises | nans and n < one * 0.6}
    out = {t for t, n in found.items() if t not in raises | nans and n > one * 0.9}
    return all((raises, nans, halved, out)) and raises | nans | halved | out == set(found)


@claim(
    "Write: “mAP, the mean over labels; a label without a value counts 0 (1 of 2 labels); tied samples"
    " share their largest rank”."
)
def _():
    written = reported(ABSENT, curves.average_precision)
    return (
        "a label without a value counts 0 (1 of 2 labels); tied samples share their largest rank"
        in written
    )


# ---------------------------------------------------------------------------- CF1


@claim(
    "Papers on image tagging print six columns: CP, CR and CF1 per class, OP, OR and OF1 overall."
)
def _(rows):
    columns = {column for tool, column, _, _ in rows if tool == "ML-GCN"}
    pooled = {name for name in TAGGING if TAGGING[name].startswith("micro ")}
    return columns == set(TAGGING) == {"CP", "CR", "CF1"} | pooled and pooled == {"OP", "OR", "OF1"}


@claim("ML-GCN's CF1 is the F1 of the means, 0.75.")
def _(case):
    p, r = (m(case.y_true, case.y_pred) for m in (label_based.precision, label_based.recall))
    return close(2 * p * r / (p + r), case.numbers[TAGGING["CF1"]]["ML-GCN"], 0.75)


@claim(
    "ASL prints the mean of the F1s in its place, 0.667, and so do the other tools on record, as"
    " macro-F1."
)
def _(case):
    each = label_based.f1(case.y_true, case.y_pred, average=None)
    other = RECORDS["macroF1_definition"]
    theirs = label_based.f1(other.y_true, other.y_pred, average=None).mean()
    given = other.numbers["macro F1"]
    called = TOOLS["ASL"].metrics["macro F1"].call == "F_C / 100"
    every = len(given) > 5 and all(abs(number - theirs) < 1e-6 for number in given.values())
    return called and every and abs(case.numbers["macro F1"]["ASL"] - each.mean()) < 1e-6


@claim("CF1 is never the smaller one.")
def _():
    return always(
        lambda y_true, y_pred: CF1(y_true, y_pred) >= label_based.f1(y_true, y_pred) - 1e-12
    )


on_trust(
    "It was macro-F1 in mldr's version 0.4.0, and is LibMultiLabel's “Another-Macro-F1”.",
    "mldr, R/evmetrics_av.R as released in 0.4.0; LibMultiLabel, metrics, another_macro_f1",
)


@claim(
    "Write: “CF1, the F1 of mean precision and mean recall”, or “macro-F1, the mean of the labels' F1;"
    " 0/0 counts 0 (1 of 3 labels)”."
)
def _():
    written = reported(RECORDS["perfect+absent_label"], label_based.f1)
    named = TAGGING["CF1"] == "F1 of macro precision and macro recall"
    return named and "a value per label, then their mean; 0/0 counts 0 (1 of 3 labels)" in written


# ---------------------------------------------------------------------------- P@k


def numbers(name, data):
    return {t: round(n, 3) for t, n in RECORDS[data].numbers[name].items()}


@claim("P@k is hits ÷ k.")
def _():
    def says(y_true, y_score):
        first = np.argsort(-y_score, axis=1, kind="stable")[:, :2]
        hits = np.take_along_axis(y_true, first, axis=1).sum(axis=1)
        return close(top_k.precision(y_true, y_score, k=2, ties="first"), (hits / 2).mean())

    return always(says, shapes=[(2, 2), (1, 3)])


@claim(
    "But of top_few_scored, only one label of the first sample and two of the second were scored: what"
    " is P@3 then?"
)
def _():
    scored = [sum(score is not None for score in row) for row in RECORDS["top_few_scored"].y_score]
    return scored == [1, 2]


@claim("And three more questions:")
def _(rows):
    return len({name for name, _, _, _ in rows}) == 4


@claim(
    "Annif divides by the labels that were scored, the others by 3. keras pools recall over all"
    " samples, the others take the mean of the samples."
)
def _():
    """One hit of one scored and one of two; of 1 and 3 relevant labels 1 and 2 are found."""
    precision, recall = (
        numbers("precision at 3", "top_few_scored"),
        numbers("recall at 3", "top_three"),
    )
    by_hand = (np.mean([1, 1 / 2]), np.mean([1 / 3, 1 / 3]), (1 + 2) / (1 + 3), np.mean([1, 2 / 3]))
    annif, three, pooled, mean = (round(float(number), 3) for number in by_hand)
    return (precision.pop("Annif"), recall.pop("keras")) == (annif, pooled) and (
        set(precision.values()) == {three} and set(recall.values()) == {mean}
    )


@claim("A tie goes to the first label (0), to the last (1), or is shared out (0.333).")
def _():
    last, first = (numbers("nDCG at 1", data) for data in ("top_tie_last", "top_tie_first"))
    both = {tool: (last[tool], first[tool]) for tool in last}
    return set(both.values()) == {(0, 1), (1, 0), (0.333, 0.333)}


@claim("A sample without labels counts 0, counts 1, or is left out.")
def _():
    """The other sample has 1: so half, or 1 in two ways, which the tools' options tell apart."""
    found = numbers("nDCG at 2", "top_two_empty")
    worths = {
        str(conventions.options(tool, partial(top_k.ndcg, k=2))["undefined"]) for tool in found
    }
    return set(found.values()) == {0.5, 1} and worths == {"0.0", "1.0", "nan"}


@claim(
    "Write: “nDCG at 2; a sample without a value counts 0 (1 of 2 samples); tied labels share their"
    " mean rank”."
)
def _():
    written = reported(RECORDS["top_two_empty"], partial(top_k.ndcg, k=2))
    return "nDCG at 2 = " in written and (
        "a sample without a value counts 0 (1 of 2 samples); tied labels share their mean rank"
        in written
    )


# ---------------------------------------------------------------------------- identify


@claim("And a bare mAP of 0.4167?")
def _(absent):
    first = conventions.identify(0.4167, absent.y_true, y_score=absent.y_score).matches[0]
    return first.metric == "macro AP" and first.options["undefined"] == 0 and len(first.tools) > 4


# ---------------------------------------------------------------------------- threads


@claim("scikit-learn #17104: mAP is a mean over labels, macro AP.")
def _():
    case = RECORDS["every_average_differs"]
    each = curves.average_precision(case.y_true, case.y_score, average=None)
    pooled = curves.average_precision(case.y_true, case.y_score, average="micro")
    theirs = [case.numbers["macro AP"][tool] for tool in ("ML-GCN", "ASL", "scikit-learn")]
    return all(abs(number - each.mean()) < 1e-6 for number in theirs) and not close(
        pooled, each.mean()
    )


@claim("torchmetrics #1665: its micro-F1 is OF1; CF1 it lacks.")
def _():
    """The data of the thread, and the numbers that it asks for and gets."""
    y_pred = [[1, 1, 1], [0, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]]
    y_true = [[1, 0, 1], [1, 1, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    micro = conventions.number("torchmetrics", "OF1", y_true, y_pred)
    lacks = TAGGING["CF1"] not in TOOLS["torchmetrics"].metrics
    return lacks and round(micro, 4) == 0.5556 and round(CF1(y_true, y_pred), 4) == 0.5714


@claim("ML_Decoder #20: a threshold of 0 is for logits.")
def _():
    """Of probabilities it makes every label a yes; of their logits those above one half."""
    probabilities = np.array([0.1, 0.4, 0.6])
    logits = np.log(probabilities / (1 - probabilities))
    return (probabilities >= 0).all() and (logits >= 0).tolist() == (probabilities >= 0.5).tolist()


@claim("SRN_multilabel #1: a top-3 column may ask for a score of 0 or more as well.")
def _():
    (note,) = (note for note in TOOLS["ML-GCN"].notes if "top-3" in note.says)
    scores = np.array(note.y_other)
    among = scores >= np.sort(scores)[:, ::-1][:, :3].min(axis=1, keepdims=True)
    return (
        among.all() and not (among & (scores >= 0)).any() and note.shows == "nothing is predicted"
    )


@claim(
    "scikit-learn #11739, #16568, torchmetrics #2494: a label that is always or never true has no"
    " AUROC."
)
def _():
    """The data of #16568: the first label is always, the second never true."""
    y_true, y_score = [[1, 0, 1, 0], [1, 0, 0, 1]], [[0.1, 0.4, 0.35, 0.8]] * 2
    return np.isnan(curves.roc_auc(y_true, y_score, average=None)).tolist() == [
        True,
        True,
        False,
        False,
    ]


@claim("scikit-learn #16666, keras #5931: top-k accuracy is for one label per sample.")
def _():
    case = RECORDS["top_three"]
    one = sklearn_metrics.top_k_accuracy_score([0, 2], [[0.9, 0.1, 0.2]] * 2, k=1, labels=[0, 1, 2])
    return one == 0.5 and refuses(
        sklearn_metrics.top_k_accuracy_score, case.y_true, case.y_score, k=3
    )


@claim("scikit-learn #29521: nDCG of a sample without labels counts 0; our nan leaves it out.")
def _():
    """The data of the thread, which asks why a perfect ranking has 0.5."""
    y = [[1, 0, 1], [0, 0, 0]]
    theirs = sklearn_metrics.ndcg_score(y, y)
    return close(theirs, top_k.ndcg(y, y, k=3), 0.5) and close(
        top_k.ndcg(y, y, k=3, undefined=nan), 1
    )


@claim("scikit-learn #27726: where all labels are relevant, every order is perfect.")
def _():
    """The data of the thread, then every order."""
    thread = sklearn_metrics.ndcg_score([[1, 1, 1, 1]], [[1, 1, 1, 0]], k=4)
    return close(thread, 1) and always(
        lambda y_true, y_score: not y_true.all() or close(top_k.ndcg(y_true, y_score, k=1), 1)
    )
