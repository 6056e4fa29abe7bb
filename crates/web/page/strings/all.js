// The languages of the page. Another one is a file like `en.js` and a line here.

import en from "./en.js";
import ja from "./ja.js";

/** @type {Record<string, Record<string, string>>} */
export const TABLES = { en, ja };
