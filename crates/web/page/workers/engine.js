// A worker that thinks: it carries out one order after the other, and replies to each.

import { HASH, Instance, address } from "./module.js";

/** @typedef {import("./pool.js").ToEngine} ToEngine */
/** @typedef {import("./pool.js").FromEngine} FromEngine */

/** @type {Promise<Instance> | null} */
let engine = null;
/** Why the engine failed, in its own words. */
let failure = "";
/** Whether the replies to the current order are wanted. */
let isHeard = true;

/** @param {FromEngine} message */
const post = (message) => postMessage(message);

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
    tell: (reply) => isHeard && post({ reply }),
  });
  if (weights) {
    instance.put(new Uint8Array(weights));
    if (!instance.exports.install_weights()) throw new Error(failure);
  }
  instance.exports.begin_workbench(HASH);
  return instance;
}

addEventListener("message", async (/** @type {MessageEvent<ToEngine>} */ { data }) => {
  try {
    if ("module" in data) {
      engine = begin(data);
      await engine;
    } else {
      const instance = await engine;
      isHeard = data.isHeard;
      instance?.put(data.order);
      instance?.exports.run();
      if (data.isHeard) post({ done: true });
    }
  } catch (error) {
    post({ failure: failure || String(error) });
  }
});
