// The list of moves with their variations. A click goes to the position after a move.

import { act, app, view } from "./app.js";
import { byId, button, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { MARKS, clockText, signed } from "./words.js";

/**
 * Goes to the position after this many moves of the line.
 * @param {number} target
 */
export function goTo(target) {
  act({ event: "go_to", moves: target });
}

/**
 * Goes to another move that was tried in place of one of the line.
 * @param {number} number The number of the move, from 1.
 * @param {PlyView} ply
 * @param {string} square
 */
function goToVariation(number, ply, square) {
  goTo(number);
  const from = ply.variations.indexOf(ply.square ?? "");
  const steps = ply.variations.indexOf(square) - from;
  for (let step = (steps + ply.variations.length) % ply.variations.length; step > 0; step--) {
    act({ event: "go", step: "variation" });
  }
}

/** Draws the list. */
export function drawMoves() {
  const now = view();
  if (!now) return;
  const list = byId("moves");
  const judgements = new Map(app.study ? [] : now.analysis?.moves.map((judged) => [judged.number, judged]));
  const made = [now.moves, now.played, [...judgements], language];
  const isChanged = refresh(list, made, () => {
    let number = 0;
    // Marks are about the analyzed game, not about variations of it.
    let isAnalyzed = true;
    return now.moves.map((ply, index) => {
      const isNow = index === now.played - 1;
      const color = el("span", { class: `mini ${ply.color}`, "aria-hidden": "true" });
      if (ply.square === null) {
        return el("li", { class: index < now.played ? "" : "later" }, color, el("span", { class: "pass" }, t("pass")));
      }
      number += 1;
      const at = number;
      const judged = judgements.get(at);
      isAnalyzed &&= judged?.move === ply.square;
      const mark = isAnalyzed ? judged?.mark : null;
      const details = [ply.seconds !== null ? clockText(ply.seconds) : "", ply.expected !== null ? signed(ply.expected, 1) : ""];
      const move = button(ply.square + (mark ? MARKS[mark] : ""), () => goTo(at), {
        "data-key": `move-${at}`, "data-move": at, "data-mark": mark, "aria-current": isNow ? "step" : null,
        title: details.filter(Boolean).join(" · ") || null,
        "aria-label": t("moveLabel", { number: at, color: t(ply.color), square: ply.square }) + (mark ? `, ${t(mark)}` : ""),
      });
      const others = ply.variations.filter((square) => square !== ply.square);
      const variations = others.map((square) =>
        button(square, () => goToVariation(at, ply, square), {
          class: "variation", "data-key": `variation-${at}-${square}`, "data-variation": `${at}-${square}`,
          "aria-label": t("variationLabel", { number: at, square }),
        }));
      const counted = el("span", { class: "number", "aria-hidden": "true" }, String(at));
      return el("li", { class: index < now.played ? "" : "later" }, counted, color, move, ...variations);
    });
  });
  byId("no-moves").hidden = now.moves.length > 0;
  set(byId("opening"), { hidden: now.opening === null });
  set(byId("opening-name"), { text: now.opening ?? "" });
  if (isChanged) {
    const current = list.querySelector("[aria-current]");
    const box = list.parentElement;
    if (current instanceof HTMLElement && box) {
      const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
      if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 40) box.scrollTop = top - box.clientHeight / 2;
    } else if (box) {
      box.scrollTop = 0;
    }
  }
}
