// Data that the browser stores for the page: settings and the game. Nothing leaves the browser.

const STATE = "emilia.state";
const SETTINGS = "emilia.settings";

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {string} language A language code, or `auto`.
 * @property {boolean} animations
 * @property {boolean} legalMoves Whether legal moves are marked on the board.
 * @property {boolean} coordinates
 * @property {boolean} shortcuts Whether single keys are shortcuts.
 * @property {number | null} analysisLevel The level of an analysis; null is the default.
 * @property {"black" | "mover"} perspective The side from whose point of view an analysis has its values.
 * @property {string} tab The panel that was open last.
 */

/** @type {Settings} */
const DEFAULTS = {
  theme: "auto",
  language: "auto",
  animations: true,
  legalMoves: true,
  coordinates: true,
  shortcuts: true,
  analysisLevel: null,
  perspective: "black",
  tab: "values",
};

/**
 * Browsers may refuse to store anything; the page works without.
 * @param {"localStorage" | "sessionStorage"} storage
 * @param {string} key
 * @returns {any}
 */
function read(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {"localStorage" | "sessionStorage"} storage
 * @param {string} key
 * @param {unknown} value
 */
function write(storage, key, value) {
  try {
    window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // Nothing can be stored here.
  }
}

/** The settings, as they were chosen in this browser. @type {Settings} */
export const settings = { ...DEFAULTS, ...read("localStorage", SETTINGS) };

/**
 * Changes settings and remembers them.
 * @param {Partial<Settings>} changes
 */
export function changeSettings(changes) {
  Object.assign(settings, changes);
  write("localStorage", SETTINGS, settings);
}

/**
 * Keeps the game, for this tab and for the next start of the browser.
 * @param {unknown} state
 */
export function keepState(state) {
  // Views come many times a second while something is searched.
  const text = JSON.stringify(state);
  if (text === keptText) return;
  keptText = text;
  write("sessionStorage", STATE, state);
  write("localStorage", STATE, state);
}

/** The data that were stored last. */
let keptText = "";

/** The game of this tab, or else the last one of the browser. @returns {unknown} */
export function keptState() {
  return read("sessionStorage", STATE) ?? read("localStorage", STATE);
}

/** The game in the address, if there is one. @returns {string | null} */
export function linkOfAddress() {
  return linkOf(location.hash);
}

/**
 * The game in the fragment of an address.
 * @param {string} fragment With its `#`.
 * @returns {string | null}
 */
export function linkOf(fragment) {
  const link = fragment.slice(1);
  try {
    return decodeURIComponent(link) || null;
  } catch {
    return link;
  }
}

/** Removes the game from the address: it is on the board now, and goes on. */
export function forgetLink() {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}
