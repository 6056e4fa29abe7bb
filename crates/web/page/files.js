// Games come and go: pasted, dropped, chosen, saved, shared.

import { announce, notify } from "./announce.js";
import { app, send, view } from "./app.js";
import { byId, button, copy, download, el, refresh, set } from "./dom.js";
import { language, t } from "./i18n.js";
import { signed } from "./words.js";

/** Larger files are not sent, in bytes. */
const LARGEST_FILE = 8 * 1024 * 1024;
/** A picture of the board has this many pixels a side. */
const PICTURE_SIZE = 1024;
/** Files with the names of a Thor database. */
const NAMES = /\.(jou|trn)$/i;
/** Kinds of files that are not text. */
const BINARY = /\.(wtb|jou|trn)$/i;

/** The files that were opened last, to choose another game of them. @type {FileContent[]} */
let opened = [];
/** The games that are listed. @type {GamesResponse | null} */
let listed = null;
/** The uses of the requested files, in order. @type {("save" | "picture" | "copy")[]} */
let wanted = [];

/**
 * Opens files: games, a position, a Thor database with its names.
 * @param {Iterable<File>} files
 */
export async function openFiles(files) {
  const contents = [];
  for (const file of files) {
    if (file.size > LARGEST_FILE) {
      notify(t("fileTooLarge", { name: file.name }));
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    contents.push(content(file.name, bytes));
  }
  // The file with the games comes first, the names of a Thor database after it.
  contents.sort((one, another) => Number(NAMES.test(one.name)) - Number(NAMES.test(another.name)));
  if (contents.length) open(contents);
}

/** @param {string} name @param {Uint8Array} bytes @returns {FileContent} */
function content(name, bytes) {
  if (!BINARY.test(name)) {
    try {
      return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      // Old game files are often in Latin-1, which the host recognizes.
    }
  }
  let binary = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return { name, base64: btoa(binary) };
}

/**
 * Opens a text that was pasted.
 * @param {string} text
 */
export function openText(text) {
  if (!text.trim()) return;
  const game = view()?.game;
  open([{ name: "pasted.txt", text }]);
  app.opening = { text, game };
}

/** @param {FileContent[]} files */
function open(files) {
  opened = files;
  listed = null;
  app.study = null;
  send({ type: "open", files });
  close();
}

/**
 * Shows a text that cannot be read where it can be corrected, with what is wrong with it.
 * @param {string} text
 * @param {string} reason
 */
function openAgain(text, reason) {
  openOpen();
  /** @type {HTMLTextAreaElement} */ (byId("open-text")).value = text;
  set(byId("open-note"), { text: reason, hidden: false });
  byId("open-text").focus();
}

/** Looks whether the text that was given could be read. */
export function drawOpening() {
  const now = view();
  const { opening } = app;
  if (!opening || !now) return;
  if (now.game !== opening.game) {
    app.opening = null;
  } else if (now.message?.kind === "refused" && now.message.what === "paste" && now.message.text === opening.text) {
    app.opening = null;
    openAgain(opening.text, now.message.sentence);
  }
}

function close() {
  /** @type {HTMLDialogElement} */ (byId("open-dialog")).close();
}

/** @param {GamesResponse} response */
export function gamesCame(response) {
  listed = response;
  drawGames();
  // The reason of an earlier text.
  set(byId("open-note"), { hidden: true });
  const dialog = /** @type {HTMLDialogElement} */ (byId("open-dialog"));
  if (!dialog.open) dialog.showModal();
  announce(t("gamesListed", { n: response.count, name: response.name }));
}

/** Draws the games of the file that was opened. */
function drawGames() {
  const games = listed?.games ?? [];
  set(byId("games"), { hidden: !listed });
  refresh(byId("games"), [listed, language], () => {
    if (!listed) return [];
    const first = games[0]?.number ?? 1;
    const last = games[games.length - 1]?.number ?? 1;
    const page = Math.max(1, games.length);
    const rows = games.map((game) => el("tr", {},
      el("td", {}, button(String(game.number), () => {
        send({ type: "open", files: opened, number: game.number });
        close();
      }, {
        "data-game": game.number, "data-key": `game-${game.number}`, disabled: game.failure !== null,
        "aria-label": t("openGame", { number: game.number }),
      })),
      el("td", {}, game.black || "–"), el("td", {}, game.white || "–"),
      el("td", {}, game.score === null ? "" : signed(game.score)),
      el("td", {}, game.failure ?? [game.event, game.date].filter(Boolean).join(", ")),
      el("td", {}, game.opening)));
    const more = listed.has_more || last < listed.count;
    const from = (/** @type {number} */ number) => send({ type: "open", files: opened, from: Math.max(1, number) });
    const head = [t("moveNumber"), t("black"), t("white"), t("score"), t("event"), t("opening")];
    return [
      el("h3", {}, t(listed.has_more ? "gamesOfOrMore" : "gamesOf", { name: listed.name, n: listed.count, first, last })),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("games") },
        el("table", { class: "games" },
          el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, ...rows))),
      el("div", { class: "buttons" },
        button(t("earlierGames"), () => from(first - page), { disabled: first <= 1, "data-action": "games-before", "data-key": "before" }),
        button(t("laterGames"), () => from(last + 1), { disabled: !more, "data-action": "games-after", "data-key": "after" })),
    ];
  });
}

