// Entries other than hands at a ledger's table: draws and faults. The rule set decides which fields they need.
import { t } from "./lang.js";
import { capital } from "./words.js";

const SEATS = ["E", "S", "W", "N"];

/** Boxes to tick, one for each player; `fixed` are ticked and stay so. */
export function boxes(name, { players = 4, names = {}, ticked = [], fixed = [] }) {
  return SEATS.slice(0, players).map((wind) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name, value: wind });
    box.checked = ticked.includes(wind) || fixed.includes(wind);
    box.disabled = fixed.includes(wind);
    label.append(box, ` ${[t(wind), names[wind]].filter(Boolean).join(" ")}`);
    return label;
  });
}

/** The winds that are ticked in a group of boxes. */
export const ticked = (group) => [...group.querySelectorAll("input:checked")].map((box) => box.value);

const legend = (group) => group.querySelector("legend");

/** Whether a draw has fields. */
export const asksOfDraw = ({ tenpai, nagashi, abortive }) => tenpai || nagashi || abortive.length > 0;

/** The faults at a table and where they are entered: void deals, penalties, and faults that end a player's deal or
 *  evening. A fault without a price in the rule set is entered with its points. */
export const faults = ({ chombo, penalties, dead_hands: dead = [], void_claims: claims = [] }) => [
  ...(chombo || []).map((of) => ({ ...of, path: "api/chombo", kind: t("chombo") })),
  ...(chombo && !chombo.length ? [{ id: "", about: t("a fault"), path: "api/chombo", kind: t("chombo") }] : []),
  ...(penalties?.length ? penalties : [{ id: "", about: t("points off") }]).map((of) => ({ ...of, path: "api/penalty", kind: t("penalty") })),
  ...dead.map((of) => ({ ...of, path: "api/dead-hand", kind: t("dead hand") })),
  ...claims.map((of) => ({ ...of, path: "api/void-claim", kind: t("void claim") })),
  ...(chombo ? [] : [{ id: "", about: t("paid to the others"), path: "api/chombo", kind: t("chombo"), paid: true }]),
  { id: "", about: t("for the evening"), path: "api/disqualify", kind: t("disqualified") },
];

/** The keys of a form: 1 to 4 call `choose(place, field)` with the player's place and the field that the key came from; Enter ticks a
 *  box, and writes elsewhere. */
function keys(form, choose) {
  form.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input:not([type=checkbox])")) return;
    if (/^[1-4]$/.test(key)) choose(key - 1, target);
    else if (key === "Enter" && target.matches("input")) target.click();
    else if (key === "Enter" && target.matches("select")) form.requestSubmit();
    else return;
    event.preventDefault();
  });
}

/** Opens a form at its first field. */
function opened(form) {
  form.hidden = false;
  [...form.querySelectorAll("select, input, button")].find((one) => one.checkVisibility() && !one.disabled).focus();
}

/** The form of a draw, made ready to be filled in; `act(path, words, form)` sends it and gives whether it was taken. */
export function drawing(form, act) {
  const { abortive } = form.elements;
  const [tenpai, nagashi] = ["tenpai", "nagashi"].map((id) => form.querySelector(`#${id}`));
  let asks = null;
  const showAsked = () => {
    tenpai.hidden = !asks.tenpai || !!abortive.value;
    nagashi.hidden = !asks.nagashi || !!abortive.value;
  };
  abortive.onchange = showAsked;
  keys(form, (place, field) => {
    const group = nagashi.contains(field) ? nagashi : [tenpai, nagashi].find(({ hidden }) => !hidden);
    group?.querySelectorAll("input")[place]?.click();
  });
  form.onsubmit = async (event) => {
    event.preventDefault();
    const paid = !abortive.value;
    const words = {
      ...(asks.tenpai && paid && { tenpai: ticked(tenpai) }),
      ...(asks.nagashi && paid && { nagashi: ticked(nagashi) }),
      ...(!paid && { abortive: abortive.value }),
    };
    if (await act("api/draw", words, form)) form.hidden = true;
  };
  form.querySelector("button[type=button]").onclick = () => (form.hidden = true);
  return (draw, { players, names, riichi_by: fixed }) => {
    asks = draw;
    abortive.replaceChildren(new Option(t("the end of the wall"), ""), ...draw.abortive.map(({ id, about }) => new Option(t(about), id)));
    abortive.parentElement.hidden = !draw.abortive.length;
    // A player in riichi is tenpai.
    tenpai.replaceChildren(legend(tenpai), ...boxes("tenpai", { players, names, fixed }));
    nagashi.replaceChildren(legend(nagashi), ...boxes("nagashi", { players, names }));
    showAsked();
    opened(form);
  };
}

/** The form of a fault, the same way. */
export function faulting(form, act) {
  const { cause, seat, points, note } = form.elements;
  const fines = form.querySelector("#fines");
  let known = [];
  let seats = {}; // who sits where in the deal that is shown, and now
  const chosen = () => known[cause.selectedIndex];
  const showCost = () => {
    // A void deal may be an earlier one; any other fault is one of the deal that is being played.
    const { players, names, now } = seats;
    const sits = chosen()?.path === "api/chombo" ? names : now;
    const was = seat.value;
    seat.replaceChildren(...SEATS.slice(0, players).map((wind) => new Option([t(wind), sits[wind]].filter(Boolean).join(" "), wind)));
    if (was) seat.value = was;
    points.parentElement.hidden = chosen()?.path !== "api/penalty";
    points.placeholder = chosen()?.points ?? "";
    points.value = "";
    fines.hidden = !chosen()?.paid;
  };
  cause.onchange = showCost;
  keys(form, (place) => {
    if (seat.options[place]) seat.selectedIndex = place;
  });
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { path, id, paid } = chosen();
    const cost = points.value.trim();
    const words = {
      seat: seat.value, ...(id && { cause: id }), ...(cost && { points: Number(cost) }), ...(note.value.trim() && { note: note.value.trim() }),
      ...(paid && { payments: amounts(fines) }),
    };
    if (await act(path, words, form)) form.hidden = true;
  };
  form.querySelector("button[type=button]").onclick = () => (form.hidden = true);
  return (set, { players = 4, names = {} }, now) => {
    known = faults(set);
    seats = { players, names, now };
    cause.replaceChildren(...known.map(({ kind, about }, place) => new Option(`${capital(kind)}: ${t(about)}`, place)));
    seat.value = "";
    fines.replaceChildren(legend(fines), ...paidFields({ players, names }));
    note.value = "";
    showCost();
    opened(form);
  };
}

/** A field for what each player received, or paid. */
export function paidFields({ players = 4, names = {} }) {
  return SEATS.slice(0, players).map((wind) => {
    const label = document.createElement("label");
    label.append(`${names[wind] || t(wind)} `, Object.assign(document.createElement("input"), { type: "text", size: 5, name: `paid${wind}`, autocomplete: "off" }));
    return label;
  });
}

/** What is filled in there, by wind. */
export const amounts = (group) => Object.fromEntries(
  [...group.querySelectorAll("input")].map(({ name, value }) => [name.at(-1), value.trim()]).filter(([, amount]) => amount));
