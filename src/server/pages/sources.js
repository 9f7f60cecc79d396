// The players' tiles and the sources below the control page's picture.
import { marking } from "./calibrate.js";
import { act, current } from "./deciding.js";
import { WINDS, drawn } from "./hand.js";
import { all, at, focused, made } from "./kit.js";
import { t } from "./lang.js";

/** @type {Record<string, string>} */
const HOW = { connected: t("connected"), ended: t("ended"), lost: t("lost"), running: t("running"), starting: t("starting") };

let source = 0;
let last = "";

/** The number of the source whose picture is shown. */
export const shownSource = () => source;

/** How a source or OBS is, in words. @param {string} state */
export const how = (state) => HOW[state] ?? state;

/** A player's tiles; a click chooses the winner.
 *  @param {Wind} wind
 *  @param {SeenSeat} seat
 *  @param {string} gone */
function seatOf(wind, seat, gone) {
  const { context = {} } = current();
  const count = seat.discards.length;
  const shows = { hand: "", sets: t("open sets"), nothing: t("nothing lies open") }[seat.shows];
  const discards = !count ? "" : seat.discards_known ? t("{count} discards", { count }) : t("{count} discards, not all are known", { count });
  const notes = [shows, discards, seat.moving ? t("moving") : "", seat.doubtful ? t("in doubt") : "", seat.stale ? gone : ""];
  const element = made("button", { type: "button", className: wind === context.seat ? "seat winner" : "seat", onclick: () => act("api/context", { seat: wind }) },
    made("b", "", `${t(wind)} ${context.names?.[wind] || ""}`), made("small", "", notes.filter(Boolean).join(" · ")),
    ...(seat.hand ? [drawn(seat.hand.text, { winner: wind, context })] : []));
  element.setAttribute("aria-pressed", String(wind === context.seat));
  return element;
}

/** A source, whose picture a click shows.
 *  @param {Source} of
 *  @param {number} number */
function sourceOf(of, number) {
  const what = of.shows === "standing" ? t("{name}’s hand", { name: t(of.seat ?? "") }) : of.shows === "table" ? t("the table") : t("one hand");
  const element = made("button", { type: "button", disabled: marking(), onclick: () => (source = number) },
    `${of.name}: ${what}, ${how(of.state)}${of.why ? ` (${of.why})` : ""}`);
  element.setAttribute("aria-pressed", String(number === source));
  element.classList.toggle("loss", of.state === "lost");
  return made("li", "", element);
}

/** Players and sources. A button that is replaced between press and release is not clicked: only where something is new.
 *  @param {import("./onair.js").View} viewed */
export function showSeats(viewed) {
  const { seats = {}, context = {}, sources = [] } = current();
  const winds = WINDS.filter((wind) => seats[wind]);
  /** @param {Wind} seat */
  const gone = (seat) => (viewed.seats.some((of) => of.seat === seat && of.text) ? t("in doubt") : t("not on the overlay"));
  const what = JSON.stringify([seats, winds.map(gone), context.seat, context.names, sources.map((of) => [of.name, of.shows, of.seat, of.state, of.why]), source, marking()]);
  if (what === last) return;
  last = what;
  const lists = [at("seats"), at("sources")];
  const places = lists.map((list) => all(list, "button").indexOf(/** @type {Field} */ (focused())));
  at("seats").replaceChildren(...winds.map((wind) => seatOf(wind, /** @type {SeenSeat} */ (seats[wind]), gone(wind))));
  at("sources").hidden = sources.length < 2;
  at("sources").replaceChildren(...sources.map(sourceOf));
  lists.forEach((list, place) => all(list, "button")[places[place]]?.focus());
}
