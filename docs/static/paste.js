// Your own numbers: this module parses pasted text, and shows every metric with its steps; explorer.js computes the
// metrics. Nothing leaves the page.

import { button, choice, data, decimal, equation, isCounted, make, named, plural, solve, text } from "./explorer.js";

const MAX_CELLS = 2000;
const MAX_GRID = 12; // a grid is drawn of at most so many samples and labels

// ---------------------------------------------------------------------------- parsing

class Refused extends Error {}
const refuse = (message) => { throw new Refused(message); };
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WORDS = { __proto__: null, true: 1, false: 0 };
const numberOf = (cell) => WORDS[cell.toLowerCase()] ?? (NUMBER.test(cell) ? Number(cell) : NaN);
const isName = (cell) => Number.isNaN(numberOf(cell));
const isCorner = (cell) => /^((\w*_)?id)?$/i.test(cell); // the heading above the names of samples, even if these are numbers
const remedyOf = (cell) => (/^(-1|nan|na|none|null)?$/i.test(cell) ? " If nobody annotated it, 14_your_own_data has metrics that leave it out." : "");
const isBinary = (cell) => cell === 0 || cell === 1;
const linesOf = (text) => text.replace(/^\uFEFF|\r?\n$/g, "").split(/\r?\n/);
const cellsOf = (line) => line.map((cell) => cell.trim().replace(/^"(.*)"$/, "$1").trim()); // without quotes

/** The rows of a table, each with its line and its cells, and the names of labels and samples, if there are any. */
function parseTable(title, text) {
  if (/^\s*\(\d+, \d+\)/m.test(text)) refuse(`${title} is a sparse matrix as Python prints it: print its toarray() in full, and paste that.`);
  const bare = text.replace(/\b((np\.)?array|tensor)\(|(,\s*(dtype|device|grad_fn|requires_grad)=[^\s,)]+)*\)/g, "").replace(/\]\s*,?\s*\[/g, "\n").replace(/[[\]]/g, ""); // without Python's brackets of lists and arrays
  const lines = linesOf(bare).map((line, i) => ({ line, number: i + 1 })).filter(({ line }) => line.trim());
  if (!lines.length) refuse(`${title} is empty: paste a table.`);
  const separator = ["\t", ";", ","].find((sign) => lines[0].line.includes(sign));
  const rows = lines.map(({ line, number }) => ({ number, cells: cellsOf(separator ? line.split(separator) : line.trim().split(/\s+/)) }));
  const header = isCorner(rows[0].cells[0]) || rows[0].cells.every(isName) ? rows.shift().cells : null;
  if (!rows.length) refuse(`${title} has names in line ${lines[0].number}, and no sample below: add its rows.`);
  if (header?.length === rows[0].cells.length - 1) header.unshift(""); // the column of samples has no header
  const width = (header ?? rows[0].cells).length;
  const uneven = rows.find(({ cells }) => cells.length !== width);
  if (uneven) refuse(`${title}, line ${uneven.number}: ${plural(uneven.cells.length, "column")}, and line ${lines[0].number} has ${width}.`);
  const first = isCorner(header?.[0]) || rows.every(({ cells }) => isName(cells[0])) ? 1 : 0; // the first column of numbers
  if (first === width) refuse(`${title} has names of samples alone: add a column of numbers for each label.`);
  const labels = header?.slice(first);
  const samples = first ? rows.map(({ cells }) => cells[0]) : undefined;
  const twin = [labels, samples].map((names) => names?.find((name, i) => names.indexOf(name) < i)).find(Boolean);
  if (twin) refuse(`${title} has “${twin}” twice: give each sample and each label a name of its own.`);
  return { title, labels, samples, first, rows: rows.map(({ number, cells }) => ({ number, cells: cells.slice(first) })) };
}

/** The numbers of a table; refuses the first cell that is not an allowed number, with the problem in words. */
function numbers({ title, labels, first, rows }, isAllowed, problem) {
  for (const { number, cells } of rows) {
    const j = cells.findIndex((cell) => !isAllowed(numberOf(cell)));
    const column = `column ${first + j + 1}${labels ? ` (${labels[j]})` : ""}`;
    if (j >= 0) refuse(`${title}, line ${number}, ${column}: ${cells[j] ? `“${cells[j]}” is ${problem}` : "the cell is empty"}.${isAllowed === isBinary ? remedyOf(cells[j]) : ""}`);
  }
  return rows.map(({ cells }) => cells.map(numberOf));
}

