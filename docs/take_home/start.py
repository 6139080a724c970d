"""Open the course in JupyterLab: python3 start.py (on Windows: py start.py)."""

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
DONE = ENVIRONMENT / "installed"

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("This course needs Python 3.11 or newer: install it, and start this file with it")
if not DONE.exists():
    print("Installing the course in .venv (some minutes, only once)", flush=True)
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    (wheel,) = HERE.glob("*.whl")
    install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", "constraints.txt"]
    subprocess.run([PYTHON, *install, f"{wheel}[notebooks]"], cwd=HERE, check=True)
    DONE.touch()
first = "notebooks/00_start_here.ipynb"
sys.exit(subprocess.call([PYTHON, "-m", "jupyterlab", first, *sys.argv[1:]], cwd=HERE))
