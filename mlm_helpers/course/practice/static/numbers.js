// The metrics once more, for a page without a kernel: exact, by fractions of BigInt.
// What is known of a metric (its options, what it reads, along what it counts) is given as a record.

// ---------------------------------------------------------------------------- fractions

const gcd = (a, b) => (b === 0n ? a : gcd(b, a % b));

/** A reduced fraction of two BigInts; a float stays a float, and NaN is no value. */
export function fraction(above, below = 1n) {
  const shared = gcd(above < 0n ? -above : above, below);
  return { above: above / shared, below: below / shared };
}

/** A number as it is written: 0.1 is 1/10. Ranks come in halves, options in decimals. */
export function exact(number) {
  const [whole, decimals = ""] = String(number).split(".");
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}

const ZERO = fraction(0n);
const ONE = fraction(1n);
const isFloat = (value) => typeof value === "number";

export const float = (value) => (isFloat(value) ? value : Number(value.above) / Number(value.below));

function plus(a, b) {
  if (isFloat(a) || isFloat(b)) return float(a) + float(b);
  return fraction(a.above * b.below + b.above * a.below, a.below * b.below);
}

function times(a, b) {
  if (isFloat(a) || isFloat(b)) return float(a) * float(b);
  return fraction(a.above * b.above, a.below * b.below);
}

/** Divide by what is more than 0. */
function over(a, b) {
  if (isFloat(a) || isFloat(b)) return float(a) / float(b);
  return fraction(a.above * b.below, a.below * b.above);
}

const sum = (values) => values.reduce(plus, ZERO);
const greater = (a, b) => float(a) > float(b);

/** "19/30", "1", "nan"; where logarithms stay, six decimals. */
export function text(value) {
  if (isFloat(value)) return Number.isNaN(value) ? "nan" : value.toFixed(6);
  return value.below === 1n ? `${value.above}` : `${value.above}/${value.below}`;
}

// ---------------------------------------------------------------------------- ratios of four counts

/** Part and whole of (1 + β²) TP / ((1 + β²) TP + β² FN + FP), in whole numbers. */
function fbeta({ tp, fp, fn }, { beta }) {
  const square = times(exact(beta), exact(beta));
  const [most, least] = [Number(square.above), Number(square.below)];
  const part = (most + least) * tp;
  return [part, part + most * fn + least * fp];
}

const jaccard = ({ tp, fp, fn }) => [tp, tp + fp + fn];
const precision = ({ tp, fp }) => [tp, tp + fp];
const recall = ({ tp, fn }) => [tp, tp + fn];
const f1 = (counts) => fbeta(counts, { beta: 1 });

const RATIOS = {
  "exact_match.subset_accuracy": ({ fp, fn }) => [Number(fp + fn === 0), 1],
  "exact_match.zero_one_loss": ({ fp, fn }) => [Number(fp + fn > 0), 1],
  "hamming.hamming_loss": ({ tp, fp, fn, tn }) => [fp + fn, tp + fp + fn + tn],
  "example_based.accuracy": jaccard,
  "example_based.precision": precision,
  "example_based.recall": recall,
  "example_based.f1": f1,
  "example_based.fbeta": fbeta,
  "label_based.precision": precision,
  "label_based.recall": recall,
  "label_based.f1": f1,
  "label_based.fbeta": fbeta,
  "label_based.jaccard": jaccard,
};

function count(cells) {
  const number = (truth, said) =>
    cells.filter((cell) => cell.truth === truth && cell.said === said).length;
  return { tp: number(1, 1), fp: number(0, 1), fn: number(1, 0), tn: number(0, 0) };
}

function divide(ratio, cells, options) {
  const counts = count(cells);
  const [part, whole] = ratio(counts, options);
  const written = `${part}/${whole}`;
  if (whole > 0) return { written, value: fraction(BigInt(part), BigInt(whole)) };
  const empty = counts.tp + counts.fp + counts.fn === 0;
  const agreed = options.zero_division === "agree" ? Number(empty) : options.zero_division;
  return { written, value: worth(agreed), undefined: true };
}

const worth = (option) => (option === "nan" ? NaN : exact(option));

// ---------------------------------------------------------------------------- readings of ranks

