"""Progress bars of long computations."""

from typing import Any

DELAY = 3  # seconds until a bar appears


def progress(items: Any) -> Any:
    """The items, a sequence or an array, with a progress bar that appears after `DELAY` seconds."""
    from tqdm import tqdm

    return tqdm(items, leave=False, delay=DELAY)
