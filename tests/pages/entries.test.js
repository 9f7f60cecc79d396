import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { clockwise, eastOf } from "../../src/server/pages/calibrate.js";
import { undone } from "../../src/server/pages/deciding.js";
import { asksOfDraw, faults } from "../../src/server/pages/entries.js";
import { value } from "../../src/server/pages/fields.js";
import { withRuling } from "../../src/server/pages/rulings.js";

test("a field's value is sent as its kind: boxes, numbers, texts, and nothing", () => {
  const field = (name, text, more = {}) => value({ name, type: "text", value: text, ...more });
  assert.equal(field("honba", " 2 "), 2);
  assert.equal(field("honba", "two"), "two", "which the server refuses, and says why");
  assert.equal(field("minimum", "3"), "3");
  assert.equal(field("winning", " 5p "), "5p");
  assert.equal(field("winning", "  "), null);
  assert.equal(field("riichi", "on", { type: "checkbox", checked: true }), true);
  assert.equal(field("riichi", "on", { type: "checkbox", checked: false }), null);
});

test("a ruling is kept where it is not the usual one", () => {
  assert.deepEqual(withRuling(null, "bust", "no"), { bust: "no" });
  assert.deepEqual(withRuling({ bust: "no" }, "pao", "none"), { bust: "no", pao: "none" });
  assert.deepEqual(withRuling({ bust: "no", pao: "none" }, "bust", null), { pao: "none" });
  assert.equal(withRuling({ bust: "no" }, "bust", null), null);
});

test("a draw is written at once where the rules ask nothing of it", () => {
  const nothing = { tenpai: false, nagashi: false, abortive: [] };
  assert.equal(asksOfDraw(nothing), false);
  assert.equal(asksOfDraw({ ...nothing, nagashi: true }), true);
  assert.equal(asksOfDraw({ ...nothing, abortive: [{ id: "four_winds" }] }), true);
});

test("faults go where they are entered, whatever the rules know of them", () => {
  const paths = (rules) => faults(rules).map(({ id, path, paid = false }) => [id, path, paid]);
  assert.deepEqual(paths({ chombo: null, penalties: null }), [
    ["", "api/penalty", false], ["", "api/chombo", true], ["", "api/disqualify", false],
  ], "a void deal without a price is paid as it is said");
  assert.deepEqual(paths({ chombo: [], penalties: [{ id: "late" }], dead_hands: [{ id: "short" }], void_claims: [{ id: "slow" }] }), [
    ["", "api/chombo", false], ["late", "api/penalty", false], ["short", "api/dead-hand", false], ["slow", "api/void-claim", false], ["", "api/disqualify", false],
  ]);
});

test("undo says what it takes back", () => {
  assert.equal(undone(null), "");
  assert.equal(undone({ decision: 1, what: "confirm", deal: 3 }), "deal 3");
  assert.equal(undone({ decision: 1, what: "confirm" }), "the confirmed hand");
  assert.equal(undone({ decision: 1, what: "correct", tile: "5p" }), "a tile is 5p");
  assert.equal(undone({ decision: 1, what: "tell", fields: ["from", "win"] }), "how it was won");
  assert.equal(undone({ decision: 1, what: "tell", fields: ["last_tile"] }), "last tile");
  assert.equal(undone({ decision: 1, what: "of a later version" }), "");
});

test("a table's corners come clockwise from the upper left one, in whatever order they are clicked", () => {
  const corners = [[0, 0], [10, 1], [11, 9], [1, 10]];
  for (const order of [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0]]) assert.deepEqual(clockwise(order.map((place) => corners[place])), corners);
});

test("where East sat in the first deal follows from any seat of the profile", () => {
  assert.equal(eastOf({ E: "right" }), "right");
  assert.equal(eastOf({ S: "top" }), "right");
  assert.equal(eastOf({ N: "bottom" }), "right");
  assert.equal(eastOf(undefined), undefined);
});
