// The explorer on a page: a grid to click, a threshold to slide, and every metric beside it; and a question with
// four recipes. One module that imports nothing, so that a widget, a page and a deck can hold it as it is:
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
  "label_based.accuracy": ({ tp, fp, fn, tn }) => [tp + tn, tp + fp + fn + tn],
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

function averagePrecision(cells, { ties }) {
  const found = relevant(cells);
  return found.length ? mean(found.map((one) => shareDownTo(one, cells, ties))) : null;
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

const rPrecision = (cells, options) => recallAt(cells, { ...options, k: relevant(cells).length });

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
  "top_k.r_precision": rPrecision,
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

// ============================================================================ what is on the screen

// Indexed by 2 * truth + prediction; words, signs and colours are those of the figures.
const MARKS = [
  { word: "rightly left out", symbol: "·" },
  { word: "false alarm", symbol: "✗" },
  { word: "miss", symbol: "○" },
  { word: "hit", symbol: "✓" },
];

const kindOf = ({ y_true, y_pred }, i, j) => 2 * y_true[i][j] + y_pred[i][j];

/** The thresholds that make a difference: each score, and one above them all. */
function thresholds({ y_score }) {
  const scores = [...new Set(y_score.flat())].sort((a, b) => a - b);
  return [...scores, scores.at(-1) + 1];
}

/** Predict what scores at least so much. */
function predictFrom(shown, threshold) {
  shown.threshold = threshold;
  shown.y_pred = shown.y_score.map((row) => row.map((score) => Number(score >= threshold)));
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

  function drawFocus(metric, shown) {
    const title = make("p", {}, make("strong", {}, named(metric, shown.options)), ` ${metric.id}`);
    focus.innerHTML = metric.formula; // the catalogue's own
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

const copy = (value) => JSON.parse(JSON.stringify(value));
let mounted = 0;

/** Put an explorer into an element; `page` is what Python's function of that name gives; each change is told. */
export function mount(element, page, changed = () => {}) {
  const metrics = page.metrics.filter(isCounted);
  const uncounted = page.metrics.filter((metric) => !isCounted(metric)).map(({ name }) => name);
  const ofKey = new Map(metrics.map((metric) => [metric.key, metric]));
  const inView = page.first ?? FIRST;
  let shown = copy(page.shown);
  let values = {};
  let side = "y_pred"; // what a click changes
  let focus = inView[0];

  // -------------------------------------------------------------------------- what happens

  const reads = (metric) => metric.reads === "y_pred" || shown.y_score !== null;
  const nameOf = (key) => named(ofKey.get(key), shown.options);

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
    said.textContent = `${words} ${became(before[focus])} ${counted}`;
  }

  function became(old) {
    const now = values[focus];
    return `${nameOf(focus)} ${old === now || old === undefined ? `is ${now}` : `was ${old}, is ${now}`}.`;
  }

  function flip(i, j, which = side) {
    const outcome = MARKS[kindOf(shown, i, j) ^ (which === "y_true" ? 2 : 1)].word;
    change(`${shown.samples[i]}, ${shown.labels[j]}: ${outcome}.`, () => {
      shown[which][i][j] = 1 - shown[which][i][j];
      if (which === "y_pred") shown.threshold = null;
    });
  }

  /** Show the start, under the conventions that are chosen. */
  function startAgain() {
    [focus] = inView;
    change("The start.", () => (shown = { ...copy(page.shown), options: shown.options }));
  }

  // -------------------------------------------------------------------------- what is drawn

  function draw(moved) {
    cells.draw(shown);
    panel.draw(shown, values, focus, moved);
    drawThreshold();
    for (const one of switches) one.label.hidden = !metrics.some((metric) => reads(metric) && one.isOf(metric));
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
    predictFrom(shown, thresholds(shown)[threshold.value]);
    change(thresholdInWords(thresholds(shown)), () => {});
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
  const threshold = make("input", { type: "range", min: 0, step: 1, input: slide });
  const thresholdWords = make("span", { class: "mlm-near" });
  const slider = make("div", { class: "mlm-threshold" }, make("label", {}, "Threshold ", threshold), " ", thresholdWords);
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
  element.replaceChildren(make(
    "div", { class: "mlm-explore" },
    make("div", { class: "mlm-parts" }, make(
      "div", { class: "mlm-work" },
      make("div", { class: "mlm-row" }, make("fieldset", {}, make("legend", {}, "A click changes"), ...radios), button("Start again", startAgain)),
      make("div", { class: "mlm-wide" }, cells.element),
      legend(MARKS),
      make("p", { class: "mlm-near mlm-keys" }, "Keys: arrows go from cell to cell, P changes the prediction, T the truth."),
      said, panel.focus, slider,
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

// ============================================================================ a number, and four recipes

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

/** Put a question into an element; `page` is what the method of that name of a `Quiz` gives. Each choice is told. The
 * keys A to D answer. */
export function mountQuiz(element, page, told = () => {}) {
  const { number, shown, choices, solution } = page;

  function choose(letter) {
    const place = choices.findIndex((choice) => choice.letter === letter);
    const { right, says } = choices[place];
    const pressed = buttons[place];
    const kind = right ? 3 : 1;
    pressed.classList.add(`mlm-kind-${kind}`);
    if (!pressed.textContent.endsWith(MARKS[kind].symbol)) pressed.append(` ${MARKS[kind].symbol}`);
    said.textContent = says;
    steps.hidden = false;
    told({ isRight: right });
  }

  function keydown(event) {
    const letter = event.key.toUpperCase();
    taken(event, choices.some((choice) => choice.letter === letter) ? () => choose(letter) : null);
  }

  const title = make("p", { class: "mlm-asked" }, `Which number is this: ${number}?`);
  const cells = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "The data" }, ...data(shown));
  const buttons = choices.map(({ letter, recipe }) => button(`${letter}: ${recipe}`, () => choose(letter)));
  const recipes = make("ul", { class: "mlm-recipes", "aria-label": "One of these gives it" }, ...buttons.map((one) => make("li", {}, one)));
  const said = make("p", { class: "mlm-said", role: "status" }, "Choose a recipe, or press its letter.");
  const shownSteps = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "Every step" });
  shownSteps.innerHTML = solution; // the package's own
  const steps = make("details", { class: "mlm-rest" }, make("summary", {}, "Show every step"), shownSteps);
  steps.hidden = true;
  element.replaceChildren(
    make("section", { class: "mlm-explore mlm-quiz", "aria-label": "Read a number", keydown }, make("div", {}, title, cells, recipes, said, steps)),
  );
}
