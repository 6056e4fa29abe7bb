// The worker that is the host of the page: the session, and the jobs that it gives to other workers.

import { HASH, Instance, address, compiled } from "./module.js";
import { Pool } from "./pool.js";

/** Maximum number of workers that value moves and analyze; each has its own weights and hash table. */
const MAX_STUDY_LANES = 4;

/**
 * Message to the page: the host is ready, a message of the host, or the host has failed.
 * @typedef {{ ready: true } | { message: string } | { failure: string }} HostSaid
 */

/** @param {HostSaid} said */
const post = (said) => postMessage(said);

/** Effects of the host, in their order, which follow when its call has returned. @type {(() => void)[]} */
const effects = [];
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
 * Begins the host, and carries out its effects.
 * @param {WebAssembly.Module} module
 * @param {number} studyLanes
 */
async function begin(module, studyLanes) {
  const pool = new Pool(studyLanes, {
    reply: (job, reply) => speak(reply, (now) => host.exports.reply(job, now)),
    cut: (job) => speak(null, (now) => host.exports.cut(job, now)),
  });
  let failure = "";
  const host = await Instance.of(module, {
    failed: (sentence) => (failure = sentence),
    send: (message) => effects.push(() => post({ message })),
    start: (job, isGame, timeLimit, order) => effects.push(() => pool.start(job, isGame, timeLimit, order)),
    stop: (job) => effects.push(() => pool.stop(job)),
  });
  const today = new Date();
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const [year, month, day] = [today.getFullYear(), today.getMonth() + 1, today.getDate()];
  host.exports.begin_host(seed, studyLanes, HASH, year, month, day);

  /**
   * Calls the host and carries out its effects in their order, also those that follow from them.
   * @param {string | null} text The input of the call.
   * @param {(now: number) => void} act
   */
  function speak(text, act) {
    const isFirst = effects.length === 0;
    try {
      if (text !== null) host.put(text);
      act(performance.now());
      if (!isFirst) return;
      while (effects.length > 0) {
        effects[0]();
        effects.shift();
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
  const studyLanes = Math.max(1, Math.min((navigator.hardwareConcurrency || 2) - 1, MAX_STUDY_LANES));
  const pool = await begin(await compiling, studyLanes);
  pool.supply(await compiling, await loading);
} catch (error) {
  post({ failure: String(error) });
}
