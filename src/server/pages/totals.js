// The players of a table that is kept on phones: each with the total, and with what the deal asks of each as boxes to tick.
import { amount, sign } from "./hand.js";
import { all, at, made } from "./kit.js";
import { t } from "./lang.js";

const table = at("totals");
/** @type {Record<string, string>} */
const ASKED = { riichi: t("riichi"), tenpai: t("tenpai"), nagashi: t("nagashi") };

/** The winds of the players with a tick.
 *  @param {string} name
 *  @returns {Wind[]} */
export const ticked = (name) => all(table, `input[name=${name}]:checked`).map((box) => /** @type {Wind} */ (box.value));

/** @param {string} name
 *  @param {Wind} seat
 *  @param {boolean} checked */
function tick(name, seat, checked) {
  const box = made("input", { type: "checkbox", name, value: seat, checked });
  box.setAttribute("aria-label", `${t(seat)}: ${ASKED[name]}`);
  return made("label", "", box, ` ${ASKED[name]}`);
}

/** Shows the players. `asked` names what is ticked, `me` is the place of this phone's player, `keep` says that the ticks
 *  stay. The boxes stand below the name, which so has the width of the page.
 *  @param {Player[]} players
 *  @param {string[]} asked
 *  @param {{ me?: number, keep?: boolean }} [options] */
export function showTotals(players, asked, { me = -1, keep = false } = {}) {
  const kept = asked.map((name) => ({ name, winds: keep ? ticked(name) : [] }));
  table.tBodies[0].replaceChildren(...players.map(({ seat, name, total }, place) => {
    const ticks = made("div", "", ...kept.map(({ name, winds }) => tick(name, seat, winds.includes(seat))));
    const line = made("tr", "", made("td", "", t(seat)), made("td", "", made("bdi", "", name), ticks), made("td", sign(total), amount(total)));
    line.classList.toggle("mine", place === me);
    return line;
  }));
}
