import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict } from "../../src/server/pages/glance.js";

const image = { width: 1280, height: 500 };
/** A row of tiles from a place on, in a group of a role. */
const row = (count, role, group, left = 100, top = 200) =>
  Array.from({ length: count }, (_, place) => {
    const x = left + 60 * place;
    return { id: 100 * group + place, code: "1m", role, group, alternatives: [], corners: [[x, top], [x + 50, top], [x + 50, top + 70], [x, top + 70]] };
  });
const hand = (doubts = [], confidence = 0.97) => ({ text: "", confidence, doubts });
const unsettled = { tile: null, said: ["who won, and how, is not known yet"] };
const of = (tiles, more = {}) => verdict({ tiles, hand: hand([unsettled]), score: null, image, ...more });

test("a whole hand of sure faces is taken, whether or not it is said how it was won", () => {
  assert.equal(of(row(14, "concealed", 0)), "sure");
  assert.equal(of([...row(13, "concealed", 0), ...row(1, "winning", 1, 900)]), "sure");
  assert.equal(of([...row(10, "concealed", 0), ...row(4, "meld", 1, 800), ...row(1, "winning", 2, 1100)]), "sure", "a kong counts as three");
  assert.equal(of([...row(14, "concealed", 0), ...row(2, "bonus", 1, 1000), ...row(9, "other", 9, 0, 0)]), "sure", "flowers and other tiles do not count");
  assert.equal(of(row(14, "concealed", 0), { hand: hand(), score: { ok: true } }), "sure");
});

test("a hand with a face in doubt is not taken, though it has a score", () => {
  const doubted = hand([{ tile: 3, said: ["4p, or 6p"] }]);
  assert.equal(of(row(14, "concealed", 0), { hand: doubted, score: { ok: true } }), "doubt");
  assert.equal(of(row(14, "concealed", 0), { hand: hand([], 0.8) }), "doubt");
});

test("a part of a hand is not taken", () => {
  assert.equal(of(row(13, "concealed", 0)), "whole");
  assert.equal(of(row(11, "concealed", 0)), "whole", "it may be a hand whose claimed set is not in the frame");
  assert.equal(of(row(15, "concealed", 0)), "doubt", "a tile too many");
  assert.equal(of(row(14, "concealed", 0, 4)), "whole", "its first tile is cut off");
  assert.equal(of(row(14, "concealed", 0, 100, 428)), "whole", "it lies at the lower edge");
  assert.equal(of(row(9, "other", 0), { hand: null }), "none");
});
