// A worker that thinks: it does one job after the other, and reports about each.

import { HASH, Instance, address } from "./module.js";

/** @typedef {import("./pool.js").EngineOrder} EngineOrder */
/** @typedef {import("./pool.js").EngineReport} EngineReport */

/** @type {Promise<Instance> | null} */
let engine = null;
/** Why the engine failed, in its own words. */
let failure = "";
/** Whether the reports on the current job are wanted. */
let isHeard = true;

/** @param {EngineReport} report */
const post = (report) => postMessage(report);

/**
 * Loads the tables of a classic program, while the engine waits.
 * @param {string} name
 */
function load(name) {
  const request = new XMLHttpRequest();
  request.open("GET", address(`tables/${name}`), false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    return null;
  }
  return request.status === 200 ? new Uint8Array(request.response) : null;
}

/** @param {import("./pool.js").EngineFiles} files */
async function begin({ module, weights, flag }) {
  const instance = await Instance.of(module, {
    poll: () => flag !== null && Atomics.load(flag, 0) !== 0,
    load,
    failed: (sentence) => (failure = sentence),
    tell: (report) => isHeard && post({ report }),
  });
  if (weights) {
    instance.put(new Uint8Array(weights));
    if (!instance.exports.install_weights()) throw new Error(failure);
  }
  instance.exports.begin_workbench(HASH);
  return instance;
}

addEventListener("message", async (/** @type {MessageEvent<EngineOrder>} */ { data: order }) => {
  try {
    if ("module" in order) {
      engine = begin(order);
      await engine;
    } else {
      const instance = await engine;
      isHeard = order.isHeard;
      instance?.put(order.work);
      instance?.exports.run();
      if (order.isHeard) post({ done: true });
    }
  } catch (error) {
    post({ failure: failure || String(error) });
  }
});
