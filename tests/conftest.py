"""What a test leaves open is an error of its own file, not of the test during which it is swept up."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def _swept() -> Iterator[None]:
    """Collect at the end of a file what came into being in it."""
    gc.freeze()  # what was there before need not be looked through again
    yield
    gc.collect()
    gc.unfreeze()
