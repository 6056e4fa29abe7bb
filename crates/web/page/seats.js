// The two players beside the board, with discs and clocks, and what can be done while an engine thinks.

import { act, app, view } from "./app.js";
import { byId, button, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { openNewGame } from "./new-game.js";
import { clockText, messageText, seatName, situation } from "./words.js";

/** The time on the clock of a side, in seconds. @param {SeatView} seat */
function secondsNow(seat) {
  if (!seat.runs) return seat.seconds;
  const passed = (performance.now() - app.shownAt) / 1000;
  return seat.control ? seat.seconds - passed : seat.seconds + passed;
}

/** Draws both players. */
export function drawSeats() {
  const now = view();
  if (!now) return;
  for (const seat of now.seats) {
    const place = byId(`seat-${seat.color}`);
    place.classList.toggle("to-move", !now.result && now.turn === seat.color);
    const name = seatName(seat);
    refresh(place, [name, seat.discs, seat.player, now.is_thinking && now.turn === seat.color, language], () => [
      el("span", { class: `counter ${seat.color}`, "aria-hidden": "true" }, String(seat.discs)),
      button(name, openNewGame, {
        class: "seat-name", "data-key": "name", "data-seat-name": seat.color, title: t("changePlayers"),
        "aria-label": t("seatLabel", { color: t(seat.color), name, n: seat.discs }),
      }),
      now.is_thinking && now.turn === seat.color && el("span", { class: "thinking" }, t("thinking")),
      el("span", { class: "clock", id: `clock-${seat.color}`, role: "timer", "aria-label": t("clockOf", { color: t(seat.color) }) }),
    ]);
  }
  drawClocks();
}

function drawClocks() {
  for (const seat of view()?.seats ?? []) {
    const clock = document.getElementById(`clock-${seat.color}`);
    if (!clock) continue;
    const seconds = secondsNow(seat);
    set(clock, { text: clockText(seconds, seat.control !== null) });
    clock.classList.toggle("runs", seat.runs);
    clock.classList.toggle("urgent", seat.control !== null && seconds < 20);
  }
}

/** Draws what is going on, what was said, and the buttons for it. */
export function drawStatus() {
  const now = view();
  if (!now) return;
  const { set_up: setUp } = now;
  set(byId("situation"), {
    text: setUp ? t("setUpTitle") : app.study ? t("studyToMove", { color: t(now.turn) }) : situation(now),
  });
  document.title = `${byId("situation").textContent} · Emilia`;
  const said = now.message && now.message.kind !== "passed" ? messageText(now.message) : "";
  set(byId("message"), { text: app.notice || said });
  const { can } = now;
  set(byId("take-back"), { disabled: !can.take_back });
  set(byId("play-again"), { disabled: !can.play_again });
  set(byId("move-now"), { hidden: !can.interrupt });
  set(byId("wait"), { hidden: !can.interrupt });
  set(byId("continue"), { hidden: !can.continue });
  set(byId("restart"), { hidden: !now.result });
  set(byId("toggle-hints"), { "aria-pressed": String(now.shows_hints) });
  set(byId("first"), { disabled: !can.back });
  set(byId("back"), { disabled: !can.back });
  set(byId("forward"), { disabled: !can.forward });
  set(byId("last"), { disabled: !can.forward });
  set(byId("next-variation"), { disabled: !can.variation });
}

/** Listens to the buttons, and lets the clocks run. */
export function startSeats() {
  /** @type {[string, HostEvent][]} */
  const events = [
    ["take-back", { event: "go", step: "take_back" }],
    ["play-again", { event: "go", step: "play_again" }],
    ["move-now", { event: "move_now" }],
    ["wait", { event: "wait" }],
    ["continue", { event: "continue" }],
    ["first", { event: "go", step: "to_start" }],
    ["back", { event: "go", step: "back" }],
    ["forward", { event: "go", step: "forward" }],
    ["last", { event: "go", step: "to_end" }],
    ["next-variation", { event: "go", step: "variation" }],
    ["swap", { event: "swap" }],
    ["restart", { event: "restart" }],
  ];
  for (const [id, event] of events) byId(id).addEventListener("click", () => act(event));
  byId("toggle-hints").addEventListener("click", toggleHints);
  setInterval(drawClocks, 100);
}

/** Shows or hides the values of the moves. */
export function toggleHints() {
  const now = view();
  if (!now) return;
  app.study = null;
  act({ event: "show_hints", shown: !now.shows_hints });
}
