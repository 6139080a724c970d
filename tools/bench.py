"""Turn what pytest-benchmark measured into the record, `notebooks/mlm_course/records/bench.json`, and its page.

python -m tools.bench build/bench.json
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent.parent / "notebooks/mlm_course/records/bench.json"
PACKAGES = ("numpy", "scipy", "scikit-learn", "torch", "torchmetrics", "distributed")
NAMES = {"numpy": "NumPy", "scipy": "SciPy", "torch": "PyTorch", "distributed": "Dask"}
NONE = "–"


# ---------------------------------------------------------------------------------- the record


def record(measured: Mapping[str, Any], shapes: Mapping[str, Any]) -> dict[str, Any]:
    """The record of one run, by section, in milliseconds and MiB of three digits."""
    runs = defaultdict(list)
    for run in measured["benchmarks"]:
        runs[run["extra_info"]["section"]].append((run["extra_info"], run["stats"]["min"]))
    sized = {name: {"samples": shape[0], "labels": shape[1]} for name, shape in shapes.items()}
    tables = {
        name: sized[name] | {"rows": _rows(runs[name])}
        for name in ("dense", "sparse", "scores", "probabilities", "resampling")
    }
    ((wide, wide_s),), ((top, top_s),) = (runs[name] for name in ("extreme", "top_k"))
    ways = [
        {
            "way": f"{n} worker{'s' * (n > 1)}" if n else "one process, without Dask",
            "s": s,
            "mib_per_s": known["data_mib"] / s,
            **({"peak_mib": known["peak_mib"]} if n else {}),
        }
        for known, s in runs["files"]
        for n in [known["workers"]]
    ]
    common = {key: runs["files"][0][0][key] for key in ("chunks", "data_mib", "limit_mib")}
    known: dict[str, Any] = _rounded({
        "environment": _environment(),
        **tables,
        "top_k": {**sized["top_k"], **top, "s": top_s},
        "tree": sized["tree"] | {one["kind"]: one | {"ms": 1000 * s} for one, s in runs["tree"]},
        "kinds": {one["kind"]: 1000 * s for one, s in runs["kinds"]},
        "scale": {
            "files": {**sized["files"], **common, "ways": ways},
            "extreme": {**sized["extreme"], **wide, "s": wide_s},
        },
    })  # fmt: skip
    return known


def _rows(runs: Iterable[tuple[Any, float]]) -> list[dict[str, Any]]:
    ((unit, least),) = [(known["unit"], s) for known, s in runs if "unit" in known]
    rows: dict[str, Any] = {}
    for known, seconds in (run for run in runs if "metric" in run[0]):
        row = rows.setdefault(known["metric"], {"metric": known["metric"], "ms": {}})
        row["ms"][known["tool"]] = 1000 * seconds
        if "extra_mib" in known:
            row |= {unit: seconds / least, "extra_mib": known["extra_mib"]}
    return list(rows.values())


def _environment() -> dict[str, Any]:
    versions = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[NAMES.get(package, package)] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "date": datetime.date.today().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "versions": versions,
    }


def _rounded(value: Any) -> Any:
    """Every float to three digits, which is all that a time has."""
    if isinstance(value, dict):
        return {key: _rounded(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_rounded(member) for member in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value


# ---------------------------------------------------------------------------------- the words


def in_short(known: dict[str, Any]) -> str:
    """One sentence, for docs/metrics.md."""
    dense, scores = known["dense"], known["scores"]  # of one size
    faster = [
        row["ms"]["scikit-learn"] / row["ms"]["mlm_helpers"]
        for row in (*dense["rows"], *scores["rows"])
        if "scikit-learn" in row["ms"]
    ]
    return (
        f"On {dense['samples']:,} samples × {dense['labels']:,} labels the metrics take between"
        f" 1/{_short(min(faster), 2)} and 1/{_short(max(faster), 2)} of\nscikit-learn's time, and"
        " give the same numbers. [How fast it is](benchmark.md) has all times."
    )


def page(known: dict[str, Any]) -> str:
    """Conditions and tables, for docs/benchmark.md."""
    environment, top, kinds = known["environment"], known["top_k"], known["kinds"]
    versions = ", ".join(f"{name} {number}" for name, number in environment["versions"].items())
    files, extreme, tree = known["scale"]["files"], known["scale"]["extreme"], known["tree"]
    return "\n\n".join([
        f"Measured on {environment['date']} with {environment['cores']} cores"
        f" ({environment['machine']}) and {versions}.",
        f"**Dense**, {_shape(known['dense'])}:",
        _table(known["dense"]["rows"], ("scikit-learn", "torchmetrics"), "reads"),
        f"**Sparse** (CSR), {_shape(known['sparse'])}:",
        _table(known["sparse"]["rows"], ("scikit-learn",), "reads"),
        f"**Scores**, {_shape(known['scores'])}; four decimals, so that some scores are tied:",
        _table(known["scores"]["rows"], ("scikit-learn",), "sorts"),
        f"**Probabilities**, {_shape(known['probabilities'])}; beside one label after the other, by scikit-learn"
        " or, for the calibration error, by NumPy:",
        _table(known["probabilities"]["rows"], ("column by column",), "reads"),
        f"**Labels in a tree**, {_shape(tree)}, micro hierarchical F1 of int8 matrices:",
        _lines(
            ("matrices", "ms", "extra MiB", "extra MiB of the closure", "MiB of its result"),
            ((kind, *(_short(tree[kind][key]) for key in _TREE)) for kind in ("dense", "sparse")),
        ),
        f"**Top k of sparse scores**, {_shape(top)}, 5 true and 20 scored labels a sample: nDCG at 5 in"
        f" {_short(top['s'])} s and {_short(top['extra_mib'])} MiB beside the"
        f" {_short(top['stored_mib'])} MiB of the data.",
        f"**Kinds of numbers**, on the dense data: macro F1 takes {_short(kinds['int64'])} ms of int64,"
        f" {_short(kinds['int8'])} ms of int8 ({_short(kinds['int64'] / kinds['int8'], 2)} × faster) and"
        f" {_short(kinds['bool'])} ms of bool ({_short(kinds['int64'] / kinds['bool'], 2)} × faster).",
        f"**Intervals** from 1,000 resamples, {_shape(known['resampling'])}, one cell in 400 true; beside NumPy on"
        " the same resamples, by three sums of each sample (micro) or by SciPy's sparse products (macro):",
        _table(known["resampling"]["rows"], ("NumPy, SciPy",), "reads"),
        f"**More than a worker may hold**, {_shape(files)}, {files['data_mib']:,.0f} MiB in"
        f" {files['chunks']:,} chunks on disk; a scorecard of every set metric, with Dask workers of"
        f" one thread and at most {files['limit_mib']} MiB each:",
        _lines(
            ("one scorecard", "s", "MiB/s", "most MiB of a worker"),
            (
                (way["way"], *(_short(way[key]) if key in way else NONE for key in _WAY))
                for way in files["ways"]
            ),
        ),
        f"**Very many labels** (CSR), {_shape(extreme)}, {extreme['per_sample']} labels a sample: every"
        f" set metric in {_short(extreme['s'])} s and {_short(extreme['extra_mib'])} MiB beside the data.",
    ])  # fmt: skip


_TREE = ("ms", "extra_mib", "closure_mib", "closed_mib")
_WAY = ("s", "mib_per_s", "peak_mib")


def _shape(section: Mapping[str, Any]) -> str:
    return f"{section['samples']:,} samples × {section['labels']:,} labels"


def _table(rows: Sequence[dict[str, Any]], peers: Sequence[str], unit: str) -> str:
    heads = ["metric", "mlm_helpers", *(head for peer in peers for head in (peer, "× faster"))]
    body = []
    for row in rows:
        ours, cells = row["ms"]["mlm_helpers"], []
        for peer in peers:
            theirs = row["ms"].get(peer)
            cells += [NONE, NONE] if theirs is None else [_short(theirs), _short(theirs / ours, 2)]
        body.append(
            [row["metric"], _short(ours), *cells, _short(row[unit], 2), _short(row["extra_mib"])]
        )
    return _lines([*heads, unit, "extra MiB"], body)


def _lines(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _short(number: float, digits: int = 3) -> str:
    """A number to a few digits, never in powers of ten: 0.15, 12.3, 1,230."""
    return f"{number:.{digits}g}" if number < 10 ** (digits - 1) else f"{number:,.0f}"


def main(measured: Path) -> None:
    """Write the record of a run."""
    from tools.benchmarks.test_speed import SHAPES

    shapes = {name: large for name, (large, _) in SHAPES.items()}
    text = json.dumps(record(json.loads(measured.read_text("utf-8")), shapes), indent=1)
    RECORD.write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
