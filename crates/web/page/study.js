// Study: positions where the person lost most are asked again, and puzzles with one winning move.

import { announce, notify } from "./announce.js";
import { act, app, changed, send, view } from "./app.js";
import { focusBoard } from "./board.js";
import { byId, button, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { lineOfPlay } from "./preview.js";
import { spokenLoss, valueText } from "./words.js";

/** Puzzles begin with this number of empty squares, unless another was chosen. */
const USUAL_EMPTIES = 10;

/** Asks for the mistakes of the analyzed game again, the worst first. */
export function startMistakes() {
  const now = view();
  if (!now?.analysis) return;
  const side = /** @type {HTMLSelectElement} */ (byId("study-side")).value;
  const persons = now.seats.filter((seat) => seat.player === null).map((seat) => seat.color);
  const colors = side === "auto" ? (persons.length ? persons : ["black", "white"]) : side === "both" ? ["black", "white"] : [side];
  const { moves, exercises } = now.analysis;
  const items = exercises.map((number) => moves[number - 1]).filter((judged) => colors.includes(judged.color));
  if (!items.length) {
    notify(t("noMistakes"));
    set(byId("study-note"), { text: t("noMistakes") });
    return;
  }
  if (now.shows_hints) act({ event: "show_hints", shown: false });
  app.study = { kind: "mistakes", items, index: 0, state: "asked", tried: null, game: now.game, puzzle: null };
  ask();
}

/** Shows the position of the mistake that is asked for. */
function ask() {
  const { study } = app;
  if (!study) return;
  study.state = "asked";
  study.tried = null;
  app.preview = null;
  if (study.kind === "mistakes") {
    const judged = study.items[study.index];
    act({ event: "show_move", number: judged.number });
    announce(t("findBetter", { color: t(judged.color), square: judged.move, number: judged.number }));
  }
  focusBoard();
  changed();
}

/**
 * Asks for a puzzle: without a number, for the first of today. A day begins at midnight UTC, as in `emilia puzzle`.
 * @param {number} empties
 * @param {number} [number]
 */
function askPuzzle(empties, number) {
  if (app.study?.kind !== "puzzle") app.beforePuzzles = app.shown?.state ?? null;
  if (view()?.shows_hints) act({ event: "show_hints", shown: false });
  const day = Math.floor(Date.now() / 86_400_000);
  send(number === undefined ? { type: "puzzle", empties, day } : { type: "puzzle", empties, number });
}

/** @param {PuzzleResponse} puzzle */
export function puzzleCame(puzzle) {
  app.study = { kind: "puzzle", items: [], index: 0, state: "asked", tried: null, game: null, puzzle };
  app.preview = null;
  announce(t("puzzleCame", { n: puzzle.empties }));
  focusBoard();
  changed();
}

/**
 * Tries a move in the position that is asked for.
 * @param {string} square
 */
export function pressInStudy(square) {
  const { study } = app;
  const now = view();
  if (!study || !now || study.state === "waiting") return;
  if (study.kind === "mistakes" && now.analysis?.next !== study.items[study.index].number) {
    ask();
    return;
  }
  study.game = now.game;
  study.tried = null;
  study.state = "waiting";
  send({ type: "try", square });
  changed();
}

/** @param {TriedResponse} tried */
export function triedCame(tried) {
  const { study } = app;
  if (!study || study.state !== "waiting") return;
  const { judgement } = tried;
  if (!judgement) {
    study.state = "asked";
    announce(tried.failure ?? t("tryFailed"));
    changed();
    return;
  }
  study.tried = tried;
  study.state = (study.kind === "puzzle" ? tried.is_win : tried.is_best) ? "right" : "wrong";
  announce(verdict(study));
  changed();
}

/** The message about the last try. @param {import("./app.js").Study} study */
function verdict(study) {
  const judgement = study.tried?.judgement;
  if (!judgement) return "";
  const values = { square: judgement.played.move, value: valueText(judgement.played.value), loss: spokenLoss(judgement.loss) };
  if (study.state === "right") return t("rightMove", values);
  return judgement.loss && study.kind === "mistakes" ? t("wrongMove", values) : t("notWinning", values);
}

/** Goes to the next mistake or puzzle. */
function next() {
  const { study } = app;
  if (!study) return;
  if (study.kind === "puzzle" && study.puzzle) {
    askPuzzle(study.puzzle.empties, study.puzzle.number + 1);
  } else if (study.index + 1 < study.items.length) {
    study.index += 1;
    ask();
  } else {
    endStudy();
    set(byId("study-note"), { text: t("studyDone") });
    announce(t("studyDone"));
  }
}

/** Ends the study. */
export function endStudy() {
  // The game that was on the board before the first puzzle comes back.
  if (app.study?.kind === "puzzle" && app.beforePuzzles) {
    send({ type: "hello", state: app.beforePuzzles, link: null });
    app.beforePuzzles = null;
  }
  app.study = null;
  app.preview = null;
  changed();
}

function showAnswer() {
  const { study } = app;
  const now = view();
  if (!study || !now) return;
  if (study.kind === "puzzle" && !study.tried) {
    // The host has the answer when any move was judged.
    const move = now.legal_moves[0];
    if (!move) return;
    study.game = now.game;
    answerWanted = true;
    send({ type: "try", square: move.square });
    return;
  }
  study.state = "answer";
  changed();
}

/** Whether the next judgement is wanted for its best move alone. */
let answerWanted = false;

/** @param {TriedResponse} tried @returns {boolean} Whether it was the answer that was asked for. */
export function answerCame(tried) {
  if (!answerWanted || !app.study) return false;
  answerWanted = false;
  app.study.tried = tried;
  app.study.state = "answer";
  changed();
  return true;
}

/** Draws the panel. */
export function drawStudy() {
  const now = view();
  if (!now) return;
  if (app.study?.game != null && app.study.game !== now.game) {
    app.study = null;
    app.preview = null;
  }
  const { study } = app;
  document.body.classList.toggle("studying", Boolean(study));
  set(byId("start-mistakes"), { disabled: !now.analysis?.moves.length });
  set(byId("study-needs-analysis"), { hidden: Boolean(now.analysis?.moves.length) });
  if (study) set(byId("study-note"), { text: "" });
  set(byId("study-begin"), { hidden: Boolean(study) });
  set(byId("study-task"), { hidden: !study });
  refresh(byId("study-task"), [study, now.turn, language], () => (study ? task(study, now) : []));
}

/** @param {import("./app.js").Study} study @param {View} now */
function task(study, now) {
  const judged = study.items[study.index];
  const judgement = study.tried?.judgement;
  const best = study.kind === "mistakes" ? judged.best : judgement?.best.move;
  const line = study.kind === "mistakes" ? judged.line : judgement?.best.line;
  const heading = study.kind === "mistakes"
    ? t("mistakeOf", { number: study.index + 1, n: study.items.length })
    : t("puzzleOf", { number: study.puzzle?.number ?? 1, n: study.puzzle?.count ?? 1, empties: study.puzzle?.empties ?? 0 });
  const question = study.kind === "mistakes"
    ? t("findBetter", { color: t(judged.color), square: judged.move, number: judged.number })
    : t("findWin", { color: t(now.turn) });
  return [
    el("h2", {}, heading),
    el("p", { id: "study-question" }, question),
    study.state === "waiting" && el("p", { class: "quiet" }, t("searching")),
    (study.state === "right" || study.state === "wrong")
      && el("p", { id: "study-verdict", class: study.state, "data-verdict": study.state }, verdict(study)),
    study.state === "wrong" && judgement
      && el("div", {}, el("p", {}, t("refutation")), lineOfPlay(judgement.played.line, "refutation")),
    study.state === "answer" && best
      && el("div", {}, el("p", { id: "study-answer" }, t("answerIs", { square: best })), lineOfPlay(line ?? "", "answer")),
    el("div", { class: "buttons" },
      study.state === "wrong" && button(t("tryAgain"), ask, { "data-action": "study-again", "data-key": "again" }),
      study.state !== "right" && study.state !== "answer" && button(t("showAnswer"), showAnswer, { "data-action": "study-answer", "data-key": "answer" }),
      button(t("next"), next, { "data-action": "study-next", "data-key": "next", class: study.state === "right" ? "primary" : "" }),
      button(t("endStudy"), endStudy, { "data-action": "study-end", "data-key": "end" })),
  ];
}

/** Listens to the buttons of the panel. */
export function startStudy() {
  byId("start-mistakes").addEventListener("click", startMistakes);
  const empties = /** @type {HTMLInputElement} */ (byId("puzzle-empties"));
  empties.value = String(USUAL_EMPTIES);
  byId("start-puzzle").addEventListener("click", () => {
    if (empties.reportValidity()) askPuzzle(empties.valueAsNumber);
  });
}
