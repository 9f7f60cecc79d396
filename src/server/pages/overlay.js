// The overlay: a function of the state, shown `?delay=` seconds late. The server has checked the address's options,
// and gives it as data of the page.
import { amount, drawn, sign, waiting } from "./hand.js";
import { clockNow, clockText, eachSecond, hall } from "./hall.js";
import { all, at, lines, made, one } from "./kit.js";
import { t } from "./lang.js";
import { follow } from "./link.js";
import { cutOff, onAir } from "./onair.js";
import { players } from "./players.js";
import { arrange, enter, fill, paced, show } from "./stage.js";

/** @typedef {import("./onair.js").View} View */

const { layout = "hand", part, delay = "0", background, place = "", until, text } = document.documentElement.dataset;
const late = Number(delay) * 1000;
if (background) document.body.style.background = background;

// After these times without an answer of the server, the last state is in doubt, then gone.
const DOUBT = 1000;
const CUT = 5000;
/** From the edge, in rem. */
const MARGIN = layout === "table" ? 2.25 : 3;

/** Whether a panel is on this page. @param {...string} names */
const has = (...names) => !part || names.includes(part);

/** @param {View["hand"]} hand
 *  @param {string} title
 *  @param {boolean} among */
function showHand(hand, title, among) {
  show(at("hand-panel"), hand && has("hand") ? "hand" : null);
  if (!hand) return;
  at("hand-panel").classList.toggle("doubtful", hand.doubtful);
  at("hand-panel").classList.toggle("among", among);
  const { seat, text: tiles, names, of } = hand;
  at("title").textContent = title;
  fill(at("hand"), { tiles, seat, names, of }, () => [drawn(tiles, { winner: seat, context: of, names })]);
  fill(at("waits"), hand.waits, waiting);
}

/** Who won and how, then item by item, then the total. @param {View["story"]} story */
function showStory(story) {
  show(at("score-panel"), story && has("score") ? JSON.stringify(story) : null);
  if (!story) return;
  const { winner, how, when, rules, items, total, notes } = story;
  at("rules").textContent = rules;
  at("when").textContent = when;
  at("score-panel").classList.toggle("long", items.length > 7);
  at("score-panel").classList.toggle("longer", items.length > 11);
  fill(at("winner"), story, () => between(t("{name} wins"), winner));
  fill(at("how"), story, () => [made("span", "", how[0]), made("bdi", "name", how[1]), made("span", "", how[2])]);
  fill(at("items"), story, () => items.map(({ name, value, unit }, number) => {
    const row = made("tr", "", made("td", "", name), made("td", "", `${amount(value)} `, made("small", "", unit)));
    enter(row, number + 1);
    return row;
  }));
  if (fill(at("total"), story, () => [total, ...notes.map((note) => made("small", "", note))])) enter(at("total"), items.length + 1);
}

/** A text with a name in it, which ends with an ellipsis where it is too long.
 *  @param {string} text
 *  @param {string} name */
function between(text, name) {
  const [before, after = ""] = text.split("{name}");
  return [made("span", "", before), made("bdi", "name", name), made("span", "", after)];
}

/** @template {{ seat: Wind, name: string, won?: boolean, why?: string, note?: string }} T
 *  @param {T[]} some
 *  @param {(one: T) => Node} value */
function rows(some, value) {
  return some.map((one) => made("div", `row${one.won ? " winner" : ""}`,
    made("i", "", t(one.seat)), made("bdi", "name", one.name), value(one), made("small", "", one.why || one.note || "")));
}

/** The payments of the deal, after its story, or the totals.
 *  @param {View["paid"]} paid
 *  @param {View["standings"]} standings
 *  @param {number} step */
