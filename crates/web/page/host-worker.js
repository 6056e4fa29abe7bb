// The host in the browser itself: a worker that carries JSON, and is started again if it fails.

import { keepState, keptState, linkOfAddress } from "./memory.js";

/** The wait before the second attempt to start it, in milliseconds; it doubles from attempt to attempt. */
const FIRST_WAIT = 250;
/** The longest wait between attempts, in milliseconds. */
const LONGEST_WAIT = 8000;
/** After so many failures in a row, the game that was kept is suspected, and a new one begins. */
const PATIENCE = 3;
/** A host that has worked for so long has not failed to start, in milliseconds. */
const TRIED = 10_000;

/**
 * Starts the host.
 * @type {typeof import("./host.js").connect}
 */
export function connect(onMessage, onStatus) {
  /** @type {Worker | null} */
  let worker = null;
  let isReady = false;
  let failures = 0;
  let startedAt = 0;
  /** @type {number | undefined} */
  let timer;

  function open() {
    onStatus("connecting");
    const opened = new Worker(new URL("workers/host.js", import.meta.url), { type: "module" });
    worker = opened;
    isReady = false;
    startedAt = performance.now();
    opened.addEventListener("message", (/** @type {MessageEvent<HostSaid>} */ { data: said }) => {
      if (worker !== opened) return;
      if ("failure" in said) fail(said.failure);
      else if ("ready" in said) begin(opened);
      else receive(said.message);
    });
    opened.addEventListener("error", (event) => worker === opened && fail(event.message));
  }

  /** @param {Worker} opened */
  function begin(opened) {
    isReady = true;
    const state = failures < PATIENCE ? keptState() : null;
    opened.postMessage(JSON.stringify({ type: "hello", state, link: linkOfAddress() }));
    onStatus("connected");
  }

  /** @param {string} message */
  function receive(message) {
    /** @type {HostResponse} */
    const response = JSON.parse(message);
    if (response.type === "view") {
      keepState(response.state);
      prepareOffline();
    }
    onMessage(response);
  }

  /** @param {string} reason */
  function fail(reason) {
    console.error(reason);
    worker?.terminate();
    worker = null;
    isReady = false;
    if (performance.now() - startedAt > TRIED) failures = 0;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
    failures += 1;
    onStatus("lost");
    timer = window.setTimeout(open, wait);
  }

  open();

  return {
    send(request) {
      if (!isReady) return false;
      worker?.postMessage(JSON.stringify(request));
      return true;
    },
    close() {
      clearTimeout(timer);
      worker?.terminate();
      worker = null;
      isReady = false;
    },
  };
}

/** @typedef {{ ready: true } | { message: string } | { failure: string }} HostSaid */

let isPrepared = false;

/** Lets the browser keep all files, once the page is there: what is kept must not delay what is needed. */
function prepareOffline() {
  if (isPrepared || !("serviceWorker" in navigator)) return;
  isPrepared = true;
  navigator.serviceWorker.register(new URL("service-worker.js", import.meta.url)).catch((reason) => {
    // A page without a secure address works, but not offline.
    console.info(reason);
  });
}
