// The control page: a function of the state; the operator's decisions are sent, and come back as state.
import { advice } from "./advice.js";
import { air } from "./air.js";
import { amending, past } from "./deals.js";
import { FIELD, TYPED, act, connected, follows, inTurn, listen, takes, undo } from "./deciding.js";
import { amounts, asksOfDraw, boxes, drawing, faulting, paidFields, ticked } from "./entries.js";
import { showKnown, value as sentAs } from "./fields.js";
import { keepFolds, unfoldWhatIsSet } from "./folds.js";
import { resulting } from "./results.js";
import { amount, drawn, groups, inGroups, inOrder, neighbour, palette, sign, spoken, tile, withTiles } from "./hand.js";
import { sentences, t } from "./lang.js";
import { follow, send } from "./link.js";
import { onAir } from "./onair.js";
import { DEAF } from "./once.js";
import { fill } from "./stage.js";
import { rulings, withRuling } from "./rulings.js";
import { beside, capital, changes, dealNamed, dealt, explained, inDeal, inRound, inUnits, isOver, itemName, leftover, onTable, placed, worth } from "./words.js";
import { eastOf, marked, marking, outline } from "./calibrate.js";

const at = (id) => document.getElementById(id);

let state = {};
let viewed = onAir(state); // the viewers' part of it
let chosen = null; // the number of the chosen tile
let digit = "";
let source = 0; // the source whose picture is shown
let sets = []; // the rule sets with their usual rulings
let wholeTable = null; // the ledger's table with all its deals

/** The state of a source or of OBS, in words. */
const HOW = {
  connected: t("connected"), ended: t("ended"), lost: t("lost"), running: t("running"), starting: t("starting"),
};

const openDrawing = drawing(at("drawing"), act);
const openFaulting = faulting(at("faulting"), act);
const openResulting = resulting(at("resulting"), act);
const advise = advice(at("advice"));
const showAir = air(at("air"), act);

const tiles = () => state.reading?.tiles || [];
/** The upright tiles that the winner's own camera sees. */
const standing = () => state.seats?.[state.context?.seat]?.standing || [];
const inHand = () => [
  ...inGroups(tiles()),
  ...(standing().length ? [standing().map((shown) => ({ tile: { ...shown, role: "concealed" }, place: null }))] : []),
];
const ofHand = () => inHand().flat().map(({ tile }) => tile);
const doubted = () => new Set((state.reading?.hand?.doubts || []).map((doubt) => doubt.tile).filter((tile) => tile !== null));

function correct(code) {
  if (chosen === null) return;
  act("api/correct", { tile: chosen, code, keep: at("keep").checked });
  at("palette").hidden = true;
}

function choose(id) {
  chosen = id;
  digit = "";
  showHand();
  showBoxes();
  showPalette();
}

function showHand() {
  const hand = document.createElement("div");
  hand.className = "hand";
  const typed = state.context?.hand && state.reading?.hand;
  if (typed) hand.append(...drawn(typed.text, { winner: state.context.win && state.context.seat, context: state.context }).children);
  const doubts = doubted();
  for (const members of inHand()) {
    const element = document.createElement("span");
    element.className = `group ${members[0].tile.role}`;
    for (const { tile: shown, place } of members) {
      const classes = [];
      if (place === null ? shown.code === "?" : doubts.has(shown.id)) classes.push("doubt");
      if (state.fixes?.[shown.id]) classes.push("fixed");
      if (shown.id === chosen) classes.push("chosen");
      const button = tile(shown.code, { as: "button", classes });
      button.type = "button";
      button.tabIndex = -1;
      button.setAttribute("role", "option");
      button.id = `tile-${shown.id}`;
      button.setAttribute("aria-selected", String(shown.id === chosen));
      button.onclick = () => choose(shown.id === chosen ? null : shown.id);
      element.append(button);
    }
    hand.append(element);
  }
  at("hand").replaceChildren(hand);
  // The list keeps the focus; screen readers announce the chosen tile.
  if (chosen === null) at("hand").removeAttribute("aria-activedescendant");
  else at("hand").setAttribute("aria-activedescendant", `tile-${chosen}`);
}

let seated = "";

