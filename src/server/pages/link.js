// Follows the server's state: `follow(show, connected)` calls `show(state)` on every change and reconnects
// by itself; `connected` gets true and false.
import { made } from "./kit.js";
import { t } from "./lang.js";

/** The server's answer: what it says, the error if it refuses, and after how many milliseconds to try again, if at all.
 *  @typedef {{ ok: boolean, body: any, error: string, after: number | null }} Answer */

const FIRST = 250;
const LONGEST = 8000;
/** The pause after which the server is asked for a sign of life, in milliseconds; it has as long to give one. */
const BEAT = 3000;
/** The server closes the socket of a page of another site with this code. */
const POLICY = 1008;

/** Says that the server takes this page for one of another site. */
function refused() {
  if (document.getElementById("refused")) return;
  const line = made("p", { id: "refused" }, t("The server takes this page for one of another site: a proxy between has to hand on the address that this browser asks for, with its port."));
  line.setAttribute("role", "alert");
  line.style.cssText = "margin: 0; padding: .6rem 1.2rem; background: #b3261e; color: #ffffff";
  document.body.prepend(line);
}

/** @param {(state: any) => unknown} show
 *  @param {(connected: boolean) => unknown} [connected]
 *  @param {string} [path] */
export function follow(show, connected = () => {}, path = "api/socket") {
  let wait = FIRST;
  const connect = () => {
    const address = new URL(path, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    address.search = "";
    const socket = new WebSocket(address);
    let silent = false;
    const lost = (/** @type {{ code?: number }} */ { code } = {}) => {
      clearInterval(beat);
      socket.close();
      socket.onopen = socket.onmessage = socket.onclose = null;
      connected(false);
      if (code === POLICY) return refused();
      setTimeout(connect, wait + Math.random() * wait * 0.3);
      wait = Math.min(wait * 2, LONGEST);
    };
    // A network that is gone, and a server that hangs, close nothing.
    const beat = setInterval(() => {
      if (silent) return lost();
      silent = true;
      if (socket.readyState === WebSocket.OPEN) socket.send("");
    }, BEAT);
    socket.onopen = () => {
      wait = FIRST;
      connected(true);
    };
    socket.onmessage = ({ data }) => {
      silent = false;
      if (data) show(JSON.parse(data)); // the sign of life is empty
    };
    socket.onclose = lost;
  };
  connect();
}

/** The server's answer to a request; where none comes, an error in words.
 *  @param {string} path
 *  @param {RequestInit} [request] */
const asked = (path, request) =>
  fetch(path, request).catch((error) => {
    throw error.name === "AbortError" ? error : new Error(t("The server does not answer."));
  });

/** The server's answer: `ok`, the `body`, or the `error`, and after how many milliseconds to try again (null
 *  for never).
 *  @param {Response} answer */
export const answered = async (answer) => answerOf(answer, await answer.text(), answer.headers.get("Retry-After"));

/** The same, given its parts.
 *  @param {{ status: number, statusText: string }} request
 *  @param {string} text
 *  @param {string | null} after
 *  @returns {Answer} */
export function answerOf({ status, statusText }, text, after) {
  /** @type {Answer["body"]} */
  let body = {};
  try {
    body = JSON.parse(text);
  } catch {
    body = { error: text };
  }
  const busy = status === 429 || status === 503 || status === 408;
  const ok = status >= 200 && status < 300;
  return { ok, body, error: body.error || `${status} ${statusText}`, after: busy ? 1000 * (Number(after) || 1) : null };
}

/** The server's JSON at an address.
 *  @param {string} path
 *  @returns {Promise<any>} */
export const get = async (path) => (await answered(await asked(path))).body;

/** The number of retries while the server is busy. */
const TRIES = 5;

/** Sends JSON, until `signal` stops it; returns the answer, or throws the server's error, with the answer as `body`.
 *  @param {string} path
 *  @param {object} [words]
 *  @param {AbortSignal} [signal]
 *  @returns {Promise<any>} */
export async function send(path, words, signal) {
  for (let tries = 1; ; tries += 1) {
    const answer = await answered(await asked(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(words ?? {}),
      signal,
    }));
    if (answer.ok) return answer.body;
    const { after } = answer;
    if (after === null || tries >= TRIES) throw Object.assign(new Error(answer.error), { body: answer.body });
    await new Promise((done) => setTimeout(done, after));
  }
}
