"""How to cite the course, and under which licences it is, from CITATION.cff and the README."""

from __future__ import annotations

import yaml

from mlm_course.figures.phrases import capital
from tools.site.pages.markdown import ROOT, page, part_of_readme, plain, slug

LICENCES = {"BSD-3-Clause": "LICENSE", "CC-BY-4.0": "LICENSE-CC-BY-4.0"}
"""The licences by their names in CITATION.cff, and the files that hold them."""


def text() -> str:
    work = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = " and ".join(one["name"] for one in work["authors"])
    year = str(work.get("date-released", ""))[:4]
    address = work.get("url") or work.get("repository-code") or ""
    dated = f" ({year})" if year else ""
    line = f"{capital(authors)}{dated}. {work['title']}, version {work['version']}. {address}"
    fields = {
        "author": f"{{{authors}}}",
        "title": f"{{{work['title']}}}",
        "version": work["version"],
        "year": year,
        "url": address,
        "license": " and ".join(work["license"]),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    bibtex = "\n".join(["@software{multi_label_metrics_by_hand,", *lines, "}"])
    reuse = part_of_readme("licence")
    for name, file in LICENCES.items():
        reuse = reuse.replace(f"]({file})", f"](#{slug(name)})")
    held = {name: (ROOT / file).read_text(encoding="utf-8") for name, file in LICENCES.items()}
    return page(
        "How to cite",
        plain(work["message"]),
        f"> {plain(line.rstrip())}",
        f"```bibtex\n{bibtex}\n```",
        "## Licences",
        reuse,
        *(f"### {name}\n\n```text\n{licence.strip()}\n```" for name, licence in held.items()),
    )
