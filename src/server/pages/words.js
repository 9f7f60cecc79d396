// Hands and tables in the words of those who play a rule set. Nothing here knows of elements.
import { WINDS, amount, plus, spokenAll } from "./hand.js";
import { isolated, itemNamed, said, t } from "./lang.js";

export { isolated };

/** @param {number | undefined} count
 *  @param {string} one
 *  @param {string} more */
const counted = (count, one, more) => (count ? [count === 1 ? one : more] : []);
/** @param {string} id */
const spaced = (id) => id.replaceAll("_", " ");

/** The name of an item of a score; `names`: those that differ from the id.
 *  @param {Record<string, string> | undefined} names
 *  @param {string} id */
export const itemName = (names, id) => itemNamed(id, names?.[id] ?? spaced(id));

/** A unit beside a number of it: "doubling" or "doublings".
 *  @param {string} number
 *  @param {string} unit */
export const unitOf = (number, unit) => (unit.startsWith("doubling") ? (["1", "1/2"].includes(number) ? "doubling" : "doublings") : unit);
/** A number in its unit, as it is read.
 *  @param {string} number
 *  @param {string} unit */
export const inUnits = (number, unit) => `${amount(number)} ${t(unitOf(number, unit))}`;

/** A sentence as it begins. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a hand counts, `["4 han", "ron · 30 fu"]`: first what its players name it by, which is the score where they
 *  have no word of their own, then the rest.
 *  @param {{ score: Score, unit: string, terms?: Terms | null, win?: WonBy }} worth
 *  @returns {[string, string]} */
export function worth({ score, unit, terms, win }) {
  const how = win === "self_draw" ? terms?.self_draw : win === "discard" ? terms?.discard : undefined;
  const limits = score.items.filter((item) => item.unit === "yakuman" || item.unit === "limit");
  const points = score.points === undefined ? "" : `${amount(score.points)} ${t(terms?.points || "points")}`;
  let faan = inUnits(score.faan ?? "0", terms?.faan || unit);
  if (limits.length) faan = limits[0].unit === "yakuman" ? `${amount(limits.map((item) => item.value).reduce(plus))} ${t("yakuman")}` : t("limit hand");
  // Of a score that is typed nothing else is known.
  const isCounted = score.items.length > 0 || score.points !== undefined || Number(score.faan) > 0;
  const [first, rest] = terms?.faan ? [faan, ""] : [amount(score.score ?? "0"), isCounted ? faan : ""];
  return [first, [how && t(how), limits.length ? "" : points, rest].filter(Boolean).join(" · ")];
}

/** What East pays and is paid beside that, and what the winner takes from the table.
 *  @param {Score} score
 *  @param {string} unit */
export function beside(score, unit) {
  const dealer = score.dealer_faan ? [t("{faan} more for what East pays or is paid", { faan: inUnits(score.dealer_faan, unit) })] : [];
  return [...dealer, ...(Number(score.sticks) ? [t("{points} sticks from the table", { points: amount(score.sticks ?? "0", true) })] : [])];
}

/** How far a hand is from complete. @param {number} shanten */
export const away = (shanten) =>
  shanten < 0 ? t("complete") : shanten === 0 ? t("waiting") : shanten === 1 ? t("1 tile away from waiting") : t("{count} tiles away from waiting", { count: shanten });

/** Why a hand does not win. @param {Score} score */
export const whyNoWin = (score) => (score.message_said ? said(score.message_said, spokenAll) : score.message);

/** How the payments come about, a line for each step: "Di pays 30: 20 × 1½: gave the tile, East wins". Players who pay the same
 *  for the same share a line.
 *  @param {Step[] | undefined} steps
 *  @param {Partial<Record<Wind, string>>} [names] */
export function explained(steps, names = {}) {
  const payers = new Map();
  for (const { seat, amount: paid, said: why } of steps || []) {
    const step = JSON.stringify([paid, why]);
    payers.set(step, [...(payers.get(step) ?? []), ...(seat === undefined ? [] : [isolated(names[seat] || t(seat))])]);
  }
  return [...payers].map(([step, some]) => {
    const [paid, why] = JSON.parse(step);
    if (!some.length) return said(why);
    // Who receives something is said to pay less than nothing.
    const receives = paid?.startsWith("-");
    const values = { points: amount(receives ? paid.slice(1) : paid), why: said(why) };
    if (receives) return some.length === 1 ? t("{payee} receives {points}: {why}", { payee: some[0], ...values }) : t("{payees} receive {points} each: {why}", { payees: some.join(", "), ...values });
    return some.length === 1 ? t("{payer} pays {points}: {why}", { payer: some[0], ...values }) : t("{payers} pay {points} each: {why}", { payers: some.join(", "), ...values });
  });
}

/** @param {number | undefined} honba */
const counters = (honba) => counted(honba, t("1 counter"), t("{count} counters", { count: honba }));
/** Whether a deal's rules have sticks on the table: those of riichi. @param {Pick<DealPlace, "sticks">} deal */
const isOfRiichi = ({ sticks }) => sticks !== undefined;

/** Sticks on the table, and how often the dealer has stayed, where the name of the deal does not say so by its counters.
 *  @param {Pick<DealPlace, "honba" | "sticks" | "repeat">} deal */
export function onTable(deal) {
  const { honba, sticks, repeat } = deal;
  const stays = repeat && !(isOfRiichi(deal) && repeat === honba) ? [repeat === 1 ? t("the dealer has stayed once") : t("the dealer has stayed {count} times", { count: repeat })] : [];
  const more = isOfRiichi(deal) || honba === repeat ? [] : counters(honba);
  return [...more, ...counted(sticks, t("1 stick"), t("{count} sticks", { count: sticks })), ...stays];
}

