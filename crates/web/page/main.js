// The page: draws what the host shows, and tells it what the person does.
//
// Hooks for tests, all of them stable:
//   board      #board [role=grid]; squares [data-square="f5"] with data-disc="black|white|" and the classes legal, last,
//              flipped, valued, best, answer; values in [data-text] of .value and .chance inside a square; #square-info; #bar
//   players    #seat-black, #seat-white, [data-seat-name=black], #clock-black, #clock-white
//   status     #situation, #message, #connection[data-status], #live (announcements)
//   buttons    #new-game #open #save #share #set-up #toggle-theme #settings #help; #take-back #play-again #toggle-hints
//              #move-now #wait #continue #swap #restart; #first #back #forward #last #next-variation
//   moves      #moves [data-move="3"] (data-mark), [data-variation="3-f6"]; #opening
//   openings   #book-state #book-out #book-others; #book-moves [data-book-move="f5"] (data-to); #book-line
//              #book-tree [data-branch="f5d6"] (data-level, data-to)
//   farm       #farm-state #farm-failure #farm-left-out; #farm-jobs [data-job] (data-phase); #farm-workers [data-worker]
//              #farm-aside [data-aside=chunk|worker]
//   tabs       #tab-values #tab-analysis #tab-solve #tab-study #tab-programs #tab-openings #tab-farm, with #panel-… each
//   values     #values-side #hint-level #hint-lines; #lines [data-hint="f5"] with .hint-value .hint-chance .depth [data-line-move]
//   lines      [data-line] [data-line-move]; #preview-bar with [data-action=preview-first|back|forward|last|close]
//   analysis   #analyze #stop-analysis #analysis-level #analysis-progress #analysis-state #graph #mistakes-only
//              [data-judged="12"] (data-loss, data-mark; .exact inside), [data-summary="black-mistakes"], #save-report #study-mistakes
//   solve      #solve #stop-solving #solve-outcome #solve-all #solve-state; #solutions [data-solved="f5"]
//   study      #start-mistakes #study-side #start-puzzle #puzzle-empties; #study-question #study-verdict[data-verdict]
//              #study-answer, [data-action=study-again|study-answer|study-next|study-end]
//   set up     #set-up-card: input[name=set-up-brush] input[name=set-up-turn] #set-up-clear #set-up-start #set-up-text
//              #set-up-note #set-up-paste #set-up-done #set-up-solve #set-up-cancel
//   dialogs    #new-game-dialog: [name=board|sides|minutes|increment|black-player|black-level|black-settings|white-…],
//              #start-game #change-players; #open-dialog: #open-text #open-note #open-take #open-files [data-game="2"]
//              [data-action=games-before|games-after]; #save-dialog: [data-save=txt|ggf|sgf|obf|wtb|svg|png|html]
//              #share-link #copy-link #share-moves #copy-moves #copy-board; #settings-dialog: #theme #language #pace
//              #setting-animations #setting-legalMoves #setting-coordinates #setting-shortcuts; #help-dialog

import { analyze, drawAnalysis, startAnalysis } from "./analysis.js";
import { announce, announceView, notify } from "./announce.js";
import { app, changed, onChange, send, useHost } from "./app.js";
import { drawBoard, focusBoard, startBoard } from "./board.js";
import { bookCame, drawBook, forgetBook, startBook } from "./book.js";
import { applyTheme, openHelp, openSettings, startDialogs, toggleTheme } from "./dialogs.js";
import { byId, set } from "./dom.js";
import { drawFarm, farmCame, forgetFarm, startFarm } from "./farm.js";
import { drawOpening, filesCame, filesRefused, gamesCame, openOpen, openSave, share, startFiles } from "./files.js";
import { connect } from "./host.js";
import { chooseLanguage, t } from "./i18n.js";
import { drawIcons } from "./icons.js";
import { startKeys } from "./keys.js";
import { forgetLink, keptState, linkOf } from "./memory.js";
import { drawMoves } from "./moves.js";
import { drawForm, openNewGame, startNewGame } from "./new-game.js";
import { drawSetUp, drawSolving, startPosition } from "./position.js";
import { drawPreview, previewCame } from "./preview.js";
import { drawPrograms } from "./programs.js";
import { drawSeats, drawStatus, startSeats } from "./seats.js";
import { answerCame, drawStudy, puzzleCame, startMistakes, startStudy, triedCame } from "./study.js";
import { drawTabs, openTab, startTabs } from "./tabs.js";
import { drawValues, startValues } from "./values.js";

