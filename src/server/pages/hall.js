// A tournament for pages, and clocks by the server's time: this machine's own may be wrong.
import { t } from "./lang.js";

/** By how many milliseconds this machine's clock is fast. */
let ahead = 0;

/** Compares the clocks. An answer's date has whole seconds, so that small differences say nothing. */
async function compareClocks() {
  /** @type {RequestInit} */
  const asked = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(2000) };
  const answer = await fetch("assets/hall.js", asked).catch(() => null);
  const off = Date.now() - Date.parse(answer?.headers.get("date") ?? "");
  if (!Number.isNaN(off)) ahead = Math.abs(off) < 2000 ? 0 : off;
}
await compareClocks();
setInterval(compareClocks, 300_000);

/** The server's time in milliseconds. */
export const serverNow = () => Date.now() - ahead;

/** Returns a function that calls `show` with the tournament whenever its count of changes in a state is new.
 *  @param {(tournament: Tournament) => unknown} show */
export function hall(show) {
  let known = 0;
  return async (/** @type {number | undefined} */ changes) => {
    if (!changes || changes === known) return;
    known = changes;
    const shown = await (await fetch("api/tournament")).json();
    if (changes === known) show(shown);
  };
}

/** @type {Record<string, string>} */
const UP = {
  finish_deal: t("time is up: finish the deal, start none"),
  finish_round: t("time is up: finish the round"),
  stop: t("time is up"),
};

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** Seconds as people read a clock: "1:05:00", "4:05".
 *  @param {number} seconds
 *  @param {boolean} [hours] */
export function clockText(seconds, hours = seconds >= 3600) {
  const minutes = Math.floor(seconds / 60);
  return `${hours ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}` : minutes}:${two(seconds % 60)}`;
}

/** How a clock stands: what it says, whether time is up, and whether it is in its last five minutes. A clock that was
 *  stopped shows when that was.
 *  @param {Clock} clock
 *  @param {number} [now]
 *  @returns {{ says: string, waits?: boolean, up: boolean, soon: boolean }} */
export function clockNow({ started, ends, then, paused }, now = serverNow()) {
  /** @param {string} moment */
  const left = (moment) => Math.ceil((Date.parse(moment) - (paused ? Date.parse(paused) : now)) / 1000);
  const [waits, seconds] = [left(started), left(ends)];
  if (waits > 0) return { says: t("starts in {time}", { time: clockText(waits, true) }), waits: true, up: false, soon: false };
  if (seconds <= 0) return { says: UP[then] ?? UP.stop, up: true, soon: false };
  const time = clockText(seconds, true);
  return { says: paused ? t("stands at {time}", { time }) : time, up: false, soon: seconds <= 300 };
}

/** Calls `tick` now and at each full second. @param {() => unknown} tick */
export function eachSecond(tick) {
  tick();
  setTimeout(() => eachSecond(tick), 1000 - (Date.now() % 1000) + 5);
}
