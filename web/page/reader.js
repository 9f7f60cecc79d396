// The worker that reads: questions go in, answers come out. Where it breaks, or is cancelled, another one is begun.
import { t } from "./lang.js";

const LOST = t("The reader could not be loaded: open the page again.");

/** @type {Worker | null} */
let worker = null;
let asked = 0;
/** @type {Map<number, { done: (answer: any) => void, failed: (why: Error) => void, say: (step: Progress) => unknown }>} */
const open = new Map();

/** @param {Error} why */
function stop(why) {
  worker?.terminate();
  worker = null;
  for (const { failed } of open.values()) failed(why);
  open.clear();
}

function begin() {
  const begun = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  begun.onmessage = ({ data: { number, step, answer, error, broken, unloaded } }) => {
    const one = open.get(number);
    if (step) return one?.say(step);
    if (unloaded) return stop(new Error(LOST));
    if (broken) return stop(new Error(t("Reading broke off: {why}", { why: broken })));
    open.delete(number);
    if (error) one?.failed(new Error(error));
    else one?.done(answer);
  };
  begun.onerror = (event) => {
    event.preventDefault();
    stop(new Error(event.message || LOST));
  };
  return begun;
}

/** @param {object} what
 *  @param {(step: Progress) => unknown} [say]
 *  @returns {Promise<any>} */
const put = (what, say = () => {}) =>
  new Promise((done, failed) => {
    worker ??= begin();
    asked += 1;
    open.set(asked, { done, failed, say });
    worker.postMessage({ number: asked, ...what });
  });

/** Loads the reader, so that the first picture does not wait for it. */
export const ready = () => put({});

/** The answer to a question, as the server answers pages. @param {object} question */
export const ask = (question) => put({ question });

/** Reads a picture; `say(step)` gets the progress, aborting `signal` stops it. Its size, and where the browser
 *  cannot show it, its address.
 *  @param {File} file
 *  @param {(step: Progress) => unknown} say
 *  @param {AbortSignal} signal */
export async function read(file, say, signal) {
  const cancel = () => {
    stop(new DOMException("cancelled", "AbortError"));
    ready().catch(() => {}); // The next picture says it.
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await put({ file }, say);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
