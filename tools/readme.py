"""Renew what README.md takes from the package: the table of metrics and the pictures' texts.

python -m tools.readme
"""

from __future__ import annotations

import re
from pathlib import Path

from mlm_helpers import catalogue, figures

README = Path(__file__).parent.parent / "README.md"
START, END = "<!-- metrics:start -->\n", "<!-- metrics:end -->\n"
PICTURE = re.compile(r"!\[[^\]]*\]\(figures/(\w+)\.svg\)")


def renewed(text: str) -> str:
    """Return `text` with the table and the alternative texts as the package has them now."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    text = f"{before}{START}\n{catalogue.markdown_table().strip()}\n\n{END}{after}"
    return PICTURE.sub(lambda found: _picture(found[1]), text)


def _picture(stem: str) -> str:
    alt = figures.alt_text(figures.PICTURES[stem]())
    return f"![{alt}](figures/{stem}.svg)"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
