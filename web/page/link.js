// In the place of the server's link: what pages ask of a server is answered by the worker.
import { ask } from "./reader.js";
import { played } from "./kept.js";

/** What a server has at an address.
 *  @param {string} path
 *  @returns {Promise<any>} */
export async function get(path) {
  if (path === "api/rules") return ask({ ask: "rules" });
  return { context: (await played()) ?? { rules: localStorage.getItem("rules") ?? "mmm", round: "E" } };
}

/** What a server would answer to words.
 *  @param {string} path
 *  @param {any} words
 *  @returns {Promise<any>} */
export async function send(path, words) {
  if (path === "api/advise") return ask({ ask: "advice", ...words });
  if (path === "api/four-hands") return ask({ ask: "four_hands", ...words });
  const { context, fixes } = words;
  return ask({ ask: "hand", context, fixes });
}
