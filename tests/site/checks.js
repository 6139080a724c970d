// What is wrong with the page that is open: each question is answered by a list of sentences.
({
  /** Whatever a reader would have to scroll sideways for, or could not reach by scrolling. */
  sideways() {
    const { scrollWidth, clientWidth } = document.scrollingElement;
    const ends = [document.documentElement, document.body];
    const cut = ends.filter((one) => /hidden|clip/.test(getComputedStyle(one).overflowX));
    const found = cut.map((one) => `${one.localName} cuts off what is too wide`);
    if (scrollWidth > clientWidth) found.push(`${scrollWidth} px wide: ${this.wide().slice(0, 3).join(", ")}`);
    return found;
  },

  /** The innermost elements that reach beyond the window, for whoever has to mend them. */
  wide() {
    const beyond = (one) => one.getBoundingClientRect().right > document.scrollingElement.clientWidth + 1;
    const all = [...document.body.querySelectorAll("*")].filter(beyond);
    return all.filter((one) => ![...one.children].some(beyond)).map((one) => this.nameOf(one));
  },

  nameOf(one) {
    const place = one.id || one.closest("[id]")?.id;
    return `<${one.localName} class="${one.getAttribute("class") ?? ""}"> in #${place}`;
  },

  /** In this theme, with all details unfolded, and at rest. */
  async show(theme) {
    document.documentElement.dataset.theme = theme;
    for (const one of document.querySelectorAll("details")) one.open = true;
    for (const one of document.getAnimations()) {
      if (one.effect.getComputedTiming().endTime < Infinity) one.finish();
    }
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame); // the page's observers have seen it
  },

  /** Pictures without words, and different pictures with the same. */
  pictures() {
    const main = document.querySelector("main") ?? document.body;
    const all = [...main.querySelectorAll("img, svg, canvas, [role=img]")];
    const pictures = all.filter((one) => !one.closest("[aria-hidden=true]") && !one.parentElement.closest("svg"));
    const wordsOf = (one) => {
      const title = [...one.children].find((child) => child.localName === "title");
      return (one.getAttribute("alt") ?? one.getAttribute("aria-label") ?? title?.textContent ?? "").trim();
    };
    const drawn = (one) => one.getAttribute("src") ?? one.outerHTML;
    const mute = pictures.filter((one) => !wordsOf(one));
    const seen = new Map();
    const alike = pictures.filter((one) => {
      const other = seen.get(wordsOf(one)) ?? one;
      seen.set(wordsOf(one), other);
      return wordsOf(one) && drawn(other) !== drawn(one);
    });
    return [
      ...mute.map((one) => `a picture without words: ${this.nameOf(one)}`),
      ...alike.map((one) => `two pictures have the words ${wordsOf(one)}`),
    ];
  },

  /** Formulas that stayed LaTeX, and what Sphinx could not make sense of. */
  words() {
    const isCode = "code, pre, script, style, textarea, annotation";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      const isRaw = /\$[^$]*\$|\\[a-z]{2,}/i.test(data) && !parentElement.closest(isCode);
      if (isRaw) found.push(`raw LaTeX: ${data.trim().slice(0, 80)}`);
    }
    const marked = document.querySelectorAll(".problematic, .system-message, merror, .math:not(:has(math))");
    return [...found, ...[...marked].map((one) => `not understood: ${one.textContent.trim().slice(0, 80)}`)];
  },

  /** Mark one element of each look that no page had before: its colour, size and weight of text, and what lies behind. */
  mark(inside) {
    const had = new Set(JSON.parse(localStorage.looksHad ?? "[]"));
    const known = new Map();
    const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const painted = ({ backgroundColor, backgroundImage, opacity }) =>
      opacity === "1" && backgroundImage === "none" && backgroundColor === "rgba(0, 0, 0, 0)" ? "" : `${backgroundColor} ${backgroundImage} ${opacity} `;
    const behind = (one) => {
      if (!one) return "";
      if (!known.has(one)) known.set(one, painted(getComputedStyle(one)) + behind(one.parentElement));
      return known.get(one);
    };
    const isNew = (one) => {
      const { color, fontSize, fontWeight } = getComputedStyle(one);
      const look = `${color} ${fontSize} ${fontWeight} ${behind(one)}`;
      return !had.has(look) && had.add(look);
    };
    const all = [...document.querySelectorAll(`${inside} *`)].filter((one) => hasText(one) && one.checkVisibility());
    const marked = all.filter(isNew);
    for (const one of marked) one.dataset.look = "";
    localStorage.looksHad = JSON.stringify([...had]);
    return marked.length;
  },

  /** What axe finds. Contrast is measured once for each look, or it would take most of the time. */
  axe(inside = "html") {
    this.mark(inside);
    const plain = "pre span:not([data-look], :has([data-look]))"; // parts of code that no rule but contrast asks about
    for (const one of document.querySelectorAll(plain)) one.replaceWith(...one.childNodes);
    return this.run(inside, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  },

  /** Of what axe finds, what depends on the theme. */
  contrast(inside = "html") {
    return this.mark(inside) ? this.run(inside, { type: "rule", values: ["color-contrast"] }) : [];
  },

  async run(inside, runOnly) {
    axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
    const where = { include: [[inside]], exclude: [["math"]] }; // formulas have the colour of their text, and many parts
    const { violations } = await axe.run(where, { resultTypes: ["violations"], preload: false, runOnly });
    for (const one of document.querySelectorAll("[data-look]")) delete one.dataset.look;
    const places = (nodes) => nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ");
    return violations.map(
      ({ id, help, nodes }) => `axe, ${id}: ${help} (${nodes.length}): ${places(nodes)}`,
    );
  },
})
