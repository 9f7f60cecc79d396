// Which sets are claimed while viewers watch.
import { groups } from "./hand.js";
import { t } from "./lang.js";

/** @typedef {{ sets: string[], kongs: number, deal: string }} Known the open sets of a player, and the deal in which they were seen */

/** What a claimed set is called. @param {{ code: string }[]} tiles */
function called(tiles) {
  const faces = new Set(tiles.map(({ code }) => code.replace("0", "5")));
  return faces.size > 1 ? t("chow") : tiles.length > 3 ? t("kong") : t("pung");
}

/** A function that compares each view with the one before it and returns who has claimed what since. Sets that lay there when
 *  the page was opened, or when a camera came back, are no news, nor is a set that is read otherwise. */
export function claims() {
  /** @type {Map<Wind, Known>} */
  const known = new Map();
  /** @param {{ place: Wind, name: string, text: string }[]} seats
   *  @param {string} deal a name of the deal that is played */
  return (seats, deal) => seats.flatMap(({ place, name, text }) => {
    const before = known.get(place);
    if (!text) {
      // Nothing is seen: the sets of the last deal are gone, those of this one may come back.
      if (before?.deal !== deal) known.set(place, { sets: [], kongs: 0, deal });
      return [];
    }
    const open = groups(text).filter(({ kind }) => kind === "claimed");
    const sets = open.map(({ tiles }) => tiles.map(({ code }) => code).join(""));
    const kongs = open.filter(({ tiles }) => tiles.length > 3).length;
    if (before && before.sets.length === sets.length && before.kongs === kongs) return [];
    known.set(place, { sets, kongs, deal });
    if (!before) return [];
    const more = sets.length - before.sets.length;
    const fresh = open.filter((_, number) => !before.sets.includes(sets[number]));
    const isClaim = more === 1 || (more === 0 && kongs === before.kongs + 1);
    return isClaim && fresh.length === 1 ? [{ name, what: called(fresh[0].tiles) }] : [];
  });
}
