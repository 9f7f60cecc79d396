// What pages find in a browser and Node has not, as far as their pure parts touch it: a page in English without elements. Tests
// import it before what they test.
import { after, before } from "node:test";

const global = /** @type {any} */ (globalThis);
global.document = {
  baseURI: "http://localhost/", body: { dataset: {} }, documentElement: { dataset: {} }, activeElement: null,
  getElementById: () => null, querySelectorAll: () => [],
};
global.matchMedia = () => ({ matches: false });
global.setInterval = () => 0;

/** A clock that tests move: `passes(milliseconds)` runs what is due, in its order. */
export function clock() {
  let now = 0;
  let last = 0;
  let due = [];
  const { setTimeout, clearTimeout } = globalThis;
  before(() => {
    global.setTimeout = (run, wait = 0) => {
      last += 1;
      due.push({ id: last, at: now + wait, run });
      return last;
    };
    global.clearTimeout = (id) => (due = due.filter((one) => one.id !== id));
    // Node 18 lets nobody assign it.
    Object.defineProperty(performance, "now", { value: () => now, configurable: true });
  });
  after(() => {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Reflect.deleteProperty(performance, "now");
  });
  /** Lets promises that are settled go on. */
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await null;
  };
  return {
    settle,
    passes: async (milliseconds) => {
      await settle();
      const end = now + milliseconds;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.id - b.id);
        if (!next) break;
        due = due.filter((one) => one !== next);
        now = next.at;
        next.run();
        await settle();
      }
      now = end;
    },
  };
}

/** An answer of a server. */
export const answer = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers });
