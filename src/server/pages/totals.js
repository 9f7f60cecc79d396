// The players of a table that is kept on phones: each with the total, and with what the deal asks of each as boxes to tick.
import { amount, sign } from "./hand.js";
import { t } from "./lang.js";

const table = document.getElementById("totals");
const ASKED = { riichi: t("riichi"), tenpai: t("tenpai"), nagashi: t("nagashi") };

const made = (name, ...parts) => {
  const element = document.createElement(name);
  element.append(...parts);
  return element;
};

/** The winds of the players with a tick. */
export const ticked = (name) => [...table.querySelectorAll(`input[name=${name}]:checked`)].map((box) => box.value);

function tick(name, seat, checked) {
  const box = Object.assign(document.createElement("input"), { type: "checkbox", name, value: seat, checked });
  box.setAttribute("aria-label", `${t(seat)}: ${ASKED[name]}`);
  return made("label", box, ` ${ASKED[name]}`);
}

/** Shows the players. `asked` names what is ticked, `me` is the place of this phone's player, `keep` says that the ticks
 *  stay. The boxes stand below the name, which so has the width of the page. */
export function showTotals(players, asked, { me = -1, keep = false } = {}) {
  const kept = asked.map((name) => [name, keep ? ticked(name) : []]);
  table.tBodies[0].replaceChildren(...players.map(({ seat, name, total }, place) => {
    const ticks = made("div", ...kept.map(([name, winds]) => tick(name, seat, winds.includes(seat))));
    const points = Object.assign(made("td", amount(total)), { className: sign(total) });
    const line = made("tr", made("td", t(seat)), made("td", made("bdi", name), ticks), points);
    line.classList.toggle("mine", place === me);
    return line;
  }));
}
