"""Every link leads where its words say, and every address is in one table with what it is cited for."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from mlm_helpers import catalogue, records
from mlm_helpers.conventions import TOOLS
from mlm_helpers.course.documents import DOCUMENTS
from tools import sources

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


SOURCES = markdown(ROOT / "SOURCES.md")
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


# --- elsewhere: tools/sources.toml says what each address is cited for, and beside which words

ADDRESSES = sources.TABLE["addresses"]
WRITTEN = {path: text for path, text in TEXTS.items() if path.name not in sources.MADE}
WHOLE = [*sources.texts().values()]  # code and the package, too


def test_every_address_is_in_the_table_and_cited_for_what_it_says() -> None:
    assert {url for text in WHOLE for url in ADDRESS.findall(text)} == set(ADDRESSES)
    for path, text in WRITTEN.items():
        for line in text.splitlines():
            for url in ADDRESS.findall(line):
                assert any(words in line for words in ADDRESSES[url]["beside"]), (path.name, url)


def test_the_words_beside_an_address_are_all_needed() -> None:
    for url, entry in ADDRESSES.items():
        lines = [line for text in WRITTEN.values() for line in text.splitlines() if url in line]
        assert all(any(words in line for line in lines) for words in entry["beside"]), url


THREADS = [(*url.split("/")[-3:], url) for url in ADDRESSES if "github.com" in url]


def said_before(text: str, url: str) -> list[str]:
    """The words before each link to this address, its own with them, on the same line."""
    lines = [line for line in text.splitlines() if f"({url})" in line]
    return [re.sub(r"\]\([^()]*\)?", "", line[: line.index(url)]) for line in lines]


@pytest.mark.parametrize(("project", "kind", "number", "url"), THREADS)
def test_a_thread_has_the_number_and_the_project_that_its_words_say(
    project: str, kind: str, number: str, url: str
) -> None:
    projects = re.compile("|".join({project for project, *_ in THREADS}), re.I)
    for path, text in TEXTS.items():  # SOURCES.md, too
        for words in said_before(text, url):
            named = re.search(r"(PR )?(?:#|issue )(\d+)$", words, re.I)
            if named:  # "A user noticed" has no number
                assert named[2] == number, path.name
                assert kind == "pull" or not named[1], path.name
            if found := projects.findall(words):
                assert found[-1].lower() == project.lower(), (path.name, words)


# --- works, documents, tools


def test_every_work_that_the_package_names_is_in_the_table() -> None:
    """A docstring names it at length once, "Title", year, and by its title wherever else."""
    package = " ".join(text for place, text in sources.texts().items() if place[0] == "`")
    titles = re.findall(r'"([^"]+)",(?: [\w ]+,)?(?: [\w ]+ \d+,)? \d{4}\b', package)
    documents = {document.title for document in DOCUMENTS}
    assert set(titles) - documents == set(sources.TABLE["works"])


@pytest.mark.parametrize("title", sources.TABLE["works"])
def test_a_work_is_cited_for_the_metrics_that_name_it(title: str) -> None:
    """At length, or by its authors and year: Godbole & Sarawagi, 2004."""
    authors, year = sources.reference(title).split(f", “{title}”, ")
    named = re.compile(rf"{re.escape(title)}|{authors}, {year}")
    metrics = catalogue.METRICS
    citing = {m.name for m in metrics if named.search(" ".join((m.function.__doc__ or "").split()))}
    names = sorted({m.name for m in metrics}, key=len, reverse=True)  # accuracy (Jaccard) first
    found = re.findall("|".join(map(re.escape, names)), sources.TABLE["works"][title])
    assert set(found) == citing
    of_no_metric = "`thresholds.py`", "`uncertainty.py`", "`scorecard/replicates.py`", "`emoji.py`"
    assert citing or sources.where(title) in of_no_metric


def test_every_document_is_in_the_table() -> None:
    assert list(sources.TABLE["documents"]) == [document.id for document in DOCUMENTS]


def test_whatever_is_in_the_table_is_cited_somewhere() -> None:
    names = [*ADDRESSES, *sources.TABLE["works"], *(document.title for document in DOCUMENTS)]
    assert [name for name in names if not sources.where(name)] == []


def test_where_is_a_place_of_its_own_words() -> None:
    pull = "https://github.com/scikit-learn/scikit-learn/issues/1984"
    assert sources.where(pull) == ""  # not the longer number that begins like it
    assert sources.where("BoosTexter") == "`ranking.py`"


def test_versions_are_those_of_the_records() -> None:
    """Measured by `make peers`; of a run made once, the numbers of its version are on record."""
    measured, recorded = (records.load(name)["versions"] for name in ("peers", "field"))
    table = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \| (?:`make|recorded|read)", SOURCES, re.M))
    assert table.keys() == TOOLS.keys()
    for name, tool in TOOLS.items():
        assert table[name] == tool.version
        if tool.known == "run":
            assert tool.version == measured[name]
        elif tool.known == "recorded run":
            numbers = re.findall(r"\b[\da-f]{7}\b|\d+\.[\d.]+\d", recorded[name])
            assert numbers == re.findall(r"\b[\da-f]{7}\b|\d+\.[\d.]+\d", tool.version)
