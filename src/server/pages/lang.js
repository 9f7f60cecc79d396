// Translates a page. English is in the pages; each other language has a file,
// `words.LANGUAGE.json`, with English texts as keys. `?lang=` goes before what the browser prefers. Pages that have been
// translated say so by `data-languages` on their body; the others stay English, as does an element with `translate="no"`.
import { embedded } from "./kit.js";

const LANGUAGES = ["en", "da", "de", "ja", "zh"];
/** @param {string | null | undefined} tag
 *  @returns {string | undefined} */
const known = (tag) => LANGUAGES.find((language) => tag?.toLowerCase().split("-")[0] === language);

/** The language of this page. */
export const language = "languages" in document.body.dataset
  ? known(new URLSearchParams(location.search).get("lang")) ?? (navigator.languages || []).map(known).find(Boolean) ?? "en" : "en";

/** @type {Record<string, Record<string, string>> | null} */
const own = embedded("words");
/** @type {Record<string, string>} */
const words = language === "en" ? {} : own ? own[language] ?? {} : await fetch(`assets/words.${language}.json`).then((answer) => answer.json()).catch(() => ({}));

/** The translation of an English text with its `{values}` filled in.
 *  @param {string} english
 *  @param {Record<string, unknown>} [values] */
export const t = (english, values = {}) => (words[english] ?? english).replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

/** A name inside a line of text: one that is written from right to left turns nothing around it. @param {string} name */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The parts of a server's sentence, `["{count} counters on the table", {count: "2"}]`, in the language of this page: texts, and tiles
 *  as `{ tiles: "5p" }`. A text alone stays as it is, such as a number.
 *  @param {Say | undefined} say
 *  @returns {(string | { tiles: string })[]} */
export const parts = (say) => (!Array.isArray(say) ? [typeof say === "string" ? isolated(say) : say ?? ""]
  : t(say[0]).split(/\{(\w+)\}/).flatMap((text, place) => (place % 2 ? parts(say[1]?.[text] ?? `{${text}}`) : [text])));

/** The translation of a server's sentence; `named` says what tiles in it are called.
 *  @param {Say} say
 *  @param {(tiles: string) => string} [named]
 *  @returns {string} */
export const said = (say, named = (tiles) => tiles) => parts(say).map((part) => (typeof part === "object" ? named(part.tiles) : part)).join("");

/** Sentences of the server, one after the other. @param {Say[]} some */
export const sentences = (some) => some.map((say) => said(say)).join("; ");

/** An item of a score by its id and its English name. Where a tradition has its own word for it, that stands by its id
 *  there: 対々和, in the rules of which it is `toitoi`, and 碰碰和 elsewhere.
 *  @param {string} id
 *  @param {string} english */
export const itemNamed = (id, english) => words[`${id}: ${english}`] ?? t(english);

document.documentElement.lang = language;
for (const element of document.querySelectorAll(":not(kbd, code, script, [translate=no])")) {
  if (element instanceof HTMLOptionElement) element.setAttribute("value", element.value); // which is what it says, where no other was given
  for (const name of ["alt", "aria-label", "placeholder", "title"]) if (element.hasAttribute(name)) element.setAttribute(name, t(element.getAttribute(name) ?? ""));
  for (const node of element.childNodes) if (node instanceof Text) node.data = node.data.replace(/\S(.*\S)?/s, (text) => t(text));
}
