// JupyterLab's RISE lacks @jupyterlab/console, and without it the widgets' own extension isn't loaded.
// Here is as much of it as they ask for where no console is open; where there is one, it stays.
(() => {
  const lacked = { IConsoleTracker: undefined, CodeConsole: class {} };
  const version = { get: async () => () => lacked, from: "slides-widgets", eager: true, loaded: 1 };
  (window._JUPYTERLAB ??= {})["slides-widgets"] = {
    init: (shared) => { shared["@jupyterlab/console"] ??= { "4.0.0": version }; },
    get: async () => () => ({ __esModule: true, default: [] }),
  };
})();
