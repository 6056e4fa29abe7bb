// The board: a grid of squares with discs, legal moves, values and marks. It is drawn as the host describes it.

import { announce } from "./announce.js";
import { act, app, changed, send, showsValues, view } from "./app.js";
import { byId, el, set } from "./dom.js";
import { t } from "./i18n.js";
import { settings } from "./memory.js";
import { closePreview } from "./preview.js";
import { pressInStudy } from "./study.js";
import { MARKS, colorName, depthText, negated, percent, spokenValue, valueText } from "./words.js";

/** Delay between discs that turn over one after the other, in milliseconds. */
const STAGGER = 45;

/** @type {Map<string, Cell>} */
let cells = new Map();
/** The board that the squares were made for. */
let shape = "";
/** The square that the tabulator key reaches. */
let reached = "";

/**
 * @typedef {object} Cell
 * @property {HTMLElement} element
 * @property {HTMLElement} disc
 * @property {HTMLElement} value
 * @property {HTMLElement} chance
 * @property {HTMLElement} glyph
 * @property {number} column
 * @property {number} row
 */

/** @param {number} column @param {number} row */
function nameOf(column, row) {
  return String.fromCharCode(97 + column) + (row + 1);
}

/**
 * Makes the squares of a board.
 * @param {string[]} rows
 */
function makeSquares(rows) {
  const grid = byId("board");
  const size = rows.length;
  cells = new Map();
  byId("board-frame").style.setProperty("--size", String(size));
  const lines = rows.map((content, row) => {
    const line = el("div", { role: "row", class: "board-row", "aria-rowindex": row + 1 });
    for (let column = 0; column < size; column++) {
      const name = nameOf(column, row);
      if ((content[column] ?? " ") === " ") {
        line.append(el("div", { role: "gridcell", class: "hole", "aria-colindex": column + 1 }));
        continue;
      }
      const disc = el("span", { class: "disc" }, el("span", { class: "face dark" }), el("span", { class: "face light" }));
      const value = el("span", { class: "value", "aria-hidden": "true" });
      const chance = el("span", { class: "chance", "aria-hidden": "true" });
      const glyph = el("span", { class: "glyph", "aria-hidden": "true" });
      const element = el("div", {
        role: "gridcell", class: "square", tabindex: "-1", "data-square": name, "aria-colindex": column + 1,
      }, disc, value, chance, glyph);
      line.append(element);
      cells.set(name, { element, disc, value, chance, glyph, column, row });
    }
    return line;
  });
  grid.replaceChildren(...lines);
  set(grid, { "aria-rowcount": size, "aria-colcount": size });
  const letters = Array.from({ length: size }, (_, column) => el("span", {}, String.fromCharCode(97 + column)));
  byId("columns").replaceChildren(...letters);
  byId("rows").replaceChildren(...rows.map((_, row) => el("span", {}, String(row + 1))));
  // The stars of an Othello board are two squares from its corners.
  for (const [column, row] of [[2, 2], [size - 2, 2], [2, size - 2], [size - 2, size - 2]]) {
    if (size >= 6) cells.get(nameOf(column, row))?.element.classList.add("star");
  }
  reached = nameOf(Math.floor(size / 2) - 2, Math.floor(size / 2) - 1);
  if (!cells.has(reached)) reached = cells.keys().next().value ?? "";
  reach(reached, false);
}

/**
 * Makes a square the one that the tabulator key reaches.
 * @param {string} name
 * @param {boolean} takesFocus
 * @param {boolean} [scrolls]
 */
function reach(name, takesFocus, scrolls = true) {
  const before = cells.get(reached)?.element;
  if (before) set(before, { tabindex: "-1", "aria-describedby": null });
  reached = name;
  const element = cells.get(name)?.element;
  if (element) set(element, { tabindex: "0", "aria-describedby": "square-info" });
  if (takesFocus) element?.focus({ preventScroll: !scrolls });
}

/** Puts the focus on the board. */
export function focusBoard(scrolls = true) {
  reach(reached, true, scrolls);
}

/** Draws the board as it stands. */
export function drawBoard() {
  const now = view();
  if (!now) return;
  const setUp = now.set_up;
  const preview = setUp ? null : app.preview;
  const rows = setUp?.board.rows ?? preview?.boards[preview.index] ?? now.board.rows;
  const isLive = !setUp && !preview;
  const isNew = shape !== now.board.shape + rows.length;
  if (isNew) {
    makeSquares(rows);
    shape = now.board.shape + rows.length;
  }
  const grid = byId("board");
  grid.classList.toggle("still", !settings.animations || isNew || Boolean(setUp));
  grid.classList.toggle("set-up", Boolean(setUp));
  grid.classList.toggle("preview", Boolean(preview));
  grid.classList.toggle("with-legal", settings.legalMoves);
  grid.setAttribute("aria-label", t(setUp ? "boardSetUp" : preview ? "boardPreview" : "board"));

  const last = preview ? preview.squares[preview.index - 1] : isLive ? now.last_move?.square : undefined;
  const flipped = new Set(isLive ? now.last_move?.flips : []);
  const legal = new Set(isLive ? now.legal_moves.map((move) => move.square) : []);
  const hints = new Map(isLive && showsValues() ? now.hints.map((hint) => [hint.move, hint]) : []);
  const solved = new Map(isLive ? solvedMoves().map((answer) => [answer.move, answer]) : []);
  const marks = isLive ? marksOfStudyOrAnalysis(now) : new Map();
  const origin = last ? cells.get(last) : undefined;

  for (const [name, cell] of cells) {
    const symbol = rows[cell.row]?.[cell.column];
    const color = symbol === "X" ? "black" : symbol === "O" ? "white" : "";
    if (cell.element.dataset.disc !== color) {
      // Only the discs of a move turn over one after the other.
      const distance = origin && flipped.has(name) ? Math.max(Math.abs(cell.column - origin.column), Math.abs(cell.row - origin.row)) : 0;
      cell.disc.style.setProperty("--delay", `${distance * STAGGER}ms`);
      cell.element.dataset.disc = color;
    }
    const hint = hints.get(name);
    const answer = solved.get(name);
    const value = hint?.value ?? answer?.value ?? null;
    const isBest = hint?.is_best ?? (answer !== undefined && answer === solvedMoves()[0]);
    const mark = marks.get(name);
    const { classList } = cell.element;
    classList.toggle("legal", legal.has(name));
    classList.toggle("last", name === last);
    classList.toggle("flipped", flipped.has(name));
    classList.toggle("valued", value !== null);
    classList.toggle("best", value !== null && isBest);
    classList.toggle("answer", mark?.isBest === true);
    const chance = seenChance(hint, now);
    set(cell.value, { "data-text": valueText(seen(value, now), 1) || null });
    set(cell.chance, { "data-text": chance });
    set(cell.glyph, { "data-text": mark?.glyph ?? null, "data-mark": mark?.mark ?? null });
    const words = [name, color ? colorName(color) : t("empty")];
    if (legal.has(name)) words.push(t("legalMove"));
    if (value) words.push(spokenValue(seen(value, now) ?? value));
    if (value && isBest) words.push(t("best"));
    if (chance) words.push(t("chanceToWin", { value: chance }));
    if (name === last) words.push(t("lastMove"));
    if (mark) words.push(mark.words);
    set(cell.element, { "aria-label": words.join(", ") });
  }
  drawPointed();
}

/**
 * Whether values on the board are for Black although White moves: beside an analysis, they are for the same side as its own.
 * @param {View} now
 */
function isForOpponent(now) {
  return !app.study && app.tab === "analysis" && now.analysis != null && settings.perspective === "black" && now.turn === "white";
}

/** A value as the board shows it. @param {Estimate | null} value @param {View} now */
function seen(value, now) {
  return isForOpponent(now) ? negated(value) : value;
}

/** A chance to win as the board shows it. @param {Hint | undefined} hint @param {View} now */
function seenChance(hint, now) {
  const chance = hint?.win_probability ?? null;
  return chance === null ? null : percent(isForOpponent(now) ? 1 - chance : chance);
}

/** @returns {SolvedMove[]} */
function solvedMoves() {
  return app.study ? [] : (app.shown?.solving?.answers ?? []);
}

/**
 * The marks of an analysis or a study on squares of this position.
 * @param {View} now
 */
function marksOfStudyOrAnalysis(now) {
  /** @type {Map<string, { glyph: string, mark: string | null, isBest: boolean, words: string }>} */
  const marks = new Map();
  const { study } = app;
  if (study) {
    const judgement = study.tried?.judgement;
    const answer = study.kind === "mistakes" ? study.items[study.index]?.best : judgement?.best.move;
    if (study.tried && (study.state === "wrong" || study.state === "right")) {
      const isRight = study.state === "right";
      const glyph = isRight ? "✓" : "✗";
      marks.set(study.tried.square, { glyph, mark: isRight ? "right" : "blunder", isBest: false, words: t(isRight ? "right" : "wrong") });
    }
    if (study.state === "answer" && answer) {
      marks.set(answer, { glyph: "★", mark: "right", isBest: true, words: t("best") });
    }
  } else if (app.tab === "analysis" && now.analysis?.next != null) {
    const judged = now.analysis.moves.find((move) => move.number === now.analysis?.next);
    if (judged) {
      marks.set(judged.best, { glyph: "★", mark: "right", isBest: true, words: t("best") });
      if (judged.mark) {
        marks.set(judged.move, { glyph: MARKS[judged.mark], mark: judged.mark, isBest: false, words: t(judged.mark) });
      }
    }
  }
  return marks;
}

