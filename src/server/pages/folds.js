// Parts of a page that fold. This browser keeps how whoever works at it left them; a part in which a field was refused or
// filled in opens by itself.
import { all, one } from "./kit.js";

/** @param {{ id: string }} part */
const key = ({ id }) => `fold ${id}`;

/** Gives each part its state of the last time. */
export function keepFolds() {
  for (const part of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[id]"))) {
    const kept = localStorage[key(part)];
    if (kept) part.open = kept === "open";
    // A click is what a key on it gives as well; what opens by itself is not kept.
    one(part, "summary").addEventListener("click", () => (localStorage[key(part)] = part.open ? "closed" : "open"));
  }
}

/** Opens the parts around a field. @param {Element} field */
export function unfold(field) {
  for (let part = field.closest("details"); part; part = part.parentElement?.closest("details") ?? null) part.open = true;
}

/** @param {Field} field */
const isSet = (field) => !field.closest("[hidden]") && (field.type === "checkbox" ? field.checked : field.value !== (field.options?.[0].value ?? ""));

/** @type {Set<Field>} */
let set = new Set();

/** Opens a part in which more is filled in than when this was asked last. @param {HTMLDetailsElement} part */
export function unfoldWhatIsSet(part) {
  const before = set;
  set = new Set(all(part, "input[name], select[name]").filter(isSet));
  if ([...set].some((field) => !before.has(field))) part.open = true;
}
