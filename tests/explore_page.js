// The scripts of test_explore_page.py by name: each works on a page with the data `page`, and a test reads the values
// that it pushes onto `observed`. explore_page.html defines the functions that the scripts call.

const scripts = {
  // The values of all metrics for each case.
  counted(page, observed) {
    for (const data of page.cases) observed.push(compute(data, page.metrics));
  },

  "truth and prediction are toggled apart"(page, observed) {
    mount(root, page);
    observed.push(cells(), numbersNow());
    press("sample 1, sea");
    observed.push(cells()[2], numbersNow());
    find("label", "the truth").click();
    press("sample 1, dog");
    observed.push(cells()[1], numbersNow());
    press("sample 2, cat");
    find("label", "the prediction").click();
    press("sample 2, dog");
    observed.push(cells().slice(3, 5), numbersNow());
  },

  "keys go from cell to cell, change either side and reach nobody else"(page, observed) {
    mount(root, page);
    const inTabOrder = () => all("[role=grid] button").filter((element) => element.tabIndex === 0).map(nameOf);
    const focused = () => nameOf(document.activeElement);
    observed.push(inTabOrder());
    pressKey("sample 1, cat", "ArrowRight");
    observed.push(focused());
    pressKey("sample 1, dog", "ArrowDown");
    pressKey("sample 2, dog", "ArrowDown");
    observed.push(focused(), inTabOrder());
    pressKey("sample 2, dog", "t");
    observed.push(focused());
    pressKey("sample 2, dog", "P");
    observed.push(focused());
    const keysOutside = [];
    document.addEventListener("keydown", (event) => keysOutside.push(event.key));
    for (const key of ["t", "ArrowDown", "Tab", "a"]) observed.push(pressKey("sample 1, cat", key));
    observed.push(pressKey("sample 1, cat", "p", { ctrlKey: true }), keysOutside);
  },

  "what changed is said"(page, observed) {
    mount(root, page);
    observed.push(statusText());
    press("sample 1, dog");
    observed.push(statusText());
    press("macro recall");
    press("sample 1, dog");
    observed.push(statusText());
    press("Start again");
    observed.push(cells()[1], statusText().split(". ")[0]);
  },

  "the metric in focus shows its numbers put in"(page, observed) {
    mount(root, page);
    const focus = () => root.querySelector(".mlm-focus");
    const lines = () => [...focus().querySelectorAll("li, .mlm-sum")].map((element) => element.innerText);
    observed.push(lines(), focus().querySelector("math").textContent);
    for (const name of ["macro precision", "micro recall", "weighted recall", "subset accuracy"]) {
      press(name);
      observed.push(lines());
    }
    pick("0/0 is", "left out of the mean");
    press("macro precision");
    observed.push(lines());
  },

  "a name is only ever text"(page, observed) {
    mount(root, page);
    observed.push(cells(), all("img").length);
  },

  "a threshold slides through the scores"(page, observed) {
    mount(root, page);
    const threshold = root.querySelector("input[type=range]");
    observed.push([threshold.max, threshold.value, threshold.getAttribute("aria-valuetext")]);
    for (const position of [0, 4, 5]) {
      setValue(threshold, position, "input");
      const nPredicted = cells().filter((name) => /hit|alarm/.test(name)).length;
      observed.push([nPredicted, threshold.getAttribute("aria-valuetext"), numbersNow()]);
    }
    press("sample 1, cat");
    observed.push(threshold.getAttribute("aria-valuetext"));
  },

  "every choice of every switch"(page, observed) {
    mount(root, page);
    for (const { says, choices } of page.switches) {
      for (const choice of choices) {
        pick(says, choice.says);
        observed.push(numbersNow());
      }
      pick(says, choices[0].says);
    }
    pick("k", "3");
    const metrics = all(".mlm-metrics button");
    observed.push(metrics.at(-1).textContent);
    observed.push([...new Set(metrics.map((element) => `${element.textContent.at(-1)} ${element.title}`))].sort());
  },

  "what cannot be counted is left out, and named"(page, observed) {
    mount(root, page);
    const isVisible = (element) => element.checkVisibility();
    for (const details of all("details")) details.open = true;
    observed.push(all("select").filter(isVisible).map(nameOf), all("input[type=range]").filter(isVisible).length);
    observed.push(root.innerText.includes("Not in the explorer: new metric."), "new.metric" in numbersNow());
  },

  // Two clicks are saved in the model; then the model announces the data of the clicks and those of the start.
  "the widget and its model"(page, observed) {
    const state = { page, shown: page.shown };
    const listeners = {};
    const sentPredictions = [];
    const model = {
      get: (name) => state[name],
      set: (name, value) => (state[name] = value),
      save_changes: () => sentPredictions.push(state.shown.y_pred),
      on: (name, listener) => (listeners[name] = listener),
      off: (name) => delete listeners[name],
    };
    const removeListeners = render({ model, el: root });
    press("sample 1, sea");
    press("sample 1, dog");
    observed.push(sentPredictions);
    listeners["change:shown"]();
    observed.push(cells()[2]);
    state.shown = page.shown;
    listeners["change:shown"]();
    observed.push(cells()[2], numbersNow()["example_based.f1"]);
    removeListeners();
    observed.push(Object.keys(listeners));
  },

  // The status, the values and the steps after each pair of texts.
  "paste"(page, observed) {
    root.className = "mlm-paste";
    root.append(make("script", { type: "application/json" }, JSON.stringify(page.start)));
    mountPaste();
    for (const details of all("details")) details.open = true;
    const values = () => all("[data-metric]").map((element) => {
      const details = element.closest("details");
      details.dispatchEvent(new Event("toggle"));
      const lines = [...details.querySelectorAll("li")].map((line) => line.textContent);
      return [element.dataset.metric, element.dataset.value, lines];
    });
    for (const { texts, choices } of page.pasted) {
      for (const [name, words] of Object.entries(choices)) pick(name, words);
      all("textarea").forEach((area, i) => (area.value = texts[i]));
      press("Count");
      observed.push({ status: statusText(), values: values() });
    }
    setValue(root.querySelector("textarea"), "1", "input"); // an edit
    observed.push(all("[data-metric]").length, performance.getEntriesByType("resource").length);
  },

  "search"(page, observed) {
    const withSynonyms = translate({ same: page.same }, () => {});
    for (const name of Object.keys(page.same)) observed.push(withSynonyms(name.replace("@k", "@5")).at(-1));
  },

  "a question shows outcomes"(page, observed) {
    mountQuiz(root, page);
    observed.push(outcomes(), all(".mlm-key li").map((element) => element.innerText));
  },

  "a choice is judged"(page, observed) {
    const judgements = [];
    mountQuiz(root, page, ({ isRight }) => judgements.push(isRight));
    const observe = () => observed.push([choices(), statusText(), root.querySelector(".mlm-rest").checkVisibility()]);
    observed.push(root.querySelector(".mlm-asked").innerText);
    observe();
    press("D:");
    observe();
    press("C:");
    observe();
    observed.push(judgements);
  },
};
