"""The folder of the built site, and the paths of its pages."""

from pathlib import Path

BUILT = Path(__file__).parents[2] / "build/site"
PAGES = sorted(
    path.relative_to(BUILT).as_posix()
    for path in BUILT.rglob("*.html")
    if not {"_static", "slides"} & set(path.parts)
)