/** Explains the square that is pointed at. */
function drawPointed() {
  const now = view();
  const info = byId("square-info");
  const name = app.pointed;
  const hint = name && showsValues() && !app.preview ? now?.hints.find((hint) => hint.move === name) : undefined;
  const move = now?.legal_moves.find((move) => move.square === name);
  for (const cell of cells.values()) cell.element.classList.remove("would-flip");
  if (move && !app.preview && !now?.set_up) {
    for (const flip of move.flips) cells.get(flip)?.element.classList.add("would-flip");
  }
  if (!now || !name || !hint) {
    set(info, { text: now && !now.set_up && showsValues() && now.hints.length ? t("pointAtSquare") : "" });
    return;
  }
  const depth = depthText(hint, hint.value);
  const words = [`${name}: ${spokenValue(seen(hint.value, now) ?? hint.value)}`];
  const chance = seenChance(hint, now);
  if (chance) words.push(t("chanceToWin", { value: chance }));
  words.push(`${depth.short}: ${depth.long}`);
  set(info, { text: words.join(" · ") });
}

/**
 * Plays, tries or sets up a square.
 * @param {string} square
 */
function press(square) {
  const now = view();
  if (!now) return;
  if (now.set_up) {
    if (app.brush === "cycle") act({ event: "set_up", edit: "change", square });
    else act({ event: "set_up", edit: "put", square, disc: app.brush === "empty" ? null : app.brush });
    return;
  }
  if (app.preview) {
    closePreview();
    return;
  }
  if (app.study) {
    if (now.legal_moves.some((move) => move.square === square)) pressInStudy(square);
    else announce(t("notLegal", { square }));
    return;
  }
  if (!send({ type: "event", event: { event: "play", square } })) announce(t("connectionLost"));
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const square = event.target instanceof HTMLElement ? event.target.dataset.square : undefined;
  const cell = square ? cells.get(square) : undefined;
  if (!cell || !square || event.ctrlKey || event.altKey || event.metaKey) return;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key in steps) {
    const [across, down] = steps[/** @type {keyof typeof steps} */ (event.key)];
    let { column, row } = cell;
    // Holes in the middle of a side are stepped over.
    for (let step = 0; step < 10; step++) {
      column += across;
      row += down;
      if (cells.has(nameOf(column, row))) {
        reach(nameOf(column, row), true);
        break;
      }
    }
  } else if (event.key === "Home" || event.key === "End") {
    const row = [...cells].filter(([, other]) => other.row === cell.row);
    reach((event.key === "Home" ? row[0] : row[row.length - 1])[0], true);
  } else if (event.key === "Enter" || event.key === " ") {
    press(square);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Event} event */
function squareOf(event) {
  const target = event.target instanceof Element ? event.target.closest("[data-square]") : null;
  return target instanceof HTMLElement ? (target.dataset.square ?? null) : null;
}

/** Listens to the mouse and the keys. */
export function startBoard() {
  const grid = byId("board");
  grid.addEventListener("click", (event) => {
    const square = squareOf(event);
    if (!square) return;
    reach(square, true);
    press(square);
  });
  grid.addEventListener("keydown", onKey);
  const point = (/** @type {string | null} */ square) => {
    if (app.pointed === square) return;
    app.pointed = square;
    drawPointed();
  };
  grid.addEventListener("focusin", (event) => {
    const square = squareOf(event);
    if (square) reach(square, false);
    point(square);
  });
  grid.addEventListener("focusout", () => point(null));
  grid.addEventListener("pointerover", (event) => point(squareOf(event)));
  grid.addEventListener("pointerleave", () => {
    const focused = document.activeElement;
    point(focused instanceof HTMLElement ? (focused.dataset.square ?? null) : null);
  });
  byId("board-frame").addEventListener("wheel", (event) => {
    if (!app.preview || event.ctrlKey) return;
    event.preventDefault();
    const { preview } = app;
    preview.index = Math.min(preview.boards.length - 1, Math.max(0, preview.index + Math.sign(event.deltaY)));
    changed();
  }, { passive: false });
}
