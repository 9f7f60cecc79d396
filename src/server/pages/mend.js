// Beside a record's replay: whoever knows says what a discard was, or that a step is right as it stands.
import { palette } from "./hand.js";
import { at, button, embedded, made } from "./kit.js";
import { t } from "./lang.js";
import { send } from "./link.js";
import { onStep } from "./replay.js";

/** The server's address for this record. */
const RECORD = new URL(`../api/records/${encodeURIComponent(embedded("name"))}`, document.baseURI).href;

onStep((deal, { event, doubts, discarded }) => {
  const mend = at("game-mend");
  mend.hidden = !doubts && !discarded;
  if (mend.hidden) return mend.replaceChildren();
  const answer = made("p", { className: "loss" });
  answer.setAttribute("role", "alert");
  /** @param {string} [tile] */
  const says = async (tile) => {
    mend.inert = true;
    try {
      await send(RECORD, { deal, event, tile });
      location.reload();
    } catch (error) {
      mend.inert = false;
      answer.textContent = /** @type {Error} */ (error).message;
    }
  };
  const isRight = button(t("It is right"), () => says(), "main");
  const others = made("details", "", made("summary", "", t("It was another tile")), made("div", "palette", ...palette({ alternatives: [] }, says)));
  mend.replaceChildren(...(doubts ? [isRight] : []), ...(discarded ? [others] : []), answer);
});
