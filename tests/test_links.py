"""Every link leads where its words say, and every address is in one table with what it is cited for."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^()\s]+)\)")
ADDRESS = re.compile(r"https?://[^\s()<>\"'`\\]+")


def markdown(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return "\n".join("".join(cell["source"]) for cell in cells)


TEXTS = {path: markdown(path) for path in [*NOTEBOOKS, *ROOT.glob("*.md")]}
LINKS = [(path, *link) for path, text in TEXTS.items() for link in LINK.findall(text)]
LOCAL = [link for link in LINKS if not ADDRESS.match(link[2])]


# --- within the course

WORDS = {"BSD 3-Clause licence": "LICENSE", "CC BY 4.0": "LICENSE-CC-BY-4.0"}


def sections(path: Path) -> set[str]:
    """The anchors that GitHub and JupyterLab make of a document's headings."""
    headings = re.findall(r"^#+ +(.*)$", markdown(path), re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def misleads(path: Path, words: str, target: str) -> bool:
    """Whether a local link leads nowhere, or elsewhere than its words say."""
    name, _, section = target.partition("#")
    end = path.parent / name if name else path
    if not end.is_file() or (section and section not in sections(end)):
        return True
    return (
        not section and words not in {end.name, end.stem, end.stem[:2]} and WORDS.get(words) != name
    )


def test_local_links_lead_where_their_words_say() -> None:
    assert len(LOCAL) >= 50
    assert [link for link in LOCAL if misleads(*link)] == []
    pictures = [
        path.parent / name
        for path, text in TEXTS.items()
        for name in re.findall(r"!\[[^\]]*\]\(([^()\s]+)\)", text)
    ]
    assert [str(path) for path in pictures if not path.is_file()] == []


@pytest.mark.parametrize(
    ("words", "target", "wrong"),
    [
        ("05", "05_ranking.ipynb", False),
        ("05_ranking", "05_ranking.ipynb", False),
        ("05", "04_label_based.ipynb", True),
        ("04_label_based", "05_ranking.ipynb", True),
        ("05_ranking", "05_order.ipynb", True),
        ("to remember", "05_ranking.ipynb#to-remember", False),
        ("to remember", "05_ranking.ipynb#to-forget", True),
        ("CC BY 4.0", "../LICENSE", True),
    ],
)
def test_a_link_that_misleads_is_found(words: str, target: str, wrong: bool) -> None:
    assert misleads(NOTEBOOKS[0], words, target) is wrong


def test_next_is_the_next_notebook() -> None:
    following = {path.stem: re.findall(r"\bNext: \[(\w+)\]", TEXTS[path]) for path in NOTEBOOKS}
    del following["00_start_here"]  # it lists them all
    names = [path.stem for path in NOTEBOOKS]
    assert following == {a: [b] for a, b in pairwise(names[1:])} | {names[-1]: []}


def test_every_notebook_that_is_named_by_number_exists() -> None:
    numbers = {path.stem[:2] for path in NOTEBOOKS}
    for path, text in TEXTS.items():
        named = re.findall(r"[Nn]otebooks? (\d\d)(?: (?:to|and) (\d\d))?", text)
        assert {n for pair in named for n in pair if n} <= numbers, path.name


# --- elsewhere: what each address is cited for, and words of every line that cites it

SKLEARN = "https://github.com/scikit-learn/scikit-learn"
TORCHMETRICS = "https://github.com/Lightning-AI/torchmetrics"
MULTILEARN = "https://github.com/scikit-multilearn/scikit-multilearn"
MLDR = "https://github.com/fcharte/mldr"
EXACT = r"takes the number for a bug|exact match"
TWO_F1 = r"Macro F1 and Macro F1|mean of the F1s is not the F1 of the means"
CITED = {
    "https://arxiv.org/abs/1911.03347": (
        "Opitz and Burst: two formulas for macro F1",
        r"Opitz and",
    ),
    "https://stackoverflow.com/q/32239577": (
        "Hamming score as intersection over union",
        r"over union",
    ),
    "https://www.dask.org": ("the library that spreads calls over workers", r"spreads calls"),
    f"{SKLEARN}/issues/7220": ("macro F1: the mean of the F1s or F1 of the means", TWO_F1),
    f"{SKLEARN}/issues/7698": ("coverage starts at 1, in the papers at 0", r"A user|`start=0`"),
    f"{SKLEARN}/issues/8747": ("macro F1: the mean of the F1s or F1 of the means", TWO_F1),
    f"{SKLEARN}/issues/9609": ("micro-F1 equals accuracy", r"micro-F1 (\*is\*|is) accuracy"),
    f"{SKLEARN}/issues/10840": (
        "average precision over labels",
        r"average precision is a mean over",
    ),
    f"{SKLEARN}/issues/11743": ("which score and loss add up to 1", r"add up to 1"),
    f"{SKLEARN}/issues/13421": ("accuracy_score of label sets is exact match", EXACT),
    f"{SKLEARN}/issues/16832": (
        "a classifier's score is exact match",
        r"mean accuracy|exact match",
    ),
    f"{SKLEARN}/issues/29514": ("labels that are unknown", r"an unknown label is neither"),
    f"{SKLEARN}/issues/31052": ("what an empty truth is worth", r"against an empty truth is 0"),
    f"{SKLEARN}/pull/19589": ("macro F1 explained in the documentation", TWO_F1),
    f"{SKLEARN}/pull/19874": ("score is exact match, in the documentation", EXACT),
    f"{SKLEARN}/pull/26713": ("empty equals empty", r"empty equals empty"),
    f"{TORCHMETRICS}/issues/452": ("values per sample", r"`samplewise` is a value per sample"),
    f"{TORCHMETRICS}/issues/1853": ("accuracy per label, not of the sets", r"camp of “accuracy”"),
    f"{TORCHMETRICS}/issues/2195": ("scores that are logits", r"apply the sigmoid yourself"),
    f"{MULTILEARN}/issues/100": (
        "one error 1, rank loss 0, average precision 1 in one table",
        r"met them together|perfect and worst at once",
    ),
    f"{MLDR}/issues/28": ("how its accuracy is computed", r"camp of “accuracy”"),
    f"{MLDR}/issues/45": ("macro averages and their 0/0", r"two formulas, two rules"),
    f"{MLDR}/issues/47": ("how its accuracy is computed", r"camp of “accuracy”"),
    "https://github.com/mlr-org/mlr/issues/2167": (
        "another rule for 0/0",
        r"two formulas, two rules",
    ),
    "https://github.com/rivolli/utiml/issues/17": (
        "labels that are absent",
        r"an absent label's F1",
    ),
    "https://github.com/kunaldahiya/pyxclib/issues/25": ("pooled recall", r"not a pooled recall"),
}


def test_every_address_is_in_the_table_and_cited_for_what_it_says() -> None:
    used = {url for text in TEXTS.values() for url in ADDRESS.findall(text)}
    assert used == set(CITED)
    for path, text in TEXTS.items():
        for line in text.splitlines():
            for url in ADDRESS.findall(line):
                assert re.search(CITED[url][1], line), (path.name, url)


THREADS = [(*url.split("/")[-3:], url) for url in CITED if "github.com" in url]


def said_before(text: str, url: str) -> list[str]:
    """The words before each link to this address, its own with them, on the same line."""
    lines = [line for line in text.splitlines() if f"({url})" in line]
    return [re.sub(r"\]\([^()]*\)?", "", line[: line.index(url)]) for line in lines]


@pytest.mark.parametrize(("project", "kind", "number", "url"), THREADS)
def test_a_thread_has_the_number_and_the_project_that_its_words_say(
    project: str, kind: str, number: str, url: str
) -> None:
    projects = re.compile("|".join({project for project, *_ in THREADS}), re.I)
    for path, text in TEXTS.items():
        for words in said_before(text, url):
            named = re.search(r"(PR )?(?:#|issue )(\d+)$", words, re.I)
            if named:  # "A user noticed" has no number
                assert named[2] == number, path.name
                assert kind == "pull" or not named[1], path.name
            if found := projects.findall(words):
                assert found[-1].lower() == project.lower(), (path.name, words)
