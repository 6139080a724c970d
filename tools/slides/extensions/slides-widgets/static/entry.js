// JupyterLab's RISE lacks @jupyterlab/console, and without it the widgets' own extension isn't loaded.
// Here is as much of it as they ask for where no console is open; where there is one, it stays.
(() => {
  const lacked = { IConsoleTracker: undefined, CodeConsole: class {} };
  const version = { get: async () => () => lacked, from: "slides-widgets", eager: true, loaded: 1 };
  // All cells run once, as soon as there is a kernel: a slide's widget needs cells that stand on no slide.
  const run = ({ commands, serviceManager: { kernels } }) => {
    const waiting = setInterval(async () => {
      await kernels.refreshRunning();
      const isReady = [...kernels.running()].some((one) => one.execution_state === "idle" && one.connections);
      if (!isReady || !document.querySelector(".reveal section.present")) return;
      clearInterval(waiting);
      await commands.execute("notebook:run-all-cells");
      await commands.execute("RISE:firstSlide");
    }, 1000);
  };
  (window._JUPYTERLAB ??= {})["slides-widgets"] = {
    init: (shared) => { shared["@jupyterlab/console"] ??= { "4.0.0": version }; },
    get: async () => () => ({ __esModule: true, default: [{ id: "slides-widgets:run", autoStart: true, activate: run }] }),
  };
})();
