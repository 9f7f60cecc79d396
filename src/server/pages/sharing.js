// A hand as a picture to share: the photo with the detected tiles, the hand, its worth, the payments.
import { inGroups } from "./hand.js";
import { made } from "./kit.js";

/** Pixels across, around what is drawn, and between its parts. */
const [WIDE, EDGE, GAP] = [1080, 40, 24];
/** A photo is shown no higher than this. */
const HIGH = 1080;
const [TILE, TALL] = [64, 87];
const FONT = 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** A colour of the page's. @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The drawing of a face; a size is written into it, since some browsers do not draw it otherwise. @param {string} code */
async function face(code) {
  const text = await (await fetch(`faces/${code.replace("0", "5")}.svg`)).text();
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text.replace("<svg ", '<svg width="300" height="400" '))}`;
  await image.decode();
  return image;
}

/** A text in lines that are not wider than the paper, by the font that is set there.
 *  @param {CanvasRenderingContext2D} paper
 *  @param {string} text */
function lines(paper, text) {
  /** @type {string[]} */
  const found = [];
  for (const word of text.split(" ")) {
    const longer = found.length ? `${found.at(-1)} ${word}` : word;
    if (found.length && paper.measureText(longer).width <= WIDE - 2 * EDGE) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

/** The parts from the top down: each has a height and draws itself at a position.
 *  @param {CanvasRenderingContext2D} paper
 *  @param {string} text */
function ofText(paper, text, { size = 32, bold = false, ink = "ink" } = {}) {
  const font = `${bold ? 700 : 400} ${size}px ${FONT}`;
  paper.font = font;
  const all = lines(paper, text);
  /** @param {number} top */
  const draw = (top) => {
    Object.assign(paper, { font, fillStyle: colour(ink), textAlign: "left", textBaseline: "middle" });
    all.forEach((line, place) => paper.fillText(line, EDGE, top + (place + 0.5) * size * 1.3));
  };
  return { high: all.length * size * 1.3, draw };
}

/** @param {CanvasRenderingContext2D} paper
 *  @param {HTMLImageElement} photo
 *  @param {Reading} reading */
function ofPhoto(paper, photo, { image, tiles }) {
  const scale = Math.min(WIDE / image.width, HIGH / image.height);
  const [wide, high] = [image.width * scale, image.height * scale];
  const left = (WIDE - wide) / 2;
  /** @param {number} top */
  const draw = (top) => {
    paper.drawImage(photo, left, top, wide, high);
    for (const { corners, role } of tiles) {
      paper.beginPath();
      for (const [x, y] of corners) paper.lineTo(left + x * scale, top + y * scale);
      paper.closePath();
      Object.assign(paper, { lineWidth: 3, strokeStyle: role === "other" ? "#9aa7a0" : "#35e0a1" });
      paper.stroke();
    }
  };
  return { high, draw };
}

/** @param {CanvasRenderingContext2D} paper
 *  @param {ShownTile[]} tiles */
async function ofHand(paper, tiles) {
  const codes = [...new Set(tiles.map(({ code }) => code))].filter((code) => !"x?".includes(code));
  const faces = new Map(await Promise.all(codes.map(async (code) => /** @type {[string, HTMLImageElement]} */ ([code, await face(code)]))));
  /** @type {[ShownTile, number, number][]} */
  const places = [];
  let [x, y] = [EDGE, 0];
  for (const members of inGroups(tiles)) {
    const wide = members.length * (TILE + 2);
    if (x > EDGE && x + wide > WIDE - EDGE) [x, y] = [EDGE, y + TALL + GAP / 2];
    for (const { tile } of members) {
      if (x + TILE > WIDE - EDGE) [x, y] = [EDGE, y + TALL + GAP / 2];
      places.push([tile, x, y]);
      x += TILE + 2;
    }
    x += GAP;
  }
  /** @param {number} top */
  const draw = (top) => {
    for (const [{ code, role }, left, below] of places) {
      paper.beginPath();
      paper.roundRect(left, top + below, TILE, TALL, 8);
      Object.assign(paper, { lineWidth: role === "winning" ? 5 : 2, strokeStyle: colour(role === "winning" ? "brand" : "tile-edge"), fillStyle: code[0] === "0" ? "#ffe3dc" : colour(code === "x" ? "tile-back" : "ivory") });
      paper.fill();
      paper.stroke();
      const drawing = faces.get(code);
      if (drawing) paper.drawImage(drawing, left + TILE * 0.09, top + below + TALL * 0.06, TILE * 0.82, TALL * 0.88);
      if (code !== "?") continue;
      Object.assign(paper, { font: `700 48px ${FONT}`, fillStyle: "#a35600", textAlign: "center", textBaseline: "middle" });
      paper.fillText("?", left + TILE / 2, top + below + TALL / 2);
    }
  };
  return { high: places.length ? y + TALL : 0, draw };
}

/** Each player's payment, `[["E", "+180", "gain"], …]`, side by side.
 *  @param {CanvasRenderingContext2D} paper
 *  @param {string[][]} payments */
function ofPayments(paper, payments) {
  const wide = (WIDE - 2 * EDGE - GAP * (payments.length - 1)) / payments.length;
  /** @param {number} top */
  const draw = (top) =>
    payments.forEach(([seat, paid, sign], place) => {
      const left = EDGE + place * (wide + GAP);
      paper.beginPath();
      paper.roundRect(left, top, wide, 110, 14);
      Object.assign(paper, { fillStyle: colour("panel"), strokeStyle: colour("line"), lineWidth: 2, textAlign: "center", textBaseline: "middle" });
      paper.fill();
      paper.stroke();
      Object.assign(paper, { fillStyle: colour("soft"), font: `400 28px ${FONT}` });
      paper.fillText(seat, left + wide / 2, top + 32, wide);
      Object.assign(paper, { fillStyle: colour(sign || "ink"), font: `700 38px ${FONT}` });
      paper.fillText(paid, left + wide / 2, top + 76, wide);
    });
  return { high: payments.length ? 110 : 0, draw };
}

/** The picture, a JPEG: `photo` is the image as the page shows it, `reading` its reading; the rest is its
 *  text: the worth, lines about it, the items, the payments, the rules.
 *  @param {HTMLImageElement} photo
 *  @param {Reading} reading
 *  @param {{ first?: string, rest: string[], items: string[], payments: string[][], rules: string }} words
 *  @returns {Promise<Blob>} */
export async function drawnWhole(photo, reading, { first, rest, items, payments, rules }) {
  const canvas = made("canvas");
  canvas.width = WIDE;
  const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const parts = [
    ...(photo.naturalWidth && !photo.hidden ? [ofPhoto(paper, photo, reading)] : []),
    await ofHand(paper, reading.tiles),
    ...(first ? [ofText(paper, first, { size: 64, bold: true })] : []),
    ...rest.map((text) => ofText(paper, text, { ink: "soft" })),
    ofPayments(paper, payments),
    ...items.map((text) => ofText(paper, text)),
    ofText(paper, `Tilelens (${rules})`, { size: 26, ink: "soft" }),
  ].filter(({ high }) => high);
  canvas.height = parts.reduce((sum, { high }) => sum + high + GAP, GAP);
  paper.fillStyle = colour("ground");
  paper.fillRect(0, 0, WIDE, canvas.height);
  let top = 0;
  for (const { high, draw } of parts) {
    draw(top);
    top += high + GAP;
  }
  return new Promise((done) => canvas.toBlob((blob) => done(/** @type {Blob} */ (blob)), "image/jpeg", 0.9));
}

/** Saves a file under a name, as a link to it does.
 *  @param {Blob} blob
 *  @param {string} name */
export function save(blob, name) {
  const link = made("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
