// The control page: a function of the state; the operator's decisions are sent, and come back as state. Its parts show the
// picture, the hand and the table; here are the frame around them, and the keys.
import { air } from "./air.js";
import { brokenOff, choose, correctByKey, showPicture } from "./control-picture.js";
import { nextEarlier, pick, pickWinnerNext, restore, showHand, takeProposed } from "./control-hand.js";
import { showTable, takeUpEarlier } from "./control-table.js";
import { FIELD, act, connected, current, follows, listen, takes, undo, undone } from "./deciding.js";
import { keepFolds } from "./folds.js";
import { drawn } from "./hand.js";
import { all, at, one, target } from "./kit.js";
import { t } from "./lang.js";
import { follow } from "./link.js";
import { onAir } from "./onair.js";
import { DEAF } from "./once.js";
import { how } from "./sources.js";
import "./overlays.js";
import { fill } from "./stage.js";
import { emptyTyped, firstTyped, keysOfTyped } from "./typed.js";

const showAir = air(at("air"), act);

/** @type {number | undefined} */
let asked; // the photo that a phone asks to have shown
let nextAsk = -DEAF; // when a request was followed by another, at which a key for the first one may be aimed
let asItWas = ""; // the earlier value of the focused field
let byPointer = false;

/** The photo that a phone asks to have shown, one after the other. */
function showAsks() {
  const [first] = current().asks ?? [];
  if (asked !== undefined && first && asked !== first.photo) nextAsk = performance.now();
  asked = first?.photo;
  at("asks").hidden = !first;
  fill(at("asked-hand"), first ?? null, (ask) => (ask?.hand ? [drawn(ask.hand)] : [t("a photo without a hand")]));
}

/** Answers a phone's request. @param {boolean} show */
const decide = (show) => {
  if (asked !== undefined && performance.now() - nextAsk > DEAF) act("api/ask", { photo: asked, show }, at("asks"));
};

/** The state of OBS, if it is switched. */
function showObs() {
  const { obs } = current();
  at("obs").textContent = obs ? `OBS: ${obs.why || how(obs.state)}` : "";
  at("obs").className = obs?.why ? "loss" : "soft";
}

/** Confirm is the main button where there is something to confirm. */
function showConfirm() {
  const { also, amends, phase, reading, table } = current();
  at("confirm").classList.toggle("main", takes() && phase === "watching" && !!reading?.score?.ok && !(table?.over && !amends && !also));
}

/** Shows the current state. */
function show() {
  const { amends, can_undo: canUndo, phase, reading, undoes } = current();
  const viewed = onAir(current());
  showAsks();
  showObs();
  showConfirm();
  /** @type {Text} */ (at("confirm").firstChild).data = `${amends ? t("Correct deal {number}", amends) : t("Confirm")} `;
  at("reject").disabled = !reading || phase === "rejected";
  at("undo").disabled = !canUndo;
  const what = undone(undoes);
  at("undoes").textContent = what && `: ${what}`;
  showPicture(viewed);
  showTable();
  showHand(viewed);
  showAir(current(), viewed);
}

// Another source is shown.
at("sources").addEventListener("click", show);
at("yes").onclick = () => decide(true);
at("no").onclick = () => decide(false);
at("help").onclick = () => at("keys").showModal();

/** Buttons that decide, where decisions are taken; the next digit then chooses a winner.
 *  @type {[HTMLElement, () => unknown][]} */
const BUTTONS = [
  [at("take-proposed"), takeProposed], [at("confirm"), () => act("api/confirm")], [at("reject"), () => act("api/reject")], [at("undo"), undo], [at("also"), () => act("api/also")],
  [at("next"), () => {
    emptyTyped();
    act("api/next");
  }],
];
for (const [button, press] of BUTTONS) {
  button.onclick = () => {
    if (!takes()) return;
    pickWinnerNext();
    press();
  };
}

