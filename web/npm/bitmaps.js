// Pictures in a browser's worker: the browser decodes those that it knows, the program the others.
import { opaque, take } from "./work.js";

/** @typedef {import("./program.js").Program} Program */

/** Pictures of more pixels are made smaller first: a phone has little memory. */
const MOST_PIXELS = 25e6;
/** The number of rows that are copied at once. */
export const ROWS = 256;

/** What draws on a canvas.
 *  @param {OffscreenCanvas} canvas
 *  @param {{ willReadFrequently: boolean }} [settings] */
export const drawing = (canvas, settings) => /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", settings));

/** Puts the pixels of a picture that the browser knows into the program.
 *  @param {Program} program
 *  @param {ImageBitmap} bitmap */
function drawn(program, bitmap) {
  const shrink = Math.min(1, Math.sqrt(MOST_PIXELS / (bitmap.width * bitmap.height)));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * shrink)));
  const strip = drawing(new OffscreenCanvas(width, Math.min(ROWS, height)), { willReadFrequently: true });
  strip.imageSmoothingQuality = "high";
  const rgb = program.room(3 * width * height);
  let to = 0;
  for (let top = 0; top < height; top += ROWS) {
    strip.clearRect(0, 0, width, ROWS);
    if (shrink === 1) strip.drawImage(bitmap, 0, -top);
    else strip.drawImage(bitmap, 0, -top, width, height);
    to = opaque(strip.getImageData(0, 0, width, Math.min(ROWS, height - top)).data, rgb, to);
  }
  bitmap.close();
  return program.pixels({ width, height });
}

/** Puts a picture into the program. `known`: whether the browser can show it.
 *  @param {Program} program
 *  @param {any} picture
 *  @returns {Promise<{ image: { width: number, height: number }, known: boolean }>} */
export async function taken(program, picture) {
  const isFile = picture instanceof Blob || picture instanceof ArrayBuffer || ArrayBuffer.isView(picture);
  if (!isFile) return { ...(await take(program, picture)), known: true };
  const file = picture instanceof Blob ? picture : new Blob([/** @type {BlobPart} */ (picture)]);
  // As the file has them: the networks learnt from pixels that no screen's colours had changed.
  const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" }).catch(() => null);
  return bitmap ? { ...drawn(program, bitmap), known: true } : { ...(await take(program, file)), known: false };
}

/** Makes the program of a file at an address.
 *  @param {URL} address
 *  @returns {(imports: WebAssembly.Imports) => Promise<WebAssembly.Instance>} */
export const fetched = (address) => async (imports) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  // Some file servers do not say that it is WebAssembly.
  const { instance } = answer.headers.get("Content-Type") === "application/wasm"
    ? await WebAssembly.instantiateStreaming(answer, imports)
    : await WebAssembly.instantiate(await answer.arrayBuffer(), imports);
  return instance;
};
