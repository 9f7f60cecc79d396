// The phone page: a photo, its score, corrections. Only the last photos stay on the server.
import { amount, inGroups, inOrder, palette, sign, tile, withTiles } from "./hand.js";
import { advice } from "./advice.js";
import { filled, showKnown } from "./fields.js";
import { finder, mayFind } from "./finder.js";
import { sentences, t } from "./lang.js";
import { get, send } from "./link.js";
import { rulings, withRuling } from "./rulings.js";
import { drawnWhole, save } from "./sharing.js";
import { bar, offer, picture } from "./upload.js";
import { beside, explained, inUnits, itemName, whyNoWin, worth } from "./words.js";

const at = (id) => document.getElementById(id);

let reading = null;
let fixes = new Map();
let sets = [];
let ruled = null;

/** The fields of the form. */
export function context() {
  const form = at("context").elements;
  const [win, from] = form.how.value.split(":");
  const context = { rules: form.rules.value || "mmm", seat: form.seat.value, round: form.round.value };
  if (win) context.win = win;
  if (from) context.from = from;
  Object.assign(context, filled(at("context")));
  if (ruled) context.rulings = ruled;
  return context;
}

/** The fields that stay for the next hand. */
const OF_GAME = ["rules", "round"];

/** Clears what was said of one hand; pages of a table fill in what the table knows of the next. */
export function clear() {
  for (const field of at("context").elements) {
    if (!field.name || OF_GAME.includes(field.name)) continue;
    if (field.type === "checkbox") field.checked = false;
    else field.value = field.options?.[0].value ?? "";
  }
  document.dispatchEvent(new Event("cleared"));
  again();
}

const advise = advice(at("advice"));

function say(text, wrong = false) {
  at("status").textContent = text;
  at("status").classList.toggle("loss", wrong);
}

const upload = bar(at("sending"));
const taken = picture(at("taken"), at("unshown"));
let photos = 0;

function picked(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) take(file);
}

async function take(file) {
  const mine = ++photos;
  const isNext = !!reading?.hand;
  reading = null;
  if (isNext) clear();
  fixes = new Map();
  taken.pick(file);
  at("picture").hidden = false;
  document.body.classList.add("has-photo");
  scrollTo({ top: 0 });
  at("boxes").replaceChildren();
  for (const id of ["hand", "doubts", "score", "counts"]) at(id).replaceChildren();
  at("palette").hidden = at("buttons").hidden = at("keeping").hidden = true;
  at("keep").checked = false;
  say("");
  try {
    const answer = await upload("api/photo", { context: JSON.stringify(context()) }, file);
    if (mine !== photos) return;
    taken.copy(answer.picture ?? `api/photo/${answer.photo}/picture.jpg`);
    show(answer);
  } catch (error) {
    if (mine !== photos) return;
    if (error.name !== "AbortError") return say(error.message, true);
    at("picture").hidden = true;
    say(t("Cancelled: take the photo again, or another one."));
  }
}

let asked = 0;

/** Reads the hand again; a refusal is shown beside the changed `field`. */
async function again(teaches = false, field = null) {
  if (!reading) return;
  const mine = ++asked;
  at("error").textContent = "";
  try {
    const answer = await send(`api/photo/${reading.photo}`, { context: context(), fixes: [...fixes], ...(teaches && { keep: at("keep").checked }) });
    if (mine === asked) show(answer);
  } catch (error) {
    if (!field) return say(error.message, true);
    (field.closest("label") || field).after(at("error"));
    at("error").textContent = error.message;
  }
}

/** The tile that has the focus once the hand is drawn again: who corrects by keys goes on from there. */
let goesOn = null;

function ask(shown) {
  const say = (code) => {
    goesOn = shown.id;
    if (code) fixes.set(shown.id, code);
    else fixes.delete(shown.id);
    at("palette").hidden = true;
    again(true);
  };
  const back = Object.assign(document.createElement("button"), { type: "button", id: "take-back", textContent: t("As it was read"), onclick: () => say(null) });
  at("palette").replaceChildren(...(fixes.has(shown.id) ? [back] : []), ...palette(shown, say));
  at("palette").hidden = false;
  at("palette").onkeydown = ({ key }) => {
    if (key !== "Escape") return;
    at("palette").hidden = true;
    at("hand").querySelector(`[data-id="${shown.id}"]`)?.focus();
  };
  at("palette").scrollIntoView({ block: "nearest" });
  at("palette").querySelector("button").focus({ preventScroll: true });
}

