// What a hand can become: its distance, the tiles that help, and what each discard would leave.
import { amount, spoken, tile } from "./hand.js";
import { made } from "./kit.js";
import { t } from "./lang.js";
import { away, unitOf } from "./words.js";

/** "3 to 5 han, +2000 to +8000": the possible worth of a waiting hand.
 *  @param {NonNullable<Helps["worth"]>} worth
 *  @param {Wind} seat
 *  @param {string} unit */
function worth({ least, most, some_refused: some }, seat, unit) {
  /** @type {(from: string, to: string) => string} */
  const between = (from, to) => (from === to ? to : t("{from} to {to}", { from, to }));
  const faan = between(amount(least.faan), amount(most.faan));
  const points = between(amount(least.payments[seat] ?? "0", true), amount(most.payments[seat] ?? "0", true));
  return [`${faan} ${t(unitOf(most.faan, unit))}, ${points}`, ...(some ? [t("some wins are worth too little")] : [])].join("; ");
}

/** The tiles that help, with a note on those that cannot come.
 *  @param {Helps} of
 *  @param {{ seat: Wind, unit: string }} words */
function helps(of, { seat, unit }) {
  const line = made("span", "helps", of.left ? `${t("{count} left:", { count: of.left })} ` : t("no tile helps"));
  for (const { tile: code, left } of of.helps.filter(({ left }) => left)) line.append(tile(code), made("i", "", left));
  if (of.held_out) line.append(made("small", "", ` ${[t("all four {tiles} are in the hand", { tiles: of.held_out.map(spoken).join(", ") }), ...(of.not_ready ? [t("not ready")] : [])].join(": ")}`));
  if (of.worth) line.append(made("small", "", worth(of.worth, seat, unit)));
  return line;
}

/** Advice, without the tiles of the hand itself.
 *  @param {Advice} advice
 *  @param {{ seat: Wind, unit: string }} words */
export function outlook(advice, words) {
  const out = [made("p", "distance", away(advice.shanten))];
  if (advice.unwritten_sets) out.push(made("p", "soft", t("{count} tiles: the other sets lie claimed.", { count: advice.tiles })));
  if (!advice.discards) return [...out, helps(advice, words)];
  const [{ shanten: least }] = advice.discards;
  const best = advice.discards.filter(({ shanten }) => shanten === least);
  const list = made("ul", "", ...best.map((discard) => made("li", "", tile(discard.discard), helps(discard, words))));
  const worse = advice.discards.slice(best.length).map(({ discard }) => tile(discard));
  return [...out, list, ...(worse.length ? [made("p", "soft helps", `${t("leaves it further away:")} `, ...worse)] : [])];
}
