// The form of a new game: board, sides, players with their levels and settings, clock.

import { act, app, send, view } from "./app.js";
import { byId, el, refresh, set } from "./dom.js";
import { language, lookUp, t } from "./i18n.js";

/** @returns {HTMLFormElement} */
function form() {
  return byId("new-game-form");
}

/** @param {string} name @returns {string} */
function chosen(name) {
  return String(new FormData(form()).get(name) ?? "");
}

/** @param {string} name @param {string} value */
function choose(name, value) {
  for (const field of form().querySelectorAll(`[name="${name}"]`)) {
    if (field instanceof HTMLInputElement && field.type === "radio") field.checked = field.value === value;
    else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
}

/** Opens the form, filled in as the present game is played. */
export function openNewGame() {
  const now = view();
  if (!now) return;
  choose("board", now.board.shape);
  choose("sides", now.new_game.sides);
  choose("minutes", now.control ? String(now.control.remaining / 60) : "");
  choose("increment", now.control ? String(now.control.increment) : "");
  askForPlayers();
  for (const seat of now.seats) {
    const [name, settings] = parts(seat.player ?? engineOf(now)?.player ?? "emilia");
    filled[seat.color] = { name, level: seat.player === null ? (engineOf(now)?.level ?? undefined) : seat.level };
    choose(`${seat.color}-settings`, settings);
  }
  drawForm(true);
  /** @type {HTMLDialogElement} */ (byId("new-game-dialog")).showModal();
}

/** The engine of the present game. @param {View} now */
function engineOf(now) {
  return now.seats.find((seat) => seat.player !== null);
}

/**
 * The name of a player and its settings.
 * @param {string} notation
 * @returns {[string, string]}
 */
function parts(notation) {
  const end = notation.search(/[@:]/);
  return end < 0 ? [notation, ""] : [notation.slice(0, end), notation.slice(end + 1)];
}

/** The player and level with which the form begins. @type {Record<Color, { name: string, level: number | null | undefined }>} */
const filled = { black: { name: "emilia", level: undefined }, white: { name: "emilia", level: undefined } };

function askForPlayers() {
  const board = /** @type {BoardShape} */ (chosen("board") || "8x8");
  if (!app.players.has(board)) send({ type: "players", board });
}

/** @param {PlayerChoice} player */
function description(player) {
  return lookUp(`player.${player.name}`) ?? player.description;
}

/** @param {PlayerChoice} player @param {ListedLevel} level @param {boolean} hasClock */
function levelText(player, level, hasClock) {
  if (level.level === null) return hasClock ? t("levelByClock") : t("levelOwn");
  if (player.name !== "emilia") return t("levelPlies", { n: level.level });
  const words = lookUp(`level.${level.level}`) ?? (language === "en" ? level.words : "");
  return words ? `${level.level} – ${words}` : t("levelNumber", { level: level.level });
}

/**
 * Draws the fields that depend on others.
 * @param {boolean} [isFresh] Whether the form was just filled in.
 */
export function drawForm(isFresh = false) {
  const players = app.players.get(/** @type {BoardShape} */ (chosen("board"))) ?? [];
  const sides = chosen("sides");
  const hasClock = Number(chosen("minutes")) > 0;
  for (const color of /** @type {Color[]} */ (["black", "white"])) {
    set(byId(`${color}-engine`), { hidden: sides === "both" || sides === color });
    const names = /** @type {HTMLSelectElement} */ (byId(`${color}-player`));
    const wantedName = isFresh || !names.value ? filled[color].name : names.value;
    refresh(names, [players.map((player) => player.name), language], () =>
      players.map((player) => el("option", { value: player.name }, `${player.name} – ${description(player)}`)));
    names.value = wantedName;
    if (!names.value && players.length) names.value = players[0].name;
    const player = players.find((choice) => choice.name === names.value);
    const levels = /** @type {HTMLSelectElement} */ (byId(`${color}-level`));
    const before = levels.value;
    const listed = player ? (hasClock ? player.levels_with_clock : player.levels) : [];
    const isChanged = refresh(levels, [player?.name, listed, language], () =>
      listed.map((level) => el("option", { value: String(level.level) }, player ? levelText(player, level, hasClock) : "")));
    if (isFresh || isChanged) {
      const { name, level } = filled[color];
      const wanted = name === player?.name && level !== undefined ? String(level) : before;
      levels.value = wanted;
      if (!levels.value || (name !== player?.name && isChanged)) levels.selectedIndex = hasClock ? 0 : (player?.default_level ?? 0);
      if (levels.selectedIndex < 0) levels.selectedIndex = 0;
    }
    set(levels, { disabled: listed.length < 2 });
    refresh(byId(`${color}-settings-list`), [player?.settings], () => (player?.settings ?? []).map((text) => el("li", {}, text)));
  }
}

/** The clock as the host reads it. */
function clock() {
  const minutes = Number(chosen("minutes"));
  const increment = Number(chosen("increment"));
  if (!(minutes > 0)) return "";
  return increment > 0 ? `${minutes}m+${increment}s` : `${minutes}m`;
}

/** Puts the chosen players on their seats. @param {Sides} sides */
function seatPlayers(sides) {
  for (const color of /** @type {Color[]} */ (["black", "white"])) {
    if (sides === "both" || sides === color) continue;
    const name = chosen(`${color}-player`) || "emilia";
    const settings = chosen(`${color}-settings`).trim();
    const level = chosen(`${color}-level`);
    act({ event: "seat", color, player: settings ? `${name}@${settings}` : name, level: level === "" || level === "null" ? null : Number(level) });
  }
}

/** Listens to the form. */
export function startNewGame() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("new-game-dialog"));
  form().addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === "board") askForPlayers();
    drawForm();
  });
  form().addEventListener("submit", (event) => {
    event.preventDefault();
    const sides = /** @type {Sides} */ (chosen("sides"));
    const board = /** @type {BoardShape} */ (chosen("board"));
    app.study = null;
    // The new game begins with people on both sides, so that no engine of the last game makes the first move.
    act({ event: "new_game", sides: "both", clock: clock(), board });
    seatPlayers(sides);
    dialog.close();
  });
  byId("change-players").addEventListener("click", () => {
    const sides = /** @type {Sides} */ (chosen("sides"));
    for (const seat of view()?.seats ?? []) {
      if ((sides === "both" || sides === seat.color) && seat.player !== null) act({ event: "seat_person", color: seat.color });
    }
    seatPlayers(sides);
    dialog.close();
  });
}
