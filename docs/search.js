// Sphinx's search, with pages, questions and glossary first, other words for the same, and sentences in place of code.
// FIRST, written by tools/site/search.py, stands above.

var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};

(() => {
  const stemmer = new Stemmer();
  const wordsOf = (text) => [...new Set(splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word)).map((word) => stemmer.stemWord(word)))];
  const alike = (a, b) => a === b || (Math.min(a.length, b.length) > 3 && Math.abs(a.length - b.length) < 4 && (a.startsWith(b) || b.startsWith(a)));
  const has = (words, word) => words.some((other) => alike(word, other));
  const rarity = (word) => Math.log(1 + known.length / (1 + known.filter(({ all }) => has(all, word)).length));
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  /** A text, and the text in the course's words. */
  const readings = (text) => {
    const inside = (word) => ` ${text} `.includes(` ${word} `) || (/\W|_/.test(word) && text.includes(word));
    const found = Object.keys(FIRST.same).filter(inside).sort((a, b) => b.length - a.length);
    const other = found.reduce((said, word) => said.replace(word, FIRST.same[word].toLowerCase()), text);
    return other === text ? [text] : [text, other];
  };

  /** The words of a text, of its other reading, and of names such as average_precision_score. */
  const allWordsOf = (text) => wordsOf(readings(text.toLowerCase()).flatMap((one) => [one, one.replaceAll("_", " ")]).join(" "));
  const known = FIRST.entries.map((entry) => ({
    entry,
    title: wordsOf(entry[1]),
    heads: allWordsOf(`${entry[1]} ${entry[3]}`),
    all: allWordsOf(entry.slice(1, 4).join(" ")),
  }));

  /** How well an entry answers words: the share of them that it has, more where its title has them. */
  const scored = ({ title, heads, all }, words, weights) => {
    const part = (some) => sum(words.map((word, i) => (has(some, word) ? weights[i] : 0))) / sum(weights);
    const close = title.filter((word) => has(words, word)).length / (title.length || 1);
    return part(all) < 0.5 ? 0 : part(all) + part(heads) + close;
  };

  const best = (query) => {
    const scores = new Map();
    for (const words of readings(query).map(wordsOf).filter((some) => some.length)) {
      const weights = words.map(rarity);
      for (const one of known) scores.set(one.entry, Math.max(scores.get(one.entry) ?? 0, scored(one, words, weights)));
    }
    const found = [...scores].filter(([, score]) => score).sort((a, b) => b[1] - a[1]).map(([entry]) => entry);
    const words = found.filter(([page]) => page === "glossary").slice(1); // the first word of the glossary, and then what shows it
    return [...found.filter((entry) => !words.includes(entry)), ...words].slice(0, 8);
  };

  const show = ([page, title, says, , anchor]) => {
    const term = Search._index.indexentries[anchor.toLowerCase()]?.[0][1];
    const place = anchor.startsWith("#") ? anchor : term ? `#${term}` : "";
    const link = Object.assign(document.createElement("a"), { href: `${page}.html${place}`, textContent: title });
    const line = document.createElement("li");
    line.append(link, Object.assign(document.createElement("p"), { className: "context", textContent: says }));
    Search.output.append(line);
  };

  Search.query = (query) => {
    const [, terms, without, marked, names] = Search._parseQuery(query);
    const found = Search._performSearch(query, terms, without, marked, names);
    const asked = query.toLowerCase().trim();
    const exact = found.filter((one) => one[6] === "object" && /\W|_/.test(asked) && one[1].endsWith(asked));
    const first = best(asked);
    const pages = new Set(first.map(([page, , , , anchor]) => (anchor ? "" : page)));
    const rest = found.filter((one) => !exact.includes(one) && !(one[2] === "" && pages.has(one[0])));
    if (!exact.length) first.forEach(show);
    _displayNextItem([...rest, ...exact], first.length + rest.length + exact.length, terms, marked);
    if (exact.length) first.forEach(show);
  };

  const text = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const one of page.querySelectorAll("pre, table, math, dt, details.hide, .toctree-wrapper, .mlm-start, h1")) one.remove();
    return text(page.documentElement.outerHTML, anchor);
  };

  /** The sentence with most of the words. */
  Search.makeSearchSummary = (html, keywords, anchor) => {
    const sentences = Search.htmlToText(html, anchor).split(/(?<=[.?!:])\s+|\n{2,}/).filter((one) => / .* /.test(one.trim()));
    const count = (one) => [...keywords].filter((word) => one.toLowerCase().includes(word)).length;
    const most = sentences.reduce((a, b) => (count(b) > count(a) ? b : a), sentences[0] ?? "");
    return Object.assign(document.createElement("p"), { className: "context", textContent: most.trim().slice(0, 300) });
  };
})();
