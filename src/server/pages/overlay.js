// The overlay: a function of the state, shown `?delay=` seconds late. The server has checked the address's options,
// and gives it as data of the page.
import { claims } from "./claims.js";
import { amount, doraOf, drawn, waiting, widthOf } from "./hand.js";
import { clockNow, clockText, eachSecond, hall } from "./hall.js";
import { at, lines, made, one } from "./kit.js";
import { t } from "./lang.js";
import { follow, get } from "./link.js";
import { cutOff, onAir } from "./onair.js";
import { logos } from "./own.js";
import { players, rows } from "./players.js";
import { arrange, enter, fill, fitTexts, makeCorners, paced, show } from "./stage.js";
import { capital } from "./words.js";

/** @typedef {import("./onair.js").View} View */

const page = document.documentElement.dataset;
const { layout, part, delay = "0", background, place = "", until, text, after } = page;
const late = Number(delay) * 1000;
if (background) document.body.style.background = background;

// After these times without an answer of the server, the last state is in doubt, then gone.
const DOUBT = 1000;
const CUT = 5000;
/** For how long a banner stays that says what has just happened. */
const NEWS = 5000;

/** Whether a panel is on this page. @param {...string} names */
const has = (...names) => !part || names.includes(part);

/** @param {View["hand"]} hand */
function showHand(hand) {
  show(at("hand-panel"), hand && has("hand") ? "hand" : null);
  if (!hand) return;
  at("hand-panel").classList.toggle("doubtful", hand.doubtful);
  const { seat, text: tiles, names, of } = hand;
  at("hand").style.setProperty("--units", String(Math.max(15, widthOf(tiles))));
  fill(at("hand"), { tiles, seat, names, of }, () => [drawn(tiles, { winner: seat, context: of, names })]);
  fill(at("waits"), hand.waits, waiting);
}

/** Who won and how, then item by item, then what it brings. @param {View["story"]} story */
function showStory(story) {
  show(at("score-panel"), story && has("score") ? JSON.stringify(story) : null);
  if (!story) return;
  const { winner, how, when, rules, items, points, total, notes } = story;
  at("rules").textContent = rules;
  at("when").textContent = when;
  fill(at("winner"), story, () => between(t("{name} wins"), winner));
  fill(at("how"), story, () => [how[0], made("bdi", "", how[1]), how[2]]);
  at("score-panel").classList.toggle("many", items.length > 7);
  fill(at("items"), story, () => items.map(({ name, value, unit }, number) => {
    const row = made("tr", "", made("td", "", name), made("td", "", `${amount(value)} `, made("small", "", unit)));
    enter(row, number + 1);
    return row;
  }));
  const counts = [
    fill(at("points"), story, () => [points, made("small", "", t("points"))]),
    fill(at("total"), story, () => [total, ...notes.map((note) => made("small", "", note))]),
  ];
  if (counts.includes(true)) for (const what of [at("points"), at("total")]) enter(what, items.length + 1);
}

/** A text with a name in it, which is fitted where it is too long.
 *  @param {string} text
 *  @param {string} name */
function between(text, name) {
  const [before, after = ""] = text.split("{name}");
  return [made("span", "", before), made("bdi", "name", name), made("span", "", after)];
}

/** The title, the round, counters and sticks, and the dora indicators. @param {View} view */
function showRound({ title, round, dora, of }) {
  show(at("round"), (title || round.length) && !part ? "round" : null);
  at("title").textContent = title;
  const makes = dora && doraOf(dora, of.players);
  fill(one(at("round"), "div"), { round, dora, makes }, () => [...lines("p", round), ...(dora ? [made("p", "dora", t("Dora indicators"), " ", drawn(dora), made("span", "makes", "→"), drawn(makes))] : [])]);
}

const claimed = claims();

/** Riichi that has been declared, by the players' places; null before the first state.
 *  @type {Wind[] | null} */
let declared = null;
/** What has just happened. @type {string[]} */
let news = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let over;

/** How a deal without a winner ended, for as long as it is on show; claims, riichi and limit hands for some seconds.
 *  @param {View} view
 *  @param {boolean} isNew whether the story has only just come */
function showBanner({ ended, players: some, story, seats, last }, isNew) {
  const riichi = some.filter(({ riichi: has }) => has);
  const fresh = declared && riichi.filter(({ place: of }) => !declared?.includes(of));
  declared = riichi.map(({ place: of }) => of);
  /** @param {string[]} what */
  const report = (what) => {
    news = what;
    clearTimeout(over);
    over = setTimeout(() => {
      news = [];
      if (view) showBanner(view, false);
    }, NEWS);
  };
  const [claim] = claimed(seats, last?.of ?? "");
  if (claim && !story && !ended.length) report([capital(claim.what), claim.name]);
  if (fresh?.length) report([capital(t("riichi")), ...fresh.map(({ name }) => name)]);
  if (isNew && story?.limit) report([capital(t("limit hand")), story.winner]);
  const says = ended.length ? ended : news;
  show(at("banner"), says.length && !part ? JSON.stringify(says) : null);
  if (says.length) fill(at("banner"), says, ([first, ...more]) => lines("p", [capital(first), ...more]));
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
    at("last-panel").style.setProperty("--units", String(Math.max(15, ...(last?.hands ?? []).map(({ hand: tiles }) => widthOf(tiles)))));
    if (last) fill(at("last-panel"), last, () => [
      made("small", "", last.of), made("p", "", last.line), ...last.hands.map(({ hand: tiles, wind, sits }) => drawn(tiles, { winner: wind, context: sits })),
    ]);
  }
}

