// What a phone at a table asks of a deal, in the order in which players say it: who won, how, and who had declared riichi;
// of a draw, how it ended and who was ready. The fields of the hand follow what is chosen here.
import { boxes, fix, ticked } from "./entries.js";
import { picks, ways } from "./fields.js";
import { lead } from "./fourhands.js";
import { amount } from "./hand.js";
import { at, fieldsOf, one, target } from "./kit.js";
import { isolated, t } from "./lang.js";
import { again } from "./phone.js";
import { wonHow } from "./words.js";

const NOBODY = "nobody";
const form = fieldsOf(at("context"));

/** The wind of the winner, or that nobody won, and the way of winning; empty until it is said. */
let [won, how] = ["", ""];
/** @type {WholeTable | null} */
let table = null;
/** @type {RuleSet | undefined} */
let set;

/** The players who have declared riichi in this deal. */
export const riichi = () => ticked(at("declared"));

/** Whether it is said that nobody won. */
export const isDraw = () => won === NOBODY;

/** Whether it is said who won and how, or that nobody did. */
export const isSaid = () => isDraw() || (!!won && !!how);

/** @param {string | undefined} wind */
const named = (wind) => isolated(table?.players.find(({ seat }) => seat === wind)?.name ?? "");

/** What is said so far, or what has to be said next. */
export function soFar() {
  if (isDraw()) return t("Nobody won");
  if (!won) return t("Who won?");
  const [win, from] = how.split(":");
  const words = wonHow(/** @type {WonBy | ""} */ (win) || undefined, named(from), set?.terms);
  return `${t("{name} wins", { name: named(won) })} ${words ? words.join("") : `· ${t("How was it won?")}`}`;
}

/** A draw as it is sent. */
export function draw() {
  if (at("ended").value) return { abortive: at("ended").value };
  return { ...(set?.draw.tenpai && { tenpai: ticked(at("tenpai")) }), ...(set?.draw.nagashi && { nagashi: ticked(at("nagashi")) }) };
}

/** Forgets what was said of a deal, for the next one. */
export function forget() {
  [won, how] = ["", ""];
  for (const group of [at("declared"), at("tenpai"), at("nagashi")]) group.replaceChildren(one(group, "legend"));
}

/** Shows what is asked of a deal at a table.
 *  @param {WholeTable} of
 *  @param {RuleSet | undefined} rules */
export function showDeal(of, rules) {
  [table, set] = [of, rules];
  const { players, terms } = table;
  const winds = players.map(({ seat }) => seat);
  const names = Object.fromEntries(players.map(({ seat, name }) => [seat, name]));
  const choices = players.map(({ seat, name, total }) => ({ value: seat, words: [t(seat), name], note: amount(total), spoken: `${t(seat)} ${name} ${amount(total)}` }));
  picks(at("won"), "won", won, [...choices, { value: NOBODY, words: [t("Nobody won"), ""], note: "", spoken: t("Nobody won") }]);
  const [win, from] = how.split(":");
  at("won-how").hidden = isDraw() || !won;
  picks(at("by"), "by", from ? `discard:${from}` : how, ways(winds, { seat: won, names, terms }));
  Object.assign(at("robbed"), { checked: win === "rob_kong", disabled: !from });
  const { tenpai, nagashi, abortive = [] } = set?.draw ?? {};
  const paid = isDraw() && !at("ended").value;
  at("ended-by").hidden = !isDraw() || !abortive.length;
  for (const [group, isAsked] of /** @type {const} */ ([[at("declared"), set?.fields.includes("riichi")], [at("tenpai"), paid && tenpai], [at("nagashi"), paid && nagashi]])) {
    group.hidden = !isAsked;
    if (group.querySelectorAll("input").length !== winds.length) group.replaceChildren(one(group, "legend"), ...boxes(group.id, { players: winds.length, names }));
  }
  if (!at("ended").options.length) at("ended").replaceChildren(new Option(t("the end of the wall"), ""), ...abortive.map(({ id, about }) => new Option(t(about), id)));
  fix(at("tenpai"), riichi());
  const scoresAll = !!set?.fields.includes("others");
  at("worth-label").hidden = isDraw() || scoresAll || !!set?.plays_on;
  if (scoresAll) lead(isDraw() ? "" : /** @type {Wind | ""} */ (won), how, names);
}

/** Fills in the fields of the hand. */
function fill() {
  if (won && !isDraw()) form.seat.value = won;
  form.how.value = how;
  form.riichi.checked = riichi().some((wind) => wind === won);
}

/** Takes in what was chosen. @param {Event} event */
function choose(event) {
  const { name, value } = target(event);
  const from = how.split(":")[1];
  if (name === "won") {
    // Who draws the winning tile himself, or gives it, is another once another player has won.
    if (won !== value && (!from || from === value)) how = "";
    won = value;
  } else if (name === "by") how = value;
  else if (event.target === at("robbed")) how = `${at("robbed").checked ? "rob_kong" : "discard"}:${from}`;
  fill();
  if (table) showDeal(table, set);
  document.dispatchEvent(new Event("said"));
  again();
}
at("deal").onchange = at("robbed").onchange = choose;
// Another photo is of the same deal.
document.addEventListener("cleared", fill);
