// A picture on its way to the server: it waits for its turn, is sent, waits, is read.
import { t } from "./lang.js";
import { answerOf, answered } from "./link.js";

const FIRST = 500;
const LONGEST = 8000;
/** The number of retries of a failed upload. */
const TRIES = 5;

const aborted = () => new DOMException("cancelled", "AbortError");

/** @param {number} ms
 *  @param {AbortSignal} signal
 *  @returns {Promise<void>} */
const pause = (ms, signal) =>
  new Promise((done, failed) => {
    const stop = () => {
      clearTimeout(timer);
      failed(aborted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      done();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

/** The error of an answer, and the time after which to retry, if at all. */
class Refused extends Error {
  /** @param {{ error: string, after: number | null }} answer */
  constructor(answer) {
    super(answer.error);
    this.after = answer.after;
  }
}

/** Waits for its turn; the ticket with which to send.
 *  @param {number} bytes
 *  @param {(step: Progress) => unknown} say
 *  @param {AbortSignal} signal
 *  @param {{ ticket: string | null }} held */
async function turn(bytes, say, signal, held) {
  let wait = FIRST;
  for (;;) {
    /** @type {number} */
    let again = wait;
    try {
      const words = JSON.stringify({ ticket: held.ticket, bytes });
      const answer = await answered(await fetch("api/line", { method: "POST", headers: { "Content-Type": "application/json" }, body: words, signal }));
      if (!answer.ok && answer.after === null) throw new Refused(answer);
      if (answer.ok) held.ticket = answer.body.ticket;
      if (answer.ok && answer.body.stage === "send") return;
      say({ stage: "queued", before: answer.body.before });
      again = answer.ok ? answer.body.again_ms : answer.after ?? wait;
      wait = FIRST;
    } catch (error) {
      if (signal.aborted) throw aborted();
      if (error instanceof Refused) throw error;
      say({ stage: "cut" });
      wait = Math.min(wait * 2, LONGEST);
    }
    await pause(again, signal);
  }
}

/** Asks how far the picture is until it is answered.
 *  @param {{ ticket: string | null }} held
 *  @param {(step: Progress) => unknown} say */
function watch(held, say) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let ended = false;
  const ask = async () => {
    const answer = await fetch(`api/line/${held.ticket}`).then(answered).catch(() => null);
    if (ended) return;
    if (answer?.ok && answer.body.stage !== "sending") say(answer.body);
    timer = setTimeout(ask, FIRST);
  };
  return {
    begin: () => (timer ??= setTimeout(ask, 50)),
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}

/** Sends the picture; fetch does not say how far a request is.
 *  @param {string} address
 *  @param {File} file
 *  @param {(step: Progress) => unknown} say
 *  @param {AbortSignal} signal
 *  @param {{ ticket: string | null }} held
 *  @returns {Promise<any>} */
function sent(address, file, say, signal, held) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    const steps = watch(held, say);
    const stop = () => request.abort();
    const ended = () => {
      steps.end();
      signal.removeEventListener("abort", stop);
    };
    request.upload.onprogress = ({ loaded, total }) => say({ stage: "sending", share: total ? loaded / total : 0 });
    request.upload.onload = () => {
      say({ stage: "sent" });
      steps.begin();
    };
    request.onabort = () => {
      ended();
      failed(aborted());
    };
    request.onerror = request.ontimeout = () => {
      ended();
      failed(new Refused({ error: t("The picture did not get through: check the connection."), after: FIRST }));
    };
    request.onload = () => {
      ended();
      const answer = answerOf(request, request.responseText, request.getResponseHeader("Retry-After"));
      if (answer.ok) done(answer.body);
      else failed(new Refused(answer));
    };
    request.open("POST", address);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    request.send(file);
  });
}

/** Sends a picture to `path` with the words `asked` as soon as it is its turn; the server's answer.
 *  `say(step)` tells how far it is; aborting `signal` takes it out of the line.
 *  @param {string} path
 *  @param {Record<string, string>} asked
 *  @param {File} file
 *  @param {(step: Progress) => unknown} say
 *  @param {AbortSignal} signal
 *  @returns {Promise<any>} */
export async function upload(path, asked, file, say, signal) {
  /** @type {{ ticket: string | null }} */
  const held = { ticket: null };
  try {
    for (let tries = 1; ; tries += 1) {
      await turn(file.size, say, signal, held);
      say({ stage: "sending", share: 0 });
      try {
        return await sent(`${path}?${new URLSearchParams({ ...asked, ticket: held.ticket ?? "" })}`, file, say, signal, held);
      } catch (error) {
        if (signal.aborted || tries >= TRIES || !(error.after > 0)) throw error;
        say({ stage: "queued", before: null });
        await pause(error.after * tries, signal);
      }
    }
  } catch (error) {
    if (signal.aborted && held.ticket !== null) fetch(`api/line/${held.ticket}`, { method: "DELETE", keepalive: true }).catch(() => {});
    throw error;
  }
}
