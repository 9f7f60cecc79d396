// The evening's totals: hands that are written down, draws, undoing, a file that `tilelens table import` takes.
import { amount } from "./hand.js";
import { close, earlier, evening, keep } from "./kept.js";
import { sentences, t } from "./lang.js";
import { pause } from "./once.js";
import { clear, context as chosen } from "./phone.js";
import { ask } from "./reader.js";
import { save } from "./sharing.js";
import { showTotals, ticked } from "./totals.js";
import { dealt, playedNow } from "./words.js";

const at = (id) => document.getElementById(id);
const made = (name, text = "", classes = "") => Object.assign(document.createElement(name), { textContent: text, className: classes });

let now = null;
let shown = null;
let sets = [];

const set = () => sets.find((of) => of.id === now?.context.rules);

/** After an entry nothing is entered for a moment: a second tap is meant for the first. */
const entered = pause(() => canWrite());

/** Says something below the totals; `act`, if there is one, is offered as a button. */
function say(text, act = null, wrong = true) {
  at("kept").className = wrong ? "loss" : "soft";
  at("kept").replaceChildren(text);
  if (!act) return;
  const button = Object.assign(made("button", t("Write it down all the same")), { type: "button", onclick: act });
  at("kept").append(" ", button);
}

function canWrite() {
  const { reading, context } = shown ?? {};
  const free = now && !now.table.over && !entered.lasts();
  at("write").disabled = !free || !reading?.score?.ok || context.rules !== now.context.rules;
  at("drawn").disabled = !free;
  at("undo").disabled = !now?.undo || entered.lasts();
}

async function showEarlier() {
  const all = await earlier();
  at("earlier").hidden = !all.length;
  at("earlier").querySelector("ul").replaceChildren(...all.map((one) => {
    const line = document.createElement("li");
    const names = one.table.players.map(({ name, total }) => `${name} ${amount(total)}`).join(", ");
    const button = Object.assign(made("button", t("Save as a file")), { type: "button", onclick: () => exported(one) });
    line.append(`${new Date(one.events[0].at).toLocaleString()}: ${names} `, button);
    return line;
  }));
}

function show() {
  at("sit").hidden = !!now;
  at("playing").hidden = !now;
  canWrite();
  if (!now) return;
  const { table } = now;
  at("round").textContent = `${t(table.rules_name)} · ${playedNow(table)}`;
  showTotals(table.players, [...(set()?.fields.includes("riichi") ? ["riichi"] : []), ...(set()?.draw.tenpai ? ["tenpai"] : [])]);
  at("deals").replaceChildren(...table.history.map((deal) => made("li", dealt(table, deal, { brief: true }))));
}

/** Sets the fields of the hand as the table has them. */
function sit() {
  const form = at("context").elements;
  const change = (field, value) => {
    if (!field || field.value === String(value)) return;
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  change(form.rules, now.context.rules);
  change(form.round, now.context.round);
  for (const name of ["honba", "sticks"]) change(form[name], now.context[name] || "");
}

/** Lets something happen at the table, unless it is refused or asked about. */
async function happen(happens, meant = false) {
  try {
    const answer = await ask({ ask: "evening", events: now?.events ?? [], at: new Date().toISOString(), now: happens, meant });
    if (answer.asked) {
      return say(sentences(answer.said), () => happen(happens, true));
    }
    await keep(answer);
    const isNext = !!now;
    now = answer;
    say(happens.won ? t("Written down.") : "", null, false);
    show();
    // What was said before they sat down is of the first hand.
    if (isNext) {
      shown = null;
      clear();
    } else sit();
    entered.begin();
  } catch (error) {
    say(error.message);
  }
}

function exported({ events, table }) {
  const text = `${JSON.stringify({ table, events }, null, 2)}\n`;
  save(new Blob([text], { type: "application/json" }), `tilelens-${events[0].at.slice(0, 10)}.json`);
}

at("sit").onsubmit = async (event) => {
  event.preventDefault();
  const form = event.target.elements;
  const players = ["E", "S", "W", "N"].map((wind) => form[wind].value.trim()).filter(Boolean);
  const { rules, rulings } = chosen();
  await happen({ open: { rules, rulings: rulings ?? null, players } });
};
at("write").onclick = () => {
  const { reading, context } = shown;
  const played = { ...context, riichi_by: ticked("riichi") };
  happen({ won: { context: played, hand: reading.scored_hand, payments: reading.score.payments } });
};
at("drawn").onclick = () => {
  const tenpai = set()?.draw.tenpai ? ticked("tenpai") : null;
  happen({ drawn: { riichi: ticked("riichi"), drawn: tenpai ? { tenpai } : {} } });
};
at("undo").onclick = () => happen({ undo: { event: now.undo } });
at("export").onclick = () => exported(now);
at("over").onclick = async () => {
  await close(now);
  now = null;
  show();
  showEarlier();
};
document.addEventListener("reading", ({ detail }) => {
  shown = detail;
  canWrite();
});
document.addEventListener("cleared", () => now && sit());
at("rules").addEventListener("change", () => localStorage.setItem("rules", at("rules").value));

// The rules of the evening are chosen before the first hand.
at("context").hidden = false;
({ rules: sets } = await ask({ ask: "rules" }));
try {
  now = (await evening()) ?? null;
  await showEarlier();
} catch (error) {
  at("sit").hidden = true;
  at("playing").hidden = false;
  say(error.message);
}
if (now || !at("kept").textContent) show();
document.body.dataset.ready = "yes";
