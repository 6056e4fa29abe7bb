// The host on a server: a WebSocket that carries JSON, and comes back by itself after it was lost.

import { keepState, keptState, linkOfAddress } from "./memory.js";

/** The wait before the second attempt to connect, in milliseconds; it doubles from attempt to attempt. */
const FIRST_WAIT = 250;
/** The longest wait between attempts, in milliseconds. */
const LONGEST_WAIT = 8000;

/**
 * Connects to the server that the page came from.
 * @type {typeof import("./host.js").connect}
 */
export function connect(onMessage, onStatus) {
  /** @type {WebSocket | null} */
  let socket = null;
  let attempts = 0;
  let isClosed = false;
  /** @type {number | undefined} */
  let timer;

  function open() {
    clearTimeout(timer);
    onStatus("connecting");
    const address = new URL("socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const opened = new WebSocket(address);
    socket = opened;
    opened.addEventListener("open", () => {
      attempts = 0;
      opened.send(JSON.stringify({ type: "hello", state: keptState(), link: linkOfAddress() }));
      onStatus("connected");
    });
    opened.addEventListener("message", (event) => {
      /** @type {HostResponse} */
      const response = JSON.parse(String(event.data));
      if (response.type === "view") keepState(response.state);
      onMessage(response);
    });
    opened.addEventListener("close", () => {
      if (socket !== opened) return;
      socket = null;
      if (isClosed) return;
      onStatus("lost");
      // Jitter, so that the pages of a server that was restarted do not all come at the same time.
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempts) * (0.5 + Math.random() / 2);
      attempts += 1;
      timer = window.setTimeout(open, wait);
    });
  }

  // A phone that wakes up, or a network that is back, need not wait.
  const retry = () => {
    if (!socket && !isClosed && document.visibilityState === "visible") open();
  };
  addEventListener("online", retry);
  document.addEventListener("visibilitychange", retry);
  open();

  return {
    send(request) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(request));
      return true;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      removeEventListener("online", retry);
      document.removeEventListener("visibilitychange", retry);
      socket?.close();
    },
  };
}
