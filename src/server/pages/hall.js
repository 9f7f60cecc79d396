// A tournament for pages, and clocks, corrected for this machine's own.
import { t } from "./lang.js";

/** Returns a function that calls `show` with the tournament whenever its count of changes in a state is new. */
export function hall(show) {
  let known = 0;
  return async (changes) => {
    if (!changes || changes === known) return;
    known = changes;
    const answer = await fetch("api/tournament");
    const served = Date.parse(answer.headers.get("date") ?? "");
    const shown = await answer.json();
    if (changes !== known) return;
    const ahead = Number.isNaN(served) ? 0 : Date.now() - served;
    // The header has whole seconds.
    show(shown, Math.abs(ahead) < 2000 ? 0 : ahead);
  };
}

const UP = {
  finish_deal: t("time is up: finish the deal, start none"),
  finish_round: t("time is up: finish the round"),
  stop: t("time is up"),
};

const two = (number) => String(number).padStart(2, "0");

/** Seconds as people read a clock: "1:05:00", "4:05". */
export function clockText(seconds, hours = seconds >= 3600) {
  const minutes = Math.floor(seconds / 60);
  return `${hours ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}` : minutes}:${two(seconds % 60)}`;
}

/** How a clock stands, `ahead` milliseconds being how much this machine's own is fast: what it says, whether time is up, and
 *  whether it is in its last five minutes. */
export function clockNow({ started, ends, then }, ahead = 0, now = Date.now()) {
  const left = (moment) => Math.ceil((Date.parse(moment) - (now - ahead)) / 1000);
  const [waits, seconds] = [left(started), left(ends)];
  if (waits > 0) return { says: t("starts in {time}", { time: clockText(waits, true) }), waits: true, up: false, soon: false };
  if (seconds <= 0) return { says: UP[then] ?? UP.stop, up: true, soon: false };
  return { says: clockText(seconds, true), up: false, soon: seconds <= 300 };
}

/** Calls `tick` now and at each full second. */
export function eachSecond(tick) {
  tick();
  setTimeout(() => eachSecond(tick), 1000 - (Date.now() % 1000) + 5);
}
