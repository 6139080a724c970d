// What is wrong with the slides of the deck that is open.
({
  /** Of the slide that is shown: what is cut off, too small, a picture without words, or not understood. */
  seen() {
    const found = [], slide = Reveal.getCurrentSlide(), least = { PRE: 17, TABLE: 16 };
    const edge = slide.getBoundingClientRect();
    for (const one of [slide, ...slide.querySelectorAll("*")]) {
      if (one.closest("aside") || !one.checkVisibility()) continue;
      const box = one.getBoundingClientRect(), style = getComputedStyle(one);
      const words = `<${one.localName}> ${one.textContent.trim().slice(0, 40)}`;
      const isBeyond = box.right > edge.right + 1 || box.bottom > edge.bottom + 1 || box.left < edge.left - 1;
      const isOver = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
      if (isBeyond && !one.closest("math")) found.push(`beyond the edge: ${words}`);
      if (isOver && (one === slide || /hidden|clip|auto|scroll/.test(style.overflow))) found.push(`cut: ${words}`);
      const isText = /^(P|LI|PRE|TABLE)$/.test(one.tagName) && !one.closest(".mlm-start, .jp-RenderedHTML p");
      if (isText && parseFloat(style.fontSize) < (least[one.closest("pre, table")?.tagName] ?? 26)) found.push(`small: ${words}`);
      if (one.matches("img") && (!one.alt.trim() || box.height < 240)) found.push(`a picture: ${one.alt.slice(0, 40)}`);
    }
    if (edge.bottom > innerHeight || edge.right > innerWidth) found.push("larger than the window");
    const raw = slide.cloneNode(true);
    raw.querySelectorAll("pre, code, script, aside").forEach((one) => one.remove());
    if (/\$|\\frac|\*\*/.test(raw.textContent)) found.push("Markdown or LaTeX that was not understood");
    if (!raw.querySelector("p, li, table, img, .mlm-start") && !slide.querySelector("pre")) found.push("a heading alone");
    return found;
  },

  /** Of every slide, with all its fragments shown one after the other. */
  async walk() {
    const found = [];
    for (let place = 1; place <= Reveal.getTotalSlides(); place++) {
      await new Promise(requestAnimationFrame);
      found.push(...this.seen().map((words) => `slide ${place}: ${words}`));
      for (let steps = 0; steps < 9 && Reveal.getSlidePastCount() < place; steps++) Reveal.next(); // the fragments first
    }
    return found;
  },

  /** What axe, put in before, finds in a part of the page. */
  async axe(inside) {
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
    const { violations } = await axe.run(inside, { resultTypes: ["violations"], preload: false, runOnly });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  },
})