/** What a cell loses to another: 1 where the other scores more; of a tie, what `ties` says. */
function loss(one, other, ties) {
  if (one.score !== other.score) return Number(one.score < other.score);
  if (ties === "first") return Number(other.place < one.place);
  if (ties === "last") return Number(other.place > one.place);
  return { worst: 1, best: 0, average: 0.5 }[ties];
}

/** The rank of a cell among others: 1, and what it loses to each. */
export function rank(one, others, ties) {
  const lost = others.filter((other) => other !== one).map((other) => loss(one, other, ties));
  return lost.reduce((a, b) => a + b, 1);
}

const relevant = (cells) => cells.filter((cell) => cell.truth === 1);
const irrelevant = (cells) => cells.filter((cell) => cell.truth === 0);
const mean = (values) => over(sum(values), exact(values.length));

function coverage(cells, { start, ties }) {
  const found = relevant(cells);
  const depths = found.map((cell) => rank(cell, cells, ties));
  return found.length ? exact(Math.max(...depths) - 1 + start) : null;
}

function oneError(cells, { ties }) {
  if (!relevant(cells).length) return null;
  const [top] = firstGroups(cells, ties, 1);
  const share = fraction(BigInt(irrelevant(top).length), BigInt(top.length));
  if (ties === "worst") return share.above > 0n ? ONE : ZERO;
  if (ties === "best") return share.above === share.below ? ONE : ZERO;
  return share;
}

/** How much is lost in all pairs of a relevant and an irrelevant cell, and the number of pairs. */
function pairs(cells, ties) {
  const others = irrelevant(cells);
  const losses = relevant(cells).flatMap((one) => others.map((other) => loss(one, other, ties)));
  return [losses.reduce((a, b) => a + b, 0), losses.length];
}

function rankingLoss(cells, { ties }) {
  const [lost, number] = pairs(cells, ties);
  return number ? over(exact(lost), exact(number)) : null;
}

function rocAuc(cells) {
  const [lost, number] = pairs(cells, "average");
  return number ? over(exact(number - lost), exact(number)) : null;
}

/** The share of relevant cells down to one of them. */
function shareDownTo(one, cells, ties) {
  return over(exact(rank(one, relevant(cells), ties)), exact(rank(one, cells, ties)));
}

function averagePrecision(cells, { ties, interpolation = null }) {
  const found = relevant(cells);
  if (!found.length) return null;
  const shares = found.map((one) => shareDownTo(one, cells, ties));
  if (interpolation === null) return mean(shares);
  const inLine = ties === "first" || ties === "last";
  const below = (one, other) => (inLine ? loss(other, one, ties) === 1 : other.score <= one.score);
  const largest = found.map((one) =>
    shares.filter((_, i) => found[i] === one || below(one, found[i]))
      .reduce((a, b) => (greater(b, a) ? b : a)),
  );
  if (interpolation === "all") return mean(largest);
  const down = found.map((one, i) => [rank(one, found, inLine ? ties : "first"), largest[i]]);
  const best = down.sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
  const steps = interpolation - 1; // recall 0, 1/steps, …, 1: the first positive that reaches it
  const at = (level) => Math.max(Math.ceil((level * found.length) / steps), 1) - 1;
  return mean(Array.from({ length: interpolation }, (_, level) => best[at(level)]));
}

/** Cells from the top down, those of one rank together, until there are k of them. */
function firstGroups(cells, ties, k) {
  const ranks = new Map(cells.map((cell) => [cell, rank(cell, cells, ties)]));
  const levels = [...new Set(ranks.values())].sort((a, b) => a - b);
  const groups = [];
  for (const level of levels) {
    groups.push(cells.filter((cell) => ranks.get(cell) === level));
    if (groups.flat().length >= k) break;
  }
  return groups;
}

/** How much of a hit stands at each of the first k places. */
function seats(cells, { ties, k }) {
  const hits = firstGroups(cells, ties, k).flatMap((tied) => {
    const found = relevant(tied).length;
    if (ties === "average") return tied.map(() => fraction(BigInt(found), BigInt(tied.length)));
    const seated = tied.map((_, place) => (place < found ? ONE : ZERO));
    return ties === "worst" ? seated.reverse() : seated;
  });
  return hits.slice(0, k);
}

const precisionAt = (cells, options) => over(sum(seats(cells, options)), exact(options.k));

function recallAt(cells, options) {
  const found = relevant(cells).length;
  return found ? over(sum(seats(cells, options)), exact(found)) : null;
}

