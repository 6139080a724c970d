// What the tests of test_explore_page.py do on a page, by name: what a script pushes onto `seen` is what a test sees.
// The functions that it calls stand in explore_page.html.

const acts = {
  // The numbers of many cases.
  counted(given, seen) {
    for (const shown of given.cases) seen.push(compute(shown, given.metrics));
  },

  "truth and prediction are toggled apart"(given, seen) {
    mount(here, given);
    seen.push(cells(), numbersNow());
    press("sample 1, sea");
    seen.push(cells()[2], numbersNow());
    find("label", "the truth").click();
    press("sample 1, dog");
    seen.push(cells()[1], numbersNow());
    press("sample 2, cat");
    find("label", "the prediction").click();
    press("sample 2, dog");
    seen.push(cells().slice(3, 5), numbersNow());
  },

  "keys go from cell to cell, change either side and reach nobody else"(given, seen) {
    mount(here, given);
    const tabbed = () => all("[role=grid] button").filter((one) => one.tabIndex === 0).map(nameOf);
    const now = () => nameOf(document.activeElement);
    seen.push(tabbed());
    key("sample 1, cat", "ArrowRight");
    seen.push(now());
    key("sample 1, dog", "ArrowDown");
    key("sample 2, dog", "ArrowDown");
    seen.push(now(), tabbed());
    key("sample 2, dog", "t");
    seen.push(now());
    key("sample 2, dog", "P");
    seen.push(now());
    const heard = [];
    document.addEventListener("keydown", (event) => heard.push(event.key));
    const isFree = (key, rest = {}) =>
      find("button", "sample 1, cat").dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...rest }),
      );
    for (const key of ["t", "ArrowDown", "Tab", "a"]) seen.push(isFree(key));
    seen.push(isFree("p", { ctrlKey: true }), heard);
  },

  "what changed is said"(given, seen) {
    mount(here, given);
    seen.push(said());
    press("sample 1, dog");
    seen.push(said());
    press("macro recall");
    press("sample 1, dog");
    seen.push(said());
    press("Start again");
    seen.push(cells()[1], said().split(". ")[0]);
  },

  "the metric in focus shows its numbers put in"(given, seen) {
    mount(here, given);
    const look = () => here.querySelector(".mlm-focus");
    const lines = () => [...look().querySelectorAll("li, .mlm-sum")].map((one) => one.innerText);
    seen.push(lines(), look().querySelector("math").textContent);
    for (const name of ["macro precision", "micro recall", "weighted recall", "subset accuracy"]) {
      press(name);
      seen.push(lines());
    }
    pick("0/0 is", "left out of the mean");
    press("macro precision");
    seen.push(lines());
  },

  "a name is only ever text"(given, seen) {
    mount(here, given);
    seen.push(cells(), all("img").length);
  },

  "a threshold slides through the scores"(given, seen) {
    mount(here, given);
    const threshold = here.querySelector("input[type=range]");
    seen.push([threshold.max, threshold.value, threshold.getAttribute("aria-valuetext")]);
    for (const place of [0, 4, 5]) {
      set(threshold, place, "input");
      const n_predicted = cells().filter((one) => /hit|alarm/.test(one)).length;
      seen.push([n_predicted, threshold.getAttribute("aria-valuetext"), numbersNow()]);
    }
    press("sample 1, cat");
    seen.push(threshold.getAttribute("aria-valuetext"));
  },

  "every choice of every switch"(given, seen) {
    mount(here, given);
    for (const { says, choices } of given.switches) {
      for (const choice of choices) {
        pick(says, choice.says);
        seen.push(numbersNow());
      }
      pick(says, choices[0].says);
    }
    pick("k", "3");
    const metrics = all(".mlm-metrics button");
    seen.push(metrics.at(-1).textContent);
    seen.push([...new Set(metrics.map((one) => `${one.textContent.at(-1)} ${one.title}`))].sort());
  },

  "what cannot be counted is left out, and named"(given, seen) {
    mount(here, given);
    const isSeen = (one) => one.checkVisibility();
    for (const fold of all("details")) fold.open = true;
    seen.push(all("select").filter(isSeen).map(nameOf), all("input[type=range]").filter(isSeen).length);
    seen.push(here.innerText.includes("Not in the explorer: new metric."), "new.metric" in numbersNow());
  },

  "the widget and its model"(given, seen) {
    const state = { page: given, shown: given.shown };
    const heard = {};
    const sent = [];
    const model = {
      get: (name) => state[name],
      set: (name, value) => (state[name] = value),
      save_changes: () => sent.push(state.shown.y_pred),
      on: (name, act) => (heard[name] = act),
      off: (name) => delete heard[name],
    };
    const end = render({ model, el: here });
    press("sample 1, sea");
    press("sample 1, dog");
    seen.push(sent);
    heard["change:shown"]();
    seen.push(cells()[2]);
    state.shown = given.shown;
    heard["change:shown"]();
    seen.push(cells()[2], numbersNow()["example_based.f1"]);
    end();
    seen.push(Object.keys(heard));
  },

  "a question shows outcomes"(given, seen) {
    mountQuiz(here, given);
    seen.push(outcomes(), signs());
  },

  "a choice is judged"(given, seen) {
    const told = [];
    mountQuiz(here, given, ({ isRight }) => told.push(isRight));
    const now = () => seen.push([choices(), said(), here.querySelector(".mlm-rest").checkVisibility()]);
    seen.push(here.querySelector(".mlm-asked").innerText);
    now();
    press("D:");
    now();
    key("A:", "c");
    now();
    seen.push(told);
  },
};