/** Each player's tiles; a click chooses the winner. */
function showSeats() {
  const { seats = {}, context = {}, sources = [] } = state;
  const gone = (wind) => (viewed.seats.some((of) => of.wind === wind && of.text) ? t("in doubt") : t("not on the overlay"));
  // A button that is replaced between press and release is not clicked: only where something is new.
  const what = JSON.stringify([seats, Object.keys(seats).map(gone), context.seat, context.names, sources.map((of) => [of.name, of.shows, of.seat, of.state, of.why]), source, marking()]);
  if (what === seated) return;
  seated = what;
  const place = ["seats", "sources"].map((id) => [id, [...at(id).querySelectorAll("button")].indexOf(document.activeElement)]);
  at("seats").replaceChildren(
    ...["E", "S", "W", "N"].filter((wind) => seats[wind]).map((wind) => {
      const seat = seats[wind];
      const button = document.createElement("button");
      button.type = "button";
      button.className = wind === context.seat ? "seat winner" : "seat";
      button.setAttribute("aria-pressed", String(wind === context.seat));
      const name = document.createElement("b");
      name.textContent = `${t(wind)} ${context.names?.[wind] || ""}`;
      const note = document.createElement("small");
      const shows = { hand: "", sets: t("open sets"), nothing: t("nothing lies open") }[seat.shows];
      const count = seat.discards.length;
      const discards = !count ? "" : seat.discards_known ? t("{count} discards", { count }) : t("{count} discards, not all are known", { count });
      note.textContent = [shows, discards, seat.moving ? t("moving") : "", seat.doubtful ? t("in doubt") : "", seat.stale ? gone(wind) : ""].filter(Boolean).join(" · ");
      button.append(name, note);
      if (seat.hand) button.append(drawn(seat.hand.text, { winner: wind, context }));
      button.onclick = () => act("api/context", { seat: wind });
      return button;
    }),
  );
  at("sources").hidden = sources.length < 2;
  at("sources").replaceChildren(
    ...sources.map((of, number) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", String(number === source));
      const what = of.shows === "standing" ? t("{name}’s hand", { name: t(of.seat) }) : of.shows === "table" ? t("the table") : t("one hand");
      button.textContent = `${of.name}: ${what}, ${HOW[of.state] ?? of.state}${of.why ? ` (${of.why})` : ""}`;
      if (of.state === "lost") button.classList.add("loss");
      button.disabled = marking();
      button.onclick = () => {
        source = number;
        show(state);
      };
      item.append(button);
      return item;
    }),
  );
  for (const [id, focused] of place) at(id).querySelectorAll("button")[focused]?.focus();
}

/** The wind of whoever sat at a seat in the first deal of the round. */
const windAt = (place) => Object.keys(state.seats || {}).find((wind) => state.seats[wind].place === place) || place;

let eastShown;

/** East's seat is reset only for another source or profile. */
function showEast(shown) {
  const east = eastOf(shown?.seats) || "bottom";
  if (eastShown !== `${source} ${east}`) at("east").value = east;
  eastShown = `${source} ${east}`;
}

function showBoxes() {
  const image = state.reading?.image;
  const boxes = at("boxes");
  boxes.classList.toggle("moving", !!state.moving);
  if (marking()) return;
  const of = state.photo ? null : state.sources?.[source];
  // Boxes belong to the picture that was read: the numbers of its tiles say of which source it is.
  const read = Math.floor((tiles()[0]?.id || 0) / 2 ** 32);
  const isRead = !!image && (!!state.photo || source === read);
  const size = isRead ? [image.width, image.height] : of?.picture;
  if (!size) return boxes.replaceChildren();
  boxes.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  if (!isRead) return boxes.replaceChildren(...outline(of, size, windAt));
  const doubts = doubted();
  boxes.replaceChildren(
    ...outline(of, size, windAt),
    ...tiles().map((shown) => {
      const box = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
      box.setAttribute("points", shown.corners.map((corner) => corner.join(",")).join(" "));
      if (shown.role === "other") box.classList.add("other");
      if (doubts.has(shown.id)) box.classList.add("doubt");
      if (shown.id === chosen) box.classList.add("chosen");
      return box;
    }),
  );
}

function showPalette() {
  const shown = [...tiles(), ...standing()].find((tile) => tile.id === chosen);
  at("palette").hidden = !shown;
  if (!shown) return;
  at("palette").replaceChildren(...palette(shown, correct));
}

let declaredShown = "";

