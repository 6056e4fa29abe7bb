// Values of moves: the bar beside the board, and the best moves with the lines expected after them.

import { act, app, showsValues, view } from "./app.js";
import { byId, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { lineOfPlay } from "./preview.js";
import { countText, depthText, isFirstOfSymmetric, percent, signed, valueText } from "./words.js";

/** The disc difference at which the bar is about three quarters full. */
const WIDE = 12;

/**
 * The assessment of the position, seen from Black.
 * @param {View} now
 * @returns {{ share: number, text: string } | null} Black's share of the bar, and the value.
 */
function blackValue(now) {
  const sign = now.turn === "black" ? 1 : -1;
  if (app.study || now.set_up || app.preview) return null;
  if (now.result) return fromDiscs(now.result.score, signed(now.result.score));
  const best = showsValues() ? now.hints.find((hint) => hint.is_best) : undefined;
  const judged = app.tab === "analysis" ? now.analysis?.moves.find((move) => move.number === now.analysis?.next) : undefined;
  const solved = app.shown?.solving?.answers[0];
  const value = solved?.value ?? best?.value ?? judged?.best_value;
  switch (value?.kind) {
    case "solved":
    case "discs":
      return fromDiscs(sign * value.discs, signed(sign * value.discs, value.kind === "solved" ? 0 : 1));
    case "proven": {
      const outcome = { win: sign, draw: 0, loss: -sign }[value.outcome];
      return { share: (1 + outcome) / 2, text: outcome === 0 ? "=" : t(outcome > 0 ? "black" : "white") };
    }
    case "chance":
      return { share: sign > 0 ? value.probability : 1 - value.probability, text: percent(sign > 0 ? value.probability : 1 - value.probability) };
    default:
      return null;
  }
}

/** @param {number} discs @param {string} text */
function fromDiscs(discs, text) {
  return { share: 1 / (1 + Math.exp(-discs / WIDE)), text };
}

/** Draws the bar. */
function drawBar() {
  const now = view();
  const value = now && blackValue(now);
  const bar = byId("bar");
  bar.classList.toggle("unknown", !value);
  byId("bar-black").style.setProperty("--share", String(value?.share ?? 0.5));
  set(byId("bar-text"), { text: value?.text ?? "" });
  set(bar, { "aria-label": value ? t("barLabel", { value: value.text }) : t("barUnknown") });
}

/** Draws the panel of values. */
export function drawValues() {
  drawBar();
  const now = view();
  if (!now) return;
  const { hint_settings: chosen, hints, thought } = now;
  if (document.activeElement?.id !== "hint-level") set(byId("hint-level"), { value: String(chosen.level) });
  set(byId("hint-lines"), { value: String(chosen.lines) });
  const isShown = showsValues();
  const listed = isShown ? hints.filter(isFirstOfSymmetric).slice(0, chosen.lines) : [];
  set(byId("values-off"), { hidden: isShown, text: t(now.result ? "gameIsOver" : "valuesOff") });
  set(byId("values-side"), { hidden: !listed.length, text: t("valuesForSide", { color: t(now.turn) }) });
  set(byId("advising"), { text: isShown && now.is_advising ? t("searching") : "" });
  refresh(byId("lines"), [listed, now.revision, language], () => listed.map((hint) => {
    const depth = depthText(hint, hint.value);
    const tip = `tip-${hint.move}`;
    return el("li", { class: hint.is_best ? "best" : "", "data-hint": hint.move },
      el("strong", { class: "hint-value" }, valueText(hint.value)),
      hint.win_probability != null && chance(hint.win_probability),
      el("span", { class: "tipped" },
        el("button", { type: "button", class: "depth", "data-key": `depth-${hint.move}`, "aria-describedby": tip }, depth.short),
        el("span", { role: "tooltip", id: tip, class: "tip" }, depth.long)),
      hint.symmetric_moves.length > 0 && el("span", { class: "symmetric" }, t("symmetricMoves", { moves: hint.symmetric_moves.join(" ") })),
      lineOfPlay(hint.line, `hint-${hint.move}`));
  }));
  const finding = thought && !app.study && (thought.depth > 0 || thought.origin === "book") ? thought : null;
  refresh(byId("thought"), [finding, language], () => finding ? [
    t("thoughtOf", { who: finding.who, color: t(finding.color) }), " ",
    el("strong", {}, valueText(finding.value)), ` ${depthText(finding, finding.value).short} `,
    el("span", { class: "quiet" }, t("nodesInTime", { nodes: countText(finding.nodes), n: finding.nodes, seconds: finding.seconds.toFixed(1) })),
  ] : []);
}

/** The chance to win, explained on hover and to those who hear it. @param {number} probability */
function chance(probability) {
  const words = t("chanceToWin", { value: percent(probability) });
  return el("span", { class: "hint-chance", title: words, role: "img", "aria-label": words }, percent(probability));
}

/** Listens to the settings of the values. */
export function startValues() {
  const level = /** @type {HTMLInputElement} */ (byId("hint-level"));
  level.addEventListener("change", () => {
    if (level.reportValidity()) act({ event: "set_hints", level: level.valueAsNumber });
  });
  const lines = /** @type {HTMLSelectElement} */ (byId("hint-lines"));
  lines.addEventListener("change", () => act({ event: "set_hints", lines: Number(lines.value) }));
}
