"""What holds for every test: nobody watches, so notebooks show no progress, and each process has one core."""

import os
import tempfile
from itertools import count
from typing import Any

import nbval.kernel
import pytest
from jupyter_client.manager import KernelManager

from tools.notebooks import channels

os.environ["TQDM_DISABLE"] = "1"
# Other tests have the other cores: threads that wait for one would spin.
os.environ["OMP_NUM_THREADS"] = "1"

FOLDER = tempfile.TemporaryDirectory()
NUMBERS = count()


def kernel_manager(**options: Any) -> KernelManager:
    """Make a kernel that nbval speaks to, not through a port."""
    return KernelManager(**channels(f"{FOLDER.name}/{next(NUMBERS)}"), **options)


nbval.kernel.KernelManager = kernel_manager


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep nbval from measuring coverage inside the kernels too, which is slow and can hang."""
    session.config.option.cov_source = []
