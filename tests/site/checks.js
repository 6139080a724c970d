// Checks of the open page: each returns a list of problems, as sentences.
({
  /** The page is wider than its window, or cuts off what is wider. */
  sideways() {
    const { scrollWidth, clientWidth } = document.scrollingElement;
    const roots = [document.documentElement, document.body];
    const clipping = roots.filter((element) => /hidden|clip/.test(getComputedStyle(element).overflowX));
    const problems = clipping.map((element) => `${element.localName} cuts off what is too wide`);
    if (scrollWidth > clientWidth) problems.push(`${scrollWidth} px wide: ${this.wideElements().slice(0, 3).join(", ")}`);
    return problems;
  },

  /** The names of the innermost elements that reach beyond the window. */
  wideElements() {
    const beyond = (element) => element.getBoundingClientRect().right > document.scrollingElement.clientWidth + 1;
    const all = [...document.body.querySelectorAll("*")].filter(beyond);
    return all.filter((element) => ![...element.children].some(beyond)).map((element) => this.nameOf(element));
  },

  nameOf(element) {
    const place = element.id || element.closest("[id]")?.id;
    return `<${element.localName} class="${element.getAttribute("class") ?? ""}"> in #${place}`;
  },

  /** Show the page in a theme, with all details unfolded and animations finished. */
  async show(theme) {
    document.documentElement.dataset.theme = theme;
    for (const element of document.querySelectorAll("details")) element.open = true;
    for (const element of document.getAnimations()) {
      if (element.effect.getComputedTiming().endTime < Infinity) element.finish();
    }
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame); // time for the page's observers
  },

  /** Pictures without an alternative text, and different pictures with the same text. */
  pictures() {
    const main = document.querySelector("main") ?? document.body;
    const all = [...main.querySelectorAll("img, svg, canvas, [role=img]")];
    const pictures = all.filter((element) => !element.closest("[aria-hidden=true]") && !element.parentElement.closest("svg"));
    const altOf = (element) => {
      const title = [...element.children].find((child) => child.localName === "title");
      return (element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? title?.textContent ?? "").trim();
    };
    const contentOf = (element) => element.getAttribute("src") ?? element.outerHTML;
    const withoutAlt = pictures.filter((element) => !altOf(element));
    const firstByAlt = new Map();
    const withSameAlt = pictures.filter((element) => {
      const first = firstByAlt.get(altOf(element)) ?? element;
      firstByAlt.set(altOf(element), first);
      return altOf(element) && contentOf(first) !== contentOf(element);
    });
    return [
      ...withoutAlt.map((element) => `a picture without words: ${this.nameOf(element)}`),
      ...withSameAlt.map((element) => `two pictures have the words ${altOf(element)}`),
    ];
  },

  /** Formulas that are still LaTeX, and elements that Sphinx marks as not understood. */
  words() {
    const isCode = "code, pre, script, style, textarea, annotation";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const rawFormulas = [];
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      const isRaw = /\$[^$]*\$|\\[a-z]{2,}/i.test(data) && !parentElement.closest(isCode);
      if (isRaw) rawFormulas.push(`raw LaTeX: ${data.trim().slice(0, 80)}`);
    }
    const marked = document.querySelectorAll(".problematic, .system-message, merror, .math:not(:has(math))");
    return [...rawFormulas, ...[...marked].map((element) => `not understood: ${element.textContent.trim().slice(0, 80)}`)];
  },

  /** Mark an element of each look that no page had before (colour, size and weight of its text, its backgrounds); their number. */
  mark(inside) {
    const knownLooks = new Set(JSON.parse(localStorage.looksHad ?? "[]"));
    const backgrounds = new Map();
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const ownBackground = ({ backgroundColor, backgroundImage, opacity }) =>
      opacity === "1" && backgroundImage === "none" && backgroundColor === "rgba(0, 0, 0, 0)" ? "" : `${backgroundColor} ${backgroundImage} ${opacity} `;
    const backgroundsOf = (element) => {
      if (!element) return "";
      if (!backgrounds.has(element)) backgrounds.set(element, ownBackground(getComputedStyle(element)) + backgroundsOf(element.parentElement));
      return backgrounds.get(element);
    };
    const isNew = (element) => {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const look = `${color} ${fontSize} ${fontWeight} ${backgroundsOf(element)}`;
      return !knownLooks.has(look) && knownLooks.add(look);
    };
    const all = [...document.querySelectorAll(`${inside} *`)].filter((element) => hasText(element) && element.checkVisibility());
    const marked = all.filter(isNew);
    for (const element of marked) element.dataset.look = "";
    localStorage.looksHad = JSON.stringify([...knownLooks]);
    return marked.length;
  },

  /** The violations that axe finds. Contrast is measured once for each look, as it would take most of the time. */
  axe(inside = "html") {
    this.mark(inside);
    const plain = "pre span:not([data-look], :has([data-look]))"; // parts of code that only the rule of contrast reads
    for (const element of document.querySelectorAll(plain)) element.replaceWith(...element.childNodes);
    return this.run(inside, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  },

  /** The violations of contrast, the only rule that depends on the theme. */
  contrast(inside = "html") {
    return this.mark(inside) ? this.run(inside, { type: "rule", values: ["color-contrast"] }) : [];
  },

  async run(inside, runOnly) {
    axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
    const context = { include: [[inside]], exclude: [["math"]] }; // formulas have the colour of their text, and many parts
    const { violations } = await axe.run(context, { resultTypes: ["violations"], preload: false, runOnly });
    for (const element of document.querySelectorAll("[data-look]")) delete element.dataset.look;
    const places = (nodes) => nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ");
    return violations.map(
      ({ id, help, nodes }) => `axe, ${id}: ${help} (${nodes.length}): ${places(nodes)}`,
    );
  },
})
