"""Update tables, speed and alternative texts in README.md and docs/, and MathML.

python -m tools.readme
"""

import json
import re

from math_core import LatexToMathML

from mlm_course import figures, records
from mlm_helpers import catalogue
from tools import bench, notebooks
from tools.site.pages import metrics
from tools.site.pages.markdown import ROOT, readme_section, table

# README has the questions, by hand.
QUESTION = re.compile(r"\[(\w+)\]\(notebooks/\1\.ipynb\) \| (.+?) \|")
PICTURE = re.compile(r"!\[[^\]]*\]\(((?:\.\./)?figures/(\w+)\.svg)\)")  # ![text](figures/a.svg)


def pages() -> dict[str, str]:
    """The text of each page, by path, with tables, speed and alternative texts as they are now."""
    record = records.load("bench")
    parts = {
        "README.md": {"notebooks": notebook_table()},
        "docs/metrics.md": {"metrics": metrics.tables(), "bench": bench.speed_sentences(record)},
        "docs/benchmark.md": {"bench": bench.page(record)},
    }
    return {path: updated_page(path, parts[path]) for path in parts}


def minutes() -> dict[str, tuple[int, int]]:
    """Minutes of each notebook by its name, without its sections headed "More" and with them."""
    paths = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
    return {path.stem: notebooks.minutes(notebooks.read_notebook(path)) for path in paths}


def core_path() -> str:
    """A sentence on the core path with its minutes."""
    times = (time for name, time in minutes().items() if name[:2] in notebooks.CORE_PATH)
    core, whole = map(sum, zip(*times, strict=True))
    return (
        "**The core path** is what you need to use and judge the metrics: the notebooks 00 to 08"
        " and 10 to 12, without their sections headed “More”."
        f" It takes about {core} minutes, and {whole} with these sections."
    )


def notebook_table() -> str:
    """The notebooks with their questions and minutes; a dot marks those on the core path."""
    questions = dict(QUESTION.findall(readme_section("notebooks")))
    rows = []
    for name, time in minutes().items():
        dot = "● " if name[:2] in notebooks.CORE_PATH else ""
        rows.append([f"{dot}[{name}](notebooks/{name}.ipynb)", questions[name], *map(str, time)])
    header = ["notebook", "the question it answers", "minutes", "with “More”"]
    return f"{core_path()} A dot marks its notebooks.\n\n{table(header, rows)}"


def mathml() -> str:
    """JSON of the MathML of each record's formula by its LaTeX, for the course's `mathml.json`."""
    convert = LatexToMathML().convert_with_local_state
    formulas = sorted({record.teaching.latex for record in catalogue.METRICS})
    mathml_of = {latex: convert(latex, displaystyle=True) for latex in formulas}
    text = json.dumps(mathml_of, ensure_ascii=False, indent=0) + "\n"
    return text.replace("&ApplyFunction;", "\u2061")  # this name is defined in HTML, not in XML


def updated_page(path: str, parts: dict[str, str]) -> str:
    """A page with each part put between its two comments, and each picture's alternative text."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for name, content in parts.items():
        start, end = f"<!-- {name}:start -->\n", f"<!-- {name}:end -->\n"
        above, _, below = text.partition(start)
        _, _, below = below.partition(end)
        text = f"{above}{start}\n{content.strip()}\n\n{end}{below}"
    return PICTURE.sub(_picture_with_alt_text, text)


def _picture_with_alt_text(match: re.Match[str]) -> str:
    """Markdown of a picture, with the alternative text that is computed from its data."""
    path, stem = match.groups()
    return f"![{figures.alt_text(figures.PICTURES[stem]())}]({path})"


if __name__ == "__main__":
    texts = pages() | {"notebooks/mlm_course/records/mathml.json": mathml()}
    for path, text in texts.items():
        (ROOT / path).write_text(text, encoding="utf-8", newline="\n")
