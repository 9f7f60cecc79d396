// The scoreboard, for a screen in the hall that nobody scrolls: pages that turn by themselves, of the table, the tournament's
// standings, the next seating, and the clock.
import { amount, drawn } from "./hand.js";
import { clockNow, eachSecond, hall } from "./hall.js";
import { said, t } from "./lang.js";
import { follow } from "./link.js";
import { changes, dealNamed, dealt, isOver, itemsOf, leftover, onTable, satIn, withoutWinner } from "./words.js";

const { show: only, turn = "10" } = document.documentElement.dataset;
const at = (id) => document.getElementById(id);
const made = (name, classes = "", text = "") => Object.assign(document.createElement(name), { className: classes, textContent: text });

const COLOURS = ["#0b8f67", "#d2662b", "#3f6fd8", "#a8409c"];
/** Players in a column, columns on a page, tables of a seating on a page, and deals of a table. */
const [ROWS, COLUMNS, TABLES, DEALS] = [12, 2, 9, 3];
/** For how long a signal fills the screen, in milliseconds. */
const SIGNAL = 15_000;

const number = (text) => {
  const [top, bottom = "1"] = String(text).split("/");
  return Number(top) / Number(bottom);
};
const cell = (row, text, name = "") => {
  const cell = row.insertCell();
  cell.textContent = text;
  cell.className = name;
  return cell;
};

