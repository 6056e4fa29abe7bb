// Lines of play: written as moves that can be clicked, and stepped through on the board.

import { app, changed, send, squaresOf, view } from "./app.js";
import { byId, button, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { icon } from "./icons.js";

/** The index of the wanted board when a line comes. */
let wanted = 0;
/** The game and position for which a line was asked for. */
let asked = "";

/**
 * A line of play as a list of buttons.
 * @param {string} line
 * @param {string} key Tells this line from the others of its panel.
 * @param {() => void} [before] What to do before the line is shown, such as going to its position.
 */
export function lineOfPlay(line, key, before) {
  const squares = squaresOf(line);
  const moves = squares.map((square, index) => {
    const show = () => {
      before?.();
      wanted = index + 1;
      send({ type: "preview", line });
    };
    const label = t("showMove", { square, number: index + 1 });
    return el("li", {}, button(square, show, { "data-key": `${key}-${index}`, "data-line-move": square, "aria-label": label }));
  });
  return el("ol", { class: "line", "data-line": line }, ...moves);
}

/** @param {PreviewResponse} response */
export function previewCame({ line, boards, turns }) {
  const now = view();
  if (!now || boards.length < 2) return;
  asked = positionKey(now);
  if (!app.preview) byId("board-frame").scrollIntoView({ block: "nearest" });
  app.preview = { squares: squaresOf(line), boards, turns, index: Math.min(wanted, boards.length - 1) };
  changed();
}

/** @param {View} now */
function positionKey(now) {
  return `${now.game} ${now.board.rows.join("")}`;
}

/** Goes back to the position of the game. */
export function closePreview() {
  if (!app.preview) return;
  app.preview = null;
  changed();
}

/**
 * Steps along the line.
 * @param {number} by
 */
export function stepPreview(by) {
  const { preview } = app;
  if (!preview) return;
  preview.index = Math.min(preview.boards.length - 1, Math.max(0, preview.index + by));
  changed();
}

/** Draws the buttons of the line that is shown. */
export function drawPreview() {
  const now = view();
  if (app.preview && (!now || now.set_up || positionKey(now) !== asked)) app.preview = null;
  const { preview } = app;
  const bar = byId("preview-bar");
  set(bar, { hidden: !preview });
  if (!preview) return;
  const { index, boards, squares } = preview;
  refresh(bar, [squares, index, language], () => [
    el("p", {}, t("previewOf", { number: index, n: boards.length - 1, square: squares[index - 1] ?? t("positionNow") })),
    el("div", { class: "buttons" },
      button(icon("first"), () => stepPreview(-99), { "aria-label": t("lineStart"), "data-key": "first", "data-action": "preview-first" }),
      button(icon("back"), () => stepPreview(-1), { "aria-label": t("lineBack"), "data-key": "back", "data-action": "preview-back" }),
      button(icon("forward"), () => stepPreview(1), { "aria-label": t("lineForward"), "data-key": "forward", "data-action": "preview-forward" }),
      button(icon("last"), () => stepPreview(99), { "aria-label": t("lineEnd"), "data-key": "last", "data-action": "preview-last" }),
      button(t("backToGame"), closePreview, { "data-key": "close", "data-action": "preview-close" })),
  ]);
}
