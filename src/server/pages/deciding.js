// The operator's decisions on their way to the server, one after the other. A refusal or a question stands beside what caused
// it, and goes when its cause goes. Without the server no decision is taken, and none is kept for later.
import { unfold } from "./folds.js";
import { amount } from "./hand.js";
import { at, button, fieldsOf, focused, made, one, target } from "./kit.js";
import { said, t } from "./lang.js";
import { send } from "./link.js";
import { DEAF } from "./once.js";
import { capital, inDeal } from "./words.js";

const ANSWERS = ["Enter", " ", "Escape"];
/** An answer that takes longer is waited for: nothing more is taken meanwhile. */
const SLOW = 1000;
/** Nobody expects a decision any more that has waited longer for its turn. */
const LATE = 2000;
/** States that belong to a refusal may come after it. */
const SETTLES = 300;

/** Fields that are typed into or chosen from. */
export const FIELD = "select, input[type=text], input[type=number]";
/** The fields one of which gives a won deal in place of a picture. @type {("worth" | "hand" | "payments")[]} */
export const TYPED = ["worth", "hand", "payments"];


/** What a decision depends on. @param {State} state */
const causes = ({ phase, context, amends, also, photo, undoes, table, reading }) => JSON.stringify([
  phase, context, amends, also, photo, undoes?.decision, table?.last_event, reading?.hand?.text, reading?.score?.ok,
]);

let there = false; // the server answers
/** @type {State} */
let state = {};
let deafUntil = 0;
let rejected = () => {}; // shows the state again in place of what was rejected

