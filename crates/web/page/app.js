// The state of the page, and its requests to the host. Parts of the page listen for changes and draw themselves.

/**
 * A line of play that is stepped through on the board.
 * @typedef {object} Preview
 * @property {string[]} squares The moves.
 * @property {string[][]} boards The rows of the board before the first move, and after each.
 * @property {Color[]} turns
 * @property {number} index Which of the boards is shown.
 */

/**
 * A study: mistakes of the analyzed game, or a puzzle.
 * @typedef {object} Study
 * @property {"mistakes" | "puzzle"} kind
 * @property {JudgedView[]} items The mistakes, the worst first.
 * @property {number} index The mistake that is asked for.
 * @property {"asked" | "waiting" | "wrong" | "right" | "answer"} state
 * @property {TriedResponse | null} tried The last try.
 * @property {number | null} game The game of the host, once a move was tried.
 * @property {PuzzleResponse | null} puzzle
 */

/** The state of the page. */
export const app = {
  /** The last view of the host. @type {Shown | null} */
  shown: null,
  /** The time at which it came, in milliseconds. */
  shownAt: 0,
  /** @type {Preview | null} */
  preview: null,
  /** @type {Study | null} */
  study: null,
  /** The game before the first puzzle, to come back to. @type {unknown} */
  beforePuzzles: null,
  /** The content that a click puts on a square of a position that is set up. @type {"cycle" | "black" | "white" | "empty"} */
  brush: "cycle",
  /** The content of the opening book for a position. @type {{ key: string, page: BookPage | null, failure: string | null } | null} */
  book: null,
  /** The last state of the farm. @type {{ page: FarmPage | null, failure: string | null } | null} */
  farm: null,
  /** The square that is pointed at or has the focus. @type {string | null} */
  pointed: null,
  /** @type {Map<BoardShape, PlayerChoice[]>} */
  players: new Map(),
  /** The panel that is open. */
  tab: "values",
  /** The message of the page itself, until the next action of the person. */
  notice: "",
  /**
   * The text that was given to be opened last, and the game at that time, until it is known that it can be read.
   * @type {{ text: string, game: number | undefined } | null}
   */
  opening: null,
};

/** @type {import("./host.js").Host | null} */
let host = null;
/** @type {(() => void)[]} */
const listeners = [];
let isScheduled = false;

/** @param {import("./host.js").Host} connected */
export function useHost(connected) {
  host = connected;
}

/**
 * Asks the host for something.
 * @param {HostRequest} request
 * @param {boolean} [isQuiet] Whether the person has not asked for it: what the page has said stays.
 */
export function send(request, isQuiet = false) {
  if (!isQuiet) {
    app.notice = "";
    app.opening = null;
  }
  return host?.send(request) ?? false;
}

/**
 * Tells the host what the person did.
 * @param {HostEvent} event
 */
export function act(event) {
  return send({ type: "event", event });
}

/**
 * Calls a function whenever something has changed.
 * @param {() => void} draw
 */
export function onChange(draw) {
  listeners.push(draw);
}

/** Says that something has changed: everything is drawn again, once, before the next frame. */
export function changed() {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    for (const draw of listeners) draw();
  });
}

/** The view, if there is one. @returns {View | null} */
export function view() {
  return app.shown?.view ?? null;
}

/** Whether values of moves are to be seen: they are not while the person is asked for a move. */
export function showsValues() {
  return !app.study && (view()?.shows_hints ?? false);
}

/**
 * The squares of a line of play.
 * @param {string} line
 * @returns {string[]}
 */
export function squaresOf(line) {
  return line.match(/[a-z]\d+/g) ?? [];
}
