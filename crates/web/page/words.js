// The words of the page: values, players, situations and the host's messages in the language of the page.

import { lookUp, t } from "./i18n.js";

/** @param {Color} color */
export function colorName(color) {
  return t(color);
}

/** @param {Color} color @returns {Color} */
export function other(color) {
  return color === "black" ? "white" : "black";
}

/**
 * A number with its sign.
 * @param {number} number
 * @param {number} [digits] After the point.
 */
export function signed(number, digits = 0) {
  const text = Math.abs(number).toFixed(digits);
  if (Number(text) === 0) return text;
  return (number < 0 ? "−" : "+") + text;
}

/** @param {number} probability */
export function percent(probability) {
  return `${Math.round(100 * probability)}%`;
}

/**
 * A value: `+4` if it is proven, `+2.25` discs, `win`, `54.3%`, `+120` points.
 * @param {Estimate | null} value
 * @param {number} [digits] Of discs, after the point.
 */
export function valueText(value, digits = 2) {
  switch (value?.kind) {
    case "solved":
      return signed(value.discs);
    case "discs":
      return signed(value.discs, digits);
    case "proven":
      return t(value.outcome);
    case "chance":
      return `${(100 * value.probability).toFixed(digits === 1 ? 0 : 1)}%`;
    case "points":
      return signed(value.points);
    default:
      return "";
  }
}

/**
 * The same value for the other side.
 * @param {Estimate | null} value
 * @returns {Estimate | null}
 */
export function negated(value) {
  switch (value?.kind) {
    case "solved":
    case "discs":
      return { ...value, discs: 0 - value.discs };
    case "points":
      return { ...value, points: 0 - value.points };
    case "chance":
      return { ...value, probability: 1 - value.probability };
    case "proven":
      return { ...value, outcome: /** @type {const} */ ({ win: "loss", draw: "draw", loss: "win" })[value.outcome] };
    default:
      return value;
  }
}

/**
 * A value in a few words, with its unit, for those who hear it.
 * @param {Estimate | null} value
 */
export function spokenValue(value) {
  switch (value?.kind) {
    case "solved":
      return t("valueSolved", { value: signed(value.discs), n: Math.abs(value.discs) });
    case "discs":
      return t("valueDiscs", { value: signed(value.discs, 1) });
    case "proven":
      return t("valueProven", { value: t(value.outcome) });
    case "chance":
      return t("chanceToWin", { value: percent(value.probability) });
    case "points":
      return t("valuePoints", { value: signed(value.points), n: Math.abs(value.points) });
    default:
      return "";
  }
}

/** @param {Loss | null} loss */
export function lossText(loss) {
  switch (loss?.kind) {
    case "discs":
      return loss.discs.toFixed(Number.isInteger(loss.discs) ? 0 : 2);
    case "chance":
      return `${(100 * loss.probability).toFixed(1)}%`;
    case "points":
      return String(loss.points);
    default:
      return "";
  }
}

/** A loss with its unit. @param {Loss | null} loss */
export function spokenLoss(loss) {
  const value = lossText(loss);
  switch (loss?.kind) {
    case "discs":
      return t("lossDiscs", { value, n: loss.discs });
    case "chance":
      return t("lossChance", { value });
    case "points":
      return t("lossPoints", { value, n: loss.points });
    default:
      return "";
  }
}

/** @param {Loss | null} loss @returns {number} A number by which losses of one analysis can be compared. */
export function lossSize(loss) {
  switch (loss?.kind) {
    case "discs":
      return loss.discs;
    case "chance":
      return 100 * loss.probability;
    case "points":
      return loss.points;
    default:
      return 0;
  }
}

/** @type {Record<Mark, string>} */
export const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * Whether a move of a list stands for those that are the same by symmetry: no other one of them comes before it.
 * @template {{ move: string | null, symmetric_moves: string[] }} T
 * @param {T} listed
 * @param {number} index
 * @param {T[]} list
 */
export function isFirstOfSymmetric({ move }, index, list) {
  return !list.slice(0, index).some((before) => move !== null && before.symmetric_moves.includes(move));
}

/**
 * The origin of a value: `16@73%`, `book` or `exact`, and its meaning.
 * @param {{ depth: number, selectivity: number, origin: Origin | null }} searched
 * @param {Estimate | null} value
 */
export function depthText({ depth, selectivity, origin }, value) {
  if (value?.kind === "solved" || value?.kind === "proven") {
    return { short: t("exact"), long: t("exactExplained") };
  }
  if (origin === "book") return { short: t("book"), long: t("bookExplained") };
  const values = { depth, selectivity };
  return {
    short: `${depth}@${selectivity}%`,
    long: t(selectivity >= 100 ? "depthFullExplained" : "depthExplained", values),
  };
}

/**
 * The name of a player.
 * @param {SeatView} seat
 */
export function seatName(seat) {
  if (seat.recorded) return seat.recorded;
  if (seat.player === null) return t("you");
  const name = seat.name || seat.player;
  return seat.level === null ? name : t("playerWithLevel", { name, level: seat.level });
}

/** @param {ResultView} result @param {View} view */
export function resultText(result, view) {
  if (result.out_of_time) return t("lostOnTime", { loser: t(result.out_of_time), winner: t(other(result.out_of_time)) });
  const [black, white] = view.seats.map((seat) => seat.discs);
  if (!result.winner) return t("drawn", { black, white });
  return t("won", { winner: t(result.winner), n: Math.abs(result.score), black, white });
}

/**
 * Whose turn it is, or how the game ended.
 * @param {View} view
 */
export function situation(view) {
  if (view.result) return resultText(view.result, view);
  const passed = view.passed ? `${t("passes", { color: t(view.passed) })} ` : "";
  return passed + t("toMove", { color: t(view.turn) });
}

/**
 * A message of the host: made from its data if there is a text for it, else the host's sentence.
 * @param {Said} said
 */
export function messageText(said) {
  /** @type {Record<string, string | number>} */
  const values = {};
  for (const [name, value] of Object.entries(said)) {
    if (typeof value === "string" || typeof value === "number") values[name] = value;
    if (value === true) values[name] = "yes";
    if (value === false) values[name] = "no";
  }
  if (said.color === "black" || said.color === "white") {
    values.color = t(said.color);
    values.other = t(other(said.color));
  }
  if (typeof said.milliseconds === "number") values.seconds = said.milliseconds / 1000;
  if (typeof said.path === "string") values.path = said.path.split(/[\\/]/).pop() ?? said.path;
  const variants = [
    `message.${said.kind}.${values.shown ?? values.own ?? ""}`,
    said.kind === "analyzed" && Number(said.judged) < Number(said.moves) ? "message.analyzed.partly" : "",
    said.kind === "loaded" && (said.black || said.white) ? "message.loaded.names" : "",
    `message.${said.kind}`,
  ];
  for (const key of variants) {
    const text = key && lookUp(key, values);
    if (text) return text;
  }
  return said.sentence;
}

/**
 * Seconds as a clock shows them.
 * @param {number} seconds
 * @param {boolean} [hasTenths] Whether tenths are shown when few are left.
 */
export function clockText(seconds, hasTenths = false) {
  const left = Math.max(0, seconds);
  if (hasTenths && left < 20) return left.toFixed(1);
  const whole = Math.floor(left);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return (hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}` : `${Math.floor(whole / 60)}`) + `:${two(whole % 60)}`;
}

/** @param {number} count */
export function countText(count) {
  return new Intl.NumberFormat(document.documentElement.lang, { notation: "compact", maximumFractionDigits: 1 }).format(count);
}
