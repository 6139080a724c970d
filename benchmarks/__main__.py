"""Measure time, reads of the input, extra memory and growth, and write the results.

python -m benchmarks [--only SECTION ...]

The results, with versions, cores and date, go to mlm_helpers/records/bench.json; `make bench` then
draws the figures and renews README.md and BENCHMARK.md from that file.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.sections import FULL, QUICK, SECTIONS, report, run

OUT = Path(__file__).parent.parent / "mlm_helpers" / "records" / "bench.json"
PACKAGES = {
    "NumPy": "numpy",
    "SciPy": "scipy",
    "scikit-learn": "scikit-learn",
    "PyTorch": "torch",
    "torchmetrics": "torchmetrics",
    "Dask": "distributed",
}
WIDTH = 180  # of a line of the results


def environment() -> dict[str, Any]:
    """Say what may matter for a time: date, machine, cores, threads of PyTorch and versions."""
    known: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "versions": {"Python": platform.python_version()},
    }
    for name, package in PACKAGES.items():
        try:
            known["versions"][name] = version(package)
        except PackageNotFoundError:
            continue
    if find_spec("torch") is not None:
        import torch

        known["torch_threads"] = torch.get_num_threads()
    return known


def pretty(value: Any, indent: int = 0, head: str = "") -> str:
    """Write JSON with everything that fits on a line on one line, so that a metric has one."""
    line = head + json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or indent + len(line) < WIDTH:
        return line
    if isinstance(value, dict):
        heads = [f"{json.dumps(key, ensure_ascii=False)}: " for key in value]
        members = [*value.values()]
    else:
        heads, members = [""] * len(value), value
    pad = " " * (indent + 1)
    lines = [
        pad + pretty(member, indent + 1, start)
        for start, member in zip(heads, members, strict=True)
    ]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{head}{first}\n" + ",\n".join(lines) + f"\n{' ' * indent}{last}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the package with scikit-learn and torchmetrics on this machine."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--quick", action="store_true", help="tiny data, to see that it works")
    parser.add_argument("--out", type=Path, default=OUT, help="default: %(default)s")
    help_only = "measure these sections again, and keep what the file says about the others"
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=help_only)
    options = parser.parse_args(arguments)
    if options.quick and options.out == OUT:
        parser.error("the times of tiny data say nothing: give --quick another --out")
    start = perf_counter()
    sizes = QUICK if options.quick else FULL
    if options.only:
        results = json.loads(options.out.read_text(encoding="utf-8")) | run(sizes, options.only)
        results = {name: results[name] for name in ("environment", *SECTIONS) if name in results}
        again = dict.fromkeys(options.only, datetime.date.today().isoformat())
        results["environment"]["again"] = results["environment"].get("again", {}) | again
    else:
        results = {"environment": environment(), **run(sizes)}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(pretty(results) + "\n", encoding="utf-8", newline="\n")
    report(f"{options.out} after {perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
