// The control page's part for the programme: what is on air, and what goes on air by hand or automatically.
import { drawn } from "./hand.js";
import { made, one } from "./kit.js";
import { t } from "./lang.js";
import { fill } from "./stage.js";

/** The programme besides tiles, in words; empty without one.
 *  @param {import("./onair.js").View} view
 *  @param {Phase | undefined} phase */
function ended({ story, last, players }, phase) {
  if (phase !== "confirmed") return "";
  if (story) return `${[t("{name} wins", { name: story.winner || t("Somebody") }), ...(story.how ? [story.how.join("")] : [])].join(" ")}: ${story.total}`;
  return last?.line || (players.some(({ paid }) => paid) ? t("who pays") : "");
}

/** The viewers' `view` in a line: its words, the tiles of its hand, and what of the operator's state is not on air.
 *  @param {import("./onair.js").View} view
 *  @param {State} state */
function seen(view, state) {
  const own = state.phase === "rejected" || state.stale ? null : state.reading?.hand;
  const result = ended(view, state.phase);
  const players = view.seats.filter(({ text }) => text).map(({ name }) => name);
  const words = [
    result,
    view.hand?.doubtful ? t("marked as in doubt") : "",
    !view.hand && players.length ? t("tiles of {names}", { names: players.join(", ") }) : "",
  ].filter(Boolean);
  const isDraft = own && own.text !== view.hand?.text;
  return {
    words: words.join(" · ") || (view.hand ? "" : t("nothing")),
    hand: view.hand && { text: view.hand.text, seat: view.hand.seat, of: view.hand.of },
    draft: !isDraft ? "" : view.hand ? t("The hand on this page is not on air as it is now.") : t("The hand on this page is not on air."),
    hasHand: !!own,
  };
}

/** The part in an element; `act(path, words, cause)` sends a decision. Returns a function that shows a state
 *  and the viewers' part of it.
 *  @param {HTMLElement} element
 *  @param {Act} act */
export function air(element, act) {
  const [line, show, hide, auto, least, unsure] = ["#seen", "#put", "#take", "#auto", "#least", "#unsure"].map((css) => one(element, css));
  /** @type {OnAirSetting} */
  let setting = { auto: true, least: 0, unsure: "off" };
  const showSetting = () => {
    auto.checked = setting.auto;
    unsure.value = setting.unsure;
    if (document.activeElement !== least) least.value = percent();
  };
  const percent = () => String(Number((setting.least * 100).toFixed(1)));
  /** Sends a change of the setting; a rejected one does not stay in its field.
   *  @param {Partial<OnAirSetting>} words
   *  @param {HTMLElement} cause */
  const say = async (words, cause) => (await act("api/auto", words, cause)) ?? showSetting();
  show.onclick = () => act("api/show", {}, element);
  hide.onclick = () => act("api/hide", {}, element);
  auto.onchange = () => say({ auto: auto.checked }, auto);
  unsure.onchange = () => say({ unsure: unsure.value === "mark" ? "mark" : "off" }, unsure);
  least.onchange = () => {
    least.value = String(Math.min(100, Math.max(0, Number(least.value) || 0)));
    say({ least: Number(least.value) / 100 }, least);
  };
  return (/** @type {State} */ state, /** @type {import("./onair.js").View} */ view) => {
    const { hasHand, ...now } = seen(view, state);
    fill(line, now, ({ words, hand, draft }) => [
      ...(words ? [made("span", "", words)] : []),
      ...(hand ? [drawn(hand.text, { winner: hand.seat, context: hand.of })] : []),
      ...(draft ? [made("span", "draft", draft)] : []),
    ]);
    // A confirmed hand is on air until the next one.
    const isConfirmed = state.phase === "confirmed";
    show.disabled = isConfirmed || !hasHand;
    hide.disabled = isConfirmed || !now.hand;
    setting = state.on_air || setting;
    showSetting();
  };
}
