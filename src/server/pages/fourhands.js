// A deal of which all hands are scored: each is photographed, or said by its worth, and with the last one comes who pays what.
import { WINDS, amount, drawn, inOrder, sign, tile, withTiles } from "./hand.js";
import { all, at, button, fieldsOf, lines, made, one } from "./kit.js";
import { t } from "./lang.js";
import { send } from "./link.js";
import { explained } from "./words.js";

/** The fields of a context that say nothing of the win. */
const NOT_OF_WIN = ["rules", "rulings", "round", "seat", "win", "from", "winning", "hidden", "flowers"];

/** The players' hands as they were last read, with the photos whose corrections they follow, and what was said of the win.
 *  @type {Partial<Record<Wind, { photo: number, text: string, facts: Context }>>} */
let kept = {};
/** @type {Wind | null} */
let winner = null;
/** The winning tile, where it was asked. @type {string | null} */
let winning = null;
/** @type {Answered[]} */
let answers = [];
/** The photo on the page. @type {Shown | null} */
let shown = null;
let asked = 0;
/** Whether the page of a table says who won and how. */
let isLed = false;
/** What it said last. */
let led = "";
/** The payments on the page. @type {Amounts | undefined} */
let payments;
/** The hands for which they are: with what was answered of their sets, and with the winning tile. @type {Partial<Record<Wind, string>>} */
let settled = {};
/** The page of the photo: its form's fields, and what reads the photo again with them.
 *  @type {{ context: () => Context, again: () => Promise<unknown> }} */
let page = { context: () => ({}), again: () => Promise.resolve() };

/** @param {Wind} wind */
const row = (wind) => one(at("four"), `[data-seat=${wind}]`);
/** @param {Wind} wind */
const typed = (wind) => one(row(wind), "input[type=text]");
/** Whether the photo on the page is a hand that nobody has yet. */
const isFree = () => !!shown?.reading.hand && !WINDS.some((wind) => kept[wind]?.photo === shown?.reading.photo);

/** Keeps the hand on the page for a player: it is read again with his wind. @param {Wind} wind */
async function keep(wind) {
  if (!shown) return;
  kept[wind] = { photo: shown.reading.photo, text: "", facts: {} };
  typed(wind).value = "";
  fieldsOf(at("context")).seat.value = wind;
  await page.again();
}

/** @param {Wind | null} wind */
function wins(wind) {
  if (winner !== wind) winning = null;
  winner = wind;
}

/** @param {Wind} wind */
function away(wind) {
  delete kept[wind];
  if (winner === wind) wins(null);
  ask();
}

/** The deal as far as it is known, as it is sent. */
function collected() {
  const { rules, rulings, round } = page.context();
  const [win, from] = at("won-by").value.split(":");
  /** @param {(wind: Wind) => string | undefined} of */
  const each = (of) => Object.fromEntries(WINDS.flatMap((wind) => (of(wind) ? [[wind, of(wind)]] : [])));
  return {
    context: { ...(winner && kept[winner]?.facts), rules, rulings, round, ...(win && { win }), ...(from && { from }), ...(winning && { winning }) },
    winner,
    hands: each((wind) => kept[wind]?.text),
    scores: each((wind) => (kept[wind] ? "" : typed(wind).value.trim())),
    answers,
  };
}

/** Shows the deal with what follows from it. */
async function ask() {
  if (at("four").hidden) return;
  const mine = ++asked;
  showRows();
  try {
    const answer = await send("api/four-hands", collected());
    if (mine === asked) showDeal(answer);
  } catch (error) {
    if (mine === asked) at("settled").replaceChildren(made("p", "loss", error.message));
  }
}

/** A player's row: what he has, its worth, and whether he has won. @param {Wind} wind */
function rowOf(wind) {
  const name = t(wind);
  const worth = made("input", { type: "text", size: 4, inputMode: "numeric", autocomplete: "off", placeholder: t("worth"), ariaLabel: t("What {name}’s hand is worth", { name }), onchange: ask });
  const won = () => {
    wins(wind);
    ask();
  };
  const line = made("li", "",
    made("b", "", name), button(t("This hand"), () => keep(wind), "keep"), worth, made("output"),
    made("label", "", made("input", { type: "radio", name: "winner", value: wind, onchange: won }), ` ${t("Winner")}`),
    Object.assign(button("×", () => away(wind), "away"), { ariaLabel: t("Take {name}’s hand away", { name }) }));
  line.dataset.seat = wind;
  return line;
}

function showRows() {
  for (const wind of WINDS) {
    const hand = kept[wind];
    one(row(wind), ".keep").hidden = !!hand || !isFree();
    typed(wind).hidden = !!hand;
    one(row(wind), ".away").hidden = !hand;
    Object.assign(one(row(wind), "[name=winner]"), { checked: winner === wind, disabled: isLed });
    for (const old of all(row(wind), ".hand")) old.remove();
    if (hand?.text) row(wind).append(drawn(hand.text));
  }
  at("won-by").closest("label")?.toggleAttribute("hidden", !winner || isLed);
  at("next-deal").hidden = isLed || !WINDS.some((wind) => kept[wind] || typed(wind).value);
}

