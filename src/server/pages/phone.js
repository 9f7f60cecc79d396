// The phone page: a photo, its score, corrections. Only the last photos stay on the server.
import { amount, boxed, grouped, inGroups, inOrder, palette, sign, tile, withTiles } from "./hand.js";
import { advice } from "./advice.js";
import { askFacts, filled, showKnown } from "./fields.js";
import { finder, mayFind } from "./finder.js";
import { collectHands } from "./fourhands.js";
import { all, at, button, fieldsOf, lines, made, one, target } from "./kit.js";
import { sentences, t } from "./lang.js";
import { get, send } from "./link.js";
import { rulings, withRuling } from "./rulings.js";
import { drawnWhole, save } from "./sharing.js";
import { upload } from "./sending.js";
import { bar, offer, picture } from "./upload.js";
import { beside, explained, inUnits, itemName, whyNoWin, worth } from "./words.js";


/** @type {PhotoReading | null} */
let reading = null;
/** @type {Map<number, string>} */
let fixes = new Map();
/** @type {RuleSet[]} */
let sets = [];
/** @type {Record<string, string> | null} */
let ruled = null;

/** What the fields of the next hand say, if it is not the one in the form, whose winner and way of winning are in fields of their own.
 *  @param {{ seat: string, how: string, own: Partial<Context> }} said
 *  @returns {Context} */
function said({ seat, how, own }) {
  const { rules, round } = fieldsOf(at("context"));
  const [win, from] = how.split(":");
  /** @type {Record<string, unknown>} */
  const context = { rules: rules.value || "mmm", seat, round: round.value };
  return Object.assign(context, win && { win }, from && { from }, own, ruled && { rulings: ruled });
}

/** The fields of the form. @returns {Context} */
export function context() {
  const { seat, how } = fieldsOf(at("context"));
  return said({ seat: seat.value, how: how.value, own: filled(at("context")) });
}

/** The facts of a win that are often true; the others fold. */
const OFTEN = ["last_tile", "supplement", "riichi", "double_riichi", "ippatsu"];

/** The fields that stay for the next hand. */
const OF_GAME = ["rules", "round"];

/** Clears what was said of one hand; pages of a table fill in what the table knows of the next. */
export function clear() {
  for (const field of all(at("context"), "input, select")) {
    if (!field.name || OF_GAME.includes(field.name)) continue;
    if (field.type === "checkbox") field.checked = false;
    else field.value = field.options?.[0].value ?? "";
  }
  document.dispatchEvent(new Event("cleared"));
  again();
}

const advise = advice(at("advice"));

/** @param {string} text
 *  @param {boolean} [wrong] */
function say(text, wrong = false) {
  at("status").textContent = text;
  at("status").classList.toggle("loss", wrong);
}

const sent = bar(at("sending"));
const taken = picture(at("taken"), at("unshown"));
let photos = 0;

/** @param {Event} event */
function picked(event) {
  const [file] = target(event).files ?? [];
  target(event).value = "";
  if (file) take(file);
}

/** Makes room for the hand of a picture. @param {File} file */
function begin(file) {
  photos += 1;
  const isNext = !!reading?.hand;
  reading = null;
  if (isNext) clear();
  fixes = new Map();
  taken.pick(file);
  at("picture").hidden = false;
  document.body.classList.add("has-photo");
  scrollTo({ top: 0 });
  at("boxes").replaceChildren();
  for (const part of [at("hand"), at("doubts"), at("score"), at("counts")]) part.replaceChildren();
  at("which").hidden = at("palette").hidden = at("buttons").hidden = at("keeping").hidden = true;
  at("keep").checked = false;
  say("");
  return photos;
}

/** Shows the reading of the picture that there is room for. @param {PhotoReading} answer */
function arrived(answer) {
  taken.copy(answer.picture ?? `api/photo/${answer.photo}/picture.jpg`);
  show(answer);
}

/** @param {File} file */
async function take(file) {
  const mine = begin(file);
  try {
    const answer = await sent("api/photo", { context: JSON.stringify(context()) }, file);
    if (mine === photos) arrived(answer);
  } catch (error) {
    if (mine !== photos) return;
    if (error.name !== "AbortError") return say(error.message, true);
    at("picture").hidden = true;
    say(t("Cancelled: take the photo again, or another one."));
  }
}

let asked = 0;

/** Reads the hand again; a refusal is shown beside the changed `field`.
 *  @param {boolean} [teaches]
 *  @param {HTMLElement | null} [field] */
