// The scoreboard, for a screen in the hall that nobody scrolls: pages that turn by themselves, of the table, the tournament's
// standings, the next seating, and the clock.
import { WINDS, amount, drawn } from "./hand.js";
import { clockNow, eachSecond, hall } from "./hall.js";
import { at, made, one, shape } from "./kit.js";
import { language, said, t } from "./lang.js";
import { follow } from "./link.js";
import { changes, dealNamed, dealt, isOver, itemsOf, leftover, onTable, satIn } from "./words.js";

const { show: only, turn = "10" } = document.documentElement.dataset;

const COLOURS = ["#0b8f67", "#d2662b", "#3f6fd8", "#a8409c"];
/** The most players in a column, columns on a page, tables of a seating on a page and abreast, and deals of a table. */
const [ROWS, COLUMNS, TABLES, ABREAST, DEALS] = [12, 2, 9, 3, 3];
/** In rem: the height of a page's rows, the largest row by the number of columns, and a table of the seating in the smallest type. */
const [HEIGHT, LARGEST, CARD] = [48, [0, 12, 6], 16.6];
/** For how long a signal fills the screen, in milliseconds. */
const SIGNAL = 15_000;

/** @param {string} text */
const number = (text) => {
  const [top, bottom = "1"] = String(text).split("/");
  return Number(top) / Number(bottom);
};
/** @param {HTMLTableRowElement} row
 *  @param {string | number} text
 *  @param {string} [name] */
const cell = (row, text, name = "") => {
  const cell = row.insertCell();
  cell.textContent = String(text);
  cell.className = name;
  return cell;
};

/** @param {WholeTable} table */
function drawChart(table) {
  const lines = table.players.map((_, player) => [number(table.initial), ...table.history.map((deal) => number(deal.totals[player]))]);
  const values = lines.flat();
  const [least, most] = [Math.min(...values), Math.max(...values)];
  /** @type {(deal: number) => number} */
  const x = (deal) => 130 + (850 * deal) / Math.max(1, table.history.length);
  /** @type {(value: number) => number} */
  const y = (value) => 345 - (310 * (value - least)) / Math.max(1, most - least);
  const ticks = [least, (least + most) / 2, most].flatMap((value) => [
    shape("line", { x1: 130, x2: 980, y1: y(value), y2: y(value) }),
    shape("text", { x: 118, y: y(value) + 10, "text-anchor": "end" }, String(Math.round(value))),
  ]);
  at("chart").replaceChildren(
    ...(table.history.length ? ticks : []),
    ...lines.map((line, player) => shape("polyline", { stroke: COLOURS[player], points: line.map((value, deal) => `${x(deal)},${y(value)}`).join(" ") })),
  );
}

/** A deal: its number, how it ended, and of who won the tiles and what they count.
 *  @param {Table} table
 *  @param {Deal} deal */
function dealCard(table, deal) {
  const card = made("article", "", made("small", "", dealNamed(deal)), dealt(table, deal, { brief: true }));
  if (!deal.winners.length) return card;
  for (const winner of deal.winners) {
    if (winner.hand) card.append(drawn(winner.hand, { winner: deal.seats[winner.player], context: satIn(table, deal) }));
    const items = itemsOf(table, winner).map(({ name }) => name).join(", ");
    if (items) card.append(made("small", "", items));
  }
  return card;
}

/** The worth of places at the end of the session. @type {{ of: keyof Placed, title: string, signed: boolean }[]} */
const PLACED = [
  { of: "table_points", title: t("table points"), signed: false },
  { of: "bonus", title: t("for the place"), signed: true },
  { of: "result", title: t("result"), signed: true },
];

