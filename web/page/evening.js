// The evening's totals: hands that are written down, draws, undoing, a file that `tilelens table import` takes.
import { sitDown } from "./fields.js";
import { startAgain, wonDeal } from "./fourhands.js";
import { WINDS, amount } from "./hand.js";
import { close, earlier, evening, keep } from "./kept.js";
import { at, button, fieldsOf, lines, made, one, say as sayIn } from "./kit.js";
import { sentences, t } from "./lang.js";
import { pause } from "./once.js";
import { clear, context as chosen } from "./phone.js";
import { ask } from "./reader.js";
import { save } from "./sharing.js";
import { showTotals, ticked } from "./totals.js";
import { wholeDeal } from "./wholedeal.js";
import { dealt, playedNow } from "./words.js";


/** @type {Evening | null} */
let now = null;
/** @type {Shown | null} */
let shown = null;
/** @type {RuleSet[]} */
let sets = [];

const set = () => sets.find((of) => of.id === now?.context.rules);

/** After an entry nothing is entered for a moment: a second tap is meant for the first. */
const entered = pause(() => canWrite());

/** Says something below the totals; `again`, if there is one, is offered as a button.
 *  @type {(text: string, again?: (() => unknown) | null, wrong?: boolean) => void} */
const say = (text, again = null, wrong = true) => sayIn(at("kept"), text, { wrong, again, label: t("Write it down all the same") });

/** The deal that was won: the hand that was read, or all hands where the rules score them; null until it is known. */
function won() {
  if (set()?.fields.includes("others")) return wonDeal(chosen());
  const { score, scored_hand: hand } = shown?.reading ?? {};
  return shown && score?.ok ? { context: shown.context, hand, payments: score.payments } : null;
}

function canWrite() {
  const free = !!now && !now.table.over && !entered.lasts();
  at("write").disabled = !free || won()?.context.rules !== now?.context.rules;
  at("drawn").disabled = !free;
  at("whole").hidden = !free || !set()?.plays_on;
  for (const part of [at("write"), at("drawn")]) part.hidden = !!set()?.plays_on;
  at("undo").disabled = !now?.undo || entered.lasts();
}

async function showEarlier() {
  const all = await earlier();
  at("earlier").hidden = !all.length;
  one(at("earlier"), "ul").replaceChildren(...all.map((one) => {
    const names = one.table.players.map(({ name, total }) => `${name} ${amount(total)}`).join(", ");
    return made("li", "", `${new Date(one.events[0].at).toLocaleString()}: ${names} `, button(t("Save as a file"), () => exported(one)));
  }));
}

function show() {
  at("sit").hidden = !!now;
  at("playing").hidden = !now;
  canWrite();
  if (!now) return;
  const { context, table } = now;
  another(context.names ?? {});
  at("round").textContent = `${t(table.rules_name)} · ${playedNow(table)}`;
  showTotals(table.players, [...(set()?.fields.includes("riichi") ? ["riichi"] : []), ...(set()?.draw.tenpai ? ["tenpai"] : [])]);
  at("deals").replaceChildren(...lines("li", table.history.map((deal) => dealt(table, deal, { brief: true }))));
}

/** Sets the fields of the hand as the table has them. */
const sit = () => now && sitDown(at("context"), now.context);

/** Lets something happen at the table, unless it is refused or asked about.
 *  @param {Record<string, any>} happens
 *  @param {boolean} [meant]
 *  @returns {Promise<void>} */
async function happen(happens, meant = false) {
  try {
    const answer = await ask({ ask: "evening", events: now?.events ?? [], at: new Date().toISOString(), now: happens, meant });
    if (answer.asked) {
      return say(sentences(answer.said), () => happen(happens, true));
    }
    await keep(answer);
    const isNext = !!now;
    now = answer;
    say(happens.won || happens.whole ? t("Written down.") : "", null, false);
    show();
    // What was said before they sat down is of the first hand.
    if (isNext) {
      shown = null;
      startAgain();
      clear();
    } else sit();
    entered.begin();
  } catch (error) {
    say(error.message);
  }
}

/** @param {Evening} evening */
function exported({ events, table }) {
  const text = `${JSON.stringify({ table, events }, null, 2)}\n`;
  save(new Blob([text], { type: "application/json" }), `tilelens-${events[0].at.slice(0, 10)}.json`);
}

at("sit").onsubmit = async (event) => {
  event.preventDefault();
  const form = fieldsOf(at("sit"));
  const players = WINDS.map((wind) => form[wind].value.trim()).filter(Boolean);
  const { rules, rulings } = chosen();
  await happen({ open: { rules, rulings: rulings ?? null, players } });
};
const another = wholeDeal(at("whole"), (whole) => happen({ whole }));
at("write").onclick = () => {
  const deal = won();
  if (deal) happen({ won: { ...deal, context: { ...deal.context, riichi_by: ticked("riichi") } } });
};
at("drawn").onclick = () => {
  const tenpai = set()?.draw.tenpai ? ticked("tenpai") : null;
  happen({ drawn: { riichi: ticked("riichi"), drawn: tenpai ? { tenpai } : {} } });
};
at("undo").onclick = () => happen({ undo: { event: now?.undo } });
at("export").onclick = () => now && exported(now);
at("over").onclick = async () => {
  if (now) await close(now);
  now = null;
  show();
  showEarlier();
};
document.addEventListener("reading", (event) => {
  shown = /** @type {CustomEvent<Shown>} */ (event).detail;
  canWrite();
});
document.addEventListener("said", canWrite);
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
