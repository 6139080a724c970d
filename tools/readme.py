"""Renew what README.md and BENCHMARK.md take from the package: tables, speed and pictures' texts.

Make GLOSSARY.md, SOURCES.md and the notebooks' lines *Words*.

python -m tools.readme
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlm_helpers import catalogue
from mlm_helpers.course import figures
from tools import glossary, notebooks, sources

ROOT = Path(__file__).parent.parent
PICTURE = re.compile(r"!\[[^\]]*\]\(figures/(\w+)\.svg\)")
NONE = "–"


def pages() -> dict[str, str]:
    """What each page says with tables, speed and alternative texts as the package has them now."""
    measured = figures.measured()
    made = {
        "README.md": {"metrics": catalogue.markdown_table(), "bench": in_short(measured)},
        "BENCHMARK.md": {"bench": speed(measured)},
    }
    written = {
        name: renewed((ROOT / name).read_text("utf-8"), parts) for name, parts in made.items()
    }
    return written | {"GLOSSARY.md": glossary.page(), "SOURCES.md": sources.page()}


def renewed(text: str, parts: dict[str, str]) -> str:
    """Replace what stands between the two markers of each part; give every picture its text."""
    for name, content in parts.items():
        start, end = f"<!-- {name}:start -->\n", f"<!-- {name}:end -->\n"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = f"{before}{start}\n{content.strip()}\n\n{end}{after}"
    return PICTURE.sub(lambda found: _picture(found[1]), text)


def _picture(stem: str) -> str:
    alt = figures.alt_text(figures.PICTURES[stem]())
    return f"![{alt}](figures/{stem}.svg)"


# ---------------------------------------------------------------------------------- speed


def in_short(record: dict[str, Any]) -> str:
    """Write one sentence and one picture of it."""
    dense = record["dense"]
    faster = [
        row["ms"]["scikit-learn"] / row["ms"]["mlm_helpers"]
        for row in dense["rows"]
        if "scikit-learn" in row["ms"]
    ]
    return (
        f"On {dense['samples']:,} samples × {dense['labels']:,} labels each metric takes between"
        f" 1/{_short(min(faster), 2)} and 1/{_short(max(faster), 2)} of\nscikit-learn's time, and the"
        " same number comes out. [BENCHMARK.md](BENCHMARK.md) has every time, the memory, sparse\nand"
        " very large data, and how it was measured.\n\n![](figures/growth_samples.svg)"
    )


def speed(record: dict[str, Any]) -> str:
    """Write what `make bench` measured: conditions, two tables, three figures with theirs."""
    parts = [_conditions(record["environment"], record["growth"]["patience_s"])]
    dense = record["dense"]
    samples, labels = dense["samples"], dense["labels"]
    copies = 2 * samples * labels / 2**20
    parts += [
        f"**Dense**, {samples:,} samples × {labels:,} labels, {100 * dense['density']:g} % of the cells positive;"
        f" both matrices as booleans would take {copies:.3g} MiB:",
        _table(dense["rows"], ("scikit-learn", "torchmetrics")),
    ]
    if "sparse" in record:
        sparse = record["sparse"]
        parts += [
            f"**Sparse** (CSR), {sparse['samples']:,} samples × {sparse['labels']:,} labels,"
            f" {sparse['per_sample']} labels a sample:",
            _table(sparse["rows"], ("scikit-learn",)),
        ]
    if "scores" in record:
        parts += _scores(record["scores"])
    if "resampling" in record:
        parts.append(_resampling(record["resampling"]))
    if "scale" in record:
        parts += _at_scale(record["scale"])
    for by in ("samples", "labels", "density"):
        table = _growth_table(record["growth"][by], by)
        parts += [
            f"![](figures/growth_{by}.svg)",
            f"<details>\n<summary>The same by {by} as a table, in ms</summary>\n\n{table}\n\n</details>",
        ]
    return "\n\n".join(parts)


def _scores(measured: dict[str, Any]) -> list[str]:
    parts = [
        f"**Scores**, {measured['samples']:,} samples × {measured['labels']:,} labels,"
        f" {100 * measured['density']:g} % of the cells positive, scores of {measured['decimals']}"
        f" decimals, so that\nsome are tied; *sorts* is our time ÷ the time in which NumPy sorts all scores,"
        f" which take {_short(measured['scores_mib'])} MiB:",
        _table(measured["rows"], ("scikit-learn",), "sorts"),
    ]
    if "sparse" in measured:
        sparse = measured["sparse"]
        parts.append(
            f"nDCG at 5 of CSR scores, {sparse['samples']:,} samples × {sparse['labels']:,} labels,"
            f" {sparse['true']} true and {sparse['scored']} scored labels a sample:"
            f"\n{_short(sparse['s'])} s and {_short(sparse['extra_mib'])} MiB beside the"
            f" {_short(sparse['stored_mib'])} MiB that are stored."
        )
    return parts


def _resampling(measured: dict[str, Any]) -> str:
    return (
        f"**How sure**, {measured['samples']:,} samples × {measured['labels']:,} labels,"
        f" {100 * measured['density']:g} % of the cells positive: an interval of macro F1 from"
        f" {measured['n_resamples']} resamples in\n{_short(measured['ms']['interval'])} ms, the time of"
        f" {_short(measured['evaluations'], 2)} single evaluations, and {_short(measured['extra_mib'])} MiB"
        f" beside the {_short(measured['data_mib'])} MiB of the data."
    )


def _at_scale(measured: dict[str, Any]) -> list[str]:
    files, extreme = measured["files"], measured["extreme"]
    lines = [
        _line(["one scorecard", "s", "MiB/s", "most MiB of a worker"]),
        _line(["---", *["--:"] * 3]),
    ]
    for way in files["ways"]:
        peak = _short(way["peak_mib"]) if "peak_mib" in way else NONE
        lines.append(_line([way["way"], _short(way["s"]), _short(way["mib_per_s"]), peak]))
    return [
        f"**More than the workers may hold**, {files['samples']:,} samples × {files['labels']} labels in"
        f" {files['chunks']:,} chunks, {files['data_mib']:,} MiB on disk and\njust written; every set metric,"
        f" once; workers of Dask with one thread and at most {files['limit_mib']} MiB each, the same value"
        " every way:",
        "\n".join(lines),
        f"**Very many labels** (CSR), {extreme['samples']:,} samples × {extreme['labels']:,} labels,"
        f" {extreme['per_sample']} labels a sample: every set metric in\n{_short(extreme['s'])} s and"
        f" {_short(extreme['extra_mib'])} MiB beside the data, in one process.",
    ]


def _conditions(environment: dict[str, Any], patience: float) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in environment["versions"].items())
    threads = environment.get("torch_threads")
    again = ", ".join(f"{name} on {date}" for name, date in environment.get("again", {}).items())
    again = f" Measured alone: {again}." if again else ""
    cores = f"{environment['cores']} cores ({environment['machine']}"
    cores += f"; PyTorch uses {threads} threads)" if threads else ")"
    return (
        f"`make bench` measured this in one run on {environment['date']}, on {cores},\nwith {versions}.{again}\n"
        "Times are in ms, the best of three, each on fresh int64 arrays (scores are float64), checks"
        f" of the input included; in the\nfigures, what has run for {patience:g} s is not repeated."
        " All tools gave the same number, to 1e-6; torchmetrics' average\nprecision, added up in"
        " single precision, to 1e-4. *× faster* is a tool's time ÷ ours (below 1, ours is"
        " slower), *reads*\nour time ÷ the time of summing both matrices, *extra MiB* the most that"
        " we held beside them."
    )


def _table(rows: Sequence[dict[str, Any]], peers: Sequence[str], unit: str = "reads") -> str:
    heads = ["metric", "mlm_helpers", *(head for peer in peers for head in (peer, "× faster"))]
    lines = [_line([*heads, unit, "extra MiB"]), _line(["---", *["--:"] * (len(heads) + 1)])]
    for row in rows:
        ours, cells = row["ms"]["mlm_helpers"], []
        for peer in peers:
            theirs = row["ms"].get(peer)
            cells += [NONE, NONE] if theirs is None else [_short(theirs), _short(theirs / ours, 2)]
        last = [_short(row[unit], 2), _short(row["extra_mib"])]
        lines.append(_line([row["metric"], _short(ours), *cells, *last]))
    return "\n".join(lines)


def _growth_table(curves: dict[str, Any], by: str) -> str:
    sizes = [f"{100 * s:g} %" if by == "density" else f"{s:,}" for s in curves["sizes"]]
    lines = [
        _line(["metric", "tool", *sizes, "exponent"]),
        _line(["---", "---", *["--:"] * (len(sizes) + 1)]),
    ]
    for metric, series in curves["ms"].items():
        for tool, times in series.items():
            shown = [NONE if time is None else _short(time) for time in times]
            power = curves["exponents"][metric][tool]
            last = NONE if power is None else f"{round(power, 2) + 0.0:.2f}".replace("-", "−")
            lines.append(_line([metric, tool, *shown, last]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _short(number: float, digits: int = 3) -> str:
    """A number to a few digits, never in powers of ten: 0.15, 12.3, 1,230."""
    return f"{number:.{digits}g}" if number < 10 ** (digits - 1) else f"{number:,.0f}"


if __name__ == "__main__":
    for name, page in pages().items():
        (ROOT / name).write_text(page, encoding="utf-8", newline="\n")
    for path in notebooks.NOTEBOOKS.glob("*.ipynb"):
        path.write_bytes(glossary.renewed(path))
