"""Notebook 09: what the emoji are, which models and fools say their labels, and what metrics say of those."""

from pathlib import Path

import numpy as np
import places

from claims import claim, on_trust
from mlm_helpers import catalogue, example_based, label_based, records, thresholds
from mlm_helpers.course import emoji
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.hamming import hamming_loss
from tools import emoji_scores

LEARNED = "neighbours", "trees", "linear"
EXACT = {"subset accuracy", "zero-one loss", "Hamming loss"}


def mistakes(y_true, y_pred):
    """Misses and false alarms."""
    return int(((y_true == 1) & (y_pred == 0)).sum()), int(((y_true == 0) & (y_pred == 1)).sum())


def hits(y_true, y_pred):
    return int((np.asarray(y_true) * np.asarray(y_pred)).sum())


def silent(y_pred):
    """Which samples get no label."""
    return ~np.asarray(y_pred).any(axis=1)


def rises(values):
    return bool((np.diff(values) > 0).all())


def micro(metric, y_true, y_pred, **options):
    return getattr(label_based, metric)(y_true, y_pred, average="micro", **options)


def family(name, metrics):
    return {n for n, metric in metrics.items() if catalogue.of(metric).family == name}


def of_scores(metrics):
    return {n for n, metric in metrics.items() if catalogue.of(metric).reads == "y_score"}


# ------------------------------------------------------------------------------------- the data


@claim(
    "After this notebook you can compare models under every metric of the catalogue, tell a reversal"
    " from luck, say what changes a metric, and choose one for your own task."
)
def _(text):
    """Fβ is beside its bill."""
    parts = "Every metric, every model", "Who reverses whom?", "What changes a metric?"
    metrics = places.variables("09_choosing_a_metric")[-1]["metrics"]
    taken = {catalogue.of(metric).id for metric in metrics.values()}
    left = {r.id.rpartition(".")[2] for r in catalogue.METRICS if r.id not in taken}
    heads = all(f"## {part}" in text for part in (*parts, "A guide for Monday"))
    return left == {"fbeta"} and heads and "F2" in text


on_trust(
    "Emoji come with keywords, by which people search for them.",
    "Unicode, CLDR: annotations are keywords and names, for searching among other things",
)


@claim("Here a picture is a sample, and its keywords are its labels.")
def _(data):
    cat = data.names.index("cat face")
    said = {label for label, has in zip(data.labels, data.y[cat], strict=True) if has}
    return {"cat", "face"} <= said and data.y.shape == (len(data.pictures), len(data.labels))


@claim(
    "A few labels are frequent, most are rare.",
    "About a fifth of the pictures has no label: a keyword of fewer than twelve emoji is none here.",
)
def _(data):
    count = data.y.sum(axis=0)
    tail = (count > 50).sum() < 10 and (count < 25).mean() > 0.75
    return tail and count.min() == 12 and round(silent(data.y).mean(), 1) == 0.2


@claim(
    "(The keywords are Unicode's, licence Unicode-3.0; the drawings Noto Color Emoji's, licence"
    " OFL-1.1.)",
)
def _():
    sources = (Path(records.__file__).parent / "emoji.txt").read_text(encoding="utf-8")
    lines = sources.splitlines()
    keywords, drawings = (
        next(line for line in lines if line.startswith(head))
        for head in ("Keywords and names:", "Pictures:")
    )
    return "Unicode-3.0" in keywords and "Noto Color Emoji" in drawings and "OFL-1.1" in drawings


# ----------------------------------------------------------------------------- models and fools


@claim(
    "Five times, all pictures were divided into three folds, and models scored each fold after they"
    " had learned the two others:",
    "Neighbours: how many of the three most similar pictures have the label.",
    "Most scores are 0.",
)
def _(data):
    """The neighbours of some pictures, sought here among the other folds alone."""
    fold = emoji.folds(data.y, 3, seed=4)
    pixels = data.pictures.reshape(len(data.y), -1) / 255
    stored = emoji.scores(4)["neighbours"]
    for i in (0, 500, 1000):
        far = ((pixels - pixels[i]) ** 2).sum(axis=1)
        far[fold == fold[i]] = np.inf
        near = np.argsort(far, kind="stable")[:3]
        if not np.array_equal(stored[i], data.y[near].mean(axis=0).round(3)):
            return False
    return emoji.REPEATS == 5 and emoji.FOLDS == 3 and (stored == 0).mean() > 0.9


@claim(
    "Trees: a hundred extremely randomised trees.",
    "Linear: logistic regression, to which a label's few positives weigh as much as all its"
    " negatives.",
    "So its scores are too high.",
)
def _(data):
    trees, linear = (emoji_scores.MODELS[name]() for name in ("trees", "linear"))
    last = linear[-1].estimator
    hundred = type(trees).__name__ == "ExtraTreesClassifier" and trees.n_estimators == 100
    means = {name: emoji.scores()[name].mean() / data.y.mean() for name in LEARNED}
    high = means.pop("linear") > 3 and max(means.values()) < 1.2
    return (
        hundred and type(last).__name__ == "LogisticRegression" and high
    ) and last.class_weight == "balanced"


@claim("They were chosen to differ, not to be good.")
def _(splits):
    kinds = {type(make()).__name__ for make in emoji_scores.MODELS.values()}
    return len(kinds) == 3 and all(
        micro("f1", truth, said[name]) < 0.5 for truth, _, said in splits for name in LEARNED
    )