function showContext() {
  const form = at("context");
  const context = state.context || {};
  const set = (name, value) => {
    const field = form.elements[name];
    if (field && document.activeElement !== field) field.value = value ?? "";
  };
  set("rules", context.rules);
  if (context.rules && at("rules").value !== context.rules) {
    at("rules").append(new Option(context.rules, context.rules, true, true));
  }
  set("round", context.round);
  showWho();
  set("winning", context.winning);
  set("tile", context.tile);
  for (const field of ["hidden", "flowers", "minimum", "pao", "responsible", "dora_indicators", "ura_indicators", "honba", "sticks"]) set(field, context[field]);
  set("dealer", context.dealer || "E");
  at("deals-now").hidden = !!state.table || !Object.keys(state.seats || {}).length;
  const { played } = state;
  // At a ledger's table counters and sticks are the table's, and each who declares riichi puts one down.
  const byTable = state.table ? ["honba", "sticks", "riichi"] : [];
  showKnown(form, played, (name) => !byTable.includes(name));
  at("declared").hidden = !state.table || !played?.stick;
  const { players, names, riichi_by: declared = [] } = context;
  // The photo of a phone says it of its own hand alone.
  const own = context.riichi && !declared.includes(context.seat) ? [context.seat] : [];
  const what = { players, names, ticked: [...declared, ...own] };
  if (JSON.stringify(what) !== declaredShown) {
    declaredShown = JSON.stringify(what);
    at("declared").replaceChildren(at("declared").firstElementChild, ...boxes("riichi_by", what));
  }
  const usual = sets.find((of) => of.id === context.rules);
  at("rulings").hidden = !usual?.rulings.length || !!state.table;
  if (!at("rulings").contains(document.activeElement)) {
    const say = (id, choice) => act("api/context", { rulings: withRuling(context.rulings, id, choice) }, at("rulings"));
    at("rulings").replaceChildren(at("rulings").firstElementChild, ...rulings(usual, context.rulings, say));
  }
  at("playing").textContent = `: ${[at("rules").selectedOptions[0]?.text, !state.table && inRound(context.round)].filter(Boolean).join(", ")}`;
  at("earlier").hidden = !state.table || context.win !== "discard" || !played?.discards;
  for (const flag of at("flags").querySelectorAll("input:not([name=robbed])")) flag.checked = !!context[flag.name];
  for (const seat of "ESWN") set(seat, context.names?.[seat]);
  unfoldWhatIsSet(at("more"));
}

/** Choices of one as buttons that stay pressed, each with the key that presses it. They are changed in place: a button
 *  that is replaced between press and release is not clicked. */
function picks(group, name, choices) {
  while (group.childElementCount > choices.length) group.lastElementChild.remove();
  choices.forEach(({ value, words, note = "", spoken }, place) => {
    let label = group.children[place];
    if (!label) {
      label = Object.assign(document.createElement("label"), { className: "pick" });
      label.append(Object.assign(document.createElement("input"), { type: "radio", name }), ...["b", "span", "small", "kbd"].map((kind) => document.createElement(kind)));
      group.append(label);
    }
    const [input, bold, plain, small, key] = label.children;
    input.value = value;
    input.setAttribute("aria-label", spoken);
    [bold.textContent, plain.textContent] = words;
    small.textContent = note;
    key.textContent = place + 1;
  });
}

const WINDS = ["E", "S", "W", "N"];
let sitsShown = "";

/** A rule set's own terms, in the words of this page. */
const worded = (terms) => Object.fromEntries(Object.entries(terms || {}).map(([name, word]) => [name, t(word)]));

/** The winner and the way of winning as buttons, and the typed fields. */
function showWho() {
  const form = at("context");
  const { context = {}, table, played, amends, phase } = state;
  const winds = WINDS.slice(0, context.players || 4);
  const name = (wind) => context.names?.[wind] || "";
  const earlier = amends || phase === "confirmed" || state.also;
  const total = (wind) => (earlier ? "" : amount(table?.players.find((player) => player.seat === wind)?.standing ?? "0"));
  const { self_draw: drew, discard } = { self_draw: t("self-draw"), discard: t("discard"), ...worded(played?.terms) };
  const called = (wind) => name(wind) || t(wind);
  picks(at("who"), "seat", winds.map((wind) => ({ value: wind, words: [t(wind), name(wind)], note: table && total(wind), spoken: `${t(wind)} ${name(wind)}` })));
  picks(at("by"), "how", winds.map((wind) => wind === context.seat ? { value: "self_draw", words: [drew, ""], spoken: drew }
    : { value: `discard:${wind}`, words: [called(wind), ""], note: discard, spoken: played?.terms?.discard ? t("{how} on {name}’s discard", { how: discard, name: called(wind) }) : t("on {name}’s discard", { name: called(wind) }) }));
  const sits = JSON.stringify([winds, context.names]);
  if (sits !== sitsShown) {
    sitsShown = sits;
    const paid = Object.fromEntries([...at("paid").querySelectorAll("input")].map(({ name, value }) => [name, value]));
    at("paid").replaceChildren(...paidFields({ players: winds.length, names: context.names }));
    for (const input of at("paid").querySelectorAll("input")) input.value = paid[input.name] || "";
  }
  const how = context.win === "self_draw" ? "self_draw" : context.win ? `discard:${context.from}` : "";
  for (const radio of at("who").querySelectorAll("input")) radio.checked = radio.value === context.seat;
  for (const radio of at("by").querySelectorAll("input")) radio.checked = radio.value === how;
  form.elements.robbed.checked = context.win === "rob_kong";
  form.elements.robbed.disabled = !context.from;
  at("unit").textContent = played ? `${t(played.terms?.faan || played.unit)}${played.fields.includes("honba") && played.terms?.points ? t(", such as 3/30, or yakuman") : ""}` : "";
  showTyped();
  showAs();
}

let typedShown = "";
let saying = false; // typed values are being sent: they stay as typed

