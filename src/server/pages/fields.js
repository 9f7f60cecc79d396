// The fields of a hand that only some rule sets know: shown where the rule set that is played does.
import { all, fieldsOf, made } from "./kit.js";
import { language, t } from "./lang.js";

/** The facts of a win that are true or false. @type {string[]} */
let facts = [];
const TEXTS = ["winning", "hidden", "flowers", "minimum", "pao", "responsible", "dora_indicators", "ura_indicators"];
const NUMBERS = ["honba", "sticks", "north"];
const OF_SOME = [...NUMBERS, "minimum", "pao", "responsible", "dora_indicators", "ura_indicators"];

/** Whether only some rule sets know a field. @param {string} name */
const isOfSome = (name) => OF_SOME.includes(name) || facts.includes(name);

/** Makes a box for each fact of a win in the group that `where(name)` gives.
 *  @param {Fact[]} known
 *  @param {(name: string) => HTMLElement} where */
export function askFacts(known, where) {
  facts = known.map(({ name }) => name);
  for (const { name, label } of known) where(name).append(made("label", "", made("input", { type: "checkbox", name }), ` ${label[language]}`));
}

/** Whether a rule set knows a field; where nothing is known of the rule set, any may be.
 *  @param {Partial<RuleSet> | undefined} set
 *  @param {string} name */
const knows = (set, name) => !set || (name === "flowers" ? set.bonus_tiles : !isOfSome(name) || set.fields?.includes(name));

/** Shows the fields that a rule set knows, and its words; `more(name)` may leave others out.
 *  @param {HTMLFormElement} form
 *  @param {Partial<RuleSet> | undefined} set
 *  @param {(name: string) => boolean} [more] */
export function showKnown(form, set, more = () => true) {
  for (const name of [...facts, ...OF_SOME, "flowers"]) {
    const label = fieldsOf(form)[name]?.closest("label");
    if (label) label.hidden = !knows(set, name) || !more(name);
  }
  for (const group of all(form, ".fields")) group.hidden = !group.querySelector("label:not([hidden])");
  // Where no riichi is played, it is a hand that was ready with the first discard.
  const ready = fieldsOf(form).double_riichi?.closest("label")?.lastChild;
  if (ready) ready.textContent = knows(set, "riichi") ? ` ${t("double riichi")}` : ` ${t("ready with the first discard")}`;
  const { self_draw, discard } = set?.terms || {};
  for (const option of all(form, "select[name=how] option")) {
    const [win, from] = option.value.split(":");
    if (win === "self_draw") option.textContent = self_draw ? t(self_draw) : t("self-drawn");
    if (win === "discard") option.textContent = discard ? t("{how} on {name}’s discard", { how: t(discard), name: t(from) }) : t("on {name}’s discard", { name: t(from) });
    if (win === "rob_kong") option.textContent = t("robbing {name}’s kong", { name: t(from) });
  }
}

/** A field's value as it is sent: numbers as numbers, what is left empty as null. @param {Field} field */
export function value({ name, type, value: text, checked }) {
  if (type === "checkbox") return checked || null;
  if (!text.trim()) return null;
  return NUMBERS.includes(name) && /^\d+$/.test(text.trim()) ? Number(text) : text.trim();
}

/** The fields of a form that are filled in, as they are sent. @param {HTMLFormElement} form */
export const filled = (form) =>
  Object.fromEntries([...facts, ...TEXTS, ...NUMBERS].flatMap((name) => {
    const field = fieldsOf(form)[name];
    const filled = field && !field.closest("label")?.hidden && value(field);
    return filled ? [[name, filled]] : [];
  }));

/** Choices of one as buttons that stay pressed, each with the key that presses it. They are changed in place: a button that is
 *  replaced between press and release is not clicked.
 *  @param {HTMLElement} group
 *  @param {string} name
 *  @param {string | undefined} chosen
 *  @param {{ value: string, words: string[], note: string, spoken: string }[]} choices */
export function picks(group, name, chosen, choices) {
  while (group.childElementCount > choices.length) group.lastElementChild?.remove();
  choices.forEach(({ value, words, note, spoken }, place) => {
    if (!group.children[place]) group.append(made("label", "pick", made("input", { type: "radio", name }), made("b"), made("span"), made("small"), made("kbd")));
    const [input, ...parts] = group.children[place].children;
    Object.assign(input, { value, checked: value === chosen });
    input.setAttribute("aria-label", spoken);
    [...words, note, String(place + 1)].forEach((text, part) => (parts[part].textContent = text));
  });
}

/** The ways in which a player can have won: his own draw, or each other player's discard.
 *  @param {Wind[]} winds
 *  @param {{ seat?: string, names?: Partial<Record<Wind, string>>, terms?: Terms | null }} of
 *  @returns {Parameters<typeof picks>[3]} */
export function ways(winds, { seat, names = {}, terms }) {
  const [drew, discard] = [t(terms?.self_draw || "self-draw"), t(terms?.discard || "discard")];
  return winds.map((wind) => {
    if (wind === seat) return { value: "self_draw", words: [drew, ""], note: "", spoken: drew };
    const name = names[wind] || t(wind);
    const spoken = terms?.discard ? t("{how} on {name}’s discard", { how: discard, name }) : t("on {name}’s discard", { name });
    return { value: `discard:${wind}`, words: [name, ""], note: discard, spoken };
  });
}

/** Sets the fields of the next hand as the table has them.
 *  @param {HTMLFormElement} form
 *  @param {Context} context */
export function sitDown(form, { rules, round, honba, sticks }) {
  for (const [name, value] of Object.entries({ rules, round, honba: honba || "", sticks: sticks || "" })) {
    const field = fieldsOf(form)[name];
    if (!field || value === undefined || field.value === String(value)) continue;
    field.value = String(value);
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
