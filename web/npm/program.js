// The program in WebAssembly: bytes go in, a function is called, its answer comes out as JSON.

/** @typedef {{ memory: WebAssembly.Memory, begin: () => void, answer: () => number, room: (size: number) => number,
 *    pixels: (width: number, height: number) => number, file: () => number, shown: () => number, read: () => number,
 *    ask: () => number, call: () => number }} Exports each function answers with the length of its answer */
/** @typedef {"bad_request" | "bad_hand" | "not_allowed" | "not_complete" | "below_minimum" | "bad_picture" | "reader_failed"} Kind */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {Awaited<ReturnType<typeof begun>>} Program */

const [letters, bytes] = [new TextDecoder(), new TextEncoder()];

/** An error of a kind. @param {Kind} kind
 *  @param {string} message */
export const refused = (kind, message) => Object.assign(new Error(message), { kind });

/** The program, set up.
 *  @param {(imports: WebAssembly.Imports) => Promise<WebAssembly.Instance>} instantiate
 *  @param {(naming: boolean, reading: number) => void} step gets the progress of a reading */
export async function begun(instantiate, step) {
  let broken = "";
  /** @param {number} at
   *  @param {number} length */
  const text = (at, length) => letters.decode(new Uint8Array(program.memory.buffer, at, length));
  const { exports } = await instantiate({
    page: {
      step: (/** @type {number} */ naming, /** @type {number} */ reading) => step(naming !== 0, reading),
      broke: (/** @type {number} */ at, /** @type {number} */ length) => (broken = text(at, length)),
    },
  });
  const program = /** @type {Exports} */ (/** @type {unknown} */ (exports));
  program.begin();

  /** What a function answers, from the length of it. @param {number} length */
  function answered(length) {
    const answer = JSON.parse(text(program.answer(), length));
    if (answer.error !== undefined) throw refused(answer.kind, answer.error);
    return answer;
  }
  /** A buffer of a size in the program. @param {number} size */
  function room(size) {
    const at = program.room(size);
    return new Uint8Array(program.memory.buffer, at, size);
  }
  /** @param {Uint8Array} given */
  const put = (given) => room(given.length).set(given);
  return {
    room,
    /** Takes the RGB pixels in the buffer as the picture. @param {Size} size
     *  @returns {{ image: Size }} */
    pixels: ({ width, height }) => answered(program.pixels(width, height)),
    /** Takes a file as the picture. @param {Uint8Array} file
     *  @returns {{ image: Size }} */
    file: (file) => {
      put(file);
      return answered(program.file());
    },
    /** The RGB pixels of the picture. @param {Size} size */
    shown: ({ width, height }) => new Uint8Array(program.memory.buffer, program.shown(), 3 * width * height),
    /** Reads the picture. @returns {{ tiles: number }} */
    read: () => answered(program.read()),
    /** Answers a question of a page. @param {object} question */
    ask: (question) => {
      put(bytes.encode(JSON.stringify(question)));
      return answered(program.ask());
    },
    /** Answers a call of the package. @param {object} question */
    call: (question) => {
      put(bytes.encode(JSON.stringify(question)));
      return answered(program.call());
    },
    memory: () => program.memory.buffer.byteLength,
    /** Why it broke off. @param {Error} error */
    why: (error) => broken || error.message,
  };
}
