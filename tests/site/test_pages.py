"""The pages of the site, in both themes, on a phone, a laptop and a projector."""

import browser
import pytest
from built import PAGES
from checks import page_problems

pytestmark = browser.needs_chromium


# Of the pages that Sphinx makes from docstrings, the largest stand for the others.
API = {"label_based", "conventions", "summary"}
CHECKED = [name for name in PAGES if "mlm_helpers." not in name or name.split(".")[1] in API]


@pytest.mark.parametrize("name", CHECKED)
def test_nothing_is_wrong_with_a_page(name, reader, site):
    with reader.new_page() as page:
        problems = page_problems(page, site + name)
    assert not problems, "\n".join(problems)
