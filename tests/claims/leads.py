"""The small sentences between: times, sheets, what leads to a cell; beside each, that it is so."""

import re
from pathlib import Path

import numpy as np
import places
from sklearn.preprocessing import MultiLabelBinarizer

from claims import claim, on_trust
from mlm_helpers import exact_match, example_based, hamming, label_based
from mlm_helpers.course import documents

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def markdown(file):
    return "\n".join(p.text for section in places.sections(file) for p in section.passages)


@claim(*(f"Time: about {minutes} minutes." for minutes in (15, 20, 25, 30, 35, 40)))
def _():
    """What each notebook says of itself is what the README says of it."""
    listed = dict(re.findall(r"^\| \[(\d\d_\w+)\].*\| (\d+) \|$", README, re.M))
    said = {file: re.findall(r"Time: about (\d+) minutes", markdown(file)) for file in listed}
    return said == {file: [minutes] for file, minutes in listed.items()}


@claim("You need: a little Python.")
def _():
    """No class and no decorator in the code of the first notebook."""
    code = "\n".join(section.code for section in places.sections("00_start_here"))
    return not re.search(r"^\s*(class |@|async |yield )", code, re.M)


@claim("You need: what notebooks 00 to 08 ask you to remember.")
def _():
    early = [file for file in places.PLACES if "00" <= file[:2] <= "08"]
    return len(early) == 9 and all("## To remember" in markdown(file) for file in early)


@claim("You need: 00_start_here, and the notebooks linked below.")
def _(text):
    return len(set(re.findall(r"\]\((0[1-6]_\w+)\.ipynb\)", text))) >= 3


@claim("A photo can show the sun, the sea and a dog together.", "Data often come as lists of tags.")
def _(code):
    """Such a list becomes one row with three ones."""
    tags = [["sun", "sea", "dog"], ["sea"]]
    return MultiLabelBinarizer().fit_transform(tags).sum(axis=1).tolist() == [3, 1]


@claim(
    "And a second question, less innocent than it looks: how many rows are wrong on every label?"
)
def _(y_true, y_pred):
    """None is, and yet the zero-one loss, which a document explains by them, is not 0."""
    nobody = not any(
        (np.array(t) != np.array(p)).all() for t, p in zip(y_true, y_pred, strict=True)
    )
    return nobody and exact_match.zero_one_loss(y_true, y_pred) > 0


@claim(
    "Write $Y_i$ for the true labels of sample $i$, $Z_i$ for the predicted ones, and $n$ for the"
    " number of samples."
)
def _():
    """As in the formulas of the course: recall divides by Y, precision by Z, means by n."""
    text = markdown("02_example_based")
    recall = re.search(r"\\text\{recall\} = \\frac\{1\}\{n\}.*?\\frac\{(.*?)\}\{(.*?)\}", text)
    precision = re.search(
        r"\\text\{precision\} = \\frac\{1\}\{n\}.*?\\frac\{(.*?)\}\{(.*?)\}", text
    )
    one = [[1, 1]], [[1, 0]]
    return (recall[2], precision[2]) == ("|Y_i|", "|Z_i|") and (
        example_based.recall(*one),
        example_based.precision(*one),
    ) == (1 / 2, 1)


@claim("Here is what others call it.")
def _(names, printed):
    return len(names) >= 5 and all(name in printed for _, name in names)


on_trust("The name surprises people.", "the two threads that follow it")


@claim("A helper has searched for it:", "We can build such data exactly.")
def _(code):
    return "disagreement.smallest_disagreement(" in code or "product(range(10), repeat=" in code


@claim("Write each row of the matrix as the set of its labels.")
def _(truth, y_true):
    return truth == [{j for j, cell in enumerate(row, start=1) if cell} for row in y_true]


@claim("It has slips.")
def _(code):
    return "hasattr(sklearn.metrics, name)" in code and documents.SKLEARN_GUIDE is not None


@claim("In words:")
def _():
    """The four rules, on a sample where both are empty and on one that only predicts nothing."""
    both, silent = ([[0, 0]], [[0, 0]]), ([[1, 0]], [[0, 0]])

    def precision(data, rule):
        return example_based.precision(*data, zero_division=rule)

    return (
        (precision(both, 0.0), precision(both, 1.0), precision(both, "agree")) == (0, 1, 1)
        and (precision(silent, 1.0), precision(silent, "agree")) == (1, 0)
        and np.isnan(precision(both, np.nan))
    )