function showPayments(paid, standings, step) {
  const kind = paid ? "paid" : standings.length ? "standings" : null;
  const scene = kind === "paid" ? JSON.stringify(paid) : kind;
  show(at("payments"), has("score", "standings") ? scene : null, kind === "paid" ? step : 0);
  if (kind) fill(at("payments"), paid ?? standings, () => (paid
    ? rows(paid, ({ amount: got }) => made("b", sign(got), amount(got, true))) : rows(standings, ({ standing }) => made("b", "", amount(standing)))));
}

/** The round, counters and sticks, and how a deal without a winner ended. @param {string[]} round */
function showRound(round) {
  show(at("round"), round.length && !part ? "round" : null);
  fill(at("round"), round, (some) => lines("p", some));
}

/** The parts that are not panels of the whole overlay. @param {View} view */
function showParts({ hand, title, round, last }) {
  if (part === "waits") {
    const waits = hand && !hand.doubtful ? hand.waits : [];
    show(at("waits-panel"), waits.length ? "waits" : null);
    if (waits.length) fill(one(at("waits-panel"), "*"), waits, waiting);
  } else if (part === "title") {
    const titles = [title || tournament?.name || "", round[0] || ""].filter(Boolean);
    show(at("title-panel"), titles.length ? "title" : null);
    fill(at("title-panel"), titles, (some) => lines("p", some));
  } else if (part === "last-deal") {
    show(at("last-panel"), last ? JSON.stringify(last) : null);
    if (last) fill(at("last-panel"), last, () => [
      made("small", "", last.of), made("p", "", last.line), ...last.hands.map(({ hand: tiles, wind, sits }) => drawn(tiles, { winner: wind, context: sits })),
    ]);
  }
}

/** The places of each panel: the address's, or else one of these, the usual one first. */
const CORNERS = ["bottom-left", "bottom-right", "top-right", "top-left"];
/** @type {Record<string, string[]>} */
const USUAL = layout === "table"
  ? { hand: ["bottom", "top"], score: ["bottom", "top"], round: ["top", "bottom"], standings: CORNERS, E: ["bottom-left"], S: ["bottom-right"], W: ["top-right"], N: ["top-left"] }
  : { hand: CORNERS, score: ["bottom-right", "top-right", "bottom-left", "top-left"], round: ["top-left", "top-right", "bottom-left", "bottom-right"], standings: ["top-right", "top-left", "bottom-right", "bottom-left"] };
const ASKED = Object.fromEntries(place.split(",").filter(Boolean).map((word) => word.split(":")));

/** @param {View["lies"]} lies */
function lay(lies) {
  if (part) return fit();
  /** @type {[HTMLElement, string][]} */
  const seated = all(at("players"), ".player").map((player) => [player, player.className.match(/at-(\w)/)?.[1] ?? ""]);
  /** @type {[HTMLElement, string][]} */
  const panels = [[at("hand-panel"), "hand"], [at("score-panel"), "score"], [at("payments"), "standings"], [at("round"), "round"]];
  /** @param {string} name */
  const fixed = (name) => name in ASKED || name.length === 1;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  arrange([...seated, ...panels].map(([panel, name]) => ({ panel, fixed: fixed(name), places: ASKED[name] ? [ASKED[name]] : USUAL[name] })), lies, MARGIN * rem);
}

/** A part that is larger than its source is made smaller until it fits. */
function fit() {
  const root = document.documentElement;
  root.style.fontSize = "";
  const { scrollHeight, scrollWidth } = at("stage");
  const part = Math.min(innerHeight / scrollHeight, innerWidth / scrollWidth);
  if (part < 1) root.style.fontSize = `${parseFloat(getComputedStyle(root).fontSize) * part}px`;
}

/** @type {View | null} */
let view = null;
/** @type {Tournament | null} */
let tournament = null;
/** @type {Clock | null} */
let clock = null;

