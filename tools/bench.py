"""Make a pytest-benchmark report the record `records/bench.json` of the course, and that a page.

python -m tools.bench build/bench.json
"""

import datetime
import json
import os
import platform
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tools.site.pages.markdown import ROOT, table

RECORD = ROOT / "notebooks/mlm_course/records/bench.json"
PACKAGES = ("numpy", "scipy", "scikit-learn", "torch", "torchmetrics", "distributed")
DISPLAY_NAMES = {"numpy": "NumPy", "scipy": "SciPy", "torch": "PyTorch", "distributed": "Dask"}


def record_of_report(report: Mapping[str, Any], shapes: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a pytest-benchmark report, by section: ms, s and MiB, to three digits.

    Each run of the report names its section and what else it measured in `extra_info`.
    """
    runs = defaultdict(list)  # by section: (extra_info, seconds)
    for run in report["benchmarks"]:
        runs[run["extra_info"]["section"]].append((run["extra_info"], run["stats"]["min"]))
    sizes = {name: {"samples": shape[0], "labels": shape[1]} for name, shape in shapes.items()}
    metric_sections = {
        name: sizes[name] | {"rows": _metric_rows(runs[name])}
        for name in ("dense", "sparse", "scores")
    }
    ((extreme, extreme_s),) = runs["extreme"]
    (first_info, _), *_ = runs["files"]  # the runs differ in workers only
    common = {key: first_info[key] for key in ("chunks", "data_mib", "limit_mib")}
    ways = [_scorecard_row(info, seconds) for info, seconds in runs["files"]]
    record: dict[str, Any] = _rounded({
        "environment": _environment(),
        **metric_sections,
        "scale": {
            "files": {**sizes["files"], **common, "ways": ways},
            "extreme": {**sizes["extreme"], **extreme, "s": extreme_s},
        },
    })  # fmt: skip
    return record


def _scorecard_row(info: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Time, throughput and peak memory of one scorecard of all files."""
    workers = info["workers"]
    name = f"{workers} worker{'s' * (workers > 1)}" if workers else "one process, without Dask"
    peak = {"peak_mib": info["peak_mib"]} if workers else {}
    return {"way": name, "s": seconds, "mib_per_s": info["data_mib"] / seconds, **peak}


def _metric_rows(runs: Iterable[tuple[Any, float]]) -> list[dict[str, Any]]:
    """A row per metric, from pairs (extra_info, seconds): tools' times, and ours in other units.

    The other units are reads or sorts of the input.
    """
    ((unit, unit_s),) = [(info["unit"], seconds) for info, seconds in runs if "unit" in info]
    rows: dict[str, Any] = {}
    for info, seconds in runs:
        if "metric" in info:
            row = rows.setdefault(info["metric"], {"metric": info["metric"], "ms": {}})
            row["ms"][info["tool"]] = 1000 * seconds
            if "extra_mib" in info:
                row |= {unit: seconds / unit_s, "extra_mib": info["extra_mib"]}
    return list(rows.values())


def _environment() -> dict[str, Any]:
    """The date, the machine, and the versions of the installed packages."""
    versions = {"Python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[DISPLAY_NAMES.get(package, package)] = version(package)
    return {
        "date": datetime.date.today().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "versions": versions,
    }


def _rounded(record: dict[str, Any]) -> Any:
    """The record with every float rounded to three digits; further digits do not repeat."""
    return json.loads(json.dumps(record), parse_float=lambda digits: float(f"{float(digits):.3g}"))


def speed_sentences(record: dict[str, Any]) -> str:
    """Two sentences on the time beside scikit-learn's, for docs/metrics.md."""
    dense, scores = record["dense"], record["scores"]  # both have the same size
    ratios = [
        row["ms"]["scikit-learn"] / row["ms"]["mlm_helpers"]
        for row in (*dense["rows"], *scores["rows"])
        if "scikit-learn" in row["ms"]
    ]
    return (
        f"In the last run, on {_shape_text(dense)}, the metrics took between"
        f" 1/{_format(min(ratios), 2)} and 1/{_format(max(ratios), 2)} of\nscikit-learn's time, and"
        " gave the same numbers. [How fast it is](benchmark.md) has all times."
    )


def page(record: dict[str, Any]) -> str:
    """The conditions and tables of docs/benchmark.md."""
    environment = record["environment"]
    versions = ", ".join(f"{name} {number}" for name, number in environment["versions"].items())
    files, extreme = record["scale"]["files"], record["scale"]["extreme"]
    return "\n\n".join([
        f"Measured on {environment['date']} with {environment['cores']} cores"
        f" ({environment['machine']}) and {versions}.",
        f"**Dense**, {_shape_text(record['dense'])}:",
        _metric_table(record["dense"], ("scikit-learn", "torchmetrics"), "reads"),
        f"**Sparse** (CSR), {_shape_text(record['sparse'])}:",
        _metric_table(record["sparse"], ("scikit-learn",), "reads"),
        f"**Scores**, {_shape_text(record['scores'])}; four decimals, so that some scores are"
        " tied:",
        _metric_table(record["scores"], ("scikit-learn",), "sorts"),
        f"**More than a worker may hold**, {_shape_text(files)}, {files['data_mib']:,.0f} MiB in"
        f" {files['chunks']:,} chunks on disk; a scorecard of every set metric, with Dask"
        f" workers of one thread and at most {files['limit_mib']} MiB each:",
        table(
            ("one scorecard", "s", "MiB/s", "most MiB of a worker"),
            (
                (way["way"], *(_format(way.get(key)) for key in ("s", "mib_per_s", "peak_mib")))
                for way in files["ways"]
            ),
            "--:",
        ),
        f"**Very many labels** (CSR), {_shape_text(extreme)}, {extreme['per_sample']} labels"
        f" a sample: every set metric in {_format(extreme['s'])} s and"
        f" {_format(extreme['extra_mib'])} MiB beside the data.",
    ])  # fmt: skip


def _shape_text(section: Mapping[str, Any]) -> str:
    """The size of a section's data: "300 samples × 10 labels"."""
    return f"{section['samples']:,} samples × {section['labels']:,} labels"


def _metric_table(section: Mapping[str, Any], peers: Sequence[str], unit: str) -> str:
    """A row per metric: our time, each peer's and how many times ours it is, and the memory."""
    header = ["metric", "mlm_helpers", *(cell for peer in peers for cell in (peer, "× faster"))]
    body = []
    for row in section["rows"]:
        cells = [row["metric"], _format(row["ms"]["mlm_helpers"])]
        for peer in peers:
            ms = row["ms"].get(peer)
            cells += [_format(ms), _format(ms and ms / row["ms"]["mlm_helpers"], 2)]
        body.append([*cells, _format(row[unit], 2), _format(row["extra_mib"])])
    return table([*header, unit, "extra MiB"], body, "--:")


def _format(number: float | None, digits: int = 3) -> str:
    """A number with so many significant digits, whole if it is large: 0.15, 12.3, 1,234.

    None is a dash.
    """
    if number is None:
        return "–"
    return f"{number:.{digits}g}" if number < 10 ** (digits - 1) else f"{number:,.0f}"


def main(path: Path) -> None:
    """Write the record of the report in a file."""
    from tools.benchmarks.test_speed import SHAPES

    shapes = {name: large for name, (large, _) in SHAPES.items()}
    text = json.dumps(record_of_report(json.loads(path.read_text("utf-8")), shapes), indent=1)
    RECORD.write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