/** Typed values stay until the server has others: another hand, an earlier deal. */
function showTyped() {
  const { context = {}, amends } = state;
  const form = at("context");
  const now = JSON.stringify([amends, ...TYPED.map((name) => context[name])]);
  if (now === typedShown || saying) return;
  typedShown = now;
  const said = TYPED.find((name) => context[name] !== undefined);
  if (said && !at("said").contains(document.activeElement)) at("as").value = said;
  for (const name of ["worth", "hand"]) {
    const field = form.elements[name];
    if (document.activeElement !== field) field.value = context[name] ?? "";
  }
  for (const input of at("paid").querySelectorAll("input")) {
    if (document.activeElement !== input) input.value = context.payments ? amount(context.payments[input.name.at(-1)] ?? "0").replace("−", "-") : "";
  }
}

/** The fields of the one way in which a deal is typed. */
function showAs() {
  for (const part of at("said").querySelectorAll("[data-as]")) part.hidden = part.dataset.as !== at("as").value;
  const { context = {}, reading, sources = [] } = state;
  at("of-hand").hidden = !(at("as").value === "hand" || (reading?.hand && !context.worth && !context.payments) || sources.length || state.photo);
}

/** The typed values as a request: one of the three fields, the others null. */
function typed() {
  const kind = at("as").value;
  const field = at("context").elements[kind];
  const said = kind === "payments" ? amounts(at("paid")) : field.value.trim();
  const none = kind === "payments" ? !Object.keys(said).length : !said;
  return { ...Object.fromEntries(TYPED.map((name) => [name, null])), [kind]: none ? null : said };
}

const NOTHING_TYPED = Object.fromEntries(TYPED.map((name) => [name, null]));

/** Sends typed values; returns whether they were taken. Rejected ones stay for correction and do not count. */
async function sayTyped(field) {
  saying = true;
  const taken = await act("api/context", typed(), field);
  if (!taken) await inTurn((signal) => send("api/context", NOTHING_TYPED, signal).catch(() => {}));
  saying = false;
  return taken;
}

let previewing = false;

/** Shows the worth of unfinished input, without refusals. */
async function preview() {
  if (previewing) return;
  previewing = true;
  await inTurn((signal) => {
    previewing = false;
    return send("api/context", typed(), signal).catch(() => send("api/context", NOTHING_TYPED, signal)).catch(() => {});
  });
  previewing = false;
}

/** The ledger's table: the current deal, counters and sticks, the last deal, the worth of places. */
function showPlay() {
  const { table } = state;
  at("play").hidden = !table;
  if (!table) return;
  const dealer = table.players[table.dealer]?.name;
  const now = table.over ? capital(isOver(table)) : [dealNamed(table), t("{name} deals", { name: dealer }), ...onTable(table)].join(" · ");
  const last = table.last_deal;
  const moved = last && changes(last).map((points, player) => (points === "0" ? "" : `${table.players[player].name} ${amount(points, true)}`)).filter(Boolean);
  const places = [...table.players].sort((a, b) => (a.rank ?? 9) - (b.rank ?? 9)).filter((player) => player.placed);
  const lines = [
    now,
    last && [t("Last deal: {deal}", { deal: dealt(table, last) }), ...(moved.length ? [moved.join(", ")] : [])].join(" · "),
    leftover(table),
    ...places.map((player) => `${player.rank ?? "–"}. ${player.name} ${amount(player.standing)}: ${placed(player)}`),
  ];
  const steps = (table.last_deal_steps || []).flatMap((own) => explained(own, winds(last)));
  const open = at("play").querySelector("details")?.open;
  at("play").replaceChildren(...lines.filter(Boolean).map((text) => Object.assign(document.createElement("p"), { textContent: text })));
  if (steps.length) at("play").append(folded(t("How it is paid"), steps, open));
}

/** The names of those who sat at the winds of a deal. */
const winds = (deal) => Object.fromEntries((deal?.seats || []).map((wind, player) => [wind, state.table.players[player].name]));

