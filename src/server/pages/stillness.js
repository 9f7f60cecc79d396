// Hints out of a small picture in grey, which costs next to nothing: more light, hold still, closer.

/** @typedef {{ grey: number[], width: number, height: number }} Grey a small picture in grey, 0 to 255 */

/** The hints are made of a small picture in grey, so wide in pixels. */
const WIDTH = 160;
/** A mean brightness below this, of 255, is too dark. */
const DARK = 40;
/** A mean change of a pixel above this is a hand that moves, from one look to the next or since it was read. */
const SHAKES = 7;
/** A hand that takes less of the frame's width is too far away. */
const FAR = 0.6;
/** The weakest edge of an object on a surface, in steps of 255. */
const PLAIN = 2;
/** The part of the picture that the frame takes: its left, top, width and height. */
export const FRAME = [0.04, 0.3, 0.92, 0.4];

/** How much of the frame's width is taken by what has edges, as tiles have: 0 to 1. @param {Grey} picture */
export function extent({ grey, width, height }) {
  const [left, top, across, down] = FRAME.map((part, axis) => Math.round(part * [width, height][axis % 2]));
  const edges = Array.from({ length: across - 1 }, (_, x) => {
    let sum = 0;
    for (let y = top; y < top + down; y += 1) sum += Math.min(80, Math.abs(grey[y * width + left + x + 1] - grey[y * width + left + x]));
    return sum / down;
  });
  // A tile is wider than one column: what surrounds it counts with it.
  const smooth = edges.map((_, x) => {
    const around = edges.slice(Math.max(0, x - 3), x + 4);
    return around.reduce((sum, of) => sum + of, 0) / around.length;
  });
  const most = Math.max(...smooth);
  if (most < PLAIN) return 0;
  const strong = 0.35 * most;
  const first = smooth.findIndex((of) => of > strong);
  return first < 0 ? 0 : (smooth.findLastIndex((of) => of > strong) - first + 1) / smooth.length;
}

/** Whether the frame of a picture shows something else than that of another one, or the same elsewhere.
 *  @param {Grey} now
 *  @param {Grey | null} before */
export function moved({ grey, width, height }, before) {
  if (before?.grey.length !== grey.length) return true;
  const [from, to] = [FRAME[1], FRAME[1] + FRAME[3]].map((share) => width * Math.round(share * height));
  let sum = 0;
  for (let place = from; place < to; place += 1) sum += Math.abs(grey[place] - before.grey[place]);
  return sum / (to - from) > SHAKES;
}

/** What to do before a hand is read: `light`, `still`, `closer`, or nothing: `good`.
 *  @param {Grey} now
 *  @param {Grey | null} before */
export function hint(now, before) {
  const mean = now.grey.reduce((sum, of) => sum + of, 0) / now.grey.length;
  if (mean < DARK) return "light";
  if (before && moved(now, before)) return "still";
  return extent(now) < FAR ? "closer" : "good";
}

/** The video as a small picture in grey, by way of a canvas.
 *  @param {HTMLVideoElement} video
 *  @param {HTMLCanvasElement} canvas
 *  @returns {Grey} */
export function inGrey(video, canvas) {
  const height = Math.round((WIDTH * video.videoHeight) / video.videoWidth);
  [canvas.width, canvas.height] = [WIDTH, height];
  const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  paper.drawImage(video, 0, 0, WIDTH, height);
  const { data } = paper.getImageData(0, 0, WIDTH, height);
  return { grey: Array.from({ length: WIDTH * height }, (_, place) => (data[4 * place] * 3 + data[4 * place + 1] * 6 + data[4 * place + 2]) / 10), width: WIDTH, height };
}
