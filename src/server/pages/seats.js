// The page of a table's players: an entry is pending until another player of the table has confirmed it.
import { amount, drawn, sign } from "./hand.js";
import { sitDown } from "./fields.js";
import { startAgain, wonDeal } from "./fourhands.js";
import { clockNow, eachSecond } from "./hall.js";
import { at, button, fieldsOf, made, lines, one, say as sayIn, shape, target } from "./kit.js";
import { sentences, t } from "./lang.js";
import { follow, get, send } from "./link.js";
import { pause } from "./once.js";
import { again, clear, context } from "./phone.js";
import { wholeDeal } from "./wholedeal.js";
import { draw, forget, isDraw, isSaid, riichi, showDeal, soFar } from "./winner.js";
import { changes, dealt, isolated, playedNow, satIn } from "./words.js";

const number = Number(location.pathname.split("/").pop());
const here = `api/table/${number}`;

/** This phone's name, so that an entry is not confirmed on the phone that made it. */
const device = (localStorage.device ||= [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join(""));

/** @type {Seats | null} */
let now = null;
/** @type {Shown | null} */
let shown = null;
/** @type {RuleSet[]} */
let sets = [];
let last = { text: "", id: "" };

const players = () => now?.table?.players ?? [];
const me = () => players().findIndex(({ name }) => name === localStorage[`player ${number}`]);
const set = () => sets.find((of) => of.id === now?.table?.rules);

/** After an entry nothing is entered for a moment: a second tap is meant for the first. */
const entered = pause(() => showAgain());

/** Says something below the totals; `again`, if there is one, is offered as a button.
 *  @type {(text: string, again?: (() => unknown) | null, wrong?: boolean) => void} */
const say = (text, again = null, wrong = true) => sayIn(at("said"), text, { wrong, again, label: t("Enter it all the same") });

/** A repeated request keeps its name, so that it is entered once after a lost answer. @param {object} words */
function named(words) {
  const text = JSON.stringify(words);
  if (last.text !== text) last = { text, id: `${device}-${Date.now()}` };
  return last.id;
}

/** @param {string} path
 *  @param {object} words */
async function tell(path, words) {
  const answer = await send(`${here}/${path}`, { by: me(), device, ...words }, AbortSignal.timeout(PATIENCE));
  last = { text: "", id: "" };
  show(answer);
  entered.begin();
}

/** For how long an answer is waited for, and after which an entry is sent again, in milliseconds. */
const PATIENCE = 5000;

/** The entry that the server has not answered yet: it outlives the page, and is sent under one name until it is answered. */
const kept = {
  key: `entry ${number}`,
  get: () => JSON.parse(localStorage[kept.key] ?? "null"),
  /** @param {object | null} entry */
  set: (entry) => {
    if (entry) localStorage[kept.key] = JSON.stringify(entry);
    else delete localStorage[kept.key];
    canWrite();
  },
};

/** @param {object} happens
 *  @param {boolean} [meant] */
async function enter(happens, meant = false) {
  if (now?.table) await hand({ id: named(happens), after: now.table.last_event, now: happens, meant });
}

/** Hands an entry to the server, which takes it once however often it comes.
 *  @param {{ id: string, after: number, now: object, meant: boolean }} entry */
async function hand(entry) {
  kept.set(entry);
  try {
    await tell("enter", entry);
    kept.set(null);
    say(now?.waiting ? "" : t("Written down."), null, false);
  } catch (error) {
    if (error.body) kept.set(null);
    const asked = error.body?.asked;
    if (asked) say(sentences(asked.said), () => enter(entry.now, true));
    else if (error.body) say(error.message);
    else sayIn(at("said"), t("Kept on this phone: it is sent when the server answers."), { label: t("Stop sending it"), again: () => (kept.set(null), say("")) });
  }
}

/** @param {string} path
 *  @param {string} id */
async function answer(path, id) {
  try {
    await tell(path, { id });
    say(path === "confirm" ? t("Written down.") : "", null, false);
  } catch (error) {
    say(error.message);
    show(await get(here));
  }
}

/** The tiles of a deal's winners.
 *  @param {WholeTable} table
 *  @param {Deal} deal */
const tiles = (table, deal) => deal.winners.flatMap(({ player, hand }) => (hand ? [drawn(hand, { winner: deal.seats[player], context: satIn(table, deal) })] : []));

/** Each player's payment, by name. @param {Deal} deal */
function pay(deal) {
  return made("div", "pay", ...changes(deal).map((paid, player) =>
    made("span", sign(paid), made("small", "", players()[player].name), amount(paid, true))));
}

/** The entry that waits for another player, and what this one may do about it. @param {Seats} seats */
function showWaiting({ apart, waiting, table }) {
  at("waits").hidden = !waiting;
  if (!waiting || !table) return at("waits").replaceChildren();
  const name = isolated(players()[waiting.by]?.name ?? "");
  const mine = waiting.by === me();
  /** @param {string} text
   *  @param {string} path
   *  @param {string} [classes] */
  const choice = (text, path, classes = "") => Object.assign(button(text, () => answer(path, waiting.id), classes), { disabled: entered.lasts() });
  const how = waiting.stale ? t("The table has changed since: enter it again.")
    : mine ? t("Another player confirms it on another phone.")
    : waiting.device === device ? t("It was entered on this phone: confirm it on another one.") : "";
  const choices = [...(how || apart ? [] : [choice(t("Confirm"), "confirm", "main")]), choice(mine || waiting.stale ? t("Take it away") : t("Not so"), "refuse")];
  const deal = waiting.undoes ?? waiting.deal;
  at("waits").replaceChildren(
    made("h3", "", waiting.undoes ? t("{name} wants to take back:", { name }) : t("{name} has entered:", { name })),
    ...(deal ? [made("p", "", dealt(table, deal, { brief: true })), ...tiles(table, deal), ...(waiting.undoes ? [] : [pay(deal)])] : []),
    ...(how ? [made("p", "soft", how)] : []),
    made("div", "row", ...choices),
  );
}

/** The chart's width, and where the names begin beside it. */
const CHART = { wide: 320, names: 245 };

/** Totals after each deal, a line for each player. @param {Deal[]} history */
function showChart(history) {
  at("chart").toggleAttribute("hidden", history.length < 2);
  if (history.length < 2) return;
  /** @param {string} text */
  const value = (text) => text.split("/").map(Number).reduce((over, under) => over / under);
  const rows = history.map((deal) => deal.totals.map(value));
  const before = rows[0].map((total, player) => total - value(changes(history[0])[player]));
  rows.unshift(before);
  const [low, high] = [Math.min(...rows.flat()), Math.max(...rows.flat())];
  /** @type {((of: number) => number)[]} */
  const [x, y] = [(deal) => (240 * deal) / (rows.length - 1), (total) => 112 - (104 * (total - low)) / (high - low || 1)];
  const ends = rows[rows.length - 1].map((total, player) => ({ player, y: y(total) })).sort((one, other) => one.y - other.y);
  // Names do not overlap.
  ends.forEach((end, place) => (end.y = Math.max(end.y, (ends[place - 1]?.y ?? -10) + 10)));
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

/** What is entered by the one button: a draw, a worth that is typed, or the hand that was photographed. */
function happened() {
  const [declared, worth] = [riichi(), at("worth").value.trim()];
  if (isDraw()) return { drawn: { riichi: declared, drawn: draw() } };
  if (!isSaid()) return null;
  if (scoresAll()) {
    const won = wonDeal(context());
    return won && { won };
  }
  if (worth) return { won: { context: { ...context(), worth, riichi_by: declared } } };
  if (!shown?.reading?.score?.ok || shown.context.rules !== now?.table?.rules) return null;
  const { reading, context: played } = shown;
  return { won: { context: { ...played, riichi_by: declared }, hand: reading.scored_hand, payments: reading.score?.payments } };
}

/** Whether the rules score every hand. */
const scoresAll = () => !!set()?.fields.includes("others");

function canWrite() {
  const table = me() >= 0 && !now?.apart && !now?.waiting ? now?.table : null;
  const takes = !!table && !table.over;
  const whole = !!set()?.plays_on;
  at("whole").hidden = !takes || !whole;
  for (const part of [at("deal"), at("entry")]) part.hidden = !takes || whole;
  at("sums").hidden = takes && !whole; // otherwise they stand beside the names
  for (const part of [at("pickers"), at("status"), at("facts")]) part.hidden = !takes || isDraw();
  at("four").hidden = !takes || isDraw() || !scoresAll();
  at("write").disabled = !takes || entered.lasts() || !!kept.get() || !happened();
  // A photo that shows a hand is what is asked for; the worth can be typed in its place.
  const place = shown?.reading.hand ? at("facts") : at("deal");
  if (at("worth-label").parentElement !== place) place.append(at("worth-label"));
  at("undo").disabled = !table || entered.lasts() || !!kept.get() || !now?.undo;
  const isKnown = scoresAll() ? !!happened() : shown?.reading.hand || at("worth").value.trim();
  const lacks = isSaid() && !isDraw() && !isKnown;
  at("so-far").textContent = lacks ? `${soFar()} · ${t("take a photo, or type the worth")}` : soFar();
}

function tickClock() {
  const clock = now?.table?.clock;
  const part = clock ? ` · ${clockNow(clock).says}` : "";
  at("now").textContent = now?.table ? `${playedNow(now.table)}${part}` : t("This table is not open yet: it opens with its round.");
}

/** Sets the fields of the next hand as the table has them. */
const sit = () => now && sitDown(at("context"), now.context);

/** @param {Seats} state */
function show(state) {
  const [before, deals] = [now?.table?.last_event, now?.table?.history.length];
  now = state;
  const { table } = now;
  at("table-title").textContent = t("Table {number}", { number });
  tickClock();
  at("unsent").hidden = !now.unsent;
  at("apart").hidden = !now.apart;
  at("who").hidden = !table || me() >= 0;
  at("rest").hidden = !table || me() < 0;
  if (!table) return;
  one(at("who"), "div").replaceChildren(...players().map(({ name, seat }) => {
    const choice = button("", () => {
      localStorage[`player ${number}`] = name;
      showAgain();
    });
    choice.append(`${t(seat)} `, made("bdi", "", name));
    return choice;
  }));
  if (before !== table.last_event) {
    forget(); // what was ticked is of one deal
    another(Object.fromEntries(players().map(({ seat, name }) => [seat, name])));
  }
  showDeal(table, set());
  at("sums").textContent = players().map(({ name, total }) => `${isolated(name)} ${amount(total)}`).join(" · ");
  at("deals").replaceChildren(...lines("li", table.history.map((deal) => dealt(table, deal, { brief: true }))));
  at("asked").replaceChildren(...lines("li", now.asked.map(({ by, text }) => `${isolated(by)}: ${text}`)));
  at("me").textContent = [me() >= 0 ? t("You are {name}.", { name: isolated(players()[me()].name) }) : "", t(table.rules_name)].filter(Boolean).join(" · ");
  showWaiting(state);
  showChart(table.history);
  canWrite();
  if (before === table.last_event) return;
  // What was said and asked was about the table as it was.
  if (at("said").querySelector("button")) say(t("The table has changed since: enter it again."));
  else if (before !== undefined) say("");
  if (before !== undefined && deals !== table.history.length) {
    shown = null;
    at("worth").value = "";
    startAgain();
    clear();
  } else sit();
}

/** Shows the state again: who looks at it, or what may be entered, has changed. */
const showAgain = () => now && show(now);

const another = wholeDeal(at("whole"), (whole) => enter({ whole }));
/** Reads the photo as the hand of the win that is being entered, and fills in its fan. */
function countPhoto() {
  const { kind, who, from, fan } = fieldsOf(at("whole"));
  const { seat, how } = fieldsOf(at("context"));
  if (!set()?.plays_on || !shown || kind.value !== "win") return;
  const by = [...how.options].some(({ value }) => value === from.value) ? from.value : how.value;
  if (seat.value !== who.value || how.value !== by) {
    [seat.value, how.value] = [who.value, by];
    again();
  } else if (shown.reading.score?.ok) fan.value = shown.reading.score.faan ?? "";
}
at("whole").onchange = (event) => ["kind", "who", "from"].includes(target(event).name) && countPhoto();
at("write").onclick = () => {
  const happens = happened();
  if (happens) enter(happens);
};
at("undo").onclick = () => enter({ undo: { event: now?.undo } });
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
at("worth").oninput = canWrite;
document.addEventListener("said", canWrite);
at("other").onclick = () => {
  delete localStorage[`player ${number}`];
  showAgain();
};
document.addEventListener("reading", (event) => {
  shown = /** @type {CustomEvent<Shown>} */ (event).detail;
  countPhoto();
  canWrite();
});
document.addEventListener("cleared", () => now?.table && sit());

// The fields of the hand fold, and what is needed less often comes after it.
at("facts").append(at("context"));
at("rest").append(at("buttons"));
at("doubts").after(at("facts"));
one(document, "main").append(at("rest"), at("entry"));

({ rules: sets } = await get("api/rules"));
follow(show, (there) => {
  at("lost-touch").hidden = there;
  if (there && at("said").matches(".loss") && !kept.get()) say("");
}, `${here}/socket`);
setInterval(() => me() >= 0 && kept.get() && hand(kept.get()), PATIENCE);
eachSecond(tickClock);
document.body.dataset.ready = "yes";
