"""Notebook kernels, forked from a process that has imported their packages.

This saves two seconds per kernel.

A kernel is still a process of its own, which shares no names and no state with other kernels.
"""

import os
import sys
import tempfile
from importlib.metadata import EntryPoint
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any, ClassVar

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

PRELOADED = ["ipykernel.kernelapp", "mlm_course.figures", "mlm_course.practice", "sklearn.metrics"]
INLINE = "module://matplotlib_inline.backend_inline"


def register_forked_kernels(temporary: str) -> None:
    """Start all further kernels of this process by a fork, on Linux, where that is safe.

    They write their temporary files in the given folder: nbval kills a kernel before it can remove
    them.
    """
    if sys.platform == "linux":
        factory = KernelProvisionerFactory.instance(default_provisioner_name="forked")
        factory.provisioners["forked"] = EntryPoint("forked", f"{__name__}:ForkedProvisioner", "")
        ForkedProvisioner.temporary = temporary
        get_context("forkserver").set_forkserver_preload(PRELOADED)


class ForkedProvisioner(LocalProvisioner):
    """Launches a kernel as a fork of the preloaded process, not as a new Python."""

    temporary: ClassVar[str]

    async def launch_kernel(self, cmd: list[str], **options: Any) -> KernelConnectionInfo:
        arguments = cmd[cmd.index("-f") :]  # without python -m ipykernel_launcher
        environment = options["env"] | {"TMPDIR": self.temporary}
        process = get_context("forkserver").Process(
            target=run_kernel, args=(arguments, options.get("cwd"), environment)
        )
        process.start()
        self.process = _Process(process)
        self.pid = process.pid
        return self.connection_info


class _Process:
    """A process of `multiprocessing` with the interface of `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, process: BaseProcess) -> None:
        self.wait, self.kill, self.terminate = process.join, process.kill, process.terminate
        self.poll = lambda: process.exitcode
        self.send_signal = lambda number: os.kill(process.pid, number)


def run_kernel(arguments: list[str], folder: str | None, environment: dict[str, str]) -> None:
    """Run a kernel in this process, in the folder of its notebook."""
    import matplotlib
    from ipykernel.kernelapp import launch_new_instance

    os.chdir(folder or ".")
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # read TMPDIR, as a new Python does
    sys.argv = ["ipykernel_launcher", *arguments]
    matplotlib.rcParams["backend"] = INLINE  # matplotlib was imported before MPLBACKEND was set
    launch_new_instance()
