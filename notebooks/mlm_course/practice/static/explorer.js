// The explorer on a page: a grid to click, a slider for the threshold, and every metric beside it; and the quiz. It
// imports nothing, so that a widget, a page and a slide deck can contain it. Its numbers are exact fractions. A metric
// is the JSON of `metric_json` in page.py: what it reads, its options, and its unit ("along").

// ---------------------------------------------------------------------------- fractions

const gcd = (a, b) => (b === 0n ? a : gcd(b, a % b));

/** The reduced fraction of two BigInts. A value is a fraction, a float where logarithms stay, or NaN if undefined. */
function fraction(numerator, denominator = 1n) {
  const divisor = gcd(numerator < 0n ? -numerator : numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** A number as the fraction that its decimals state: 0.1 is 1/10. */
function exact(number) {
  const [whole, decimals = ""] = String(number).split(".");
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}

const ZERO = fraction(0n);
const ONE = fraction(1n);
const isFloat = (value) => typeof value === "number";

/** The nearest float; a numerator and denominator too large for floats are shortened to a thousand bits. */
function float(value) {
  if (isFloat(value)) return value;
  const excess = value.denominator >> 1000n ? BigInt(value.denominator.toString(2).length - 1000) : 0n;
  return Number(value.numerator >> excess) / Number(value.denominator >> excess);
}

function plus(a, b) {
  if (isFloat(a) || isFloat(b)) return float(a) + float(b);
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

function times(a, b) {
  if (isFloat(a) || isFloat(b)) return float(a) * float(b);
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** The quotient of a value and a positive value. */
function over(a, b) {
  if (isFloat(a) || isFloat(b)) return float(a) / float(b);
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

const sum = (values) => values.reduce(plus, ZERO);

/** A value as text: "19/30", "1" or "nan"; six decimals for a float. */
function text(value) {
  if (isFloat(value)) return Number.isNaN(value) ? "nan" : value.toFixed(6);
  return value.denominator === 1n ? `${value.numerator}` : `${value.numerator}/${value.denominator}`;
}

// ---------------------------------------------------------------------------- ratios of four counts

/** Numerator and denominator of (1 + β²) TP / ((1 + β²) TP + β² FN + FP), as integers. */
function fbeta({ tp, fp, fn }, { beta }) {
  const square = times(exact(beta), exact(beta));
  const [a, b] = [Number(square.numerator), Number(square.denominator)]; // β² = a/b
  const weightedHits = (a + b) * tp;
  return [weightedHits, weightedHits + a * fn + b * fp];
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
  "label_based.accuracy": ({ tp, fp, fn, tn }) => [tp + tn, tp + fp + fn + tn],
  "label_based.specificity": ({ fp, tn }) => [tn, tn + fp],
  "label_based.negative_predictive_value": ({ fn, tn }) => [tn, tn + fn],
  "label_based.balanced_accuracy": ({ tp, fp, fn, tn }) => [tp * (tn + fp) + tn * (tp + fn), 2 * (tp + fn) * (tn + fp)],
  "label_based.matthews_correlation": ({ tp, fp, fn, tn }) => [tp * tn - fp * fn, Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))],
  "label_based.kappa": ({ tp, fp, fn, tn }) => [2 * (tp * tn - fp * fn), (tp + fp) * (tn + fp) + (tp + fn) * (tn + fn)],
};

function countOutcomes(cells) {
  const number = (truth, predicted) =>
    cells.filter((cell) => cell.truth === truth && cell.predicted === predicted).length;
  return { tp: number(1, 1), fp: number(0, 1), fn: number(1, 0), tn: number(0, 0) };
}

/** A ratio of the counts of some cells, and its value: a term of the metric's mean. */
function ratioTerm(ratio, cells, options) {
  const counts = countOutcomes(cells);
  const [part, whole] = ratio(counts, options);
  if (!Number.isInteger(whole)) return { written: text(part / whole), value: part / whole }; // a root
  const written = `${part}/${whole}`;
  if (whole > 0) return { written, value: fraction(BigInt(part), BigInt(whole)) };
  const isRight = counts.fp + counts.fn === 0;
  const option = options.zero_division === "agree" ? Number(isRight) : options.zero_division;
  return { written, value: optionValue(option), undefined: true };
}

const optionValue = (option) => (option === "nan" ? NaN : exact(option));

// ---------------------------------------------------------------------------- metrics of ranks and probabilities

/** 1 if another cell ranks above a cell, else 0; for a tie the number that the tie rule gives. */
function loss(cell, other, ties) {
  if (cell.score !== other.score) return Number(cell.score < other.score);
  if (ties === "first") return Number(other.place < cell.place);
  if (ties === "last") return Number(other.place > cell.place);
  return { max: 1, min: 0 }[ties] ?? 0.5; // "average"; for the first k labels any number that tied cells share
}

/** The rank of a cell among others: 1 plus its losses. */
function rank(cell, others, ties) {
  const losses = others.filter((other) => other !== cell).map((other) => loss(cell, other, ties));
  return losses.reduce((a, b) => a + b, 1);
}

const relevant = (cells) => cells.filter((cell) => cell.truth === 1);
const irrelevant = (cells) => cells.filter((cell) => cell.truth === 0);
const mean = (values) => over(sum(values), exact(values.length));

function coverage(cells, { start, ties }) {
  const ranks = relevant(cells).map((cell) => rank(cell, cells, ties));
  return ranks.length ? exact(Math.max(...ranks) - 1 + start) : null;
}

function oneError(cells, { ties }) {
  if (!relevant(cells).length) return null;
  const [top] = topGroups(cells, ties, 1);
  const share = fraction(BigInt(irrelevant(top).length), BigInt(top.length));
  if (ties === "max") return share.numerator > 0n ? ONE : ZERO;
  if (ties === "min") return share.numerator === share.denominator ? ONE : ZERO;
  return share;
}

/** The share of lost pairs among all pairs of a relevant and an irrelevant cell. */
function rankingLoss(cells, { ties }) {
  const others = irrelevant(cells);
  const losses = relevant(cells).flatMap((cell) => others.map((other) => loss(cell, other, ties)));
  const nLost = losses.reduce((a, b) => a + b, 0);
  return losses.length ? over(exact(nLost), exact(losses.length)) : null;
}

/** The share of won pairs, which are those lost with all scores reversed. */
function rocAuc(cells) {
  const reversed = cells.map((cell) => ({ ...cell, score: -cell.score }));
  return rankingLoss(reversed, { ties: "average" });
}

function averagePrecision(cells, { ties }) {
  const rankAmong = (cell, others) => exact(rank(cell, others, ties));
  const precisions = relevant(cells).map((cell) => over(rankAmong(cell, relevant(cells)), rankAmong(cell, cells)));
  return precisions.length ? mean(precisions) : null;
}

/** Groups of tied cells, from the top down, until they have at least k cells. */
function topGroups(cells, ties, k) {
  const ranks = new Map(cells.map((cell) => [cell, rank(cell, cells, ties)]));
  const levels = [...new Set(ranks.values())].sort((a, b) => a - b);
  const groups = [];
  for (const level of levels) {
    groups.push(cells.filter((cell) => ranks.get(cell) === level));
    if (groups.flat().length >= k) break;
  }
  return groups;
}

/** The hits at the first k places; tied cells share theirs, or have them at the best or the worst of their places. */
function hitsAtPlaces(cells, { ties, k }) {
  const hits = topGroups(cells, ties, k).flatMap((tied) => {
    const nRelevant = relevant(tied).length;
    if (ties === "average") return tied.map(() => fraction(BigInt(nRelevant), BigInt(tied.length)));
    const hitsFirst = tied.map((_, place) => (place < nRelevant ? ONE : ZERO));
    return ties === "worst" ? hitsFirst.reverse() : hitsFirst;
  });
  return hits.slice(0, k);
}

const precisionAt = (cells, options) => over(sum(hitsAtPlaces(cells, options)), exact(options.k));

function recallAt(cells, options) {
  const nRelevant = relevant(cells).length;
  return nRelevant ? over(sum(hitsAtPlaces(cells, options)), exact(nRelevant)) : null;
}

const rPrecision = (cells, options) => recallAt(cells, { ...options, k: relevant(cells).length });

function ndcgAt(cells, options) {
  const nRelevant = relevant(cells).length;
  if (!nRelevant) return null;
  const bestHits = Array(Math.min(options.k, nRelevant)).fill(ONE);
  return ratioOfGains(gainsByBase(hitsAtPlaces(cells, options)), gainsByBase(bestHits));
}

/** The sum of hits / log2(place + 1) as factors of 1 / log2(base), by base: log2(9) is 2 log2(3). */
function gainsByBase(hits) {
  const gains = new Map();
  hits.forEach((hit, i) => {
    if (hit.numerator === 0n) return;
    const [base, power] = smallestBase(i + 2);
    gains.set(base, plus(gains.get(base) ?? ZERO, over(hit, exact(power))));
  });
  return gains;
}

function smallestBase(number) {
  for (let base = 2; ; base++) {
    const power = Math.round(Math.log(number) / Math.log(base));
    if (base ** power === number) return [base, power];
  }
}

/** The ratio of two sums of gains: a fraction where the logarithms cancel, else a float. */
function ratioOfGains(gains, bestGains) {
  const ratios = [...bestGains].map(([base, best]) => over(gains.get(base) ?? ZERO, best));
  const isOneRatio = new Set(ratios.map(text)).size === 1;
  if (isOneRatio && [...gains.keys()].every((base) => bestGains.has(base))) return ratios[0];
  const total = (byBase) => [...byBase].reduce((a, [base, gain]) => a + float(gain) / Math.log2(base), 0);
  return total(gains) / total(bestGains);
}

/** The mean of a loss over cells whose scores are probabilities. */
const meanLoss = (cellLoss) => (cells) => cells.map(cellLoss).reduce((a, b) => a + b, 0) / cells.length;

/** The probability of what is true in a cell, clipped to stay above 0 and below 1. */
const truthProbability = ({ truth, score }) => Math.min(Math.max(truth ? score : 1 - score, Number.EPSILON), 1 - Number.EPSILON);

const SCORE_METRICS = {
  "ranking.coverage": coverage,
  "ranking.one_error": oneError,
  "ranking.ranking_loss": rankingLoss,
  "ranking.average_precision": averagePrecision,
  "curves.average_precision": averagePrecision,
  "curves.roc_auc": rocAuc,
  "top_k.precision": precisionAt,
  "top_k.recall": recallAt,
  "top_k.ndcg": ndcgAt,
  "top_k.r_precision": rPrecision,
  "probability.brier": meanLoss(({ truth, score }) => (score - truth) ** 2),
  "probability.log_loss": meanLoss((cell) => -Math.log(truthProbability(cell))),
};

/** The value of a metric of scores on some cells: a term of the metric's mean. */
function scoreTerm(compute, cells, options) {
  const value = compute(cells, options);
  if (value !== null) return { written: text(value), value };
  return { written: "0/0", value: optionValue(options.undefined), undefined: true };
}

// ---------------------------------------------------------------------------- from cells to a number

/** The cells of each unit of a metric: rows, columns, or for micro all cells together. */
function cellsByUnit(metric, { y_true, y_pred, y_score }) {
  const rows = y_true.map((row, i) =>
    row.map((truth, j) => ({ truth, predicted: y_pred?.[i][j], score: y_score?.[i][j], place: i * row.length + j })),
  );
  if (metric.along === "sample") return rows;
  return metric.average === "micro" ? [rows.flat()] : rows[0].map((_, j) => rows.map((row) => row[j]));
}

function average(terms, weights) {
  const defined = terms.map((term, i) => [term.value, weights[i]]).filter(([value]) => !Number.isNaN(value));
  const total = sum(defined.map(([, weight]) => exact(weight)));
  if (!defined.length) return NaN;
  if (total.numerator === 0n) return mean(defined.map(([value]) => value));
  return over(sum(defined.map(([value, weight]) => times(value, exact(weight)))), total);
}

/** The options of a metric: its defaults, replaced by the chosen options that it takes: of tie rules its own. */
function resolveOptions(metric, chosen) {
  const takes = ([name, value]) => name in metric.options && (name !== "ties" || metric.ties.includes(value));
  return { ...metric.options, ...Object.fromEntries(Object.entries(chosen ?? {}).filter(takes)) };
}

/** Whether the explorer can compute a metric. */
const isCounted = (metric) => metric.id in RATIOS || metric.id in SCORE_METRICS;

/** The terms of a metric's mean, one for each sample or label, their weights, and the mean. */
function solve(metric, data, chosen) {
  const options = resolveOptions(metric, chosen);
  const units = cellsByUnit(metric, data);
  const terms = units.map((cells) =>
    metric.id in RATIOS
      ? ratioTerm(RATIOS[metric.id], cells, options)
      : scoreTerm(SCORE_METRICS[metric.id], cells, options),
  );
  const isWeighted = metric.average === "weighted";
  const weights = units.map((cells) => (isWeighted ? relevant(cells).length : 1));
  return { terms, weights, value: average(terms, weights) };
}

/** Every metric's number as text, by its key: {"example_based.f1": "19/30", …}. */
function compute(shown, metrics) {
  const counted = metrics.filter((metric) => isCounted(metric) && shown[metric.reads]);
  return Object.fromEntries(counted.map((metric) => [metric.key, text(solve(metric, shown, shown.options).value)]));
}

// ============================================================================ what is on the screen

// By 2 * truth + prediction; words, symbols and colours as in the figures.
const MARKS = [
  { word: "rightly left out", symbol: "·" },
  { word: "false alarm", symbol: "✗" },
  { word: "miss", symbol: "○" },
  { word: "hit", symbol: "✓" },
];

const kindOf = ({ y_true, y_pred }, i, j) => 2 * y_true[i][j] + y_pred[i][j];

/** The thresholds that make a difference: every score, and one above all scores. */
function thresholds({ y_score }) {
  const scores = [...new Set(y_score.flat())].sort((a, b) => a - b);
  return [...scores, scores.at(-1) + 1];
}

/** The float of a value's text: 0.5 for "1/2". */
function floatOfText(value) {
  const [numerator, denominator] = value.split("/");
  return denominator ? float(fraction(BigInt(numerator), BigInt(denominator))) : Number(value);
}

/** The decimal of a value's text: "≈ 0.833", "= 0.5", or "" for an integer. */
function decimal(value) {
  if (!/[/.]/.test(value)) return "";
  const rounded = floatOfText(value).toFixed(3).replace(/\.?0+$/, "");
  return `${value.includes("/") && text(exact(rounded)) === value ? "=" : "≈"} ${rounded}`;
}

/** Where a value lies between the lowest (0) and the highest (1) that the metric can have. */
function share(metric, value, nLabels, options) {
  const first = "start" in metric.options ? resolveOptions(metric, options).start - 1 : 0;
  const [low, high] = metric.range.map((end) => (end === "L" ? nLabels : end));
  const part = (floatOfText(value) - first - low) / (high - low);
  return Number.isFinite(part) ? Math.min(Math.max(part, 0), 1) : 0;
}

/** A metric's name with the value of its parameter: "precision at 2". */
function named(metric, options) {
  const resolved = resolveOptions(metric, options);
  return Object.entries(metric.symbols).reduce(
    (name, [option, symbol]) => (name.endsWith(symbol) ? name.slice(0, -symbol.length) + resolved[option] : name),
    metric.name,
  );
}

/** A mean with its numbers put in: "(1/2 + 2/2) ÷ 2 = 3/4 = 0.75". */
function equation({ terms, weights, value }) {
  const written = text(value);
  const defined = terms.map((term, i) => ({ ...term, weight: weights[i] })).filter((term) => text(term.value) !== "nan");
  if (!defined.length) return "Nothing is left to average: nan";
  const total = defined.reduce((sum, term) => sum + term.weight, 0);
  const isUnweighted = total === 0 || defined.every((term) => term.weight === 1);
  const termText = (term) => (term.undefined ? text(term.value) : term.written);
  const summed = defined.map((term) => (isUnweighted ? termText(term) : `${term.weight} × ${termText(term)}`)).join(" + ");
  const left = defined.length === 1 && isUnweighted ? summed : `(${summed}) ÷ ${isUnweighted ? defined.length : total}`;
  return [left, ...(left === written ? [] : [`= ${written}`]), decimal(written)].join(" ").trim();
}

// ============================================================================ the parts of the page

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const SIDES = { p: "y_pred", t: "y_true" };

const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const short = (score) => String(Number(score.toFixed(3)));

/** An element with attributes and children; an attribute that is a function listens to the event of its name. */
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

/** A select element with a label before it. */
function choice(words, choices, change = () => {}) {
  const options = choices.map(([value, name]) => make("option", { value }, name));
  const list = make("select", { "aria-label": words, change: () => change(list.value) }, ...options);
  return { list, label: make("label", {}, `${words} `, list) };
}

/** The meaning of the cells' symbols; a cell without a symbol needs no entry. */
function legend(marks) {
  const withSymbol = Object.entries(marks).filter(([, { symbol }]) => symbol);
  const items = withSymbol.map(([kind, { word, symbol }]) =>
    make("li", {}, make("span", { class: `mlm-cell mlm-kind-${kind}`, "aria-hidden": "true" }, symbol), ` ${word}`),
  );
  return make("ul", { class: "mlm-key" }, ...items);
}

/** The head and the body of a grid: its cells, below the names of labels and beside those of samples. */
function gridParts({ labels, samples }, cells) {
  const heads = labels.map((label) => make("th", { scope: "col" }, label));
  const rows = cells.map((row, i) =>
    make("tr", {}, make("th", { scope: "row" }, samples[i]), ...row.map((cell) => make("td", {}, cell))),
  );
  return [make("thead", {}, make("tr", {}, make("td"), ...heads)), make("tbody", {}, ...rows)];
}

/** The grid. A click calls `flip(i, j)`, the keys P and T call `flip(i, j, side)`, to change a cell. */
function grid(flip) {
  const element = make("table", { role: "grid", class: "mlm-grid", "aria-label": "Truth and prediction" });
  let cells = [];
  let current = null; // the cell that Tab goes to; arrow keys lead to the others
  let names = "";

  function goTo(cell) {
    if (!cell) return;
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
    current.focus();
  }

  function makeCell(i, j) {
    const keydown = (event) => {
      const arrow = ARROWS[event.key];
      const side = SIDES[event.key.toLowerCase()];
      if (!(arrow || side) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation(); // the notebook has keys of its own
      if (side) flip(i, j, side);
      else goTo(cells[i + arrow[0]]?.[j + arrow[1]]);
    };
    const click = () => {
      goTo(cells[i][j]);
      flip(i, j);
    };
    return make("button", { type: "button", tabindex: -1, click, keydown });
  }

  function makeCells(shown) {
    cells = shown.samples.map((_, i) => shown.labels.map((_, j) => makeCell(i, j)));
    [[current]] = cells;
    current.tabIndex = 0;
    element.replaceChildren(...gridParts(shown, cells));
  }

  function drawCell(cell, shown, i, j) {
    const { word, symbol } = MARKS[kindOf(shown, i, j)];
    cell.className = `mlm-cell mlm-kind-${kindOf(shown, i, j)}`;
    cell.setAttribute("aria-label", `${shown.samples[i]}, ${shown.labels[j]}: ${word}`);
    const score = shown.y_score ? [make("small", {}, short(shown.y_score[i][j]))] : [];
    cell.replaceChildren(symbol, ...score);
  }

  function draw(shown) {
    const newNames = JSON.stringify([shown.labels, shown.samples]);
    if (newNames !== names) makeCells(shown);
    names = newNames;
    cells.forEach((row, i) => row.forEach((cell, j) => drawCell(cell, shown, i, j)));
  }

  return { element, draw };
}

/** Tables of metrics with bars: the first metrics and the one in focus are in view, the others are folded by family.
 * The metric in focus has its formula. A click on a name calls `setFocus(key)`. */
function metricTables(metrics, first, setFocus) {
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
    const direction = higher ? "higher is better" : "lower is better";
    const nameButton = button(name, () => setFocus(key), { title: direction });
    nameButton.append(higher ? "\u00a0↑" : "\u00a0↓");
    const bar = make("span", { class: "mlm-bar", "aria-hidden": "true" }, filled);
    const row = make("tr", {}, make("th", { scope: "row" }, nameButton), make("td", {}, bar), make("td", {}, value, " ", near));
    return { row, nameButton, name, filled, value, near };
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
      const convention = text(term.value) === "nan" ? "left out" : `taken as ${text(term.value)}`;
      return make("li", {}, `${names[i]}: ${term.written}${term.undefined ? `, ${convention}` : ""}`);
    });
  }

  function drawFocus(metric, shown) {
    const title = make("p", {}, make("strong", {}, named(metric, shown.options)), ` ${metric.id}`);
    focus.innerHTML = metric.formula; // safe: it comes from the catalogue
    focus.prepend(title);
    const solved = solve(metric, shown, shown.options);
    focus.append(make("ul", {}, ...lines(metric, solved, shown)), make("p", { class: "mlm-sum" }, equation(solved)));
  }

  /** Show the values; each folded family states how many of its metrics are among the changed keys. */
  function draw(shown, values, key, changedKeys = []) {
    for (const metric of metrics) {
      drawRow(metric, shown, values);
      rows.get(metric.key).nameButton.setAttribute("aria-pressed", metric.key === key);
    }
    const inView = metrics.filter((metric) => first.includes(metric.key) || metric.key === key);
    const active = document.activeElement;
    fill(body, inView);
    for (const { family, body: familyBody, name, fold } of families) {
      const members = metrics.filter((metric) => metric.family === family && !inView.includes(metric));
      const nChanged = members.filter((metric) => changedKeys.includes(metric.key)).length;
      fill(familyBody, members);
      name.textContent = `${family}${nChanged ? `: ${nChanged} changed` : ""}`;
      fold.hidden = members.every((metric) => rows.get(metric.key).row.hidden);
    }
    if (table.contains(active)) active.focus(); // moving its row into view took the focus away
    drawFocus(metrics.find((metric) => metric.key === key), shown);
  }

  /** Give a table body the rows of some metrics, if it has other rows. */
  function fill(tableBody, members) {
    const newRows = members.map((metric) => rows.get(metric.key).row);
    const isSame = newRows.length === tableBody.rows.length && newRows.every((row, i) => row === tableBody.rows[i]);
    if (!isSame) tableBody.replaceChildren(...newRows);
  }

  return { table, folded, focus, draw };
}

// ============================================================================ the explorer

const FIRST = ["example_based.f1", "exact_match.subset_accuracy", "hamming.hamming_loss"]; // in view at the start

let mounted = 0;

/** Put an explorer into an element. `page` is the JSON of `page_json` in page.py; a change calls `onChange(shown)`.
 * Returns a function that shows other data. */
export function mount(element, page, onChange = () => {}) {
  const metrics = page.metrics.filter(isCounted);
  const uncounted = page.metrics.filter((metric) => !isCounted(metric)).map(({ name }) => name);
  const metricByKey = new Map(metrics.map((metric) => [metric.key, metric]));
  const inView = page.first ?? FIRST;
  let shown = structuredClone(page.shown);
  let values = {};
  let side = "y_pred"; // what a click changes
  let focus = inView[0];

  // -------------------------------------------------------------------------- changes

  const isComputable = (metric) => metric.reads === "y_pred" || shown.y_score !== null;
  const changedKeys = (old) => Object.keys(old).filter((key) => key in values && old[key] !== values[key]);

  /** Compute and show all values. */
  function update() {
    shown.options.k = Math.min(shown.options.k ?? 1, shown.labels.length);
    if (!isComputable(metricByKey.get(focus))) focus = FIRST[0];
    const oldValues = values;
    values = compute(shown, metrics);
    draw(changedKeys(oldValues));
  }

  /** After a change of the data: update, and report the change and the new values. */
  function report(words) {
    const oldValues = values;
    update();
    onChange(structuredClone(shown));
    const nChanged = changedKeys(oldValues).length;
    const summary = nChanged ? `${plural(nChanged, "metric")} changed.` : "No metric changed.";
    status.textContent = `${words} ${focusSentence(oldValues[focus])} ${summary}`;
  }

  function focusSentence(oldValue) {
    const value = values[focus];
    const isNew = oldValue !== value && oldValue !== undefined;
    const name = named(metricByKey.get(focus), shown.options);
    return `${name} ${isNew ? `was ${oldValue}, is ${value}` : `is ${value}`}.`;
  }

  function flip(i, j, which = side) {
    shown[which][i][j] = 1 - shown[which][i][j];
    if (which === "y_pred") shown.threshold = null;
    report(`${shown.samples[i]}, ${shown.labels[j]}: ${MARKS[kindOf(shown, i, j)].word}.`);
  }

  /** Restore the data of the start, and keep the chosen conventions. */
  function startAgain() {
    [focus] = inView;
    shown = { ...structuredClone(page.shown), options: shown.options };
    report("The start.");
  }

  // -------------------------------------------------------------------------- drawing

  function draw(changed) {
    cells.draw(shown);
    panel.draw(shown, values, focus, changed);
    drawThreshold();
    for (const one of switches) one.label.hidden = !metrics.some((metric) => isComputable(metric) && one.isOf(metric));
  }

  function drawThreshold() {
    slider.hidden = shown.y_score === null;
    if (slider.hidden) return;
    const all = thresholds(shown);
    threshold.max = all.length - 1;
    if (shown.threshold !== null) threshold.value = all.findIndex((one) => one >= shown.threshold);
    thresholdWords.textContent = thresholdInWords(all);
    threshold.setAttribute("aria-valuetext", thresholdInWords(all));
  }

  function thresholdInWords(all) {
    if (shown.threshold === null) return "Predictions are set by hand.";
    const isAbove = shown.threshold > all.at(-2);
    return isAbove ? "No score is high enough." : `Predicted is what scores at least ${short(shown.threshold)}.`;
  }

  function slide() {
    shown.threshold = thresholds(shown)[threshold.value];
    shown.y_pred = shown.y_score.map((row) => row.map((score) => Number(score >= shown.threshold)));
    report(thresholdInWords(thresholds(shown)));
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
  const status = make("p", { class: "mlm-said", role: "status" });
  const threshold = make("input", { type: "range", min: 0, step: 1, input: slide });
  const thresholdWords = make("span", { class: "mlm-near" });
  const slider = make("div", { class: "mlm-threshold" }, make("label", {}, "Threshold ", threshold), " ", thresholdWords);
  const panel = metricTables(metrics, inView, (key) => {
    focus = key;
    panel.draw(shown, values, focus);
  });
  const switches = page.switches.map(({ says, choices }) => {
    const names = new Set(choices.flatMap(({ options }) => Object.keys(options)));
    const select = choice(says, choices.map((one, i) => [i, one.says]), (i) => {
      for (const option of names) delete shown.options[option];
      Object.assign(shown.options, choices[i].options);
      report(`${says}: ${choices[i].says}.`);
    });
    return { ...select, isOf: (metric) => [...names].some((option) => option in metric.options) };
  });
  element.replaceChildren(make(
    "div", { class: "mlm-explore" },
    make("div", { class: "mlm-parts" }, make(
      "div", { class: "mlm-work" },
      make("div", { class: "mlm-row" }, make("fieldset", {}, make("legend", {}, "A click changes"), ...radios), button("Start again", startAgain)),
      make("div", { class: "mlm-wide" }, cells.element),
      legend(MARKS),
      make("p", { class: "mlm-near mlm-keys" }, "Keys: arrows go from cell to cell, P changes the prediction, T the truth."),
      status, panel.focus, slider,
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
  update();
  status.textContent = focusSentence();

  return (data) => {
    if (JSON.stringify(data) === JSON.stringify(shown)) return;
    shown = structuredClone(data);
    update();
  };
}

/** The widget: the data on the screen and `shown` of the kernel's model follow each other. */
function render({ model, el }) {
  const show = mount(el, model.get("page"), (shown) => {
    model.set("shown", shown);
    model.save_changes();
  });
  const showModel = () => show(model.get("shown"));
  showModel();
  model.on("change:shown", showModel);
  return () => model.off("change:shown", showModel);
}

export default { render };
export { choice, button, data, decimal, equation, isCounted, make, named, plural, solve, text };

// ============================================================================ the quiz

const RELEVANCE = { 0: { word: "irrelevant", symbol: "" }, 3: { ...MARKS[3], word: "relevant" } };

/** The data as a grid: the outcomes of a prediction; else the scores, where ✓ is a relevant label. */
function data(shown) {
  const { y_true, y_pred, y_score } = shown;
  const marks = y_pred ? MARKS : RELEVANCE;
  const cell = (truth, i, j) => {
    const kind = y_pred ? kindOf(shown, i, j) : 3 * truth;
    const { word, symbol } = marks[kind];
    const score = y_score ? short(y_score[i][j]) : "";
    const attributes = { class: `mlm-cell mlm-kind-${kind}`, role: "img", "aria-label": `${word} ${score}`.trim() };
    return make("span", attributes, symbol, make("small", {}, score));
  };
  const cells = y_true.map((row, i) => row.map((truth, j) => cell(truth, i, j)));
  return [make("table", { class: "mlm-grid" }, ...gridParts(shown, cells)), legend(marks)];
}

/** Put a quiz into an element, from the JSON of `Quiz.page_json`. Each answer calls `onAnswer({ isRight })`. */
export function mountQuiz(element, { number, shown, choices, solution }, onAnswer = () => {}) {
  function choose(place) {
    const { right, says } = choices[place];
    const pressed = buttons[place];
    const kind = right ? 3 : 1;
    pressed.classList.add(`mlm-kind-${kind}`);
    if (!pressed.textContent.endsWith(MARKS[kind].symbol)) pressed.append(` ${MARKS[kind].symbol}`);
    status.textContent = says;
    steps.hidden = false;
    onAnswer({ isRight: right });
  }

  const title = make("p", { class: "mlm-asked" }, `Which number is this: ${number}?`);
  const cells = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "The data" }, ...data(shown));
  const buttons = choices.map(({ letter, recipe }, i) => button(`${letter}: ${recipe}`, () => choose(i)));
  const recipes = make("ul", { class: "mlm-recipes", "aria-label": "One of these gives it" }, ...buttons.map((item) => make("li", {}, item)));
  const status = make("p", { class: "mlm-said", role: "status" }, "Choose a recipe.");
  const shownSteps = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "Every step" });
  shownSteps.innerHTML = solution; // safe: it comes from the package
  const steps = make("details", { class: "mlm-rest" }, make("summary", {}, "Show every step"), shownSteps);
  steps.hidden = true;
  element.replaceChildren(
    make("section", { class: "mlm-explore mlm-quiz", "aria-label": "Read a number" }, make("div", {}, title, cells, recipes, status, steps)),
  );
}
