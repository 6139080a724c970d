// What is on the screen, and what can be done to it. Nothing here draws.

import { exact, settings, text } from "./numbers.js";

// Indexed by 2 * truth + prediction; words, signs and colours are those of the figures.
export const MARKS = [
  { word: "rightly left out", symbol: "·" },
  { word: "false alarm", symbol: "✗" },
  { word: "miss", symbol: "○" },
  { word: "hit", symbol: "✓" },
];

export const kindOf = ({ y_true, y_pred }, i, j) => 2 * y_true[i][j] + y_pred[i][j];

/** The cuts that make a difference: each score, and one above them all. */
export function cuts({ y_score }) {
  const scores = [...new Set(y_score.flat())].sort((a, b) => a - b);
  return [...scores, scores.at(-1) + 1];
}

/** Predict what scores at least so much. */
export function cutAt(shown, cut) {
  shown.cut = cut;
  shown.y_pred = shown.y_score.map((row) => row.map((score) => Number(score >= cut)));
}

/** The labels of a sample from the top down; of tied ones the first first. */
export function order({ y_score }, i) {
  return y_score[i].map((_, j) => j).sort((a, b) => y_score[i][b] - y_score[i][a] || a - b);
}

/** Move a label to another place of its sample: the places keep their scores, and so their ties. */
export function move(shown, i, label, place) {
  const scores = order(shown, i).map((j) => shown.y_score[i][j]);
  const labels = order(shown, i).filter((j) => j !== label);
  labels.splice(place, 0, label);
  labels.forEach((j, at) => (shown.y_score[i][j] = scores[at]));
}

/** Tie a label with the one above it; a tied one is put below the others that share its score. */
export function tie(shown, i, label) {
  const row = shown.y_score[i];
  const isTied = row.some((score, j) => j !== label && score === row[label]);
  const higher = row.filter((score) => score > row[label]);
  const lower = row.filter((score) => score < row[label]);
  if (isTied) row[label] = lower.length ? (row[label] + Math.max(...lower)) / 2 : row[label] - 0.1;
  else if (higher.length) row[label] = Math.min(...higher);
}

const RELATIONS = {
  "=": (a, b) => a === b, "<": (a, b) => a < b, ">": (a, b) => a > b, "≤": (a, b) => a <= b,
};

/** Whether every condition of a challenge holds; what has no value meets none. */
export function meets(goals, values) {
  return goals.every(([key, relation, goal]) => RELATIONS[relation](size(values[key] ?? "nan"), size(goal)));
}

/** Text as a float: "1/2" is 0.5. */
export function size(value) {
  const [above, below = 1] = value.split("/").map(Number);
  return above / below;
}

/** "≈ 0.833", "= 0.5"; of what is whole, nothing. */
export function decimal(value) {
  if (!/[/.]/.test(value)) return "";
  const rounded = size(value).toFixed(3).replace(/\.?0+$/, "");
  return `${value.includes("/") && text(exact(rounded)) === value ? "=" : "≈"} ${rounded}`;
}

/** How far a value is from the lowest to the highest one, from 0 to 1. */
export function share(metric, value, nLabels, options) {
  const first = "start" in metric.options ? settings(metric, options).start - 1 : 0;
  const [low, high] = metric.range.map((end) => (end === "L" ? nLabels : end));
  const part = (size(value) - first - low) / (high - low);
  return Number.isFinite(part) ? Math.min(Math.max(part, 0), 1) : 0;
}

/** A metric's name with the value of its parameter: "precision at 2". */
export function named(metric, options) {
  const own = settings(metric, options);
  return Object.entries(metric.symbols).reduce(
    (name, [option, symbol]) => (name.endsWith(symbol) ? name.slice(0, -symbol.length) + own[option] : name),
    metric.name,
  );
}

/** A mean as it is written down, with its numbers put in: "(1/2 + 2/2) ÷ 2 = 3/4 = 0.75". */
export function equation({ terms, weights, value }) {
  const written = text(value);
  const kept = terms.map((term, i) => ({ ...term, weight: weights[i] })).filter((term) => text(term.value) !== "nan");
  if (!kept.length) return "Nothing is left to average: nan";
  const total = kept.reduce((sum, term) => sum + term.weight, 0);
  const even = total === 0 || kept.every((term) => term.weight === 1);
  const said = (term) => (term.undefined ? text(term.value) : term.written);
  const summed = kept.map((term) => (even ? said(term) : `${term.weight} × ${said(term)}`)).join(" + ");
  const left = kept.length === 1 && even ? said(kept[0]) : `(${summed}) ÷ ${even ? kept.length : total}`;
  return [left, ...(left === written ? [] : [`= ${written}`]), decimal(written)].join(" ").trim();
}
