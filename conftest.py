"""What holds for every test: nobody watches, so notebooks show no progress."""

import os

import pytest

os.environ["TQDM_DISABLE"] = "1"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep nbval from measuring coverage inside the kernels too, which is slow and can hang."""
    session.config.option.cov_source = []