/** Lines that are folded until somebody asks for them. */
function folded(title, lines, open = false) {
  const details = Object.assign(document.createElement("details"), { className: "steps", open });
  const list = document.createElement("ul");
  list.append(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  details.append(Object.assign(document.createElement("summary"), { textContent: title }), list);
  return details;
}

/** Whether the source of the hand that is read is lost. */
const lost = () => (state.sources || []).some((of) => of.state === "lost");

function showScore() {
  const { reading, phase, context = {}, moving, trouble } = state;
  const out = at("score");
  const open = out.querySelector("details")?.open;
  out.replaceChildren();
  const line = (text, name = "p") => {
    const element = document.createElement(name);
    element.textContent = text;
    out.append(element);
    return element;
  };
  if (trouble || reading?.trouble) line(trouble || reading.trouble).className = "loss";
  if (phase !== "watching") line(reading?.draw ? t("confirmed: a draw") : reading?.chombo ? t("confirmed: a chombo") : phase === "confirmed" ? t("confirmed") : t("rejected"), "span").className = "phase";
  if (state.also) line(t("Another winner on the same tile: say who, and show his hand.")).className = "soft";
  if (reading?.draw || reading?.chombo) return;
  if (state.stale && reading) line([lost() ? t("The camera is lost.") : t("The tiles have not been seen for a while."), viewed.hand ? t("They are marked as in doubt on the overlay.") : t("They are no longer on the overlay.")].join(" ")).className = "loss";
  if (state.doubtful && reading?.hand) line([lost() ? t("The camera is lost.") : t("Some of the tiles are covered or gone."), ...(viewed.hand?.doubtful ? [t("The overlay says that the hand is in doubt.")] : [])].join(" ")).className = "loss";
  if (moving) line(t("Something is moving; what lay there before is shown.")).className = "soft";
  if (state.discards_missed) line(`${capital(state.discards_missed)}.`).className = "loss";
  if (!reading) return;
  if (!reading.hand && !reading.score) {
    line(reading.refusal_said ? sentences(reading.refusal_said) : t("No hand lies there.")).className = "soft";
    return;
  }
  const claims = groups(reading.hand?.text).filter((group) => group.from);
  if (claims.length && context.win) {
    const giver = (side) => t(neighbour(context.seat, side, context) ?? "") || t("a side where nobody sits");
    line(claims.map((group) => t("{tile} from {name}", { tile: spoken(group.tiles.find((tile) => tile.sideways).code), name: giver(group.from) })).join(" · ")).className = "soft";
  }
  const score = reading.score;
  if (!score) return;
  if (!score.ok) {
    const refusal = line("");
    refusal.className = "loss";
    refusal.append(...withTiles([["No win: {why}", { why: score.message_said ?? score.message }]]));
    return;
  }
  const { unit, terms } = reading;
  if (score.faan !== undefined) {
    const [first, rest] = worth({ score, unit, terms, win: context.win });
    line(`${first} `, "h2").append(Object.assign(document.createElement("small"), { textContent: t(reading.rules_name) }));
    line([rest, ...(state.also ? [] : beside(score, unit))].filter(Boolean).join(" · "));
  }
  if (phase === "watching") line(t("Not on the overlay before it is confirmed.")).className = "soft";
  const pay = line("", "div");
  pay.className = "pay";
  for (const [seat, paid] of inOrder(score.payments)) {
    const part = document.createElement("span");
    part.textContent = `${context.names?.[seat] || t(seat)} ${amount(paid, true)}`;
    part.className = sign(paid);
    pay.append(part);
  }
  const items = line("", "ul");
  items.className = "items";
  for (const item of score.items) {
    const row = document.createElement("li");
    row.append(itemName(reading.item_names, item.id), Object.assign(document.createElement("b"), { textContent: inUnits(item.value, item.unit) }));
    items.append(row);
  }
  if (score.steps?.length) out.append(folded(t("How it is paid"), explained(score.steps, context.names), open));
}

/** Whether a source has had a picture at any time: the last one stays. */
const hasPictures = (of) => !!of && (!!of.timing || ["running", "ended"].includes(of.state));

let pictured = null;
let helped = "";

/** The photo that a phone asks to have shown, one after the other. */
function showAsks() {
  const [first] = state.asks || [];
  at("asks").hidden = !first;
  fill(at("asked-hand"), first ?? null, (ask) => (ask?.hand ? [drawn(ask.hand)] : [t("a photo without a hand")]));
}

let nextAsk = 0; // when a request was followed by another, at which a key for the first one may be aimed

const decide = (show) => {
  const [first] = state.asks || [];
  if (first && performance.now() - nextAsk > DEAF) act("api/ask", { photo: first.photo, show }, at("asks"));
};
at("yes").onclick = () => decide(true);
at("no").onclick = () => decide(false);

/** The state of OBS, if it is switched. */
function showObs() {
  const { obs } = state;
  at("obs").textContent = !obs ? "" : obs.why ? `OBS: ${obs.why}` : `OBS: ${HOW[obs.state] ?? obs.state}`;
  at("obs").className = obs?.why ? "loss" : "soft";
}

/** The help without a picture: the reason, and each way to get one. */
function showHelp({ state: how, name, why }) {
  const what = JSON.stringify([how, name, why]);
  if (what === helped) return;
  helped = what;
  const made = (kind, ...parts) => {
    const element = document.createElement(kind);
    element.append(...parts);
    return element;
  };
  const code = (text) => made("code", text);
  const link = (path) => Object.assign(made("a", path), { href: path, target: "_blank" });
  /** A sentence with elements in it, each at its `{name}`. */
  const said = (text, parts = {}) => made("li", ...text.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? parts[part] : part)));
  const title = { none: t("No camera is read"), lost: `${name}: ${why || t("no picture")}`, starting: t("{name} is starting …", { name }) }[how] || t("{name}: no picture yet", { name });
  const camera = how === "none" ? said(t("Read a camera: in the terminal, {live} in place of {serve}."), { live: code("tilelens live"), serve: code("tilelens serve") })
    : said(t("Plug the camera in, or close the program that has it: its picture then comes here by itself."));
  at("none").replaceChildren(made("h2", title), made("ol", camera,
    said(t("Another camera or a file: {cameras} lists the cameras; then {one} or {other}."), { cameras: code("tilelens cameras"), one: code("tilelens live --source camera:1"), other: code("tilelens live --source match.mp4") }),
    said(t("A photo: open {phone} here, or on a phone with {lan} and the code that is printed then."), { phone: link("phone"), lan: code("--lan") }),
    said(t("No picture at all: choose the winner and type what it was worth.")),
  ));
}

