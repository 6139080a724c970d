// JupyterLab's RISE lacks @jupyterlab/console, and without it the widgets' own extension isn't loaded.
// Here is as much of it as they ask for where no console is open; where there is one, it stays.
(() => {
  const lacked = { IConsoleTracker: undefined, CodeConsole: class {} };
  const version = { get: async () => () => lacked, from: "slides-widgets", eager: true, loaded: 1 };
  // A slide that is taller than the window, to which RISE gives this height, is drawn smaller, down to two thirds.
  const HEIGHT = "95vh";
  let waiting;
  const fit = () => {
    const slide = [...document.querySelectorAll(".reveal section.present")].pop();
    if (!slide) return;
    if (slide.style.zoom) Object.assign(slide.style, { zoom: "", height: HEIGHT });
    const room = slide.clientHeight / slide.scrollHeight;
    if (room >= 1) return;
    const zoom = Math.max(room - 0.01, 2 / 3);
    Object.assign(slide.style, { zoom, height: `calc(${HEIGHT} / ${zoom})` });
  };
  const fitSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(fit, 100);
  };
  // All cells run once, as soon as there is a kernel: a slide's widget needs cells that stand on no slide.
  // Meanwhile RISE goes from cell to cell: a curtain hides that.
  const run = ({ commands, serviceManager: { kernels } }) => {
    if (!location.pathname.includes("/rise/")) return;
    new MutationObserver(fitSoon).observe(document.body, { subtree: true, childList: true, attributeFilter: ["class"] });
    addEventListener("resize", fitSoon);
    const curtain = document.createElement("div");
    curtain.textContent = "Running the cells of these slides …";
    curtain.style = "position: fixed; inset: 0; z-index: 99999; display: grid; place-items: center; background: #fff; color: #003b5c; font: 40px system-ui, sans-serif";
    document.body.append(curtain);
    setTimeout(() => curtain.remove(), 120_000); // whatever happens
    const looking = setInterval(async () => {
      await kernels.refreshRunning();
      const isReady = [...kernels.running()].some((one) => one.execution_state === "idle" && one.connections);
      if (!isReady || !document.querySelector(".reveal section.present")) return;
      clearInterval(looking);
      await commands.execute("notebook:run-all-cells");
      await commands.execute("RISE:firstSlide");
      curtain.remove();
    }, 1000);
  };
  (window._JUPYTERLAB ??= {})["slides-widgets"] = {
    init: (shared) => { shared["@jupyterlab/console"] ??= { "4.0.0": version }; },
    get: async () => () => ({ __esModule: true, default: [{ id: "slides-widgets:run", autoStart: true, activate: run }] }),
  };
})();
