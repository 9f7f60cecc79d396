// Reads what is in the viewfinder's frame once it holds still. A sure hand is taken by itself; of another one the outlines and doubts
// are shown.
import { boxed, inGroups, withTiles } from "./hand.js";
import { made, shape } from "./kit.js";
import { sentences, t } from "./lang.js";
import { hint, inGrey, moved } from "./stillness.js";

/** @typedef {import("./stillness.js").Grey} Grey */
/** @typedef {"light" | "still" | "closer" | "good" | "none" | "whole" | "doubt" | "failed"} Hint */

/** A hand that was not sure is read again after this time, in milliseconds, though nothing moved. */
const AGAIN = 2500;
/** The longer side of what is read, in pixels, at most. */
const LONG = 1280;
/** The part that is read: the frame with some room around, to see what it cuts off. */
const READ = [0, 0.27, 1, 0.46];

/** The confidence below which a hand is not taken by itself. */
const SURE = 0.85;
/** A tile that is so near to the edge of the picture is cut off, as a share of the picture's longer side. */
const EDGE = 0.008;
/** The tiles of the smallest whole hand. */
const WHOLE = 14;

/** How many tiles a hand has, each kong counted as three. @param {ShownTile[]} tiles */
const size = (tiles) => inGroups(tiles).reduce((sum, group) => sum + (group[0].tile.role === "meld" ? Math.min(3, group.length) : group.filter(({ tile }) => tile.role !== "bonus").length), 0);

/** `sure`; or what is lacking: `none` (no hand), `whole` (a part of it), or `doubt` (a face is not certain).
 *  @param {Pick<PhotoReading, "tiles" | "hand" | "score" | "image">} reading */
export function verdict({ tiles, hand, score, image }) {
  if (!hand) return "none";
  const edge = EDGE * Math.max(image.width, image.height);
  /** @type {(corner: Point) => boolean} */
  const out = ([x, y]) => x < edge || y < edge || x > image.width - edge || y > image.height - edge;
  if (tiles.some(({ role, corners }) => role !== "other" && corners.some(out))) return "whole";
  if (hand.confidence < SURE || hand.doubts.some(({ tile }) => tile !== null)) return "doubt";
  const count = size(tiles);
  if (score?.ok || (count >= WHOLE && count % 3 === 2)) return "sure";
  return count < WHOLE ? "whole" : "doubt";
}

/** @type {Record<Exclude<Hint, "failed" | "none" | "doubt">, string>} */
const HINTS = {
  light: t("More light"),
  still: t("Hold still"),
  closer: t("Closer: let the hand fill the frame"),
  good: t("Hold still: the hand is being read"),
  whole: t("The whole hand in the frame"),
};

/** What is said of a reading that is not sure. @param {PhotoReading} reading */
function said({ hand, refusal_said: refusal }) {
  if (!hand) return [refusal ? sentences(refusal) : t("No hand in the picture.")];
  const doubt = hand.doubts.find(({ tile }) => tile !== null) ?? hand.doubts[0];
  return doubt ? withTiles(doubt.said) : [t("Not sure yet: hold still, or press the button")];
}

/** A picture of a part of the video, as a file.
 *  @param {HTMLVideoElement} video
 *  @param {number[]} part its left, top, width and height
 *  @param {number} [long] the longer side in pixels, at most */
export function shot(video, part, long = Infinity) {
  const [left, top, across, down] = part.map((share, axis) => share * [video.videoWidth, video.videoHeight][axis % 2]);
  const shrink = Math.min(1, long / Math.max(across, down));
  const canvas = made("canvas", { width: Math.round(across * shrink), height: Math.round(down * shrink) });
  canvas.getContext("2d")?.drawImage(video, left, top, across, down, 0, 0, canvas.width, canvas.height);
  return new Promise((/** @type {(file: File | null) => void} */ done) =>
    canvas.toBlob((blob) => done(blob && new File([blob], "hand.jpg", { type: "image/jpeg" })), "image/jpeg", 0.92));
}

/** Draws the outlines of what was read over the picture; of nothing, none.
 *  @param {Element} over
 *  @param {HTMLVideoElement} video
 *  @param {PhotoReading | null} reading */
function outline(over, { videoWidth, videoHeight }, reading) {
  over.replaceChildren();
  if (!reading) return;
  over.setAttribute("viewBox", `0 0 ${videoWidth} ${videoHeight}`);
  const [left, top, across] = READ;
  const unsure = new Set(reading.hand?.doubts.map(({ tile }) => tile));
  const tiles = shape("g", { transform: `translate(${left * videoWidth} ${top * videoHeight}) scale(${(across * videoWidth) / reading.image.width})` });
  tiles.append(...reading.tiles.map((tile) => boxed(tile, unsure.has(tile.id) ? ["doubt"] : [])));
  over.append(tiles);
}

/** What watches a video for a hand. `say(what, parts)` gets the hint, `read(file)` reads what is in the frame, and `found(file, reading)`
 *  gets a hand that is sure.
 *  @param {HTMLVideoElement} video
 *  @param {Element} over the outlines
 *  @param {{ say: (what: Hint, parts: (string | Node)[]) => void, read: (file: File) => Promise<PhotoReading>,
 *    found: (file: File, reading: PhotoReading) => unknown }} to */
export function watch(video, over, { say, read, found }) {
  const canvas = made("canvas");
  /** @type {Grey | null} */
  let before = null;
  /** The last reading: of which picture, and until when it stands; endless while it is on its way.
   *  @type {{ of: Grey, until: number } | null} */
  let last = null;
  let reads = false;

  /** Reads what is in the frame; once something moves, the reading is of no use. @param {Grey} of */
  async function glance(of) {
    const mine = (last = { of, until: Infinity });
    reads = true;
    say("good", [HINTS.good]);
    try {
      const file = await shot(video, READ, LONG);
      const reading = file && (await read(file));
      if (mine !== last || !file || !reading) return;
      const what = verdict(reading);
      if (what === "sure") return found(file, reading);
      outline(over, video, reading);
      say(what, what === "whole" ? [HINTS.whole] : said(reading));
    } catch (error) {
      if (mine === last) say("failed", [error.message]);
    } finally {
      reads = false;
      mine.until = performance.now() + AGAIN;
    }
  }
  /** Forgets what was read. */
  function forget() {
    last = null;
    outline(over, video, null);
  }
  return {
    forget,
    look: () => {
      const now = inGrey(video, canvas);
      const what = hint(now, before);
      before = now;
      if (last && moved(now, last.of)) forget();
      if (what !== "good") return say(what, [HINTS[what]]);
      if (!reads && (!last || performance.now() > last.until)) glance(now);
    },
    end: () => {
      before = null;
      forget();
    },
  };
}
