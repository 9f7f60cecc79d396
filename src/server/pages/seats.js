// The page of a table's players: an entry is pending until another player of the table has confirmed it.
import { amount, sign } from "./hand.js";
import { clockNow, eachSecond } from "./hall.js";
import { sentences, t } from "./lang.js";
import { follow, get, send } from "./link.js";
import { pause } from "./once.js";
import { clear, context } from "./phone.js";
import { showTotals, ticked } from "./totals.js";
import { changes, dealt, isolated, playedNow } from "./words.js";

const at = (id) => document.getElementById(id);
const made = (name, text = "", classes = "") => Object.assign(document.createElement(name), { textContent: text, className: classes });
const number = Number(location.pathname.split("/").pop());
const here = `api/table/${number}`;

/** This phone's name, so that an entry is not confirmed on the phone that made it. */
const device = (localStorage.device ||= [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join(""));

let now = null;
let shown = null;
let sets = [];
let last = { text: "", id: "" };

const players = () => now?.table?.players ?? [];
const me = () => players().findIndex(({ name }) => name === localStorage[`player ${number}`]);
const set = () => sets.find((of) => of.id === now?.table?.rules);

/** After an entry nothing is entered for a moment: a second tap is meant for the first. */
const entered = pause(() => now && show(now));

/** Says something below the totals; `act`, if there is one, is offered as a button. */
function say(text, act = null, wrong = true) {
  at("said").className = wrong ? "loss" : "soft";
  at("said").replaceChildren(text);
  if (!act) return;
  at("said").append(" ", Object.assign(made("button", t("Enter it all the same")), { type: "button", onclick: act }));
}

/** A repeated request keeps its name, so that it is entered once after a lost answer. */
function named(words) {
  const text = JSON.stringify(words);
  if (last.text !== text) last = { text, id: `${device}-${Date.now()}` };
  return last.id;
}

async function tell(path, words) {
  const answer = await send(`${here}/${path}`, { by: me(), device, ...words });
  last = { text: "", id: "" };
  show(answer);
  entered.begin();
}

async function enter(happens, meant = false) {
  try {
    await tell("enter", { id: named(happens), after: now.table.last_event, now: happens, meant });
    say(now.waiting ? "" : t("Written down."), null, false);
  } catch (error) {
    const asked = error.body?.asked;
    if (asked) say(sentences(asked.said), () => enter(happens, true));
    else say(error.message);
  }
}

async function answer(path, id) {
  try {
    await tell(path, { id });
    say(path === "confirm" ? t("Written down.") : "", null, false);
  } catch (error) {
    say(error.message);
    show(await get(here));
  }
}

/** Each player's payment, by name. */
function pay(deal) {
  const row = made("div", "", "pay");
  row.append(...changes(deal).map((paid, player) => {
    const part = made("span", "", sign(paid));
    part.append(made("small", players()[player].name), amount(paid, true));
    return part;
  }));
  return row;
}

function showWaiting() {
  const { waiting, table } = now;
  at("waits").hidden = !waiting;
  if (!waiting) return at("waits").replaceChildren();
  const name = isolated(players()[waiting.by]?.name ?? "");
  const mine = waiting.by === me();
  const button = (text, path, main = false) => Object.assign(made("button", text, main ? "main" : ""), { type: "button", disabled: entered.lasts(), onclick: () => answer(path, waiting.id) });
  const row = made("div", "", "row");
  const how = waiting.stale ? t("The table has changed since: enter it again.")
    : mine ? t("Another player confirms it on another phone.")
    : waiting.device === device ? t("It was entered on this phone: confirm it on another one.") : "";
  if (!how && !now.apart) row.append(button(t("Confirm"), "confirm", true));
  row.append(button(mine || waiting.stale ? t("Take it away") : t("Not so"), "refuse"));
  const deal = waiting.undoes ?? waiting.deal;
  at("waits").replaceChildren(
    made("h3", waiting.undoes ? t("{name} wants to take back:", { name }) : t("{name} has entered:", { name })),
    ...(deal ? [made("p", dealt(table, deal, { brief: true })), ...(waiting.undoes ? [] : [pay(deal)])] : []),
    ...(how ? [made("p", how, "soft")] : []),
    row,
  );
}

/** The chart's width, and where the names begin beside it. */
const CHART = { wide: 320, names: 245 };

/** Totals after each deal, a line for each player. */
function showChart() {
  const { history } = now.table;
  at("chart").toggleAttribute("hidden", history.length < 2);
  if (history.length < 2) return;
  const value = (text) => text.split("/").map(Number).reduce((over, under) => over / under);
  const rows = history.map((deal) => deal.totals.map(value));
  const before = rows[0].map((total, player) => total - value(changes(history[0])[player]));
  rows.unshift(before);
  const [low, high] = [Math.min(...rows.flat()), Math.max(...rows.flat())];
  const [x, y] = [(deal) => (240 * deal) / (rows.length - 1), (total) => 112 - (104 * (total - low)) / (high - low || 1)];
  const shape = (name, set, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(set)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  const ends = rows.at(-1).map((total, player) => ({ player, y: y(total) })).sort((one, other) => one.y - other.y);
  // Names do not overlap.
  ends.forEach((end, place) => { end.y = Math.max(end.y, (ends[place - 1]?.y ?? -10) + 10); });
  const over = Math.max(0, (ends.at(-1)?.y ?? 0) - 116);
  at("chart").setAttribute("viewBox", `0 0 ${CHART.wide} 120`);
  at("chart").setAttribute("aria-label", t("Totals after each deal"));
  at("chart").replaceChildren(
    ...rows[0].map((_, player) => shape("polyline", { class: `p${player}`, points: rows.map((totals, deal) => `${x(deal).toFixed(1)},${y(totals[player]).toFixed(1)}`).join(" ") })),
    ...ends.map((end) => shape("text", { x: CHART.names, y: (end.y - over + 3).toFixed(1) }, players()[end.player].name)),
  );
  for (const name of at("chart").querySelectorAll("text")) {
    while (name.textContent.length > 1 && name.getComputedTextLength() > CHART.wide - CHART.names) name.textContent = `${[...name.textContent].slice(0, -2).join("")}…`;
  }
}

function canWrite() {
  const mayEnter = me() >= 0 && !!now?.table && !now.apart && !now.waiting && !entered.lasts();
  const free = mayEnter && !now.table.over;
  at("write").disabled = !free || !shown?.reading?.score?.ok || shown.context.rules !== now.table.rules;
  for (const id of ["drawn", "write-worth"]) at(id).disabled = !free;
  at("undo").disabled = !mayEnter || !now.undo;
}

function tickClock() {
  const clock = now?.table?.clock;
  const part = clock ? ` · ${clockNow(clock).says}` : "";
  at("now").textContent = now?.table ? `${playedNow(now.table)}${part}` : t("This table is not open yet: it opens with its round.");
}

/** Sets the fields of the next hand as the table has them. */
function sit() {
  const form = at("context").elements;
  const change = (field, value) => {
    if (!field || value === undefined || field.value === String(value)) return;
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  change(form.rules, now.context.rules);
  change(form.round, now.context.round);
  for (const name of ["honba", "sticks"]) change(form[name], now.context[name] || "");
}

function show(state) {
  const [before, deals] = [now?.table?.last_event, now?.table?.history.length];
  now = state;
  const { table } = now;
  at("table-title").textContent = t("Table {number}", { number }) + (table ? ` · ${t(table.rules_name)}` : "");
  tickClock();
  at("unsent").hidden = !now.unsent;
  at("apart").hidden = !now.apart;
  at("who").hidden = !table || me() >= 0;
  at("seated").hidden = !table || me() < 0;
  if (!table) return;
  at("who").querySelector("div").replaceChildren(...players().map(({ name, seat }) => {
    const button = Object.assign(made("button"), { type: "button", onclick: () => { localStorage[`player ${number}`] = name; show(now); } });
    button.append(`${t(seat)} `, made("bdi", name));
    return button;
  }));
  const draw = set()?.draw;
  const asks = { riichi: set()?.fields.includes("riichi"), tenpai: draw?.tenpai, nagashi: draw?.nagashi };
  // Ticks hold for the current deal.
  showTotals(players(), Object.keys(asks).filter((name) => asks[name]), { me: me(), keep: before === table.last_event });
  at("ended-by").hidden = !draw?.abortive.length;
  if (before !== table.last_event) at("ended").replaceChildren(new Option(t("the end of the wall"), ""), ...(draw?.abortive ?? []).map(({ id, about }) => new Option(t(about), id)));
  at("deals").replaceChildren(...table.history.map((deal) => made("li", dealt(table, deal, { brief: true }))));
  at("asked").replaceChildren(...now.asked.map(({ by, text }) => made("li", `${isolated(by)}: ${text}`)));
  at("me").textContent = me() >= 0 ? t("You are {name}.", { name: isolated(players()[me()].name) }) : "";
  showWaiting();
  showChart();
  canWrite();
  if (before === table.last_event) return;
  // What was said and asked was about the table as it was.
  if (at("said").querySelector("button")) say(t("The table has changed since: enter it again."));
  else if (before !== undefined) say("");
  if (before !== undefined && deals !== table.history.length) {
    shown = null;
    at("worth").value = "";
    clear();
  } else sit();
}

at("write").onclick = () => {
  const { reading, context } = shown;
  enter({ won: { context: { ...context, riichi_by: ticked("riichi") }, hand: reading.scored_hand, payments: reading.score.payments } });
};
at("write-worth").onclick = () => {
  const worth = at("worth").value.trim();
  if (!worth) return say(t("Say what it was worth."));
  enter({ won: { context: { ...context(), worth, riichi_by: ticked("riichi") } } });
};
at("by-hand").ontoggle = () => { at("context").hidden = !at("by-hand").open && !shown; };
at("drawn").onclick = () => {
  const { tenpai, nagashi } = set()?.draw ?? {};
  const abortive = at("ended").value;
  const drawn = abortive ? { abortive } : { ...(tenpai && { tenpai: ticked("tenpai") }), ...(nagashi && { nagashi: ticked("nagashi") }) };
  enter({ drawn: { riichi: ticked("riichi"), drawn } });
};
at("undo").onclick = () => enter({ undo: { event: now.undo } });
at("ask").onclick = async () => {
  const text = at("question").value.trim();
  try {
    await tell("ask", { id: named({ text }), text });
    at("question").value = "";
    say(t("The desk has been asked."), null, false);
  } catch (error) {
    say(error.message);
  }
};
at("other").onclick = () => {
  delete localStorage[`player ${number}`];
  show(now);
};
document.addEventListener("reading", ({ detail }) => {
  shown = detail;
  canWrite();
});
document.addEventListener("cleared", () => now?.table && sit());

({ rules: sets } = await get("api/rules"));
follow(show, (there) => {
  at("lost-touch").hidden = there;
  if (there && at("said").matches(".loss")) say("");
}, `${here}/socket`);
eachSecond(tickClock);
document.body.dataset.ready = "yes";
