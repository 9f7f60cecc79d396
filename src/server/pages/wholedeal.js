// A whole deal where play goes on after a win: wins, kongs and false wins in their order, then what each player had at the end of
// the wall who had not won. Which of that a rule set asks for, and what it pays, the server says.
import { WINDS } from "./hand.js";
import { all, button, made, one } from "./kit.js";
import { isolated, t } from "./lang.js";
import { wonHow } from "./words.js";

/** What happens in a deal: a win, a kind of kong, a false win. */
const KINDS = ["win", "concealed", "claimed", "added", "false"];
/** What may be said of a kong besides. */
const NOTES = ["", "late", "robbed", "shot"];
/** The giver of another win on the tile of the win before. */
const SAME = "same";

/** @typedef {{ kind: string, who: Wind, from: string, fan: string, note: string }} Happened */

/** A happening as it is sent. @param {Happened} of */
function event({ kind, who, from, fan, note }, same = false) {
  const [win, giver] = from.split(":");
  if (kind === "win") return { win: { seat: who, win, ...(giver && { from: giver }), worth: fan }, ...(same && { same }) };
  if (kind === "false") return { false_win: who };
  return { kong: kind, seat: who, ...(kind === "claimed" && { from: giver }), ...(note && { [note]: true }) };
}

/** All of them as they are sent. @param {Happened[]} happened */
function events(happened) {
  let from = "";
  return happened.map((of) => {
    const same = of.from === SAME;
    if (!same) from = of.from;
    return event({ ...of, from }, same);
  });
}

/** A field to choose in. @param {string} name @param {string} label */
const choice = (name, label) => made("select", { name, ariaLabel: label });

/** @param {string} name @param {string} label */
const number = (name, label) => made("input", { type: "number", name, min: 0, max: 99, ariaLabel: label, placeholder: t("fan") });

/** The part of the form for what each player had at the end of the wall. */
function ending() {
  const group = made("fieldset", "", made("legend", "", t("At the end of the wall")));
  const holdings = [["", "–"], ["not", t("is not ready")], ["ready", t("is ready")], ["pig", t("has his missing suit")]];
  const asked = () => all(group, "label").filter(({ hidden }) => !hidden);

  /** What a player had; undefined where nothing is said. @param {HTMLElement} line */
  function had(line) {
    const [holding, worth] = [one(line, "select").value, one(line, "input").value];
    return { ready: { ready: worth }, not: { ready: false }, pig: { pig: true } }[holding];
  }

  /** @param {Wind} wind @param {string} name */
  function line(wind, name) {
    const worth = Object.assign(number(`worth${wind}`, t("What {name}’s hand is worth", { name })), { hidden: true });
    const holding = Object.assign(choice(`had${wind}`, name), { onchange: () => (worth.hidden = holding.value !== "ready") });
    holding.replaceChildren(...holdings.map(([value, text]) => new Option(text, value)));
    const label = made("label", "", `${name} `, holding, worth);
    label.dataset.seat = wind;
    return label;
  }

  /** Asks for each of these players. @param {[Wind, string][]} players */
  const begin = (players) => group.replaceChildren(one(group, "legend"), ...players.map(([wind, name]) => line(wind, name)));
  /** Asks for those alone who are still playing. @param {Wind[]} playing */
  const ask = (playing) => all(group, "label").forEach((label) => (label.hidden = !playing.some((wind) => wind === label.dataset.seat)));
  /** What is said, by winds. @returns {Record<string, object>} */
  const said = () => Object.fromEntries(asked().flatMap((label) => (had(label) ? [[label.dataset.seat, had(label)]] : [])));
  return { group, begin, ask, said };
}

/** Makes a form in which a whole deal is entered, and returns what begins with another deal of these players.
 *  @param {HTMLFormElement} form
 *  @param {(whole: { deal: object[], end: Record<string, object> }) => unknown} enter */
