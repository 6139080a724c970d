// The explorer on a page: a grid to click, a cut to slide, ranks to move, and every metric beside it;
// and a quiz. One module that imports nothing, so that a widget, a page and a deck can hold it as it is:
// mount, mountQuiz and the widget's render. It counts in exact fractions. A record says what is known of
// a metric: its options, what it reads, along what it counts.

// ---------------------------------------------------------------------------- fractions

const gcd = (a, b) => (b === 0n ? a : gcd(b, a % b));

/** A reduced fraction of two BigInts; a float stays a float, and NaN is no value. */
function fraction(above, below = 1n) {
  const shared = gcd(above < 0n ? -above : above, below);
  return { above: above / shared, below: below / shared };
}

/** A number as it is written: 0.1 is 1/10. Ranks come in halves, options in decimals. */
function exact(number) {
  const [whole, decimals = ""] = String(number).split(".");
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}

const ZERO = fraction(0n);
const ONE = fraction(1n);
const isFloat = (value) => typeof value === "number";

/** The nearest float; of parts that no float holds, only the first thousand bits count. */
function float(value) {
  if (isFloat(value)) return value;
  const longer = value.below >> 1000n ? BigInt(value.below.toString(2).length - 1000) : 0n;
  return Number(value.above >> longer) / Number(value.below >> longer);
}

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
function text(value) {
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
const specificity = ({ fp, tn }) => [tn, tn + fp];
const negativePredictiveValue = ({ fn, tn }) => [tn, tn + fn];
const balancedAccuracy = ({ tp, fp, fn, tn }) => [tp * (tn + fp) + tn * (tp + fn), 2 * (tp + fn) * (tn + fp)];
const matthews = ({ tp, fp, fn, tn }) => [tp * tn - fp * fn, Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))];
const kappa = ({ tp, fp, fn, tn }) => [2 * (tp * tn - fp * fn), (tp + fp) * (tn + fp) + (tp + fn) * (tn + fn)];

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
  "label_based.specificity": specificity,
  "label_based.negative_predictive_value": negativePredictiveValue,
  "label_based.balanced_accuracy": balancedAccuracy,
  "label_based.matthews_correlation": matthews,
  "label_based.kappa": kappa,
};

function count(cells) {
  const number = (truth, said) =>
    cells.filter((cell) => cell.truth === truth && cell.said === said).length;
  return { tp: number(1, 1), fp: number(0, 1), fn: number(1, 0), tn: number(0, 0) };
}

