"""What stands in each notebook: its pictures, its comparisons with scikit-learn, its ladder.

A table beside the notebooks, so that none of them goes, or becomes another, unseen.
"""

import ast
from collections import Counter

import places
import pytest

NOTEBOOKS = [file for file in places.PLACES if file != "README"]


def calls(file):
    """How often each function of `figures`, `practice`, `worked` and scikit-learn is called."""
    tree = ast.parse("\n".join(section.code for section in places.sections(file)))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    theirs = {
        alias.name
        for node in imports
        if (node.module or "").startswith("sklearn")
        for alias in node.names
    }
    named = Counter(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in theirs
    )
    rooms = {"figures", "practice", "worked", "skm"}
    named.update(
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in rooms
        and node.attr != "show"
    )
    return dict(sorted(named.items()))


CONTENTS = {'00_start_here': {'MultiLabelBinarizer': 4,
                   'accuracy_score': 3,
                   'figures.label_grid': 1,
                   'figures.label_matrix': 1,
                   'figures.metric_map': 1,
                   'figures.value_bars': 1,
                   'practice.explore': 1,
                   'practice.sheet': 1},
 '01_exact_match': {'accuracy_score': 5,
                    'figures.disagreement': 1,
                    'figures.label_grid': 2,
                    'figures.value_bars': 1,
                    'hamming_loss': 1,
                    'jaccard_score': 1,
                    'practice.judge': 1,
                    'practice.sheet': 1,
                    'worked.solve': 1,
                    'zero_one_loss': 2},
 '02_example_based': {'f1_score': 2,
                      'fbeta_score': 1,
                      'figures.disagreement': 1,
                      'figures.label_grid': 3,
                      'jaccard_score': 1,
                      'practice.explore': 1,
                      'practice.judge': 1,
                      'practice.quiz': 1,
                      'practice.sheet': 1,
                      'precision_score': 2,
                      'recall_score': 2,
                      'worked.solve': 1},
 '03_hamming_loss': {'figures.disagreement': 1,
                     'figures.label_grid': 5,
                     'hamming_loss': 1,
                     'practice.judge': 1,
                     'practice.sheet': 1,
                     'worked.solve': 1},
 '04_label_based': {'classification_report': 1,
                    'f1_score': 1,
                    'figures.disagreement': 1,
                    'figures.label_grid': 3,
                    'figures.training_curves': 2,
                    'practice.explore': 1,
                    'practice.judge': 1,
                    'practice.sheet': 1,
                    'worked.solve': 1},
 '05_ranking': {'figures.label_grid': 1,
                'figures.rank_lists': 2,
                'practice.explore': 1,
                'practice.judge': 1,
                'practice.quiz': 1,
                'practice.sheet': 1,
                'skm.coverage_error': 1,
                'skm.label_ranking_average_precision_score': 1,
                'skm.label_ranking_loss': 1,
                'skm.ndcg_score': 1,
                'skm.roc_auc_score': 1,
                'worked.solve': 1},
 '06_curves': {'figures.PHOTOS': 1,
               'figures.curve_steps': 2,
               'figures.sorted_columns': 1,
               'practice.explore': 1,
               'practice.judge': 1,
               'practice.sheet': 1,
               'skm.auc': 1,
               'skm.average_precision_score': 1,
               'skm.label_ranking_average_precision_score': 2,
               'skm.precision_recall_curve': 1,
               'skm.roc_auc_score': 3,
               'worked.solve': 1},
 '07_top_k': {'figures.top_window': 1,
              'ndcg_score': 3,
              'practice.judge': 1,
              'practice.sheet': 1,
              'worked.solve': 1},
 '08_thresholds': {'figures.label_grid': 1,
                   'figures.threshold_sweep': 1,
                   'practice.explore': 1,
                   'practice.sheet': 1},
 '09_choosing_a_metric': {'figures.change_table': 1,
                          'figures.label_tail': 1,
                          'figures.metric_dots': 2,
                          'figures.pair_table': 1,
                          'figures.rank_reversals': 1,
                          'figures.tagged_pictures': 1,
                          'practice.sheet': 1},
 '10_how_sure': {'figures.interval_bars': 3, 'practice.sheet': 1},
 '11_conventions': {'figures.PICTURES': 1,
                    'figures.tool_dots': 1,
                    'practice.quiz': 1,
                    'practice.sheet': 1},
 '12_at_scale': {'figures.PICTURES': 1,
                 'figures.measured': 1,
                 'practice.sheet': 1,
                 'worked.solve': 2}}  # fmt: skip


@pytest.mark.parametrize("file", NOTEBOOKS)
def test_it_shows_and_compares_what_it_should(file):
    assert calls(file) == CONTENTS[file]
