// Hands: the same answers as the program's, on the worked hands of every rule set.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lacking, load, printed, worked } from "./support.js";

const { TilelensError, advise, close, convert, explain, rules, score, waits } = await load();
const HAND = "123m456m789p23s55s +4s";
const WON = { seat: "W", round: "E", win: "discard", from: "S" };

/** What a promise is refused for. */
const refusal = (promise) => promise.then(() => assert.fail("it is not refused"), (error) => {
  assert.ok(error instanceof TilelensError, String(error));
  return error;
});

test("worked hands are answered as by the program", { skip: lacking }, async () => {
  const requests = worked();
  assert.ok(requests.length > 600, String(requests.length));
  const lines = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  assert.deepEqual(await score(requests), printed(["score", "--batch", "-", "--brief"], lines));
  assert.deepEqual(await explain(requests), printed(["score", "--batch", "-"], lines));
});

test("one hand and a list are answered alike", async () => {
  const alone = await score(HAND, WON);
  assert.deepEqual([alone.score, alone.payments.S, alone.rules], ["20", "-20", "mmm"]);
  const [same, other, no] = await score([HAND, { hand: HAND, from: "N" }, "111m"], WON);
  assert.deepEqual(same, alone);
  assert.equal(other.payments.N, "-20");
  assert.deepEqual([no.ok, no.error], [false, "bad_hand"]);
});

test("errors name the cause and have a kind", async () => {
  for (const [hand, fields, kind, said] of [
    ["123q", {}, "bad_hand", "q"],
    ["123m456m789p23s55s +1z", {}, "not_complete", "one tile short"],
    [HAND, { rules: "mcr" }, "below_minimum", "minimum"],
    [HAND, { rules: "nobody's" }, "bad_request", "expected mmm"],
    [HAND, { seat: "X" }, "bad_request", "expected E, S, W or N"],
    [HAND, { colour: "red" }, "bad_request", "unknown field `colour`"],
    [HAND, { from: "W" }, "not_allowed", "from"],
  ]) {
    const error = await refusal(score(hand, { ...WON, ...fields }));
    assert.equal(error.kind, kind);
    assert.ok(error.message.includes(said), error.message);
  }
  const { refusal: low } = await refusal(explain(HAND, { ...WON, rules: "mcr" }));
  assert.ok(Number(low.faan) > 0 && Number(low.faan) < 8);
  assert.equal((await refusal(waits("123m"))).kind, "bad_hand");
  assert.match((await refusal(waits(HAND, { colour: "red" }))).message, /unknown field `colour`/);
});

test("waits and advice are those of the program", { skip: lacking }, async () => {
  for (const [hand, set, seen] of [
    ["123m456p78s99s (7'77z)", "mmm", "6s9s"], ["123m456p78s99s", "mmm", ""], ["1112345678999m", "riichi", ""],
    ["123m456p678s9s1z (7'77z)", "mmm", "55s"], ["123456789m1111z", "riichi", ""],
  ]) {
    const args = [hand, "--rules", set, "--seen", seen, "--seat", "S", "--round", "E", "--json"];
    const fields = { rules: set, seen, seat: "S", round: "E" };
    const advice = await advise(hand, fields);
    assert.deepEqual([advice], printed(["advise", ...args]));
    if (!advice.discards) assert.deepEqual([await waits(hand, fields)], printed(["waits", ...args]));
  }
});

test("a hand in another notation, and the rule sets", async () => {
  assert.deepEqual(await convert('[12,13,14,"p474747"]', { from: "tenhou-log" }), { text: "234m (7'77z)", notes: [] });
  assert.match((await refusal(convert("1m", { from: "morse" }))).message, /expected one of tilelens, tenhou/);
  const known = await rules();
  assert.ok(known.rules.length >= 10 && known.rules.some(({ id }) => id === "riichi"));
});

test("other work goes on meanwhile, and a closed reader begins again", async () => {
  let ran = 0;
  const beats = setInterval(() => (ran += 1), 1);
  await explain(Array(500).fill(HAND), WON);
  clearInterval(beats);
  assert.ok(ran > 3, String(ran));
  const open = refusal(explain(Array(500).fill(HAND), WON));
  close();
  assert.equal((await open).message, "The reader was closed.");
  assert.equal((await score(HAND, WON)).score, "20");
});
