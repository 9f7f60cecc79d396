// The control page's part for the hand: who won how, what is typed of it, its facts, and what it is worth.
import { advice } from "./advice.js";
import { hasTiles } from "./control-picture.js";
import { act, current } from "./deciding.js";
import { boxes, ticked } from "./entries.js";
import { askFacts, picks, showKnown, value as sentAs, ways } from "./fields.js";
import { unfoldWhatIsSet } from "./folds.js";
import { WINDS, amount } from "./hand.js";
import { all, at, fieldsOf, focused, one, target } from "./kit.js";
import { language, t } from "./lang.js";
import { get } from "./link.js";
import { rulings, withRuling } from "./rulings.js";
import { showScore } from "./scored.js";
import { fieldsFor, firstTyped, showTyped } from "./typed.js";
import { inRound, wonHow } from "./words.js";

/** @type {RuleSet[]} */
let sets = []; // the rule sets with their usual rulings
let picking = "seat"; // whether the next digit chooses the winner or the way of winning
let picked = ""; // the winner that was chosen, before the server says so
/** What was shown last, so that nothing that somebody uses is replaced. */
const last = { declared: "", sits: "" };

const form = fieldsOf(at("context"));
const advise = advice(at("advice"));

/** Fills a field, unless somebody is in it.
 *  @param {string} name
 *  @param {unknown} value */
function set(name, value) {
  const field = form[name];
  if (field && focused() !== field) field.value = String(value ?? "");
}

/** The fields of the hand, each as the state has it. */
function showContext() {
  const { context = {}, played, seats = {}, table } = current();
  set("rules", context.rules);
  if (context.rules && at("rules").value !== context.rules) at("rules").append(new Option(context.rules, context.rules, true, true));
  at("rules").disabled = !!table;
  showWho();
  for (const field of ["round", "winning", "tile", "hidden", "flowers", "minimum", "pao", "responsible", "dora_indicators", "ura_indicators", "honba", "sticks", "north"]) set(field, context[field]);
  set("dealer", context.dealer || "E");
  at("deals-now").hidden = !!table || !Object.keys(seats).length;
  // At a ledger's table counters and sticks are the table's, and each who declares riichi puts one down.
  const byTable = table ? ["honba", "sticks", "riichi"] : [];
  showKnown(at("context"), played, (name) => !byTable.includes(name));
  showDeclared();
  showRulings();
  at("playing").textContent = `: ${[at("rules").selectedOptions[0]?.text, !table && context.round && inRound(context.round)].filter(Boolean).join(", ")}`;
  at("earlier").hidden = !table || context.win !== "discard" || !played?.discards;
  for (const flag of all(at("flags"), "input:not([name=robbed])")) flag.checked = !!context[flag.name];
  for (const seat of WINDS) set(seat, context.names?.[seat]);
  unfoldWhatIsSet(at("more"));
}

/** Who has declared riichi in this deal. */
function showDeclared() {
  const { context = {}, played, table } = current();
  at("declared").hidden = !table || !played?.stick;
  const { players, names, riichi_by: declared = [], seat } = context;
  // The photo of a phone says it of its own hand alone.
  const own = context.riichi && seat && !declared.includes(seat) ? [seat] : [];
  const what = { players, names, ticked: [...declared, ...own] };
  if (JSON.stringify(what) === last.declared) return;
  last.declared = JSON.stringify(what);
  at("declared").replaceChildren(one(at("declared"), "legend"), ...boxes("riichi_by", what));
}

function showRulings() {
  const { context = {}, table } = current();
  const usual = sets.find((of) => of.id === context.rules);
  const part = at("rulings");
  part.hidden = !usual?.rulings.length || !!table;
  if (part.contains(focused())) return;
  part.replaceChildren(one(part, "summary"), ...rulings(usual, context.rulings, (id, choice) => act("api/context", { rulings: withRuling(context.rulings, id, choice) }, part)));
}

/** The winner and the way of winning as buttons, and the typed fields. */
function showWho() {
  const { context = {}, table, played, amends, phase, also } = current();
  const winds = WINDS.slice(0, context.players || 4);
  const terms = played?.terms;
  /** @param {Wind} wind */
  const named = (wind) => context.names?.[wind] || "";
  /** @param {Wind} wind */
  const total = (wind) => (!table || amends || phase === "confirmed" || also ? "" : amount(table.players.find((player) => player.seat === wind)?.standing ?? "0"));
  picks(at("who"), "seat", context.seat, winds.map((wind) => ({ value: wind, words: [t(wind), named(wind)], note: total(wind), spoken: `${t(wind)} ${named(wind)}` })));
  const how = context.win === "self_draw" ? "self_draw" : context.win ? `discard:${context.from}` : "";
  picks(at("by"), "how", how, ways(winds, { seat: context.seat, names: context.names, terms }));
  const sits = JSON.stringify([winds, context.names]);
  if (sits !== last.sits) {
    last.sits = sits;
    fieldsFor({ players: winds.length, names: context.names });
  }
  form.robbed.checked = context.win === "rob_kong";
  form.robbed.disabled = !context.from;
  at("unit").textContent = played ? `${t(terms?.faan || (played.fields.includes("others") ? "points" : played.unit))}${played.fields.includes("honba") && terms?.points ? t(", such as 3/30, or yakuman") : ""}` : "";
  showTyped();
}

