// A result from paper, for the tournament in the ledger.
import { amount } from "./hand.js";
import { t } from "./lang.js";

const SEATS = ["E", "S", "W", "N"];

/** The form, made ready to be filled in; `act(path, words, form)` sends it and gives the answer, or null. */
export function resulting(form, act) {
  const { round, table, taken } = form.elements;
  const finals = form.querySelector("#finals");
  const retract = form.querySelector("#retract");
  let known = null; // the seating and the results so far
  const tables = () => known.rounds[round.value - 1] || [];
  const at = () => ({ round: Number(round.value), table: Number(table.value) });

  const field = (name, label, more) => {
    const input = Object.assign(document.createElement("input"), { type: "text", name, autocomplete: "off", ...more });
    const element = document.createElement("label");
    element.append(`${label} `, input);
    return element;
  };
  const inRow = (...fields) => {
    const row = Object.assign(document.createElement("div"), { className: "final" });
    row.append(...fields);
    return row;
  };
  const showTable = () => {
    const now = tables()[table.value - 1];
    const fields = (now?.players || []).map((name, place) => inRow(
      field(SEATS[place], `${t(SEATS[place])} ${name}`, { size: 8, placeholder: String(known.starting_points), value: now.points ? amount(now.points[place]) : "" }),
      ...(known.handicap ? [field(`won${SEATS[place]}`, t("won"), { size: 2, inputMode: "numeric" })] : []),
    ));
    finals.replaceChildren(finals.firstElementChild, ...fields);
    const done = !!now?.points;
    for (const input of finals.querySelectorAll("input")) input.disabled = done;
    form.querySelector("button.main").disabled = done || !now;
    retract.hidden = !done || now.in_ledger !== null;
    taken.value = "";
  };
  const showRound = () => {
    const label = ({ players, points }, place) => new Option(`${place + 1}: ${players.join(", ")}${points ? " ✓" : ""}`, place + 1);
    table.replaceChildren(...tables().map(label));
    const open = tables().findIndex(({ points }) => !points);
    table.value = open < 0 ? 1 : open + 1;
    showTable();
  };
  const show = (answer) => {
    known = answer;
    const open = known.rounds.findIndex((round) => round.some(({ points }) => !points));
    const was = round.value;
    round.replaceChildren(...known.rounds.map((_, place) => new Option(place + 1, place + 1)));
    round.value = was && known.rounds[was - 1]?.some(({ points }) => !points) ? was : open < 0 ? 1 : open + 1;
    showRound();
    finals.querySelector("input:not(:disabled)")?.focus();
  };
  round.onchange = showRound;
  table.onchange = showTable;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const points = Object.fromEntries(SEATS.map((seat) => [seat, form.elements[seat].value]));
    const wins = SEATS.map((seat) => [seat, form.elements[`won${seat}`]?.value.trim()]).filter(([, won]) => won);
    const words = { ...at(), points, wins: Object.fromEntries(wins.map(([seat, won]) => [seat, Number(won)])), taken: taken.value };
    const answer = await act("api/result", words, form);
    if (answer) show(answer);
  };
  retract.onclick = async () => {
    const answer = await act("api/result", at(), form);
    if (answer) show(answer);
  };
  form.querySelector(".close").onclick = () => (form.hidden = true);
  return async () => {
    form.hidden = false;
    show(await (await fetch("api/result")).json());
  };
}