/** The hand's worth, first in its players' terms, then the rest in lines. */
function counts() {
  const { score, unit, terms } = reading;
  const [first, rest] = worth({ score, unit, terms, win: at("context").elements.how.value.split(":")[0] });
  return [first, ...[rest, ...beside(score, unit)].filter(Boolean)];
}

const itemText = ({ id, value, unit }) => [itemName(reading.item_names, id), inUnits(value, unit)];

function show(now) {
  reading = now;
  // For pages that extend this one, such as with the evening's totals.
  document.dispatchEvent(new CustomEvent("reading", { detail: { reading, context: context() } }));
  const { hand, score, image, tiles } = reading;
  const doubts = hand?.doubts || [];
  const unsure = new Set(doubts.map((doubt) => doubt.tile));
  at("context").hidden = false;
  at("keeping").hidden = !reading.tileset;
  at("set").textContent = reading.tileset || "";
  at("boxes").setAttribute("viewBox", `0 0 ${image.width} ${image.height}`);
  at("boxes").replaceChildren(
    ...tiles.map((shown) => {
      const box = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
      box.setAttribute("points", shown.corners.map((corner) => corner.join(",")).join(" "));
      if (shown.role === "other") box.classList.add("other");
      if (unsure.has(shown.id)) box.classList.add("doubt");
      box.onclick = () => ask(shown);
      return box;
    }),
  );
  const row = document.createElement("div");
  row.className = "hand";
  for (const members of inGroups(tiles)) {
    const group = document.createElement("span");
    group.className = `group ${members[0].tile.role}`;
    row.append(group);
    for (const { tile: shown } of members) {
      const classes = [...(unsure.has(shown.id) ? ["doubt"] : []), ...(fixes.has(shown.id) ? ["fixed"] : [])];
      const button = tile(shown.code, { as: "button", classes });
      button.onclick = () => ask(shown);
      button.dataset.id = shown.id;
      group.append(button);
    }
  }
  at("hand").replaceChildren(row);
  if (goesOn !== null) row.querySelector(`[data-id="${goesOn}"]`)?.focus({ preventScroll: true });
  goesOn = null;
  at("doubts").replaceChildren(...doubts.map((doubt) => {
    const line = document.createElement("li");
    line.append(...withTiles(doubt.said));
    return line;
  }));
  const out = at("score");
  out.replaceChildren();
  at("counts").replaceChildren();
  at("buttons").hidden = !hand;
  const set = sets.find((of) => of.id === at("rules").value);
  advise(hand ? { hand: hand.text, tiles, context: context(), set } : null);
  if (!hand) return say(reading.refusal_said ? sentences(reading.refusal_said) : t("No hand in the picture."), true);
  say(t("Read with {percent} % confidence; tap a tile to correct it.", { percent: Math.round(hand.confidence * 100) }));
  if (!score) return;
  if (!score.ok) {
    const line = Object.assign(document.createElement("p"), { className: "loss" });
    line.append(...withTiles([["No win: {why}", { why: score.message_said ?? score.message }]]));
    return out.append(line);
  }
  const [first, ...rest] = counts();
  out.append(
    Object.assign(document.createElement("h2"), { textContent: first }),
    ...rest.map((text) => Object.assign(document.createElement("p"), { textContent: text, className: "worth" })),
  );
  const table = document.createElement("table");
  table.className = "items";
  for (const item of score.items) {
    const line = table.insertRow();
    for (const text of itemText(item)) line.insertCell().textContent = text;
  }
  const pay = Object.assign(document.createElement("div"), { className: "pay" });
  for (const [seat, paid] of inOrder(score.payments)) {
    const part = Object.assign(document.createElement("span"), { className: sign(paid) });
    part.append(Object.assign(document.createElement("small"), { textContent: t(seat) }), amount(paid, true));
    pay.append(part);
  }
  const steps = Object.assign(document.createElement("ul"), { className: "steps" });
  steps.append(...explained(score.steps).map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  out.append(pay);
  at("counts").replaceChildren(table, steps);
}

function summary() {
  const lines = [`Tilelens (${t(reading.rules_name)})`, reading.hand.text];
  if (reading.score?.ok) {
    const { score, unit, terms } = reading;
    lines.push(worth({ score, unit, terms }).filter(Boolean).join(" · "), ...reading.score.items.map((item) => itemText(item).join(" ")));
    lines.push(inOrder(reading.score.payments).map(([seat, paid]) => `${t(seat)} ${amount(paid, true)}`).join("  "));
  }
  return lines.join("\n");
}

/** Pages that come over the local network may neither share nor copy by themselves: by hand then. */
function copied(text) {
  const field = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

at("share").onclick = async () => {
  try {
    if (navigator.share) await navigator.share({ title: "Tilelens", text: summary() });
    else if (navigator.clipboard) {
      await navigator.clipboard.writeText(summary());
      say(t("Copied: paste it where you like."));
    } else say(copied(summary()) ? t("Copied: paste it where you like.") : summary());
  } catch (error) {
    if (error.name !== "AbortError") say(summary());
  }
};
/** All of it as a picture: passed on where the browser can, else saved. */
at("share-picture").onclick = async () => {
  try {
    const score = reading.score?.ok ? reading.score : null;
    const [first, ...rest] = score ? counts() : [];
    const blob = await drawnWhole(at("taken"), reading, {
      first,
      rest: score ? rest : [reading.score?.message ? t("No win: {why}", { why: whyNoWin(reading.score) }) : ""].filter(Boolean),
      items: (score?.items || []).map((item) => itemText(item).join(" ")),
      payments: inOrder(score?.payments || {}).map(([seat, paid]) => [t(seat), amount(paid, true), sign(paid)]),
      rules: t(reading.rules_name),
    });
    const file = new File([blob], "tilelens.jpg", { type: blob.type });
    // A browser that took too long over it takes the tap for an old one.
    const shared = navigator.canShare?.({ files: [file] })
      && (await navigator.share({ files: [file], title: "Tilelens" }).then(() => true, ({ name }) => name === "AbortError"));
    if (shared) return;
    save(blob, file.name);
    say(t("Saved as a picture."));
  } catch (error) {
    say(error.message, true);
  }
};

const STAGES = { asked: t("The operator is asked …"), shown: t("On the stream."), refused: t("The operator does not show it now.") };
/** The polling interval for the operator's decision, in milliseconds. */
const DECIDES = 1500;

/** Shows the decision about a photo; on the operator's own machine it is shown at once. */
async function shown(photo) {
  for (;;) {
    const answer = await get(`api/photo/${photo}/show`).catch(() => null);
    const stage = answer ? answer.stage ?? "shown" : "asked";
    if (reading?.photo === photo) say(STAGES[stage], stage === "refused");
    if (stage !== "asked" || reading?.photo !== photo) return;
    await new Promise((done) => setTimeout(done, DECIDES));
  }
}

at("show").onclick = async () => {
  try {
    const { photo } = reading;
    await send(`api/photo/${photo}/show`, { context: context(), fixes: [...fixes] });
    await shown(photo);
  } catch (error) {
    say(error.message, true);
  }
};
offer(at("photo"), at("file"));
at("photo").onchange = at("file").onchange = picked;
if (await mayFind()) {
  const open = finder(at("finder"), take);
  at("find").hidden = false;
  at("take").lastChild.data = t("with the camera’s own program");
  at("find").onclick = () => open().catch(() => say(t("The camera cannot be used: allow it for this page, or close the program that has it."), true));
}
function showRules() {
  const set = sets.find((of) => of.id === at("rules").value);
  const say = (id, choice) => {
    ruled = withRuling(ruled, id, choice);
    again();
  };
  at("rulings").replaceChildren(...rulings(set, ruled, say));
  showKnown(at("context"), set);
}

at("rules").addEventListener("change", () => {
  ruled = null; // rulings belong to one rule set
  showRules();
});
at("context").addEventListener("change", (event) => again(false, event.target));
at("keep").addEventListener("change", () => fixes.size && again(true));
at("context").addEventListener("submit", (event) => event.preventDefault());

for (const option of at("context").elements.how.options) {
  const [how, from] = option.value.split(":");
  if (from) option.textContent = (how === "discard" ? t("on {name}’s discard", { name: t(from) }) : t("robbing {name}’s kong", { name: t(from) }));
}
const { rules } = await get("api/rules");
sets = rules;
at("rules").replaceChildren(...rules.map((set) => new Option(t(set.name), set.id)));
// The table's rules and round, where one is played.
const played = (await get("api/state")).context;
if ([...at("rules").options].some((option) => option.value === played.rules)) at("rules").value = played.rules;
at("context").elements.round.value = played.round;
ruled = played.rulings && Object.keys(played.rulings).length ? played.rulings : null;
showRules();
