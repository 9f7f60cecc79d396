// Hand text (docs/formats.md) as groups of tiles, and groups as elements. Nothing here knows of servers.
import { embedded, made, points, shape } from "./kit.js";
import { parts, t } from "./lang.js";

/** "234m (7'77z) +2s" -> [{kind, tiles: [{code, sideways}], from}] in the order of the text.
 *  @param {string | null | undefined} text */
export function groups(text) {
  const found = [];
  for (const word of (text || "").split(/\s+/).filter(Boolean)) {
    const open = word[0];
    const kind = { "(": "claimed", "[": "kong", "+": "winning" }[open] || "concealed";
    const tiles = [];
    let waiting = [];
    for (const letter of word.replace(/[()[\]+]/g, "")) {
      if (/[0-9]/.test(letter)) waiting.push({ code: letter, sideways: false });
      else if (letter === "'") Object.assign(waiting.at(-1) ?? tiles.at(-1) ?? {}, { sideways: true });
      else if (letter === "x" || letter === "?") tiles.push({ code: letter, sideways: false });
      else if (/[mpszf]/.test(letter)) {
        for (const tile of waiting) tiles.push({ ...tile, code: tile.code + letter });
        waiting = [];
      }
    }
    if (!tiles.length) continue;
    const bonus = kind === "concealed" && tiles.every((tile) => tile.code.endsWith("f"));
    found.push({ kind: bonus ? "bonus" : kind, tiles, from: kind === "claimed" ? giver(tiles) : null });
  }
  return found;
}

/** @param {{ sideways: boolean }[]} tiles
 *  @returns {Side | null} */
function giver(tiles) {
  const marks = tiles.flatMap((tile, place) => (tile.sideways ? [place] : []));
  if (!marks.length) return null;
  if (marks.includes(0)) return "left";
  return marks.includes(tiles.length - 1) ? "right" : "opposite";
}

/** The dora that indicators make: the next tile of their suit, wind or dragon, after the last one the first. Three players have
 *  no characters from 2 to 8, so that a 9 follows the 1.
 *  @param {string} indicators
 *  @param {number} [players] */
export function doraOf(indicators, players = 4) {
  /** @type {(number: number, first: number, count: number) => number} */
  const next = (number, first, count) => first + ((number - first + 1) % count);
  return groups(indicators).flatMap(({ tiles }) => tiles).map(({ code: [digit, suit] }) => {
    const number = Number(digit) || 5; // 0 is a red five
    if (suit === "z") return `${number < 5 ? next(number, 1, 4) : next(number, 5, 3)}z`;
    return players === 3 && suit === "m" && number === 1 ? "9m" : `${next(number, 1, 9)}${suit}`;
  }).join("");
}

/** The seats, and so the winds, in their order.
 *  @type {Wind[]} */
export const WINDS = ["E", "S", "W", "N"];
/** @type {Record<Side, number>} */
const STEPS = { right: 1, opposite: 2, left: 3 };

/** What each seat gets, in the order of the seats.
 *  @template T
 *  @param {Partial<Record<Wind, T>>} payments
 *  @returns {[Wind, T][]} */
export const inOrder = (payments) => WINDS.filter((seat) => seat in payments).map((seat) => [seat, /** @type {T} */ (payments[seat])]);

/** The wind of whoever sat at a place in the first deal of the round; null where nobody does.
 *  @param {Wind} place
 *  @param {Context} [context]
 *  @returns {Wind | null} */
export function windAt(place, { dealer = "E", players = 4 } = {}) {
  const from = WINDS.indexOf(place);
  return from < players ? WINDS[(from - WINDS.indexOf(dealer) + players) % players] : null;
}

/** @param {Wind} wind
 *  @param {Context} [context]
 *  @returns {Wind} */
const placeOf = (wind, { dealer = "E", players = 4 } = {}) => WINDS[(WINDS.indexOf(wind) + WINDS.indexOf(dealer)) % players];

/** The wind of whoever sits left, opposite or right of a player. Three players leave one side of the
 *  table empty: winds go round among them, sides do not.
 *  @param {Wind} wind
 *  @param {Side} side
 *  @param {Context} context
 *  @returns {Wind | null} */
export const neighbour = (wind, side, context) => windAt(WINDS[(WINDS.indexOf(placeOf(wind, context)) + STEPS[side]) % 4], context);

/** How a tile is called, for people who do not see it.
 *  @param {string} code
 *  @returns {string} */