function drawChart(table) {
  const lines = table.players.map((_, player) => [number(table.initial), ...table.history.map((deal) => number(deal.totals[player]))]);
  const values = lines.flat();
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (deal) => 130 + (850 * deal) / Math.max(1, table.history.length);
  const y = (value) => 345 - (310 * (value - least)) / Math.max(1, most - least);
  const make = (name, attributes, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  const ticks = [least, (least + most) / 2, most].flatMap((value) => [
    make("line", { x1: 130, x2: 980, y1: y(value), y2: y(value) }),
    make("text", { x: 118, y: y(value) + 10, "text-anchor": "end" }, Math.round(value)),
  ]);
  at("chart").replaceChildren(
    ...(table.history.length ? ticks : []),
    ...lines.map((line, player) => make("polyline", { stroke: COLOURS[player], points: line.map((value, deal) => `${x(deal)},${y(value)}`).join(" ") })),
  );
}

/** A deal: its number, how it ended, and of who won the tiles and what they count. */
function dealCard(table, deal) {
  const card = made("article");
  card.append(made("small", "", dealNamed(deal)), dealt(table, deal, { brief: true }));
  if (withoutWinner(table, deal) !== null) return card;
  for (const winner of deal.winners) {
    if (winner.hand) card.append(drawn(winner.hand, { winner: deal.seats[winner.player], context: satIn(table, deal) }));
    const items = itemsOf(table, winner).map(({ name }) => name).join(", ");
    if (items) card.append(made("small", "", items));
  }
  return card;
}

/** The worth of places at the end of the session. */
const PLACED = [
  { of: "table_points", title: t("table points"), signed: false },
  { of: "bonus", title: t("for the place"), signed: true },
  { of: "result", title: t("result"), signed: true },
];

function showTable() {
  const { table } = now;
  const body = at("standings").tBodies[0];
  body.replaceChildren();
  const players = table.players.map((player, place) => ({ ...player, place }));
  players.sort((a, b) => (a.rank ?? 9) - (b.rank ?? 9));
  const last = table.last_deal;
  const changed = last && changes(last);
  const columns = PLACED.filter(({ of }) => players.some((player) => player.placed?.[of] !== undefined));
  at("standings").classList.toggle("wide", !!columns.length);
  at("standings").tHead.replaceChildren();
  if (columns.length) {
    const titles = ["", "", "", t("last deal"), t("points"), ...columns.map(({ title }) => title)];
    at("standings").tHead.insertRow().append(...titles.map((title) => made("th", "", title)));
  }
  for (const player of players) {
    const row = body.insertRow();
    cell(row, player.rank ?? "–");
    const name = cell(row, player.name, "who");
    const swatch = made("span", "swatch");
    swatch.style.background = COLOURS[player.place];
    name.prepend(swatch);
    cell(row, t(player.seat) + (player.place === table.dealer && !table.over ? ` · ${t("deals")}` : ""), "note");
    const got = changed?.[player.place];
    cell(row, got && got !== "0" ? amount(got, true) : "", `number ${got?.startsWith("-") ? "loss" : "gain"}`);
    cell(row, amount(player.standing), "number");
    for (const { of, signed } of columns) cell(row, amount(player.placed[of], signed), "number");
  }
  const deals = history.event === table.last_event ? history.deals : [];
  const shown = (deals.length ? deals : [last]).filter(Boolean).slice(-DEALS).reverse();
  const left = leftover(table);
  at("last").replaceChildren(...(left ? [made("article", "", left)] : []), ...shown.map((deal) => dealCard(table, deal)));
  // The oldest lines are dropped until the rest fits.
  while (at("last").childElementCount > 1 && at("last").scrollHeight > at("last").clientHeight + 1) at("last").lastElementChild.remove();
}

let history = { event: null, deals: [] };

/** States hold the last deal alone; all of them are asked for when there is another event. */
async function askForDeals({ last_event: event }) {
  if (history.event === event) return;
  history = { event, deals: history.deals };
  const all = await (await fetch("api/table")).json();
  if (!all || history.event !== event) return;
  history.deals = all.history;
  drawChart(all);
  show();
}

/** Players of a page, in columns. */
function showRanks(page) {
  const { standings } = now.tournament;
  const sessions = (player) => player.sessions.filter(Boolean).length;
  // Said of those alone who have played fewer than others.
  const most = Math.max(...standings.map(sessions));
  const from = page * ROWS * COLUMNS;
  const columns = Array.from({ length: COLUMNS }, (_, column) => standings.slice(from + column * ROWS, from + Math.min(column + 1, COLUMNS) * ROWS));
  at("ranks").replaceChildren(...columns.filter((column) => column.length).map((column) => {
    const list = made("table", "ranks");
    for (const player of column) {
      const row = list.insertRow();
      const played = sessions(player);
      cell(row, player.rank ?? t("disq."));
      cell(row, player.name, "who");
      cell(row, player.penalty === "0" ? "" : `−${amount(player.penalty)}`, "note loss");
      cell(row, played < most ? t("{count} played", { count: played }) : "", "note");
      cell(row, amount(player.total, true), "number");
    }
    return list;
  }));
}

/** Tables of the next round on a page, with the seating. */
function showSeating(page) {
  const { tables } = now.tournament.seating;
  at("seating").replaceChildren(...tables.slice(page * TABLES, (page + 1) * TABLES).map(({ table, seats }) => {
    const card = made("article");
    card.append(made("h2", "", t("Table {number}", { number: table })), ...seats.map((name, seat) => {
      const line = made("p");
      line.append(made("i", "", t([..."ESWN"][seat])), made("bdi", "name", name ?? t("a reserve")));
      return line;
    }));
    return card;
  }));
}

/** The views: whether there is anything to show, what is said of a ledger in which there is not, the number of pages, and
 *  their contents. */
const VIEWS = {
  table: { has: () => now.table, empty: t("No table of this ledger is shown here: start with --table N."), pages: () => 1, fill: showTable, element: "table" },
  standings: { has: () => now.tournament, empty: t("There is no tournament in this ledger."), pages: () => Math.max(1, Math.ceil(now.tournament.standings.length / (ROWS * COLUMNS))), fill: showRanks, element: "ranks" },
  seating: { has: () => now.tournament?.seating, empty: t("No round is drawn that is still to be played."), pages: () => Math.ceil(now.tournament.seating.tables.length / TABLES), fill: showSeating, element: "seating" },
  clock: { has: () => only === "clock" && clock(), empty: t("No clock runs."), pages: () => 1, fill: () => {}, element: "big-clock" },
};

const now = { ledger: false, table: null, tournament: null };
const clock = () => now.tournament?.clock ?? now.table?.clock;
let turned = 0;

function heading(view) {
  const { table, tournament } = now;
  if (view === "seating") return [tournament.name, t("Round {number}: who sits where", { number: tournament.seating.round })];
  if (view === "standings") return [tournament.name, tournament.results ? t("So far {results}.", { results: said(tournament.results) }) : ""];
  if (!table) return [tournament?.name ?? t("Scoreboard"), ""];
  const place = table.over ? isOver(table) : [dealNamed(table), ...onTable(table)].join(" · ");
  return [table.title || t(table.rules_name), place];
}

/** Shows the page whose turn it is. */
function show() {
  const views = Object.entries(VIEWS).filter(([name, view]) => (!only || name === only) && view.has());
  const pages = views.flatMap(([name, view]) => Array.from({ length: view.pages() }, (_, page) => ({ name, view, page })));
  for (const { element } of Object.values(VIEWS)) at(element).hidden = true;
  at("turns").hidden = pages.length < 2;
  if (!pages.length) {
    at("title").textContent = t("Scoreboard");
    at("place").textContent = now.ledger ? VIEWS[only]?.empty ?? "" : t("Nothing to show: start with --ledger FILE.");
    return;
  }
  turned %= pages.length;
  const { name, view, page } = pages[turned];
  [at("title").textContent, at("place").textContent] = heading(name);
  at("turns").textContent = t("{page} of {pages}", { page: turned + 1, pages: pages.length });
  at(view.element).hidden = false;
  view.fill(page);
}

let before = null;

/** The clock in the corner, or as large as the screen; when it has begun, has five minutes left or is up, the whole screen says so. */
function tick() {
  const runs = clock();
  at("hall-clock").hidden = !runs || only === "clock";
  if (!runs) return;
  const { says, up, soon, waits } = clockNow(runs);
  const round = runs.round ? t("Round {number}", { number: runs.round }) : "";
  at("hall-clock").className = up ? "up" : soon ? "soon" : "";
  at("hall-clock").textContent = [round, says].filter(Boolean).join(" · ");
  at("big-clock").className = at("hall-clock").className;
  [at("big-clock").children[0].textContent, at("big-clock").children[1].textContent] = [round, says];
  const stage = `${runs.started} ${up ? "up" : soon ? "soon" : waits ? "waits" : "runs"}`;
  // A page that is opened later gives no signal for earlier events.
  if (before?.started === runs.started && before.stage !== stage) signal(up ? says : soon ? t("5 minutes left") : round ? t("{round} has begun", { round }) : t("The session has begun"));
  before = { started: runs.started, stage };
}

let silent = null;

function signal(text) {
  at("signal").textContent = text;
  at("signal").hidden = false;
  clearTimeout(silent);
  silent = setTimeout(() => (at("signal").hidden = true), SIGNAL);
  gong();
}

/** Three strokes, where the browser lets a page sound without a click. */
function gong() {
  try {
    const sound = new AudioContext();
    for (const stroke of [0, 1.2, 2.4]) {
      const [tone, volume] = [sound.createOscillator(), sound.createGain()];
      tone.frequency.value = 523;
      volume.gain.setValueAtTime(0.5, sound.currentTime + stroke);
      volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + stroke + 1.1);
      tone.connect(volume).connect(sound.destination);
      tone.start(sound.currentTime + stroke);
      tone.stop(sound.currentTime + stroke + 1.1);
    }
    setTimeout(() => sound.close(), 5000);
  } catch {
    // No sound on this machine: the screen says it.
  }
}

const asked = hall((tournament) => {
  now.tournament = tournament;
  show();
  tick();
});

follow(({ table, tournament }) => {
  asked(tournament);
  now.ledger = !!table || tournament > 0;
  const is_new = JSON.stringify(table) !== JSON.stringify(now.table);
  now.table = table;
  if (table) askForDeals(table);
  if (is_new || !table) show();
  tick();
});
setInterval(() => {
  if (at("turns").hidden) return;
  turned += 1;
  show();
}, Math.max(1, Number(turn)) * 1000);
eachSecond(tick);
addEventListener("resize", show);