function show(now) {
  follows(now);
  // The seating may have changed: a started entry was for the deal before.
  if (now.table?.last_event !== state.table?.last_event) {
    for (const id of ["drawing", "faulting"]) at(id).hidden = true;
    fetchTable();
  }
  const [asked, asks] = [state.asks?.[0], now.asks?.[0]];
  if (asked && asks && asked.photo !== asks.photo) nextAsk = performance.now();
  state = now;
  viewed = onAir({ ...state, ...state.programme });
  if (![...tiles(), ...standing()].some((tile) => tile.id === chosen)) chosen = null;
  const { source: main = {}, timing } = state;
  const fps = timing?.fps ? ` · ${t("{count} frames a second", { count: timing.fps })}` : "";
  at("source").title = at("source").textContent = main.state === "none" ? t("no camera: send a photo from the phone page")
    : `${main.name}: ${HOW[main.state] ?? main.state}${main.why ? ` (${main.why})` : ""}${fps}`;
  // A photo stays as it is and is asked for when it changes; a camera's picture comes by itself.
  const picture = state.photo ? `frame.jpg?photo=${state.photo}` : hasPictures(state.sources?.[source]) ? `preview.mjpeg?source=${source}` : null;
  if (picture !== pictured) {
    pictured = picture;
    if (picture) at("preview").src = state.photo ? picture : `${picture}&${Date.now()}`;
    else at("preview").removeAttribute("src");
  }
  showHelp(main);
  showAsks();
  showObs();
  const doubts = state.reading?.hand?.doubts || [];
  at("doubts").replaceChildren(
    ...doubts.map((doubt) => {
      const item = document.createElement("li");
      item.append(...withTiles(doubt.said));
      if (doubt.tile !== null) {
        item.tabIndex = 0;
        item.onclick = item.onkeydown = (event) => (event.type === "click" || event.key === "Enter") && choose(doubt.tile);
      }
      return item;
    }),
  );
  const shown = state.sources?.[source];
  at("calibrate").hidden = !hasPictures(shown) || shown.shows === "standing" || !!state.photo;
  showEast(shown);
  at("profile").hidden = shown?.shows !== "table";
  at("profile").href = `api/table-profile?source=${source}`;
  at("draw").hidden = !state.table || state.phase === "confirmed" || !!state.also;
  at("fault").hidden = !state.table;
  at("result").hidden = !state.tournament;
  showConfirm();
  at("confirm").firstChild.textContent = `${state.amends ? t("Correct deal {number}", state.amends) : t("Confirm")} `;
  at("camera").classList.toggle("unused", main.state === "none" && !state.photo && (!!state.table || !!state.tournament));
  showPast();
  at("also").hidden = !state.table || state.phase !== "confirmed" || !state.context?.from || !!state.reading?.draw || !!state.reading?.chombo;
  if (at("draw").hidden) at("drawing").hidden = true;
  at("rules").disabled = !!state.table;
  at("reject").disabled = !state.reading || state.phase === "rejected";
  at("keeping").hidden = !state.tileset;
  if (state.tileset !== at("set").textContent) at("keep").checked = false; // asked again for another set
  at("set").textContent = state.tileset || "";
  at("undo").disabled = !state.can_undo;
  const undoes = undone(state.undoes);
  at("undoes").textContent = undoes && `: ${undoes}`;
  showHand();
  showBoxes();
  showPalette();
  showContext();
  showPlay();
  showScore();
  showSeats();
  showAir(state, viewed);
  const { reading, context } = state;
  const shows = reading?.hand && state.phase !== "confirmed";
  advise(shows ? { hand: reading.hand.text, tiles: reading.tiles, context, set: state.played } : null);
}

/** Confirm is the main button where there is something to confirm. */
function showConfirm() {
  const ends = state.table?.over && !state.amends && !state.also;
  at("confirm").classList.toggle("main", takes() && state.phase === "watching" && !!state.reading?.score?.ok && !ends);
}

const SAID = [
  [["hand", "worth", "payments"], t("what is typed")], [["win", "from"], t("how it was won")], [["seat"], t("who won")],
  [["names"], t("the names")], [["riichi_by"], t("who declared riichi")], [["rules", "rulings"], t("the rules")],
];

