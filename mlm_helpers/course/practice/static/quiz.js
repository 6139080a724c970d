// "Which number is this?" on a page: data, a number, four recipes to choose from.
// What is said of each was written by the package; nothing is counted here but right answers.

import { MARKS, kindOf } from "./world.js";
import { button, legend, make, short } from "./parts.js";

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

/** Put a quiz into an element; `page` is what the function of that name in `quizzes` gives. */
export function mountQuiz(element, page) {
  const { questions } = page;
  let [at, answered, right] = [0, 0, 0];
  let isFirst = true; // only a first choice counts

  function choose(pressed, { says, right: isRight }) {
    if (isFirst) [isFirst, answered, right] = [false, answered + 1, right + Number(isRight)];
    pressed.classList.add(isRight ? "mlm-kind-3" : "mlm-kind-1");
    const sign = MARKS[isRight ? 3 : 1].symbol;
    if (!pressed.textContent.endsWith(sign)) pressed.append(` ${sign}`);
    said.textContent = `${says} Right at once: ${right} of ${answered}.`;
    rest.hidden = false;
  }

  function draw() {
    const { number, shown, choices, solution } = questions[at];
    isFirst = true;
    place.textContent = `Question ${at + 1} of ${questions.length}`;
    title.textContent = `Which number is this: ${number}?`;
    cells.replaceChildren(...data(shown));
    recipes.replaceChildren(...choices.map((choice) => {
      const one = button(`${choice.letter}: ${choice.recipe}`, () => choose(one, choice));
      return make("li", {}, one);
    }));
    said.textContent = "Choose a recipe.";
    steps.open = false;
    shownSteps.innerHTML = solution; // the package's own
    next.textContent = at + 1 < questions.length ? "Next question" : "Start again";
    rest.hidden = true;
  }

  function goOn() {
    at = (at + 1) % questions.length;
    if (at === 0) [answered, right] = [0, 0];
    draw();
    title.focus(); // where reading goes on
  }

  const place = make("p", { class: "mlm-near" });
  const title = make("p", { class: "mlm-asked", tabindex: -1 });
  const cells = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "The data" });
  const recipes = make("ul", { class: "mlm-recipes", "aria-label": "One of these gives it" });
  const said = make("p", { class: "mlm-said", role: "status" });
  const shownSteps = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": "Every step" });
  const steps = make("details", {}, make("summary", {}, "Show every step"), shownSteps);
  const next = button("", goOn);
  const rest = make("div", { class: "mlm-rest" }, steps, next);
  element.replaceChildren(
    make("section", { class: "mlm-explore mlm-quiz", "aria-label": "Quiz" }, make("div", {}, place, title, cells, recipes, said, rest)),
  );
  draw();
}
