// What is typed of a won deal in place of a picture: its hand, its worth, or everybody's payments.
import { TYPED, act, current, inTurn } from "./deciding.js";
import { amounts, paidFields } from "./entries.js";
import { amount } from "./hand.js";
import { all, at, fieldsOf, focused, one, target } from "./kit.js";
import { send } from "./link.js";

/** What is typed of a deal: the winner's hand in one way, and what the others' hands are worth, where the rules score them too.
 *  @type {(typeof TYPED[number] | "scores")[]} */
const SAID = [...TYPED, "scores"];
const NOTHING_TYPED = Object.fromEntries(SAID.map((name) => [name, null]));

const form = fieldsOf(at("context"));
let last = ""; // what the server had last
let saying = false; // typed values are being sent: they stay as typed
let entering = false; // they are entered by a key
let previewing = false;

/** Typed values stay until the server has others: another hand, an earlier deal. */
export function showTyped() {
  const { context = {}, amends } = current();
  const now = JSON.stringify([amends, ...SAID.map((name) => context[name])]);
  if (now !== last && !saying) {
    last = now;
    const said = TYPED.find((name) => context[name] !== undefined);
    if (said && !at("said").contains(focused())) at("as").value = said;
    for (const field of all(at("said"), "input")) if (field !== focused()) field.value = valueOf(field, context);
  }
  showAs();
}

/** What the server has of a typed field.
 *  @param {Field} field
 *  @param {Context} context */
function valueOf({ name }, { worth, hand, payments, scores }) {
  if (at("others").querySelector(`[name=${name}]`)) return scores?.[/** @type {Wind} */ (name.at(-1))] ?? "";
  if (name === "worth") return worth ?? "";
  if (name === "hand") return hand ?? "";
  return payments ? amount(payments[/** @type {Wind} */ (name.at(-1))] ?? "0").replace("−", "-") : "";
}

/** The fields of the one way in which a deal is typed. */
function showAs() {
  for (const part of all(at("said"), "[data-as]")) part.hidden = part.dataset.as !== at("as").value;
  const { context = {}, photo, played, reading, sources = [] } = current();
  at("others").hidden = !played?.fields.includes("others") || at("as").value === "payments";
  for (const label of at("others").children) /** @type {HTMLElement} */ (label).hidden = one(label, "input").name.endsWith(context.seat ?? "-");
  at("of-hand").hidden = !(at("as").value === "hand" || (reading?.hand && !context.worth && !context.payments) || sources.length || photo);
}

/** The first field of the way in which a deal is typed. */
export const firstTyped = () => one(at("said"), "[data-as]:not([hidden]) input");

/** The typed values as a request: one of the three fields, the others null. */
function typed() {
  const kind = at("as").value;
  const paid = amounts(at("paid"));
  const said = kind !== "payments" ? form[kind].value.trim() : Object.keys(paid).length ? paid : null;
  const scores = at("others").hidden ? {} : amounts(at("others"));
  return { ...NOTHING_TYPED, [kind]: said || null, scores: Object.keys(scores).length ? scores : null };
}

/** Makes the fields of what each player's hand is worth, and of what each was paid, for these players.
 *  @param {Parameters<typeof paidFields>[0]} players */
export function fieldsFor(players) {
  for (const [group, kind] of /** @type {const} */ ([["paid", "paid"], ["others", "score"]])) {
    const was = Object.fromEntries(all(at(group), "input").map(({ name, value }) => [name, value]));
    at(group).replaceChildren(...paidFields(players, kind));
    for (const input of all(at(group), "input")) input.value = was[input.name] || "";
  }
}

/** The typed values without what a field says: a rejected value does not count, and the others stay.
 *  @param {HTMLElement} field */
function without(field) {
  const said = typed();
  if (!at("others").contains(field)) return { ...said, [at("as").value]: null };
  const scores = Object.entries(said.scores ?? {}).filter(([wind]) => !(/** @type {Field} */ (field)).name.endsWith(wind));
  return { ...said, scores: scores.length ? Object.fromEntries(scores) : null };
}

/** Takes back what a field says, or all that is typed where the rest is rejected too.
 *  @param {HTMLElement} field
 *  @param {AbortSignal} signal */
const takeBack = (field, signal) => send("api/context", without(field), signal)
  .catch(() => send("api/context", NOTHING_TYPED, signal)).catch(() => {});

/** Sends typed values; returns whether they were taken. Rejected ones stay for correction and do not count.
 *  @param {HTMLElement} field */
async function sayTyped(field) {
  saying = true;
  const taken = await act("api/context", typed(), field);
  if (!taken) await inTurn((signal) => takeBack(field, signal));
  saying = false;
  return taken;
}

/** Shows the worth of unfinished input, without refusals. */
async function preview() {
  if (previewing) return;
  previewing = true;
  await inTurn((signal) => {
    previewing = false;
    return send("api/context", typed(), signal).catch(() => takeBack(focused(), signal));
  });
  previewing = false;
}

/** Forgets what is typed, for the next hand. */
export function emptyTyped() {
  for (const input of all(at("said"), "input")) input.value = "";
}

at("said").addEventListener("change", (event) => {
  if (event.target === at("as")) showAs();
  if (!entering) sayTyped(target(event));
  if (event.target === at("as")) firstTyped().focus();
});
at("said").addEventListener("input", ({ target: field }) => field !== at("as") && preview());

/** Keys of the typed fields; Escape gives a field its value `before` back, Enter enters what is typed.
 *  @param {() => string} before */
export const keysOfTyped = (before) => at("said").addEventListener("keydown", async (event) => {
  const field = target(event);
  if (event.target === at("as")) return;
  if (event.key === "Escape" && field.value !== before()) {
    field.value = before();
    preview();
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.stopPropagation();
  entering = true;
  field.blur();
  entering = false;
  const isEmpty = Object.values(typed()).every((said) => said === null);
  if (isEmpty || (await sayTyped(field))) act("api/confirm");
});