/** @param {HostResponse} response */
function onMessage(response) {
  switch (response.type) {
    case "view":
      app.shown = response;
      app.shownAt = performance.now();
      document.body.classList.remove("empty");
      forgetLink();
      break;
    case "players":
      app.players.set(response.board, response.players);
      drawForm();
      break;
    case "games":
      gamesCame(response);
      break;
    case "files":
      filesCame(response.files);
      break;
    case "tried":
      if (!answerCame(response)) triedCame(response);
      break;
    case "puzzle":
      puzzleCame(response);
      openTab("study");
      break;
    case "preview":
      previewCame(response);
      break;
    case "book":
      bookCame(response);
      break;
    case "farm":
      farmCame(response);
      break;
    case "error":
      filesRefused(response.sentence);
      if (app.study?.state === "waiting") app.study.state = "asked";
      notify(response.sentence);
      break;
  }
  changed();
}

/** @type {import("./host.js").HostStatus | ""} */
let lastStatus = "";

/** @param {import("./host.js").HostStatus} status */
function onStatus(status) {
  const place = byId("connection");
  place.dataset.status = status;
  const texts = /** @type {const} */ ({ connecting: "connecting", connected: "connected", lost: "connectionLost" });
  set(place, { text: t(texts[status]), hidden: status === "connected" });
  // Attempts to connect again are not worth a word each.
  const wasLost = lastStatus === "lost";
  if (status === "lost" && !wasLost) announce(t("connectionLost"));
  if (status === "connected" && wasLost) announce(t("connectedAgain"));
  if (status !== "connecting") lastStatus = status;
  forgetBook();
  forgetFarm();
}

/** The style sheet's units of the window's width include its scroll bar; here is the width without it. */
function watchWidth() {
  const page = document.documentElement;
  new ResizeObserver(() => page.style.setProperty("--page-width", `${page.clientWidth}px`)).observe(page);
}

function start() {
  watchWidth();
  applyTheme();
  chooseLanguage();
  drawIcons();
  startTabs();
  startBoard();
  startSeats();
  startValues();
  startAnalysis();
  startStudy();
  startBook();
  startFarm();
  startPosition();
  startFiles();
  startNewGame();
  startDialogs();
  startKeys();
  /** @type {[string, () => unknown][]} */
  const buttons = [
    ["new-game", openNewGame], ["open", openOpen], ["save", openSave], ["share", share], ["settings", openSettings],
    ["help", openHelp], ["toggle-theme", toggleTheme], ["study-mistakes", () => { openTab("study"); startMistakes(); }],
    ["study-analyze", () => { openTab("analysis"); analyze(); }],
  ];
  // The fragment of the address is for games.
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    focusBoard();
  });
  for (const [id, action] of buttons) byId(id).addEventListener("click", action);
  const parts = [
    drawTabs, drawStudy, drawPreview, drawBoard, drawSeats, drawStatus, drawMoves, drawValues, drawAnalysis, drawSolving,
    drawSetUp, drawPrograms, drawBook, drawFarm, drawOpening, announceView,
  ];
  /** @type {Element | null} */
  let focused = null;
  onChange(() => {
    focused = document.activeElement;
  });
  for (const draw of parts) onChange(draw);
  onChange(() => {
    // A button that has done its work and is gone leaves the focus to the board.
    const isGone = focused && focused !== document.body && !(focused.isConnected && focused.checkVisibility());
    const isFree = document.activeElement === document.body || document.activeElement === focused;
    if (isGone && isFree && !document.querySelector("dialog[open]")) focusBoard(false);
  });
  useHost(connect(onMessage, onStatus));
  addEventListener("hashchange", (event) => {
    const link = linkOf(new URL(event.newURL).hash);
    if (link) send({ type: "hello", state: keptState(), link });
  });
}

start();
