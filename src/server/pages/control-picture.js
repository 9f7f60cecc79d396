// The control page's part for what the cameras see: pictures, the players' tiles, where the table lies, and corrections of
// what is read.
import { eastOf, marked, marking, outline } from "./calibrate.js";
import { act, current } from "./deciding.js";
import { WINDS, boxed, drawn, grouped, inGroups, palette, tile, withTiles } from "./hand.js";
import { showHelp } from "./help.js";
import { at, made } from "./kit.js";
import { t } from "./lang.js";
import { how, showSeats, shownSource } from "./sources.js";

/** @type {number | null} */
let chosen = null; // the number of the chosen tile
let digit = ""; // which waits for its suit
/** What was drawn last, so that nothing that somebody presses is replaced: the picture, East's seat. */
const last = { picture: "", east: "" };

const tiles = () => current().reading?.tiles ?? [];
/** The upright tiles that the winner's own camera sees. */
const standing = () => {
  const { context, seats } = current();
  return (context?.seat && seats?.[context.seat]?.standing) || [];
};

/** Whether there are tiles that a hand is read from. */
export const hasTiles = () => tiles().length > 0 || standing().length > 0;

const inHand = () => [
  ...inGroups(tiles()),
  ...(standing().length ? [standing().map((shown) => ({ tile: { ...shown, role: "concealed" }, place: null }))] : []),
];
const doubts = () => current().reading?.hand?.doubts ?? [];
const doubted = () => new Set(doubts().map((doubt) => doubt.tile).filter((id) => id !== null));

/** Says what the chosen tile is; null: as it was read. @param {string | null} code */
function correct(code) {
  if (chosen === null) return;
  act("api/correct", { tile: chosen, code, keep: at("keep").checked });
  at("palette").hidden = true;
}

/** Chooses a tile to be corrected. @param {number | null} id */
export function choose(id) {
  chosen = id;
  digit = "";
  showTiles();
  showBoxes();
  showPalette();
}

/** Keys that choose and correct tiles; whether this was one. @param {string} key */
export function correctByKey(key) {
  const order = inHand().flat().map(({ tile: { id } }) => id);
  if ((key === "ArrowRight" || key === "ArrowLeft") && order.length) {
    const step = key === "ArrowRight" ? 1 : -1;
    const place = chosen === null ? -1 : order.indexOf(chosen);
    choose(order[place < 0 ? (step > 0 ? 0 : order.length - 1) : (place + step + order.length) % order.length]);
  } else if (/^[0-9]$/.test(key) && chosen !== null) digit = key;
  else if (/^[mpszf]$/.test(key) && digit && chosen !== null) {
    correct(digit + key);
    digit = "";
  } else if (key === "Delete" || key === "Backspace") correct(null);
  else return false;
  return true;
}

/** The tiles of the hand, each a choice. */
function showTiles() {
  const { context = {}, fixes, reading } = current();
  const unsure = doubted();
  const hand = grouped(inHand(), ({ tile: { id, code }, place }) => {
    const classes = [
      ...((place === null ? code === "?" : unsure.has(id)) ? ["doubt"] : []), ...(fixes?.[id] ? ["fixed"] : []), ...(id === chosen ? ["chosen"] : []),
    ];
    const element = Object.assign(tile(code, { as: "button", classes }), { type: "button", tabIndex: -1, id: `tile-${id}`, onclick: () => choose(id === chosen ? null : id) });
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", String(id === chosen));
    return element;
  });
  const typed = context.hand && reading?.hand;
  if (typed) hand.prepend(...drawn(typed.text, { winner: context.win && context.seat, context }).children);
  at("hand").replaceChildren(hand);
  // The list keeps the focus; screen readers announce the chosen tile.
  if (chosen === null) at("hand").removeAttribute("aria-activedescendant");
  else at("hand").setAttribute("aria-activedescendant", `tile-${chosen}`);
}

/** The wind of whoever sat at a seat in the first deal of the round. @param {string} place */
const windAt = (place) => WINDS.find((wind) => current().seats?.[wind]?.place === place) ?? place;

