// The overlay: a function of the state, shown `?delay=` seconds late.
import { amount, drawn, inOrder, sign, tile } from "./hand.js";
import { follow } from "./link.js";

const asked = new URLSearchParams(location.search);
const delay = Math.max(0, Math.min(600, Number(asked.get("delay")) || 0)) * 1000;
document.documentElement.dataset.theme = asked.get("theme") || "dark";
document.documentElement.dataset.layout = asked.get("layout") || "hand";

const at = (id) => document.getElementById(id);
let shown = "";

function show(state) {
  const { reading, context = {}, phase } = state;
  const hand = reading?.hand;
  at("stage").hidden = !hand || phase === "rejected";
  if (!hand) {
    shown = "";
    return;
  }
  const score = reading.score?.ok ? reading.score : null;
  const what = JSON.stringify([hand.text, score, context, reading.waits, phase, state.table?.last_event]);
  if (what === shown) return; // nothing that is to be seen has changed: no item appears anew
  shown = what;
  const names = context.names || {};
  const winner = context.win ? context.seat : null;
  at("title").textContent = context.title || (winner && names[winner]) || "";
  at("hand").replaceChildren(drawn(hand.text, { winner: context.seat, names }));
  const waits = (reading.waits || []).filter((wait) => wait.unseen > 0);
  at("waits").replaceChildren(...(waits.length ? ["waiting for", ...waits.map((wait) => tile(wait.tile))] : []));

  at("score-panel").classList.toggle("empty", !score);
  at("rules").textContent = reading.rules_name || "";
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
  if (score) {
    const small = document.createElement("small");
    small.textContent = score.points === undefined ? "" : `${amount(score.points)} points · ${amount(score.faan)} ${items[0]?.unit || ""}`;
    at("total").append(amount(score.score), small);
  }
  const totals = Object.fromEntries((state.table?.players || []).map((player) => [player.seat, player.standing]));
  const seats = inOrder(score ? score.payments : totals);
  at("payments").replaceChildren(
    ...seats.map(([seat, paid]) => {
      const row = document.createElement("div");
      const [name, value] = [document.createElement("span"), document.createElement("b")];
      name.textContent = names[seat] ? `${seat} ${names[seat]}` : seat;
      name.className = seat === winner ? "winner" : "";
      value.textContent = amount(paid, !!score);
      if (score) value.className = sign(paid);
      row.append(name, value);
      return row;
    }),
  );
}

follow((state) => (delay ? setTimeout(() => show(state), delay) : show(state)));
