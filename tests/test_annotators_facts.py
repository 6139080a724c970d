"""Facts of notebook 17 on annotators: laws on all small data, and its numbers once more."""

from fractions import Fraction as F
from itertools import chain, combinations, compress, product
from operator import mul, ne

import numpy as np
import plain
from facts import as_table, cell_table, decimal, tables
from random_inputs import agree
from scipy.stats import t
from test_agreement import coincidence_alpha, jaccard, masi

from mlm_course import framing
from mlm_helpers import agreement, label_based, uncertainty

NOTEBOOK = "17_annotators"
ANSWERS = framing.load().annotations.filled(-1)  # by person, article, question; −1: no answer
N_YES, N_NO = ((x == ANSWERS).sum(axis=0) for x in (1, 0))
HAVE_THREE = (N_YES + N_NO).max(axis=1) == 3


def alpha_of(samples):
    return coincidence_alpha(([a for a in answers if a >= 0] for answers in samples), ne)


def soft_f1(p, q, shared=min):
    return F(2 * sum(map(shared, p, q))) / ((sum(p) + sum(q)) or 1)


def f1s(one, other):
    one, other = (((one >= 0) & (other >= 0)) * x for x in (one, other))  # cells of both
    return np.array([plain.micro_f1(one, other), plain.macro_f1(one, other)])


def mean_kappa(one, other):
    """Mean over questions of (observed − expected) ÷ (1 − expected), where this is not 0/0."""
    values = []
    for pair in zip(one.T, other.T, strict=True):
        a, b = np.compress(np.min(pair, axis=0) >= 0, pair, axis=1)
        expected = a.mean() * b.mean() + (1 - a).mean() * (1 - b).mean()
        values += [((a == b).mean() - expected) / (1 - expected)] if expected < 1 else []
    return np.mean(values)


def leads_over(rule, people):
    """1 where more of the others gave a person's answer than the rule's, −1 where fewer did."""
    votes = np.where(people < 0, 0, 2 * people - 1)
    has_others = (people >= 0) & ((people >= 0).sum(axis=0) > 1)
    return np.ma.array(np.sign((votes.sum(axis=0) - votes) * (people - rule)), mask=~has_others)


def student_p(leads, bonus):
    n, error = leads.count(axis=1), leads.std(axis=1, ddof=1)
    return t.cdf((leads.mean(axis=1) - bonus) / error * n**0.5, n - 1)


def test_alpha_is_one_minus_observed_by_expected_disagreement():
    answers = np.array([*product((0, 1, -1), repeat=9)]).reshape(-1, 3, 3).T  # −1: unknown
    values = agreement.alpha(np.ma.masked_equal(answers, -1))
    assert agree(values, [*map(alpha_of, answers.T.tolist())])


def test_at_equal_agreement_alpha_is_lower_the_farther_the_share_of_yes_is_from_half():
    answers = np.array([*product((0, 1), repeat=9)]).reshape(-1, 3, 3).T
    n_equal = sum((one == other).sum(axis=0) for one, other in combinations(answers, 2))
    from_half, alphas = abs(2 * answers.sum(axis=(0, 1)) - 9), agreement.alpha(answers).round(9)
    for n in range(n_equal.max()):  # somebody disagrees
        points = {*zip(from_half[n_equal == n], alphas[n_equal == n], strict=True)}
        assert [a for _, a in sorted(points)] == sorted({a for _, a in points}, reverse=True)


def test_pooled_alpha_of_annotators_who_do_not_look_is_above_0_if_frequencies_differ():
    draw = np.random.default_rng(0).random
    labels = (draw((3, 1000, 10)) < np.repeat([0.95, 0.05], 5)).T.tolist()
    values = [np.mean([*map(alpha_of, labels)]), alpha_of(chain(*labels))]
    assert [text for _, text in tables(NOTEBOOK, "17-19")[0][1:]] == [*map(decimal, values)]
    for frequencies in ([0.95, 0.05], [0.3, 0.4], [0.02, 0.02, 0.5]):
        blind, mean = draw((3, 40_000, len(frequencies))) < frequencies, np.mean(frequencies)
        limit = np.var(frequencies) / (mean * (1 - mean))
        assert abs(agreement.alpha(blind, average="micro") - limit) < 0.005 < limit
        assert abs(agreement.alpha(blind)).max() < 0.015