/** The decision that undo takes back, in few words. */
function undone(undoes) {
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
    tell: SAID.find(([names]) => names.some((name) => fields.includes(name)))?.[1] ?? fields[0]?.replaceAll("_", " ") ?? "",
  }[what] ?? "";
}

/** The ledger's deals; one that is being re-entered is highlighted. */
function showPast() {
  const what = JSON.stringify([wholeTable?.last_event, state.amends]);
  if (what === pastShown) return;
  pastShown = what;
  amending(at("amending"), wholeTable, state.amends, act);
  const focused = document.activeElement?.dataset.event;
  past(at("past"), at("deals"), wholeTable, state.amends, act);
  if (focused) at("deals").querySelector(`[data-event="${focused}"]`)?.focus();
}

let pastShown = "";

/** States hold the last deal alone. */
async function fetchTable() {
  const answer = await fetch("api/table").catch(() => null);
  wholeTable = answer?.ok ? await answer.json() : wholeTable;
  showPast();
}

// Four clicks on the picture, from its upper left corner clockwise.
at("mark").onclick = () => {
  const of = source; // its picture is the one that is marked
  marked(at("preview"), at("boxes"), {
    hint: (text) => (at("marking").textContent = text),
    done: (picture, corners) => act("api/table-profile", { source: of, picture, corners, east: at("east").value }),
  });
};

at("context").addEventListener("change", ({ target }) => {
  const { name, value } = target;
  const say = (words) => act("api/context", words, target);
  if (target === at("as")) {
    showAs();
    sayTyped(target);
    at("said").querySelector("[data-as]:not([hidden]) input").focus();
  } else if (at("said").contains(target)) {
    if (!entering) sayTyped(target);
  } else if (name === "seat") chooseWinner(value);
  else if (name === "how") chooseHow(value);
  else if (name === "robbed") say({ win: target.checked ? "rob_kong" : "discard" });
  else if (!name) return;
  else if (name === "riichi_by") {
    const declared = ticked(at("declared"));
    say({ riichi_by: declared.length ? declared : null, riichi: null });
  } else if ("ESWN".includes(name) && name.length === 1) {
    say({ names: { ...(state.context?.names || {}), [name]: value } });
  } else say({ [name]: sentAs(target) });
});
at("context").addEventListener("submit", (event) => event.preventDefault());

let picking = "seat"; // whether the next digit chooses the winner or the way of winning
let picked = ""; // the winner that was chosen, before the server says so
let entering = false;

/** Chooses the winner; the way of winning is cleared if it was another's. */
function chooseWinner(seat) {
  picking = "how";
  picked = seat;
  const { context } = state;
  return act("api/context", { seat, ...(context.from === seat && { win: null, from: null }) }, at("who"));
}

/** Chooses the way of winning; then the worth is typed, if no hand is shown. */
function chooseHow(value) {
  picking = "seat";
  const [win, from] = value.split(":");
  const said = act("api/context", { win, from: from || null }, at("by"));
  if (!tiles().length && !standing().length) at("said").querySelector("[data-as]:not([hidden]) input").select();
  return said;
}

at("said").addEventListener("input", ({ target }) => target !== at("as") && preview());
// One key enters the typed values.
at("said").addEventListener("keydown", async (event) => {
  if (event.key === "Escape" && event.target !== at("as") && event.target.value !== asItWas) {
    event.target.value = asItWas;
    preview();
  }
  if (event.key !== "Enter" || event.target === at("as")) return;
  event.preventDefault();
  event.stopPropagation();
  const field = event.target;
  entering = true;
  field.blur();
  entering = false;
  const empty = Object.values(typed()).every((said) => said === null);
  if (empty || (await sayTyped(field))) act("api/confirm");
});
for (const [id, press] of [["confirm", () => act("api/confirm")], ["reject", () => act("api/reject")], ["next", () => act("api/next")], ["undo", undo], ["also", () => act("api/also")]]) {
  at(id).onclick = () => {
    if (!takes()) return;
    picking = "seat";
    if (id === "next") for (const input of at("said").querySelectorAll("input")) input.value = "";
    press();
  };
}

keepFolds();
at("help").onclick = () => at("keys").showModal();
const open = (form, opens) => {
  for (const id of ["drawing", "faulting", "resulting"]) at(id).hidden = true;
  opens();
  form.scrollIntoView({ block: "nearest" });
};
at("draw").onclick = () => (asksOfDraw(state.played.draw) ? open(at("drawing"), () => openDrawing(state.played.draw, state.context)) : act("api/draw"));
at("fault").onclick = () => open(at("faulting"), () => openFaulting(state.played, state.context, seatedNow()));
/** The seating of the current deal. */
const seatedNow = () => Object.fromEntries(state.table.players.map(({ seat, name }) => [seat, name]));
at("result").onclick = () => open(at("resulting"), openResulting);

