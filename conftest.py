"""What holds for every test: nobody watches, so notebooks show no progress."""

import os

import pytest

os.environ["MLM_QUIET"] = "1"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep nbval from measuring coverage inside the kernels too, which is slow and can hang."""
    session.config.option.cov_source = []


FLOORS = {"not exhaustive": 10450, "exhaustive": 540}  # raise them as tests are added


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A whole run that has fewer tests than the floor has lost some, and fails."""
    chosen = session.config.option
    whole = session.config.args_source is pytest.Config.ArgsSource.TESTPATHS
    part = hasattr(session.config, "workerinput") or chosen.keyword or getattr(chosen, "lf", False)
    floor = FLOORS.get(chosen.markexpr.strip(), 0)
    if exitstatus == 0 and whole and not part and session.testscollected < floor:
        print(f"\nOnly {session.testscollected} tests of at least {floor}: some are lost")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
