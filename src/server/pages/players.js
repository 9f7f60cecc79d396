// Four players, a panel each in a corner: name, wind, total, tiles, waits.
import { amount, drawn, sign, waiting } from "./hand.js";
import { made } from "./kit.js";
import { t } from "./lang.js";
import { enter, fill } from "./stage.js";

/** A player's panel with its parts empty. @param {Wind} place */
function empty(place) {
  return made("section", `panel player at-${place}`, made("header"), made("p", "placed"), made("div", "shows"), made("p", "waits"));
}

/** A player's panel, filled where something of it has changed; who is paid and who pays comes after `step` steps of the story.
 *  @param {HTMLElement} player
 *  @param {import("./onair.js").Seated} seat
 *  @param {number} step */
function panel(player, { wind, name, text, wins, doubtful, paid, why, standing, note, waits, of }, step) {
  const [head, placed, shows, row] = player.children;
  player.classList.toggle("wins", wins);
  player.classList.toggle("doubtful", doubtful);
  player.dataset.wind = wind;
  const riichi = note === "riichi" ? note : "";
  fill(head, { wind, name, paid, standing, riichi }, () => {
    const got = paid !== null && paid !== "0" ? [made("b", `paid ${sign(paid)}`, amount(paid, true))] : [];
    for (const one of got) enter(one, step);
    return [
      made("b", "wind", t(wind)), made("bdi", "name", name), ...(riichi ? [made("span", "standing", t(riichi))] : []), ...got,
      ...(standing !== undefined ? [made("span", "standing", amount(standing))] : []),
    ];
  });
  fill(placed, why || (riichi ? "" : note || ""), (text) => {
    const line = made("span", "", text);
    if (why) enter(line, step);
    return text ? [line] : [];
  });
  // Small panels say by his wind who gave a tile.
  fill(shows, { text, wind, of }, () => (text ? [drawn(text, { winner: wind, context: of })] : []));
  fill(row, waits, waiting);
}

/** The panels of those who are there, in an element of their own.
 *  @param {HTMLElement} element
 *  @param {import("./onair.js").Seated[]} seats
 *  @param {number} step */
export function players(element, seats, step) {
  for (const old of [...element.children]) {
    if (!seats.some(({ place }) => old.classList.contains(`at-${place}`))) old.remove();
  }
  for (const seat of seats) {
    /** @type {HTMLElement | null} */
    let player = element.querySelector(`.at-${seat.place}`);
    if (!player) {
      player = empty(seat.place);
      element.append(player);
      panel(player, seat, step);
      enter(player);
    } else panel(player, seat, step);
  }
}
