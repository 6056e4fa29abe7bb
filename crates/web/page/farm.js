// The panel of the farm: its workers, its jobs, and what was set aside. It only shows them.

import { announce } from "./announce.js";
import { app, changed, send, view } from "./app.js";
import { byId, el, refresh, set } from "./dom.js";
import { language, lookUp, t } from "./i18n.js";

/** So many digits of its name tell a job from the others, as in the tables of the program. */
const SHORT_NAME = 12;
/** A longer time that is left says nothing. */
const LONGEST_LEFT = 1000 * 86400;

/** Whether the host was asked and has not answered yet. It answers after its next look at the farm. */
let isAsked = false;

/** @param {FarmResponse} response */
export function farmCame({ page, failure }) {
  isAsked = false;
  const before = app.farm;
  app.farm = { page, failure };
  if (app.tab !== "farm" || document.hidden) return;
  // Figures change all the time; only whether there are any is worth a word.
  if (failure && !before?.failure) announce(t("farmAway"));
  if (!failure && before?.failure) announce(t("farmIsBack"));
}

/** Requests the state again: an earlier request may get no answer. */
export function forgetFarm() {
  isAsked = false;
}

/** Asks about the farm while the panel is to be seen. */
function ask() {
  if (isAsked || !app.shown?.has_farm || app.tab !== "farm" || document.hidden || view()?.set_up) return;
  isAsked = send({ type: "farm" }, true);
}

/** Draws the panel. */
export function drawFarm() {
  ask();
  if (app.tab !== "farm") return;
  const page = app.farm?.page ?? null;
  const failure = app.farm?.failure ?? null;
  set(byId("panel-farm"), { "aria-busy": app.farm ? null : "true" });
  refresh(byId("farm-state"), [page?.status, failure, language], () => [page ? summary(page.status) : t(failure ? "farmAway" : "farmAsked")]);
  refresh(byId("farm-failure"), [failure], () => [failure && el("span", { lang: "en" }, failure)]);
  refresh(byId("farm-jobs"), [page?.status.campaigns, language], () => (page ? jobs(page.status.campaigns) : []));
  refresh(byId("farm-workers"), [page?.status.workers, language], () => (page ? workers(page.status.workers) : []));
  refresh(byId("farm-aside"), [page?.failed, language], () => (page?.failed.length ? aside(page.failed) : []));
  set(byId("farm-left-out"), { text: page?.left_out ? t("farmLeftOut", { n: page.left_out }) : "" });
}

/** @param {number} number @param {number} [digits] After the point. */
function figure(number, digits = 0) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(number);
}

/** Items per second, which may be thousands or one a minute. @param {number} rate */
function rateText(rate) {
  return figure(rate, rate >= 100 || rate === 0 ? 0 : rate >= 1 ? 1 : 2);
}

/** @param {number} count @param {"day" | "hour" | "minute" | "second"} unit */
function amount(count, unit) {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(count);
}

/**
 * A time in its two largest units, which stay on one line: `1 hr 5 min`.
 * @param {number} seconds
 */
function timeText(seconds) {
  const whole = Math.round(seconds);
  const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(whole / unit));
  const parts = days ? [amount(days, "day"), amount(hours % 24, "hour")]
    : hours ? [amount(hours, "hour"), amount(minutes % 60, "minute")]
      : minutes ? [amount(minutes, "minute"), amount(whole % 60, "second")]
        : [amount(whole, "second")];
  return parts.join(" ").replaceAll(" ", "\u00a0");
}

/** A name that another machine has given, in no language. @param {string} name */
function named(name) {
  return el("span", { lang: "en", translate: "no" }, name);
}

/**
 * Parts of a line with dots between them, none of which begins a line.
 * @param {(Node | string | false)[]} parts
 */
function dotted(parts) {
  return parts.filter((part) => part !== false).flatMap((part, index) => (index ? ["\u00a0· ", part] : [part]));
}