let asItWas = ""; // the earlier value of the focused field
document.addEventListener("focusin", ({ target }) => (asItWas = target.matches(FIELD) ? target.value : ""));
// A clicked element does not keep the focus, so that Enter confirms.
let byPointer = false;
document.addEventListener("pointerdown", () => (byPointer = true), true);
document.addEventListener("keydown", () => (byPointer = false), true);
document.addEventListener("click", ({ target }) => byPointer && target.closest("summary, input[type=checkbox], input[type=radio], #foot > div > button, #air button")?.blur());

/** Esc leaves a question, a form, a changed field or a chosen tile. */
function leave(target) {
  const form = target.closest(".entry") || openForm();
  if (!at("asked").hidden) at("asked").querySelector("button:last-child").click();
  else if (target.matches(FIELD) && !target.closest(".entry")) {
    target.value = asItWas;
    target.blur();
  } else if (form) form.querySelector(".close").click();
  else if (target.matches("input")) target.blur();
  else choose(null);
}

/** The form that is open, to which the keys belong. */
const openForm = () => document.querySelector(".entry:not([hidden])");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (at("keys").open) {
    if (event.key === "?") at("keys").close();
    return;
  }
  if (event.key === "Escape") return leave(event.target);
  if (event.target.closest(".entry, #advice, #asked")) return; // they have keys of their own
  if (event.target.matches(FIELD)) {
    if (event.key === "Enter" && !event.target.matches("select")) event.target.blur(); // sends its value
    return;
  }
  if (event.target.matches("summary") && ["Enter", " "].includes(event.key)) return; // it folds
  // Enter ticks the box or presses the button that the keyboard has come to.
  if (event.key === "Enter" && event.target.matches("input[type=checkbox], input[type=radio]:not(:checked)")) {
    event.preventDefault();
    return event.target.click();
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isPage = !["BUTTON", "LI", "A"].includes(event.target.tagName);
  if (openForm()) {
    if (key === "Enter" && isPage) return openForm().querySelector(".main").click();
    return openForm().dispatchEvent(new KeyboardEvent("keydown", { key }));
  }
  // A key that is held down decides once.
  if (!takes() || (event.repeat && !key.startsWith("Arrow"))) return event.preventDefault();
  const order = ofHand().map((tile) => tile.id);
  if ((key === "ArrowRight" || key === "ArrowLeft") && order.length) {
    const step = key === "ArrowRight" ? 1 : -1;
    const place = order.indexOf(chosen);
    choose(order[place < 0 ? (step > 0 ? 0 : order.length - 1) : (place + step + order.length) % order.length]);
  } else if (/^[0-9]$/.test(key) && chosen !== null) digit = key;
  else if (/^[1-4]$/.test(key)) {
    const wind = WINDS[key - 1];
    if (!at("who").querySelector(`[value=${wind}]`)) return;
    if (picking === "seat") chooseWinner(wind);
    else chooseHow(wind === picked ? "self_draw" : `discard:${wind}`);
  }
  else if (/^[mpszf]$/.test(key) && digit && chosen !== null) {
    correct(digit + key);
    digit = "";
  } else if (key === "Delete" || key === "Backspace") correct(null);
  else if (key === "Enter" && isPage) at("confirm").click();
  else if (key === "x") at("reject").click();
  else if (key === "n") at("next").click();
  else if (key === "u") at("undo").click();
  else if (key === "y" || key === "k") decide(key === "y");
  else if (key === "?") at("help").click();
  else if (key === "t") at("said").querySelector("[data-as]:not([hidden]) input").select();
  else if (key === "e" && state.table && state.played?.discards) {
    // After fast typing the answer that shows this field may not have arrived.
    const { tile: earlier } = at("context").elements;
    earlier.selectedIndex = (earlier.selectedIndex + 1) % earlier.length;
    earlier.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (key === "l") at("least").select();
  else if (key === "m") {
    at("unsure").selectedIndex = 1 - at("unsure").selectedIndex;
    at("unsure").dispatchEvent(new Event("change"));
  } else if (["o", "h", "a"].includes(key)) at({ o: "put", h: "take", a: "auto" }[key]).click();
  else if (["d", "f", "r", "w"].includes(key)) {
    const button = at({ d: "draw", f: "fault", r: "result", w: "also" }[key]);
    if (!button.hidden) button.click();
  }
  else return;
  event.preventDefault();
});

const { rules } = await (await fetch("api/rules")).json();
sets = rules;
at("rules").replaceChildren(...rules.map((set) => new Option(t(set.name), set.id)));
at("preview").onerror = () => setTimeout(() => (pictured = null), 2000);
listen(() => {
  declaredShown = "";
  showContext(); // rejected values do not stay in the form
});
follow(show, (is) => {
  connected(is);
  if (is) return;
  pictured = null; // the stream of pictures has broken off as well
  at("source").title = at("source").textContent = "";
  showConfirm();
});
