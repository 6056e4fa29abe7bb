// Announcements for screen readers: moves, passes, the end, messages, the connection.

import { app, changed, view } from "./app.js";
import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { messageText, resultText } from "./words.js";

/** @type {View | null} */
let before = null;

/**
 * Says something, after what was said in the last moment.
 * @param {string} text
 */
export function announce(text) {
  if (!text) return;
  const live = byId("live");
  // Nothing outside of an open dialog is heard.
  const place = document.querySelector("dialog[open]") ?? document.body;
  const isThere = live.parentElement === place;
  if (!isThere) place.append(live);
  const say = () => {
    live.append(Object.assign(document.createElement("p"), { textContent: text }));
    // Old announcements are of no use when the region is read again.
    while (live.childElementCount > 4) live.firstElementChild?.remove();
  };
  if (isThere) say();
  else setTimeout(say, 150);
}

/**
 * Says something, and shows it until the person does something else.
 * @param {string} text
 */
export function notify(text) {
  app.notice = text;
  announce(text);
  changed();
}

/** So many moves are named one by one. */
const FEW_PLIES = 4;

/**
 * The moves and passes that led from one view to another; none if they are too many, or if it was another way.
 * @param {View} past
 * @param {View} now
 */
function pliesSince(past, now) {
  const line = (/** @type {View} */ view) => view.moves.slice(0, past.played).map((ply) => ply.square ?? "").join(" ");
  const isSequel = now.game === past.game && line(now) === line(past);
  const plies = isSequel ? now.moves.slice(past.played, now.played) : [];
  return plies.length <= FEW_PLIES ? plies : [];
}

/** Says what has changed since the last view. */
export function announceView() {
  const now = view();
  if (!now || now === before) return;
  const past = before;
  before = now;
  if (!past) return;
  if (now.message && now.said !== past.said && now.message.kind !== "passed") announce(messageText(now.message));
  if (now.set_up) {
    if (past.set_up && now.set_up.turn !== past.set_up.turn) announce(t("toMove", { color: t(now.set_up.turn) }));
    return;
  }
  if (now.revision === past.revision && now.game === past.game) return;
  const sentences = [];
  const plies = pliesSince(past, now);
  const isSame = now.game === past.game && now.move_count === past.move_count && now.board.rows.join() === past.board.rows.join();
  if (isSame && !now.result === !past.result) return;
  if (plies.length) {
    const last = plies.findLastIndex((ply) => ply.square !== null);
    plies.forEach(({ color, square }, index) => {
      if (square === null) sentences.push(t("passes", { color: t(color) }));
      else if (index < last) sentences.push(t("playsShort", { color: t(color), square }));
      else sentences.push(t("plays", { color: t(color), square, n: now.last_move?.flips.length ?? 0 }));
    });
  } else if (!isSame) {
    sentences.push(now.move_count ? t("positionAfter", { number: now.move_count }) : t("positionAtStart"));
  }
  if (now.result) sentences.push(resultText(now.result, now));
  else sentences.push(t("toMoveWithMoves", { color: t(now.turn), n: now.legal_moves.length }));
  announce(sentences.join(" "));
}
