// What the control page says of a reading: the phase, doubts about what is seen, and the worth of the hand.
import { current } from "./deciding.js";
import { groups, inOrder, neighbour, sign, amount, spoken, withTiles } from "./hand.js";
import { at, lines, made } from "./kit.js";
import { sentences, t } from "./lang.js";
import { beside, capital, explained, inUnits, itemName, worth } from "./words.js";

/** Lines that are folded until somebody asks for them. @param {string[]} texts */
export const steps = (texts, open = false) =>
  made("details", { className: "steps", open }, made("summary", "", t("How it is paid")), made("ul", "", ...lines("li", texts)));

/** What is to be known of the tiles that a hand is read from. @param {import("./onair.js").View} viewed */
function troubles(viewed) {
  const { context = {}, doubtful, moving, discards_missed: missed, reading, sources = [], stale } = current();
  const isLost = sources.some((of) => of.state === "lost");
  const claims = groups(reading?.hand?.text).filter((group) => group.from);
  /** @param {Side | null} side */
  const giver = (side) => (context.seat && side && t(neighbour(context.seat, side, context) ?? "")) || t("a side where nobody sits");
  return [
    ...(stale && reading ? [made("p", "loss", [isLost ? t("The camera is lost.") : t("The tiles have not been seen for a while."), viewed.hand ? t("They are marked as in doubt on the overlay.") : t("They are no longer on the overlay.")].join(" "))] : []),
    ...(doubtful && reading?.hand ? [made("p", "loss", [isLost ? t("The camera is lost.") : t("Some of the tiles are covered or gone."), ...(viewed.hand?.doubtful ? [t("The overlay says that the hand is in doubt.")] : [])].join(" "))] : []),
    ...(moving ? [made("p", "soft", t("Something is moving; what lay there before is shown."))] : []),
    ...(missed ? [made("p", "loss", `${capital(missed)}.`)] : []),
    ...(reading && !reading.hand && !reading.score ? [made("p", "soft", reading.refusal_said ? sentences(reading.refusal_said) : t("No hand lies there."))] : []),
    ...(claims.length && context.win ? [made("p", "soft", claims.map(({ from, tiles }) => t("{tile} from {name}", { tile: spoken(tiles.find((tile) => tile.sideways)?.code ?? "?"), name: giver(from) })).join(" · "))] : []),
  ];
}

/** What a hand is worth, who pays what, and for what.
 *  @param {Reading} reading
 *  @param {Score} score
 *  @param {boolean | undefined} open */
function worthOf({ rules_name: rules, unit, terms, item_names: names }, score, open) {
  const { also, context = {}, phase } = current();
  if (!score.ok) return [made("p", "loss", ...withTiles([["No win: {why}", { why: score.message_said ?? score.message ?? "" }]]))];
  const [first, rest] = score.faan === undefined ? ["", ""] : worth({ score, unit, terms, win: context.win });
  return [
    ...(first ? [made("h2", "", `${first} `, made("small", "", t(rules))), made("p", "", [rest, ...(also ? [] : beside(score, unit))].filter(Boolean).join(" · "))] : []),
    ...(phase === "watching" ? [made("p", "soft", t("Not on the overlay before it is confirmed."))] : []),
    made("div", "pay", ...inOrder(score.payments).map(([seat, paid]) => made("span", sign(paid), `${context.names?.[seat] || t(seat)} ${amount(paid, true)}`))),
    made("ul", "items", ...score.items.map(({ id, value, unit: of }) => made("li", "", itemName(names, id), made("b", "", inUnits(value, of))))),
    ...(score.steps?.length ? [steps(explained(score.steps, context.names), open)] : []),
  ];
}

/** The phase, what is in doubt, and the worth of the hand. @param {import("./onair.js").View} viewed */
export function showScore(viewed) {
  const { also, phase, reading, trouble } = current();
  const open = at("score").querySelector("details")?.open;
  const wrong = trouble || reading?.trouble;
  const without = reading?.draw ? t("confirmed: a draw") : reading?.whole ? t("confirmed: the whole deal") : reading?.chombo ? t("confirmed: a chombo") : "";
  at("score").replaceChildren(
    ...(wrong ? [made("p", "loss", wrong)] : []),
    ...(phase !== "watching" ? [made("span", "phase", without || (phase === "confirmed" ? t("confirmed") : t("rejected")))] : []),
    ...(also ? [made("p", "soft", t("Another winner on the same tile: say who, and show his hand."))] : []),
    ...(without ? [] : troubles(viewed)),
    ...(!without && reading?.score ? worthOf(reading, reading.score, open) : []),
  );
}
