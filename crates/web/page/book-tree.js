// The tree of the opening book around a position: lines to the right, as wide as they are frequent, in the colors of values.

import { el, svg } from "./dom.js";
import { t } from "./i18n.js";
import { percent, spokenValue, valueText } from "./words.js";

const WIDTH = 300;
/** The height of a line. */
const ROW = 20;
const LEFT = 8;
/** Distance of the first moves from the position. */
const FIRST = 28;
/** Width of a label to the right of its move. */
const LABEL = 48;
/** The widest column. */
const WIDEST_COLUMN = 100;
/** The width of a line that is always played. */
const WIDEST = 14;
/** From this value for a side on, in discs, its color is stronger. */
const LEVELS = [0.25, 1, 3];

/**
 * A move of the tree where it is drawn.
 * @typedef {object} Node
 * @property {BookBranch} branch
 * @property {string[]} path The moves up to it, itself included.
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {number} y
 */

/** Strength of a value for Black, from -3 to 3. @param {Estimate} value */
function levelOf(value) {
  const discs = value.kind === "solved" || value.kind === "discs" ? value.discs : 0;
  return Math.sign(discs) * LEVELS.filter((least) => Math.abs(discs) >= least).length;
}

/**
 * Draws the tree. Arrow keys go from move to move; a click or Enter goes to the position after a move.
 * @param {BookTree} tree
 * @param {(squares: string[]) => void} choose
 */
export function drawTree(tree, choose) {
  /** All moves, in the order in which they are read. @type {Node[]} */
  const nodes = [];
  let rows = 0;
  let plies = 1;
  /** @param {BookBranch[]} branches @param {Node | null} parent @returns {Node[]} */
  const place = (branches, parent) => branches.map((branch) => {
    /** @type {Node} */
    const node = { branch, path: [...(parent?.path ?? []), branch.move], parent, children: [], y: 0 };
    nodes.push(node);
    plies = Math.max(plies, node.path.length);
    node.children = place(branch.branches, node);
    if (!node.children.length) rows += 1;
    const [first, last] = [node.children[0], node.children[node.children.length - 1]];
    node.y = first && last ? (first.y + last.y) / 2 : ROW * (rows - 0.5);
    return node;
  });
  const first = place(tree.branches, null);
  const height = ROW * rows;
  const column = Math.min(WIDEST_COLUMN, (WIDTH - LEFT - FIRST - LABEL) / Math.max(1, plies - 1));
  const x = (/** @type {Node | null} */ node) => LEFT + (node ? FIRST + column * (node.path.length - 1) : 0);
  const rootY = first.length ? (first[0].y + first[first.length - 1].y) / 2 : height / 2;
  const drawing = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${height}`, class: "tree-drawing", role: "tree", "aria-label": t("treeLabel"), focusable: "false",
  });
  for (const node of nodes) drawing.append(line(node, x(node.parent) + (node.parent ? LABEL - 3 : 0), node.parent?.y ?? rootY, x(node)));
  drawing.append(svg("circle", { cx: LEFT, cy: rootY, r: 4, class: "root", "aria-hidden": "true" }));
  /** @type {SVGGElement[]} */
  const items = nodes.map((node, index) => {
    const { branch, parent } = node;
    const siblings = parent?.children ?? first;
    const words = wordsOf(branch);
    const item = svg("g", {
      role: "treeitem", class: "branch", tabindex: index === 0 ? "0" : "-1", "data-key": `tree-${node.path.join("")}`,
      "data-branch": node.path.join(""), "data-level": levelOf(branch.value), "data-to": branch.to,
      "aria-level": node.path.length, "aria-posinset": siblings.indexOf(node) + 1, "aria-setsize": siblings.length,
      "aria-label": words, "aria-expanded": node.children.length ? "true" : null,
    },
    svg("title", {}, words),
    svg("rect", { x: x(node) - 6, y: node.y - ROW / 2, width: LABEL + 4, height: ROW, class: "area" }),
    svg("circle", { cx: x(node), cy: node.y, r: 4, class: "node" }),
    svg("text", { x: x(node) + 7, y: node.y + 3.2, class: "label" }, `${branch.move} `, svg("tspan", { class: "worth" }, valueText(branch.value, 1))));
    item.addEventListener("click", () => choose(node.path));
    drawing.append(item);
    return item;
  });
  drawing.addEventListener("keydown", (event) => {
    const index = items.findIndex((item) => item === document.activeElement);
    if (index < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const node = nodes[index];
    /** @type {Record<string, number>} */
    const targets = {
      ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: items.length - 1,
      ArrowRight: node.children.length ? nodes.indexOf(node.children[0]) : index,
      ArrowLeft: node.parent ? nodes.indexOf(node.parent) : index,
    };
    if (event.key === "Enter" || event.key === " ") choose(node.path);
    else if (event.key in targets) reach(items, targets[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return el("div", { class: "tree" }, drawing);
}

/** @param {SVGGElement[]} items @param {number} index */
function reach(items, index) {
  const target = items[index];
  if (!target) return;
  for (const item of items) item.setAttribute("tabindex", item === target ? "0" : "-1");
  target.focus();
}

/**
 * The line to a move.
 * @param {Node} node
 * @param {number} fromX
 * @param {number} fromY
 * @param {number} toX
 */
function line(node, fromX, fromY, toX) {
  const middle = (fromX + toX) / 2;
  const width = Math.max(1, WIDEST * node.branch.share);
  return svg("path", {
    d: `M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${node.y} ${toX} ${node.y}`, "stroke-width": width.toFixed(2),
    class: "link", "data-level": levelOf(node.branch.value), "aria-hidden": "true",
  });
}

/** The text of a move for screen readers. @param {BookBranch} branch */
function wordsOf(branch) {
  const words = [t("treeMove", {
    color: t(branch.color), square: branch.move, value: spokenValue(branch.value), share: percent(branch.share),
  })];
  if (branch.opening) words.push(branch.opening);
  if (branch.to === "leaf") words.push(t("outOfBook"));
  if (branch.to === "end") words.push(t("endsGame"));
  return words.join(", ");
}
