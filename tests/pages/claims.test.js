import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { claims } = await import("../../src/server/pages/claims.js");

/** Ann's tiles, one view after the other, in the deal that is named before them; what is new in each. */
function news(...views) {
  const claimed = claims();
  return views.map(([deal, text]) => claimed([{ place: "E", name: "Ann", text }], deal).map(({ what }) => what).join(" "));
}

test("a claimed set is news once, and a pung that becomes a kong again", () => {
  assert.deepEqual(news(["1", ""], ["1", "(2'34s)"], ["1", "(2'34s)"], ["1", "(2'34s) (77'7z)"], ["1", "(2'34s) (777'7z)"]), ["", "chow", "", "pung", "kong"]);
  assert.deepEqual(news(["1", ""], ["1", "(05'5p)"]), ["", "pung"], "a red five is a five");
});

test("sets that lay there when the page was opened, or are turned up at once, are no news", () => {
  assert.deepEqual(news(["1", "(2'34s)"], ["1", "(2'34s) (77'7z)"]), ["", "pung"]);
  assert.deepEqual(news(["1", ""], ["1", "123m (2'34s) (77'7z) 5z"]), ["", ""]);
  assert.deepEqual(news(["1", ""], ["1", "[1111m]"]), ["", ""], "a concealed kong is not claimed");
});

test("a camera that comes back, and a set that is read otherwise, are no news", () => {
  assert.deepEqual(news(["1", ""], ["1", "(2'34s)"], ["1", ""], ["1", "(2'34s)"], ["1", "(2'34p)"]), ["", "chow", "", "", ""]);
});

test("the next deal has claims of its own, once the last one's tiles are gone", () => {
  assert.deepEqual(news(["1", ""], ["1", "(2'34s)"], ["2", "(2'34s)"], ["2", ""], ["2", "(2'34s)"]), ["", "chow", "", "", "chow"]);
});