@claim(
    "See the label matrix as a questionnaire: does this label belong to this sample, yes or no?",
    "(2+0+3)/(3·4) is 5/12 ≈ 0.417.",
)
def _(y_true, y_pred):
    wrong = (np.array(y_true) != np.array(y_pred)).sum(axis=1)
    share = hamming.hamming_loss(y_true, y_pred)
    return wrong.tolist() == [2, 0, 3] and np.shape(y_true) == (3, 4) and share == 5 / 12


@claim(
    "Suppose each label is a question of its own: is it in this picture or not?",
)
def _():
    each = label_based.f1([[1, 0], [1, 1]], [[1, 0], [0, 1]], average=None)
    return each.shape == (2,)


@claim(
    "From these we read:", "Coverage leaves another thing open: is the top label at rank 1, or 0?"
)
def _():
    """Only coverage has `start`; all four are read off the two ranks."""
    from mlm_helpers import catalogue

    ranked = [metric for metric in catalogue.METRICS if metric.family == "ranking"]
    return [m.name for m in ranked if "start" in m.parameters] == ["coverage"] and len(ranked) == 4


@claim("Before you run: which labels will be above 0.5?")
def _(sigmoid, softmax):
    return (sigmoid > 0.5).sum() != (softmax > 0.5).sum()


on_trust("A user met them together.", "the thread that is linked in the sentence after it")


@claim("Before you run: which three numbers could be called accuracy here?")
def _(y_true, y_pred):
    three = exact_match.subset_accuracy, example_based.accuracy
    return len({f(y_true, y_pred) for f in three} | {1 - hamming.hamming_loss(y_true, y_pred)}) == 3


@claim("Predict: what happens if one sample of two has no label?")
def _(mixed):
    return np.shape(mixed.y_true)[0] == 2 and sorted(np.any(mixed.y_true, axis=1)) == [False, True]


@claim("A score of exactly 0.5: is that a yes?")
def _():
    """It is under ≥, and not under >, which scikit-learn's OneVsRest uses."""
    return bool(np.array(0.5) >= 0.5) and not bool(np.array(0.5) > 0.5)


@claim("Then you get the nearest.")
def _(printed):
    return len(printed.strip()) > 0


@claim("Threads about these quarrels, and short answers; others are in 01, 04, 05, 06, 08 and 10:")
def _():
    threads = {file: re.findall(r"issues/\d+", markdown(file)) for file in places.PLACES}
    found = [file[:2] for file in sorted(threads) if threads[file]]
    return found == ["01", "04", "05", "06", "08", "10", "11"]


@claim("Write down a number, and how you got it, before you go on.")
def _():
    """It is neither batch's number."""
    first, second = ([[1, 0], [1, 1]], [[1, 0], [0, 1]]), ([[0, 1]], [[1, 1]])
    both = [a + b for a, b in zip(first, second, strict=True)]
    return len({label_based.f1(*data) for data in (first, second, both)}) == 3


@claim("Predict before you run: will macro F1 be near micro F1?")
def _(values):
    return values["micro F1"] - values["macro F1"] > 0.2


@claim("They would fit into a large computer's memory.")
def _(on_disk):
    return 2**28 < on_disk < 2**36


@claim("Dask spreads calls over workers.", "The bar shows how far they are.")
def _(client, text):
    return "progress(cards" in "".join(s.code for s in places.sections("12_at_scale"))


@claim("Predict: which of its cards are lost, and what will the sum be?")
def _(lost, after, here):
    return lost > 0 and after.n_samples == here.n_samples


@claim("A model finds two of the three: how good is it?")
def _():
    found = [[1, 1, 1, 0]], [[1, 1, 0, 0]]
    return example_based.recall(*found) == 2 / 3


@claim(
    "With conda",
    "The words in English, Chinese and Japanese: GLOSSARY.",
    "What is cited, and what for: SOURCES.",
    "The code is under the BSD 3-Clause licence, text and figures are under CC BY 4.0.",
)
def _():
    root = Path(__file__).parents[2]
    pages = {
        name: (root / name).read_text(encoding="utf-8")
        for name in ("GLOSSARY.md", "SOURCES.md", "LICENSE", "LICENSE-CC-BY-4.0")
    }
    return (
        "繁體中文 | 简体中文 | 日本語" in pages["GLOSSARY.md"]
        and "cited for" in pages["SOURCES.md"]
        and pages["LICENSE"].startswith("BSD 3-Clause")
        and "text of the notebooks" in pages["LICENSE-CC-BY-4.0"]
        and "conda env create -f environment.yml" in README
    )
