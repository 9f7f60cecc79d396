// In the place of the way to the server: a picture goes to the worker.
import { read } from "./reader.js";

let photo = 0;

/** Reads a picture; the answer that the server would give.
 *  @param {string} _path
 *  @param {{ context: string }} asked
 *  @param {File} file
 *  @param {(step: Progress) => unknown} say
 *  @param {AbortSignal} signal
 *  @returns {Promise<any>} */
export async function upload(_path, { context }, file, say, signal) {
  const answer = await read({ picture: file, ask: { ask: "hand", context: JSON.parse(context) } }, say, signal);
  photo += 1;
  return { ...answer, photo };
}
