// Advice on a hand, in a section that is folded until somebody asks for it.
import { amount, spoken, tile } from "./hand.js";
import { made, one } from "./kit.js";
import { t } from "./lang.js";
import { send } from "./link.js";
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

/** @param {Advice} advice
 *  @param {{ seat: Wind, unit: string }} words */
function shown(advice, words) {
  const out = [made("p", "distance", away(advice.shanten))];
  if (advice.unwritten_sets) out.push(made("p", "soft", t("{count} tiles: the other sets lie claimed.", { count: advice.tiles })));
  if (!advice.discards) return [...out, helps(advice, words)];
  const [{ shanten: least }] = advice.discards;
  const best = advice.discards.filter(({ shanten }) => shanten === least);
  const list = made("ul", "", ...best.map((discard) => made("li", "", tile(discard.discard), helps(discard, words))));
  const worse = advice.discards.slice(best.length).map(({ discard }) => tile(discard));
  return [...out, list, ...(worse.length ? [made("p", "soft helps", `${t("leaves it further away:")} `, ...worse)] : [])];
}

/** Shows advice in a `details` element while it is open. The returned function takes the subject
 *  of the advice: the hand as text, the tiles of the reading, the context and the rule set; null where there is none.
 *  @param {HTMLDetailsElement} details */
export function advice(details) {
  const out = one(details, "div");
  /** @type {{ hand: string, tiles: ShownTile[], context: Context, set?: RuleSet } | null} */
  let now = null;
  let asked = "";
  const ask = async () => {
    if (!details.open || !now) return;
    const { hand, tiles, context, set } = now;
    const seen = tiles.filter(({ role, code }) => role === "other" && !"x?".includes(code)).map(({ code }) => code).join("");
    const words = { hand, seen, context };
    const mine = JSON.stringify(words);
    if (mine === asked) return;
    asked = mine;
    const unknown = [...hand].filter((letter) => "x?".includes(letter)).length;
    if (unknown) return out.replaceChildren(made("p", "loss", t("Advice needs every tile of the hand: {count} of them are face down or not recognised.", { count: unknown })));
    try {
      const answer = await send("api/advise", words);
      if (mine === asked) out.replaceChildren(...shown(answer, { seat: context.seat ?? "E", unit: set?.unit || "" }));
    } catch (error) {
      if (mine === asked) out.replaceChildren(made("p", "loss", error.message));
    }
  };
  details.addEventListener("toggle", ask);
  return (/** @type {typeof now} */ what) => {
    now = what;
    details.hidden = !what;
    ask();
  };
}