@claim(
    "Beside them stand two baselines, our fools, who never look at a picture: “nothing” says nothing,"
    " and “frequent” says the most frequent label, always; its scores are the labels' frequencies."
)
def _(splits, data):
    top = np.eye(len(data.labels))[data.y.sum(axis=0).argmax()]
    return all(
        not said["nothing"].any()
        and (said["frequent"] == top).all()
        and np.abs(score["frequent"] - data.y.mean(axis=0)).max() < 0.01
        for _, score, said in splits
    )


@claim(
    "Each model's cut is tuned for micro F1 on one half of the pictures, and the other half judges,"
    " as in 08_thresholds."
)
def _(splits, data):
    """No other cut is better where it was tuned."""
    eight = "\n".join(section.code for section in places.sections("08_thresholds"))
    for repeat, (truth, score, said) in enumerate(splits):
        tune = emoji.folds(data.y, 2, seed=repeat + 1) == 0
        if not np.array_equal(truth, data.y[~tune]) or abs(tune.sum() - len(truth)) > 1:
            return False
        for name in LEARNED:
            given = emoji.scores(repeat)[name]
            cut = score[name][said[name] == 1].min()
            own = micro("f1", data.y[tune], thresholds.at(given[tune], cut))
            tried = [
                micro("f1", data.y[tune], thresholds.at(given[tune], c / 20)) for c in range(21)
            ]
            if own < max(tried) - 0.005 or not np.array_equal(said[name], score[name] >= cut):
                return False
    return "emoji.folds(data.y, 2, seed=1)" in eight and "thresholds.tune(" in eight


@claim(
    "“Nothing” is entirely right on every picture without a label, so its subset accuracy is about a"
    " fifth.",
    "Few cells are 1, so its Hamming loss is close to 0.",
    "Its recall is 0: it has no hits.",
    "“Frequent” is right where a face is, about one time in ten.",
)
def _(y_true, y_pred, data):
    nothing, frequent = (y_pred[name] for name in ("nothing", "frequent"))
    exact = subset_accuracy(y_true, nothing) == silent(y_true).mean()
    fifth = round(silent(y_true).mean(), 1) == 0.2
    close = np.isclose(hamming_loss(y_true, nothing), y_true.mean()) and y_true.mean() < 0.02
    no_hits = example_based.recall(y_true, nothing) == 0 == hits(y_true, nothing)
    face = hits(y_true, frequent) == y_true[:, data.labels.index("face")].sum()
    tenth = round(micro("precision", y_true, frequent), 1) == 0.1
    return exact and fifth and close and no_hits and face and tenth


# ---------------------------------------------------------------------- every metric, every model


@claim("(Fβ, another metric for every β, comes below.)")
def _(metrics, y_true, y_pred, text):
    known = of_scores(metrics) == set().union(
        *(family(name, metrics) for name in ("ranking", "curves", "top k"))
    )
    betas = {micro("fbeta", y_true, y_pred["trees"], beta=beta) for beta in (0.5, 1, 2)}
    below = text.index("## When one kind of mistake") > text.index("## Every metric, every")
    return known and len(betas) == 3 and below and "micro F2" not in metrics


def best(values, lower):
    """Who leads, by metric."""
    return {n: (min if n in lower else max)(row, key=row.get) for n, row in values.items()}


@claim(
    "The trees lead, except in subset accuracy, zero-one loss, Hamming loss and micro precision, where"
    " the neighbours do."
)
def _(values, lower):
    leads = best(values, lower)
    others = {name: leader for name, leader in leads.items() if leader != "trees"}
    return set(others) == EXACT | {"micro precision"} and set(others.values()) == {"neighbours"}


# ------------------------------------------------------------------------------- macro or micro


@claim(
    "The first quarter of the labels holds about half of the positives, the last far fewer.",
    "Micro F1 adds up positives, so it hears the frequent labels; in macro F1 each quarter has one"
    " vote in four.",
)
def _(y_true, y_pred, f1s, shares):
    """Without the hits of a quarter: micro F1 loses most where positives are many."""
    order = rises(-y_true.sum(axis=0).reshape(4, 26).sum(axis=1))
    half = abs(shares[0] - 1 / 2) < 0.05 and shares[3] < 0.15
    macro = all(np.isclose(label_based.f1(y_true, y_pred[m]), f1s[m].mean()) for m in f1s)
    lost = []
    for quarter in range(4):
        kept = np.repeat(np.arange(4) != quarter, 26)
        lost.append(-micro("f1", y_true, y_pred["neighbours"] * kept))
    return order and bool(half) and macro and int(np.argmax(lost)) == 0


@claim(
    "On every split the neighbours lead the linear model in the first quarter, and it leads them in"
    " the last.",
)
def _(splits, ahead):
    apart = {"first": slice(0, 26), "last": slice(78, 104)}
    leads = {
        name: [
            label_based.f1(t[:, js], said["neighbours"][:, js])
            - label_based.f1(t[:, js], said["linear"][:, js])
            for t, _, said in splits
        ]
        for name, js in apart.items()
    }
    return min(leads["first"]) > 0 > max(leads["last"]) and (ahead[0], ahead[3]) == (5, 0)
