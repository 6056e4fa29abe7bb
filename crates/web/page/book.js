// The panel of the opening book: the moves of the position with their content in the book, and the tree around it.

import { act, app, send, showsValues, view } from "./app.js";
import { drawTree } from "./book-tree.js";
import { byId, button, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { lineOfPlay } from "./preview.js";
import { depthText, signed, valueText } from "./words.js";

/** The position that the book was asked about last. */
let asked = "";

/** @param {View} now */
function keyOf(now) {
  return `${now.game} ${now.revision} ${now.board.rows.join("")}`;
}

/**
 * The content of the book for the position, as far as the host has sent it.
 * @param {View} now
 */
function pageOf(now) {
  return app.book?.key === keyOf(now) ? app.book : null;
}

/** @param {BookResponse} response */
export function bookCame({ revision, page, failure }) {
  const now = view();
  // Another position may be on the board by now; it was asked for, too.
  if (now?.revision === revision) app.book = { key: keyOf(now), page, failure };
}

/** Requests the next position again, whatever was requested before: the earlier request may get no answer. */
export function forgetBook() {
  asked = "";
}

/**
 * Goes to the position after these moves.
 * @param {string[]} squares
 */
function stepIn(squares) {
  const now = view();
  // The moves of another position may still be there for a moment.
  if (!now || !pageOf(now)) return;
  for (const square of squares) act({ event: "step_in", square });
}

/** Asks about the position if that is to be seen. */
function ask() {
  const now = view();
  const isSeen = app.tab === "openings" || showsValues();
  if (!now || !app.shown?.has_book || !isSeen || app.study || now.set_up || now.result) return;
  const key = keyOf(now);
  if (asked !== key && send({ type: "book" }, true)) asked = key;
}

/** Draws the panel. */
export function drawBook() {
  ask();
  const now = view();
  if (!now || app.tab !== "openings") return;
  const found = pageOf(now);
  // Where there is no content, there is nothing to wait for.
  const silence = app.study ? t("bookHidden") : now.result ? t("gameIsOver") : found?.failure;
  const page = silence ? null : found?.page ?? null;
  const panel = byId("panel-openings");
  set(panel, { "aria-busy": silence || found ? null : "true" });
  set(byId("book-out"), { disabled: !now.can.back });
  // The last content stays until the book has answered.
  if (!silence && !page) return;
  const hadFocus = panel.contains(document.activeElement) ? document.activeElement : null;
  refresh(byId("book-state"), [silence, page, now.opening, language], () => (silence ? [silence] : page ? state(now, page) : []));
  refresh(byId("book-moves"), [page?.moves, now.turn, language], () => (page?.moves.length ? [table(now, page)] : []));
  const others = page?.others_at_most ?? null;
  set(byId("book-others"), { text: others === null ? "" : t("bookOthers", { value: signed(others, 2) }) });
  refresh(byId("book-line"), [page?.line, language], () => (page?.line ? [el("h2", {}, t("bookLine")), lineOfPlay(page.line, "book")] : []));
  const hasTree = Boolean(page?.tree.branches.length);
  refresh(byId("book-tree"), [page?.tree, language], () => (page && hasTree ? [drawTree(page.tree, stepIn)] : []));
  set(byId("book-legend"), { hidden: !hasTree });
  keepFocus(hadFocus);
}

/**
 * Keeps the focus of a person who steps from move to move by keys: in the list or in the tree.
 * @param {Element | null} before What had the focus.
 */
function keepFocus(before) {
  if (!before || before.isConnected || byId("panel-openings").contains(document.activeElement)) return;
  const next = before.matches("[role=treeitem]") ? "#book-tree [role=treeitem]" : "#book-moves button";
  const place = document.querySelector(next) ?? byId("book-out");
  if (place instanceof HTMLElement || place instanceof SVGElement) place.focus({ preventScroll: true });
}

/** @param {number} count */
function gameCount(count) {
  return new Intl.NumberFormat(language).format(count);
}

/** The content of the book for the position itself. @param {View} now @param {BookPage} page */
function state(now, page) {
  if (!page.in_book) return [t(page.moves.length ? "bookLeadsBack" : "notInBook")];
  const values = { color: t(now.turn), value: (page.is_open ? "≤ " : "") + valueText(page.value) };
  const words = [t("inBook", values)];
  if (page.games) words.push(t("gamesCounted", { n: page.games, count: gameCount(page.games) }));
  return [words.join(" · "), now.opening && " · ", now.opening && el("span", { lang: "en" }, now.opening)];
}

/** @param {View} now @param {BookPage} page */
function table(now, page) {
  const head = /** @type {const} */ (["move", "value", "searched", "gamesShort", "leadsTo"]);
  const rows = page.moves.map((known) => {
    const depth = known.value.kind === "solved" || known.depth === null || known.selectivity === null
      ? null : depthText({ depth: known.depth, selectivity: known.selectivity, origin: "search" }, known.value);
    const exact = known.value.kind === "solved" ? { short: t("exact"), long: t("exactExplained") } : null;
    const search = depth ?? exact;
    const label = t("stepInto", { color: t(now.turn), square: known.move });
    return el("tr", { "data-book-move": known.move, "data-to": known.to },
      el("td", {}, button(known.move, () => stepIn([known.move]), { "data-key": `book-${known.move}`, "aria-label": label }),
        known.symmetric_moves.length > 0 && el("span", { class: "symmetric" }, ` ${known.symmetric_moves.join(" ")}`)),
      el("td", {}, valueText(known.value)),
      el("td", { title: search?.long ?? null }, search?.short ?? ""),
      el("td", {}, known.games ? gameCount(known.games) : ""),
      el("td", { class: "leads-to" },
        known.opening && el("span", { lang: "en" }, known.opening), known.opening && known.to !== "book" && " · ",
        known.to === "leaf" && t("outOfBook"), known.to === "end" && t("endsGame")));
  });
  return el("table", { class: "book" },
    el("caption", { class: "visually-hidden" }, t("bookMoves")),
    el("thead", {}, el("tr", {}, ...head.map((key) => el("th", { scope: "col" }, t(key))))),
    el("tbody", {}, ...rows));
}

/** Listens to the buttons of the panel. */
export function startBook() {
  byId("book-out").addEventListener("click", () => act({ event: "go", step: "back" }));
}
