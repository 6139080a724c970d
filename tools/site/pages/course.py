"""The page "The course": the notebooks, by the questions that they answer."""

from tools import notebooks
from tools.site.pages.markdown import filled_template, readme_section, title_of

TITLES = {
    f"notebooks/{path.stem}": (
        f"{path.stem[:2]} {title_of(notebooks.read_notebook(path).cells[0].source)}"
    )
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
}
"""The numbers and titles of the notebooks, by their pages."""


def page() -> str:
    """The page in Markdown, with a table of the notebooks and the site's table of contents."""
    dots = {page: "● " * (title[:2] in notebooks.CORE_PATH) for page, title in TITLES.items()}
    contents = "\n".join(f"{dots[page]}{title} <{page}>" for page, title in TITLES.items())
    return filled_template("course", notebooks=readme_section("notebooks"), contents=contents)
