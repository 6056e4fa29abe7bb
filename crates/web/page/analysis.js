// The panel of the analysis: progress, graph, mistakes, summaries, and the way to the report.

import { act, changed, send, view } from "./app.js";
import { byId, button, el, refresh, set } from "./dom.js";
import { saveAs } from "./files.js";
import { drawGraph } from "./graph.js";
import { language, lookUp, t } from "./i18n.js";
import { changeSettings, settings } from "./memory.js";
import { lineOfPlay } from "./preview.js";
import { MARKS, lossSize, lossText, negated, spokenLoss, valueText } from "./words.js";

/** Whether only the moves that lost something are listed. */
let onlyMistakes = false;

/** @param {number} number */
function showMove(number) {
  act({ event: "show_move", number });
}

/** Starts, or resumes, the analysis. */
export function analyze() {
  act(settings.analysisLevel === null ? { event: "analyze" } : { event: "analyze", level: settings.analysisLevel });
}

/** Draws the panel. */
export function drawAnalysis() {
  const now = view();
  if (!now) return;
  const { analysis } = now;
  const judged = analysis?.moves.length ?? 0;
  const all = analysis?.move_count ?? 0;
  const isComplete = Boolean(analysis) && judged >= all;
  const line = now.moves.map((ply) => ply.square ?? "").join("");
  const isOfThisLine = isComplete && line === analysis?.moves.map((move) => move.move).join("");
  set(byId("analyze"), {
    disabled: !now.can.analyze || analysis?.is_running === true || isOfThisLine, hidden: analysis?.is_running === true,
    text: t(analysis && !isComplete && judged ? "resumeAnalysis" : "analyze"),
  });
  set(byId("stop-analysis"), { hidden: !analysis?.is_running });
  set(byId("save-report"), { hidden: !judged });
  set(byId("study-mistakes"), { hidden: !judged });
  const progress = byId("analysis-progress");
  set(progress, { hidden: !analysis?.is_running });
  set(progress, { max: Math.max(1, all), value: judged });
  const state = analysis?.is_running ? "analyzing" : isComplete ? "analysisDone" : "analysisStopped";
  set(byId("analysis-state"), { text: analysis ? `${t(state, { n: judged, all })} ${analysis.analyst}` : t("notAnalyzed") });
  refresh(byId("graph-box"), [analysis, language], () => (analysis ? [drawGraph(analysis, showMove)] : []));
  const next = analysis?.moves.find((move) => move.number === analysis.next);
  const { perspective } = settings;
  refresh(byId("judged-now"), [next, perspective, language], () => (next ? nowShown(next) : []));
  const listed = [analysis?.moves, analysis?.next, onlyMistakes, perspective, language];
  refresh(byId("analysis-list"), listed, () => (analysis ? [table(analysis)] : []));
  set(byId("mistakes-only-row"), { hidden: !judged });
  set(byId("mover-values-row"), { hidden: !judged });
  const summed = [analysis?.sides, analysis?.legend, analysis?.verdict, judged, language];
  refresh(byId("analysis-summary"), summed, () => (analysis && judged ? summary(analysis) : []));
}

/** A value of a move as the analysis shows it: for Black, or for the side that moves. @param {Estimate | null} value @param {Color} mover */
function seenText(value, mover) {
  return valueText(settings.perspective === "black" && mover === "white" ? negated(value) : value);
}

/** The message about the move with which the game continues. @param {JudgedView} judged */
function nowShown(judged) {
  const values = {
    number: judged.number,
    color: t(judged.color),
    square: judged.move,
    value: seenText(judged.value, judged.color),
    whose: t(settings.perspective === "black" ? "black" : judged.color),
    best: judged.best,
    bestValue: seenText(judged.best_value, judged.color),
    loss: spokenLoss(judged.loss),
  };
  return [
    el("p", {}, t(judged.best === judged.move || !judged.loss ? "judgedBest" : "judgedWorse", values), judged.in_book && ` ${t("judgedInBook")}`),
    lineOfPlay(judged.line, "judged"),
  ];
}

