"""What notebook 11 says of numbers without a recipe, of departures and in its answers."""

import re
from functools import partial

from claims import claim
from claims.conventions import RECORDS, gives, keys
from mlm_helpers import conventions, hamming, label_based
from mlm_helpers.conventions import TOOLS
from mlm_helpers.conventions.readings import readings, ways

MICRO_PRECISION = partial(label_based.precision, average="micro")


# ---------------------------------------------------------------------------- identify


@claim(
    "A colleague sends the first prediction of this notebook: “it scores 0.5”. identify tries every"
    " metric that the data allow, under every convention:"
)
def _(perfect):
    data = (perfect.y_true, perfect.y_pred)
    values = {}
    for reading in (r for r in readings().values() if r.reads == "y_pred"):
        for chosen in ways(reading.choices):
            values.setdefault(float(reading.function(*data, **chosen)), set()).add(reading.name)
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


@claim("Here one suspects a slip of the pen, 0.631 for 0.633.")
def _(guide):
    found = conventions.identify(0.631, guide.y_true, guide.y_pred)
    return not found.matches and round(found.nearest[0].value, 3) == 0.633


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


# ---------------------------------------------------------------------------- write it, try it


@claim(
    "report gathers the choices in one paragraph, and counts how often each convention was needed."
)
def _(paragraph, metrics):
    counted = re.findall(r"\((?:1 of 3 samples|it is not)\)", paragraph)
    return "\n" not in paragraph and len(metrics) == 4 and len(counted) == 3


@claim('A paper reports an F1 of 0.47 on the data records["macroF1_definition"].')
def _(case, best):
    same = case.y_pred == RECORDS["macroF1_definition"].y_pred
    return same and best.fit == "rounded" and f"{best.value:.2f}" == "0.47"


@claim("Most likely samples F1 with 1 for two empty sets, as MULAN and mldr print it.")
def _(best):
    return (best.metric, best.options, best.tools) == (
        "samples F1", {"zero_division": "agree"}, ("MULAN", "mldr"),
    )  # fmt: skip


def one_errors():
    case = RECORDS["tie_last_relevant"]
    return {tool: gives(tool, "one-error", case) for tool in keys("one-error") if tool in TOOLS}


@claim(
    "Two colleagues compute one-error of the scores [[0.5, 0.5]], truth [[0, 1]].",
    "One gets 1, the other 0.",
)
def _(one):
    given = set(one_errors().values())
    return (one.y_score, one.y_true) == ([[0.5, 0.5]], [[0, 1]]) and given >= {0, 1}


@claim(
    "1 with MEKA, mldr, utiml or napkinXC, where the first label wins; 0 with MULAN or pyxclib, where"
    " the last does, or with LAMDA's files, where the relevant one does."
)
def _():
    rules = {tool: TOOLS[tool].metrics["one-error"].options["ties"] for tool in one_errors()}
    found = {}
    for tool, value in one_errors().items():
        found.setdefault((value, rules[tool]), set()).add(tool)
    del found[0.5, "average"]
    return found == {
        (1, "first"): {"MEKA", "mldr", "utiml", "napkinXC"},
        (0, "last"): {"MULAN", "pyxclib"},
        (0, "best"): {"LAMDA MATLAB"},
    }


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