/**
 * Asks for the game in a format and saves it.
 * @param {SaveFormat} format
 */
export function saveAs(format) {
  wanted.push("save");
  if (!send({ type: "save", format })) wanted = [];
}

/**
 * Handles a request for a file that failed.
 * @param {string} sentence
 */
export function filesRefused(sentence) {
  wanted = [];
  const { opening } = app;
  app.opening = null;
  if (opening) openAgain(opening.text, sentence);
}

/** @param {FileContent[]} files */
export async function filesCame(files) {
  const purpose = wanted.shift() ?? "save";
  for (const file of files) {
    if (purpose === "picture") {
      const picture = await png(file.text ?? "");
      const name = file.name.replace(/\.svg$/, ".png");
      if (picture) download(name, picture);
      notify(picture ? t("savedFiles", { names: name }) : t("noPicture"));
    } else if (purpose === "copy") {
      notify(t((await copy((file.text ?? "").trim())) ? "copied" : "notCopied"));
    } else {
      const bytes = file.base64 === undefined ? (file.text ?? "") : Uint8Array.from(atob(file.base64), (symbol) => symbol.charCodeAt(0));
      download(file.name, new Blob([bytes]));
    }
  }
  if (purpose === "save") notify(t("savedFiles", { names: files.map((file) => file.name).join(", ") }));
  set(byId("share-note"), { text: app.notice });
}

/**
 * A picture of the board, drawn from the host's drawing.
 * @param {string} drawing
 * @returns {Promise<Blob | null>}
 */
async function png(drawing) {
  const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const ratio = image.naturalHeight / Math.max(1, image.naturalWidth) || 1;
    const canvas = el("canvas", { width: PICTURE_SIZE, height: Math.round(PICTURE_SIZE * ratio) });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The address that holds the game. */
function sharedAddress() {
  return `${location.origin}${location.pathname}#${app.shown?.link ?? ""}`;
}

/** The moves of the game on the board. */
function moves() {
  return (view()?.moves ?? []).map((ply) => ply.square ?? "").join("");
}

/** Shows what can be saved and shared. */
export function openSave() {
  set(byId("share-link"), { value: sharedAddress() });
  set(byId("share-moves"), { value: moves() });
  set(byId("share-note"), { text: "" });
  set(/** @type {HTMLElement} */ (document.querySelector("[data-save=html]")), { disabled: !view()?.analysis?.moves.length });
  /** @type {HTMLDialogElement} */ (byId("save-dialog")).showModal();
}

/** Copies the address that holds the game. */
export async function share() {
  const isCopied = await copy(sharedAddress());
  if (isCopied) notify(t("linkCopied"));
  else openSave();
}

/** Shows where games can be pasted or chosen. */
export function openOpen() {
  /** @type {HTMLTextAreaElement} */ (byId("open-text")).value = "";
  set(byId("open-note"), { text: "", hidden: true });
  drawGames();
  const dialog = /** @type {HTMLDialogElement} */ (byId("open-dialog"));
  if (!dialog.open) dialog.showModal();
}

/** Listens to buttons, files that are dropped, and texts that are pasted. */
export function startFiles() {
  for (const element of document.querySelectorAll("[data-save]")) {
    const format = element.getAttribute("data-save") ?? "";
    element.addEventListener("click", () => {
      if (format !== "png") {
        saveAs(/** @type {SaveFormat} */ (format));
        return;
      }
      wanted.push("picture");
      if (!send({ type: "save", format: "svg" })) wanted = [];
    });
  }
  /** @type {[string, () => string][]} */
  const copies = [["copy-link", sharedAddress], ["copy-moves", moves]];
  for (const [id, text] of copies) {
    byId(id).addEventListener("click", async () => {
      const note = t((await copy(text())) ? "copied" : "notCopied");
      set(byId("share-note"), { text: note });
      announce(note);
    });
  }
  byId("copy-board").addEventListener("click", () => {
    wanted.push("copy");
    if (!send({ type: "save", format: "obf" })) wanted = [];
  });
  byId("open-take").addEventListener("click", () => openText(/** @type {HTMLTextAreaElement} */ (byId("open-text")).value));
  const chooser = /** @type {HTMLInputElement} */ (byId("open-files"));
  chooser.addEventListener("change", async () => {
    await openFiles(chooser.files ?? []);
    chooser.value = "";
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const files = event.dataTransfer?.files;
    if (files?.length) openFiles(files);
    else openText(event.dataTransfer?.getData("text/plain") ?? "");
  });
  document.addEventListener("paste", (event) => {
    const { target } = event;
    if (target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable)) return;
    const files = event.clipboardData?.files;
    if (files?.length) openFiles(files);
    else openText(event.clipboardData?.getData("text/plain") ?? "");
  });
}
