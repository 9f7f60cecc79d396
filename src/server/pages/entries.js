// Entries other than hands at a ledger's table: draws and faults. The rule set decides which fields they need.
import { WINDS } from "./hand.js";
import { all, fieldsOf, made, one, target } from "./kit.js";
import { t } from "./lang.js";
import { capital } from "./words.js";

/** Boxes to tick, one for each player.
 *  @param {string} name
 *  @param {{ players?: number, names?: Partial<Record<Wind, string>>, ticked?: Wind[] }} players */
export function boxes(name, { players = 4, names = {}, ticked = [] }) {
  return WINDS.slice(0, players).map((wind) => {
    const box = made("input", { type: "checkbox", name, value: wind, checked: ticked.includes(wind) });
    return made("label", "", box, ` ${[t(wind), names[wind]].filter(Boolean).join(" ")}`);
  });
}

/** The winds that are ticked in a group of boxes. @param {HTMLElement} group */
export const ticked = (group) => all(group, "input:checked").map((box) => /** @type {Wind} */ (box.value));

/** @param {HTMLElement} group */
const legend = (group) => one(group, "legend");

/** Whether a draw has fields. @param {DrawAsks} asks */
export const asksOfDraw = ({ tenpai, nagashi, abortive }) => tenpai || nagashi || abortive.length > 0;

/** The faults at a table and where they are entered: void deals, penalties, and faults that end a player's deal or
 *  evening. A fault without a price in the rule set is entered with its points.
 *  @param {Partial<RuleSet>} rules
 *  @returns {{ id: string, about: string, path: string, kind: string, points?: number | null, paid?: boolean }[]} */
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
 *  box, and writes elsewhere.
 *  @param {HTMLFormElement} form
 *  @param {(place: number, field: Field) => unknown} choose */
function keys(form, choose) {
  form.addEventListener("keydown", (event) => {
    const { key } = event;
    const field = target(event);
    if (event.ctrlKey || event.metaKey || event.altKey || field.matches("input:not([type=checkbox])")) return;
    if (/^[1-4]$/.test(key)) choose(Number(key) - 1, field);
    else if (key === "Enter" && field.matches("input")) field.click();
    else if (key === "Enter" && field.matches("select")) form.requestSubmit();
    else return;
    event.preventDefault();
  });
}

/** Opens a form at its first field. @param {HTMLFormElement} form */
function opened(form) {
  form.hidden = false;
  all(form, "select, input, button").find((one) => one.checkVisibility() && !one.disabled)?.focus();
}

/** Ticks boxes that so have to stay, as a player in riichi is tenpai, and gives the others back to be ticked.
 *  @param {HTMLElement} group
 *  @param {Wind[]} [winds] */
export function fix(group, winds = []) {
  for (const box of all(group, "input")) {
    const isFixed = winds.some((wind) => wind === box.value);
    if (box.disabled !== isFixed) Object.assign(box, { checked: isFixed, disabled: isFixed });
  }
}

/** The form of a draw: what opens it, and what follows who has declared riichi, which may come after the form was opened;
 *  `act(path, words, form)` sends it and gives whether it was taken.
 *  @param {HTMLFormElement} form
 *  @param {Act} act */
export function drawing(form, act) {
  const { abortive } = fieldsOf(form);
  const [tenpai, nagashi] = ["tenpai", "nagashi"].map((id) => one(form, `#${id}`));
  /** @type {DrawAsks} */
  let asks = { tenpai: false, nagashi: false, abortive: [] };
  const showAsked = () => {
    tenpai.hidden = !asks.tenpai || !!abortive.value;
    nagashi.hidden = !asks.nagashi || !!abortive.value;
  };
  abortive.onchange = showAsked;
  keys(form, (place, field) => {
    const group = nagashi.contains(field) ? nagashi : [tenpai, nagashi].find(({ hidden }) => !hidden);
    if (group) all(group, "input")[place]?.click();
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
  one(form, ".close").onclick = () => (form.hidden = true);
  /** @param {Context} context */
  const follow = ({ riichi_by: declared }) => fix(tenpai, declared);
  /** @param {DrawAsks} draw
   *  @param {Context} context */
  const open = (draw, context) => {
    const { players, names } = context;
    asks = draw;
    abortive.replaceChildren(new Option(t("the end of the wall"), ""), ...draw.abortive.map(({ id, about }) => new Option(t(about), id)));
    /** @type {HTMLElement} */ (abortive.parentElement).hidden = !draw.abortive.length;
    tenpai.replaceChildren(legend(tenpai), ...boxes("tenpai", { players, names }));
    follow(context);
    nagashi.replaceChildren(legend(nagashi), ...boxes("nagashi", { players, names }));
    showAsked();
    opened(form);
  };
  return { open, follow };
}

/** The form of a fault, made ready to be filled in.
 *  @param {HTMLFormElement} form
 *  @param {Act} act */
export function faulting(form, act) {
  const { cause, seat, points, note } = fieldsOf(form);
  const fines = one(form, "#fines");
  /** @type {ReturnType<typeof faults>} */
  let known = [];
  /** @type {{ players: number, names: Partial<Record<Wind, string>>, now: Partial<Record<Wind, string>> }} */
  let seats = { players: 4, names: {}, now: {} }; // who sits where in the deal that is shown, and now
  const chosen = () => known[cause.selectedIndex];
  const showCost = () => {
    // A void deal may be an earlier one; any other fault is one of the deal that is being played.
    const { players, names, now } = seats;
    const sits = chosen()?.path === "api/chombo" ? names : now;
    const was = seat.value;
    seat.replaceChildren(...WINDS.slice(0, players).map((wind) => new Option([t(wind), sits[wind]].filter(Boolean).join(" "), wind)));
    if (was) seat.value = was;
    /** @type {HTMLElement} */ (points.parentElement).hidden = chosen()?.path !== "api/penalty";
    points.placeholder = String(chosen()?.points ?? "");
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
  one(form, ".close").onclick = () => (form.hidden = true);
  return (/** @type {RuleSet} */ set, /** @type {Context} */ { players = 4, names = {} }, /** @type {typeof seats["now"]} */ now) => {
    known = faults(set);
    seats = { players, names, now };
    cause.replaceChildren(...known.map(({ kind, about }, place) => new Option(`${capital(kind)}: ${t(about)}`, String(place))));
    seat.value = "";
    fines.replaceChildren(legend(fines), ...paidFields({ players, names }));
    note.value = "";
    showCost();
    opened(form);
  };
}

/** A field for what each player received, or paid; or for another amount of each.
 *  @param {{ players?: number, names?: Partial<Record<Wind, string>> }} players
 *  @param {string} [kind] */
export function paidFields({ players = 4, names = {} }, kind = "paid") {
  return WINDS.slice(0, players).map((wind) =>
    made("label", "", `${names[wind] || t(wind)} `, made("input", { type: "text", size: 5, name: `${kind}${wind}`, autocomplete: "off" })));
}

/** What is filled in there, by wind.
 *  @param {HTMLElement} group
 *  @returns {Amounts} */
export const amounts = (group) => Object.fromEntries(
  all(group, "input").map(({ name, value }) => [name.at(-1), value.trim()]).filter(([, amount]) => amount));
