// The server's state, kept: `follow(show, told)` calls `show(state)` on every change and comes back
// by itself when the server was away.

const FIRST = 250;
const LONGEST = 8000;

export function follow(show, told = () => {}, path = "api/socket") {
  let wait = FIRST;
  const connect = () => {
    const address = new URL(path, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    address.search = "";
    const socket = new WebSocket(address);
    socket.onopen = () => {
      wait = FIRST;
      told(true);
    };
    socket.onmessage = (message) => show(JSON.parse(message.data));
    socket.onclose = () => {
      told(false);
      setTimeout(connect, wait + Math.random() * wait * 0.3);
      wait = Math.min(wait * 2, LONGEST);
    };
  };
  connect();
}

/** What the server answered: `ok`, the `body`, or the `error`, and after how many milliseconds to try again (null
 *  where it would be of no use). */
export async function answered(answer) {
  return answered.of(answer.status, answer.statusText, await answer.text(), answer.headers.get("Retry-After"));
}
answered.of = (status, statusText, text, after) => {
  let body = {};
  try {
    body = JSON.parse(text);
  } catch {
    body = { error: text };
  }
  const busy = status === 429 || status === 503 || status === 408;
  const ok = status >= 200 && status < 300;
  return { ok, body, error: body.error || `${status} ${statusText}`, after: busy ? 1000 * (Number(after) || 1) : null };
};

/** What the server has at an address. */
export const get = async (path) => (await answered(await fetch(path))).body;

/** How often words are said again that the server was too busy for. */
const TRIES = 5;

/** Sends words; gives the answer, or throws what the server said was wrong, with all of its answer as `body`. */
export async function send(path, words) {
  for (let tries = 1; ; tries += 1) {
    const answer = await answered(await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(words ?? {}),
    }));
    if (answer.ok) return answer.body;
    if (answer.after === null || tries >= TRIES) throw Object.assign(new Error(answer.error), { body: answer.body });
    await new Promise((done) => setTimeout(done, answer.after));
  }
}
