// What a theme of the user's adds to the overlay: a logo, sponsors, and players' pictures and flags.
import { made } from "./kit.js";
import { get } from "./link.js";

/** @typedef {{ logo: string | null, sponsors: string[], players: Record<string, { picture: string | null, flag: string | null }> }} Theme */

/** @type {Theme} */
const theme = await get("theme.json").catch(() => ({ logo: null, sponsors: [], players: {} }));

/** A picture that is there to be seen, not read out. @param {string | null | undefined} src
 *  @param {string} className */
const picture = (src, className) => (src ? [made("img", { src, className, alt: "" })] : []);

/** The logo, and the sponsors in a row below it; empty without a theme. */
export const logos = () => [
  ...picture(theme.logo, "logo"),
  ...(theme.sponsors.length ? [made("div", "sponsors", ...theme.sponsors.flatMap((src) => picture(src, "sponsor")))] : []),
];

/** A player's picture and flag. @param {string} name */
export const portrait = (name) => [...picture(theme.players[name]?.picture, "portrait"), ...picture(theme.players[name]?.flag, "flag")];