/** The players with their totals, and the last deals. @param {Table} table */
function showTable(table) {
  const body = at("standings").tBodies[0];
  body.replaceChildren();
  const players = table.players.map((player, place) => ({ ...player, place }));
  players.sort((a, b) => (a.rank ?? 9) - (b.rank ?? 9));
  const last = table.last_deal;
  const changed = last && changes(last);
  const columns = PLACED.filter(({ of }) => players.some((player) => player.placed?.[of] !== undefined));
  at("standings").classList.toggle("wide", !!columns.length);
  const titles = columns.length ? ["", "", "", t("last deal"), t("points"), ...columns.map(({ title }) => title)] : [];
  one(at("standings"), "thead").replaceChildren(...(titles.length ? [made("tr", "", ...titles.map((title) => made("th", "", title)))] : []));
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
    for (const { of, signed } of columns) {
      const worth = player.placed?.[of];
      cell(row, worth === undefined ? "" : amount(worth, signed), "number");
    }
  }
  const deals = history.event === table.last_event ? history.deals : [];
  const shown = (deals.length ? deals : last ? [last] : []).slice(-DEALS).reverse();
  const left = leftover(table);
  at("last").replaceChildren(...(left ? [made("article", "", left)] : []), ...shown.map((deal) => dealCard(table, deal)));
  // The oldest lines are dropped until the rest fits.
  while (at("last").childElementCount > 1 && at("last").scrollHeight > at("last").clientHeight + 1) at("last").lastElementChild?.remove();
}

/** @type {{ event: number | null, deals: Deal[] }} */
let history = { event: null, deals: [] };

/** States hold the last deal alone; all of them are asked for when there is another event. @param {Table} table */
async function askForDeals({ last_event: event }) {
  if (history.event === event) return;
  history = { event, deals: history.deals };
  const all = await (await fetch("api/table")).json();
  if (!all || history.event !== event) return;
  history.deals = all.history;
  drawChart(all);
  show();
}

/** Rows of a page in one or two columns, whichever gives the larger type.
 *  @template T
 *  @param {T[]} all
 *  @param {number} page
 *  @param {number} each
 *  @param {(row: HTMLTableRowElement, of: T) => unknown} fill */
function showRows(all, page, each, fill) {
  /** @param {number} columns */
  const height = (columns) => Math.min(LARGEST[columns], HEIGHT / Math.ceil(each / columns));
  const abreast = height(1) < height(COLUMNS) ? COLUMNS : 1;
  const rows = Math.ceil(each / abreast);
  const onPage = all.slice(page * each, (page + 1) * each);
  const columns = Array.from({ length: abreast }, (_, column) => onPage.slice(column * rows, (column + 1) * rows));
  at("ranks").style.setProperty("--row", `${height(abreast)}rem`);
  at("ranks").replaceChildren(...columns.filter((column) => column.length).map((column) => {
    const list = made("table", "ranks");
    for (const of of column) fill(list.insertRow(), of);
    return list;
  }));
}

/** The standings. What a player has won or lost so far at a table that still plays is not in the total, and stands beside it.
 *  @param {Tournament} tournament
 *  @param {number} page
 *  @param {number} each */
function showRanks({ standings, running }, page, each) {
  /** @param {typeof standings[number]} player */
  const sessions = (player) => player.sessions.filter(Boolean).length;
  // Said of those alone who have played fewer than others.
  const most = Math.max(...standings.map(sessions));
  showRows(standings, page, each, (row, player) => {
    const played = sessions(player);
    const plays = running[player.name];
    cell(row, player.rank ?? t("disq."));
    cell(row, player.name, "who");
    cell(row, player.penalty === "0" ? "" : `−${amount(player.penalty)}`, "note loss");
    if (plays !== undefined) cell(row, t("plays: {points}", { points: amount(plays, true) }), "note plays");
    else cell(row, played < most ? t("{count} played", { count: played }) : "", "note");
    cell(row, amount(player.total, true), "number");
  });
}

/** The players of the next round by name, each with the table and the wind.
 *  @param {NonNullable<Tournament["seating"]>["tables"]} tables */
const byName = (tables) => tables
  .flatMap(({ table, seats }) => seats.flatMap((name, seat) => (name ? [{ name, table, wind: WINDS[seat] }] : [])))
  .sort((one, other) => one.name.localeCompare(other.name, language, { numeric: true }));

/** Tables of the next round on a page, with the seating; the fewer there are, the larger.
 *  @param {NonNullable<Tournament["seating"]>["tables"]} tables
 *  @param {number} page
 *  @param {number} each */