/** A question with both answers, of which the one that was taken is pressed. @param {AskedOfDeal} question */
function choices({ ask: kind, seat, set, said, taken, otherwise }) {
  const pair = (taken ? [true, false] : [false, true]).map((yes) => {
    const choice = button(yes ? t("yes") : t("no"), () => {
      answers = [...answers, { ask: kind, seat, ...(set && { set }), yes }];
      ask();
    });
    choice.setAttribute("aria-pressed", String(yes === taken));
    return choice;
  });
  const payments = inOrder(otherwise ?? {}).map(([wind, paid]) => `${t(wind)} ${amount(paid, true)}`).join(", ");
  return made("li", "", made("span", "", ...withTiles(said)), made("span", "choices", ...pair),
    ...(payments ? [made("small", "soft", t("otherwise: {payments}", { payments }))] : []));
}

/** The tiles that may have won, to choose from. @param {string[]} codes */
const winningTiles = (codes) => made("div", "winning", ...codes.map((code) => Object.assign(tile(code, { as: "button" }), {
  type: "button",
  onclick: () => {
    winning = code;
    ask();
  },
})));

/** @param {FourHands} answer */
function showDeal({ worths, score, questions = [], unsettled, winning: codes = [], settled: hands = {} }) {
  settled = hands;
  for (const wind of WINDS) {
    const final = wind === winner ? score?.score : score?.hands?.[wind]?.score;
    const worth = kept[wind] && (final ?? worths[wind]);
    one(row(wind), "output").textContent = worth ? amount(worth) : "";
  }
  payments = score?.payments;
  document.dispatchEvent(new Event("said"));
  const paid = inOrder(payments ?? {}).map(([wind, points]) => made("span", sign(points), made("small", "", t(wind)), amount(points, true)));
  at("settled").replaceChildren(
    ...(unsettled ? [made("p", "loss", ...withTiles([unsettled])), winningTiles(codes)] : []),
    ...(paid.length ? [made("div", "pay", ...paid)] : []),
    ...(questions.length ? [made("ul", "asked", ...questions.map(choices))] : []),
    ...(score ? [made("ul", "steps", ...lines("li", explained(score.steps)))] : []),
  );
}

/** The won deal as a table takes it, with the payments that the page shows; null until something is said of the winner's hand.
 *  @param {Context} fields the fields beside it */
export function wonDeal(fields) {
  const { context, winner, hands, scores } = collected();
  /** @type {Record<string, string | undefined>} */
  const known = { ...hands, ...settled };
  const { [winner ?? ""]: hand, ...others } = known;
  const { [winner ?? ""]: worth, ...worths } = scores;
  if (!winner || (!hand && !worth)) return null;
  const not = answers.filter(({ ask, yes }) => ask === "fishing" && !yes).map(({ seat }) => seat);
  const called = answers.findLast(({ ask }) => ask === "original_call")?.yes;
  const said = {
    ...(worth && { worth }), ...(Object.keys(others).length && { others }), scores: worths,
    ...(not.length && { fishing: WINDS.filter((wind) => !not.includes(wind)) }), ...(called && { original_call: true }),
  };
  return { context: { ...fields, ...context, seat: winner, ...said }, hand, payments };
}

/** Takes over who won and how from the page of a table, where the players have names.
 *  @param {Wind | ""} wind
 *  @param {string} how
 *  @param {Partial<Record<Wind, string>>} names */
export function lead(wind, how, names) {
  const said = JSON.stringify([wind, how, names]);
  if (said === led) return;
  [led, isLed] = [said, true];
  for (const wind of WINDS) one(row(wind), "b").textContent = names[wind] ?? t(wind);
  wins(wind || null);
  at("won-by").value = how;
  ask();
}

/** Forgets what was collected, for the next deal. */
export function startAgain() {
  [kept, answers] = [{}, []];
  [led, payments, settled] = ["", undefined, {}];
  wins(null);
  for (const wind of WINDS) typed(wind).value = "";
  at("won-by").value = "";
  ask();
}

/** Takes over what was read of the photo on the page. @param {Shown} now */
function read(now) {
  shown = now;
  const { reading, context } = shown;
  const wind = WINDS.find((one) => kept[one]?.photo === reading.photo);
  if (!wind) return ask();
  if (!reading.hand) return away(wind);
  const facts = Object.fromEntries(Object.entries(context).filter(([field]) => !NOT_OF_WIN.includes(field)));
  kept[wind] = { photo: reading.photo, text: reading.scored_hand ?? reading.hand.text, facts };
  if (isLed) return ask();
  if (!reading.unwon) wins(wind);
  else if (winner === wind) wins(null);
  return ask();
}

/** Takes over how the deal was won; the winner's photo, if it is on the page, is scored so. */
function wonBy() {
  if (!winner || kept[winner]?.photo !== shown?.reading.photo) return ask();
  fieldsOf(at("context")).how.value = at("won-by").value;
  return page.again();
}

/** Begins to collect deals. Returns what shows the part where a rule set scores all hands, and begins another deal.
 *  @param {typeof page} of
 *  @returns {(set: Partial<RuleSet> | undefined) => void} */
export function collectHands(of) {
  page = of;
  one(at("four"), "ol").replaceChildren(...WINDS.map(rowOf));
  at("won-by").onchange = wonBy;
  at("next-deal").onclick = startAgain;
  document.addEventListener("reading", (event) => read(/** @type {CustomEvent<Shown>} */ (event).detail));
  at("context").addEventListener("change", ask);
  return (set) => {
    at("four").hidden = !set?.fields?.includes("others");
    const { how, seat } = fieldsOf(at("context"));
    for (const field of [how, seat]) field.closest("label")?.toggleAttribute("hidden", !at("four").hidden);
    at("won-by").replaceChildren(...[...how.options].map((option) => new Option(option.textContent ?? "", option.value)));
    startAgain();
  };
}
