"""Make the slides of every notebook: python -m tools.slides [--out DIR]."""

from __future__ import annotations

import argparse
import html
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.notebooks import to_bytes
from tools.slides import decks, page

OUT = Path("build/slides")
INDEX = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slides: multi-label metrics by hand</title>
<link rel="icon" href="data:,">
<style>
body {{ max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 20px/1.6 system-ui, sans-serif; color: #1a1a1a; background: #fff; }}
a {{ color: #00588a; }}
</style>
</head>
<body>
<main>
<h1>Multi-label metrics by hand: the slides</h1>
<p>One file for each notebook, which needs no network. Space goes on, S opens the speaker's notes,
O shows all slides, F fills the screen.</p>
<ol start="0">
{rows}
</ol>
</main>
</body>
</html>
"""


def build(out: Path) -> None:
    """Write every deck: a file for the browser, and a notebook to show live."""
    (out / "live").mkdir(parents=True, exist_ok=True)
    rows = []
    for name, chosen in decks.choices().items():
        deck = decks.deck(name, chosen)
        (out / "live" / f"{name}.ipynb").write_bytes(to_bytes(deck))
        text = page.page(deck, chosen.get("data", {}))
        (out / f"{name}.html").write_text(text, encoding="utf-8")
        title = html.escape(deck.cells[0].source.removeprefix("# "))
        rows.append(f'<li><a href="{name}.html">{title}</a></li>')
        print(
            f"{out / name}.html: {text.count('<section')} slides, {len(text.encode()) / 1000:.0f} kB"
        )
    (out / "index.html").write_text(INDEX.format(rows="\n".join(rows)), encoding="utf-8")
    shutil.copy(page.HERE / "rise.css", out / "live")
    print(
        f"{out / 'index.html'}: the list of all; {out / 'live'}: the notebooks that `make live` shows"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make the slides of every notebook.")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"default: {OUT}")
    try:
        build(parser.parse_args(arguments).out)
    except (decks.DeckError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