function divide(ratio, cells, options) {
  const counts = count(cells);
  const [part, whole] = ratio(counts, options);
  if (!Number.isInteger(whole)) return { written: text(part / whole), value: part / whole }; // a root
  const written = `${part}/${whole}`;
  if (whole > 0) return { written, value: fraction(BigInt(part), BigInt(whole)) };
  const isRight = counts.fp + counts.fn === 0;
  const agreed = options.zero_division === "agree" ? Number(isRight) : options.zero_division;
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
function rank(one, others, ties) {
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

/** The mean loss of some cells, whose scores are probabilities. */
const meanOf = (cost) => (cells) => cells.map(cost).reduce((a, b) => a + b, 0) / cells.length;

/** The probability that a cell gives to what is true, not quite 0 or 1. */
const given = ({ truth, score }) => Math.min(Math.max(truth ? score : 1 - score, Number.EPSILON), 1 - Number.EPSILON);

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
  "probability.brier": meanOf(({ truth, score }) => (score - truth) ** 2),
  "probability.log_loss": meanOf((cell) => -Math.log(given(cell))),
};

function readOff(reading, cells, options) {
  const found = reading(cells, options);
  if (found !== null) return { written: text(found), value: found };
  return { written: "0/0", value: worth(options.undefined), undefined: true };
}

// ---------------------------------------------------------------------------- from cells to a number

/** The cells that a metric takes together: rows, columns, or for micro all of them. */
function lists(metric, { y_true, y_pred, y_score }) {
  const rows = y_true.map((row, i) =>
    row.map((truth, j) => ({ truth, said: y_pred?.[i][j], score: y_score?.[i][j], place: i * row.length + j })),
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
function settings(metric, chosen) {
  const taken = Object.entries(chosen ?? {}).filter(([name]) => name in metric.options);
  return { ...metric.options, ...Object.fromEntries(taken) };
}

/** Whether the explorer can count a metric. */
const isCounted = (metric) => metric.id in RATIOS || metric.id in READINGS;

/** The value of each sample or label (a term), what each weighs, and their average. */
function solve(metric, world, chosen) {
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
function compute(shown, metrics) {
  const asked = metrics.filter((metric) => isCounted(metric) && shown[metric.reads]);
  return Object.fromEntries(asked.map((metric) => [metric.key, text(solve(metric, shown, shown.options).value)]));
}

// ============================================================================ the smallest data on which two metrics disagree

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
function predictions(nSamples, nLabels, metrics) {
  const fold = (cells) => range(nSamples).map((i) => cells.slice(i * nLabels, (i + 1) * nLabels));
  if (metrics.every((metric) => metric.reads === "y_pred")) {
    return tuples([0, 1], nSamples * nLabels).map((cells) => ({ y_pred: fold(cells) }));
  }
  const isHeld = metrics.some((metric) => metric.reads === "y_score" && metric.along === "label");
  const isCut = metrics.some((metric) => metric.reads === "y_pred");
  if (isHeld && isCut && nSamples * nLabels > MOST) return [];
  const rows = scoreRows(isHeld ? nSamples * nLabels : nLabels, isCut);
  const worlds = isHeld ? rows.map(fold) : tuples(rows, nSamples);
  return worlds.map((y_score) => ({ y_score, y_pred: y_score.map((row) => row.map((score) => Number(score >= CUT))) }));
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

/** Twice the same truth with predictions or scores, or null where there are none of these sizes. */
function disagreement(a, b, chosen) {
  for (const [nSamples, nLabels] of SIZES) {
    const worlds = predictions(nSamples, nLabels, [a, b]);
    const rows = tuples([0, 1], nLabels);
    const inOrder = tuples(range(rows.length), nSamples).filter((tuple) => tuple.every((row, i) => i === 0 || tuple[i - 1] <= row));
    for (const y_true of inOrder.map((tuple) => tuple.map((row) => rows[row]))) {
      const [valuesA, valuesB] = [a, b].map((metric) =>
        worlds.map((world) => float(solve(metric, { y_true, ...world }, chosen).value) * (metric.higher ? 1 : -1)),
      );
      const found = firstOpposed(valuesA, valuesB);
      if (found) return found.map((i) => ({ y_true, ...worlds[i] }));
    }
  }
  return null;
}

// ============================================================================ what is on the screen

// Indexed by 2 * truth + prediction; words, signs and colours are those of the figures.
const MARKS = [
  { word: "rightly left out", symbol: "·" },
  { word: "false alarm", symbol: "✗" },
  { word: "miss", symbol: "○" },
  { word: "hit", symbol: "✓" },
];

const kindOf = ({ y_true, y_pred }, i, j) => 2 * y_true[i][j] + y_pred[i][j];

/** The cuts that make a difference: each score, and one above them all. */
function cuts({ y_score }) {
  const scores = [...new Set(y_score.flat())].sort((a, b) => a - b);
  return [...scores, scores.at(-1) + 1];
}

/** Predict what scores at least so much. */
function cutAt(shown, cut) {
  shown.cut = cut;
  shown.y_pred = shown.y_score.map((row) => row.map((score) => Number(score >= cut)));
}

/** The labels of a sample from the top down; of tied ones the first first. */
function order({ y_score }, i) {
  return y_score[i].map((_, j) => j).sort((a, b) => y_score[i][b] - y_score[i][a] || a - b);
}

/** Move a label to another place of its sample: the places keep their scores, and so their ties. */
function move(shown, i, label, place) {
  const scores = order(shown, i).map((j) => shown.y_score[i][j]);
  const labels = order(shown, i).filter((j) => j !== label);
  labels.splice(place, 0, label);
  labels.forEach((j, at) => (shown.y_score[i][j] = scores[at]));
}

/** Tie a label with the one above it; a tied one is put below the others that share its score. */
function tie(shown, i, label) {
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
function meets(goals, values) {
  return goals.every(([key, relation, goal]) => RELATIONS[relation](size(values[key] ?? "nan"), size(goal)));
}

/** Text as a float: "1/2" is 0.5. */
function size(value) {
  const [above, below] = value.split("/");
  return below ? float(fraction(BigInt(above), BigInt(below))) : Number(value);
}

/** "≈ 0.833", "= 0.5"; of what is whole, nothing. */
function decimal(value) {
  if (!/[/.]/.test(value)) return "";
  const rounded = size(value).toFixed(3).replace(/\.?0+$/, "");
  return `${value.includes("/") && text(exact(rounded)) === value ? "=" : "≈"} ${rounded}`;
}

/** How far a value is from the lowest to the highest one, from 0 to 1. */
function share(metric, value, nLabels, options) {
  const first = "start" in metric.options ? settings(metric, options).start - 1 : 0;
  const [low, high] = metric.range.map((end) => (end === "L" ? nLabels : end));
  const part = (size(value) - first - low) / (high - low);
  return Number.isFinite(part) ? Math.min(Math.max(part, 0), 1) : 0;
}

/** A metric's name with the value of its parameter: "precision at 2". */
function named(metric, options) {
  const own = settings(metric, options);
  return Object.entries(metric.symbols).reduce(
    (name, [option, symbol]) => (name.endsWith(symbol) ? name.slice(0, -symbol.length) + own[option] : name),
    metric.name,
  );
}

/** A mean as it is written down, with its numbers put in: "(1/2 + 2/2) ÷ 2 = 3/4 = 0.75". */
function equation({ terms, weights, value }) {
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

// ============================================================================ the parts of the page

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const SIDES = { p: "y_pred", t: "y_true" };

const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const short = (score) => String(Number(score.toFixed(3)));

/** An element with its attributes and what is in it; a function is what happens at an event. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const button = (words, click, attributes = {}) =>
  make("button", { type: "button", click, ...attributes }, words);

/** A list to choose from, with its words before it. */
function choice(words, choices, change = () => {}) {
  const options = choices.map(([value, name]) => make("option", { value }, name));
  const list = make("select", { "aria-label": words, change: () => change(list.value) }, ...options);
  return { list, label: make("label", {}, `${words} `, list) };
}

/** What the signs of the cells mean; one that is empty needs no words. */
function legend(marks) {
  const signed = Object.entries(marks).filter(([, { symbol }]) => symbol);
  const items = signed.map(([kind, { word, symbol }]) =>
    make("li", {}, make("span", { class: `mlm-cell mlm-kind-${kind}`, "aria-hidden": "true" }, symbol), ` ${word}`),
  );
  return make("ul", { class: "mlm-key" }, ...items);
}

/** Take a key for oneself: a notebook has keys of its own. */
function taken(event, act) {
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** The grid: `flip(i, j, side)` changes a cell; without a side, the one that is chosen. */
function grid(flip) {
  const element = make("table", { role: "grid", class: "mlm-grid", "aria-label": "Truth and prediction" });
  let cells = [];
  let here = null; // the one cell that Tab goes to; arrows lead to the others
  let names = "";

  function goTo(cell) {
    if (!cell) return;
    here.tabIndex = -1;
    here = cell;
    here.tabIndex = 0;
    here.focus();
  }

  function makeCell(i, j) {
    const keydown = (event) => {
      const [down, right] = ARROWS[event.key] ?? [];
      const side = SIDES[event.key.toLowerCase()];
      if (side) taken(event, () => flip(i, j, side));
      else if (down !== undefined) taken(event, () => goTo(cells[i + down]?.[j + right]));
    };
    const click = () => {
      goTo(cells[i][j]);
      flip(i, j);
    };
    return make("button", { type: "button", tabindex: -1, click, keydown });
  }

  function makeCells({ labels, samples }) {
    cells = samples.map((_, i) => labels.map((_, j) => makeCell(i, j)));
    [[here]] = cells;
    here.tabIndex = 0;
    const heads = labels.map((label) => make("th", { scope: "col" }, label));
    const rows = cells.map((row, i) =>
      make("tr", {}, make("th", { scope: "row" }, samples[i]), ...row.map((cell) => make("td", {}, cell))),
    );
    const head = make("thead", {}, make("tr", {}, make("td"), ...heads));
    element.replaceChildren(head, make("tbody", {}, ...rows));
  }

  function drawCell(cell, shown, i, j) {
    const { word, symbol } = MARKS[kindOf(shown, i, j)];
    cell.className = `mlm-cell mlm-kind-${kindOf(shown, i, j)}`;
    cell.setAttribute("aria-label", `${shown.samples[i]}, ${shown.labels[j]}: ${word}`);
    const score = shown.y_score ? [make("small", {}, short(shown.y_score[i][j]))] : [];
    cell.replaceChildren(symbol, ...score);
  }

  function draw(shown) {
    const now = JSON.stringify([shown.labels, shown.samples]);
    if (now !== names) makeCells(shown);
    names = now;
    cells.forEach((row, i) => row.forEach((cell, j) => drawCell(cell, shown, i, j)));
  }

  return { element, draw };
}

/** The labels of one sample by rank, to drag, or to select and then move by keys or buttons. */
function ranking(moveTo, tie) {
  const list = make("ol", { class: "mlm-order", pointerup: drop });
  const sample = choice("Ranks of", [], (i) => draw(shown, Number(i)));
  const steps = [
    button("Up", () => moveBy(-1)), button("Down", () => moveBy(1)),
    button("Tie with the one above, or untie", () => tie(at, label)),
  ];
  const hint = make("p", { class: "mlm-near" }, "Drag a label, or select it: the keys ↑ and ↓ move it, = ties it with the one above.");
  const element = make("div", { class: "mlm-ranks" }, sample.label, hint, list, make("div", { class: "mlm-steps" }, ...steps));
  let [at, label, dragged, shown] = [0, 0, null, null];

  const placeOf = (one) => list.querySelector(`[data-label="${one}"]`);

  function moveBy(step) {
    const place = order(shown, at).indexOf(label) + step;
    if (place >= 0 && place < shown.labels.length) moveTo(at, label, place);
  }

  function drop(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-label]");
    const isMove = dragged !== null && list.contains(under) && under !== placeOf(dragged);
    if (isMove) moveTo(at, dragged, order(shown, at).indexOf(Number(under.dataset.label)));
    dragged = null;
  }

  function keydown(event) {
    const act = { ArrowUp: () => moveBy(-1), ArrowDown: () => moveBy(1), "=": () => tie(at, label) }[event.key];
    if (act) label = Number(event.currentTarget.dataset.label);
    taken(event, act);
  }

  function makePlace(one, stands) {
    const isRelevant = shown.y_true[at][one] === 1;
    const score = short(shown.y_score[at][one]);
    const select = () => draw(shown, at, one);
    const said = `rank ${stands}, ${shown.labels[one]}, ${isRelevant ? "relevant" : "irrelevant"}, score ${score}`;
    const place = button(`${stands}  ${shown.labels[one]} ${isRelevant ? "★ " : ""}`, select, {
      keydown, pointerdown: () => (dragged = one), "data-label": one, "aria-pressed": one === label, "aria-label": said,
    });
    place.append(make("small", {}, score));
    return make("li", {}, place);
  }

  /** Show a sample, and select one of its labels; by default those that are chosen already. */
  function draw(now, i = at, one = label) {
    element.hidden = now.y_score === null;
    if (element.hidden) return;
    [shown, at, label] = [now, i < now.samples.length ? i : 0, one < now.labels.length ? one : 0];
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.label : null;
    const cells = shown.y_score[at].map((score, place) => ({ score, place }));
    const stands = cells.map((cell) => rank(cell, cells, shown.options.ties ?? "worst"));
    sample.list.replaceChildren(...shown.samples.map((name, value) => make("option", { value }, name)));
    sample.list.value = at;
    list.replaceChildren(...order(shown, at).map((j) => makePlace(j, stands[j])));
    if (focused !== null) placeOf(focused)?.focus();
  }

  return { element, draw };
}

/** Metrics with their bars: the first ones and the one in focus in view, the others folded by family; and the
 * formula of the one in focus. `look(key)` is asked for another. */
function numbers(metrics, first, look) {
  const rows = new Map(metrics.map((metric) => [metric.key, makeRow(metric)]));
  const families = [...new Set(metrics.map(({ family }) => family))].map((family) => {
    const [body, name] = [make("tbody"), make("summary", {}, family)];
    const table = make("table", { class: "mlm-metrics", "aria-label": family }, body);
    return { family, body, name, fold: make("details", {}, name, table) };
  });
  const body = make("tbody");
  const table = make("table", { class: "mlm-metrics", "aria-label": "Metrics in view" }, body);
  const folded = make("div", {}, ...families.map(({ fold }) => fold));
  const focus = make("div", { class: "mlm-focus", role: "region", tabindex: 0, "aria-label": "The metric in focus" });

  function makeRow({ key, higher }) {
    const [name, filled, near] = [make("span"), make("span"), make("span", { class: "mlm-near" })];
    const value = make("span", { "data-metric": key });
    const way = higher ? "higher is better" : "lower is better";
    const one = button(name, () => look(key), { title: way });
    one.append(higher ? "\u00a0↑" : "\u00a0↓");
    const bar = make("span", { class: "mlm-bar", "aria-hidden": "true" }, filled);
    const row = make("tr", {}, make("th", { scope: "row" }, one), make("td", {}, bar), make("td", {}, value, " ", near));
    return { row, one, name, filled, value, near };
  }

  function drawRow(metric, shown, values) {
    const { row, name, filled, value, near } = rows.get(metric.key);
    const number = values[metric.key];
    row.hidden = metric.reads === "y_score" && shown.y_score === null;
    name.textContent = named(metric, shown.options);
    value.textContent = value.dataset.value = number ?? "";
    near.textContent = number ? decimal(number) : "";
    filled.style.width = number ? `${100 * share(metric, number, shown.labels.length, shown.options)}%` : 0;
  }

  function lines(metric, { terms }, { samples, labels }) {
    const names = metric.along === "sample" ? samples : metric.average === "micro" ? ["all cells"] : labels;
    return terms.map((term, i) => {
      const worth = text(term.value) === "nan" ? "left out" : `taken as ${text(term.value)}`;
      return make("li", {}, `${names[i]}: ${term.written}${term.undefined ? `, ${worth}` : ""}`);
    });
  }

  /** In words, what the catalogue has no formula of. */
  function interpolated(points) {
    const recalls = points === "all" ? "that are reached" : `0, 1/${points - 1}, …, 1`;
    return `The mean, over the recalls ${recalls}, of the largest precision there or beyond.`;
  }

  function drawFocus(metric, shown) {
    const title = make("p", {}, make("strong", {}, named(metric, shown.options)), ` ${metric.id}`);
    const { interpolation } = settings(metric, shown.options);
    if (interpolation) focus.replaceChildren(make("p", {}, interpolated(interpolation)));
    else focus.innerHTML = metric.formula; // the catalogue's own
    focus.prepend(title);
    const solved = solve(metric, shown, shown.options);
    focus.append(make("ul", {}, ...lines(metric, solved, shown)), make("p", { class: "mlm-sum" }, equation(solved)));
  }

  /** Show the numbers; `moved` are the keys of those that changed, to be counted at each folded family. */
  function draw(shown, values, key, moved = []) {
    for (const metric of metrics) {
      drawRow(metric, shown, values);
      rows.get(metric.key).one.setAttribute("aria-pressed", metric.key === key);
    }
    const inView = metrics.filter((metric) => first.includes(metric.key) || metric.key === key);
    const active = document.activeElement;
    fill(body, inView);
    for (const one of families) {
      const own = metrics.filter((metric) => metric.family === one.family && !inView.includes(metric));
      const n = own.filter((metric) => moved.includes(metric.key)).length;
      fill(one.body, own);
      one.name.textContent = `${one.family}${n ? `: ${n} changed` : ""}`;
      one.fold.hidden = own.every((metric) => rows.get(metric.key).row.hidden);
    }
    if (table.contains(active)) active.focus(); // a row that was moved into view
    drawFocus(metrics.find((metric) => metric.key === key), shown);
  }

  /** Put rows into a part of a table, if others stand there. */
  function fill(place, own) {
    const wanted = own.map((metric) => rows.get(metric.key).row);
    if (wanted.length !== place.rows.length || wanted.some((row, i) => row !== place.rows[i])) place.replaceChildren(...wanted);
  }

  return { table, folded, focus, draw };
}

// ============================================================================ the explorer

const FIRST = ["example_based.f1", "exact_match.subset_accuracy", "hamming.hamming_loss"]; // what is looked at first
const ORDINALS = ["first", "second"];

const copy = (value) => JSON.parse(JSON.stringify(value));
let mounted = 0;

/** Put an explorer into an element; `page` is what Python's function of that name gives; each change is told. */
export function mount(element, page, changed = () => {}) {
  const { challenges } = page;
  const metrics = page.metrics.filter(isCounted);
  const uncounted = page.metrics.filter((metric) => !isCounted(metric)).map(({ name }) => name);
  const ofKey = new Map(metrics.map((metric) => [metric.key, metric]));
  const inView = [...(page.first ?? FIRST)];
  let shown = copy(page.shown);
  let values = {};
  let side = "y_pred"; // what a click changes
  let focus = inView[0];
  let both = null; // the two predictions of a disagreement

  // -------------------------------------------------------------------------- what happens

  const reads = (metric) => metric.reads === "y_pred" || shown.y_score !== null;
  const nameOf = (key) => named(ofKey.get(key), shown.options);
  const goalsOf = (name) => challenges.find(({ says }) => says === name)?.goals ?? [];

  /** Count anew, and show it. */
  function count() {
    shown.options.k = Math.min(shown.options.k ?? 1, shown.labels.length);
    if (!reads(ofKey.get(focus))) focus = FIRST[0];
    const before = values;
    values = compute(shown, metrics);
    draw(metrics.map(({ key }) => key).filter((key) => key in before && key in values && before[key] !== values[key]));
  }

  /** Change what is shown, count, tell of it, and say what became of the numbers. */
  function change(words, act) {
    const before = values;
    act();
    count();
    changed(copy(shown));
    const moved = metrics.filter(({ key }) => key in before && key in values && before[key] !== values[key]);
    const counted = moved.length ? `${plural(moved.length, "metric")} changed.` : "No metric changed.";
    said.textContent = `${words} ${became(before[focus])} ${counted}${reached()}`;
  }

  function became(old) {
    const now = values[focus];
    return `${nameOf(focus)} ${old === now || old === undefined ? `is ${now}` : `was ${old}, is ${now}`}.`;
  }

  function reached() {
    const goals = goalsOf(challenge.list.value);
    return goals.length ? (meets(goals, values) ? " Challenge met." : " The challenge is open.") : "";
  }

  /** What is asked for, and how far it is. */
  function challenged(says) {
    const now = goalsOf(says).map(([key]) => `${nameOf(key)} is ${values[key]}`);
    said.textContent = says ? `Reach: ${says}. Now ${now.join(", ")}.${reached()}` : "No challenge.";
  }

  function flip(i, j, which = side) {
    const outcome = MARKS[kindOf(shown, i, j) ^ (which === "y_true" ? 2 : 1)].word;
    change(`${shown.samples[i]}, ${shown.labels[j]}: ${outcome}.`, () => {
      shown[which][i][j] = 1 - shown[which][i][j];
      if (which === "y_pred") shown.cut = null;
    });
  }

  /** Change the scores of a sample; the cut, where one stands, cuts them anew. */
  function rescore(words, act) {
    change(words, () => {
      act();
      if (shown.cut !== null) cutAt(shown, shown.cut);
    });
  }

  /** Show other data, under the conventions that are chosen. */
  function replace(words, start) {
    change(words, () => (shown = { ...copy(start), options: shown.options }));
  }

  function startAgain() {
    challenge.list.value = "";
    tell();
    inView.splice(0, inView.length, ...(page.first ?? FIRST));
    [focus] = inView;
    replace("The start.", page.shown);
  }

  function search() {
    const keys = [first.list.value, second.list.value];
    const pair = keys.map((key) => ofKey.get(key));
    if (keys[0] === keys[1]) return tell("Choose two different metrics.");
    tell("Looking at all small data …");
    return setTimeout(() => found(disagreement(...pair, shown.options)), 50); // it says so first
  }

  function found(answer) {
    both = answer?.map(asShown);
    if (both) {
      inView.splice(0, inView.length, first.list.value, second.list.value); // the two that were asked for
      [focus] = inView;
      showOne(0);
    } else tell("None on data this small.");
  }

  function showOne(which) {
    replace(`The ${ORDINALS[which]} of the two predictions.`, both[which]);
    const verdicts = [first, second].map(({ list }) => make("p", {}, verdict(ofKey.get(list.value))));
    const buttons = ORDINALS.map((words, one) =>
      button(`Show the ${words}`, () => showOne(one), { "aria-pressed": one === which }),
    );
    tell(...verdicts, ...buttons);
  }

  function verdict(metric) {
    const name = named(metric, shown.options);
    const [one, two] = both.map((world) =>
      text(solve(metric, world, shown.options).value),
    );
    const better = size(one) > size(two) === metric.higher ? "first" : "second";
    return `${name}: first ${one}, second ${two}; it prefers the ${better}.`;
  }

  const tell = (...words) => answer.replaceChildren(...words);

  // -------------------------------------------------------------------------- what is drawn

  function draw(moved) {
    cells.draw(shown);
    ranks.draw(shown);
    panel.draw(shown, values, focus, moved);
    drawCut();
    for (const one of switches) one.label.hidden = !metrics.some((metric) => reads(metric) && one.isOf(metric));
    for (const option of challenge.list.options) {
      option.hidden = !goalsOf(option.value).every(([key]) => reads(ofKey.get(key)));
    }
  }

  function drawCut() {
    cutting.hidden = shown.y_score === null;
    if (cutting.hidden) return;
    const all = cuts(shown);
    cut.max = all.length - 1;
    if (shown.cut !== null) cut.value = all.findIndex((one) => one >= shown.cut);
    cutWords.textContent = wordsOfCut(all);
    cut.setAttribute("aria-valuetext", wordsOfCut(all));
  }

  function wordsOfCut(all) {
    if (shown.cut === null) return "Predictions are set by hand.";
    const isAbove = shown.cut > all.at(-2);
    return isAbove ? "No score is high enough." : `Predicted is what scores at least ${short(shown.cut)}.`;
  }

  function slide() {
    cutAt(shown, cuts(shown)[cut.value]);
    change(wordsOfCut(cuts(shown)), () => {});
  }

  // -------------------------------------------------------------------------- the parts

  mounted += 1;
  const sides = { y_pred: "the prediction", y_true: "the truth" };
  const radios = Object.entries(sides).map(([which, words]) => {
    const radio = make("input", { type: "radio", name: `mlm-side-${mounted}`, change: () => (side = which) });
    radio.checked = which === side;
    return make("label", {}, radio, ` ${words}`);
  });
  const cells = grid(flip);
  const said = make("p", { class: "mlm-said", role: "status" });
  const cut = make("input", { type: "range", min: 0, step: 1, input: slide });
  const cutWords = make("span", { class: "mlm-near" });
  const cutting = make("div", {}, make("label", {}, "Cut ", cut), " ", cutWords);
  const ranks = ranking(
    (i, label, place) => rescore(`${shown.labels[label]}: place ${place + 1}.`, () => move(shown, i, label, place)),
    (i, label) => rescore(`${shown.labels[label]}: its tie is another.`, () => tie(shown, i, label)),
  );
  const panel = numbers(metrics, inView, (key) => {
    focus = key;
    panel.draw(shown, values, focus);
  });
  const switches = page.switches.map(({ says, choices }) => {
    const set = new Set(choices.flatMap(({ options }) => Object.keys(options)));
    const made = choice(says, choices.map((one, i) => [i, one.says]), (i) =>
      change(`${says}: ${choices[i].says}.`, () => {
        for (const option of set) delete shown.options[option];
        Object.assign(shown.options, choices[i].options);
      }),
    );
    return { ...made, isOf: (metric) => [...set].some((option) => option in metric.options) };
  });
  const challenge = choice("Challenge", [["", "none"], ...challenges.map(({ says }) => [says, says])], challenged);
  const names = metrics.map((metric) => [metric.key, named(metric, {})]);
  const [first, second] = ["First metric", "Second metric"].map((words) => choice(words, names));
  [first.list.value, second.list.value] = FIRST;
  const answer = make("div", { class: "mlm-found", role: "status" });

  element.replaceChildren(make(
    "div", { class: "mlm-explore" },
    make("div", { class: "mlm-parts" }, make(
      "div", { class: "mlm-top" },
      make("div", { class: "mlm-row" }, challenge.label, button("Start again", startAgain)),
      make("details", {}, make("summary", {}, "Find data where two metrics disagree"), make(
        "div", { class: "mlm-row" }, first.label, second.label, button("Find", search), answer,
      )),
    ),
    make(
      "div", { class: "mlm-work" },
      make("fieldset", {}, make("legend", {}, "A click changes"), ...radios),
      make("div", { class: "mlm-wide" }, cells.element),
      legend(MARKS),
      make("p", { class: "mlm-near mlm-keys" }, "Keys: arrows go from cell to cell, P changes the prediction, T the truth."),
      said, panel.focus, cutting, ranks.element,
    ),
    make(
      "div", { class: "mlm-side" },
      make("div", { class: "mlm-view" }, panel.table),
      make(
        "div", { class: "mlm-more" }, panel.folded,
        make("details", {}, make("summary", {}, "conventions"), make("div", { class: "mlm-row" }, ...switches.map(({ label }) => label))),
        uncounted.length ? `Not in the explorer: ${uncounted.join(", ")}.` : "",
      ),
    )),
  ));
  count();
  said.textContent = became();

  /** Show other data, such as the kernel's. */
  return (other) => {
    if (JSON.stringify(other) === JSON.stringify(shown)) return;
    shown = copy(other);
    count();
  };
}

/** Data that the search found, as they are shown. */
function asShown(world) {
  const names = (rows, noun) => rows.map((_, i) => `${noun} ${i + 1}`);
  const { y_true, y_score = null } = world;
  return { ...world, y_score, cut: y_score && CUT, labels: names(y_true[0], "label"), samples: names(y_true, "sample") };
}

/** The widget: what is on the screen is what the kernel has as `shown`. */
function render({ model, el }) {
  const show = mount(el, model.get("page"), (shown) => {
    model.set("shown", shown);
    model.save_changes();
  });
  const heard = () => show(model.get("shown"));
  heard();
  model.on("change:shown", heard);
  return () => model.off("change:shown", heard);
}

export default { render };
export {
  choice, button, count, data, decimal, equation, firstGroups, given, irrelevant, isCounted, lists, make, named, pairs,
  plural, rank, relevant, seats, settings, solve, text,
};

// ============================================================================ the quiz

const RELEVANCE = { 0: { word: "irrelevant", symbol: "" }, 3: { ...MARKS[3], word: "relevant" } };

/** The data as a grid: outcomes where there is a prediction, else scores, where ✓ is relevant. */
function data(shown) {
  const { labels, samples, y_true, y_pred, y_score } = shown;
  const marks = y_pred ? MARKS : RELEVANCE;
  const cell = (i, j) => {
    const kind = y_pred ? kindOf(shown, i, j) : 3 * y_true[i][j];
    const { word, symbol } = marks[kind];
    const score = y_score ? short(y_score[i][j]) : "";
    const drawn = { class: `mlm-cell mlm-kind-${kind}`, role: "img", "aria-label": `${word} ${score}`.trim() };
    return make("td", {}, make("span", drawn, symbol, make("small", {}, score)));
  };
  const heads = labels.map((label) => make("th", { scope: "col" }, label));
  const rows = samples.map((sample, i) =>
    make("tr", {}, make("th", { scope: "row" }, sample), ...labels.map((_, j) => cell(i, j))),
  );
  const head = make("thead", {}, make("tr", {}, make("td"), ...heads));
  return [make("table", { class: "mlm-grid" }, head, make("tbody", {}, ...rows)), legend(marks)];
}

/** Put a quiz into an element; `page` is what the function of that name in `quizzes` gives. It begins where `kept`
 * says, and each answer tells where it is. The keys A to D answer. */
export function mountQuiz(element, page, told = () => {}, kept = {}) {
  const { questions } = page;
  let { at = 0, answered = 0, right = 0 } = kept.at < questions.length ? kept : {};
  let [isFirst, isOver] = [true, false]; // only a first choice counts, and none after the right one

  function choose(pressed, { says, right: isRight }) {
    if (isOver) return;
    if (isFirst) [isFirst, answered, right] = [false, answered + 1, right + Number(isRight)];
    isOver = isRight;
    pressed.classList.add(isRight ? "mlm-kind-3" : "mlm-kind-1");
    const sign = MARKS[isRight ? 3 : 1].symbol;
    if (!pressed.textContent.endsWith(sign)) pressed.append(` ${sign}`);
    said.textContent = questions.length > 1 ? `${says} Right at once: ${right} of ${answered}.` : says;
    rest.hidden = false;
    told({ at: (at + Number(isRight)) % questions.length, answered, right, isRight });
  }

  function keydown(event) {
    const place = questions[at].choices.findIndex(({ letter }) => letter === event.key.toUpperCase());
    taken(event, place < 0 ? null : () => choose(recipes.querySelectorAll("button")[place], questions[at].choices[place]));
  }

  function draw() {
    const { number, shown, choices, solution } = questions[at];
    [isFirst, isOver] = [true, false];
    place.textContent = questions.length > 1 ? `Question ${at + 1} of ${questions.length}` : "";
    title.textContent = `Which number is this: ${number}?`;
    cells.replaceChildren(...data(shown));
    recipes.replaceChildren(...choices.map((choice) => {
      const one = button(`${choice.letter}: ${choice.recipe}`, () => choose(one, choice));
      return make("li", {}, one);
    }));
    said.textContent = "Choose a recipe, or press its letter.";
    steps.open = false;
    shownSteps.innerHTML = solution; // the package's own
    next.textContent = at + 1 < questions.length ? "Next question" : "Start again";
    rest.hidden = true;
  }

  function goOn() {
    at = (at + 1) % questions.length;
    if (at === 0) [answered, right] = [0, 0];
    draw();
    title.focus(); // where reading goes on
  }

  const place = make("p", { class: "mlm-near" });
  const title = make("p", { class: "mlm-asked", tabindex: -1 });
  const cells = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "The data" });
  const recipes = make("ul", { class: "mlm-recipes", "aria-label": "One of these gives it" });
  const said = make("p", { class: "mlm-said", role: "status" });
  const shownSteps = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "Every step" });
  const steps = make("details", {}, make("summary", {}, "Show every step"), shownSteps);
  const next = button("", goOn);
  const rest = make("div", { class: "mlm-rest" }, steps, next);
  element.replaceChildren(
    make("section", { class: "mlm-explore mlm-quiz", "aria-label": "Quiz", keydown }, make("div", {}, place, title, cells, recipes, said, rest)),
  );
  draw();
}