export function wholeDeal(form, enter) {
  /** @type {Happened[]} */
  let happened = [];
  /** @type {Partial<Record<Wind, string>>} */
  let names = {};
  /** @param {string} wind */
  const name = (wind) => isolated(names[/** @type {Wind} */ (wind)] || t(wind));
  const [kind, who, from, note] = [choice("kind", t("What happened")), choice("who", t("Who")), choice("from", t("From")), choice("note", t("Of the kong"))];
  const fan = number("fan", t("fan"));
  const [list, end] = [made("ol"), ending()];
  /** @type {Record<string, string>} */
  const kinds = { win: t("a win"), concealed: t("a concealed kong"), claimed: t("a kong of a discard"), added: t("an added kong"), false: t("a false win") };
  /** @type {Record<string, string>} */
  const notes = { "": t("paid"), late: t("later"), robbed: t("robbed"), shot: t("won on the discard after it") };
  const playing = () => WINDS.filter((wind) => names[wind] !== undefined && !happened.some((of) => of.kind === "win" && of.who === wind));

  /** What happened, in words. @param {Happened} of */
  function words({ kind, who, from, fan, note }) {
    const [win, giver] = from.split(":");
    const said = note ? ` (${notes[note]})` : "";
    if (kind === "win") return `${name(who)} ${from === SAME ? t("on the same tile") : wonHow(/** @type {WonBy} */ (win), giver ? name(giver) : "", null)?.join("")}, ${fan} ${t("fan")}`;
    if (kind === "concealed") return t("{name}’s concealed kong", { name: name(who) }) + said;
    if (kind === "claimed") return t("{name}’s kong of {giver}’s discard", { name: name(who), giver: name(giver) }) + said;
    return (kind === "added" ? t("{name}’s added kong", { name: name(who) }) : t("{name}’s false win", { name: name(who) })) + said;
  }

  /** The givers from which a player can win or claim. */
  function givers() {
    const others = playing().filter((wind) => wind !== who.value);
    const discards = others.map((wind) => new Option(t("on {name}’s discard", { name: name(wind) }), `discard:${wind}`));
    if (kind.value === "claimed") return discards;
    const { kind: last, from: giver } = happened.at(-1) ?? {};
    const same = last === "win" && giver !== "self_draw" ? [new Option(t("on the same tile"), SAME)] : [];
    const robbed = others.map((wind) => new Option(t("robbing {name}’s kong", { name: name(wind) }), `rob_kong:${wind}`));
    return [...same, ...discards, new Option(t("by {how}", { how: t("self-draw") }), "self_draw"), ...robbed];
  }

  /** Fits the fields to what is chosen. */
  function fit() {
    const [mine, theirs] = [who.value, from.value];
    who.replaceChildren(...playing().map((wind) => new Option(name(wind), wind)));
    if (playing().some((wind) => wind === mine)) who.value = mine;
    from.replaceChildren(...givers());
    if ([...from.options].some(({ value }) => value === theirs)) from.value = theirs;
    from.hidden = !["win", "claimed"].includes(kind.value);
    fan.hidden = kind.value !== "win";
    note.hidden = !["concealed", "claimed", "added"].includes(kind.value);
  }

  /** Shows what has happened, and asks for what the others had at the end. */
  function show() {
    list.replaceChildren(...happened.map((of, place) => made("li", "", `${words(of)} `, button("×", () => {
      happened.splice(place);
      show();
    }))));
    end.ask(playing());
    fit();
  }

  const add = button(t("Add"), () => {
    if (!who.value || (kind.value === "win" && !fan.value)) return fan.focus();
    happened.push({ kind: kind.value, who: /** @type {Wind} */ (who.value), from: from.hidden ? "" : from.value, fan: fan.value, note: note.hidden ? "" : note.value });
    [fan.value, note.value] = ["", ""];
    return show();
  });
  kind.replaceChildren(...KINDS.map((of) => new Option(kinds[of], of)));
  note.replaceChildren(...NOTES.map((of) => new Option(notes[of], of)));
  kind.onchange = who.onchange = fit;
  form.replaceChildren(list, made("div", "choices", kind, who, from, fan, note, add), end.group, made("button", "main", t("Write the deal")));
  form.onsubmit = (submitted) => {
    submitted.preventDefault();
    enter({ deal: events(happened), end: end.said() });
  };
  /** @param {Partial<Record<Wind, string>>} of */
  return (of) => {
    [happened, names, kind.value] = [[], of, KINDS[0]];
    end.begin(WINDS.flatMap((wind) => (of[wind] === undefined ? [] : [[wind, name(wind)]])));
    show();
  };
}
