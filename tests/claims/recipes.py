"""What notebook 11 says of numbers without a recipe, of departures and in its answers."""

import re
from functools import partial

from claims import claim
from claims.conventions import RECORDS
from mlm_helpers import conventions, hamming, label_based
from mlm_helpers.conventions import TOOLS
from mlm_helpers.conventions.quantities import quantities, ways

MICRO_PRECISION = partial(label_based.precision, average="micro")


# ---------------------------------------------------------------------------- identify


@claim(
    "A colleague sends the first prediction of this notebook: “it scores 0.5”. identify tries every"
    " metric that the data allow, under every convention:"
)
def _(perfect):
    data = (perfect.y_true, perfect.y_pred)
    values = {}
    for quantity in (r for r in quantities().values() if r.reads == "y_pred"):
        for chosen in ways(quantity.choices):
            values.setdefault(float(quantity.function(*data, **chosen)), set()).add(quantity.name)
    return 0.5 in values and all(
        names <= {match.metric for match in conventions.identify(value, *data).matches}
        for value, names in values.items()
    )


@claim("Nine recipes, and mostly one cause: 0/0 counts 0.")
def _(perfect):
    found = conventions.identify(0.5, perfect.y_true, perfect.y_pred).matches
    return len(found) == 9 and sum(m.options == {"zero_division": 0.0} for m in found) > 4


@claim("The document “sklearn中多标签分类场景下的常见的模型评估指标” prints 0.4166.")
def _(guide):
    printed = [value.printed for value in guide.published]
    return guide.title == "sklearn中多标签分类场景下的常见的模型评估指标" and "0.4166" in printed


@claim("No metric rounds to it:", "It is the Hamming loss, 0.416667, with its tail cut off.")
def _(guide):
    (match,) = conventions.identify(0.4166, guide.y_true, guide.y_pred).matches
    loss = hamming.hamming_loss(guide.y_true, guide.y_pred)
    return (
        match.fit == "truncated" and match.metric == "Hamming loss" and f"{loss:.6f}" == "0.416667"
    )


# ---------------------------------------------------------------------------- departures


@claim(
    "Some numbers come from none of our options. compare then says so, and the tool's record names"
    " the departure."
)
def _(met, perfect):
    ruled = [pair for pair in met if TOOLS[pair[0]].metrics[pair[1]].departures[0].number]
    told = [
        (
            row[-1] == "no option says it",
            conventions.expressible(tool, name, c.y_true, c.other(name)),
        )
        for tool, name in ruled
        for c in RECORDS.values()
        if tool in c.numbers.get(name, ())
        for row in conventions.compare(name, c.name).steps[0].rows
        if row[0] == tool
    ]
    return set(told) == {(True, False), (False, True)}


@claim("Eight of them:")
def _(departures):
    return len({departure.says for _, departure in departures}) == 8


# ---------------------------------------------------------------------------- write it


@claim(
    "report gathers the choices in one paragraph, and counts how often each convention was needed."
)
def _(paragraph, metrics):
    counted = re.findall(r"\((?:1 of 3 samples|it is not)\)", paragraph)
    return "\n" not in paragraph and len(metrics) == 4 and len(counted) == 3


@claim(
    "Two numbers for one prediction are mostly two conventions: what 0/0 or an empty sample counts,"
    " where ranks start, who wins a tie, whether precision is interpolated, which average, which"
    " threshold."
)
def _():
    asked = {o for t in TOOLS.values() for said in t.metrics.values() for o in said.options}
    thresholds = [note for t in TOOLS.values() for note in t.notes if "exactly 0.5" in note.says]
    counts = conventions.last_run()["counts"].values()
    agree = sum(found["agree by an option"] for found in counts)
    return (
        asked == {"zero_division", "undefined", "start", "ties", "interpolation"}
        and len(thresholds) > 1
        and agree > 0.9 * sum(sum(found.values()) for found in counts)
    )
