// The scoreboard: standings, the last deal and a chart, for a screen in the hall.
import { amount } from "./hand.js";
import { follow } from "./link.js";
import { changes, dealt, leftover, onTable, whyOver } from "./words.js";

const at = (id) => document.getElementById(id);
const COLOURS = ["#0b8f67", "#d2662b", "#3f6fd8", "#a8409c"];
const number = (text) => {
  const [top, bottom = "1"] = String(text).split("/");
  return Number(top) / Number(bottom);
};
const cell = (row, text, name = "") => {
  const made = row.insertCell();
  made.textContent = text;
  made.className = name;
  return made;
};

function drawChart(table) {
  const lines = table.players.map((_, player) => [number(table.initial), ...table.history.map((deal) => number(deal.totals[player]))]);
  const values = lines.flat();
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (deal) => 70 + (900 * deal) / Math.max(1, table.history.length);
  const y = (value) => 340 - (300 * (value - least)) / Math.max(1, most - least);
  const make = (name, attributes, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  const ticks = [least, (least + most) / 2, most].flatMap((value) => [
    make("line", { x1: 70, x2: 970, y1: y(value), y2: y(value) }),
    make("text", { x: 62, y: y(value) + 6, "text-anchor": "end" }, Math.round(value)),
  ]);
  at("chart").replaceChildren(
    ...(table.history.length ? ticks : []),
    ...lines.map((line, player) => make("polyline", { stroke: COLOURS[player], points: line.map((value, deal) => `${x(deal)},${y(value)}`).join(" ") })),
  );
}

let revision = 0;
let clock = null;
const UP = {
  finish_deal: "time is up: finish the deal, start none",
  finish_round: "time is up: finish the round",
  stop: "time is up",
};

// The hall's clock. This screen's own clock may be wrong: `ahead` is by how much.
function showClock() {
  const element = at("hall-clock");
  element.hidden = !clock;
  if (!clock) return;
  const now = Date.now() - clock.ahead;
  const seconds = Math.ceil((Date.parse(clock.ends) - now) / 1000);
  const waits = Math.ceil((Date.parse(clock.started) - now) / 1000);
  const shown = waits > 0 ? waits : seconds;
  const two = (number) => String(number).padStart(2, "0");
  const left = `${Math.floor(shown / 3600)}:${two(Math.floor(shown / 60) % 60)}:${two(shown % 60)}`;
  element.className = seconds > 0 ? "" : "up";
  const says = waits > 0 ? `starts in ${left}` : left;
  element.textContent = `Round ${clock.round} · ${seconds > 0 ? says : UP[clock.then]}`;
}
setInterval(showClock, 250);

async function showTournament(now) {
  at("tournament").hidden = !now;
  if (!now || now === revision) return;
  revision = now;
  const answer = await fetch("api/tournament");
  const served = Date.parse(answer.headers.get("date") ?? "");
  const shown = await answer.json();
  if (!shown) return;
  const { name, standings, results } = shown;
  const ahead = Number.isNaN(served) ? 0 : Date.now() - served;
  // The header says whole seconds.
  clock = shown.clock && { ...shown.clock, ahead: Math.abs(ahead) < 2000 ? 0 : ahead };
  showClock();
  at("tournament-name").textContent = name;
  at("results").textContent = `So far ${results}.`;
  const body = at("ranks").tBodies[0];
  body.replaceChildren();
  for (const player of standings) {
    const row = body.insertRow();
    cell(row, player.rank ?? "disq.");
    cell(row, player.name);
    cell(row, player.sessions.filter(Boolean).length ? `${player.sessions.filter(Boolean).length} played` : "");
    cell(row, player.penalty === "0" ? "" : `−${amount(player.penalty)}`, "loss");
    cell(row, amount(player.total, true));
  }
}

let deals = { history: [] };
let last_event = null;

/** States hold the last deal alone; all of them are asked for when there is another event. */
async function chart(table) {
  if (table.last_event === last_event) return;
  last_event = table.last_event;
  deals = (await (await fetch("api/table")).json()) || deals;
  drawChart(deals);
}

/** What places are worth once the session is over. */
const PLACED = [
  { of: "table_points", title: "table points", signed: false },
  { of: "bonus", title: "for the place", signed: true },
  { of: "result", title: "result", signed: true },
];

function show({ table, tournament }) {
  showTournament(tournament);
  at("table").hidden = !table;
  if (!table) {
    if (!tournament) at("place").textContent = "Nothing to show: start with --ledger FILE.";
    return;
  }
  at("title").textContent = table.title || table.rules_name;
  at("place").textContent = table.over ? `the session is over: ${whyOver(table)}`
    : [`${table.round} round`, `deal ${table.number}`, ...onTable(table)].join(" · ");
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
    const titles = ["", "", "", "last deal", "points", ...columns.map(({ title }) => title)];
    at("standings").tHead.insertRow().append(...titles.map((title) => Object.assign(document.createElement("th"), { textContent: title })));
  }
  for (const player of players) {
    const row = body.insertRow();
    cell(row, player.rank ?? "–");
    const name = cell(row, player.name);
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = COLOURS[player.place];
    name.prepend(swatch);
    cell(row, player.seat + (player.place === table.dealer && !table.over ? " · deals" : ""));
    const got = changed?.[player.place];
    cell(row, got && got !== "0" ? amount(got, true) : "", got?.startsWith("-") ? "loss" : "gain");
    cell(row, amount(player.standing));
    for (const { of, signed } of columns) cell(row, amount(player.placed[of], signed));
  }
  const lines = [last ? `Last deal: ${dealt(table, last)}` : "", leftover(table)];
  at("last").replaceChildren(...lines.filter(Boolean).map((text) => Object.assign(document.createElement("p"), { textContent: text })));
  chart(table);
}

follow(show);
