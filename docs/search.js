// Sphinx's search, which lists pages, questions and terms first, knows synonyms, and shows sentences in place of code.
// tools/site/search.py writes FIRST above: the entries to list first, and the synonyms.

// Names that stand for themselves or for the course's words, the longest first; "map@k" does not have the name "p@k".
const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const asPattern = (name) => (/\W|_/.test(name) ? `(?<!\\w)${escaped(name)}(?!\\w)` : `(?<!\\S)${name}(?!\\S)`);
const NAMES = new RegExp(Object.keys(FIRST.same).sort((a, b) => b.length - a.length).map(asPattern).join("|"), "g");

/** A text with @k for @5 and the like, and the same with the course's words for its names, if these are others. */
const withSynonyms = (anyText) => {
  const text = anyText.replace(/@\d+/g, "@k");
  return [...new Set([text, text.replace(NAMES, (name) => FIRST.same[name].toLowerCase())])];
};

queueMicrotask(() => { // when the splitter of conf.py is defined, which Sphinx writes below
  const stemmer = new Stemmer();
  const wordsOf = (text) => [...new Set(splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word)).map((word) => stemmer.stemWord(word)))];
  const isSimilar = (a, b) => a === b || (Math.min(a.length, b.length) > 3 && Math.abs(a.length - b.length) < 3 && (a.startsWith(b) || b.startsWith(a)));
  const has = (words, word) => words.some((other) => isSimilar(word, other));
  const inverseFrequency = (word) => Math.log(1 + entries.length / (1 + entries.filter(({ all }) => has(all, word)).length));
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  /** The words of a text, of its translation, and of names such as average_precision_score. */
  const allWordsOf = (text) => wordsOf(withSynonyms(text.toLowerCase()).flatMap((version) => [version, version.replaceAll("_", " ")]).join(" "));
  const entries = FIRST.entries.map((entry) => ({
    entry,
    title: wordsOf(entry[1]),
    heads: allWordsOf(`${entry[1]} ${entry[3]}`),
    all: allWordsOf(entry.slice(1, 4).join(" ")),
  }));

  /** Whether two words differ by at most k letters. */
  const isNear = (a, b, k) => a === b || (a && a[0] === b[0] ? isNear(a.slice(1), b.slice(1), k) : k > 0 && [[1, 1], [1, 0], [0, 1]].some(([i, j]) => isNear(a.slice(i), b.slice(j), k - 1)));
  const vocabulary = [...new Set(entries.flatMap(({ all }) => all))];

  /** A word that entries have, or the nearest one: a misspelling is a letter off, or two in words of more than five. */
  const corrected = (word) => (has(vocabulary, word) ? word : [1, 2].map((k) => word.length > 2 * k + 1 && vocabulary.find((other) => isNear(word, other, k))).find(Boolean) || word);

  /** How well an entry fits the words of a query: the share of them that it has, plus the share in its title. */
  const scoreOf = ({ title, heads, all }, words, weights) => {
    const share = (text) => sum(words.map((word, i) => (has(text, word) ? weights[i] : 0))) / sum(weights);
    const titleShare = title.filter((word) => has(words, word)).length / (title.length || 1);
    return share(all) < 0.5 ? 0 : share(all) + share(heads) + titleShare;
  };

  /** The entries that fit a query best. */
  const bestEntries = (query) => {
    const scores = new Map();
    for (const words of withSynonyms(query).map((text) => wordsOf(text).map(corrected)).filter((list) => list.length)) {
      const weights = words.map(inverseFrequency);
      for (const item of entries) scores.set(item.entry, Math.max(scores.get(item.entry) ?? 0, scoreOf(item, words, weights)));
    }
    const matches = [...scores].filter(([, score]) => score).sort((a, b) => b[1] - a[1]).map(([entry]) => entry);
    const terms = matches.filter(([page]) => page === "glossary").slice(1); // one term comes first, the others after the pages
    return [...matches.filter((entry) => !terms.includes(entry)), ...terms].slice(0, 8);
  };

  const show = ([page, title, summary, , anchor]) => {
    const term = Search._index.indexentries[anchor.toLowerCase()]?.[0][1];
    const place = anchor.startsWith("#") ? anchor : term ? `#${term}` : "";
    const link = Object.assign(document.createElement("a"), { href: `${page}.html${place}`, textContent: title });
    const line = document.createElement("li");
    line.append(link, Object.assign(document.createElement("p"), { className: "context", textContent: summary }));
    Search.output.append(line);
  };

  Search.query = (query) => {
    const [, terms, excluded, highlighted, names] = Search._parseQuery(query);
    const results = Search._performSearch(query, terms, excluded, highlighted, names);
    const text = query.toLowerCase().trim();
    const exact = results.filter((result) => result[6] === "object" && /\W|_/.test(text) && result[1].endsWith(text));
    const first = bestEntries(text);
    const pages = new Set(first.map(([page, , , , anchor]) => (anchor ? "" : page)));
    const others = results.filter((result) => !exact.includes(result) && !(result[2] === "" && pages.has(result[0])));
    if (!exact.length) first.forEach(show);
    _displayNextItem([...others, ...exact], first.length + others.length + exact.length, terms, highlighted);
    if (exact.length) first.forEach(show);
  };

  const htmlToText = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const node of page.querySelectorAll("pre, table, math, dt, details.hide, .toctree-wrapper, .mlm-start, h1")) node.remove();
    return htmlToText(page.documentElement.outerHTML, anchor);
  };

  /** The sentence of a page with most of the keywords. */
  Search.makeSearchSummary = (html, keywords, anchor) => {
    const sentences = Search.htmlToText(html, anchor).split(/(?<=[.?!:])\s+|\n{2,}/).filter((sentence) => / .* /.test(sentence.trim()));
    const count = (sentence) => [...keywords].filter((word) => sentence.toLowerCase().includes(word)).length;
    const best = sentences.reduce((a, b) => (count(b) > count(a) ? b : a), sentences[0] ?? "");
    return Object.assign(document.createElement("p"), { className: "context", textContent: best.trim().slice(0, 300) });
  };
});
