// Shortcuts: single keys for what is done often.

import { analyze } from "./analysis.js";
import { act, app, view } from "./app.js";
import { focusBoard } from "./board.js";
import { openHelp, openSettings, toggleTheme } from "./dialogs.js";
import { openOpen, openSave, share } from "./files.js";
import { settings } from "./memory.js";
import { openNewGame } from "./new-game.js";
import { toggleSetUp } from "./position.js";
import { closePreview, stepPreview } from "./preview.js";
import { toggleHints } from "./seats.js";
import { endStudy } from "./study.js";
import { openTab } from "./tabs.js";

/** @param {Step} step */
const go = (step) => () => act({ event: "go", step });

/**
 * All shortcuts; some are not there on every page.
 * @type {{ keys: string[], text: import("./i18n.js").Key, action: (() => unknown) | null, isThere?: () => boolean }[]}
 */
export const SHORTCUTS = [
  { keys: ["↑", "↓", "←", "→"], text: "keysBoard", action: null },
  { keys: ["Enter", "Space"], text: "keysPlay", action: null },
  { keys: ["←", "["], text: "keysBack", action: () => (app.preview ? stepPreview(-1) : act({ event: "go", step: "back" })) },
  { keys: ["→", "]"], text: "keysForward", action: () => (app.preview ? stepPreview(1) : act({ event: "go", step: "forward" })) },
  { keys: ["Home", "{"], text: "toStart", action: () => (app.preview ? stepPreview(-99) : act({ event: "go", step: "to_start" })) },
  { keys: ["End", "}"], text: "toEnd", action: () => (app.preview ? stepPreview(99) : act({ event: "go", step: "to_end" })) },
  { keys: ["u"], text: "takeBack", action: go("take_back") },
  { keys: ["r"], text: "playAgain", action: go("play_again") },
  { keys: ["v"], text: "nextVariation", action: go("variation") },
  { keys: ["m"], text: "moveNow", action: () => act({ event: "move_now" }) },
  { keys: ["w"], text: "keysWait", action: () => act({ event: view()?.can.continue ? "continue" : "wait" }) },
  { keys: ["h"], text: "keysHints", action: toggleHints },
  { keys: ["+"], text: "levelUp", action: () => act({ event: "change_level", by: 1 }) },
  { keys: ["-"], text: "levelDown", action: () => act({ event: "change_level", by: -1 }) },
  { keys: ["a"], text: "keysAnalyze", action: () => { openTab("analysis"); analyze(); } },
  { keys: ["n"], text: "newGame", action: openNewGame },
  { keys: ["o"], text: "open", action: openOpen },
  { keys: ["s"], text: "save", action: openSave },
  { keys: ["l"], text: "copyLink", action: share },
  { keys: ["e"], text: "setUp", action: toggleSetUp },
  { keys: ["b"], text: "keysFocusBoard", action: () => focusBoard() },
  { keys: ["1"], text: "values", action: () => openTab("values") },
  { keys: ["2"], text: "analysis", action: () => openTab("analysis") },
  { keys: ["3"], text: "solve", action: () => openTab("solve") },
  { keys: ["4"], text: "study", action: () => openTab("study") },
  { keys: ["5"], text: "openings", action: () => openTab("openings") },
  { keys: ["6"], text: "farm", action: () => openTab("farm"), isThere: () => app.shown?.has_farm ?? false },
  { keys: ["t"], text: "keysTheme", action: toggleTheme },
  { keys: [","], text: "settings", action: openSettings },
  { keys: ["?"], text: "shortcuts", action: openHelp },
  { keys: ["Esc"], text: "keysLeave", action: leave },
];

/** @type {Record<string, string>} */
const NAMES = { ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

/** Leaves what is going on: a line, a study, a position that is set up. */
function leave() {
  if (app.preview) closePreview();
  else if (app.study) endStudy();
  else if (view()?.set_up) act({ event: "set_up", edit: "cancel" });
}

/** Listens to the keys. */
export function startKeys() {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key)) {
      const isRedo = event.key.toLowerCase() === "y" || event.shiftKey;
      act({ event: "go", step: isRedo ? "play_again" : "take_back" });
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // Single characters can be turned off, for those who speak to their computer.
    if (!settings.shortcuts && event.key.length === 1) return;
    const key = NAMES[event.key] ?? event.key;
    const isArrow = key === "←" || key === "→";
    if (isArrow && target instanceof HTMLElement && target.matches("[type=radio], [role=slider], [role=tab]")) return;
    const shortcut = SHORTCUTS.find(({ keys, action }) => action && keys.includes(key.length === 1 ? key.toLowerCase() : key));
    if (!shortcut?.action) return;
    event.preventDefault();
    shortcut.action();
  });
}
