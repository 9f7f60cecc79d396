import { clock } from "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { extent, hint, moved } from "../../src/server/pages/stillness.js";
import { DEAF, pause } from "../../src/server/pages/once.js";
import { paced } from "../../src/server/pages/stage.js";
import { words } from "../../src/server/pages/upload.js";

const time = clock();

test("a picture's way is described in words", () => {
  assert.equal(words({ stage: "queued", before: 2 }), "Waiting: 2 before you");
  assert.equal(words({ stage: "waiting", before: 0 }), "Waiting for its turn");
  assert.equal(words({ stage: "sending", share: 0.57 }), "Sending: 50 %");
  assert.equal(words({ stage: "reading", step: "looking", reading: 1 }), "Reading: looking for tiles …");
  assert.equal(words({ stage: "reading", step: "looking", reading: 2 }), "Reading: looking for tiles, made clearer (2) …");
  assert.equal(words({ stage: "cut" }), "The server does not answer; trying again …");
  assert.equal(words({ stage: "sent" }), "Sent; waiting to be read …");
});

test("a second tap is meant for the first: nothing is entered for a moment", async () => {
  const woken = [];
  const entered = pause(() => woken.push(entered.lasts()));
  assert.equal(entered.lasts(), false);
  entered.begin();
  await time.passes(DEAF - 1);
  entered.begin();
  await time.passes(DEAF - 1);
  assert.equal(entered.lasts(), true, "it begins again with each entry");
  await time.passes(1);
  assert.deepEqual(woken, [true, true, false]);
});

test("what is shown changes at most once a second, at once by decision, and not for a flicker", async () => {
  const shown = [];
  const show = paced((what) => shown.push(what));
  show("a");
  await time.passes(300);
  show("b");
  show("c");
  assert.deepEqual(shown, ["a"]);
  await time.passes(700);
  assert.deepEqual(shown, ["a", "c"]);
  show("d");
  show("c");
  await time.passes(5000);
  assert.deepEqual(shown, ["a", "c"], "it was back before its second was over");
  show("e");
  show("f", true);
  assert.deepEqual(shown, ["a", "c", "e", "f"]);
});

/** A small grey picture of a bright surface, with stripes over a share of the frame's width. */
function picture(share, light = 200) {
  const [width, height] = [160, 120];
  const striped = (x) => Math.abs(x - width / 2) < (share * 0.92 * width) / 2;
  return { width, height, grey: Array.from({ length: width * height }, (_, place) => (striped(place % width) && (place % width) % 8 < 4 ? light - 60 : light)) };
}

test("the finder says what is to be done before the picture is taken", () => {
  assert.equal(hint(picture(0.9, 30), null), "light");
  assert.equal(hint(picture(0.9), picture(0.9, 180)), "still");
  assert.equal(hint(picture(0.3), null), "closer");
  assert.equal(hint(picture(0.9), picture(0.9)), "good");
  assert.equal(hint(picture(0), null), "closer", "a table without tiles");
  assert.ok(moved(picture(0.9), picture(0.9, 180)) && !moved(picture(0.9), picture(0.9, 196)));
  assert.ok(moved(picture(0.9), null), "the first picture is a new one");
});

test("the share of the frame that tiles take is measured by their edges", () => {
  assert.equal(extent(picture(0)), 0);
  for (const share of [0.3, 0.6, 0.9]) assert.ok(Math.abs(extent(picture(share)) - share) < 0.08, `${share}: ${extent(picture(share))}`);
});
