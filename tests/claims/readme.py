"""What the README says, beside what makes it true."""

import inspect
import re
from pathlib import Path

import numpy as np
import places
import sklearn.metrics

from claims import claim, on_trust
from mlm_helpers import (
    catalogue,
    conventions,
    curves,
    exact_match,
    example_based,
    hamming,
    inputs,
    label_based,
    ranking,
    thresholds,
    top_k,
)

ROOT = Path(__file__).parents[2]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@claim(
    "A photo can show a beach, a dog and a sunset at once.",
    "There are many answers, and three of them are called “accuracy”.",
)
def _():
    """Two of three labels found: right is no set, two thirds of the labels, and three of four cells."""
    photo, said = [[1, 1, 1, 0]], [[1, 1, 0, 0]]
    exact = exact_match.subset_accuracy(photo, said)
    share, cells = example_based.accuracy(photo, said), 1 - hamming.hamming_loss(photo, said)
    return sum(photo[0]) == 3 and (exact, share, cells) == (0, 2 / 3, 3 / 4)


@claim(
    "This course of Jupyter notebooks works each out by hand, on data small enough to count, then"
    " with a short function, then with scikit-learn."
)
def _():
    families = [m.function.__module__.rpartition(".")[2] for m in catalogue.METRICS]
    code = {
        family: "\n".join(section.code for section in places.sections(file))
        for family in families
        for file in places.PLACES
        if family in file
    }
    in_order = [text.index("import") < text.index("sklearn") for text in code.values()]
    lines = [
        len(inspect.getsource(m.function).split('"""')[2].split("\n")) for m in catalogue.METRICS
    ]
    return len(code) == 7 and all(in_order) and max(lines) <= 12


@claim("It shows where each number misleads, and which one to use.")
def _():
    texts = {
        file: "\n".join(p.text for s in places.sections(file) for p in s.passages)
        for file in places.PLACES
    }
    misleads = [file for file, text in texts.items() if re.search(r"^## .*mislead", text, re.M)]
    return len(misleads) >= 5 and "| use |" in texts["09_choosing_a_metric"]


@claim("Every number in it is checked by a test, and so is every sentence that could be false.")
def _():
    names = read("tests/test_notebooks.py") + read("tests/test_claims.py")
    return (
        "test_every_number_in_prose_is_printed_or_quoted" in names
        and "test_what_claims_has_a_check" in names
        and {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} <= set(places.PLACES)
    )


@claim("You need Python 3.11 or newer, make and git.")
def _():
    return 'requires-python = ">=3.11"' in read("pyproject.toml")


@claim("On Windows, or without make", "and to check everything:")
def _():
    """What is typed there is what `make lab` and `make test` do."""
    text, made = read("README.md"), read("Makefile")
    return all(
        f"-m {step}" in text and f"-m {step}" in made for step in ("jupyterlab", "pytest -n")
    )


@claim("The course as a website, in build/site, comes from make site.")
def _():
    """Sphinx writes into the last folder that it is given."""
    (sphinx,) = re.findall(r'"(-m sphinx .*)"', read("tools/site/__main__.py"))
    (recipe,) = re.findall(r"^site:.*\n\t(.*)", read("Makefile"), re.MULTILINE)
    return sphinx.endswith(" build/site") and recipe.endswith("-m tools.site")


TRUTH, SAID = np.array([[1, 1, 0, 0], [0, 1, 1, 0]]), np.array([[1, 1, 0, 0], [0, 1, 0, 1]])


@claim("00_start_here | What is multi-label, and why has one “accuracy” three values? | 15")
def _():
    three = exact_match.subset_accuracy, example_based.accuracy
    return {f(TRUTH, SAID) for f in three} | {1 - hamming.hamming_loss(TRUTH, SAID)} == {
        1 / 2, (1 + 1 / 3) / 2, 3 / 4
    }  # fmt: skip


@claim("01_exact_match | How often is the whole set of labels right? | 20")
def _():
    whole = [
        set(np.flatnonzero(t)) == set(np.flatnonzero(s)) for t, s in zip(TRUTH, SAID, strict=True)
    ]
    return exact_match.subset_accuracy(TRUTH, SAID) == sum(whole) / 2


@claim("02_example_based | How right is each sample, with partial credit? | 30")
def _():
    return list(example_based.f1(TRUTH, SAID, per_sample=True)) == [1, 1 / 2]


@claim("03_hamming_loss | What share of all single decisions is wrong? | 25")
def _():
    return hamming.hamming_loss(TRUTH, SAID) == (TRUTH != SAID).sum() / TRUTH.size


@claim("04_label_based | How well is each label found, and how do you average over labels? | 40")
def _():
    each = label_based.recall(TRUTH, SAID, average=None, zero_division=np.nan)
    return np.array_equal(each, [1, 1, 0, np.nan], equal_nan=True) and set(inputs.AVERAGES) == {
        "macro", "micro", "weighted", None
    }  # fmt: skip


