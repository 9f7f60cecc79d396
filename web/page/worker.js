// Reads pictures and answers questions, apart from the page, so that the page never blocks.

/** The program's functions: each answers with the length of what it says at `answer`.
 *  @typedef {{ memory: WebAssembly.Memory, begin: () => void, answer: () => number, room: (size: number) => number,
 *    pixels: (width: number, height: number) => number, file: () => number, shown: () => number, read: () => number,
 *    ask: () => number }} Program */

/** Pictures of more pixels are made smaller first: a phone has little memory. */
const MOST_PIXELS = 25e6;
/** So many rows are copied at once. */
const ROWS = 256;
/** Copies of pictures that the browser cannot show are this wide at most. */
const COPY = 1600;

const [letters, bytes] = [new TextDecoder(), new TextEncoder()];
let of = 0;
let broken = "";
/** @type {Program} */
let program;

/** @param {number} at
 *  @param {number} length */
const text = (at, length) => letters.decode(new Uint8Array(program.memory.buffer, at, length));
const imports = {
  page: {
    step: (/** @type {boolean} */ naming, /** @type {number} */ reading) => postMessage({ number: of, step: { stage: "reading", step: naming ? "naming" : "looking", reading } }),
    broke: (/** @type {number} */ at, /** @type {number} */ length) => (broken = text(at, length)),
  },
};

async function loaded() {
  const address = new URL("../tilelens.wasm", import.meta.url);
  // Some file servers do not say that it is WebAssembly.
  const fetched = await fetch(address);
  if (!fetched.ok) throw new Error(`${fetched.status}`);
  const module = fetched.headers.get("Content-Type") === "application/wasm"
    ? await WebAssembly.instantiateStreaming(fetched, imports)
    : await WebAssembly.instantiate(await fetched.arrayBuffer(), imports);
  program = /** @type {Program} */ (/** @type {unknown} */ (module.instance.exports));
  program.begin();
}

/** What a function of the program answers, from the length of it. @param {number} length */
function answered(length) {
  const answer = JSON.parse(text(program.answer(), length));
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error), { said: true });
  return answer;
}

/** The address of a buffer of a size in the program. @param {number} size */
function room(size) {
  const at = program.room(size);
  return new Uint8Array(program.memory.buffer, at, size);
}

/** What draws on a canvas.
 *  @param {OffscreenCanvas} canvas
 *  @param {{ willReadFrequently: boolean }} [settings] */
const drawing = (canvas, settings) => /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", settings));

/** Puts the pixels of a picture that the browser knows into the program. @param {ImageBitmap} bitmap */
async function take(bitmap) {
  const shrink = Math.min(1, Math.sqrt(MOST_PIXELS / (bitmap.width * bitmap.height)));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * shrink)));
  const strip = drawing(new OffscreenCanvas(width, Math.min(ROWS, height)), { willReadFrequently: true });
  strip.imageSmoothingQuality = "high";
  const rgb = room(3 * width * height);
  let to = 0;
  for (let top = 0; top < height; top += ROWS) {
    // Transparent pixels become white.
    strip.fillStyle = "#fff";
    strip.fillRect(0, 0, width, ROWS);
    if (shrink === 1) strip.drawImage(bitmap, 0, -top);
    else strip.drawImage(bitmap, 0, -top, width, height);
    const { data } = strip.getImageData(0, 0, width, Math.min(ROWS, height - top));
    for (let from = 0; from < data.length; from += 4) {
      rgb[to++] = data[from];
      rgb[to++] = data[from + 1];
      rgb[to++] = data[from + 2];
    }
  }
  bitmap.close();
  return answered(program.pixels(width, height));
}

/** A copy, to be shown, of the picture in the program. @param {{ width: number, height: number }} size */
async function copied({ width, height }) {
  const shrink = Math.min(1, COPY / width);
  const copy = new OffscreenCanvas(Math.round(width * shrink), Math.max(1, Math.round(height * shrink)));
  const onto = drawing(copy);
  const rgb = new Uint8Array(program.memory.buffer, program.shown(), 3 * width * height);
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

/** @param {Blob} file */
async function read(file) {
  postMessage({ number: of, step: { stage: "reading", step: "opening", reading: 1 } });
  // As the file has them: the networks learnt from pixels that no screen's colours had changed.
  const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" }).catch(() => null);
  let picture = null;
  if (bitmap) await take(bitmap);
  else {
    room(file.size).set(new Uint8Array(await file.arrayBuffer()));
    picture = await copied(answered(program.file()).image);
  }
  const began = performance.now();
  const { tiles } = answered(program.read());
  return { tiles, picture, milliseconds: performance.now() - began, memory: program.memory.buffer.byteLength };
}

/** @param {object} question */
function ask(question) {
  const words = bytes.encode(JSON.stringify(question));
  room(words.length).set(words);
  return answered(program.ask());
}

const ready = loaded().then(() => true, () => false);
let before = Promise.resolve();

// One after another: the program holds one picture, and one question.
onmessage = ({ data: { number, file, question } }) => {
  before = before.then(async () => {
    of = number;
    if (!(await ready)) return postMessage({ number, unloaded: true });
    try {
      const answer = file ? await read(file) : question ? ask(question) : {};
      postMessage({ number, answer });
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        postMessage({ number, broken: broken || error.message });
      } else postMessage({ number, error: error.message });
    }
  });
};
