// Small drawings for buttons, which look the same whatever fonts there are.

import { svg } from "./dom.js";

/** Outlines in a square of 24. */
const PATHS = {
  first: "M5 5h2.5v14H5zM19 5v14L9 12z",
  back: "M17 5v14L7 12z",
  forward: "M7 5v14l10-7z",
  last: "M5 5v14l10-7zM16.5 5H19v14h-2.5z",
  variation: "M7 21V3h2.2v9.4c1-.9 2.4-1.4 4.1-1.4 1.7 0 2.6-.7 2.6-2.2V8H13l4-5 4 5h-2.9v.9c0 2.7-1.8 4.2-4.6 4.2-2.7 0-4.3 1-4.3 3.3V21z",
  theme: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 5a7 7 0 0 0 0 14z",
  settings: "M4 6.5h9v2H4zM17 6.5h3v2h-3zM14 4.5h2v6h-2zM4 15.5h3v2H4zM11 15.5h9v2h-9zM8 13.5h2v6H8z",
};

/**
 * A drawing.
 * @param {keyof typeof PATHS} name
 */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name], "fill-rule": "evenodd" }));
}

/** Puts drawings on the buttons of the page that ask for one. */
export function drawIcons() {
  for (const element of document.querySelectorAll("[data-icon]")) {
    element.replaceChildren(icon(/** @type {keyof typeof PATHS} */ (element.getAttribute("data-icon"))));
  }
}
