import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { onAir } from "../../src/server/pages/onair.js";

const READING = {
  hand: { text: "19m", confidence: 0.9, doubts: [] }, waits: [{ tile: "1m", unseen: 2, wins: true }], rules_name: "Rules", unit: "faan", terms: null,
  score: { ok: true, faan: "3", score: "8", items: [{ id: "pung", value: "3", unit: "faan" }], payments: { E: "16", S: "-16" }, steps: [] },
  image: { width: 640, height: 480 }, tiles: [{ role: "concealed", corners: [[11, 11], [28, 11], [28, 39], [11, 39]] }, { role: "other", corners: [[0, 0]] }],
};
const STATE = { phase: "watching", photo: null, context: { seat: "E", round: "E", win: "self_draw", names: { E: "Ann" } }, reading: READING, seats: {}, table: null };

test("before the first state nothing is on air", () => {
  const view = onAir({});
  assert.deepEqual([view.hand, view.story, view.paid, view.last, view.lies], [null, null, null, null, null]);
  assert.deepEqual([view.standings, view.round, view.seats], [[], [], []]);
});

test("a hand is shown while it is read, and its worth once it is confirmed", () => {
  const draft = onAir(STATE);
  assert.equal(draft.hand.text, "19m");
  assert.deepEqual([draft.story, draft.paid], [null, null]);
  const result = onAir({ ...STATE, phase: "confirmed" });
  assert.deepEqual([result.story.winner, result.story.how.join(""), result.story.total], ["Ann", "by self-draw", "8"]);
  assert.deepEqual(result.story.items, [{ name: "pung", value: "3", unit: "faan" }]);
  assert.deepEqual(result.paid.map(({ seat, amount, won }) => [seat, amount, won]), [["E", "16", true], ["S", "-16", false]]);
});

test("a rejected hand and one that is gone are off the air, a doubtful one is marked", () => {
  assert.equal(onAir({ ...STATE, phase: "rejected" }).hand, null);
  assert.equal(onAir({ ...STATE, stale: true }).hand, null);
  assert.equal(onAir({ ...STATE, doubtful: true }).hand.doubtful, true);
});

test("before a win it is not known whose hand it is", () => {
  assert.equal(onAir(STATE).hand.seat, "E");
  assert.equal(onAir({ ...STATE, context: { seat: "E" } }).hand.seat, null);
});

test("payments that were typed are a result without a story", () => {
  const reading = { ...READING, hand: null, score: { ok: true, items: [], payments: { E: "4", S: "-4" } } };
  const view = onAir({ ...STATE, phase: "confirmed", reading });
  assert.deepEqual([view.hand, view.story], [null, null]);
});

test("the tiles' places are rough, so that a picture that trembles leaves them as they are", () => {
  const { lies } = onAir(STATE);
  assert.deepEqual(lies, { width: 640, height: 480, tiles: [[10, 10, 30, 40]] });
  const moved = { ...READING, tiles: [{ role: "concealed", corners: [[12, 12], [29, 12], [29, 38], [12, 38]] }] };
  assert.deepEqual(onAir({ ...STATE, reading: moved }).lies, lies);
  assert.equal(onAir({ ...STATE, photo: 3 }).lies, null);
});
