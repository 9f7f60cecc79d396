// The deals of a ledger's table, each of which can be re-entered or taken out, and its penalties.
import { amount } from "./hand.js";
import { button, made } from "./kit.js";
import { t } from "./lang.js";
import { changes, dealNamed, dealt } from "./words.js";

/** Buttons to replace each winner of a deal, and to add one.
 *  @param {WholeTable} table
 *  @param {Deal} deal
 *  @param {Amends} amends
 *  @param {Act} act */
function winners(table, deal, { event, winner }, act) {
  const claimed = deal.winners.length > 0 && deal.winners[0].win !== "self_draw";
  const places = [...deal.winners.map(({ player }) => table.players[player].name), ...(claimed ? [t("another winner")] : [])];
  return places.length < 2 ? [] : places.map((name, place) => {
    const choice = button(name, () => act("api/amend", { event, winner: place }));
    choice.setAttribute("aria-pressed", String(place === winner));
    return choice;
  });
}

/** The note above the fields while an earlier deal is re-entered; `table`: the one with all its deals.
 *  @param {HTMLElement} bar
 *  @param {WholeTable | null} table
 *  @param {Amends | null | undefined} amends
 *  @param {Act} act */
export function amending(bar, table, amends, act) {
  bar.hidden = !amends;
  bar.replaceChildren();
  if (!amends) return;
  const deal = table?.history.find(({ event }) => event === amends.event);
  const choices = made("span", "choices",
    ...(table && deal ? winners(table, deal, amends, act) : []),
    button(t("Take it out"), () => act("api/take-out", { event: amends.event }, bar)),
    button(t("Leave it as it was"), () => act("api/next")),
  );
  bar.replaceChildren(made("p", "", t("Deal {number} was another: say how it was won, or choose a draw or a fault.", amends)), choices);
}

/** The deals, the last one first, and the penalties.
 *  @param {HTMLElement} section
 *  @param {HTMLElement} list
 *  @param {WholeTable | null} table
 *  @param {Amends | null | undefined} amends
 *  @param {Act} act */
export function past(section, list, table, amends, act) {
  section.hidden = !table?.history.length && !table?.penalties.length;
  if (!table || section.hidden) return;
  const deals = [...table.history].reverse().map((deal) => {
    const item = made("li", { value: deal.number });
    const choice = button("", () => act("api/amend", { event: deal.event }, item), "deal");
    choice.dataset.event = String(deal.event);
    choice.setAttribute("aria-pressed", String(deal.event === amends?.event));
    choice.title = t("Correct this deal, or take it out");
    const moved = changes(deal).flatMap((points, player) => (points === "0" ? [] : [`${table.players[player].name} ${amount(points, true)}`]));
    choice.append(made("b", "", dealNamed(deal)), made("span", "", dealt(table, deal)), made("small", "", `${moved.join(", ")}${deal.corrected_by ? ` · ${t("corrected")}` : ""}`));
    item.append(choice);
    return item;
  });
  const penalties = table.penalties.map(({ event, player, count, points, cause, note }) => {
    const item = made("li", "", "penalty");
    const cost = points !== null ? t("a penalty of {points}", { points }) : count === 1 ? t("1 penalty") : t("{count} penalties", { count });
    const why = [cause?.replaceAll("_", " "), note].filter(Boolean).join(" ");
    item.append(`${table.players[player].name}: ${cost}${why ? ` (${why})` : ""} `, button(t("Take it out"), () => act("api/take-out", { event }, item)));
    return item;
  });
  list.replaceChildren(...penalties, ...deals);
}
