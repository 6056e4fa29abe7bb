/** The host of the page: `host-socket.js` where a server plays, `host-worker.js` where the browser does. */

/** How the connection is. */
export type HostStatus = "connecting" | "connected" | "lost";

/** A connection to a host. */
export interface Host {
  /** Asks for something. While the connection is lost, what is asked for is dropped, and false is returned. */
  send(request: HostRequest): boolean;
  /** Ends the connection. */
  close(): void;
}

/** Connects to the host, and again whenever the connection is lost. Every connection begins with a `hello`. */
export function connect(
  onMessage: (response: HostResponse) => void,
  onStatus: (status: HostStatus) => void,
): Host;