/** The tiles in the picture that was read, and the table's corners in its source's. */
function showBoxes() {
  const { moving, photo, reading, sources } = current();
  const boxes = at("boxes");
  boxes.classList.toggle("moving", !!moving);
  if (marking()) return;
  const of = photo ? undefined : sources?.[shownSource()];
  // Boxes belong to the picture that was read: the numbers of its tiles say of which source it is.
  const image = photo || shownSource() === Math.floor((tiles()[0]?.id || 0) / 2 ** 32) ? reading?.image : undefined;
  const size = image ? /** @type {Point} */ ([image.width, image.height]) : of?.picture;
  if (!size) return boxes.replaceChildren();
  boxes.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const unsure = doubted();
  boxes.replaceChildren(
    ...outline(of, size, windAt),
    ...(image ? tiles() : []).map((shown) => boxed(shown, [...(unsure.has(shown.id) ? ["doubt"] : []), ...(shown.id === chosen ? ["chosen"] : [])])),
  );
}

function showPalette() {
  const shown = [...tiles(), ...standing()].find(({ id }) => id === chosen);
  at("palette").hidden = !shown;
  if (shown) at("palette").replaceChildren(...palette(shown, correct));
}

/** The doubts of the reading; one about a tile chooses it. */
const showDoubts = () => at("doubts").replaceChildren(...doubts().map(({ said, tile: about }) => {
  const item = made("li", "", ...withTiles(said));
  if (about === null) return item;
  item.tabIndex = 0;
  item.onclick = () => choose(about);
  item.onkeydown = ({ key }) => {
    if (key === "Enter") choose(about);
  };
  return item;
}));

/** Whether a source has had a picture at any time: the last one stays. @param {Source | undefined} of */
const hasPictures = (of) => !!of && (!!of.timing || ["running", "ended"].includes(of.state));

/** The picture of the source, or the photo on show. */
function showPreview() {
  const { photo, sources = [] } = current();
  const source = shownSource();
  const shown = sources[source];
  // A photo stays as it is and is asked for when it changes; a camera's picture comes by itself.
  const picture = photo ? `frame.jpg?at=${photo}` : hasPictures(shown) ? `preview.mjpeg?source=${source}` : "";
  if (picture !== last.picture) {
    last.picture = picture;
    if (picture) at("preview").src = photo ? picture : `${picture}&at=${Date.now()}`;
    else at("preview").removeAttribute("src");
  }
  at("calibrate").hidden = !hasPictures(shown) || shown.shows === "standing" || !!photo;
  // East's seat is reset only for another source or profile.
  const east = eastOf(shown?.seats) || "bottom";
  if (last.east !== `${source} ${east}`) at("east").value = east;
  last.east = `${source} ${east}`;
  at("profile").hidden = shown?.shows !== "table";
  at("profile").href = `api/table-profile?source=${source}`;
}

/** Shows the state's pictures and tiles. @param {import("./onair.js").View} viewed */
export function showPicture(viewed) {
  const { source: main, photo, table, timing, tournament, tileset } = current();
  if (![...tiles(), ...standing()].some(({ id }) => id === chosen)) chosen = null;
  const fps = timing?.fps ? ` · ${t("{count} frames a second", { count: timing.fps })}` : "";
  at("source").title = at("source").textContent = main?.state === "none" ? t("no camera: send a photo from the phone page")
    : `${main?.name}: ${how(main?.state ?? "")}${main?.why ? ` (${main.why})` : ""}${fps}`;
  at("camera").classList.toggle("unused", main?.state === "none" && !photo && (!!table || !!tournament));
  showPreview();
  showHelp(main ?? {});
  showDoubts();
  at("keeping").hidden = !tileset;
  if (tileset !== at("set").textContent) at("keep").checked = false; // asked again for another set
  at("set").textContent = tileset || "";
  showTiles();
  showBoxes();
  showPalette();
  showSeats(viewed);
}

/** The stream of pictures has broken off: the next state asks for it again. */
export function brokenOff() {
  last.picture = "none";
  at("source").title = at("source").textContent = "";
}

at("preview").onerror = () => setTimeout(() => (last.picture = "none"), 2000);
// Four clicks on the picture, from its upper left corner clockwise.
at("mark").onclick = () => {
  const of = shownSource(); // its picture is the one that is marked
  marked(at("preview"), at("boxes"), {
    hint: (text) => (at("marking").textContent = text),
    done: (picture, corners) => act("api/table-profile", { source: of, picture, corners, east: at("east").value }),
  });
};
