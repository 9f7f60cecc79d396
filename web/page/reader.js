// The reader of the pocket page: the npm package's worker, in the words of the page. Where it breaks, or is cancelled, another
// one is begun.
import { client, ofBrowser } from "../npm/client.js";
import { t } from "./lang.js";

const { put, stop } = client(ofBrowser(() => new Worker(new URL("worker.js", import.meta.url), { type: "module" })), {
  lost: () => t("The reader could not be loaded: open the page again."),
  broken: (why) => t("Reading broke off: {why}", { why }),
});

/** Loads the reader, so that the first picture does not wait for it. */
export const ready = () => put({});

/** The answer to a question, as the server answers pages. @param {object} question */
export const ask = (question) => put({ ask: question });

/** Reads a picture and answers a question about it; `say(step)` gets the progress, aborting `signal` stops it. With the
 *  answer comes the address of a copy of the picture, where the browser cannot show it.
 *  @param {{ picture: any, ask: object }} question
 *  @param {(step: Progress) => unknown} say
 *  @param {AbortSignal} signal */
export async function read(question, say, signal) {
  const cancel = () => {
    stop(new DOMException("cancelled", "AbortError"));
    ready().catch(() => {}); // The next picture says it.
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await put(question, say);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
