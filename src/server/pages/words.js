// Hands and tables in the words of those who play a rule set. Nothing here knows of elements.
import { amount, plus } from "./hand.js";

const counted = (count, one, more) => (count ? [`${count} ${count === 1 ? one : more}`] : []);
const named = (id) => id.replaceAll("_", " ");

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

/** A name inside a line of text: one that is written from right to left turns nothing around it. */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** What a hand counts, `["4 han", "ron · 30 fu"]`: first what its players name it by, which is the score where they
 *  have no word of their own, then the rest. */
export function worth({ score, unit, terms, win }) {
  const how = { self_draw: terms?.self_draw, discard: terms?.discard }[win];
  const limits = score.items.filter((item) => item.unit === "yakuman" || item.unit === "limit");
  const points = score.points === undefined ? "" : `${amount(score.points)} ${terms?.points || "points"}`;
  let faan = `${amount(score.faan)} ${terms?.faan || unit}`;
  if (limits.length) faan = limits[0].unit === "yakuman" ? `${amount(limits.map((item) => item.value).reduce(plus))} yakuman` : "limit hand";
  const [first, rest] = terms?.faan ? [faan, ""] : [amount(score.score), faan];
  return [first, [how, limits.length ? "" : points, rest].filter(Boolean).join(" · ")];
}

/** What East pays and is paid beside that, and what the winner takes from the table. */
export function beside(score, unit) {
  const dealer = score.dealer_faan ? [`${amount(score.dealer_faan)} ${unit} more for what East pays or is paid`] : [];
  return [...dealer, ...(Number(score.sticks) ? [`${amount(score.sticks, true)} sticks from the table`] : [])];
}

/** How the payments come about, a line for each step: "Di pays 30: 20 × 1½: gave the tile, East wins". */
export const explained = (steps, names = {}) =>
  (steps || []).map(({ seat, amount: paid, text }) => (seat === undefined ? text : `${names[seat] || seat} pays ${amount(paid)}: ${text}`));

/** Counters and sticks on the table, and how often the dealer has stayed where that is another number. */
export function onTable({ honba, sticks, repeat }) {
  const stays = repeat && repeat !== honba ? [`the dealer has stayed ${repeat === 1 ? "once" : `${repeat} times`}`] : [];
  return [...counted(honba, "counter", "counters"), ...counted(sticks, "stick", "sticks"), ...stays];
}

/** What each player got and paid in a deal, sticks included. */
export const changes = (deal) => deal.payments.map((paid, player) => plus(paid, deal.sticks_moved?.[player] ?? "0"));

/** How a deal ended that nobody won; null where somebody did. */
export function withoutWinner({ players }, { winners, draw, chombo, riichi = [] }) {
  if (winners.length) return null;
  const names = (some) => some.map((player) => isolated(players[player].name)).join(", ") || "nobody";
  const sticks = riichi.length ? [`riichi: ${names(riichi)}`] : [];
  if (chombo) {
    const why = [named(chombo.cause || ""), chombo.note].filter(Boolean).join(" ");
    return [`chombo of ${isolated(players[chombo.player].name)}${why ? ` (${why})` : ""}`, ...sticks].join(" · ");
  }
  const tenpai = draw?.tenpai ? [`tenpai: ${names(draw.tenpai)}`] : [];
  const nagashi = draw?.nagashi?.length ? [`nagashi: ${names(draw.nagashi)}`] : [];
  return [`a draw${draw?.abortive ? ` (${named(draw.abortive)})` : ""}`, ...tenpai, ...nagashi, ...sticks].join(" · ");
}

/** How a hand was won, in three parts, of which the middle one is a name: `["by ron on ", "Bo", "’s discard"]`. */
export function wonHow(win, giver, terms) {
  return {
    self_draw: [`by ${terms?.self_draw || "self-draw"}`, "", ""],
    discard: [`${terms?.discard ? `by ${terms.discard} ` : ""}on `, giver, "’s discard"],
    rob_kong: ["robbing ", giver, "’s kong"],
  }[win];
}

/** The items of a deal's winner by their names. */
export const itemsOf = ({ item_names: names }, { scored }) =>
  (scored?.items || []).map(([id, value]) => ({ name: names?.[id] ?? named(id), value }));

/** A winner of a deal: who, how, what his hand counts and holds; `brief` leaves out tiles and items. */
export function wonBy(table, winner, { brief = false } = {}) {
  const { players, terms } = table;
  const { player, win, from, hand, worth: said, scored } = winner;
  const how = wonHow(win, isolated(players[from]?.name ?? ""), terms).join("");
  const points = terms?.points && scored?.points ? ` ${scored.points} ${terms.points}` : "";
  const worth = said && scored ? `, worth ${amount(scored.faan)}` : "";
  const counts = scored && terms?.faan ? `, ${amount(scored.faan)} ${terms.faan}${points}` : worth;
  const line = `${isolated(players[player].name)} ${how}${counts}`;
  if (brief) return line;
  const items = itemsOf(table, winner).map(({ name }) => name);
  return `${line}${hand ? `: ${hand}` : ""}${items.length ? ` (${items.join(", ")})` : ""}`;
}

/** A deal in a line; `brief` leaves out what its winners' hands hold. */
export function dealt(table, deal, how) {
  const riichi = deal.riichi?.length ? ` · riichi: ${deal.riichi.map((player) => isolated(table.players[player].name)).join(", ")}` : "";
  return withoutWinner(table, deal) ?? `${deal.winners.map((winner) => wonBy(table, winner, how)).join(" · ")}${riichi}`;
}

/** Why nothing more is played. */
export function whyOver({ over, players }) {
  return {
    played: "all rounds were played",
    time: "the clock had run out",
    bust: `${isolated(players[over.player]?.name ?? "")} has less than nothing`,
    leader: "the last dealer leads",
    target: "the target is reached, or the rounds played for it are over",
    ended: `it was ended${over.note ? ` (${over.note})` : ""}`,
  }[over.why] || over.why;
}

/** What is played now, or why nothing is. */
export const playedNow = (table) =>
  table.over ? `the session is over: ${whyOver(table)}` : [`${table.round} round`, ...onTable(table)].join(" · ");

/** What a player's place is worth once it is over: "result +28000, +20000 for the place". */
export function placed({ placed: place }) {
  if (!place) return "";
  const points = place.table_points === undefined ? [] : [`${amount(place.table_points)} table points`];
  const bonus = place.bonus === undefined ? [] : [`${amount(place.bonus, true)} for the place`];
  return [...points, `result ${amount(place.result, true)}`, ...bonus].join(", ");
}

/** Who got the sticks that were left at the end. */
export function leftover({ leftover: left, players }) {
  const got = (left || []).flatMap((points, player) => (points === "0" ? [] : [`${isolated(players[player].name)} ${amount(points, true)}`]));
  return got.length ? `sticks left on the table: ${got.join(", ")}` : "";
}
