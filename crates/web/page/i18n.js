// The language of the page: texts come from one table a language.

import { settings } from "./memory.js";
import { TABLES } from "./strings/all.js";

/** @typedef {keyof typeof import("./strings/en.js").default} Key */

/** The code of the language in use. */
export let language = "en";
/** @type {Record<string, string>} */
let table = TABLES.en;
let plurals = new Intl.PluralRules("en");

/** Takes the language of the settings, or else that of the address (`?language=ja`), or else the first of the browser's that there is. */
export function chooseLanguage() {
  const ofAddress = new URLSearchParams(location.search).get("language") ?? "";
  const wanted = settings.language === "auto" ? [ofAddress, ...navigator.languages] : [settings.language];
  const codes = wanted.map((code) => code.split("-")[0].toLowerCase());
  language = codes.find((code) => code in TABLES) ?? "en";
  table = TABLES[language];
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  translateDocument(document);
}

/**
 * A text of the table. `{name}` is replaced by the value of that name, `{n|move|moves}` by the form for that number.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return fill(table[key] ?? TABLES.en[key] ?? key, values);
}

/**
 * A text whose key is made up, such as that of a message.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string | null} Nothing if the table has none.
 */
export function lookUp(key, values = {}) {
  const text = table[key];
  return text === undefined ? null : fill(text, values);
}

/** @param {string} text @param {Record<string, string | number>} values */
function fill(text, values) {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name, one, other) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined) return String(value);
    return plurals.select(Number(value)) === "one" ? one : other;
  });
}

/** The languages that can be chosen, with their own names. @returns {[string, string][]} */
export function languages() {
  return Object.entries(TABLES).map(([code, strings]) => [code, strings.languageName]);
}

/**
 * Puts texts where the markup asks for them.
 * @param {ParentNode} root
 */
function translateDocument(root) {
  for (const element of root.querySelectorAll("[data-i18n]")) {
    element.textContent = t(/** @type {Key} */ (element.getAttribute("data-i18n")));
  }
  for (const element of root.querySelectorAll("[data-i18n-label]")) {
    element.setAttribute("aria-label", t(/** @type {Key} */ (element.getAttribute("data-i18n-label"))));
  }
  for (const element of root.querySelectorAll("[data-i18n-title]")) {
    element.setAttribute("title", t(/** @type {Key} */ (element.getAttribute("data-i18n-title"))));
  }
}
