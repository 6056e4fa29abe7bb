// Settings, the list of shortcuts, and what all dialogs have in common.

import { act, changed, view } from "./app.js";
import { byId, el, refresh, set } from "./dom.js";
import { chooseLanguage, language, languages, t } from "./i18n.js";
import { SHORTCUTS } from "./keys.js";
import { changeSettings, settings } from "./memory.js";

/** Takes the theme of the settings, or else the browser's. */
export function applyTheme() {
  const root = document.documentElement;
  if (settings.theme === "auto") root.removeAttribute("data-theme");
  else root.dataset.theme = settings.theme;
  root.classList.toggle("no-coordinates", !settings.coordinates);
}

/** Opens the settings. */
export function openSettings() {
  const now = view();
  refresh(byId("language"), [language], () => [
    el("option", { value: "auto" }, t("asBrowser")),
    ...languages().map(([code, name]) => el("option", { value: code, lang: code }, name)),
  ]);
  set(byId("language"), { value: settings.language });
  set(byId("theme"), { value: settings.theme });
  for (const name of /** @type {const} */ (["animations", "legalMoves", "coordinates", "shortcuts"])) {
    set(byId(`setting-${name}`), { checked: settings[name] });
  }
  set(byId("pace"), { value: String(now?.pace ?? 0) });
  /** @type {HTMLDialogElement} */ (byId("settings-dialog")).showModal();
}

/** Opens the list of shortcuts. */
export function openHelp() {
  const shortcuts = SHORTCUTS.filter(({ isThere }) => isThere?.() ?? true);
  refresh(byId("shortcuts"), [shortcuts, language], () => shortcuts.flatMap(({ keys, text }) => [
    el("dt", {}, ...keys.map((key) => el("kbd", {}, key))), el("dd", {}, t(text)),
  ]));
  /** @type {HTMLDialogElement} */ (byId("help-dialog")).showModal();
}

/** Changes from light to dark, or back. */
export function toggleTheme() {
  const isDark = settings.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : settings.theme === "dark";
  changeSettings({ theme: isDark ? "light" : "dark" });
  applyTheme();
}

/** Listens to the dialogs. */
export function startDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const closer of dialog.querySelectorAll("[data-close]")) closer.addEventListener("click", () => dialog.close());
    // A click beside a dialog closes it.
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target !== dialog) return;
      const box = dialog.getBoundingClientRect();
      const isInside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
      if (!isInside) dialog.close();
    });
  }
  const theme = /** @type {HTMLSelectElement} */ (byId("theme"));
  theme.addEventListener("change", () => {
    changeSettings({ theme: /** @type {typeof settings.theme} */ (theme.value) });
    applyTheme();
  });
  const chooser = /** @type {HTMLSelectElement} */ (byId("language"));
  chooser.addEventListener("change", () => {
    changeSettings({ language: chooser.value });
    chooseLanguage();
    changed();
    set(chooser, { value: settings.language });
  });
  for (const name of /** @type {const} */ (["animations", "legalMoves", "coordinates", "shortcuts"])) {
    const box = /** @type {HTMLInputElement} */ (byId(`setting-${name}`));
    box.addEventListener("change", () => {
      changeSettings({ [name]: box.checked });
      applyTheme();
      changed();
    });
  }
  const pace = /** @type {HTMLInputElement} */ (byId("pace"));
  pace.addEventListener("change", () => {
    if (pace.reportValidity()) act({ event: "set_pace", seconds: pace.valueAsNumber || 0 });
  });
}