@claim("05_ranking | Are the right labels at the top of the list? | 35")
def _():
    top, bottom = [[0.9, 0.8, 0.2, 0.1]], [[0.1, 0.2, 0.8, 0.9]]
    return [ranking.average_precision(TRUTH[:1], s) for s in (top, bottom)] == [
        1,
        (1 / 3 + 2 / 4) / 2,
    ]


@claim("06_curves | Is each label found before the others, whatever the threshold? | 30")
def _():
    """A column with its positives first has the highest value, wherever it is cut."""
    top, bottom = [[0.9], [0.8], [0.2]], [[0.1], [0.5], [0.6]]
    both = curves.average_precision, curves.roc_auc
    return [[metric([[1], [1], [0]], s) for s in (top, bottom)] for metric in both] == [
        [1, (1 / 2 + 2 / 3) / 2], [1, 0]
    ]  # fmt: skip


@claim("07_top_k | Only a few labels can be shown: are they the right ones? | 30")
def _():
    """Of two shown labels one is right; below them, order makes no difference."""
    scores = [[4, 3, 2, 1]], [[4, 3, 1, 2]]
    return {top_k.precision([[1, 0, 0, 1]], score, k=2) for score in scores} == {1 / 2}


@claim("08_thresholds | From scores to label sets: where do you cut? | 35")
def _():
    """One score, and each answer can be the right one."""
    return [thresholds.at([[0.4]], cut)[0, 0] for cut in (0.3, 0.5)] == [1, 0]


@claim("10_how_sure | A beats B by 0.005: does it? | 35")
def _():
    """By that much, as printed; and the interval of the difference holds 0."""
    one = places.variables("10_how_sure")[-1]["differences"]["accuracy (Jaccard)"]
    return round(one.value, 3) == 0.005 and one.low < 0 < one.high


@claim(
    "09_choosing_a_metric | Which metric should you use on Monday? | 40",
    "11_conventions | Why do two tools print two numbers for the same predictions? | 40",
    "12_at_scale | How do you measure more data than fit in memory, or on many machines? | 30",
)
def _():
    heads = {file: {s.heading for s in places.sections(file)} for file in places.PLACES}
    empty = [[0, 0]]
    two = {example_based.f1(empty, empty, **conventions.options(tool, example_based.f1))
           for tool in ("scikit-learn", "MULAN")}  # fmt: skip
    return (
        "A guide for Monday" in heads["09_choosing_a_metric"]
        and two == {0, 1}
        and any("memory" in head for head in heads["12_at_scale"])
    )


@claim("For teachers: TEACHING has plans for two lessons and for six.")
def _():
    plans = re.findall(r"^## (\w+) lessons\n(.*?)(?=^## )", read("TEACHING.md"), re.M | re.S)
    lessons = {plan: len(re.findall(r"^### Lesson", text, re.M)) for plan, text in plans}
    return lessons == {"Two": 2, "Six": 6}


@claim(
    "For them make slides makes a file of slides of each notebook, with notes for the teacher (the key S);"
    " make live runs their cells, and make class makes assignments of nbgrader from the ladders at the"
    " notebooks' ends."
)
def _():
    """tests/slides press the key and run a cell, tests/class grade; a ladder comes before the last words."""
    rungs = {"Read a number", "Compute one", "Write it yourself", "Find the bug", "Choose", "An open task"}  # fmt: skip
    made = {
        name: re.search(rf"^{name}: .*\n((?:\t.*\n)+)", read("Makefile"), re.M)[1]
        for name in ("slides", "live", "class")
    }
    heads = [
        [section.heading for section in places.sections(file)]
        for file in places.PLACES
        if file != "README"
    ]
    return (
        "-m tools.slides" in made["slides"]
        and "/rise/" in made["live"]
        and "-m tools.classroom" in made["class"]
        and all(
            head[-1] == "To remember" and set(head[head.index("The ladder") + 1 : -1]) <= rungs
            for head in heads
        )
    )


on_trust(
    "Each makes its environment in .venv the first time, which takes about a minute.",
    "time a fresh clone",
)
on_trust(
    "On two cores make test takes three to eight minutes, and make exhaustive, which goes through all"
    " that it samples, about twice as long. make alone lists the other commands.",
    "time both; tests/test_make.py for what they do",
)


@claim(
    "A test keeps the bounds in environment.yml and pyproject.toml the same; the conda solve itself"
    " is not tested where we build."
)
def _():
    return "environment.yml" in read("tests/test_setup.py") and "conda" not in read(".ci/run")


@claim("Label-based metrics and curves take an average, in scikit-learn too.")
def _():
    """There too where a call is shown without it; what counts by sample is shown with it."""
    averaged = [
        metric
        for metric in catalogue.METRICS
        if "average" in inspect.signature(metric.function).parameters
    ]
    theirs = [getattr(sklearn.metrics, metric.sklearn_name) for metric in averaged]
    return {metric.family for metric in averaged} == {"label-based", "curves"} and all(
        "average" in inspect.signature(function).parameters for function in theirs
    )


