"""Update tables, speed and alternative texts in README.md and docs/, and MathML: python -m tools.readme."""

import json
import re
from pathlib import Path

from math_core import LatexToMathML

from mlm_course import figures, records
from mlm_helpers import catalogue
from tools import bench
from tools.site.pages import metrics

ROOT = Path(__file__).parent.parent
PICTURE = re.compile(r"!\[[^\]]*\]\(((?:\.\./)?figures/(\w+)\.svg)\)")  # ![text](figures/a.svg)


def pages() -> dict[str, str]:
    """The text of each page, by path, with tables, speed and alternative texts as they are now."""
    record = records.load("bench")
    parts = {
        "README.md": {},
        "docs/metrics.md": {"metrics": metrics.tables(), "bench": bench.speed_sentences(record)},
        "docs/benchmark.md": {"bench": bench.page(record)},
    }
    return {path: updated_page(path, parts[path]) for path in parts}


def mathml() -> str:
    """JSON of the MathML of each record's formula by its LaTeX, for `records/mathml.json` of the course."""
    convert = LatexToMathML().convert_with_local_state
    formulas = sorted({record.latex for record in catalogue.METRICS})
    mathml_of = {latex: convert(latex, displaystyle=True) for latex in formulas}
    text = json.dumps(mathml_of, ensure_ascii=False, indent=0) + "\n"
    return text.replace("&ApplyFunction;", "\u2061")  # this name is defined in HTML, not in XML


def updated_page(path: str, parts: dict[str, str]) -> str:
    """A page with each part put between its two comments, and the alternative text of each picture."""
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
    for path, page in pages().items():
        (ROOT / path).write_text(page, encoding="utf-8", newline="\n")
    (ROOT / "notebooks/mlm_course/records/mathml.json").write_text(
        mathml(), encoding="utf-8", newline="\n"
    )