/** A key that has just answered a question, or is held down, presses nothing else. @param {KeyboardEvent} event */
function onlyOnce(event) {
  const typed = target(event).matches(FIELD);
  if (typed || !ANSWERS.includes(event.key) || !(event.repeat || performance.now() < deafUntil)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

const isAnswered = () => (deafUntil = performance.now() + DEAF);

/** @type {Promise<any>} */
let queue = Promise.resolve();
let turns = 0; // a change drops what waits for its turn
/** @type {number | null} */
let began = null; // when the request that is on its way was sent
let stop = new AbortController();

/** Whether decisions are taken. */
export const takes = () => there && (began === null || performance.now() - began < SLOW);

/** Requests are sent one after the other, so that a later one does not overtake an earlier one; null where one is not sent.
 *  @param {(signal: AbortSignal) => Promise<any>} work
 *  @returns {Promise<any>} */
export function inTurn(work) {
  if (!takes()) return Promise.resolve(null);
  const [turn, asked] = [turns, performance.now()];
  const run = async () => {
    if (turn !== turns) return null;
    if (performance.now() - asked > LATE) {
      turns += 1;
      tell(t("The server was slow: what was pressed meanwhile is not done."));
      return null;
    }
    began = performance.now();
    const slow = setTimeout(showLink, SLOW);
    try {
      return await work(stop.signal);
    } finally {
      began = null;
      clearTimeout(slow);
      showLink();
    }
  };
  return (queue = queue.then(run));
}

function showLink() {
  at("link").textContent = !there ? t("Not connected: no key and no button does anything. Trying again …") : takes() ? "" : t("Waiting for the server …");
}

/** Follows whether the server is connected. @param {boolean} is */
export function connected(is) {
  there = is;
  if (!is) {
    turns += 1;
    stop.abort();
    stop = new AbortController();
    clear();
  }
  for (const part of [one(document, "main"), at("foot")]) part.inert = !is;
  showLink();
}

/** @type {string | null} */
let standing = null; // what a refusal or a question depended on
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;
/** @type {{ path: string, words: any } | null} */
let asking = null; // the request that is asked about
/** @type {HTMLElement | null} */
let about = null; // the element that a refusal is about

/** Takes refusals and questions away. */
function clear() {
  clearTimeout(settling);
  standing = asking = about = null;
  at("error").textContent = "";
  at("asked").hidden = true;
  at("asked").replaceChildren();
  at("foot").prepend(at("error"), at("asked"));
}

/** From now on the refusal or question stands as long as what it depends on. */
function stands() {
  clearTimeout(settling);
  standing = null;
  settling = setTimeout(() => (standing = causes(state)), SETTLES);
}

/** Says something at the foot of the page. @param {string} text */
function tell(text) {
  clear();
  at("error").textContent = text;
  stands();
}

let takenBack = -DEAF; // when somebody else took a decision back
/** @type {number | null} */
let own = null; // the decision that was last taken back here

/** The state that decisions are about. */
export const current = () => state;

/** Takes in a new state. @param {State} now */
export function follows(now) {
  const [was, is] = [state.undoes?.decision ?? 0, now.undoes?.decision ?? 0];
  const elsewhere = is < was && was !== own;
  if (elsewhere) takenBack = performance.now();
  const other = now.table?.last_event !== state.table?.last_event;
  state = now;
  const isUndo = asking?.path === "api/undo";
  const settled = isUndo ? asking?.words.decision !== is : other || (standing !== null && standing !== causes(now));
  if (asking && settled) {
    tell(isUndo ? t("Already taken back.") : t("It has changed meanwhile: nothing is done."));
    isAnswered();
  } else if (!asking && standing !== null && standing !== causes(now)) clear();
}

/** Takes the decision back that the page shows as the last one. */
export function undo() {
  if (performance.now() - takenBack < DEAF) return tell(t("Already taken back."));
  return act("api/undo", () => ({ decision: state.undoes?.decision ?? null }));
}

/** @type {[string[], string][]} */
const FACTS = [
  [["hand", "worth", "payments"], t("what is typed")], [["win", "from"], t("how it was won")], [["seat"], t("who won")],
  [["names"], t("the names")], [["riichi_by"], t("who declared riichi")], [["rules", "rulings"], t("the rules")],
];

/** The decision that undo takes back, in few words.
 *  @param {Undoable | null | undefined} undoes
 *  @returns {string} */
export function undone(undoes) {
  if (!undoes) return "";
  const { what, deal, tile: code, fields = [] } = undoes;
  return {
    confirm: deal ? inDeal(deal) : t("the confirmed hand"),
    write: t("what was written last"),
    next: t("on to the next hand"),
    reject: t("the rejection"),
    photo: t("the photo on show"),
    also: t("another winner"),
    amend: t("a deal taken up again"),
    correct: code ? t("a tile is {code}", { code }) : t("a tile as it was read"),
    tell: FACTS.find(([names]) => names.some((name) => fields.includes(name)))?.[1] ?? fields[0]?.replaceAll("_", " ") ?? "",
  }[what] ?? "";
}

/** Sends a request, whose words may depend on the state in which it is sent; returns the answer, or null after a refusal, which
 *  is shown beside the field, form or button that caused it; a question with its answers.
 *  @type {Act} */
export const act = (path, words, cause = at("buttons")) => inTurn(async (signal) => {
  const sent = typeof words === "function" ? words() : words;
  try {
    clear();
    if (path === "api/undo") own = sent.decision;
    const answer = await send(path, sent, signal);
    if (cause.matches("form.entry")) isAnswered();
    return answer;
  } catch (error) {
    own = null;
    if (error.name === "AbortError") return null;
    if (error.body?.asked) ask(error.body.asked, path, sent, cause);
    else refuse(error, cause);
    stands();
    return null;
  }
});

/** @param {{ message: string, body?: Refusal }} error
 *  @param {HTMLElement} cause */
function refuse({ message, body }, cause) {
  const own = /** @type {Field} */ ((body?.field && cause instanceof HTMLFormElement && fieldsOf(cause)[body.field]) || cause);
  const field = own.closest("#said") || own.closest("label, fieldset") || own;
  about = own;
  unfold(own);
  if (own.matches("form")) own.append(at("error"));
  else if (field !== at("buttons")) field.after(at("error"));
  at("error").textContent = message;
  if (own !== cause || own.closest("#said")) own.focus(); // to correct it there
  else {
    focused().blur();
    rejected();
  }
}

/** Asks for confirmation beside the element that caused it.
 *  @param {Asked} asked
 *  @param {string} path
 *  @param {object} words
 *  @param {HTMLElement} cause */
function ask({ said: doubts, totals, problems }, path, words, cause) {
  const asked = at("asked");
  const rows = totals.map(({ name, before, after }) =>
    made("tr", before === after ? "" : "moved", made("th", "", name), made("td", "", amount(before)), made("td", "", "→"), made("td", "", amount(after))));
  /** @param {() => unknown} answer */
  const answered = (answer) => (/** @type {MouseEvent} */ { detail }) => {
    if (!detail) isAnswered(); // by a key
    clear();
    return answer();
  };
  const meant = button(path === "api/undo" ? t("Undo it") : totals.length ? t("Write it") : t("It is meant"), answered(async () => {
    if ((await act(path, { ...words, meant: true }, cause)) && cause.matches("form")) cause.hidden = true;
  }), "main");
  const still = totals.length && !rows.some((row) => row.className);
  asked.replaceChildren(
    ...doubts.map((doubt) => said(doubt)).map((doubt) => made("p", "", `${capital(doubt)}.`)),
    ...(totals.length ? [made("p", "", still ? t("No total changes.") : t("The totals change:")), ...(still ? [] : [made("table", "", ...rows)])] : []),
    ...problems.map((problem) => made("p", "loss", t("Then look at {problem}", { problem }))),
    meant, button(t("Leave it"), answered(() => {})),
  );
  if (cause.matches("form.entry")) cause.append(asked);
  asked.hidden = false;
  asking = { path, words };
  meant.focus();
}

/** Listens to the page; `showAgain` shows the state in place of rejected values. @param {() => unknown} showAgain */
export function listen(showAgain) {
  rejected = showAgain;
  document.addEventListener("keydown", onlyOnce, true);
  // A refused field that is corrected is refused no more.
  document.addEventListener("input", ({ target }) => about && !asking && about !== at("buttons") && about.contains(/** @type {Node} */ (target)) && clear());
}