document.addEventListener("focusin", (event) => (asItWas = target(event).matches(FIELD) ? target(event).value : ""));
keysOfTyped(() => asItWas);
// A clicked element does not keep the focus, so that Enter confirms.
document.addEventListener("pointerdown", () => (byPointer = true), true);
document.addEventListener("keydown", () => (byPointer = false), true);
document.addEventListener("click", (event) => {
  const clicked = target(event).closest("summary, input[type=checkbox], input[type=radio], #foot > div > button, #air button");
  if (byPointer && clicked instanceof HTMLElement) clicked.blur();
});

/** The form that is open, to which the keys belong. */
const openForm = () => all(document, ".entry:not([hidden])").at(0);

/** Esc leaves a question, a form, a changed field or a chosen tile. @param {Field} field */
function leave(field) {
  const form = field.closest(".entry") ?? openForm();
  if (!at("asked").hidden) one(at("asked"), "button:last-child").click();
  else if (field.matches(FIELD) && !field.closest(".entry")) {
    field.value = asItWas;
    field.blur();
  } else if (form) one(form, ".close").click();
  else if (field.matches("input")) field.blur();
  else choose(null);
}

/** Presses a button, if it is there. @param {HTMLElement} button */
const press = (button) => button.hidden || button.click();

/** What keys do that are no digits and choose no tile. @type {Record<string, () => unknown>} */
const KEYS = {
  x: () => at("reject").click(), n: () => at("next").click(), u: () => at("undo").click(), "?": () => at("help").click(),
  y: () => decide(true), k: () => decide(false), t: () => firstTyped().select(), l: () => at("least").select(),
  m: () => {
    at("unsure").selectedIndex = 1 - at("unsure").selectedIndex;
    at("unsure").dispatchEvent(new Event("change"));
  },
  g: () => at("proposed").hidden || press(at("take-proposed")), o: () => at("put").click(), h: () => at("take").click(), a: () => at("auto").click(),
  b: () => {
    pickWinnerNext();
    takeUpEarlier();
  },
  d: () => [at("draw"), at("whole-deal")].forEach(press), f: () => press(at("fault")), r: () => press(at("result")), w: () => press(at("also")),
};

/** What a key does on the page; whether it does anything.
 *  @param {string} key
 *  @param {boolean} isPage whether no button or line has the focus */
function pressed(key, isPage) {
  if (correctByKey(key)) return true;
  if (/^[1-4]$/.test(key)) return pick(Number(key) - 1);
  if (key === "Enter" && isPage) at("confirm").click();
  else if (key === "e" && current().table && current().played?.discards) nextEarlier();
  else if (Object.hasOwn(KEYS, key)) KEYS[key]();
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const field = target(event);
  if (at("keys").open) return event.key === "?" && at("keys").close();
  if (event.key === "Escape") return leave(field);
  if (field.closest(".entry, #advice, #asked")) return; // they have keys of their own
  if (field.matches(FIELD)) {
    if (event.key === "Enter" && !field.matches("select")) field.blur(); // sends its value
    return;
  }
  if (field.matches("summary") && ["Enter", " "].includes(event.key)) return; // it folds
  // Enter ticks the box or presses the button that the keyboard has come to.
  if (event.key === "Enter" && field.matches("input[type=checkbox], input[type=radio]:not(:checked)")) {
    event.preventDefault();
    return field.click();
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isPage = !["BUTTON", "LI", "A"].includes(field.tagName);
  const form = openForm();
  if (form) return key === "Enter" && isPage ? one(form, ".main").click() : form.dispatchEvent(new KeyboardEvent("keydown", { key }));
  // A key that is held down decides once.
  if (!takes() || (event.repeat && !key.startsWith("Arrow")) || pressed(key, isPage)) event.preventDefault();
});

keepFolds();
listen(restore); // rejected values do not stay in the form
follow((state) => {
  follows(state);
  show();
}, (is) => {
  connected(is);
  if (is) return;
  brokenOff();
  showConfirm();
});