function showSeating(tables, page, each) {
  const abreast = Math.min(ABREAST, Math.ceil(Math.sqrt(each)));
  const scale = Math.min(1 + 0.4 * (ABREAST + 1 - abreast), (HEIGHT / Math.ceil(each / abreast)) / CARD);
  at("seating").style.setProperty("--columns", String(abreast));
  at("seating").style.setProperty("--scale", String(Math.max(1, scale)));
  at("seating").replaceChildren(...tables.slice(page * each, (page + 1) * each).map(({ table, seats }) => {
    const sits = seats.map((name, seat) => made("p", "", made("i", "", t(WINDS[seat])), made("bdi", "name", name ?? t("a reserve"))));
    return made("article", "", made("h2", "", t("Table {number}", { number: table })), ...sits);
  }));
}

/** The views: what is said of a ledger in which there is nothing for them, their element, and their pages, of which each fills it.
 *  @type {Record<string, { empty: string, element: HTMLElement, pages: () => (() => unknown)[] }>} */
const VIEWS = {
  table: { empty: t("No table of this ledger is shown here: start with --table N."), element: at("table"), pages: () => {
    const { table } = now;
    return table ? [() => showTable(table)] : [];
  } },
  standings: { empty: t("There is no tournament in this ledger."), element: at("ranks"), pages: () => {
    const { tournament } = now;
    return tournament ? paged(Math.max(1, tournament.standings.length), ROWS * COLUMNS, (page, each) => showRanks(tournament, page, each)) : [];
  } },
  seating: { empty: t("No round is drawn that is still to be played."), element: at("seating"), pages: () => {
    const { tables } = now.tournament?.seating ?? {};
    return tables ? paged(tables.length, TABLES, (page, each) => showSeating(tables, page, each)) : [];
  } },
  names: { empty: t("No round is drawn that is still to be played."), element: at("ranks"), pages: () => {
    const names = byName(now.tournament?.seating?.tables ?? []);
    return paged(names.length, ROWS * COLUMNS, (page, each) => showRows(names, page, each, (row, { name, table, wind }) => {
      cell(row, name, "who name");
      cell(row, t("Table {number}", { number: table }), "number");
      cell(row, t(wind), "number");
    }));
  } },
  clock: { empty: t("No clock runs."), element: at("big-clock"), pages: () => (only === "clock" && clock() ? [() => {}] : []) },
};

/** What fills each page, given their number in all and the most on a page: as many on each of them.
 *  @param {number} count
 *  @param {number} most
 *  @param {(page: number, each: number) => unknown} fill */
function paged(count, most, fill) {
  const pages = Math.ceil(count / most);
  return Array.from({ length: pages }, (_, page) => () => fill(page, Math.ceil(count / pages)));
}

/** @type {{ ledger: boolean, table: Table | null, tournament: Tournament | null }} */
const now = { ledger: false, table: null, tournament: null };
const clock = () => now.tournament?.clock ?? now.table?.clock;
let turned = 0;

/** The heading of a view, and the line below it. @param {string} view */
function heading(view) {
  const { table, tournament } = now;
  if (["seating", "names"].includes(view) && tournament?.seating) return [tournament.name, t("Round {number}: who sits where", { number: tournament.seating.round })];
  if (view === "standings" && tournament) return [tournament.name, tournament.results ? t("So far {results}.", { results: said(tournament.results) }) : ""];
  if (!table) return [tournament?.name ?? t("Scoreboard"), ""];
  const place = table.over ? isOver(table) : [dealNamed(table), ...onTable(table)].join(" · ");
  return [table.title || t(table.rules_name), place];
}

/** Shows the page whose turn it is. */
function show() {
  const views = Object.entries(VIEWS).filter(([name]) => !only || name === only);
  const pages = views.flatMap(([name, { element, pages }]) => pages().map((fill) => ({ name, element, fill })));
  for (const { element } of Object.values(VIEWS)) element.hidden = true;
  at("turns").hidden = pages.length < 2;
  if (!pages.length) {
    at("title").textContent = t("Scoreboard");
    at("place").textContent = now.ledger ? VIEWS[only ?? ""]?.empty ?? "" : t("Nothing to show: start with --ledger FILE.");
    return;
  }
  turned %= pages.length;
  const { name, element, fill } = pages[turned];
  [at("title").textContent, at("place").textContent] = heading(name);
  at("turns").textContent = t("{page} of {pages}", { page: turned + 1, pages: pages.length });
  element.hidden = false;
  fill();
}

/** @type {{ started: string, stage: string } | null} */
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

/** @type {ReturnType<typeof setTimeout> | undefined} */
let silent;

/** @param {string} text */
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
