// Evaluations of the position by the programs of the papers, in their own terms.

import { app } from "./app.js";
import { byId, el, refresh } from "./dom.js";
import { language, lookUp, t } from "./i18n.js";
import { percent } from "./words.js";

/** @param {number} value */
function number(value) {
  const text = Number.isInteger(value) ? String(value) : value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4).replace(/\.?0+$/, "");
  return text.replace("-", "−");
}

/** Draws the panel. */
export function drawPrograms() {
  const explanations = app.study ? [] : (app.shown?.explanations ?? []);
  refresh(byId("programs"), [explanations, language], () => explanations.map((explained) => {
    const unit = lookUp(`unit.${explained.unit}`) ?? explained.unit;
    const rows = explained.parts.map((part) => el("tr", { class: part.is_detail ? "detail" : "" },
      el("th", { scope: "row" }, part.name),
      el("td", {}, number(part.value)),
      el("td", {}, part.weight === null ? "" : number(part.weight)),
      el("td", {}, part.weight === null ? "" : number(part.value * part.weight))));
    return el("section", { "data-program": explained.player },
      el("h2", {}, t("programThinks", { player: explained.player, color: t(explained.color) })),
      el("p", {}, t("programValue", { value: number(explained.value), unit, color: t(explained.turn) }),
        explained.win_probability !== null && ` · ${t("chanceToWin", { value: percent(explained.win_probability) })}`),
      el("table", { class: "parts" },
        el("caption", { class: "visually-hidden" }, t("programParts")),
        el("thead", {}, el("tr", {}, ...[t("part"), t("value"), t("weight"), t("product")].map((text) => el("th", { scope: "col" }, text)))),
        el("tbody", {}, ...rows)));
  }));
}
