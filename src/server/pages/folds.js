// Parts of a page that fold. This browser keeps how whoever works at it left them; a part in which a field was refused or
// filled in opens by itself.

const key = ({ id }) => `fold ${id}`;

/** Gives each part its state of the last time. */
export function keepFolds() {
  for (const part of document.querySelectorAll("details[id]")) {
    const kept = localStorage[key(part)];
    if (kept) part.open = kept === "open";
    // A click is what a key on it gives as well; what opens by itself is not kept.
    part.querySelector("summary").addEventListener("click", () => (localStorage[key(part)] = part.open ? "closed" : "open"));
  }
}

/** Opens the parts around a field. */
export function unfold(field) {
  for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}

const isSet = (field) => !field.closest("[hidden]") && (field.type === "checkbox" ? field.checked : field.value !== (field.options?.[0].value ?? ""));

let set = new Set();

/** Opens a part in which more is filled in than when this was asked last. */
export function unfoldWhatIsSet(part) {
  const before = set;
  set = new Set([...part.querySelectorAll("input[name], select[name]")].filter(isSet));
  if ([...set].some((field) => !before.has(field))) part.open = true;
}
