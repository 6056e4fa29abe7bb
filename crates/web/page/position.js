// Setting up a position, and solving the one on the board.

import { act, app, changed, send, view } from "./app.js";
import { byId, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { lineOfPlay } from "./preview.js";
import { openTab } from "./tabs.js";
import { countText, isFirstOfSymmetric, valueText } from "./words.js";

/** Begins to set up a position, or stops. */
export function toggleSetUp() {
  app.study = null;
  act({ event: "set_up", edit: view()?.set_up ? "cancel" : "begin" });
}

/**
 * The text that was given last, with the position as text and the number of messages at that time.
 * @type {{ text: string, position: string, said: number } | null}
 */
let pasted = null;

/** Draws what is needed to set up a position. */
export function drawSetUp() {
  const now = view();
  const setUp = now?.set_up ?? null;
  set(byId("set-up-card"), { hidden: !setUp });
  document.body.classList.toggle("setting-up", Boolean(setUp));
  set(byId("set-up"), { "aria-pressed": String(Boolean(setUp)) });
  if (!now || !setUp) {
    pasted = null;
    return;
  }
  for (const input of document.querySelectorAll("input[name=set-up-turn]")) {
    if (input instanceof HTMLInputElement) input.checked = input.value === setUp.turn;
  }
  const text = /** @type {HTMLTextAreaElement} */ (byId("set-up-text"));
  const { message } = now;
  const isRefused = message?.kind === "refused" && message.what === "paste" && message.text === pasted?.text;
  // A text that cannot be read stays, until the position or the message changes.
  if (pasted && (setUp.text !== pasted.position || (now.said !== pasted.said && !isRefused))) pasted = null;
  const reason = pasted && isRefused ? message.sentence : "";
  set(byId("set-up-note"), { text: reason, hidden: !reason });
  if (document.activeElement !== text) set(text, { value: pasted?.text ?? setUp.text });
  const count = (/** @type {string} */ disc) => setUp.board.rows.join("").split(disc).length - 1;
  set(byId("set-up-count"), { text: t("discCount", { black: count("X"), white: count("O"), empty: count("-") }) });
}

/** Draws the solving of the position. */
export function drawSolving() {
  const now = view();
  if (!now) return;
  const solving = app.shown?.solving ?? null;
  set(byId("solve"), { hidden: solving?.is_running === true, disabled: Boolean(now.result || now.set_up) });
  set(byId("stop-solving"), { hidden: !solving?.is_running });
  set(byId("solve-progress"), { hidden: !solving?.is_running });
  const state = byId("solve-state");
  if (!solving) {
    set(state, { text: t("solveEmpties", { n: now.empties }) });
  } else {
    const words = [solving.failure ?? (solving.is_running ? t("solvingNow") : solving.answers.length ? t("solved") : t("notSolved"))];
    if (solving.is_running && solving.progress) words.push(solving.progress);
    words.push(t("nodesInTime", { nodes: countText(solving.nodes), n: solving.nodes, seconds: solving.seconds.toFixed(1) }));
    set(state, { text: words.join(" · ") });
  }
  const answers = app.study ? [] : (solving?.answers ?? []).filter(isFirstOfSymmetric);
  refresh(byId("solutions"), [answers, language], () => answers.map((answer, index) =>
    el("li", { "data-solved": answer.move ?? "pass", class: index === 0 ? "best" : "" },
      el("strong", {}, `${answer.move ?? t("pass")} ${valueText(answer.value)}`),
      answer.symmetric_moves.length > 0 && el("span", { class: "symmetric" }, t("symmetricMoves", { moves: answer.symmetric_moves.join(" ") })),
      answer.line ? lineOfPlay(answer.line, `solved-${index}`) : "")));
}

/** Listens to the controls. */
export function startPosition() {
  byId("set-up").addEventListener("click", toggleSetUp);
  for (const edit of /** @type {const} */ (["clear", "start", "done", "cancel"])) {
    byId(`set-up-${edit}`).addEventListener("click", () => act({ event: "set_up", edit }));
  }
  byId("set-up-solve").addEventListener("click", () => {
    act({ event: "set_up", edit: "done" });
    openTab("solve");
  });
  byId("set-up-turn").addEventListener("change", () => act({ event: "set_up", edit: "turn" }));
  byId("set-up-brush").addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement) app.brush = /** @type {typeof app.brush} */ (event.target.value);
    changed();
  });
  byId("set-up-paste").addEventListener("click", () => {
    const { value } = /** @type {HTMLTextAreaElement} */ (byId("set-up-text"));
    act({ event: "paste", text: value });
    const now = view();
    pasted = now?.set_up ? { text: value, position: now.set_up.text, said: now.said } : null;
  });
  byId("solve").addEventListener("click", () => {
    const isOutcome = /** @type {HTMLInputElement} */ (byId("solve-outcome")).checked;
    const isAll = /** @type {HTMLInputElement} */ (byId("solve-all")).checked;
    send({ type: "solve", outcome_only: isOutcome, all_moves: isAll });
  });
  byId("stop-solving").addEventListener("click", () => send({ type: "stop_solving" }));
}
