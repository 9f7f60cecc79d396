// Advice on a hand, in a section that is folded until somebody asks for it.
import { made, one } from "./kit.js";
import { t } from "./lang.js";
import { send } from "./link.js";
import { outlook } from "./outlook.js";

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
      if (mine === asked) out.replaceChildren(...outlook(answer, { seat: context.seat ?? "E", unit: set?.unit || "" }));
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
