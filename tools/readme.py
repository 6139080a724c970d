"""Write the catalogue's table of metrics into README.md, between its two markers.

python -m tools.readme
"""

from __future__ import annotations

from pathlib import Path

from mlm_helpers import catalogue

README = Path(__file__).parent.parent / "README.md"
START, END = "<!-- metrics:start -->\n", "<!-- metrics:end -->\n"


def renewed(text: str) -> str:
    """Return `text` with the table of metrics as the catalogue has it now."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{catalogue.markdown_table().strip()}\n\n{END}{after}"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
