// The worker of the pocket page: that of the npm package, which also copies pictures that the browser cannot show.
import { ROWS, drawing, fetched, taken } from "../npm/bitmaps.js";
import { work } from "../npm/work.js";

/** Copies of pictures that the browser cannot show are this wide at most. */
const COPY = 1600;

/** A copy, to be shown, of the picture in the program.
 *  @param {import("../npm/program.js").Program} program
 *  @param {import("../npm/program.js").Size} size */
async function copied(program, { width, height }) {
  const shrink = Math.min(1, COPY / width);
  const copy = new OffscreenCanvas(Math.round(width * shrink), Math.max(1, Math.round(height * shrink)));
  const onto = drawing(copy);
  const rgb = program.shown({ width, height });
  for (let top = 0; top < height; top += ROWS) {
    const rows = Math.min(ROWS, height - top);
    const data = new ImageData(width, rows);
    for (let from = 3 * width * top, to = 0; to < data.data.length; from += 3, to += 4) {
      data.data[to] = rgb[from];
      data.data[to + 1] = rgb[from + 1];
      data.data[to + 2] = rgb[from + 2];
      data.data[to + 3] = 255;
    }
    const strip = new OffscreenCanvas(width, rows);
    drawing(strip).putImageData(data, 0, 0);
    onto.drawImage(strip, 0, top * shrink, width * shrink, rows * shrink);
  }
  return URL.createObjectURL(await copy.convertToBlob({ type: "image/jpeg", quality: 0.85 }));
}

/** @param {import("../npm/program.js").Program} program
 *  @param {any} given */
async function shown(program, given) {
  const { image, known } = await taken(program, given);
  return { picture: known ? null : await copied(program, image) };
}

const answer = work(fetched(new URL("../tilelens.wasm", import.meta.url)), shown, (message) => postMessage(message));
onmessage = ({ data }) => answer(data);
