// The control page's part for the ledger's table: what is played and was paid, the deals so far, and entries other than hands.
import { amending, past } from "./deals.js";
import { act, current } from "./deciding.js";
import { asksOfDraw, drawing, faulting } from "./entries.js";
import { amount } from "./hand.js";
import { all, at, focused, lines } from "./kit.js";
import { t } from "./lang.js";
import { resulting } from "./results.js";
import { steps } from "./scored.js";
import { wholeDeal } from "./wholedeal.js";
import { capital, changes, dealNamed, dealt, explained, isOver, leftover, onTable, placed } from "./words.js";

/** @type {WholeTable | null} */
let whole = null; // the ledger's table with all its deals: states hold the last one alone
/** @type {number | undefined} */
let lastEvent;
let pastShown = "";
/** The deal that is taken up again, also before the server says so. @type {number | null} */
let takenUp = null;

/** The ledger's table: the current deal, counters and sticks, the last deal, the worth of places. */
function showPlay() {
  const { table } = current();
  at("play").hidden = !table;
  if (!table) return;
  const { last_deal: last, players } = table;
  const now = table.over ? capital(isOver(table)) : [dealNamed(table), t("{name} deals", { name: players[table.dealer]?.name }), ...onTable(table)].join(" · ");
  const moved = last ? changes(last).flatMap((points, player) => (points === "0" ? [] : [`${players[player].name} ${amount(points, true)}`])).join(", ") : "";
  const places = [...players].sort((a, b) => (a.rank ?? 9) - (b.rank ?? 9)).filter((player) => player.placed);
  const texts = [
    now,
    last ? [t("Last deal: {deal}", { deal: dealt(table, last) }), moved].filter(Boolean).join(" · ") : "",
    leftover(table),
    ...places.map((player) => `${player.rank ?? "–"}. ${player.name} ${amount(player.standing)}: ${placed(player)}`),
  ];
  const names = Object.fromEntries((last?.seats ?? []).map((wind, player) => [wind, players[player].name]));
  const paid = (table.last_deal_steps ?? []).flatMap((own) => explained(own, names));
  const open = at("play").querySelector("details")?.open;
  at("play").replaceChildren(...lines("p", texts.filter(Boolean)), ...(paid.length ? [steps(paid, open)] : []));
}

/** The ledger's deals; one that is being re-entered is highlighted. */
function showPast() {
  const { amends } = current();
  const what = JSON.stringify([whole?.last_event, amends]);
  if (what === pastShown) return;
  pastShown = what;
  takenUp = amends?.event ?? null;
  amending(at("amending"), whole, amends, act);
  const { event } = focused().dataset;
  past(at("past"), at("deals"), whole, amends, act);
  if (event) at("deals").querySelector(/** @type {"button"} */ (`[data-event="${event}"]`))?.focus();
}

async function fetchTable() {
  const answer = await fetch("api/table").catch(() => null);
  whole = answer?.ok ? await answer.json() : whole;
  showPast();
}

/** Takes up the last deal again, or the one before the deal that is taken up. */
export function takeUpEarlier() {
  const events = (whole?.history ?? []).map(({ event }) => event);
  const place = takenUp === null ? events.length : events.indexOf(takenUp);
  if (place < 1) return;
  takenUp = events[place - 1];
  act("api/amend", { event: takenUp });
}

/** Shows the state's table, and which entries there are for it. */
export function showTable() {
  const { also, context, phase, played, reading, table, tournament } = current();
  if (table?.last_event !== lastEvent) {
    lastEvent = table?.last_event;
    // The seating may have changed: a started entry was for the deal before.
    at("drawing").hidden = at("faulting").hidden = at("whole").hidden = true;
    fetchTable();
  }
  const isEntered = !table || phase === "confirmed" || !!also;
  at("draw").hidden = isEntered || !!played?.plays_on;
  at("whole-deal").hidden = isEntered || !played?.plays_on;
  at("fault").hidden = !table;
  at("result").hidden = !tournament;
  at("also").hidden = !table || phase !== "confirmed" || !context?.from || !!reading?.draw || !!reading?.whole || !!reading?.chombo;
  if (at("draw").hidden) at("drawing").hidden = true;
  if (at("whole-deal").hidden) at("whole").hidden = true;
  drawn.follow(context ?? {});
  showPast();
  showPlay();
}

const drawn = drawing(at("drawing"), act);
const openFaulting = faulting(at("faulting"), act);
const openResulting = resulting(at("resulting"), act);
const openWhole = wholeDeal(at("whole"), async (whole) => {
  if (await act("api/whole-deal", whole, at("whole"))) at("whole").hidden = true;
});

/** Opens one of the forms, and closes the others.
 *  @param {HTMLFormElement} form
 *  @param {() => unknown} opens */
function open(form, opens) {
  for (const other of [at("drawing"), at("faulting"), at("resulting"), at("whole")]) other.hidden = true;
  opens();
  form.scrollIntoView({ block: "nearest" });
}

at("draw").onclick = () => {
  const { context, played } = current();
  if (played && asksOfDraw(played.draw)) open(at("drawing"), () => drawn.open(played.draw, context ?? {}));
  else act("api/draw");
};
at("whole-deal").onclick = () => open(at("whole"), () => {
  openWhole(current().context?.names ?? {});
  at("whole").hidden = false;
  all(at("whole"), "select")[0].focus();
});
at("fault").onclick = () => {
  const { context, played, table } = current();
  const seated = Object.fromEntries((table?.players ?? []).map(({ seat, name }) => [seat, name]));
  if (played) open(at("faulting"), () => openFaulting(played, context ?? {}, seated));
};
at("result").onclick = () => open(at("resulting"), openResulting);
