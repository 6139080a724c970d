"""Picture of two metrics that disagree."""

from string import ascii_uppercase

from matplotlib.axes import Axes

from mlm_course.disagreement import Disagreement
from mlm_course.figures import cells
from mlm_course.figures.look import SIZE
from mlm_course.figures.pen import page, text_width, write, write_heading
from mlm_course.figures.phrases import capitalized, display_names


def disagreement_grids(disagreement: Disagreement) -> Axes:
    """Two predictions side by side that two metrics rank in opposite order, with the values below.

    Parameters
    ----------
    disagreement : what `mlm_course.disagreement.smallest_disagreement` returns for two set metrics
        Scores have no picture: print the disagreement instead.
    """
    truth, verdicts = disagreement.y_true, disagreement.verdicts
    first = cells.outcome_matrix(truth, disagreement.first)
    second = cells.outcome_matrix(truth, disagreement.second)
    n_samples, n_labels = first.shape
    labels = display_names(ascii_uppercase[:n_labels], n_labels, "label")
    samples = display_names(None, n_samples, "sample")
    sentences = []
    for title, outcomes in (("First prediction of", first), ("Second prediction of", second)):
        phrases = cells.outcome_phrases(outcomes, labels, samples)
        sentences.append(cells.grid_alt_text(title, labels, samples, phrases))
    sentences += [f"{capitalized(verdict)}." for verdict in verdicts]
    left = cells.grid_layout(labels, samples)
    right = left._replace(xs=[x + left.right + 0.1 for x in left.xs])
    width = max(right.right + 0.4, 0.6 + text_width(verdicts, SIZE + 1), 8.2)
    ax = page(width, left.bottom + 0.4 * len(verdicts) + 0.85, " ".join(sentences))
    cells.write_names(ax, left, samples=samples)
    for heading, grid, outcomes in (("First", left, first), ("Second", right, second)):
        write_heading(ax, f"{heading} prediction", grid.xs[0])
        cells.write_names(ax, grid, labels)
        cells.draw_cells(ax, grid, outcomes)
    for i, verdict in enumerate(verdicts):
        write(ax, 0.3, left.bottom + 0.5 + 0.4 * i, verdict, fontsize=SIZE + 1)
    return ax