function ndcgAt(cells, options) {
  const found = relevant(cells).length;
  if (!found) return null;
  const best = Array(Math.min(options.k, found)).fill(ONE);
  return quotient(discounted(seats(cells, options)), discounted(best));
}

/** Hits divided by the logarithms of their places, by base: log2(9) is 2 log2(3). */
function discounted(hits) {
  const ofBase = new Map();
  hits.forEach((hit, i) => {
    if (hit.above === 0n) return;
    const [base, power] = smallestBase(i + 2);
    ofBase.set(base, plus(ofBase.get(base) ?? ZERO, over(hit, exact(power))));
  });
  return ofBase;
}

function smallestBase(number) {
  for (let base = 2; ; base++) {
    const power = Math.round(Math.log(number) / Math.log(base));
    if (base ** power === number) return [base, power];
  }
}

/** Exact where the logarithms cancel; a float where they stay. */
function quotient(found, most) {
  const shares = [...most].map(([base, hits]) => over(found.get(base) ?? ZERO, hits));
  const alike = new Set(shares.map(text)).size === 1;
  if (alike && [...found.keys()].every((base) => most.has(base))) return shares[0];
  const total = (ofBase) => [...ofBase].reduce((a, [base, hits]) => a + float(hits) / Math.log2(base), 0);
  return total(found) / total(most);
}

const READINGS = {
  "ranking.coverage": coverage,
  "ranking.one_error": oneError,
  "ranking.ranking_loss": rankingLoss,
  "ranking.average_precision": averagePrecision,
  "curves.average_precision": averagePrecision,
  "curves.roc_auc": rocAuc,
  "top_k.precision": precisionAt,
  "top_k.recall": recallAt,
  "top_k.ndcg": ndcgAt,
};

function readOff(reading, cells, options) {
  const found = reading(cells, options);
  if (found !== null) return { written: text(found), value: found };
  return { written: "0/0", value: worth(options.undefined), undefined: true };
}

// ---------------------------------------------------------------------------- from cells to a number

/** The cells that a metric takes together: rows, columns, or for micro all of them. */
function lists(metric, { truth, prediction, scores }) {
  const rows = truth.map((row, i) =>
    row.map((cell, j) => ({
      truth: cell, said: prediction?.[i][j], score: scores?.[i][j], place: i * row.length + j,
    })),
  );
  if (metric.along === "sample") return rows;
  return metric.average === "micro" ? [rows.flat()] : rows[0].map((_, j) => rows.map((row) => row[j]));
}

function average(terms, weights) {
  const kept = terms.map((term, i) => [term.value, weights[i]]).filter(([value]) => !Number.isNaN(value));
  const total = sum(kept.map(([, weight]) => exact(weight)));
  if (!kept.length) return NaN;
  if (total.above === 0n) return mean(kept.map(([value]) => value));
  return over(sum(kept.map(([value, weight]) => times(value, exact(weight)))), total);
}

/** The options of a metric: its own, but for those that are chosen. */
export function settings(metric, chosen) {
  const taken = Object.entries(chosen ?? {}).filter(([name]) => name in metric.options);
  return { ...metric.options, ...Object.fromEntries(taken) };
}

/** Whether the number can be found without a kernel. */
export const isKnown = (metric) => metric.id in RATIOS || metric.id in READINGS;

/** The value of each sample or label (a term), what each weighs, and their average. */
export function solve(metric, world, chosen) {
  const options = settings(metric, chosen);
  const parts = lists(metric, world);
  const terms = parts.map((cells) =>
    metric.id in RATIOS
      ? divide(RATIOS[metric.id], cells, options)
      : readOff(READINGS[metric.id], cells, options),
  );
  const weighted = metric.average === "weighted";
  const weights = parts.map((cells) => (weighted ? relevant(cells).length : 1));
  return { terms, weights, value: average(terms, weights) };
}

/** Every metric's number as text, by its key: {"example_based.f1": "19/30", …}. */
export function compute(truth, prediction, scores, options) {
  const { metrics, ...chosen } = options;
  const asked = metrics.filter((metric) => isKnown(metric) && (metric.reads === "y_pred" ? prediction : scores));
  const world = { truth, prediction, scores };
  return Object.fromEntries(asked.map((metric) => [metric.key, text(solve(metric, world, chosen).value)]));
}
