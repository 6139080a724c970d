"""What notebook 11 says, beside what makes it true: the tools' records, and scikit-learn itself."""

import inspect
import re
from functools import partial
from itertools import pairwise
from math import isclose, nan

import numpy as np
import places

from claims import always, claim, sometimes
from mlm_helpers import (
    conventions,
    exact_match,
    example_based,
    ranking,
)
from mlm_helpers.conventions import TOOLS, number
from mlm_helpers.conventions.quantities import quantities

RECORDS = {case.name: case for case in conventions.recorded()}
RULES = (0.0, 1.0, nan, "agree")  # for 0/0


def close(*numbers):
    return all(isclose(one, other, abs_tol=1e-9) for one, other in pairwise(numbers))


def refuses(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except ValueError:
        return True
    return False


def keys(name):
    """The tools that have a metric, with each of their settings."""
    general = quantities()[name].general
    return [tool.key(setting) for tool in TOOLS.values() for setting, _ in tool.answers(general)]


def gives(tool, metric, case):
    return number(tool, metric, case.y_true, case.other(metric))


def with_options_of(tool, metric, case, name):
    return metric(case.y_true, case.other(name), **conventions.options(tool, metric))


def reported(case, metric):
    """What `report` writes of a metric."""
    return conventions.report([metric], case.y_true, case.y_pred, case.y_score)


def camps(accuracies):
    return sorted({round(value, 9) for value in accuracies.values()})


# ---------------------------------------------------------------------------- the question


@claim(
    "After this notebook you can say why two tools print two numbers for one prediction, make our"
    " functions return either (or see why they cannot), find the recipe behind a bare number, and"
    " report results so that nobody has to ask."
)
def _():
    perfect = RECORDS["perfect+both_empty"]
    tools = ("MEKA", "MULAN", "Spark MLlib")
    theirs = [gives(tool, "samples F1", perfect) for tool in tools]
    ours = [with_options_of(tool, example_based.f1, perfect, "samples F1") for tool in tools]
    found = conventions.identify(0.5, perfect.y_true, perfect.y_pred).matches
    named = any(match.metric == "samples F1" and "MEKA" in match.tools for match in found)
    return str(theirs) == "[0.5, 1.0, nan]" and ours == [0.5, 1, 1] and named


@claim(
    "Two samples, three labels.",
    "The second sample has no label at all.",
    "A model predicts exactly the truth.",
)
def _(perfect):
    shape = np.shape(perfect.y_true)
    return shape == (2, 3) and not any(perfect.y_true[1]) and perfect.y_pred == perfect.y_true


@claim(
    "One prediction, three answers: 0.5, 1 and nan (“not a number”).",
    "No tool has miscalculated.",
    "The second sample asks for 0/0, the formula is silent, and the tools fill the silence in three"
    " ways.",
)
def _(perfect):
    given = perfect.numbers["samples F1"]
    each = example_based.f1(perfect.y_true, perfect.y_pred, zero_division=nan, per_sample=True)
    as_ruled = all(conventions.same(n, gives(t, "samples F1", perfect)) for t, n in given.items())
    defaults = {str(round(value, 6)) for tool, value in given.items() if tool in TOOLS}
    return defaults == {"0.5", "1.0", "nan"} and as_ruled and list(np.isnan(each)) == [False, True]


@claim(
    "Nine such quarrels follow.",
    "Each section shows a small input, what the tools give, and a sentence for a paper, marked"
    " Write.",
)
def _():
    found = places.sections("11_conventions")
    marked = [s for s in found if any("**Write:**" in p.text for p in s.passages)]
    return len(marked) == 9 and all(
        "scikit-learn" in s.output or "torch" in s.output for s in marked
    )


# ---------------------------------------------------------------------------- the tools


@claim("23 tools take part, and none of them has to be installed:")
def _():
    code = "\n".join(section.code for section in places.sections("11_conventions"))
    imported = set(re.findall(r"^(?:from|import) (\w+)", code, re.M))
    return len(TOOLS) == 23 and imported == {"mlm_helpers", "numpy", "functools", "textwrap"}


@claim("Run: make peers runs it anew.")
def _(tools, run):
    kept = {
        tool for case in RECORDS.values() for numbers in case.numbers.values() for tool in numbers
    }
    once = {tool.name for tool in tools.values() if tool.known == "recorded run"}
    anew = {tool.name for tool in tools.values() if tool.known == "run"}
    return once <= kept and anew == set(run["versions"]) and not once & anew


# ---------------------------------------------------------------------------- accuracy


@claim("Two samples, one false alarm.")
def _(case):
    wrong = np.subtract(case.y_pred, case.y_true)
    return wrong.shape[0] == 2 and wrong.max() == 1 and np.count_nonzero(wrong) == 1


@claim(
    "These are the tools' own measures with accuracy in their name, without those that say “subset”:"
)
def _(accuracies):
    calls = {f"{t.name}: {said.call}" for t in TOOLS.values() for said in t.metrics.values()}
    named = {call for call in calls if re.search("accuracy", call, re.I) and ": 1 - " not in call}
    return set(accuracies) == {call for call in named if not re.search("subset", call, re.I)}


@claim("Three camps: whole rows (0.5), the share of each row (0.75), cells (0.833).")
def _(accuracies, y_true, y_pred):
    rows, shares = (
        m(y_true, y_pred) for m in (exact_match.subset_accuracy, example_based.accuracy)
    )
    cells = np.mean(np.equal(y_true, y_pred))
    return rows == 0.5 and shares == 0.75 and np.allclose(camps(accuracies), [rows, shares, cells])


@claim(
    "Write: “subset accuracy”, “mean Jaccard index per sample” or “1 − Hamming loss”, never"
    " “accuracy” alone."
)
def _(accuracies, case):
    names = ("subset accuracy", "samples accuracy (Jaccard)", "1 − Hamming loss")
    values = [quantities()[name].function(case.y_true, case.y_pred) for name in names]
    return np.allclose(camps(accuracies), values)


# ---------------------------------------------------------------------------- 0/0


BOTH_EMPTY = ([[1, 1], [0, 0]], [[1, 0], [0, 0]])  # half a hit, and two empty sets
TRUTH_EMPTY = ([[1, 1], [0, 0]], [[1, 0], [1, 0]])  # the same hit, and a false alarm on nothing


def two(tool):
    """The tool's recall on both: what it makes of 0/0 tells which rule it has."""
    return str([number(tool, "samples recall", *data) for data in (BOTH_EMPTY, TRUTH_EMPTY)])


@claim(
    "The first picture again, with each tool's name for the metric and our options that return its number:"
)
def _():
    rows = conventions.compare("samples F1", "perfect+both_empty").steps[0].rows
    ours = {tool: own for tool, _, _, _, own in rows}
    calls = [call == TOOLS[tool].metrics["samples F1"].call for tool, _, call, *_ in rows]
    off = {tool for tool, theirs, *_ in rows if theirs != ours[tool]}
    return all(calls) and off == {"Spark MLlib"} and ours["Spark MLlib"] == "no option says it"


@claim("conventions.options returns these options, also for a setting behind a comma:")
def _():
    rows = conventions.compare("samples F1", "perfect+both_empty", settings=True).steps[0].rows
    asked = [conventions.options(key, example_based.f1) for key in keys("samples F1")]
    return [f"zero_division={said['zero_division']!r}" for said in asked] == [r[3] for r in rows]


@claim("Five rules for 0/0 are in use:")
def _():
    return len({two(key) for key in keys("samples recall")}) == 5


@claim("it counts 0 (scikit-learn's default);")
def _():
    return two("scikit-learn") == "[0.25, 0.25]"


@claim("it counts 1 (scikit-learn, if asked);")
def _():
    return two("scikit-learn, zero_division=1") == "[0.75, 0.75]"


@claim('it counts 1 where truth and prediction are both empty, else 0 (MULAN; our "agree");')
def _():
    ours = [
        example_based.recall(*data, zero_division="agree") for data in (BOTH_EMPTY, TRUTH_EMPTY)
    ]
    return two("MULAN") == str(ours) == "[0.75, 0.25]"


@claim("it is left out of the mean (scikit-learn, if asked; our nan);")
def _():
    ours = [example_based.recall(*data, zero_division=nan) for data in (BOTH_EMPTY, TRUTH_EMPTY)]
    return two("scikit-learn, zero_division=nan") == str(ours) == "[0.5, 0.5]"


@claim("it turns the whole mean into nan (Spark; none of our options).")
def _():
    ours = [example_based.recall(*BOTH_EMPTY, zero_division=rule) for rule in RULES]
    return two("Spark MLlib") == "[nan, nan]" and not np.isnan(ours).any()


@claim("One tool can hold two: MEKA gives this model the Jaccard index 1 and the F1 0.5.")
def _(perfect):
    jaccard, f1 = perfect.numbers["samples accuracy (Jaccard)"], perfect.numbers["samples F1"]
    return jaccard["MEKA"] == 1 and f1["MEKA"] == 0.5


@claim("F1 is 0/0 only where both sets are empty.")
def _():
    def says(y_true, y_pred):
        each = example_based.f1(y_true, y_pred, zero_division=nan, per_sample=True)
        return np.array_equal(np.isnan(each), ~(y_true.any(axis=1) | y_pred.any(axis=1)))

    return always(says)


@claim("A false alarm on a sample without labels, as in the last line, is a true 0.")
def _(printed):
    every = [example_based.f1([[0, 0, 0]], [[1, 0, 0]], zero_division=rule) for rule in RULES]
    return every == [0, 0, 0, 0] and "nothing true → 0.0" in printed


@claim("Write: “F1 per sample, then the mean; 0/0 counts 0 (1 of 2 samples)”.")
def _(perfect):
    return "a value per sample, then their mean; 0/0 counts 0 (1 of 2 samples)" in reported(
        perfect, example_based.f1
    )


# ---------------------------------------------------------------------------- coverage


@claim(
    "scikit-learn and torchmetrics call the top of the list rank 1, the other tools rank 0: our"
    " start."
)
def _():
    first = ([[1, 0]], [[0.9, 0.1]])  # the one label that is relevant is at the top
    starts = {tool: number(tool, "coverage", *first) for tool in keys("coverage") if tool in TOOLS}
    ones = {tool for tool, start in starts.items() if start == 1}
    del starts["utiml"]  # stops on a single row; its options say
    return (
        ones == {"scikit-learn", "torchmetrics"}
        and {start for tool, start in starts.items() if tool not in ones} == {0}
        and conventions.options("utiml", ranking.coverage)["start"] == 0
        and [ranking.coverage(*first, start=start) for start in (0, 1)] == [0, 1]
    )


@claim("From scikit-learn's 1.5 to MULAN's 1.0 is only half: in both, the empty sample counts 0.")
def _(mixed):
    empty = RECORDS["no_relevant"]
    both = ("scikit-learn", "MULAN")
    return [gives(tool, "coverage", mixed) for tool in both] == [1.5, 1] and [
        gives(tool, "coverage", empty) for tool in both
    ] == [0, 0]


@claim(
    "LAMDA's MATLAB files subtract 1 from everything; there an empty sample counts −1, and the"
    " difference is one again."
)
def _(mixed):
    empty, lamda = RECORDS["no_relevant"], "LAMDA MATLAB"
    apart = gives("scikit-learn", "coverage", mixed) - gives(lamda, "coverage", mixed)
    return gives(lamda, "coverage", empty) == -1 and apart == 1


@claim("Write: “coverage, ranks from 0; samples without labels count 0 (1 of 2)”.")
def _(mixed):
    written = reported(mixed, partial(ranking.coverage, start=0))
    return "without a value counts 0 (1 of 2 samples); the top label has rank 0" in written


# ---------------------------------------------------------------------------- ties


@claim("Two labels, both with score 0.5.", "First the one label is relevant, then the other.")
def _(ten, one):
    scores = ten.y_score == one.y_score == [[0.5, 0.5]]
    return scores and (ten.y_true, one.y_true) == ([[1, 0]], [[0, 1]])


@claim("Our ties in the last column gives both numbers:")
def _(rows, ten, one):
    return all(
        quantities()[name].function(case.y_true, case.y_score, ties=ties) == theirs
        for tool, name, *numbers, ties in rows
        for case, theirs in zip((ten, one), numbers, strict=True)
    )


@claim("Of these tools only MULAN keeps to one rule.")
def _(rows):
    rules = {tool: {row[-1] for row in rows if row[0] == tool} for tool, *_ in rows}
    return {tool for tool, held in rules.items() if len(held) == 1} == {"MULAN"}


@claim("Where it is first or last, exchanging two columns of your data can change your result.")
def _():
    def changes(metric, ties):
        def says(y_true, y_score):
            there = metric(y_true, y_score, ties=ties)
            return not close(there, metric(y_true[:, ::-1], y_score[:, ::-1], ties=ties))

        return sometimes(says, shapes=[(1, 2)])

    metrics = (ranking.coverage, ranking.one_error, ranking.ranking_loss, ranking.average_precision)
    by_rule = {ties: {changes(m, ties) for m in metrics} for ties in ("first", "last", "worst")}
    return by_rule == {"first": {True}, "last": {True}, "worst": {False}}


@claim(
    "Write: “tied labels share their largest rank”, or, once checked, “no two labels of a sample had"
    " equal scores”."
)
def _(ten):
    return "tied labels share their largest rank" in reported(ten, ranking.coverage)


# ---------------------------------------------------------------------------- macro-F1


@claim("The prediction is perfect, and the third label occurs nowhere:")
def _():
    case = RECORDS["perfect+absent_label"]
    return case.y_true == case.y_pred and not np.any(case.y_true, axis=0)[2]


# ---------------------------------------------------------------------------- the threshold


@claim("Our functions refuse scores where sets belong, so that the choice stands in your code.")
def _(score):
    sets = [quantity.function for quantity in quantities().values() if quantity.reads == "y_pred"]
    taken = {name for metric in sets for name in inspect.signature(metric.func).parameters}
    return "threshold" not in taken and all(refuses(metric, [[1, 1]], score) for metric in sets)


@claim("Write: “a label is predicted where score ≥ 0.5”.")
def _(score):
    data = ([[1, 1]], score >= 0.5)
    return "label is predicted where score ≥ 0.5" in conventions.report(
        [example_based.f1], *data, decision="score ≥ 0.5"
    )


# ---------------------------------------------------------------------------- samples without labels


@claim(
    "Two samples, the same scores.", "The first sample's one label comes last, the second has none."
)
def _(mixed):
    first, second = mixed.y_score
    return mixed.y_true == [[1, 0, 0], [0, 0, 0]] and first == second and min(first) == first[0]


@claim(
    "Average precision is 0.667 with one tool and 0.333 with another: the empty sample counts as"
    " perfect there, and is left out here."
)
def _(rows):
    given = {round(n, 3): worth for _, name, n, worth in rows if name == "average precision"}
    return str(given) == "{0.667: 1.0, 0.333: nan}"


@claim("What it counts is our undefined.")
def _(mixed):
    data = (mixed.y_true, mixed.y_score)
    return all(
        ranking.average_precision(*data, undefined=u, per_sample=True)[1] == u for u in (-1, 0, 1)
    )


@claim(
    "MULAN takes 0 (perfect) for ranking loss, 1 (the worst) for one-error, and leaves the sample out"
    " of average precision, all in one report."
)
def _(mixed):
    empty = RECORDS["no_relevant"]
    names = ("ranking loss", "one-error", "average precision")
    return str([gives("MULAN", name, empty) for name in names]) == "[0.0, 1.0, nan]"


@claim("Write: “samples without labels are left out of the ranking metrics (1 of 2)”.")
def _(mixed):
    written = reported(mixed, partial(ranking.ranking_loss, undefined=nan))
    return "a sample without a value is left out (1 of 2 samples)" in written
