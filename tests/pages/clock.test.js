import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** The server's clock is an hour behind this machine's. */
const HOUR = 3600_000;
globalThis.fetch = async () => new Response("", { headers: { date: new Date(Date.now() - HOUR).toUTCString() } });
const { clockNow, clockText, hall, serverNow } = await import("../../src/server/pages/hall.js");

test("times are by the server's clock", () => {
  assert.ok(Math.abs(Date.now() - HOUR - serverNow()) < 2000);
});

test("seconds are written as people read a clock", () => {
  assert.deepEqual([0, 59, 65, 3599, 3600, 3905].map((seconds) => clockText(seconds)), ["0:00", "0:59", "1:05", "59:59", "1:00:00", "1:05:05"]);
  assert.equal(clockText(65, true), "0:01:05");
});

test("a clock waits, runs, has five minutes left, and is up", () => {
  const clock = { started: "2026-01-01T10:00:00Z", ends: "2026-01-01T11:00:00Z", then: "finish_deal" };
  const at = (time) => clockNow(clock, Date.parse(`2026-01-01T${time}Z`));
  assert.deepEqual(at("09:59:30"), { says: "starts in 0:00:30", waits: true, up: false, soon: false });
  assert.deepEqual(at("10:00:00"), { says: "1:00:00", up: false, soon: false });
  assert.deepEqual(at("10:55:00"), { says: "0:05:00", up: false, soon: true });
  assert.deepEqual(at("10:54:59"), { says: "0:05:01", up: false, soon: false });
  assert.deepEqual(at("11:00:00"), { says: "time is up: finish the deal, start none", up: true, soon: false });
  const stands = { ...clock, paused: "2026-01-01T10:58:00Z" };
  assert.deepEqual(clockNow(stands, Date.parse("2026-01-01T12:00:00Z")), { says: "stands at 0:02:00", up: false, soon: true });
  assert.equal(clockNow({ ...clock, then: "of a later version" }, Date.parse(clock.ends)).says, "time is up");
});

test("a tournament is asked for when it has changed, and an answer that is overtaken is dropped", async () => {
  const shown = [];
  const answers = [];
  globalThis.fetch = () => new Promise((done) => answers.push(done));
  const asked = hall((tournament) => shown.push(tournament));
  const come = (place, name) => answers[place](new Response(JSON.stringify({ name })));
  await asked(0);
  assert.equal(answers.length, 0);
  const first = asked(1);
  await asked(1);
  assert.equal(answers.length, 1);
  const second = asked(2);
  come(1, "second");
  come(0, "first");
  await Promise.all([first, second]);
  assert.deepEqual(shown, [{ name: "second" }]);
});
