// The worker that is the host of the page: the session, and the jobs that it gives to other workers.

import { HASH, Instance, address, compiled } from "./module.js";
import { Pool } from "./pool.js";

/** The most workers that value moves and analyze; every one has weights and a hash table of its own. */
const MOST_STUDY_LANES = 4;

/**
 * What the page hears: that the host can be spoken to, a message, or that the host has failed.
 * @typedef {{ ready: true } | { message: string } | { failure: string }} HostSaid
 */

/** @param {HostSaid} said */
const post = (said) => postMessage(said);

/** What the host wants done, in order; done when it has finished speaking. @type {(() => void)[]} */
const orders = [];
/** @type {number | undefined} */
let timer;

/** The weights of Emilia; without them it does not play on the 8x8 board, and says so. */
async function weights() {
  try {
    const response = await fetch(address("weights.bin.zst"));
    if (response.ok) return await response.arrayBuffer();
    console.error(`weights.bin.zst: ${response.status} ${response.statusText}`);
  } catch (error) {
    console.error(error);
  }
  return null;
}

/**
 * Begins the host, and does what it wants done.
 * @param {WebAssembly.Module} module
 * @param {number} studyLanes
 */
async function begin(module, studyLanes) {
  const pool = new Pool(studyLanes, {
    report: (job, report) => speak(report, (now) => host.exports.report(job, now)),
    cut: (job) => speak(null, (now) => host.exports.cut(job, now)),
  });
  let failure = "";
  const host = await Instance.of(module, {
    failed: (sentence) => (failure = sentence),
    send: (message) => orders.push(() => post({ message })),
    start: (job, isGame, timeLimit, work) => orders.push(() => pool.start(job, isGame, timeLimit, work)),
    stop: (job) => orders.push(() => pool.stop(job)),
  });
  const today = new Date();
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const [year, month, day] = [today.getFullYear(), today.getMonth() + 1, today.getDate()];
  host.exports.begin_host(seed, studyLanes, HASH, year, month, day);

  /**
   * Lets the host do something, and does what it wants done: in order, also what comes of that.
   * @param {string | null} text What it is about.
   * @param {(now: number) => void} act
   */
  function speak(text, act) {
    const isFirst = orders.length === 0;
    try {
      if (text !== null) host.put(text);
      act(performance.now());
      if (!isFirst) return;
      while (orders.length > 0) {
        orders[0]();
        orders.shift();
      }
      const next = host.exports.next_tick();
      clearTimeout(timer);
      if (next >= 0) timer = setTimeout(() => speak(null, host.exports.tick), Math.max(0, next - performance.now()));
    } catch (error) {
      // Nothing can be said about the state of a host that has failed: the page starts another one.
      post({ failure: failure || String(error) });
      close();
    }
  }

  addEventListener("message", ({ data }) => speak(data, host.exports.receive));
  post({ ready: true });
  return pool;
}

try {
  const [compiling, loading] = [compiled(), weights()];
  const studyLanes = Math.max(1, Math.min((navigator.hardwareConcurrency || 2) - 1, MOST_STUDY_LANES));
  const pool = await begin(await compiling, studyLanes);
  pool.supply(await compiling, await loading);
} catch (error) {
  post({ failure: String(error) });
}
