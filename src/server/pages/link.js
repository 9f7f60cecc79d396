// The server's state, kept: `follow(show, lost)` calls `show(state)` on every change and comes back
// by itself when the server was away.

const FIRST = 250;
const LONGEST = 8000;

export function follow(show, told = () => {}) {
  let wait = FIRST;
  const connect = () => {
    const address = new URL("api/socket", location.href);
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

/** Sends words; gives the answer, or throws what the server said was wrong. */
export async function send(path, words) {
  const blob = words instanceof Blob;
  const answer = await fetch(path, {
    method: "POST",
    headers: blob ? {} : { "Content-Type": "application/json" },
    body: blob ? words : JSON.stringify(words ?? {}),
  });
  const text = await answer.text();
  let body = {};
  try {
    body = JSON.parse(text);
  } catch {
    body = { error: text };
  }
  if (!answer.ok) throw new Error(body.error || `${answer.status} ${answer.statusText}`);
  return body;
}
