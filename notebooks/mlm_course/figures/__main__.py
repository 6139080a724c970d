"""Write every picture of the course as an SVG file into the folder figures/, or another one."""

import sys
from pathlib import Path

from mlm_course.figures import PICTURES, svg

folder = Path(*sys.argv[1:] or ["figures"])
folder.mkdir(parents=True, exist_ok=True)
for stem, draw in PICTURES.items():
    path = folder / f"{stem}.svg"
    title = stem.replace("_", " ").capitalize()
    path.write_text(svg(draw(), title), encoding="utf-8", newline="\n")
    print(path)