/** The home of each panel, by layout; in a source that is higher than wide.
 *  @type {Record<string, Record<string, string>>} */
const HOMES = {
  hand: { logo: "top-left", round: "top-left", banner: "top-left", hand: "bottom-left", score: "bottom-right", standings: "top-right" },
  table: { logo: "top", round: "top", banner: "top", hand: "bottom", score: "bottom", standings: "top-right", E: "bottom-left", S: "bottom-right", W: "top-right", N: "top-left" },
  high: { logo: "top", round: "top", banner: "bottom", hand: "bottom", score: "bottom", standings: "top", E: "top", S: "top", W: "top", N: "top" },
};
const ASKED = Object.fromEntries(place.split(",").filter(Boolean).map((word) => word.split(":")));
/** @type {[string, HTMLElement][]} */
const PANELS = [["logo", at("logo")], ["round", at("round")], ["banner", at("banner")], ["score", at("score-panel")], ["hand", at("hand-panel")], ["standings", at("payments")]];
/** @type {[Wind, HTMLElement][]} */
let seated = [];
if (!part) makeCorners(at("stage"));
at("logo").append(...logos());
at("logo").hidden = !!part || !at("logo").children.length;
const isHigh = matchMedia("(max-aspect-ratio: 1/1)");

/** Lays the panels out, and fits what is in them. @param {View} view */
function lay({ lies }) {
  for (const panel of [...PANELS, ...seated].map(([, panel]) => panel)) if (!panel.hidden) fitTexts(panel);
  if (part) return fit();
  const homes = HOMES[isHigh.matches ? "high" : page.layout ?? "hand"];
  arrange([
    ...PANELS.map(([name, panel]) => ({ panel, home: ASKED[name] ?? homes[name], fixed: name in ASKED })),
    ...seated.map(([name, panel]) => ({ panel, home: homes[name], fixed: false })),
  ], lies, at("score-panel"));
}

/** A part that is larger than its source is made smaller until it fits. */
function fit() {
  const root = document.documentElement;
  root.style.fontSize = "";
  const { scrollHeight, scrollWidth } = at("stage");
  let share = Math.min(1, innerHeight / scrollHeight, innerWidth / scrollWidth);
  const whole = parseFloat(getComputedStyle(root).fontSize);
  // Lines that break elsewhere may be one more.
  for (; share < 1 && share > 0.1; share *= 0.97) {
    root.style.fontSize = `${whole * share}px`;
    if (at("stage").scrollHeight <= innerHeight && at("stage").scrollWidth <= innerWidth) return;
  }
}

/** @type {View | null} */
let view = null;
/** @type {Tournament | null} */
let tournament = null;
/** @type {Clock | null} */
let clock = null;

/** @param {View} now */
function showView(now) {
  const isNew = !view?.story && !!now.story;
  view = now;
  const { hand, story, players: some, seats } = now;
  const after = story ? story.items.length + 2 : 0;
  const at_table = part ? part === "seats" : page.layout === "table";
  // The hand that is read is somebody's, who is not known, where no player's own panel shows it. The winner's is shown large.
  const shown = at_table && !story && hand && seats.some(({ text: tiles }) => tiles === hand.text);
  const others = story && hand && !part ? seats.map((seat) => (seat.wins ? { ...seat, text: "" } : seat)) : seats;
  seated = players(at("players"), at_table ? others : [], after);
  showHand(shown ? null : hand);
  showStory(story);
  show(at("payments"), some.length && has("score", "standings") && !(at_table && seats.length) ? "standings" : null);
  rows(at("payments"), some, after);
  showRound(now);
  showBanner(now, isNew);
  showParts(now);
  if (part === "break" || part === "countdown") showSlate();
  lay(now);
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
  const standings = view?.players.filter(({ standing }) => standing !== null) ?? [];
  fill(table, standings, (some) => some.map(({ name, standing }) => made("div", "entry", made("bdi", "name", name), made("b", "", amount(standing ?? "0")))));
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
  page.layout = layout ?? (state.table ? "table" : "hand");
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

let newest = 0; // the state whose scene after *Confirm* was asked for last

/** Shows a state, or what viewers will see once its hand is confirmed, where the address asks for that. @param {State} state */
async function shown(state) {
  newest += 1;
  const mine = newest;
  const isScored = state.phase === "watching" && state.reading?.score?.ok;
  const then = after && isScored ? await get("api/after-confirm").catch(() => null) : null;
  if (mine === newest) take((last = { ...state, ...then }));
}

follow(
  (state) => setTimeout(() => shown(state), late),
  (connected) => {
    if (connected) {
      for (const timer of cut) clearTimeout(timer);
      cut = [];
    } else if (!cut.length) cut = [setTimeout(unsure, DOUBT + late, "doubtful"), setTimeout(unsure, CUT + late, "stale")];
  },
);
addEventListener("resize", () => view && lay(view));
document.fonts.addEventListener("loadingdone", () => view && lay(view));
if (part === "clock") eachSecond(showClock);
if (part === "countdown" || part === "break") eachSecond(showSlate);
