// The overlay: a function of the state, shown `?delay=` seconds late.
import { amount, drawn, inOrder, sign, waiting } from "./hand.js";
import { follow } from "./link.js";
import { players } from "./players.js";
import { beside, changes, dealt, leftover, placed, playedNow, withoutWinner, worth } from "./words.js";

const asked = new URLSearchParams(location.search);
const delay = Math.max(0, Math.min(600, Number(asked.get("delay")) || 0)) * 1000;
const layout = asked.get("layout") === "table" ? "table" : "hand";
document.documentElement.dataset.theme = asked.get("theme") || "dark";
document.documentElement.dataset.layout = layout;

const at = (id) => document.getElementById(id);
// The server does not answer: what it last showed is in doubt after this time, and gone after that.
const DOUBT = 1000;
const CUT = 5000;
let shown = "";

function showScore(reading, score, win) {
  at("score-panel").hidden = !score;
  at("rules").textContent = reading?.rules_name || "";
  const items = score?.items || [];
  at("items").replaceChildren(
    ...items.map((item, place) => {
      const row = document.createElement("tr");
      row.style.animationDelay = `${place * 0.35}s`;
      const [name, value] = [document.createElement("td"), document.createElement("td")];
      name.textContent = reading.item_names?.[item.id] || item.id;
      value.textContent = amount(item.value);
      row.append(name, value);
      return row;
    }),
  );
  at("total").replaceChildren();
  if (!score) return;
  const { unit, terms } = reading;
  const [first, rest] = worth({ score, unit, terms, win });
  at("total").append(first, ...[rest, ...beside(score, unit)].filter(Boolean).map((text) => Object.assign(document.createElement("small"), { textContent: text })));
}

function showHand({ reading, context, hand, score, doubtful }) {
  at("hand-panel").hidden = !hand;
  at("hand-panel").classList.toggle("doubtful", !!doubtful);
  if (!hand) return;
  const names = context.names || {};
  at("title").textContent = context.title || (score && names[context.seat]) || "";
  at("hand").replaceChildren(drawn(hand.text, { winner: context.seat, context, names }));
  at("waits").replaceChildren(...waiting(reading.waits));
}

/** What is paid for the deal, or else how the players stand. */
function showPayments({ context, score, paid, standings }) {
  const names = context.names || {};
  const seats = inOrder(paid || standings);
  at("payments").hidden = !seats.length;
  at("payments").classList.toggle("noted", !paid && seats.some(([, { place, riichi }]) => place || riichi));
  at("payments").replaceChildren(
    ...seats.map(([seat, { standing, place, riichi } = {}]) => {
      const row = document.createElement("div");
      const [name, value, note] = ["span", "b", "small"].map((kind) => document.createElement(kind));
      name.textContent = names[seat] ? `${seat} ${names[seat]}` : seat;
      name.className = score && seat === context.seat ? "winner" : "";
      value.textContent = paid ? amount(paid[seat], true) : amount(standing);
      if (paid) value.className = sign(paid[seat]);
      note.textContent = paid ? "" : place || riichi || "";
      row.append(name, value, note);
      return row;
    }),
  );
}

/** What is played, what lies on the table, and how a deal ended that nobody won. */
function showRound(table, deal) {
  at("round").hidden = !table;
  if (!table) return;
  const lines = [playedNow(table), ...(table.over ? [leftover(table)] : []), ...(deal ? [dealt(table, deal)] : [])];
  at("round").replaceChildren(...lines.filter(Boolean).map((text) => Object.assign(document.createElement("p"), { textContent: text })));
}

function show(state) {
  const { reading, context = {}, phase, table } = state;
  // What a lost camera last saw, or has not seen for a while, is no longer known to lie there.
  const hand = phase === "rejected" || state.stale ? null : reading?.hand;
  const seats = Object.fromEntries(Object.entries(state.seats || {}).filter(([, seat]) => !seat.stale));
  // What the operator tries out, or the ledger has refused or no longer has, is not for viewers.
  // A worth that was typed is one without a hand; payments that were are paid for no score.
  const scored = hand || reading?.hand === null ? reading.score : null;
  const score = phase === "confirmed" && scored?.ok && scored.faan !== undefined ? scored : null;
  const doubtful = hand && state.doubtful;
  // While a confirmed hand is on show the winds are those of its deal; the table has gone on.
  const ended = phase === "confirmed" ? table?.last_deal : null;
  const winds = phase === "confirmed" || state.also ? table?.last_deal?.seats : null;
  const windOf = (player, place) => winds?.[place] || player.seat;
  const standings = Object.fromEntries((table?.players || []).map((player, place) => {
    const riichi = !winds && context.riichi_by?.includes(player.seat) ? "riichi" : "";
    return [windOf(player, place), { standing: player.standing, place: placed(player), riichi }];
  }));
  // Of several winners the hand that is on show is paid for; else all that the deal brought, sticks too.
  const whole = ended && ended.winners.length < 2 ? changes(ended) : null;
  const paid = whole?.some((of) => of !== "0")
    ? Object.fromEntries(table.players.map((player, place) => [windOf(player, place), whole[place]])) : score?.payments;
  const unwon = ended && withoutWinner(table, ended) ? ended : null;
  const what = JSON.stringify([
    hand?.text, score, doubtful, context, reading?.waits, phase, standings, paid, unwon,
    table && [playedNow(table), leftover(table)], layout === "table" && seats,
  ]);
  if (what === shown) return; // nothing that is to be seen has changed: no item appears anew
  shown = what;
  showScore(reading, score, context.win);
  showRound(table, unwon);
  if (layout === "table") at("players").replaceChildren(...players({ seats, context, hand, score, paid, doubtful, standings, waits: reading?.waits }));
  else {
    showHand({ reading, context, hand, score, doubtful });
    showPayments({ context, score, paid, standings });
  }
}

let last = {};
let cut = []; // the server does not answer: what it last said of the table is no longer known to lie there

/** Shows what the server last said, with the mark of what is no longer known. */
function unsure(mark) {
  const seats = Object.fromEntries(Object.entries(last.seats || {}).map(([wind, seat]) => [wind, { ...seat, ...mark }]));
  const watching = last.phase === "watching" && last.photo === null;
  show({ ...last, ...(watching && mark), seats });
}

follow(
  (state) => setTimeout(() => show((last = state)), delay),
  (connected) => {
    if (connected) {
      for (const timer of cut) clearTimeout(timer);
      cut = [];
    } else if (!cut.length) cut = [setTimeout(unsure, DOUBT + delay, { doubtful: true }), setTimeout(unsure, CUT + delay, { stale: true })];
  },
);