def test_masi_is_above_jaccard_where_sets_overlap_and_differ_and_never_above_exact():
    sets = [{*compress("abcd", bits)} for bits in product((0, 1), repeat=4)]
    for one, other in product(sets, repeat=2):
        assert jaccard(one, other) <= masi(one, other) <= (one != other)
        assert (jaccard(one, other) < masi(one, other)) == (one != other and bool(one & other))


def test_soft_f1_of_label_sets_is_micro_f1_with_the_minimum_or_the_product():
    for y in product(product((0, 1), repeat=4), repeat=2):
        micro = label_based.f1(y[:1], y[1:], average="micro")
        assert agree([micro, micro], [soft_f1(*y), soft_f1(*y, mul)])


def test_soft_f1_is_1_for_the_truth_alone_and_the_product_prefers_an_answer_of_0_and_1():
    answers, sets = ([*product(x, repeat=3)] for x in ((0, F(1, 3), F(2, 3), 1), (0, 1)))
    for truth in answers[1:]:
        assert [answer for answer in answers if soft_f1(truth, answer) == 1] == [truth]
        of_truth, best = soft_f1(truth, truth, mul), max(soft_f1(truth, x, mul) for x in sets)
        assert of_truth == best == 1 if truth in sets else of_truth < best < 1


def test_f1_and_alpha_of_four_annotators():
    rows = []
    for i, j in combinations(range(4), 2):
        n_common = (ANSWERS[[i, j]] >= 0).any(axis=2).all(axis=0).sum()
        rows.append((f"{i + 1} and {j + 1}", n_common, *f1s(ANSWERS[i], ANSWERS[j])))
    head = "articles of both", "micro F1", "macro F1"
    assert cell_table(NOTEBOOK, "17-32") == as_table(head, *rows)
    cells, n_yes, n = ANSWERS.T.tolist(), N_YES.sum(axis=0), (N_YES + N_NO).sum(axis=0)
    rows = [*zip(framing.load().labels, n_yes / n, map(alpha_of, cells), strict=True)]
    rows.sort(key=lambda row: -row[2])
    means = ("mean over 22 questions", *np.mean([row[1:] for row in rows], axis=0))
    pooled = ("all cells pooled", n_yes.sum() / n.sum(), alpha_of(chain(*cells)))
    table = as_table(("share of yes", "α"), *rows[:3], *rows[-3:], means, pooled)
    cell = cell_table(NOTEBOOK, "17-34")
    assert [*table] == [*cell] and all(table[row].items() <= cell[row].items() for row in cell)


def test_scores_of_a_rule_that_reads_nothing():
    people, rule = ANSWERS[:, HAVE_THREE], (N_YES - N_NO)[~HAVE_THREE].sum(axis=0) > 0
    pairs = {"pairs of annotators": [*combinations(people, 2)]}
    for name, answers in (("always yes", 1), ("most common answer", rule)):
        pairs[name] = [(x, x * 0 + answers) for x in people]
    values = {n: [(*f1s(*x), mean_kappa(*x)) for x in of_both] for n, of_both in pairs.items()}
    rows = [(name, *np.mean(triples, axis=0)) for name, triples in values.items()]
    table = as_table(("micro F1", "macro F1", "kappa"), *rows)
    assert cell_table(NOTEBOOK, "17-37").items() >= table.items()
    leads = leads_over(rule, people).reshape(4, -1)
    columns = "1234", leads.mean(axis=1), (leads <= 0).mean(axis=1), ["below 0.001"] * 4
    head = "annotator's lead", "advantage of the rule", "p"
    assert cell_table(NOTEBOOK, "17-40") == as_table(head, *zip(*columns, strict=True))
    assert max(student_p(leads, 0.15)) < 0.001 and max(student_p(leads, 0.1)) < 0.024
    assert min(student_p(leads, 0.05)) > 0.024  # the highest of the bounds
    assert min(student_p(leads_over(1, people).reshape(4, -1), 0.15)) > 0.5  # always yes
    row = {"advantage, mean of the annotators": decimal(columns[2].mean()), **table[name]}
    assert cell_table(NOTEBOOK, "17-40-2")[name].items() <= row.items()


