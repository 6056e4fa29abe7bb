// The graph of an analyzed game: what it was worth to Black after each move, with the mistakes.

import { el, svg } from "./dom.js";
import { t } from "./i18n.js";
import { MARKS, signed } from "./words.js";

const WIDTH = 360;
const HEIGHT = 130;
const LEFT = 26;
const RIGHT = 6;
const TOP = 8;
const BOTTOM = 16;

/**
 * Draws the graph. It works as a slider: arrow keys and clicks choose a move.
 * @param {AnalysisView} analysis
 * @param {(number: number) => void} choose
 */
export function drawGraph(analysis, choose) {
  const known = analysis.moves.filter((judged) => judged.black_discs !== null);
  const highest = Math.max(8, ...known.map((judged) => Math.abs(judged.black_discs ?? 0)));
  const scale = Math.ceil(highest / 8) * 8;
  const last = Math.max(1, analysis.move_count);
  const x = (/** @type {number} */ number) => LEFT + ((WIDTH - LEFT - RIGHT) * number) / last;
  const y = (/** @type {number} */ discs) => TOP + ((HEIGHT - TOP - BOTTOM) * (scale - discs)) / (2 * scale);
  const points = known.map((judged) => `${x(judged.number).toFixed(1)},${y(judged.black_discs ?? 0).toFixed(1)}`);
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph-drawing", "aria-hidden": "true", focusable: "false" });
  for (const discs of [scale, scale / 2, 0, -scale / 2, -scale]) {
    drawing.append(
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(discs), y2: y(discs), class: discs === 0 ? "zero" : "level" }),
      svg("text", { x: LEFT - 4, y: y(discs) + 3, class: "axis", "text-anchor": "end" }, signed(discs)));
  }
  for (let number = 10; number <= last; number += 10) {
    drawing.append(svg("text", { x: x(number), y: HEIGHT - 4, class: "axis", "text-anchor": "middle" }, String(number)));
  }
  if (points.length) {
    const first = known[0].number;
    const end = known[known.length - 1].number;
    drawing.append(
      svg("polygon", { points: `${x(first)},${y(0)} ${points.join(" ")} ${x(end)},${y(0)}`, class: "area" }),
      svg("polyline", { points: points.join(" "), class: "curve" }));
  }
  for (const judged of known) {
    if (!judged.mark) continue;
    const dot = svg("circle", { cx: x(judged.number), cy: y(judged.black_discs ?? 0), r: 4, class: "dot", "data-mark": judged.mark });
    dot.append(svg("title", {}, `${judged.number}. ${judged.move}${MARKS[judged.mark]}`));
    drawing.append(dot);
  }
  const here = analysis.next ?? analysis.move_count + 1;
  drawing.append(svg("line", { x1: x(here - 1), x2: x(here - 1), y1: TOP, y2: HEIGHT - BOTTOM, class: "here" }));
  const slider = el("div", {
    id: "graph", class: "graph", role: "slider", tabindex: "0", "data-key": "graph", "aria-label": t("graphLabel"),
    "aria-valuemin": 1, "aria-valuemax": analysis.move_count + 1, "aria-valuenow": here,
    "aria-valuetext": valueWords(analysis, here),
  }, drawing);
  slider.addEventListener("click", (event) => {
    const box = slider.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    choose(limited(Math.round(((at - LEFT) * last) / (WIDTH - LEFT - RIGHT)) + 1, last));
  });
  slider.addEventListener("keydown", (event) => {
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: here - 1, ArrowDown: here - 1, ArrowRight: here + 1, ArrowUp: here + 1,
      PageUp: here + 10, PageDown: here - 10, Home: 1, End: last + 1,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    choose(limited(targets[event.key], last));
  });
  return slider;
}

/** @param {number} number @param {number} last */
function limited(number, last) {
  return Math.min(last + 1, Math.max(1, number));
}

/** @param {AnalysisView} analysis @param {number} number */
function valueWords(analysis, number) {
  const judged = analysis.moves.find((move) => move.number === number);
  if (!judged) return t("positionBefore", { number });
  return t("positionBeforeMove", { number, color: t(judged.color), square: judged.move });
}