/** The names in both tables, or default names; refuses tables with different names. */
function commonNames(noun, truth, other, size) {
  const k = (other && truth)?.findIndex((name, i) => name !== other[i]) ?? -1;
  if (k >= 0) refuse(`The ${noun} in place ${k + 1} is “${truth[k]}” in the truth and “${other[k]}” in the other table: bring both into one order, and write names alike (001 is not 1).`);
  return truth ?? other ?? Array.from({ length: size }, (_, i) => `${noun} ${i + 1}`);
}

/** Truth and prediction from two tables. */
function readTables(texts, threshold) {
  const [truth, other] = ["The truth", "The other table"].map((title, i) => parseTable(title, texts[i]));
  const y_true = numbers(truth, isBinary, "neither 0 nor 1");
  const values = numbers(other, Number.isFinite, "not a number");
  for (const [noun, a, b] of [["sample", y_true, values], ["label", y_true[0], values[0]]]) {
    if (a.length !== b.length) refuse(`The truth has ${plural(a.length, noun)}, the other table ${b.length}: both need the same ${noun}s.`);
  }
  const samples = commonNames("sample", truth.samples, other.samples, y_true.length);
  const labels = commonNames("label", truth.labels, other.labels, y_true[0].length);
  if (values.flat().every(isBinary)) return { samples, labels, y_true, y_pred: values, y_score: null };
  if (!Number.isFinite(threshold)) refuse("The threshold is not a number: give the least score of a predicted label.");
  return { samples, labels, y_true, y_score: values, y_pred: values.map((row) => row.map((score) => Number(score >= threshold))) };
}