export function spoken(code) {
  const honors = [t("east"), t("south"), t("west"), t("north"), t("white dragon"), t("green dragon"), t("red dragon")];
  const bonus = [t("plum"), t("orchid"), t("chrysanthemum"), t("bamboo flower"), t("spring"), t("summer"), t("autumn"), t("winter")];
  if (code === "x") return t("face down");
  if (code === "?") return t("not recognised");
  const [number, suit] = code;
  if (suit === "z") return honors[Number(number) - 1];
  if (suit === "f") return bonus[Number(number) - 1];
  const named = /** @type {Record<string, string>} */ ({ m: t("{number} characters", { number }), p: t("{number} dots", { number }), s: t("{number} bamboo", { number }) })[suit];
  return number === "0" ? t("red {tile}", { tile: spoken(`5${suit}`) }) : named;
}

/** @type {Record<string, string> | null} */
const drawings = embedded("faces");
/** Where a face is drawn. @param {string} face */
const drawing = (face) => (drawings ? `url("data:image/svg+xml,${encodeURIComponent(drawings[face])}")` : `url(faces/${face}.svg)`);

/** One drawn tile.
 *  @param {string} code
 *  @param {{ as?: "span" | "button", classes?: string[] }} [look]
 *  @returns {HTMLButtonElement} */
export function tile(code, { as = "span", classes = [] } = {}) {
  const element = /** @type {HTMLButtonElement} */ (made(as));
  element.className = ["tile", ...classes].join(" ");
  if (code === "x") element.classList.add("back");
  else if (code === "?") element.classList.add("unknown");
  else {
    element.style.backgroundImage = drawing(code.replace("0", "5"));
    if (code[0] === "0") element.classList.add("red");
  }
  element.setAttribute(as === "button" ? "aria-label" : "title", spoken(code));
  if (as !== "button") element.setAttribute("role", "img");
  element.dataset.code = code;
  return element;
}

const SIGNS = { left: "◀", opposite: "▲", right: "▶" };

/** The hand drawn; `winner`, where he sits (`context`) and `names` say whom a claimed tile came from.
 *  @param {string} text
 *  @param {{ winner?: Wind | null | "", context?: Context, names?: Partial<Record<Wind, string>> }} [sits] */
export function drawn(text, { winner, context, names = {} } = {}) {
  const hand = made("div", "hand");
  for (const group of groups(text)) {
    const element = made("span", `group ${group.kind}`, ...group.tiles.map(({ code, sideways }) => tile(code, { classes: sideways ? ["sideways"] : [] })));
    if (group.from) {
      hand.classList.add("claims");
      const seat = winner && neighbour(winner, group.from, context ?? {});
      // A name that is written from right to left turns neither the sign nor the tiles around.
      const from = made("span", "from", `${SIGNS[group.from]} `, made("bdi", "", seat ? names[seat] || t(seat) : ""));
      from.title = { left: t("claimed from the left"), opposite: t("claimed from opposite"), right: t("claimed from the right") }[group.from];
      element.append(from);
    }
    hand.append(element);
  }
  return hand;
}

/** What the tiles of a text are called, one after the other. @param {string} text */
export const spokenAll = (text) => groups(text).flatMap(({ tiles }) => tiles.map(({ code }) => spoken(code))).join(", ");

/** Sentences of the server one after the other, as texts and drawn tiles. @param {Say[]} some */
export const withTiles = (some) => some.flatMap((say, place) => [...(place ? ["; "] : []), ...parts(say).map((part) => {
  if (typeof part === "string") return part;
  const tiles = drawn(part.tiles);
  tiles.classList.add("within");
  return tiles;
})]);

/** How wide a hand is in one row, in widths of a tile. @param {string} text */
export const widthOf = (text) => groups(text).reduce((sum, { kind, tiles }) =>
  sum + 0.32 + (kind === "winning" ? 0.3 : 0) + tiles.reduce((all, { sideways }) => all + (sideways ? 1.4 : 1.04), 0), 0);

/** The tiles that a hand waits for, each with how many of it nobody has seen; those that would not win stand apart.
 *  @param {Wait[] | null | undefined} waits */
