// The panels beside the board, one of which is open.

import { app, changed } from "./app.js";
import { byId } from "./dom.js";
import { changeSettings, settings } from "./memory.js";

/** @returns {HTMLElement[]} The tabs that can be chosen. */
function tabs() {
  /** @type {NodeListOf<HTMLElement>} */
  const all = byId("tabs").querySelectorAll("[role=tab]");
  return [...all].filter((tab) => !tab.hidden);
}

/**
 * Opens a panel.
 * @param {string} name
 */
export function openTab(name) {
  if (!tabs().some((tab) => tab.dataset.tab === name)) return;
  app.tab = name;
  changeSettings({ tab: name });
  changed();
}

/** Opens the panel after the one that is open. @param {number} by */
function stepTab(by) {
  const all = tabs();
  const index = all.findIndex((tab) => tab.dataset.tab === app.tab);
  const tab = all[(index + by + all.length) % all.length];
  openTab(tab.dataset.tab ?? "");
  tab.focus();
}

/** Draws which panel is open. */
export function drawTabs() {
  // The classic programs come and go with their games.
  const programs = byId("tab-programs");
  programs.hidden = !app.shown?.explanations.length;
  // There is a book for one board, and none where there is no server.
  if (app.shown) byId("tab-openings").hidden = !app.shown.has_book;
  // A server has a farm to look at if it was started with one.
  if (app.shown) byId("tab-farm").hidden = !app.shown.has_farm;
  if (!tabs().some((tab) => tab.dataset.tab === app.tab)) app.tab = "values";
  for (const tab of byId("tabs").querySelectorAll("[role=tab]")) {
    if (!(tab instanceof HTMLElement)) continue;
    const isOpen = tab.dataset.tab === app.tab;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    byId(`panel-${tab.dataset.tab}`).hidden = !isOpen;
  }
}

/** Listens to the tabs. */
export function startTabs() {
  app.tab = settings.tab;
  const list = byId("tabs");
  list.addEventListener("click", (event) => {
    const tab = event.target instanceof Element ? event.target.closest("[role=tab]") : null;
    if (tab instanceof HTMLElement) openTab(tab.dataset.tab ?? "");
  });
  list.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") stepTab(1);
    else if (event.key === "ArrowLeft") stepTab(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