/** Truth and prediction from two lists of tags. */
function readTags(texts, separator) {
  const tagsOf = (line) => line.split(new RegExp(`[${separator}]`)).map((tag) => tag.trim()).filter(Boolean);
  const [truth, other] = texts.map((text) => linesOf(text).map(tagsOf));
  const code = [truth, other].flat(2).find((label) => /[[\]{}]|^["']|["']$|^set\(\)$/.test(label));
  if (code) refuse(`“${code}” has brackets or quotes: leave them out, and write each sample in a line of its own (an empty line for no label).`);
  const header = texts.map((text) => linesOf(text)[0]).find((line) => /(^|[,;|\t]) *(\w+_id|tags?|labels?) *($|[,;|\t])/i.test(line));
  if (header) refuse(`The first line, “${header}”, has names of columns: paste the labels alone, without it.`);
  if (truth.length !== other.length) refuse(`The truth has ${plural(truth.length, "line")}, the other list ${other.length}: each line is a sample, an empty line one without labels.`);
  const labels = [...new Set([truth, other].flat(2))].sort();
  if (!labels.length) refuse("No line has a label: write the labels of a sample in one line.");
  const twinOf = (label) => labels.find((twin) => twin < label && twin.toLowerCase() === label.toLowerCase());
  const label = labels.find(twinOf);
  if (label) refuse(`“${twinOf(label)}” and “${label}” differ by case alone: write a label in one way.`);
  const [y_true, y_pred] = [truth, other].map((tags) => tags.map((row) => labels.map((label) => Number(row.includes(label)))));
  return { samples: commonNames("sample", null, null, truth.length), labels, y_true, y_pred, y_score: null };
}

// ---------------------------------------------------------------------------- steps

/** A value as a fraction, unless this is long, and as a decimal. */
function brief(value) {
  const fraction = text(value);
  return `${fraction.length < 24 ? fraction : ""} ${decimal(fraction)}`.trim();
}

/** The ratio of one sample or label, and its value. */
function step({ value, written, undefined: isUndefined }) {
  if (isUndefined) return Number.isNaN(value) ? "0/0, left out" : `0/0, taken as ${text(value)}`;
  return written === text(value) ? brief(value) : `${written} = ${brief(value)}`.replace("= ≈", "≈");
}

/** A line for each sample or label, or for all cells together, and a line for their mean. */
function steps(metric, shown, solved) {
  const names = metric.along === "sample" ? shown.samples : metric.average === "micro" ? ["all cells"] : shown.labels;
  const lines = solved.terms.map((term, i) => `${names[i]}: ${step(term)}`);
  if (lines.length === 1) return lines;
  const kind = metric.average === "weighted" ? "The mean, weighted by positives" : "The mean";
  const mean = equation(solved);
  return [...lines, mean.length < 300 ? mean : `${kind}: ${brief(solved.value)}`];
}

/** An element with a metric's value, which unfolds its steps. */
function metricElement(metric, shown) {
  const solved = solve(metric, shown, shown.options);
  const value = make("strong", { "data-metric": metric.key, "data-value": text(solved.value) }, brief(solved.value));
  const body = make("div", { class: "mlm-wide" });
  const unfold = () => {
    const lines = steps(metric, shown, solved).map((line) => make("li", {}, line));
    body.innerHTML = metric.formula; // generated by the catalogue, so safe
    body.append(make("p", {}, metric.words), make("ul", {}, ...lines));
  };
  const summary = make("summary", {}, `${named(metric, shown.options)} ${metric.higher ? "↑" : "↓"} `, value);
  return make("details", { toggle: unfold }, summary, body);
}

// ---------------------------------------------------------------------------- the page

const HINTS = {
  tables: "A row is a sample, a column a label; commas, semicolons, tabs or spaces between cells; with or without names (numbers are names of samples only below an empty heading, “id”, or one such as “image_id”); also a list or an array that Python printed. The truth is 0 and 1.",
  tags: "A line has the labels of a sample; an empty line is a sample without labels (end the last line, too).",
};

function mountPaste(place, { metrics, switches, examples }) {
  const areas = [0, 1].map(() => make("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", wrap: "off" }));
  const kind = choice("You paste", [["tables", "two tables"], ["tags", "two lists of labels"]], showFields);
  const hint = make("p", { class: "mlm-near" });
  const separator = choice("Between labels stand", [[",，、", "commas"], [";；", "semicolons"], ["|", "bars"], [" ", "spaces"], ["\t", "tabs"]]);
  const threshold = make("input", { type: "number", value: 0.5, step: "any", change: update });
  const thresholdField = make("label", {}, "Scores from this threshold on are predicted: ", threshold);
  const conventions = switches.map(({ says, choices }) => choice(says, choices.map((option, i) => [i, option.says]), update));
  const status = make("p", { class: "mlm-said", role: "status" });
  const results = make("div", {});

  /** Remove the numbers, for example because the text above them changed. */
  function clear() {
    results.replaceChildren();
    status.textContent = "Paste both and count, or look at an example.";
  }

  /** Show the fields for the kind of text that is chosen. */
  function showFields() {
    hint.textContent = HINTS[kind.list.value];
    separator.label.hidden = kind.list.value === "tables";
    thresholdField.hidden = !separator.label.hidden;
    clear();
  }

  function showExample() {
    examples[kind.list.value].forEach((text, i) => (areas[i].value = text));
    separator.list.value = ",，、";
    update();
  }

  /** The pasted data, with the options of the chosen conventions. */
  function readAreas() {
    const texts = areas.map(({ value }) => value);
    const shown = kind.list.value === "tables" ? readTables(texts, threshold.valueAsNumber) : readTags(texts, separator.list.value);
    const cells = shown.samples.length * shown.labels.length;
    if (cells > MAX_CELLS) refuse(`These are ${cells} cells, more than the ${MAX_CELLS} that this page counts: paste a part of them.`);
    if (shown.y_score?.flat().every((score) => score >= 0 && score <= 1)) shown.y_prob = shown.y_score;
    const { k = 1, ...others } = Object.assign({}, ...conventions.map(({ list }, i) => switches[i].choices[list.value].options));
    return { ...shown, options: { ...others, k: Math.min(k, shown.labels.length) } };
  }

  /** Show the size of the data and every metric, or the reason why the text is refused. */
  function update() {
    results.replaceChildren();
    try {
      draw(readAreas());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      status.textContent = error.message;
    }
  }

  function draw(shown) {
    const { samples, labels } = shown;
    const missing = shown.y_score ? " The other table has scores." : " Without scores, metrics that read scores are left out.";
    const logits = shown.y_score && !shown.y_prob && threshold.valueAsNumber ? " They are not all from 0 to 1: the usual threshold of logits is 0." : "";
    status.textContent = `Read: ${plural(samples.length, "sample")}, ${plural(labels.length, "label")}.${missing}${logits} Unfold a number for its steps.`;
    if (Math.max(samples.length, labels.length) <= MAX_GRID) results.append(make("div", { class: "mlm-wide" }, ...data(shown)));
    const computed = metrics.filter((metric) => isCounted(metric) && shown[metric.reads]);
    for (const [i, metric] of computed.entries()) {
      if (metric.family !== computed[i - 1]?.family) results.append(make("h2", {}, metric.family));
      results.append(metricElement(metric, shown));
    }
  }

  place.replaceChildren(make("section", { class: "mlm-explore", "aria-label": "Your own numbers" }, make(
    "div", { input: clear }, kind.label, hint, make("label", {}, "The truth", areas[0]),
    make("label", {}, "The prediction: 0 and 1, labels, or scores", areas[1]), separator.label, thresholdField,
    make("details", {}, make("summary", {}, "Conventions"), ...conventions.map(({ label }) => label)),
    make("div", { class: "mlm-steps" }, button("Count", update), button("An example", showExample)), status, results,
  )));
  showFields();
}

const place = document.querySelector(".mlm-paste");
mountPaste(place, JSON.parse(place.querySelector("script").textContent));
