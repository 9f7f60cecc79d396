// Hand text (FORMATS) as groups of tiles, and groups as elements. Nothing here knows of servers.
import { parts, t } from "./lang.js";

/** "234m (7'77z) +2s" -> [{kind, tiles: [{code, sideways}], from}] in the order of the text. */
export function groups(text) {
  const found = [];
  for (const word of (text || "").split(/\s+/).filter(Boolean)) {
    const open = word[0];
    const kind = { "(": "claimed", "[": "kong", "+": "winning" }[open] || "concealed";
    const tiles = [];
    let waiting = [];
    for (const letter of word.replace(/[()[\]+]/g, "")) {
      if (/[0-9]/.test(letter)) waiting.push({ code: letter, sideways: false });
      else if (letter === "'") (waiting.at(-1) || tiles.at(-1) || {}).sideways = true;
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

function giver(tiles) {
  const marks = tiles.flatMap((tile, place) => (tile.sideways ? [place] : []));
  if (!marks.length) return null;
  if (marks.includes(0)) return "left";
  return marks.includes(tiles.length - 1) ? "right" : "opposite";
}

const SEATS = ["E", "S", "W", "N"];
const STEPS = { right: 1, opposite: 2, left: 3 };

/** What each seat gets, in the order of the seats. */
export const inOrder = (payments) => SEATS.filter((seat) => seat in payments).map((seat) => [seat, payments[seat]]);

/** The wind of whoever sat at a place in the first deal of the round; null where nobody does. */
export function windAt(place, { dealer = "E", players = 4 } = {}) {
  const from = SEATS.indexOf(place);
  return from < players ? SEATS[(from - SEATS.indexOf(dealer) + players) % players] : null;
}

const placeOf = (wind, { dealer = "E", players = 4 } = {}) => SEATS[(SEATS.indexOf(wind) + SEATS.indexOf(dealer)) % players];

/** The wind of whoever sits left, opposite or right of a player. Three players leave one side of the
 *  table empty: winds go round among them, sides do not. */
export const neighbour = (wind, side, context) => windAt(SEATS[(SEATS.indexOf(placeOf(wind, context)) + STEPS[side]) % 4], context);

/** How a tile is called, for people who do not see it. */
export function spoken(code) {
  const honors = [t("east"), t("south"), t("west"), t("north"), t("white dragon"), t("green dragon"), t("red dragon")];
  const bonus = [t("plum"), t("orchid"), t("chrysanthemum"), t("bamboo flower"), t("spring"), t("summer"), t("autumn"), t("winter")];
  if (code === "x") return t("face down");
  if (code === "?") return t("not recognised");
  const [number, suit] = code;
  if (suit === "z") return honors[number - 1];
  if (suit === "f") return bonus[number - 1];
  const named = { m: t("{number} characters", { number }), p: t("{number} dots", { number }), s: t("{number} bamboo", { number }) }[suit];
  return number === "0" ? t("red {tile}", { tile: spoken(`5${suit}`) }) : named;
}

/** One drawn tile. */
export function tile(code, { as = "span", classes = [] } = {}) {
  const element = document.createElement(as);
  element.className = ["tile", ...classes].join(" ");
  if (code === "x") element.classList.add("back");
  else if (code === "?") element.classList.add("unknown");
  else {
    element.style.backgroundImage = `url(faces/${code.replace("0", "5")}.svg)`;
    if (code[0] === "0") element.classList.add("red");
  }
  element.setAttribute(as === "button" ? "aria-label" : "title", spoken(code));
  if (as !== "button") element.setAttribute("role", "img");
  element.dataset.code = code;
  return element;
}

const SIGNS = { left: "◀", opposite: "▲", right: "▶" };

/** The hand drawn; `winner`, where he sits (`context`) and `names` say whom a claimed tile came from. */
export function drawn(text, { winner, context, names = {} } = {}) {
  const hand = document.createElement("div");
  hand.className = "hand";
  for (const group of groups(text)) {
    const element = document.createElement("span");
    element.className = `group ${group.kind}`;
    for (const { code, sideways } of group.tiles) element.append(tile(code, { classes: sideways ? ["sideways"] : [] }));
    if (group.from) {
      hand.classList.add("claims");
      const from = document.createElement("span");
      from.className = "from";
      const seat = winner && neighbour(winner, group.from, context);
      // A name that is written from right to left turns neither the sign nor the tiles around.
      const name = Object.assign(document.createElement("bdi"), { textContent: seat ? names[seat] || t(seat) : "" });
      from.append(`${SIGNS[group.from]} `, name);
      from.title = { left: t("claimed from the left"), opposite: t("claimed from opposite"), right: t("claimed from the right") }[group.from];
      element.append(from);
    }
    hand.append(element);
  }
  return hand;
}

/** What the tiles of a text are called, one after the other. */
export const spokenAll = (text) => groups(text).flatMap(({ tiles }) => tiles.map(({ code }) => spoken(code))).join(", ");

/** Sentences of the server one after the other, as texts and drawn tiles. */
export const withTiles = (some) => some.flatMap((say, place) => [...(place ? ["; "] : []), ...parts(say).map((part) => {
  if (part.tiles === undefined) return part;
  const tiles = drawn(part.tiles);
  tiles.classList.add("within");
  return tiles;
})]);

/** The tiles that a hand waits for; those that would not win stand apart. */
export function waiting(waits) {
  const left = (waits || []).filter((wait) => wait.unseen > 0);
  if (!left.length) return [];
  const word = (text) => Object.assign(document.createElement("span"), { textContent: text, className: "word" });
  const row = (some) => some.map((wait) => tile(wait.tile, { classes: wait.wins ? [] : ["short"] }));
  const [good, short] = [left.filter((wait) => wait.wins), left.filter((wait) => !wait.wins)];
  return [...(good.length ? [word(t("waits for")), ...row(good)] : []), ...(short.length ? [word(t("below the minimum")), ...row(short)] : [])];
}

/** "-80/3" -> "−26⅔"; exact, as people write it. */
export function amount(text, signed = false) {
  const signs = { "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/6": "⅙", "5/6": "⅚" };
  const [top, bottom = "1"] = String(text).split("/");
  const negative = top.startsWith("-");
  const [a, b] = [BigInt(top.replace("-", "")), BigInt(bottom)];
  const [whole, rest] = [a / b, a % b];
  const part = rest ? signs[`${rest}/${b}`] || ` ${rest}/${b}` : "";
  const number = `${whole || !part ? whole : ""}${part}`;
  return (negative ? "−" : signed && a ? "+" : "") + number;
}

/** The sum of two amounts, exact: "1/2" and "1/3" -> "5/6". */
export function plus(one, other) {
  const parts = (text) => [...String(text).split("/").map(BigInt), 1n];
  const [[a, b], [c, d]] = [parts(one), parts(other)];
  let [top, bottom] = [a * d + c * b, b * d];
  let [x, y] = [top < 0n ? -top : top, bottom];
  while (y) [x, y] = [y, x % y]; // the greatest common divisor
  [top, bottom] = [top / x, bottom / x];
  return bottom === 1n ? String(top) : `${top}/${bottom}`;
}

/** The class of an amount: gain, loss or neither. */
export const sign = (paid) => (paid === "0" ? "" : paid.startsWith("-") ? "loss" : "gain");

/** The hand's tiles with their places among all tiles, in groups, each from its player's left. */
export function inGroups(tiles) {
  const own = tiles.map((tile, place) => ({ tile, place })).filter(({ tile }) => tile.role !== "other");
  const sum = (axis) => own.reduce((all, { tile: { corners } }) => all + corners[1][axis] - corners[0][axis], 0);
  const right = [sum(0), sum(1)];
  const along = ({ tile: { corners } }) => corners.reduce((all, [x, y]) => all + x * right[0] + y * right[1], 0);
  const groups = new Map();
  for (const member of own) groups.set(member.tile.group, [...(groups.get(member.tile.group) || []), member]);
  return [...groups].sort(([a], [b]) => a - b).map(([, members]) => members.sort((a, b) => along(a) - along(b)));
}

const ALL = [..."mps"].flatMap((suit) => [..."123456789"].map((n) => n + suit))
  .concat([..."1234567"].map((n) => `${n}z`), [..."12345678"].map((n) => `${n}f`), ["0m", "0p", "0s"]);

/** Buttons that say what a tile is, the likely ones first. */
export function palette(shown, say) {
  const offer = (code) => {
    const button = tile(code, { as: "button" });
    button.type = "button";
    button.onclick = () => say(code);
    return button;
  };
  const likely = shown.alternatives.slice(0, 4).map(([code]) => code);
  return [...likely.map(offer), document.createElement("hr"), ...ALL.map(offer)];
}