/** @param {View} now */
function showView(now) {
  view = now;
  const { hand, title, story, paid, standings, round, seats, lies } = now;
  const after = story ? story.items.length + 2 : 0;
  const at_table = part ? part === "seats" : layout === "table";
  if (at_table) players(at("players"), seats, after);
  // The hand that is read is somebody's, who is not known, where no player's own panel shows it.
  const shown = at_table && hand && seats.some(({ text: tiles }) => tiles === hand.text);
  showHand(shown ? null : hand, title, at_table && seats.length > 0);
  showStory(story);
  if (part === "standings") showPayments(null, standings, 0);
  else if (part === "score") showPayments(paid, [], after);
  else showPayments(layout === "table" && seats.length ? null : paid, layout === "table" ? [] : standings, after);
  showRound(round);
  showParts(now);
  if (part === "break" || part === "countdown") showSlate();
  lay(lies);
}

/** For how long a countdown to a time of day stays at its end, in milliseconds: later the same time of the next day is meant. */
const PAST = 6 * 3600_000;

/** The moment that a countdown leads to. A time of day is the first that is not long past: a page loaded after midnight for
 *  23:55 was meant for the evening before. */
function moment() {
  if (!until) return null;
  if (!/^\d\d?:\d\d$/.test(until)) return Date.parse(until);
  const then = new Date();
  const [hours, minutes] = until.split(":");
  then.setHours(Number(hours), Number(minutes), 0, 0);
  then.setDate(then.getDate() - 1);
  while (Date.now() - Number(then) > PAST) then.setDate(then.getDate() + 1);
  return Number(then);
}
const begins = moment();

function showSlate() {
  const [heading, time, title, table] = at("slate").children;
  at("slate").hidden = false;
  const left = begins === null ? null : Math.max(0, Math.ceil((begins - Date.now()) / 1000));
  heading.textContent = text || (part === "break" ? t("Back soon") : left === 0 ? t("Starting now") : t("Starting in"));
  time.textContent = left ? clockText(left) : "";
  title.textContent = view?.title || tournament?.name || "";
  fill(table, view?.standings ?? [], (some) => some.map(({ seat, name, standing }) => made("div", "row", made("bdi", "name", name || t(seat)), made("b", "", amount(standing)))));
}

function showClock() {
  show(at("clock-panel"), clock ? "clock" : null);
  if (!clock) return;
  const { round } = clock;
  const now = clockNow(clock);
  at("clock-panel").className = `panel${now.up ? " up" : now.soon ? " soon" : ""}`;
  fill(at("clock-panel"), [round, now.says], () => [...(round ? [made("span", "", t("Round {number}", { number: round }))] : []), made("b", "", now.says)]);
  fit();
}

const showPaced = paced(showView);
const asked = hall((shown) => {
  tournament = shown;
  clock = shown?.clock ?? clock;
  if (view) showView(view);
});

let hadStory = false;

/** @param {State} state */
function take(state) {
  const next = onAir(state);
  // A confirmed or taken back hand is shown at once.
  showPaced(next, hadStory !== !!next.story);
  hadStory = !!next.story;
  if (!part) return;
  if (["clock", "title", "break", "countdown"].includes(part)) asked(state.tournament);
  if (!tournament?.clock) clock = state.table?.clock ?? null;
}

/** @type {State} */
let last = {};
/** @type {ReturnType<typeof setTimeout>[]} */
let cut = []; // what is to become of the scene while the server does not answer

/** Shows the last state as what a camera saw becomes without the server. @param {"doubtful" | "stale"} how */
const unsure = (how) => last.scene && take({ ...last, scene: cutOff(last.scene, how) });

follow(
  (state) => setTimeout(() => take((last = state)), late),
  (connected) => {
    if (connected) {
      for (const timer of cut) clearTimeout(timer);
      cut = [];
    } else if (!cut.length) cut = [setTimeout(unsure, DOUBT + late, "doubtful"), setTimeout(unsure, CUT + late, "stale")];
  },
);
addEventListener("resize", () => view && lay(view.lies));
if (part === "clock") eachSecond(showClock);
if (part === "countdown" || part === "break") eachSecond(showSlate);
