// The package in a browser.
import { client, ofBrowser } from "./client.js";
import { functions } from "./functions.js";

export { TilelensError } from "./functions.js";
export const { read, score, explain, waits, advise, convert, rules, close } = functions(client(ofBrowser(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }))));
