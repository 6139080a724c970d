// An essay that scrolls: the picture of what one reads stands still beside the text. Without script each stands below its text.

/** Show pictures, from the first on, on a stage beside what stands before the last. */
export function stage(pictures) {
  const article = pictures[0].parentElement;
  const parts = [...article.children].slice(1); // all but the title
  const end = parts.findIndex((one) => one.contains(pictures.at(-1)));
  const [moving, place, text] = ["moving", "stage", "telling"].map((name) =>
    Object.assign(document.createElement("div"), { className: name }),
  );
  const shown = pictures.map((one) => one.cloneNode(true));
  place.ariaHidden = "true"; // who listens finds the pictures where they were
  place.append(...shown);
  article.children[0].after(moving);
  moving.append(place, text);
  text.append(...parts.slice(0, end + 1));

  const isBefore = (one, picture) => one.compareDocumentPosition(picture) & Node.DOCUMENT_POSITION_FOLLOWING;
  const show = (now) => shown.forEach((one, i) => one.classList.toggle("now", i === now));
  const words = [...text.querySelectorAll("p, h2")];
  const read = () => {
    const isRead = (one) => one.getBoundingClientRect().top < 0.6 * innerHeight; // above a line below the window's middle
    const last = words.filter(isRead).at(-1) ?? words[0];
    const now = pictures.findIndex((picture) => isBefore(last, picture));
    show(now < 0 ? pictures.length - 1 : now);
  };
  addEventListener("scroll", read, { passive: true });
  read();
}
