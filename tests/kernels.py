"""Notebook kernels forked from one process that has imported their packages, which saves two seconds per kernel.

A kernel still is a process of its own, which shares no name and no state with another.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import EntryPoint
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

IMPORTED = ["ipykernel.kernelapp", "mlm_course.figures", "mlm_course.practice", "sklearn.metrics"]
INLINE = "module://matplotlib_inline.backend_inline"


def fork_all() -> None:
    """Have all kernels of this process forked, where that is safe."""
    if sys.platform == "linux":
        factory = KernelProvisionerFactory.instance(default_provisioner_name="forked")
        factory.provisioners["forked"] = EntryPoint("forked", f"{__name__}:Forked", "")
        get_context("forkserver").set_forkserver_preload(IMPORTED)


class Forked(LocalProvisioner):
    """A kernel that is no new process of Python, but a copy of one that stands ready."""

    async def launch_kernel(self, cmd: list[str], **options: Any) -> KernelConnectionInfo:
        arguments = cmd[cmd.index("-f") :]
        process = get_context("forkserver").Process(
            target=run, args=(arguments, options.get("cwd"), options["env"])
        )
        process.start()
        self.process = _Process(process)
        self.pid = process.pid
        return self.connection_info


class _Process:
    """A process of `multiprocessing`, asked as one of `subprocess` is."""

    stdin = stdout = stderr = None

    def __init__(self, process: BaseProcess) -> None:
        self.wait, self.kill, self.terminate = process.join, process.kill, process.terminate
        self.poll = lambda: process.exitcode
        self.send_signal = lambda number: os.kill(process.pid, number)


def run(arguments: list[str], folder: str | None, environment: dict[str, str]) -> None:
    """Become the kernel of a notebook in its folder."""
    import matplotlib
    from ipykernel.kernelapp import launch_new_instance

    os.chdir(folder or ".")
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["ipykernel_launcher", *arguments]
    matplotlib.rcParams["backend"] = INLINE  # which is read from the environment at its import
    launch_new_instance()
