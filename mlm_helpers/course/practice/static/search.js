// The smallest data on which two metrics disagree, for a page without a kernel.
// Small sizes first, then fewer samples, then the first in lexicographic order.

import { float, solve } from "./numbers.js";

const SIZES = [[1, 1], [1, 2], [2, 1], [1, 3], [2, 2], [2, 3]]; // samples, labels
const MOST = 4; // cells whose scores are all compared with each other, and cut: of more there are too many
const CUT = 0.5;

const range = (n) => [...Array(n).keys()];

/** Every tuple of `n` out of some values, in lexicographic order. */
function tuples(values, n) {
  return n === 0 ? [[]] : values.flatMap((value) => tuples(values, n - 1).map((rest) => [value, ...rest]));
}

/** Scores for every order of some cells, ties included; and where asked, for every cut of it by 0.5. */
function scoreRows(n, isCut) {
  const step = n < 5 ? 10 : 1;
  const levels = tuples(range(n), n).filter((row) => row.every((_, i) => i > Math.max(...row) || row.includes(i)));
  const rows = levels.flatMap((row) =>
    (isCut ? range(Math.max(...row) + 2) : [n]).map((below) =>
      row.map((level) => (step * (level + 1) + 50 * Number(level >= below)) / 100),
    ),
  );
  const byText = new Map(rows.map((row) => [row.map((score) => score.toFixed(2)).join(), row]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Every prediction, or all scores, that must be tried. */
function others(nSamples, nLabels, metrics) {
  const fold = (cells) => range(nSamples).map((i) => cells.slice(i * nLabels, (i + 1) * nLabels));
  if (metrics.every((metric) => metric.reads === "y_pred")) {
    return tuples([0, 1], nSamples * nLabels).map((cells) => ({ prediction: fold(cells) }));
  }
  const isHeld = metrics.some((metric) => metric.reads === "y_score" && metric.along === "label");
  const isCut = metrics.some((metric) => metric.reads === "y_pred");
  if (isHeld && isCut && nSamples * nLabels > MOST) return [];
  const rows = scoreRows(isHeld ? nSamples * nLabels : nLabels, isCut);
  const worlds = isHeld ? rows.map(fold) : tuples(rows, nSamples);
  return worlds.map((scores) => ({
    scores, prediction: scores.map((row) => row.map((score) => Number(score >= CUT))),
  }));
}

/** The first two worlds that a and b put in opposite order, both strictly. */
function firstOpposed(a, b) {
  const steps = (values) => {
    const sorted = [...new Set(values.filter((value) => !Number.isNaN(value)))].sort((x, y) => x - y);
    return values.map((value) => sorted.findIndex((one) => Math.abs(one - value) < 1e-9));
  };
  const [stepsA, stepsB] = [steps(a), steps(b)];
  const known = range(a.length).filter((i) => stepsA[i] >= 0 && stepsB[i] >= 0);
  const opposed = (i, k) => (stepsA[i] - stepsA[k]) * (stepsB[i] - stepsB[k]) < 0;
  const kinds = new Map(known.map((i) => [`${stepsA[i]} ${stepsB[i]}`, i]));
  const one = known.find((i) => [...kinds.values()].some((k) => opposed(i, k)));
  return one === undefined ? null : [one, known.find((k) => opposed(one, k))];
}

/** A truth and two predictions, or scores, or null where there is none of these sizes. */
export function disagreement(a, b, chosen) {
  for (const [nSamples, nLabels] of SIZES) {
    const worlds = others(nSamples, nLabels, [a, b]);
    const rows = tuples([0, 1], nLabels);
    const inOrder = tuples(range(rows.length), nSamples).filter((tuple) => tuple.every((row, i) => i === 0 || tuple[i - 1] <= row));
    for (const truth of inOrder.map((tuple) => tuple.map((row) => rows[row]))) {
      const [valuesA, valuesB] = [a, b].map((metric) =>
        worlds.map((world) => float(solve(metric, { truth, ...world }, chosen).value) * (metric.higher ? 1 : -1)),
      );
      const found = firstOpposed(valuesA, valuesB);
      if (found) return { truth, first: worlds[found[0]], second: worlds[found[1]] };
    }
  }
  return null;
}