/** @param {FarmStatus} status */
function summary({ workers, queued_chunks, aside }) {
  const sum = (/** @type {(worker: FarmWorker) => number} */ count) => figure(workers.reduce((all, worker) => all + count(worker), 0));
  return t("farmSummary", {
    workers: figure(workers.length), threads: sum((worker) => worker.threads), busy: sum((worker) => worker.busy),
    chunks: figure(queued_chunks), aside: figure(aside),
  });
}

/** @param {FarmCampaign[]} campaigns */
function jobs(campaigns) {
  return [
    el("h2", {}, t("farmJobs")),
    campaigns.length ? el("ol", { class: "farm-jobs" }, ...campaigns.map(job)) : el("p", { class: "quiet" }, t("farmNoJobs")),
  ];
}

/** @param {FarmCampaign} campaign */
function job({ task, kind, phase, first, end, done, items_per_second, seconds_left, aside, refused, host }) {
  const all = Math.max(0, end - first);
  const bar = el("progress", { max: Math.max(1, all), "aria-label": t("progress") });
  // As an attribute: without one, a bar at 0 would say that nothing is known.
  bar.setAttribute("value", String(Math.min(done, all)));
  const figures = [
    t("farmDone", { done: figure(done), all: figure(all) }),
    t("farmRate", { rate: rateText(items_per_second) }),
    seconds_left !== null && seconds_left < LONGEST_LEFT && t("farmTimeLeft", { time: timeText(seconds_left) }),
  ];
  const others = [
    named(task.slice(0, SHORT_NAME)),
    el("span", { class: aside ? "warn" : null }, t("farmAsideCount", { count: figure(aside) })),
    el("span", { class: refused ? "warn" : null }, t("farmRefused", { count: figure(refused) })),
    el("span", {}, t("farmFrom"), " ", named(host)),
  ];
  return el("li", { "data-job": task, "data-phase": phase },
    el("div", { class: "farm-head" },
      el("strong", {}, named(kind)), el("span", { class: "phase" }, lookUp(`phase.${phase}`) ?? phase)),
    bar,
    el("p", {}, ...dotted(figures)),
    el("p", { class: "quiet" }, ...dotted(others)));
}

/** @param {FarmWorker[]} all */
function workers(all) {
  const title = el("h2", {}, t("farmWorkers"));
  if (!all.length) return [title, el("p", { class: "quiet" }, t("farmNoWorkers"), " ", el("code", {}, named("emilia worker")))];
  const head = /** @type {const} */ (["farmWorker", "farmBusy", "farmChunks", "farmPerSecond", "farmFailures"]);
  const rows = all.map(({ worker, host, threads, busy, chunks, items_per_second, failures }) => el("tr", { "data-worker": worker },
    // By default the name of a worker begins with its host.
    el("th", { scope: "row" }, named(worker), !worker.startsWith(host) && el("span", { class: "quiet" }, " ", named(host))),
    el("td", {}, t("farmBusyOf", { busy: figure(busy), threads: figure(threads) })),
    el("td", {}, figure(chunks)),
    el("td", {}, rateText(items_per_second)),
    el("td", { class: failures ? "warn" : null }, figure(failures))));
  return [title, el("table", { class: "workers" },
    el("thead", {}, el("tr", {}, ...head.map((key) => el("th", { scope: "col" }, t(key))))),
    el("tbody", {}, ...rows))];
}

/** @param {FarmAside[]} entries */
function aside(entries) {
  return [el("h2", {}, t("farmAside")), el("ul", { class: "farm-aside" }, ...entries.map((entry) => el("li", { "data-aside": entry.what },
    entry.what === "chunk"
      ? el("strong", {}, named(`${entry.kind} ${entry.task.slice(0, SHORT_NAME)}`), " ",
        t("farmItems", { first: figure(entry.first), last: figure(entry.first + entry.count - 1) }))
      : el("strong", {}, t("farmWorker"), " ", named(entry.worker)),
    " ", el("span", { lang: "en" }, entry.reason))))];
}

/** Listens for whether the page can be seen. */
export function startFarm() {
  document.addEventListener("visibilitychange", changed);
}
