import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { amount, doraOf, groups, inGroups, inOrder, neighbour, plus, sign, spoken, spokenAll, widthOf, windAt } from "../../src/server/pages/hand.js";

test("amounts are written as people write them, and stay exact", () => {
  for (const [text, unsigned, signed] of [
    ["0", "0", "0"], ["7", "7", "+7"], ["-80/3", "−26⅔", "−26⅔"], ["1/2", "½", "+½"], ["-1/2", "−½", "−½"], ["7/5", "1 2/5", "+1 2/5"],
    ["123456789012345678901", "123456789012345678901", "+123456789012345678901"],
  ]) {
    assert.equal(amount(text), unsigned);
    assert.equal(amount(text, true), signed);
  }
});

test("amounts are added without rounding", () => {
  assert.equal(plus("1/2", "1/3"), "5/6");
  assert.equal(plus("-80/3", "80/3"), "0");
  assert.equal(plus("2/3", "1/3"), "1");
  assert.equal(plus("-7", "0"), "-7");
});

test("a gain, a loss and nothing", () => {
  assert.deepEqual(["-1/2", "0", "8"].map(sign), ["loss", "", "gain"]);
});

test("a hand's text is read into groups, with the giver by the tile that lies sideways", () => {
  const codes = (text) => groups(text).map(({ kind, tiles, from }) => [kind, tiles.map(({ code }) => code).join(""), from]);
  assert.deepEqual(codes("34m0p (7'77z) (1'23p) (456's) (2p2'p2p) [5555s] x? 1f +5p"), [
    ["concealed", "3m4m0p", null], ["claimed", "7z7z7z", "left"], ["claimed", "1p2p3p", "left"], ["claimed", "4s5s6s", "right"],
    ["claimed", "2p2p2p", "opposite"], ["kong", "5s5s5s5s", null], ["concealed", "x?", null], ["bonus", "1f", null], ["winning", "5p", null],
  ]);
  for (const nothing of ["", null, undefined, "  "]) assert.deepEqual(groups(nothing), []);
  assert.deepEqual(codes("'"), [], "a mark without a tile");
});

test("tiles have names for those who do not see them", () => {
  assert.equal(spoken("5p"), "5 dots");
  assert.equal(spoken("0s"), "red 5 bamboo");
  assert.equal(spoken("7z"), "red dragon");
  assert.equal(spoken("8f"), "winter");
  assert.equal(spokenAll("1z x"), "east, face down");
});

test("an indicator makes the next tile of its kind a dora, the first one after the last", () => {
  assert.equal(doraOf("4p7z"), "5p5z");
  assert.equal(doraOf("9m9p9s4z"), "1m1p1s1z");
  assert.equal(doraOf("0s"), "6s", "a red five is a five");
  assert.equal(doraOf("1z5z6z"), "2z6z7z");
  assert.equal(doraOf(""), "");
  assert.equal(doraOf("1m9m1p", 3), "9m1m2p", "three players have no characters between");
});

test("winds go round, and three players leave one side empty", () => {
  assert.equal(windAt("S", { dealer: "S" }), "E");
  assert.equal(windAt("N", { players: 3 }), null);
  assert.equal(neighbour("E", "right", {}), "S");
  assert.equal(neighbour("E", "left", {}), "N");
  // They sat East, South, West, and now the third deals.
  const three = { dealer: "W", players: 3 };
  assert.equal(neighbour("E", "right", three), null, "where North would sit");
  assert.equal(neighbour("E", "opposite", three), "S");
});

test("a hand's row is as wide as its tiles, those that lie sideways and its gaps", () => {
  assert.equal(widthOf(""), 0);
  assert.ok(widthOf("123m") > 3 && widthOf("123m") < widthOf("(12'3m)") && widthOf("123m") < widthOf("12m +3m"));
  const longest = widthOf("(1'111m) (2222'p) [9999s] (7'777z) 5z +5z");
  assert.ok(longest > 18 && longest < 23, String(longest));
});

test("what each gets comes in the order of the seats, without those who are not there", () => {
  assert.deepEqual(inOrder({ N: "1", E: "-1" }), [["E", "-1"], ["N", "1"]]);
});

test("tiles of a hand are grouped and lie from their player's left", () => {
  const tile = (id, group, x, role = "concealed") => ({ id, group, role, corners: [[x, 0], [x + 10, 0], [x + 10, 14], [x, 14]] });
  const found = inGroups([tile(1, 0, 40), tile(2, 1, 90), tile(3, 0, 20), tile(4, 2, 0, "other")]);
  assert.deepEqual(found.map((group) => group.map(({ tile: { id }, place }) => [id, place])), [[[3, 2], [1, 0]], [[2, 1]]]);
});