/** What each player got and paid in a deal, sticks included. @param {Deal} deal */
export const changes = (deal) => deal.payments.map((paid, player) => plus(paid, deal.sticks_moved?.[player] ?? "0"));

/** Where the players sat in a deal, which says whom claimed tiles came from.
 *  @param {{ players: unknown[] }} table
 *  @param {{ dealer: number }} deal
 *  @returns {Context} */
export const satIn = ({ players }, { dealer }) => ({ dealer: WINDS[dealer], players: players.length });

/** A text with a name in it, in three parts.
 *  @param {string} text
 *  @param {string} name
 *  @returns {[string, string, string]} */
const between = (text, name) => {
  const [before, after = ""] = text.split("{name}");
  return [before, name, after];
};

/** How a hand was won, in three parts, of which the middle one is a name: `["by ron on ", "Bo", "’s discard"]`.
 *  @param {WonBy | undefined} win
 *  @param {string} giver
 *  @param {Terms | null | undefined} terms
 *  @returns {[string, string, string] | undefined} */
export function wonHow(win, giver, terms) {
  if (!win) return undefined;
  return /** @type {Record<WonBy, () => [string, string, string]>} */ ({
    self_draw: () => [t("by {how}", { how: t(terms?.self_draw || "self-draw") }), "", ""],
    discard: () => between(terms?.discard ? t("by {how} on {name}’s discard", { how: t(terms.discard) }) : t("on {name}’s discard"), giver),
    rob_kong: () => between(t("robbing {name}’s kong"), giver),
  })[win]?.();
}

/** The items of a deal's winner by their names.
 *  @param {Pick<DealWords, "item_names">} table
 *  @param {Winner} winner */
export const itemsOf = ({ item_names: names }, { scored }) =>
  (scored?.items || []).map(([id, value]) => ({ name: itemName(names, id), value }));

/** A deal in a line, as the server words it; `brief` leaves out what its winners' hands hold.
 *  @param {DealWords} table
 *  @param {Deal} deal
 *  @param {{ brief?: boolean }} [how] */
export function dealt(table, deal, { brief = false } = {}) {
  return deal.said.map((words, place) => {
    const winner = brief ? undefined : deal.winners[place];
    const items = winner ? itemsOf(table, winner).map(({ name }) => name) : [];
    return `${said(words)}${winner?.hand ? `: ${winner.hand}` : ""}${items.length ? ` (${items.join(", ")})` : ""}`;
  }).join(" · ");
}

/** Why nothing more is played. @param {{ over: Over | null, players: { name: string }[] }} table */
export function whyOver({ over, players }) {
  if (!over) return "";
  /** @type {Record<string, string>} */
  const why = {
    played: t("all rounds were played"),
    time: t("the clock had run out"),
    bust: t("{player} has less than nothing", { player: isolated(players[over.player ?? -1]?.name ?? "") }),
    leader: t("the last dealer leads"),
    target: t("the target is reached, or the rounds played for it are over"),
    ended: `${t("it was ended")}${over.note ? ` (${over.note})` : ""}`,
  };
  return why[over.why] || over.why;
}

/** What is played now, or why nothing is. @param {Table} table */
export const playedNow = (table) => (table.over ? isOver(table) : [table.deals ? ofDeals(table) : inRoundOf(table), ...onTable(table)].join(" · "));

/** A deal of a session without rounds. @param {DealPlace} deal */
const ofDeals = ({ number, deals }) => t("deal {number} of {deals}", { number, deals });

/** The words for a round and for a deal. @param {Wind} round */
export const inRound = (round) => t("{round} round", { round: t(round) });
/** @param {number} number */
export const inDeal = (number) => t("deal {number}", { number });

/** The round of a deal; in riichi with its dealer and the counters, by which its players name it: 東2局1本場.
 *  @param {DealPlace} deal */
function inRoundOf(deal) {
  if (!isOfRiichi(deal)) return inRound(deal.round);
  const place = t("{round}{number}", { round: t(deal.round), number: deal.dealer + 1 });
  const [more] = counters(deal.honba);
  return more ? t("{place} · {counters}", { place, counters: more }) : place;
}

/** A deal by its name. @param {DealPlace} deal */
export const dealNamed = (deal) => (deal.deals ? ofDeals(deal) : isOfRiichi(deal) ? inRoundOf(deal) : `${inRound(deal.round)} · ${inDeal(deal.number)}`);

/** That nothing more is played, and why. @param {{ over: Over | null, players: { name: string }[] }} table */
export const isOver = (table) => t("the session is over: {why}", { why: whyOver(table) });

/** What a player's place is worth once it is over: "result +28000, +20000 for the place". @param {{ placed?: Placed }} player */
export function placed({ placed: place }) {
  if (!place) return "";
  const points = place.table_points === undefined ? [] : [t("{points} table points", { points: amount(place.table_points) })];
  const bonus = place.bonus === undefined ? [] : [t("{points} for the place", { points: amount(place.bonus, true) })];
  return [...points, t("result {points}", { points: amount(place.result, true) }), ...bonus].join(", ");
}

/** Who got the sticks that were left at the end. @param {{ leftover?: string[], players: { name: string }[] }} table */
export function leftover({ leftover: left, players }) {
  const got = (left || []).flatMap((points, player) => (points === "0" ? [] : [`${isolated(players[player].name)} ${amount(points, true)}`]));
  return got.length ? t("sticks left on the table: {names}", { names: got.join(", ") }) : "";
}