@claim(
    "Each is a function of the package mlm_helpers.",
    "The notebook of its family derives it; notebook 02 derives Fβ for both families.",
)
def _():
    """By name in the code of the notebook that bears the name of its room; Fβ by its formula."""
    lost = []
    for metric in catalogue.METRICS:
        room, name = metric.id.split(".")
        file = next(file for file in places.PLACES if file[3:].startswith(room))
        code = "\n".join(section.code for section in places.sections(file))
        lost += [] if re.search(rf"\b{name}\b", code) else [metric.id]
    fbeta = "\n".join(p.text for s in places.sections("02_example_based") for p in s.passages)
    functions = [metric.function.__module__ for metric in catalogue.METRICS]
    return (
        set(lost) <= {"label_based.fbeta"}
        and r"\beta^2" in fbeta
        and all(module.startswith("mlm_helpers.") for module in functions)
    )


@claim(
    "In the formulas $Y$ are the true labels of a sample and $Z$ the predicted ones, out of $L$;"
    " $r(j)$ is the rank of label $j$ among all, $r_Y(j)$ its rank among the true ones, $T$ the"
    " first $k$ labels."
)
def _():
    """On one sample with every letter told apart: |Y| = 2, |Z| = 1, one hit, L = 4; k = 3."""
    y_true, y_pred = [[1, 1, 0, 0]], [[1, 0, 0, 0]]
    latex = {metric.id: metric.latex for metric in catalogue.METRICS}
    return (
        example_based.recall(y_true, y_pred) == 1 / 2
        and latex["example_based.recall"].endswith("{|Y|}")
        and hamming.hamming_loss(y_true, y_pred) == 1 / 4
        and latex["hamming.hamming_loss"].endswith("{L}")
        and ranking.average_precision(y_true, [[3, 1, 2, 0]]) == (1 / 1 + 2 / 3) / 2
        and "r_Y(j)}{r(j)" in latex["ranking.average_precision"]
        and top_k.precision(y_true, [[3, 1, 2, 0]], k=3) == 2 / 3
        and latex["top_k.precision"] == r"\frac{|Y \cap T|}{k}"
    )


@claim(
    "Of AP and AUROC, $Y$ are the samples that have a label, out of $n$, and the ranks are those of"
    " samples."
)
def _():
    """Two of five samples have the label, at ranks 1 and 3; no other label would change that."""
    y_true, y_score = [[1], [0], [1], [0], [0]], [[9], [5], [4], [2], [1]]
    n, ranks, among = 5, (1, 3), (1, 2)
    latex = {metric.name: metric.latex for metric in catalogue.METRICS if metric.family == "curves"}
    wrong = sum(ranks) - sum(among)
    return (
        curves.average_precision(y_true, y_score) == (1 / 1 + 2 / 3) / 2
        and curves.roc_auc(y_true, y_score) == 1 - wrong / (2 * (n - 2))
        and latex.keys() == {"AP", "AUROC"}
        and r"\sum_{i \in Y} \frac{r_Y(i)}{r(i)}" in latex["AP"]
        and r"|Y|\,(n - |Y|)" in latex["AUROC"]
    )


@claim(
    "Conventions in which tools differ are arguments: what 0/0 is worth, who wins a tie, where"
    " ranks start."
)
def _():
    taken = {name for metric in catalogue.METRICS for name in metric.options}
    differ = [
        {conventions.options(tool, metric).get(name) for tool in tools}
        for name, metric, tools in (
            ("zero_division", example_based.f1, ("scikit-learn", "MULAN")),
            ("ties", ranking.one_error, ("MULAN", "MEKA")),
            ("start", ranking.coverage, ("scikit-learn", "MULAN")),
        )
    ]
    return {"zero_division", "ties", "start"} <= taken and all(len(two) == 2 for two in differ)


on_trust(
    "And three things that no other tool does:", "field notes; say so if you know one that does"
)


@claim(
    "CITATION.cff says how to cite the course, CONTRIBUTING.md how to add a metric, CHANGELOG.md what"
    " each version brought."
)
def _():
    return (
        "cite" in read("CITATION.cff").lower()
        and "## Add a metric" in read("CONTRIBUTING.md")
        and bool(re.search(r"^## \d+\.\d+\.\d+ ", read("CHANGELOG.md"), re.M))
    )


@claim("The emoji data have licences of their own, which are in mlm_helpers/records/emoji.txt.")
def _():
    text = (places.README.parent / "mlm_helpers/records/emoji.txt").read_text(encoding="utf-8")
    return all(licence in text for licence in ("Unicode-3.0", "OFL-1.1", "licence MIT"))