export async function again(teaches = false, field = null) {
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

/** The tile that has the focus once the hand is drawn again: who corrects by keys goes on from there. @type {number | null} */
let goesOn = null;

/** @param {ShownTile} shown */
function ask(shown) {
  /** @param {string | null} code */
  const say = (code) => {
    goesOn = shown.id;
    if (code) fixes.set(shown.id, code);
    else fixes.delete(shown.id);
    at("palette").hidden = true;
    again(true);
  };
  const back = Object.assign(button(t("As it was read"), () => say(null)), { id: "take-back" });
  at("palette").replaceChildren(...(fixes.has(shown.id) ? [back] : []), ...palette(shown, say));
  at("palette").hidden = false;
  at("palette").onkeydown = ({ key }) => {
    if (key !== "Escape") return;
    at("palette").hidden = true;
    all(at("hand"), `[data-id="${shown.id}"]`)[0]?.focus();
  };
  at("palette").scrollIntoView({ block: "nearest" });
  one(at("palette"), "button").focus({ preventScroll: true });
}

/** What the server says can be done about a hand whose winning tile it does not know. */
const NAME_WINNING = "name it under “winning tile”";

/** Asks which tile won, where nothing shows it: each face of the concealed tiles once.
 *  @param {PhotoReading} reading */
function askWinning({ tiles, hand }) {
  const { winning } = fieldsOf(at("context"));
  const asks = !winning.value && hand?.doubts.some(({ said }) => said.some((say) => Array.isArray(say) && say[0] === NAME_WINNING));
  at("which").hidden = !asks;
  const own = inGroups(tiles).flat().map(({ tile }) => tile).filter(({ role, code }) => role === "concealed" && !"x?".includes(code));
  one(at("which"), ".hand").replaceChildren(...[...new Set(own.map(({ code }) => code))].map((code) => Object.assign(tile(code, { as: "button" }), {
    type: "button",
    onclick: () => {
      winning.value = code;
      again(false, winning);
    },
  })));
}

/** The hand's worth, first in its players' terms, then the rest in lines.
 *  @param {Reading} reading
 *  @param {Score} score */
function counts({ unit, terms }, score) {
  const [first, rest] = worth({ score, unit, terms, win: context().win });
  return [first, ...[rest, ...beside(score, unit)].filter(Boolean)];
}

/** @param {Item} item */
const itemText = ({ id, value, unit }) => [itemName(reading?.item_names, id), inUnits(value, unit)];

/** @param {PhotoReading} now */
function show(now) {
  reading = now;
  // For pages that extend this one, such as with the evening's totals.
  document.dispatchEvent(new CustomEvent("reading", { detail: { reading, context: context() } }));
  const { hand, score, image, tiles, unwon } = reading;
  const doubts = hand?.doubts || [];
  const unsure = new Set(doubts.map((doubt) => doubt.tile));
  at("context").hidden = false;
  at("keeping").hidden = !reading.tileset;
  at("set").textContent = reading.tileset || "";
  at("boxes").setAttribute("viewBox", `0 0 ${image.width} ${image.height}`);
  at("boxes").replaceChildren(
    ...tiles.map((shown) => Object.assign(boxed(shown, unsure.has(shown.id) ? ["doubt"] : []), { onclick: () => ask(shown) })),
  );
  const row = grouped(inGroups(tiles), ({ tile: shown }) => {
    const classes = [...(unsure.has(shown.id) ? ["doubt"] : []), ...(fixes.has(shown.id) ? ["fixed"] : [])];
    const choice = Object.assign(tile(shown.code, { as: "button", classes }), { onclick: () => ask(shown) });
    choice.dataset.id = String(shown.id);
    return choice;
  });
  at("hand").replaceChildren(row);
  if (goesOn !== null) all(row, `[data-id="${goesOn}"]`)[0]?.focus({ preventScroll: true });
  goesOn = null;
  askWinning(reading);
  at("doubts").replaceChildren(...doubts.map(({ said }) => made("li", "", ...withTiles(said))));
  const out = at("score");
  out.replaceChildren();
  at("counts").replaceChildren();
  at("buttons").hidden = !hand;
  const set = sets.find((of) => of.id === at("rules").value);
  advise(hand ? { hand: hand.text, tiles, context: context(), set } : null);
  if (!hand) return say(reading.refusal_said ? sentences(reading.refusal_said) : t("No hand in the picture."), true);
  say(t("Read with {percent} % confidence; tap a tile to correct it.", { percent: Math.round(hand.confidence * 100) }));
  if (unwon) return showCounted(unwon);
  if (!score) return;
  if (!score.ok) return out.append(made("p", "loss", ...withTiles([["No win: {why}", { why: score.message_said ?? score.message ?? "" }]])));
  showCounted(score);
  out.append(made("div", "pay", ...inOrder(score.payments).map(([seat, paid]) => made("span", sign(paid), made("small", "", t(seat)), amount(paid, true)))));
  at("counts").append(made("ul", "steps", ...lines("li", explained(score.steps))));
}

/** What a hand counts, and for what. @param {Score} counted */
function showCounted(counted) {
  if (!reading) return;
  const [first, ...rest] = counts(reading, counted);
  at("score").append(made("h2", "", first), ...rest.map((text) => made("p", "worth", text)));
  const table = made("table", "items");
  for (const item of counted.items) {
    const line = table.insertRow();
    for (const text of itemText(item)) line.insertCell().textContent = text;
  }
  at("counts").append(table);
}

/** The hand and its worth as lines of text. @param {Reading} reading */
function summary({ hand, rules_name: rules, score, terms, unit }) {
  const lines = [`Tilelens (${t(rules)})`, hand?.text];
  if (score?.ok) {
    lines.push(worth({ score, unit, terms }).filter(Boolean).join(" · "), ...score.items.map((item) => itemText(item).join(" ")));
    lines.push(inOrder(score.payments).map(([seat, paid]) => `${t(seat)} ${amount(paid, true)}`).join("  "));
  }
  return lines.join("\n");
}

/** Pages that come over the local network may neither share nor copy by themselves: by hand then. @param {string} text */
function copied(text) {
  const field = made("textarea", { value: text });
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

at("share").onclick = async () => {
  if (!reading) return;
  const text = summary(reading);
  try {
    if (navigator.share) await navigator.share({ title: "Tilelens", text });
    else if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      say(t("Copied: paste it where you like."));
    } else say(copied(text) ? t("Copied: paste it where you like.") : text);
  } catch (error) {
    if (error.name !== "AbortError") say(text);
  }
};
/** All of it as a picture: passed on where the browser can, else saved. */
at("share-picture").onclick = async () => {
  if (!reading) return;
  try {
    const score = reading.score?.ok ? reading.score : null;
    const [first, ...rest] = score ? counts(reading, score) : [];
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

/** @type {Record<string, string>} */
const STAGES = { asked: t("The operator is asked …"), shown: t("On the stream."), refused: t("The operator does not show it now.") };
/** The polling interval for the operator's decision, in milliseconds. */
const DECIDES = 1500;

/** Shows the decision about a photo; on the operator's own machine it is shown at once. @param {number} photo */
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
  if (!reading) return;
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

/** Lets hands be read from the viewfinder, in which the winner and the way of winning can be said before. */
function offerFinder() {
  const [seat, how] = [at("next-seat"), at("next-how")];
  const form = fieldsOf(at("context"));
  const own = () => (reading?.hand ? {} : filled(at("context")));
  const { open, again: readAgain } = finder(at("finder"), {
    take,
    read: (file) => upload("api/photo", { context: JSON.stringify(said({ seat: seat.value, how: how.value, own: own() })) }, file, () => {}, new AbortController().signal),
    found: (file, answer) => {
      begin(file);
      [form.seat.value, form.how.value] = [seat.value, how.value];
      arrived(answer);
    },
  });
  seat.onchange = how.onchange = readAgain;
  at("find").hidden = false;
  /** @type {Text} */ (at("take").lastChild).data = t("with the camera’s own program");
  at("find").onclick = () => {
    for (const [select, of] of /** @type {const} */ ([[seat, form.seat], [how, form.how]])) {
      select.replaceChildren(...[...of.options].map(({ text, value }) => new Option(text, value)));
      select.value = reading?.hand ? of.options[0].value : of.value;
    }
    open().catch(() => say(t("The camera cannot be used: allow it for this page, or close the program that has it."), true));
  };
}
if (await mayFind()) offerFinder();
else if (!isSecureContext) {
  at("no-finder").textContent = t("Hands are read from the camera’s picture by themselves where this page comes over https.");
  at("no-finder").hidden = false;
}
const collect = collectHands({ context, again });
function showRules() {
  const set = sets.find((of) => of.id === at("rules").value);
  /** @type {(id: string, choice: string | null) => void} */
  const say = (id, choice) => {
    ruled = withRuling(ruled, id, choice);
    again();
  };
  at("rulings").replaceChildren(...rulings(set, ruled, say));
  showKnown(at("context"), set);
  collect(set);
}

at("rules").addEventListener("change", () => {
  ruled = null; // rulings belong to one rule set
  showRules();
});
at("context").addEventListener("change", (event) => again(false, target(event)));
at("keep").addEventListener("change", () => fixes.size && again(true));
at("context").addEventListener("submit", (event) => event.preventDefault());

for (const option of fieldsOf(at("context")).how.options) {
  const [how, from] = option.value.split(":");
  if (from) option.textContent = (how === "discard" ? t("on {name}’s discard", { name: t(from) }) : t("robbing {name}’s kong", { name: t(from) }));
}
const known = await get("api/rules");
sets = known.rules;
askFacts(known.facts, (name) => at(OFTEN.includes(name) ? "often" : "seldom"));
at("rules").replaceChildren(...sets.map((set) => new Option(t(set.name), set.id)));
// The table's rules and round, where one is played.
const played = (await get("api/state")).context;
if ([...at("rules").options].some((option) => option.value === played.rules)) at("rules").value = played.rules;
fieldsOf(at("context")).round.value = played.round;
ruled = played.rulings && Object.keys(played.rulings).length ? played.rulings : null;
showRules();
