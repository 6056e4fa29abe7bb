"use strict";
/* Steps through the games of the page: by clicks on the graph or on a move, by buttons, by the arrow keys. */
{
  const CELL = 40, EDGE = 22;
  const steppers = [];
  let active = null;

  /* The middle of a square on the board, from its name. */
  const place = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1].map((n) => EDGE + n * CELL + CELL / 2);
  const disc = (color, [x, y]) => `<use href="#${color}" x="${x}" y="${y}"/>`;
  const ring = (kind, color, [x, y]) =>
    `<g class="${kind}"><use href="#${color}" x="${x}" y="${y}" opacity="0.45"/><circle cx="${x}" cy="${y}" r="16.5"/></g>`;
  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  class Stepper {
    constructor(game) {
      this.game = game;
      this.panel = game.querySelector(".stepper");
      this.rows = [...game.querySelectorAll("tr[data-board]")];
      this.end = game.querySelector("tbody[data-end]").dataset.end;
      this.side = Math.sqrt(this.end.length);
      this.graphs = [...game.querySelectorAll(".graph")].filter((graph) => graph.querySelector(".touch"));
      for (const graph of this.graphs) {
        const bar = graph.querySelector(".touch").cloneNode(false);
        bar.setAttribute("class", "now");
        bar.removeAttribute("data-move");
        graph.insertBefore(bar, graph.querySelector(".black-ahead"));
      }
      this.steps = this.rows.map((row, index) => {
        const item = document.createElement("li");
        const button = element("button", row.cells[0].textContent + ". " + row.dataset.played);
        button.type = "button";
        button.tabIndex = -1;
        const sign = row.querySelector(".sign");
        if (sign) {
          button.append(" ", sign.cloneNode(true));
          button.classList.add(sign.classList[1]);
        }
        button.addEventListener("click", () => this.show(index));
        item.append(button);
        this.panel.querySelector(".steps").append(item);
        row.addEventListener("click", (event) => {
          if (!event.target.closest("a")) this.show(index, true);
        });
        return button;
      });
      game.addEventListener("click", (event) => {
        const touch = event.target.closest(".graph .touch, .graph a");
        const target = touch && (touch.matches(".touch") ? touch : touch.querySelector(".touch"));
        if (!target) return;
        event.preventDefault();
        this.show(this.rows.findIndex((row) => row.cells[0].textContent === target.dataset.move), true);
      });
      for (const button of this.panel.querySelectorAll("[data-to]")) {
        button.addEventListener("click", () => this.step(button.dataset.to));
      }
      game.addEventListener("focusin", () => { active = this; });
      game.addEventListener("pointerdown", () => { active = this; });
      this.panel.hidden = false;
      game.classList.add("steps-through");
      this.show(0);
    }

    step(to) {
      const last = this.rows.length;
      this.show({ first: 0, back: this.at - 1, on: this.at + 1, last }[to]);
    }

    /* Shows the position before the move with this index, or the last position of all. */
    show(index, comes) {
      if (index === undefined || Number.isNaN(index)) return;
      this.at = Math.min(Math.max(index, 0), this.rows.length);
      active = this;
      const row = this.rows[this.at];
      const before = this.rows[this.at - 1];
      this.draw(row ? row.dataset : null, before && before.dataset.played);
      this.say(row);
      for (const [number, button] of this.steps.entries()) {
        const isHere = number === this.at;
        if (isHere) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
        this.rows[number].classList.toggle("here", isHere);
      }
      for (const graph of this.graphs) this.mark(graph, row || before);
      const list = this.panel.querySelector(".steps");
      const here = this.steps[Math.min(this.at, this.rows.length - 1)];
      list.scrollTop = here.offsetTop - list.clientHeight / 2 + here.offsetHeight / 2;
      for (const button of this.panel.querySelectorAll("[data-to]")) {
        const isDone = ["first", "back"].includes(button.dataset.to) ? this.at === 0 : this.at === this.rows.length;
        button.setAttribute("aria-disabled", isDone);
      }
      if (comes) {
        this.panel.focus({ preventScroll: true });
        this.panel.scrollIntoView({ block: "nearest" });
      }
    }

    draw(data, last) {
      const board = data ? data.board : this.end;
      let drawn = "";
      for (const [index, color] of [...board].entries()) {
        const at = [index % this.side, Math.floor(index / this.side)].map((n) => EDGE + n * CELL + CELL / 2);
        if (color !== "-") drawn += disc(color, at);
      }
      if (last) {
        const [x, y] = place(last);
        drawn += `<circle class="last" cx="${x}" cy="${y}" r="3.5" fill="#8fa3c8"/>`;
      }
      if (data) {
        drawn += ring("played", data.turn, place(data.played));
        drawn += ring("best", data.turn, place(data.best));
      }
      this.panel.querySelector(".discs").innerHTML = drawn;
      const name = data ? `Before move ${this.at + 1}; played ${data.played}, best ${data.best}` : "The last position";
      this.panel.querySelector(".board").setAttribute("aria-label", name);
    }

    say(row) {
      const said = this.panel.querySelector(".said");
      said.replaceChildren();
      if (!row) {
        const counts = ["b", "w"].map((color) => this.end.split(color).length - 1);
        said.append(element("h3", "The last position"), element("p", `Black ${counts[0]}, White ${counts[1]} discs`));
        return;
      }
      const text = (cell) => row.cells[cell].textContent;
      const heading = document.createElement("h3");
      heading.append(`${text(0)}. `, ...[...row.cells[1].childNodes].map((node) =>
        node.nodeName === "A" ? document.createTextNode(node.textContent) : node.cloneNode(true)));
      const { played, best, line, wins, unit } = row.dataset;
      const isBest = played === best;
      const loss = text(6);
      said.append(heading);
      said.append(element("p", isBest ? "The best move." : loss ? `Loses ${loss}${unit}; ${best} is best.` : `${best} is best.`));
      const list = document.createElement("dl");
      const add = (kind, name, value, chance, moves) => {
        list.append(element("dt", name, kind));
        const cell = element("dd", "");
        cell.append(element("b", [value, chance && value !== chance ? `(${chance})` : ""].filter(Boolean).join(" ")), " ", moves);
        list.append(cell);
      };
      add("played", "played", text(2), text(3), line);
      if (!isBest) add("best", "best", text(5), wins, text(8));
      said.append(list);
    }

    /* Moves the bar of the graph to the move. */
    mark(graph, row) {
      const bar = graph.querySelector(".now");
      const touch = graph.querySelector(`.touch[data-move="${row.cells[0].textContent}"]`);
      if (touch) for (const name of ["x", "width"]) bar.setAttribute(name, touch.getAttribute(name));
    }
  }

  for (const game of document.querySelectorAll(".game")) {
    if (game.querySelector(".stepper")) steppers.push(new Stepper(game));
  }
  active = steppers[0] || null;

  document.addEventListener("keydown", (event) => {
    if (!active || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const to = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    /* Home and End scroll the page unless a game has the focus. */
    const isFree = event.target === document.body;
    if (!to || (isFree && (to === "first" || to === "last")) || (!isFree && !active.game.contains(event.target))) return;
    event.preventDefault();
    active.step(to);
  });
}
