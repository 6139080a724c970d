"""Who leaves a socket open is told so, and the file after it is not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

LEAKS = """
import socket

def test_opens():
    end = socket.socket()
    ring = [end]
    ring.append(ring)  # only the collector of garbage finds it

def test_of_the_same_file():
    pass
"""
COLLECTS = """
import gc

def test_collects():
    gc.collect()
"""


def test_the_file_that_leaks_fails(tmp_path):
    conftest = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
    files = {"conftest.py": conftest, "test_1.py": LEAKS, "test_2.py": COLLECTS}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:nbval"]
    done = subprocess.run([*command, tmp_path], cwd=tmp_path, capture_output=True, text=True)
    *_, total = done.stdout.splitlines()
    assert "ERROR test_1.py::test_of_the_same_file - pytest.PytestUnraisable" in done.stdout
    assert total.startswith("3 passed, 1 error in ")


OPTIONS = """
[tool.pytest.ini_options]
testpaths = ["."]
addopts = ["-m not exhaustive"]
"""


@pytest.mark.parametrize(
    ("tests", "arguments", "fails"),
    [(2, [], True), (3, [], False), (2, ["test_1.py"], False)],
)
def test_a_whole_run_with_too_few_tests_fails(tests, arguments, fails, tmp_path):
    conftest = Path(__file__).parent.parent.joinpath("conftest.py").read_text(encoding="utf-8")
    small, replaced = re.subn(r'(?<="not exhaustive": )\d+\b', "3", conftest)
    assert replaced == 1
    files = {
        "conftest.py": small,
        "pyproject.toml": OPTIONS,
        "test_1.py": "\n".join(f"def test_{number}(): pass" for number in range(tests)),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:nbval"]
    done = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, "some are lost" in done.stdout) == (int(fails), fails), done.stdout