/** What the record of the table says of the win, and a button that takes it where it was not filled in. */
function showProposed() {
  const { context = {}, played, proposed } = current();
  at("proposed").hidden = !proposed;
  if (!proposed) return;
  const { fields, certain, taken } = proposed;
  /** @param {Wind | undefined} wind */
  const named = (wind) => (wind && context.names?.[wind]) || t(wind ?? "");
  const what = [
    `${t("{name} wins", { name: named(fields.seat) })} ${wonHow(fields.win, named(fields.from), played?.terms)?.join("") ?? ""}`,
    ...(fields.winning ? [fields.winning] : []),
    ...known.facts.filter(({ name }) => fields[name]).map(({ label }) => label[language]),
    ...(fields.riichi_by ? [`${t("Riichi")}: ${fields.riichi_by.map(named).join(", ")}`] : []),
  ].join(" · ");
  one(at("proposed"), "span").textContent = certain ? t("From the record: {what}", { what }) : t("The record is not certain: {what}", { what });
  at("take-proposed").hidden = taken;
}

/** Takes what the record says of the win. */
export const takeProposed = () => act("api/context", { ...current().proposed?.fields }, at("proposed"));

/** Shows what the state says of the hand. @param {import("./onair.js").View} viewed */
export function showHand(viewed) {
  const { context, phase, played, reading } = current();
  showContext();
  showProposed();
  showScore(viewed);
  advise(reading?.hand && phase !== "confirmed" ? { hand: reading.hand.text, tiles: reading.tiles, context: context ?? {}, set: played } : null);
}

/** Shows the fields again in place of rejected values. */
export function restore() {
  last.declared = "";
  showContext();
}

/** Chooses the winner; the way of winning is cleared if it was another's. @param {string} seat */
function chooseWinner(seat) {
  [picking, picked] = ["how", seat];
  return act("api/context", { seat, ...(current().context?.from === seat && { win: null, from: null }) }, at("who"));
}

/** Chooses the way of winning; then the worth is typed, if no hand is shown. @param {string} how */
function chooseHow(how) {
  picking = "seat";
  const [win, from] = how.split(":");
  const said = act("api/context", { win, from: from || null }, at("by"));
  if (!hasTiles()) firstTyped().select();
  return said;
}

/** Chooses the winner, then the way of winning, by the place of a wind; whether somebody sits there. @param {number} place */
export function pick(place) {
  const wind = WINDS[place];
  if (!at("who").querySelector(`[value=${wind}]`)) return false;
  if (picking === "seat") chooseWinner(wind);
  else chooseHow(wind === picked ? "self_draw" : `discard:${wind}`);
  return true;
}

/** The next digit chooses the winner again. */
export const pickWinnerNext = () => (picking = "seat");

/** The next of the choices for what the winning tile had been. */
export function nextEarlier() {
  // After fast typing the answer that shows this field may not have arrived.
  form.tile.selectedIndex = (form.tile.selectedIndex + 1) % form.tile.options.length;
  form.tile.dispatchEvent(new Event("change", { bubbles: true }));
}

at("context").onsubmit = (event) => event.preventDefault();
at("context").addEventListener("change", (event) => {
  const field = target(event);
  const { name, value } = field;
  /** @param {Record<string, unknown>} words */
  const say = (words) => act("api/context", words, field);
  if (at("said").contains(field)) return; // which sends its values itself
  if (name === "seat") chooseWinner(value);
  else if (name === "how") chooseHow(value);
  else if (name === "robbed") say({ win: field.checked ? "rob_kong" : "discard" });
  else if (name === "riichi_by") {
    const declared = ticked(at("declared"));
    say({ riichi_by: declared.length ? declared : null, riichi: null });
  } else if (WINDS.some((wind) => wind === name)) say({ names: { ...(current().context?.names || {}), [name]: value } });
  else if (name) say({ [name]: sentAs(field) });
});
/** @type {{ rules: RuleSet[], facts: Fact[] }} */
const known = await get("api/rules");
sets = known.rules;
askFacts(known.facts, () => at("flags"));
at("rules").replaceChildren(...sets.map((set) => new Option(t(set.name), set.id)));
