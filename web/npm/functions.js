// The functions of the package; index.d.ts says what they take and give. Names and answers are those of the Python package.
import { refused } from "./program.js";

/** Any error of the package. `kind` is that of an answer without a score, `bad_picture` or `reader_failed`; `refusal` the
 *  rest of such an answer. */
export class TilelensError extends Error {
  name = "TilelensError";

  /** @param {{ kind: import("./program.js").Kind, message: string }} error
   *  @param {object} [refusal] */
  constructor({ kind, message }, refusal) {
    super(message);
    this.kind = kind;
    this.refusal = refusal;
  }
}

const isPicture = (/** @type {any} */ given) =>
  given instanceof Blob || given instanceof ArrayBuffer || ArrayBuffer.isView(given) || (given?.data?.length >= 0 && given.width >= 0 && given.height >= 0);

/** @param {ReturnType<typeof import("./client.js").client>} client */
export function functions({ put, stop }) {
  /** @param {{ picture?: any, call: object }} question */
  const answer = (question) => put(question).catch((error) => {
    throw new TilelensError(error);
  });
  /** @param {any} hand
   *  @param {object} fields
   *  @param {boolean} brief */
  async function scored(hand, fields, brief) {
    const request = (/** @type {any} */ one) => ({ rules: "mmm", ...fields, ...(typeof one === "string" ? { hand: one } : one) });
    const answers = await answer({ call: { call: "score", requests: (Array.isArray(hand) ? hand : [hand]).map(request), brief } });
    if (Array.isArray(hand)) return answers;
    const [one] = answers;
    if (!one.ok) throw new TilelensError({ kind: one.error, message: one.message }, one);
    return one;
  }
  return {
    read: async (/** @type {any} */ picture, { fixes = {}, winning, hidden, kongs, ...fields } = /** @type {any} */ ({})) => {
      if (!isPicture(picture)) {
        const why = "a picture is the bytes of a file, or { data, width, height } with red, green, blue and alpha";
        throw new TilelensError(refused("bad_picture", why));
      }
      const { data, width, height } = picture;
      // The pixels alone: not every object that holds them can be passed to a worker.
      const pixels = data && !(picture instanceof Blob) && !ArrayBuffer.isView(picture) ? { data, width, height } : picture;
      const corrections = Object.entries(fixes).map(([number, code]) => [Number(number), code]);
      return answer({ picture: pixels, call: { call: "read", fixes: corrections, winning, hidden, kongs, fields } });
    },
    score: (/** @type {any} */ hand, fields = {}) => scored(hand, fields, true),
    explain: (/** @type {any} */ hand, fields = {}) => scored(hand, fields, false),
    waits: (/** @type {string} */ hand, { seen, ...fields } = /** @type {any} */ ({})) => answer({ call: { call: "waits", hand, seen, fields } }),
    advise: (/** @type {string} */ hand, { seen, ...fields } = /** @type {any} */ ({})) => answer({ call: { call: "advise", hand, seen, fields } }),
    convert: (/** @type {string} */ text, { from, to = "tilelens" } = /** @type {any} */ ({})) => answer({ call: { call: "convert", text, from, to } }),
    rules: () => answer({ call: { call: "rules" } }),
    close: () => stop(refused("reader_failed", "The reader was closed.")),
  };
}
