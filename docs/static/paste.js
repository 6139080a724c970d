// Your own numbers: what is pasted is read, every metric is counted and its steps are written down.
// Nothing leaves the page. The explorer's module counts; here are what reads text, and the words.

import { button, choice, data, decimal, equation, isCounted, make, named, plural, solve, text } from "./explorer.js";

const MOST = 2000; // cells; a grid is drawn of at most LARGEST samples and labels
const LARGEST = 12;

// ---------------------------------------------------------------------------- what is pasted

class Refused extends Error {}
const refuse = (words) => { throw new Refused(words); };
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WORDS = { __proto__: null, true: 1, false: 0 };
const numberOf = (cell) => WORDS[cell.toLowerCase()] ?? (NUMBER.test(cell) ? Number(cell) : NaN);
const isName = (cell) => Number.isNaN(numberOf(cell));
const isBinary = (cell) => cell === 0 || cell === 1;
const linesOf = (written) => written.replace(/^\uFEFF|\r?\n$/g, "").split(/\r?\n/);
const cellsOf = (line) => line.map((cell) => cell.trim().replace(/^"(.*)"$/, "$1").trim()); // without quotes

/** Rows of cells with the numbers of their lines, and the names of columns and rows if there are any. */
function table(title, written) {
  const bare = written.replace(/\b(np\.)?array\(|(,\s*dtype=[\w.]+)?\)/g, "").replace(/\]\s*,?\s*\[/g, "\n").replace(/[[\]]/g, ""); // as Python writes lists and arrays
  const lines = linesOf(bare).map((line, i) => ({ line, at: i + 1 })).filter(({ line }) => line.trim());
  if (!lines.length) refuse(`${title} is empty: paste a table.`);
  const separator = ["\t", ";", ","].find((one) => lines[0].line.includes(one));
  const rows = lines.map(({ line, at }) => ({ at, cells: cellsOf(separator ? line.split(separator) : line.trim().split(/\s+/)) }));
  const header = rows[0].cells[0] === "" || rows[0].cells.every(isName) ? rows.shift().cells : null;
  if (!rows.length) refuse(`${title} has names in line ${lines[0].at}, and no sample below: add its rows.`);
  if (header?.length === rows[0].cells.length - 1) header.unshift(""); // nothing stands over the samples' names
  const width = (header ?? rows[0].cells).length;
  const uneven = rows.find(({ cells }) => cells.length !== width);
  if (uneven) refuse(`${title}, line ${uneven.at}: ${plural(uneven.cells.length, "column")}, and line ${lines[0].at} has ${width}.`);
  const first = header?.[0] === "" || rows.every(({ cells }) => isName(cells[0])) ? 1 : 0; // the first column of numbers
  if (first === width) refuse(`${title} has names of samples alone: add a column of numbers for each label.`);
  const labels = header?.slice(first);
  const samples = first ? rows.map(({ cells }) => cells[0]) : undefined;
  return { title, labels, samples, first, rows: rows.map(({ at, cells }) => ({ at, cells: cells.slice(first) })) };
}

/** The numbers of a table; the first cell that is none, or none that is allowed, is refused. */
function numbers({ title, labels, first, rows }, isAllowed, wanted) {
  for (const { at, cells } of rows) {
    const j = cells.findIndex((cell) => !isAllowed(numberOf(cell)));
    const column = `column ${first + j + 1}${labels ? ` (${labels[j]})` : ""}`;
    if (j >= 0) refuse(`${title}, line ${at}, ${column}: ${cells[j] ? `“${cells[j]}” is ${wanted}` : "the cell is empty"}.`);
  }
  return rows.map(({ cells }) => cells.map(numberOf));
}

/** The names that two tables have; where both have some, they are the same in the same order. */
function names(noun, mine, theirs, size) {
  const k = (theirs && mine)?.findIndex((name, i) => name !== theirs[i]) ?? -1;
  if (k >= 0) refuse(`The ${noun} in place ${k + 1} is “${mine[k]}” in the truth and “${theirs[k]}” in the other table: bring both into one order.`);
  return mine ?? theirs ?? Array.from({ length: size }, (_, i) => `${noun} ${i + 1}`);
}

