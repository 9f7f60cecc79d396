// What a worker does, in browsers and in Node: messages come in and are answered one after another, since the program
// holds one picture and one question.
import { begun, refused } from "./program.js";

/** @typedef {import("./program.js").Program} Program */
/** @typedef {{ number: number, picture?: any, ask?: object, call?: object }} Message */

/** Copies pixels of red, green, blue and alpha as red, green and blue; transparent ones show white paper.
 *  @param {Uint8Array | Uint8ClampedArray} data
 *  @param {Uint8Array} rgb
 *  @param {number} to the place of the first one
 *  @returns {number} the place after the last one */
export function opaque(data, rgb, to) {
  for (let from = 0; from < data.length; from += 4) {
    const alpha = data[from + 3];
    for (let colour = 0; colour < 3; colour += 1) {
      const value = data[from + colour];
      rgb[to++] = alpha === 255 ? value : Math.round(255 + ((value - 255) * alpha) / 255);
    }
  }
  return to;
}

/** Puts a picture into the program: pixels of red, green, blue and alpha, or the bytes of a file.
 *  @param {Program} program
 *  @param {any} picture */
export async function take(program, picture) {
  if (picture instanceof Blob) return program.file(new Uint8Array(await picture.arrayBuffer()));
  if (picture instanceof ArrayBuffer) return program.file(new Uint8Array(picture));
  if (ArrayBuffer.isView(picture)) return program.file(new Uint8Array(picture.buffer, picture.byteOffset, picture.byteLength));
  const { data, width, height } = picture;
  if (data.length !== 4 * width * height) throw refused("bad_picture", `${data.length} values are not ${width} x ${height} pixels of red, green, blue and alpha`);
  opaque(data, program.room(3 * width * height), 0);
  return program.pixels({ width, height });
}

/** What answers messages.
 *  @param {(imports: WebAssembly.Imports) => Promise<WebAssembly.Instance>} instantiate
 *  @param {(program: Program, picture: any) => Promise<object>} taken puts a picture into the program
 *  @param {(message: object) => void} send
 *  @returns {(message: Message) => void} */
export function work(instantiate, taken, send) {
  let of = 0;
  const loaded = begun(instantiate, (naming, reading) =>
    send({ number: of, step: { stage: "reading", step: naming ? "naming" : "looking", reading } })).then((program) => ({ program }), (error) => ({ why: String(error) }));
  let before = Promise.resolve();

  /** @param {Program} program
   *  @param {Message} message */
  async function answer(program, { number, picture, ask, call }) {
    let read = {};
    if (picture) {
      send({ number, step: { stage: "reading", step: "opening", reading: 1 } });
      const more = await taken(program, picture);
      const began = performance.now();
      const { tiles } = program.read();
      read = { ...more, tiles, milliseconds: performance.now() - began, memory: program.memory() };
    }
    if (ask) return { ...read, ...program.ask(ask) };
    return call ? program.call(call) : read;
  }
  return (message) => {
    const { number } = message;
    before = before.then(async () => {
      of = number;
      const found = await loaded;
      if (!("program" in found)) return send({ number, unloaded: found.why });
      try {
        send({ number, answer: await answer(found.program, message) });
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) send({ number, broken: found.program.why(error) });
        else send({ number, error: error.message, kind: error.kind });
      }
    });
  };
}
