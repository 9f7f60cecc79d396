// The package in Node.
import { Worker } from "node:worker_threads";
import { client } from "./client.js";
import { functions } from "./functions.js";

export { TilelensError } from "./functions.js";

/** Begins the worker, which keeps the process only while it is asked something. */
function begin(said, failed) {
  const worker = new Worker(new URL("./worker-node.js", import.meta.url), { execArgv: [] });
  worker.on("message", said).on("error", (error) => failed(error.message));
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate(), isAsked: (is) => (is ? worker.ref() : worker.unref()) };
}
export const { read, score, explain, waits, advise, convert, rules, close } = functions(client(begin));
