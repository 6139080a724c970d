// What is wrong with the slide that is on: a list of sentences.
() => {
  const slide = Reveal.getCurrentSlide();
  const edge = slide.getBoundingClientRect();
  const all = [...slide.querySelectorAll("*")].filter((one) => !one.closest(".notes") && one.checkVisibility());
  const named = (one) => `<${one.localName} class="${one.getAttribute("class") ?? ""}"> ${one.textContent.trim().slice(0, 40)}`;
  const found = [];
  const { right, bottom, left, top } = edge;
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) found.push("the slide is larger than the window");
  for (const one of [slide, ...all]) {
    const box = one.getBoundingClientRect();
    const isBeyond = box.right > right - 20 || box.bottom > bottom - 12 || box.left < left || box.top < top;
    if (one !== slide && box.width && isBeyond) found.push(`beyond the edge: ${named(one)}`);
    const isCut = /hidden|clip|auto|scroll/.test(getComputedStyle(one).overflow);
    const isOver = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    if ((one === slide || isCut) && isOver) found.push(`holds more than it shows: ${named(one)}`);
  }
  for (const one of slide.querySelectorAll(".text > p, .text > ul, .text > ol")) {
    if (parseFloat(getComputedStyle(one).fontSize) < 28) found.push(`small text: ${named(one)}`);
  }
  for (const one of slide.querySelectorAll("pre, .text table, .board table")) {
    if (parseFloat(getComputedStyle(one).fontSize) < 18) found.push(`small type: ${named(one)}`);
  }
  for (const one of slide.querySelectorAll("img")) {
    if (!one.alt.trim()) found.push("a picture without words");
    if (one.getBoundingClientRect().height < 240) found.push(`a small picture: ${one.alt.slice(0, 40)}`);
  }
  for (const one of slide.querySelectorAll("pre.code")) {
    if (one.textContent.trimEnd().split("\n").length > 10) found.push("more than ten lines of code");
  }
  const raw = slide.cloneNode(true);
  raw.querySelectorAll("pre, code, script").forEach((one) => one.remove());
  if (/\$|\\frac|\*\*/.test(raw.textContent)) found.push("Markdown or LaTeX that was not understood");
  return found;
}
