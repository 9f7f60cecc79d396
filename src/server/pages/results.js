// A result from paper, for the tournament in the ledger.
import { WINDS, amount } from "./hand.js";
import { all, fieldsOf, made, one } from "./kit.js";
import { t } from "./lang.js";

/** The form, made ready to be filled in; `act(path, words, form)` sends it and gives the answer, or null.
 *  @param {HTMLFormElement} form
 *  @param {Act} act */
export function resulting(form, act) {
  const { round, table, taken } = fieldsOf(form);
  const finals = one(form, "#finals");
  const retract = one(form, "#retract");
  /** @type {Results} */
  let known = { starting_points: 0, rounds: [] }; // the seating and the results so far
  const tables = () => known.rounds[Number(round.value) - 1] ?? [];
  const at = () => ({ round: Number(round.value), table: Number(table.value) });

  /** @param {string} name
   *  @param {string} label
   *  @param {object} more */
  const field = (name, label, more) => made("label", "", `${label} `, made("input", { type: "text", name, autocomplete: "off", ...more }));
  const showTable = () => {
    const now = tables()[Number(table.value) - 1];
    const fields = (now?.players ?? []).map((name, place) => made("div", "final",
      field(WINDS[place], `${t(WINDS[place])} ${name}`, { size: 8, placeholder: String(known.starting_points), value: now?.points ? amount(now.points[place]) : "" }),
      ...(known.handicap ? [field(`won${WINDS[place]}`, t("won"), { size: 2, inputMode: "numeric" })] : []),
    ));
    finals.replaceChildren(one(finals, "legend"), ...fields);
    const done = !!now?.points;
    for (const input of all(finals, "input")) input.disabled = done;
    one(form, "button.main").disabled = done || !now;
    retract.hidden = !done || now?.in_ledger !== null;
    taken.value = "";
  };
  const showRound = () => {
    table.replaceChildren(...tables().map(({ players, points }, place) => new Option(`${place + 1}: ${players.join(", ")}${points ? " ✓" : ""}`, String(place + 1))));
    const open = tables().findIndex(({ points }) => !points);
    table.value = String(open < 0 ? 1 : open + 1);
    showTable();
  };
  /** @param {Results} answer */
  const show = (answer) => {
    known = answer;
    const open = known.rounds.findIndex((round) => round.some(({ points }) => !points));
    const was = round.value;
    round.replaceChildren(...known.rounds.map((_, place) => new Option(String(place + 1), String(place + 1))));
    round.value = was && known.rounds[Number(was) - 1]?.some(({ points }) => !points) ? was : String(open < 0 ? 1 : open + 1);
    showRound();
    all(finals, "input:not(:disabled)")[0]?.focus();
  };
  round.onchange = showRound;
  table.onchange = showTable;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const points = Object.fromEntries(WINDS.map((seat) => [seat, fieldsOf(form)[seat].value]));
    const wins = WINDS.map((seat) => [seat, fieldsOf(form)[`won${seat}`]?.value.trim()]).filter(([, won]) => won);
    const words = { ...at(), points, wins: Object.fromEntries(wins.map(([seat, won]) => [seat, Number(won)])), taken: taken.value };
    const answer = await act("api/result", words, form);
    if (answer) show(answer);
  };
  retract.onclick = async () => {
    const answer = await act("api/result", at(), form);
    if (answer) show(answer);
  };
  one(form, ".close").onclick = () => (form.hidden = true);
  return async () => {
    form.hidden = false;
    show(await (await fetch("api/result")).json());
  };
}
