"""Renew what README.md and the pages in docs/ take from the package: tables, speed and pictures' texts.

Make the formulas' MathML.

python -m tools.readme
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from math_core import LatexToMathML

from mlm_course import figures, records
from mlm_helpers import catalogue
from tools import bench
from tools.site.pages import metrics

ROOT = Path(__file__).parent.parent
PICTURE = re.compile(r"!\[[^\]]*\]\(((?:\.\./)?figures/(\w+)\.svg)\)")


def pages() -> dict[str, str]:
    """What each page says with tables, speed and alternative texts as the package has them now."""
    measured = records.load("bench")
    made = {
        "README.md": {},
        "docs/metrics.md": {"metrics": metrics.family_tables(), "bench": bench.in_short(measured)},
        "docs/benchmark.md": {"bench": bench.page(measured)},
    }
    return {name: renewed((ROOT / name).read_text("utf-8"), parts) for name, parts in made.items()}


def mathml() -> str:
    """MathML of the records' formulas by their LaTeX, as `notebooks/mlm_course/records/mathml.json` holds it."""
    write = LatexToMathML().convert_with_local_state
    formulas = sorted({record.latex for record in catalogue.METRICS})
    made = {latex: write(latex, displaystyle=True) for latex in formulas}
    text = json.dumps(made, ensure_ascii=False, indent=0) + "\n"
    return text.replace("&ApplyFunction;", "\u2061")  # XML has no such name


def renewed(text: str, parts: dict[str, str]) -> str:
    """Replace what stands between the two markers of each part; give every picture its text."""
    for name, content in parts.items():
        start, end = f"<!-- {name}:start -->\n", f"<!-- {name}:end -->\n"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = f"{before}{start}\n{content.strip()}\n\n{end}{after}"
    return PICTURE.sub(_described, text)


def _described(picture: re.Match[str]) -> str:
    path, stem = picture.groups()
    return f"![{figures.alt_text(figures.PICTURES[stem]())}]({path})"


if __name__ == "__main__":
    for name, page in pages().items():
        (ROOT / name).write_text(page, encoding="utf-8", newline="\n")
    (ROOT / "notebooks/mlm_course/records/mathml.json").write_text(
        mathml(), encoding="utf-8", newline="\n"
    )
