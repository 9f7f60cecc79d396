import { answer, clock } from "./setup.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answerOf, send } from "../../src/server/pages/link.js";
import { upload } from "../../src/server/pages/sending.js";

const time = clock();
/** What the server answers, one after the other, and what it was asked. */
let answers = [];
let asked = [];

beforeEach(() => {
  [answers, asked] = [[], []];
  globalThis.fetch = async (path, { method = "GET", body, signal } = {}) => {
    asked.push(`${method} ${path}${body ? ` ${body}` : ""}`);
    if (signal?.aborted) throw new DOMException("cancelled", "AbortError");
    const next = answers.shift();
    if (!next) throw new TypeError("no network");
    return next;
  };
});

/** What becomes of a promise, once it is settled. */
function outcome(promise) {
  const out = {};
  promise.then((value) => (out.value = value), (error) => (out.error = error));
  return out;
}

test("an answer says whether to try again, and when", () => {
  const of = (status, text, after = null) => answerOf({ status, statusText: "Status" }, text, after);
  assert.deepEqual(of(200, "{\"a\":1}"), { ok: true, body: { a: 1 }, error: "200 Status", after: null });
  assert.equal(of(422, "{\"error\":\"no such tile\"}").error, "no such tile");
  assert.equal(of(400, "plain text").error, "plain text");
  assert.equal(of(422, "{}").after, null);
  assert.deepEqual([429, 503, 408].map((status) => of(status, "{}").after), [1000, 1000, 1000]);
  assert.equal(of(503, "{}", "7").after, 7000);
});

test("a busy server is asked again, and the answer of the last time counts", async () => {
  answers = [answer(503, { error: "busy" }, { "Retry-After": "2" }), answer(200, { done: true })];
  const sent = outcome(send("api/next", { a: 1 }));
  await time.passes(1999);
  assert.equal(asked.length, 1);
  await time.passes(1);
  assert.deepEqual(sent, { value: { done: true } });
  assert.deepEqual(asked, ["POST api/next {\"a\":1}", "POST api/next {\"a\":1}"]);
});

test("after five busy answers it is an error, and a refusal is one at once", async () => {
  answers = Array.from({ length: 6 }, () => answer(429, { error: "busy" }));
  const busy = outcome(send("api/next"));
  await time.passes(60_000);
  assert.equal(busy.error.message, "busy");
  assert.equal(asked.length, 5);
  answers = [answer(409, { error: "is it meant?", asked: { said: [] } })];
  const refused = outcome(send("api/confirm"));
  await time.settle();
  assert.equal(refused.error.message, "is it meant?");
  assert.deepEqual(refused.error.body.asked, { said: [] });
});

test("without an answer there is an error in words, and a cancelled request stays one", async () => {
  const lost = outcome(send("api/next"));
  await time.settle();
  assert.equal(lost.error.message, "The server does not answer.");
  const cancelled = outcome(send("api/next", {}, AbortSignal.abort()));
  await time.settle();
  assert.equal(cancelled.error.name, "AbortError");
});

/** Requests that send a picture: each is answered by the next of `pictures`. */
let pictures = [];
globalThis.XMLHttpRequest = class {
  upload = {};
  open(method, address) {
    this.address = address;
  }
  abort() {
    this.onabort();
  }
  send() {
    asked.push(`PICTURE ${this.address}`);
    const [status, body, after = null] = pictures.shift() ?? [];
    if (status === undefined) return this.onerror();
    Object.assign(this, { status, statusText: "", responseText: JSON.stringify(body), getResponseHeader: () => after });
    this.onload();
  }
};

test("a picture waits for its turn and is sent with its ticket", async () => {
  answers = [answer(200, { ticket: 7, stage: "queued", before: 3, again_ms: 900 }), answer(200, { ticket: 7, stage: "send" })];
  pictures = [[200, { photo: 1 }]];
  const said = [];
  const sent = outcome(upload("api/photo", { context: "{}" }, { size: 10 }, (step) => said.push(step), new AbortController().signal));
  await time.passes(899);
  assert.deepEqual(said, [{ stage: "queued", before: 3 }]);
  await time.passes(1);
  assert.deepEqual(sent, { value: { photo: 1 } });
  assert.deepEqual(asked, [
    "POST api/line {\"ticket\":null,\"bytes\":10}", "POST api/line {\"ticket\":7,\"bytes\":10}", "PICTURE api/photo?context=%7B%7D&ticket=7",
  ]);
});

test("a picture that does not get through is sent again, and a refused one is not", async () => {
  answers = [answer(200, { ticket: 7, stage: "send" }), answer(200, { ticket: 7, stage: "send" })];
  pictures = [[], [200, { photo: 2 }]];
  const sent = outcome(upload("api/photo", {}, { size: 10 }, () => {}, new AbortController().signal));
  await time.passes(500);
  assert.deepEqual(sent, { value: { photo: 2 } });
  answers = [answer(200, { ticket: 8, stage: "send" })];
  pictures = [[422, { error: "no picture" }]];
  const refused = outcome(upload("api/photo", {}, { size: 10 }, () => {}, new AbortController().signal));
  await time.settle();
  assert.equal(refused.error.message, "no picture");
  answers = [answer(413, { error: "too large" })];
  const large = outcome(upload("api/photo", {}, { size: 10 }, () => {}, new AbortController().signal));
  await time.settle();
  assert.equal(large.error.message, "too large");
});

test("a server that is gone is asked for a turn again, ever less often", async () => {
  const said = [];
  const sent = outcome(upload("api/photo", {}, { size: 10 }, ({ stage }) => said.push(stage), new AbortController().signal));
  await time.passes(500 + 1000 + 2000);
  assert.deepEqual(said, ["cut", "cut", "cut", "cut"]);
  answers = [answer(200, { ticket: 9, stage: "send" })];
  pictures = [[200, { photo: 3 }]];
  await time.passes(4000);
  assert.deepEqual(sent, { value: { photo: 3 } });
});

test("a cancelled picture leaves the line", async () => {
  answers = [answer(200, { ticket: 7, stage: "queued", before: 1, again_ms: 1000 }), answer(200, {})];
  const stop = new AbortController();
  const sent = outcome(upload("api/photo", {}, { size: 10 }, () => {}, stop.signal));
  await time.passes(100);
  stop.abort();
  await time.settle();
  assert.equal(sent.error.name, "AbortError");
  assert.equal(asked.at(-1), "DELETE api/line/7");
});
