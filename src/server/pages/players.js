// Four players, a panel each in a corner: name, wind, total, what he shows, what he waits for.
import { amount, drawn, sign, waiting, windAt } from "./hand.js";

const SEATS = ["E", "S", "W", "N"];

const made = (name, classes, text = "") => Object.assign(document.createElement(name), { className: classes, textContent: text });

function panel(place, { seats, context, hand, score, paid, doubtful, standings, waits }) {
  const wind = windAt(place, context);
  const names = context.names || {};
  const seat = wind && seats[wind];
  const wins = wind === context.seat && !!context.win;
  // Who has won shows what was confirmed or corrected, not what lies there by now.
  const text = wins && hand ? hand.text : seat?.hand?.text;
  if (!wind || (!seat && !names[wind] && !(wind in standings) && !text)) return null;
  const unsure = wins && hand ? doubtful : seat?.doubtful && text;
  const player = made("section", `panel player at-${place}${wins && score ? " wins" : ""}${unsure ? " doubtful" : ""}`);
  player.dataset.wind = wind;
  const head = made("header", "");
  head.append(made("b", "wind", wind), made("span", "name", names[wind] || { E: "East", S: "South", W: "West", N: "North" }[wind]));
  const got = paid?.[wind];
  const { standing, place: worth, riichi } = standings[wind] || {};
  if (riichi) head.append(made("span", "standing", riichi));
  if (got !== undefined && got !== "0") head.append(made("b", `paid ${sign(got)}`, amount(got, true)));
  if (standing !== undefined) head.append(made("span", "standing", amount(standing)));
  player.append(head);
  if (worth) player.append(made("p", "placed", worth));
  // Small panels say by his wind who gave a tile.
  if (text) player.append(drawn(text, { winner: wind, context }));
  const row = made("p", "waits");
  row.append(...waiting(score ? [] : wins ? waits : seat?.waits));
  player.append(row);
  return player;
}

/** The panels of those who are there. */
export const players = (what) => SEATS.map((place) => panel(place, what)).filter(Boolean);
