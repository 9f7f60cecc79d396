// Players in a line each: rank, wind, name, what the deal brings, points. At a table a panel each in a corner, with tiles and waits.
import { amount, drawn, sign, waiting, widthOf } from "./hand.js";
import { made } from "./kit.js";
import { t } from "./lang.js";
import { portrait } from "./own.js";
import { count, enter, fill } from "./stage.js";

/** @typedef {import("./onair.js").View["players"][number]} Line */

/** An amount roughly, to count by. @param {string} text */
function roughly(text) {
  const [top, bottom = "1"] = text.split("/");
  return Math.round(Number(top) / Number(bottom));
}

/** Whether a player has gained or lost places in the deal. @param {Line} player */
function moved({ rank, before }) {
  if (!rank || !before || before.rank === rank) return "";
  return before.rank > rank ? made("i", "gain", "▲") : made("i", "loss", "▼");
}

/** A player's line, filled where something of it has changed. What the deal brings comes after `step` steps of the story, and the
 *  points are counted from what they were.
 *  @param {HTMLElement} row
 *  @param {Line} player
 *  @param {number} step */
export function line(row, player, step) {
  const { seat, place, name, rank, before, standing, paid, why, note, riichi } = player;
  const comes = paid !== null && row.dataset.paid !== paid;
  row.dataset.place = place;
  row.dataset.paid = paid ?? "";
  row.classList.toggle("winner", player.won);
  fill(row, player, () => {
    const stick = made("span", { className: "riichi", title: t("riichi") }, made("span", "", t("riichi")));
    const got = paid && paid !== "0" ? [made("b", `paid ${sign(paid)}`, amount(paid, true))] : riichi ? [stick] : [];
    const says = made("small", "", why || note);
    const points = standing === null ? [] : [made("b", "standing", amount(standing))];
    const number = made("span", "", rank ?? "");
    const arrow = moved(player);
    const ranked = made("span", "rank", ...(rank ? [number, arrow] : []));
    if (comes) {
      for (const one of [...got, says]) enter(one, step);
      if (before && rank) count(number, { from: before.rank, to: rank, last: String(rank), worded: String }, step);
      for (const one of points) if (before) count(one, { from: roughly(before.standing), to: roughly(standing ?? "0"), last: amount(standing ?? "0"), worded: (value) => amount(String(value)) }, step);
      if (arrow) enter(arrow, step + 1);
    }
    return [ranked, made("b", "wind", t(seat)), made("span", "who", ...portrait(name), made("bdi", "name", name)), ...got, ...points, says];
  });
}

/** Lines in an element, each kept while its player is there.
 *  @param {HTMLElement} element
 *  @param {Line[]} some
 *  @param {number} step */
export function rows(element, some, step) {
  while (element.children.length > some.length) element.lastElementChild?.remove();
  some.forEach((player, number) => {
    if (!element.children[number]) element.append(made("div", "row"));
    line(/** @type {HTMLElement} */ (element.children[number]), player, step);
  });
}

/** The panels of those who sit at the table, by their places.
 *  @type {Map<Wind, HTMLElement>} */
const panels = new Map();

/** Shows those who are at the table, and gives their panels, which `home` gets when they are new.
 *  @param {HTMLElement} home
 *  @param {import("./onair.js").Seated[]} seats
 *  @param {number} step */
export function players(home, seats, step) {
  for (const [place, panel] of panels) {
    if (seats.some((seat) => seat.place === place)) continue;
    panel.remove();
    panels.delete(place);
  }
  // One scale for all of them, which the longest row decides.
  document.documentElement.style.setProperty("--units", String(Math.max(15, ...seats.map(({ text }) => widthOf(text)))));
  for (const { text, wins, doubtful, waits, discards, of, ...player } of seats) {
    const known = panels.get(player.place);
    const panel = known ?? made("section", `panel player at-${player.place}`, made("div", "row"), made("div", "shows"), made("div", "discards"), made("p", "waits"));
    const [row, shows, discarded, waited] = /** @type {HTMLElement[]} */ ([...panel.children]);
    line(row, player, step);
    panel.classList.toggle("wins", wins);
    panel.classList.toggle("doubtful", doubtful);
    panel.dataset.wind = player.seat;
    // Small panels say by his wind who gave a tile.
    fill(shows, { text, wind: player.seat, of }, () => (text ? [drawn(text, { winner: player.seat, context: of })] : []));
    fill(discarded, discards, (tiles) => (tiles ? [drawn(tiles)] : []));
    fill(waited, waits, waiting);
    if (known) continue;
    panels.set(player.place, panel);
    home.append(panel);
    enter(panel);
  }
  return [...panels];
}