def test_the_rule_that_reads_nothing_passes_on_articles_it_was_not_learned_from():
    """Against all four, by Benjamini and Yekutieli's bounds, 0.006 to 0.024.

    So it is if articles are units.
    """
    draws = (np.random.default_rng(seed).permutation(116) for seed in range(6))
    halves = (np.split(np.flatnonzero(HAVE_THREE)[order], 2) for order in draws)
    for learn, judge in ((~HAVE_THREE, HAVE_THREE), *halves):
        leads = leads_over((N_YES - N_NO)[learn].sum(axis=0) > 0, ANSWERS[:, judge])
        for units in (leads.reshape(4, -1), leads.mean(axis=2)):
            assert max(student_p(units, 0.15)) < 0.006  # 0.05 ÷ 4 (1 + 1/2 + 1/3 + 1/4)
            assert min(student_p(units, 0)) > 0.5  # without a bonus it beats nobody


def test_the_share_tagged_is_recall_of_the_positives_and_false_alarms_of_the_others():
    """It is the true share only where misses and false alarms cancel out.

    The correction is its inverse.
    """
    for tp, fn, fp, tn, k in product(*[range(4)] * 4, (1, 3)):
        if tp + fn and fp + tn:  # the new data have k times as many positives
            recall, specificity, n = F(tp, tp + fn), F(tn, fp + tn), k * (tp + fn) + fp + tn
            true, p = F(k * (tp + fn), n), F(k * tp + fp, n)
            assert p == recall * true + (1 - specificity) * (1 - true)
            assert (p == true) == (fp == k * fn)
            y = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], (tp, fn, fp, tn), axis=0)
            new = np.arange(n)[:, None] < p * n
            (share,) = uncertainty.prevalence(y[:, :1], y[:, 1:], new, n_resamples=40)
            assert agree(share.value, true if recall + specificity > 1 else np.nan)


def test_labelled_samples_that_were_chosen_by_their_tags_have_another_recall():
    """Share 1/10, recall 8/10, false alarms 1/10.

    Of 170 tagged and 830 other samples as many are labelled.
    """
    weight = F(830, 170)  # each tagged sample is drawn so many times as often as another
    recall, false_alarms = (weight * n / (weight * n + m) for n, m in ((80, 20), (90, 810)))
    assert recall > F(8, 10) and false_alarms > F(170, 1000)  # so the corrected share is 0


def test_a_single_odd_answer_has_alpha_0():
    random = np.random.default_rng(0).integers
    for sizes in (random(2, 5, size=random(1, 9)) for _ in range(300)):
        units = [[0] * n for n in sizes]
        units[-1][0] = 1
        assert alpha_of(units) == 0


def test_labelled_samples_of_the_new_ones_need_a_correction_only_by_a_very_good_model():
    """Of 1,000 new samples 100 are labelled; 1,000 data sets, each a column.

    Mean squared errors are compared.
    """
    rng = np.random.default_rng(0)
    for share, right in ((0.5, 0.85), (0.1, 0.85), (0.02, 0.9), (0.5, 0.97), (0.1, 0.97)):
        y = rng.random((1000, 1000)) < share
        tags = y ^ (rng.random(y.shape) > right)  # recall and specificity are the share right
        intervals = uncertainty.prevalence(y[:100], tags[:100], tags, n_resamples=40)
        estimates = [interval.value for interval in intervals], y[:100].mean(axis=0)
        corrected, own = (np.nanmean((x - y.mean(axis=0)) ** 2) for x in estimates)
        assert (corrected < own) == (right == 0.97)


def test_an_interval_that_draws_the_labelled_samples_alone_misses_the_share_too_often():
    """Share 3/10, recall and specificity 9/10; 100 labelled and 100 new samples.

    The ends are percentiles of 400 resamples.
    """
    rng, n = np.random.default_rng(0), 100
    shares = np.array([27, 3, 7, 63]) / 100  # of hits, misses, false alarms and the rest
    n_held = np.zeros(2)
    for _ in range(1000):
        labelled, new = rng.multinomial(n, shares), rng.binomial(n, 34 / 100)
        hits, misses, alarms, rest = rng.multinomial(n, labelled / n, size=400).T
        recall, specificity = hits / (hits + misses), rest / (rest + alarms)
        for i, tagged in enumerate((new / n, rng.binomial(n, new / n, size=400) / n)):
            corrected = (tagged + specificity - 1) / (recall + specificity - 1)
            low, high = np.quantile(corrected, (0.025, 0.975))
            n_held[i] += low <= 0.3 <= high
    assert abs(n_held[0] - 700) < 50 and 920 < n_held[1] < 970