function readTables(written, threshold) {
  const [truth, other] = ["The truth", "The other table"].map((title, i) => table(title, written[i]));
  const y_true = numbers(truth, isBinary, "neither 0 nor 1");
  const given = numbers(other, Number.isFinite, "not a number");
  for (const [noun, mine, theirs] of [["sample", y_true, given], ["label", y_true[0], given[0]]]) {
    if (mine.length !== theirs.length) refuse(`The truth has ${plural(mine.length, noun)}, the other table ${theirs.length}: both need the same ${noun}s.`);
  }
  const samples = names("sample", truth.samples, other.samples, y_true.length);
  const labels = names("label", truth.labels, other.labels, y_true[0].length);
  if (given.flat().every(isBinary)) return { samples, labels, y_true, y_pred: given, y_score: null };
  if (!Number.isFinite(threshold)) refuse("The threshold is not a number: give the least score of a predicted label.");
  return { samples, labels, y_true, y_score: given, y_pred: given.map((row) => row.map((score) => Number(score >= threshold))) };
}

function readTags(written, separator) {
  const tagsOf = (line) => line.split(separator).map((tag) => tag.trim()).filter(Boolean);
  const [mine, theirs] = written.map((one) => linesOf(one).map(tagsOf));
  if (mine.length !== theirs.length) {
    refuse(`The truth has ${plural(mine.length, "line")}, the other list ${theirs.length}: each line is a sample, an empty line one without labels.`);
  }
  const labels = [...new Set([mine, theirs].flat(2))].sort();
  if (!labels.length) refuse("No line has a label: write the labels of a sample in one line.");
  const alike = (one) => labels.find((other) => other < one && other.toLowerCase() === one.toLowerCase());
  const twin = labels.find(alike);
  if (twin) refuse(`“${alike(twin)}” and “${twin}” differ by case alone: write a label in one way.`);
  const [y_true, y_pred] = [mine, theirs].map((tags) => tags.map((row) => labels.map((label) => Number(row.includes(label)))));
  return { samples: names("sample", null, null, mine.length), labels, y_true, y_pred, y_score: null };
}

// ---------------------------------------------------------------------------- steps

/** A value as it is read: a fraction that fits a line, and decimals. */
function brief(value) {
  const written = text(value);
  return `${written.length < 24 ? written : ""} ${decimal(written)}`.trim();
}

/** The ratio or the value of one sample or label. */
function step({ value, written, undefined: isUndefined }) {
  if (isUndefined) return Number.isNaN(value) ? "0/0, left out" : `0/0, taken as ${text(value)}`;
  return written === text(value) ? brief(value) : `${written} = ${brief(value)}`.replace("= ≈", "≈");
}

/** The step of each sample or label, or of all cells together, and their mean. */
function steps(metric, shown, solved) {
  const names = metric.along === "sample" ? shown.samples : metric.average === "micro" ? ["all cells"] : shown.labels;
  const each = solved.terms.map((term, i) => `${names[i]}: ${step(term)}`);
  if (each.length === 1) return each;
  const kind = metric.average === "weighted" ? "The mean, weighted by positives" : "The mean";
  const line = equation(solved);
  return [...each, line.length < 300 ? line : `${kind}: ${brief(solved.value)}`];
}

/** A metric's number, which unfolds its steps. */
function worked(metric, shown) {
  const solved = solve(metric, shown, shown.options);
  const value = make("strong", { "data-metric": metric.key, "data-value": text(solved.value) }, brief(solved.value));
  const body = make("div", { class: "mlm-wide" });
  const unfold = () => {
    const lines = steps(metric, shown, solved).map((line) => make("li", {}, line));
    body.innerHTML = metric.formula; // the catalogue's own
    body.append(make("p", {}, metric.words), make("ul", {}, ...lines));
  };
  const summary = make("summary", {}, `${named(metric, shown.options)} ${metric.higher ? "↑" : "↓"} `, value);
  return make("details", { toggle: unfold }, summary, body);
}