/** @param {AnalysisView} analysis */
function table(analysis) {
  const rows = analysis.moves.filter((judged) => !onlyMistakes || judged.mark).map((judged) => {
    const isExact = judged.value?.kind === "solved" && judged.best_value?.kind === "solved";
    const isBest = judged.best === judged.move || !judged.loss;
    const row = el("tr", {
      "data-judged": judged.number, "data-mark": judged.mark, "data-loss": lossSize(judged.loss),
      "aria-current": judged.number === analysis.next ? "true" : null, onclick: () => showMove(judged.number),
    },
    el("td", {}, String(judged.number)),
    el("td", {}, el("span", { class: `mini ${judged.color}`, role: "img", "aria-label": t(judged.color) }), " ",
      button(judged.move + (judged.mark ? MARKS[judged.mark] : ""), () => showMove(judged.number), { "data-key": `judged-${judged.number}` })),
    el("td", {}, seenText(judged.value, judged.color),
      isExact && el("span", { class: "exact", title: t("exactExplained"), role: "img", "aria-label": t("exact") }, "✓"),
      (judged.in_book || judged.origin === "book") && el("span", { class: "in-book", title: t("inBookExplained") }, t("book"))),
    el("td", {}, isBest ? "" : `${judged.best} ${seenText(judged.best_value, judged.color)}`),
    el("td", {}, isBest ? "" : lossText(judged.loss)));
    return row;
  });
  const head = /** @type {const} */ (["moveNumber", "move", "value", "bestMove", "lost"]);
  return el("table", { class: "judged" },
    el("caption", {}, el("span", { class: "visually-hidden" }, t("judgedMoves"), " "),
      t(settings.perspective === "black" ? "valuesForBlack" : "valuesForMover")),
    el("thead", {}, el("tr", {}, ...head.map((key) => el("th", { scope: "col" }, t(key))))),
    el("tbody", {}, ...rows));
}

/** @param {AnalysisView} analysis */
function summary(analysis) {
  /** @type {[import("./i18n.js").Key, (side: SideSummary) => string][]} */
  const lines = [
    ["movesJudged", (side) => String(side.moves)],
    ["bestMoves", (side) => String(side.best_moves)],
    ["inaccuracies", (side) => String(side.inaccuracies)],
    ["mistakes", (side) => String(side.mistakes)],
    ["blunders", (side) => String(side.blunders)],
    ["lossJudged", (side) => mean(side.judged)],
    ["lossExact", (side) => mean(side.exact)],
  ];
  return [
    analysis.verdict && el("p", {}, verdict(analysis)),
    el("table", { class: "summary" },
      el("caption", { class: "visually-hidden" }, t("summary")),
      el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, t("black")), el("th", { scope: "col" }, t("white")))),
      el("tbody", {}, ...lines.map(([key, text]) =>
        el("tr", {}, el("th", { scope: "row" }, t(key)), ...analysis.sides.map((side) => el("td", { "data-summary": `${side.color}-${key}` }, text(side))))))),
    el("p", { class: "quiet" }, `${lookUp("legend") ?? analysis.legend.join(" ")} ${t("exactLegend")}`),
  ];
}

/** @param {Losses} losses */
function mean(losses) {
  return losses.moves ? `${losses.sum.toFixed(1)} (${(losses.mean ?? 0).toFixed(2)})` : "–";
}

/** The result of perfect play, from the first of the moves at the end whose scores are all proven. @param {AnalysisView} analysis */
function verdict(analysis) {
  let first = null;
  for (const judged of [...analysis.moves].reverse()) {
    if (judged.value?.kind !== "solved" || judged.best_value?.kind !== "solved") break;
    first = judged;
  }
  if (first?.best_value?.kind !== "solved") return analysis.verdict ?? "";
  const score = (first.color === "black" ? 1 : -1) * first.best_value.discs;
  const outcome = score === 0 ? t("draw") : t("winsBy", { color: t(score > 0 ? "black" : "white"), n: Math.abs(score) });
  return lookUp("perfectPlay", { number: first.number, outcome }) ?? analysis.verdict ?? "";
}

/** Listens to the buttons of the panel. */
export function startAnalysis() {
  byId("analyze").addEventListener("click", analyze);
  byId("stop-analysis").addEventListener("click", () => send({ type: "event", event: { event: "stop_analysis" } }));
  byId("save-report").addEventListener("click", () => saveAs("html"));
  const level = /** @type {HTMLInputElement} */ (byId("analysis-level"));
  level.value = settings.analysisLevel === null ? "" : String(settings.analysisLevel);
  level.addEventListener("change", () => {
    if (level.reportValidity()) changeSettings({ analysisLevel: level.value === "" ? null : level.valueAsNumber });
  });
  const only = /** @type {HTMLInputElement} */ (byId("mistakes-only"));
  only.addEventListener("change", () => {
    onlyMistakes = only.checked;
    drawAnalysis();
  });
  const mover = /** @type {HTMLInputElement} */ (byId("mover-values"));
  mover.checked = settings.perspective === "mover";
  mover.addEventListener("change", () => {
    changeSettings({ perspective: mover.checked ? "mover" : "black" });
    changed();
  });
}
