// The fields of a hand that only some rule sets know: shown where the rule set that is played does.

import { t } from "./lang.js";

const FLAGS = ["last_tile", "supplement", "kong_on_kong", "first_turn", "safe", "last_visible", "riichi", "double_riichi", "ippatsu", "first_draw"];
const TEXTS = ["winning", "hidden", "flowers", "minimum", "pao", "responsible", "dora_indicators", "ura_indicators"];
const NUMBERS = ["honba", "sticks"];
const OF_SOME = [...FLAGS, ...NUMBERS, "minimum", "pao", "responsible", "dora_indicators", "ura_indicators"];

/** Whether a rule set knows a field; where nothing is known of the rule set, any may be. */
const knows = (set, name) => !set || (name === "flowers" ? set.bonus_tiles : !OF_SOME.includes(name) || set.fields.includes(name));

/** Shows the fields that a rule set knows, and its words; `more(name)` may leave others out. */
export function showKnown(form, set, more = () => true) {
  for (const name of [...OF_SOME, "flowers"]) {
    const label = form.elements[name]?.closest("label");
    if (label) label.hidden = !knows(set, name) || !more(name);
  }
  for (const group of form.querySelectorAll(".fields")) group.hidden = !group.querySelector("label:not([hidden])");
  // Where no riichi is played, it is a hand that was ready with the first discard.
  const ready = form.elements.double_riichi?.closest("label").lastChild;
  if (ready) ready.textContent = knows(set, "riichi") ? ` ${t("double riichi")}` : ` ${t("ready with the first discard")}`;
  const { self_draw, discard } = set?.terms || {};
  for (const option of form.querySelectorAll("select[name=how] option")) {
    const [win, from] = option.value.split(":");
    if (win === "self_draw") option.textContent = self_draw ? t(self_draw) : t("self-drawn");
    if (win === "discard") option.textContent = discard ? t("{how} on {name}’s discard", { how: t(discard), name: t(from) }) : t("on {name}’s discard", { name: t(from) });
    if (win === "rob_kong") option.textContent = t("robbing {name}’s kong", { name: t(from) });
  }
}

/** A field's value as it is sent: numbers as numbers, what is left empty as null. */
export function value({ name, type, value: text, checked }) {
  if (type === "checkbox") return checked || null;
  if (!text.trim()) return null;
  return NUMBERS.includes(name) && /^\d+$/.test(text.trim()) ? Number(text) : text.trim();
}

/** The fields of a form that are filled in, as they are sent. */
export const filled = (form) =>
  Object.fromEntries([...FLAGS, ...TEXTS, ...NUMBERS].flatMap((name) => {
    const field = form.elements[name];
    const filled = field && !field.closest("label").hidden && value(field);
    return filled ? [[name, filled]] : [];
  }));