// ---------------------------------------------------------------------------- the page

const HINTS = {
  tables: "A row is a sample, a column a label; commas, semicolons, tabs or spaces between cells; with or without names; also a list or an array that Python printed. The truth is 0 and 1.",
  tags: "A line has the labels of a sample; an empty line is a sample without labels.",
};

function mountPaste(place, { metrics, switches, examples }) {
  const areas = [0, 1].map(() => make("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", wrap: "off" }));
  const kind = choice("You paste", [["tables", "two tables"], ["tags", "two lists of labels"]], choose);
  const hint = make("p", { class: "mlm-near" });
  const separator = choice("Between labels stand", [[",", "commas"], [";", "semicolons"], ["|", "bars"], [" ", "spaces"], ["\t", "tabs"]]);
  const threshold = make("input", { type: "number", value: 0.5, step: "any", change: tell });
  const cutting = make("label", {}, "Where scores are pasted, predicted is a score of at least ", threshold);
  const conventions = switches.map(({ says, choices }) => choice(says, choices.map((one, i) => [i, one.says]), tell));
  const said = make("p", { class: "mlm-said", role: "status" }, "Paste both and count, or look at an example.");
  const found = make("div", {});

  function choose() {
    hint.textContent = HINTS[kind.list.value];
    separator.label.hidden = kind.list.value === "tables";
    cutting.hidden = !separator.label.hidden;
  }

  function fill() {
    examples[kind.list.value].forEach((written, i) => (areas[i].value = written));
    separator.list.value = ",";
    tell();
  }

  function read() {
    const written = areas.map(({ value }) => value);
    const isTable = kind.list.value === "tables";
    const shown = isTable ? readTables(written, threshold.valueAsNumber) : readTags(written, separator.list.value);
    const cells = shown.samples.length * shown.labels.length;
    if (cells > MOST) refuse(`These are ${cells} cells, more than the ${MOST} that this page counts: paste a part of them.`);
    if (shown.y_score?.flat().every((score) => score >= 0 && score <= 1)) shown.y_prob = shown.y_score;
    const chosen = conventions.map(({ list }, i) => switches[i].choices[list.value].options);
    const { k = 1, ...others } = Object.assign({}, ...chosen);
    return { ...shown, options: { ...others, k: Math.min(k, shown.labels.length) } };
  }

  /** Say what was read, and every metric; or what is wrong. */
  function tell() {
    found.replaceChildren();
    try {
      draw(read());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      said.textContent = error.message;
    }
  }

  function draw(shown) {
    const { samples, labels } = shown;
    const isSmall = Math.max(samples.length, labels.length) <= LARGEST;
    const missing = shown.y_score ? " The other table has scores." : " Without scores, metrics that read scores are left out.";
    said.textContent = `Read: ${plural(samples.length, "sample")}, ${plural(labels.length, "label")}.${missing} Unfold a number for its steps.`;
    if (isSmall) found.append(make("div", { class: "mlm-wide" }, ...data(shown)));
    const kept = metrics.filter((metric) => isCounted(metric) && shown[metric.reads]);
    for (const [i, metric] of kept.entries()) {
      if (metric.family !== kept[i - 1]?.family) found.append(make("h2", {}, metric.family));
      found.append(worked(metric, shown));
    }
  }

  place.replaceChildren(make("section", { class: "mlm-explore", "aria-label": "Your own numbers" }, make(
    "div", {}, kind.label, hint, make("label", {}, "The truth", areas[0]),
    make("label", {}, "The prediction: 0 and 1, labels, or scores", areas[1]), separator.label, cutting,
    make("details", {}, make("summary", {}, "Conventions"), ...conventions.map(({ label }) => label)),
    make("div", { class: "mlm-steps" }, button("Count", tell), button("An example", fill)), said, found,
  )));
  choose();
}

const place = document.querySelector(".mlm-paste");
mountPaste(place, JSON.parse(place.querySelector("script").textContent));