export function waiting(waits) {
  const left = (waits || []).filter((wait) => wait.unseen > 0);
  if (!left.length) return [];
  /** @param {Wait[]} some */
  const row = (some) => some.flatMap((wait) => [tile(wait.tile, { classes: wait.wins ? [] : ["short"] }), made("span", "left", `×${wait.unseen}`)]);
  const [good, short] = [left.filter((wait) => wait.wins), left.filter((wait) => !wait.wins)];
  return [...(good.length ? [made("span", "word", t("waits for")), ...row(good)] : []), ...(short.length ? [made("span", "word", t("below the minimum")), ...row(short)] : [])];
}

/** "-80/3" -> "−26⅔"; exact, as people write it. @param {string | number} text */
export function amount(text, signed = false) {
  /** @type {Record<string, string>} */
  const signs = { "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/6": "⅙", "5/6": "⅚" };
  const [top, bottom = "1"] = String(text).split("/");
  const negative = top.startsWith("-");
  const [a, b] = [BigInt(top.replace("-", "")), BigInt(bottom)];
  const [whole, rest] = [a / b, a % b];
  const part = rest ? signs[`${rest}/${b}`] || ` ${rest}/${b}` : "";
  const number = `${whole || !part ? whole : ""}${part}`;
  return (negative ? "−" : signed && a ? "+" : "") + number;
}

/** The sum of two amounts, exact: "1/2" and "1/3" -> "5/6".
 *  @param {string} one
 *  @param {string} other */
export function plus(one, other) {
  /** @param {string} text */
  const parts = (text) => [...String(text).split("/").map(BigInt), 1n];
  const [[a, b], [c, d]] = [parts(one), parts(other)];
  let [top, bottom] = [a * d + c * b, b * d];
  let [x, y] = [top < 0n ? -top : top, bottom];
  while (y) [x, y] = [y, x % y]; // the greatest common divisor
  [top, bottom] = [top / x, bottom / x];
  return bottom === 1n ? String(top) : `${top}/${bottom}`;
}

/** The class of an amount: gain, loss or neither. @param {string} paid */
export const sign = (paid) => (paid === "0" ? "" : paid.startsWith("-") ? "loss" : "gain");

/** The hand's tiles with their places among all tiles, in groups, each from its player's left. @param {ShownTile[]} tiles */
export function inGroups(tiles) {
  const own = tiles.map((tile, place) => ({ tile, place })).filter(({ tile }) => tile.role !== "other");
  /** @param {number} axis */
  const sum = (axis) => own.reduce((all, { tile: { corners } }) => all + corners[1][axis] - corners[0][axis], 0);
  const right = [sum(0), sum(1)];
  /** @param {typeof own[number]} member */
  const along = ({ tile: { corners } }) => corners.reduce((all, [x, y]) => all + x * right[0] + y * right[1], 0);
  /** @type {Map<number, typeof own>} */
  const groups = new Map();
  for (const member of own) groups.set(member.tile.group, [...(groups.get(member.tile.group) || []), member]);
  return [...groups].sort(([a], [b]) => a - b).map(([, members]) => members.sort((a, b) => along(a) - along(b)));
}

/** Groups of a hand as elements; `each` makes the element of one of their tiles.
 *  @param {{ tile: ShownTile, place: number | null }[][]} groups
 *  @param {(member: { tile: ShownTile, place: number | null }) => Node} each */
export const grouped = (groups, each) =>
  made("div", "hand", ...groups.map((members) => made("span", `group ${members[0].tile.role}`, ...members.map(each))));

/** The outline of a tile over the picture in which it was found.
 *  @param {{ corners: Point[], role?: string }} shown
 *  @param {string[]} classes */
export function boxed({ corners, role }, classes) {
  const box = shape("polygon", { points: points(corners) });
  box.classList.add(...(role === "other" ? ["other"] : []), ...classes);
  return box;
}

const ALL = [..."mps"].flatMap((suit) => [..."123456789"].map((n) => n + suit))
  .concat([..."1234567"].map((n) => `${n}z`), [..."12345678"].map((n) => `${n}f`), ["0m", "0p", "0s"]);

/** Buttons that say what a tile is, the likely ones first.
 *  @param {{ alternatives: ShownTile["alternatives"] }} shown
 *  @param {(code: string) => unknown} say */
export function palette(shown, say) {
  /** @param {string} code */
  const offer = (code) => Object.assign(tile(code, { as: "button" }), { type: "button", onclick: () => say(code) });
  const likely = shown.alternatives.slice(0, 4).map(([code]) => code);
  return [...likely.map(offer), made("hr"), ...ALL.map(offer)];
}
