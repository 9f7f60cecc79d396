// What asks a worker: questions go in, answers come out. Where it breaks, or is ended, the next question begins another one.
import { refused } from "./program.js";

/** @typedef {{ number: number, step?: any, answer?: any, error?: string, kind?: import("./program.js").Kind, broken?: string, unloaded?: string }} Answer */
/** @typedef {{ post: (message: object) => void, end: () => unknown, isAsked: (is: boolean) => void }} Begun a worker; it may keep
 *    its program from ending while it is asked something */

/** How failures of the worker are put into words. */
const WORDS = {
  lost: (/** @type {string} */ why) => `The reader could not be loaded: ${why}`,
  broken: (/** @type {string} */ why) => `Reading broke off: ${why}`,
};

/** @param {(said: (answer: Answer) => void, failed: (why: string) => void) => Begun} begin
 *  @param {typeof WORDS} [words] */
export function client(begin, words = WORDS) {
  /** @type {Begun | null} */
  let worker = null;
  let asked = 0;
  /** @type {Map<number, { done: (answer: any) => void, failed: (why: Error) => void, say: (step: any) => unknown }>} */
  const open = new Map();

  /** Ends the worker; open questions fail. @param {Error} why */
  function stop(why) {
    worker?.end();
    worker = null;
    for (const { failed } of open.values()) failed(why);
    open.clear();
  }
  /** @param {Answer} answer */
  function said({ number, step, answer, error, kind = "reader_failed", broken, unloaded }) {
    const one = open.get(number);
    if (step) return one?.say(step);
    if (unloaded !== undefined) return stop(refused("reader_failed", words.lost(unloaded)));
    if (broken !== undefined) return stop(refused("reader_failed", words.broken(broken)));
    open.delete(number);
    worker?.isAsked(open.size > 0);
    if (error !== undefined) one?.failed(refused(kind, error));
    else one?.done(answer);
  }
  /** The answer to a question; `say(step)` gets the progress.
   *  @param {{ picture?: any, ask?: object, call?: object }} question
   *  @param {(step: any) => unknown} [say]
   *  @returns {Promise<any>} */
  const put = (question, say = () => {}) =>
    new Promise((done, failed) => {
      worker ??= begin(said, (why) => stop(refused("reader_failed", words.lost(why))));
      asked += 1;
      open.set(asked, { done, failed, say });
      worker.isAsked(true);
      worker.post({ number: asked, ...question });
    });
  return { put, stop };
}

/** A browser's worker as a client begins it. @param {() => Worker} make
 *  @returns {(said: (answer: Answer) => void, failed: (why: string) => void) => Begun} */
export const ofBrowser = (make) => (said, failed) => {
  const worker = make();
  worker.onmessage = ({ data }) => said(data);
  worker.onerror = (event) => {
    event.preventDefault();
    failed(event.message || "its worker did not begin");
  };
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate(), isAsked: () => {} };
};
