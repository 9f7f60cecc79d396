// The overlay: a function of the state, shown `?delay=` seconds late.
import { amount, drawn, inOrder, sign, waiting } from "./hand.js";
import { follow } from "./link.js";
import { players } from "./players.js";

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

function showScore(reading, score) {
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
  const small = document.createElement("small");
  small.textContent = score.points === undefined ? "" : `${amount(score.points)} points · ${amount(score.faan)} ${items[0]?.unit || ""}`;
  at("total").append(amount(score.score), small);
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

/** What is paid for the hand, or else how the players stand. */
function showPayments({ context, score, standings }) {
  const names = context.names || {};
  const seats = inOrder(score ? score.payments : standings);
  at("payments").hidden = !seats.length;
  at("payments").replaceChildren(
    ...seats.map(([seat, paid]) => {
      const row = document.createElement("div");
      const [name, value] = [document.createElement("span"), document.createElement("b")];
      name.textContent = names[seat] ? `${seat} ${names[seat]}` : seat;
      name.className = score && seat === context.seat ? "winner" : "";
      value.textContent = amount(paid, !!score);
      if (score) value.className = sign(paid);
      row.append(name, value);
      return row;
    }),
  );
}

function show(state) {
  const { reading, context = {}, phase, table } = state;
  // What a lost camera last saw, or has not seen for a while, is no longer known to lie there.
  const hand = phase === "rejected" || state.stale ? null : reading?.hand;
  const seats = Object.fromEntries(Object.entries(state.seats || {}).filter(([, seat]) => !seat.stale));
  // What the operator tries out, or the ledger has refused or no longer has, is not for viewers.
  const score = hand && phase === "confirmed" && reading.score?.ok ? reading.score : null;
  const doubtful = hand && state.doubtful;
  // While a confirmed hand is on show the winds are those of its deal; the table has gone on.
  const winds = phase === "confirmed" || state.also ? table?.last_deal?.seats : null;
  const standings = Object.fromEntries((table?.players || []).map((player, place) => [winds?.[place] || player.seat, player.standing]));
  const what = JSON.stringify([hand?.text, score, doubtful, context, reading?.waits, phase, standings, layout === "table" && seats]);
  if (what === shown) return; // nothing that is to be seen has changed: no item appears anew
  shown = what;
  showScore(reading, score);
  if (layout === "table") at("players").replaceChildren(...players({ seats, context, hand, score, doubtful, standings, waits: reading?.waits }));
  else {
    showHand({ reading, context, hand, score, doubtful });
    showPayments({ context, score, standings });
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
