import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { parts, said, sentences, t } from "../../src/server/pages/lang.js";
import {
  changes, dealNamed, dealt, explained, isolated, itemName, leftover, onTable, placed, playedNow, unitOf, whyOver, wonHow, worth,
} from "../../src/server/pages/words.js";

const PLAYERS = ["Ann", "Bo", "Cy", "Di"].map((name) => ({ name }));
const TABLE = { players: PLAYERS, terms: null, item_names: { pung: "pung of winds" } };
const DEAL = { event: 2, number: 3, round: "E", dealer: 0, seats: ["E", "S", "W", "N"], winners: [], payments: ["0", "0", "0", "0"], totals: [] };

test("a sentence is filled in, and an unknown value stays to be seen", () => {
  assert.equal(t("{name} wins", { name: "Bo" }), "Bo wins");
  assert.equal(t("{name} wins"), "{name} wins");
  assert.equal(t("{count} left:", { count: 0 }), "0 left:");
});

test("the server's sentences hold sentences and tiles", () => {
  const say = ["No win: {why}", { why: ["{tile} is not {other}", { tile: { tiles: "5p" }, other: "it" }] }];
  assert.deepEqual(parts(say).filter((part) => part !== ""), ["No win: ", { tiles: "5p" }, " is not ", "it"]);
  assert.equal(said(say, () => "5 dots"), "No win: 5 dots is not it");
  assert.equal(sentences(["one", ["two"]]), "one; two");
  assert.equal(said(null), "");
});

test("a name from right to left is kept apart from the line around", () => {
  assert.equal(isolated("Ann"), "Ann");
  assert.equal(isolated("דנה"), "\u2068דנה\u2069");
});

test("units follow their number", () => {
  assert.deepEqual(["1", "1/2", "0", "2"].map((number) => unitOf(number, "doublings")), ["doubling", "doubling", "doublings", "doublings"]);
  assert.equal(unitOf("1", "han"), "han");
});

test("an item is called by its name, or by its id with spaces", () => {
  assert.equal(itemName(TABLE.item_names, "pung"), "pung of winds");
  assert.equal(itemName(undefined, "last_tile"), "last tile");
});

test("a worth comes first in the words of those who play it", () => {
  const score = { items: [], faan: "4", points: "30", score: "7700", payments: {}, ok: true };
  const riichi = { faan: "han", points: "fu", discard: "ron" };
  assert.deepEqual(worth({ score, unit: "han", terms: riichi, win: "discard" }), ["4 han", "ron · 30 fu"]);
  assert.deepEqual(worth({ score, unit: "han", terms: riichi, win: "rob_kong" }), ["4 han", "30 fu"]);
  assert.deepEqual(worth({ score: { ...score, points: undefined }, unit: "faan", terms: null }), ["7700", "4 faan"]);
  const yakuman = { ...score, items: [{ id: "a", value: "1", unit: "yakuman" }, { id: "b", value: "2", unit: "yakuman" }] };
  assert.deepEqual(worth({ score: yakuman, unit: "han", terms: riichi, win: "discard" }), ["3 yakuman", "ron"]);
});

test("players who pay the same for the same share a line", () => {
  const steps = [
    { kind: "base", said: "20 points" }, { kind: "share", seat: "S", amount: "30", said: "gave" },
    { kind: "share", seat: "W", amount: "10", said: "others" }, { kind: "share", seat: "N", amount: "10", said: "others" },
  ];
  assert.deepEqual(explained(steps, { S: "Bo" }), ["20 points", "Bo pays 30: gave", "W, N pay 10 each: others"]);
  assert.deepEqual(explained(undefined), []);
});

test("how a hand was won names the giver where there is one", () => {
  assert.deepEqual(wonHow("self_draw", "", null), ["by self-draw", "", ""]);
  assert.deepEqual(wonHow("discard", "Bo", { discard: "ron" }), ["by ron on ", "Bo", "’s discard"]);
  assert.deepEqual(wonHow("rob_kong", "Bo", null), ["robbing ", "Bo", "’s kong"]);
  assert.equal(wonHow(undefined, "", null), undefined);
});

test("a deal in a line has what each winner's hand holds beside the server's words, unless it is brief", () => {
  const words = [["{one} {next}", { one: "Bo", next: ["on {name}’s discard", { name: "Di" }] }], ["riichi: {names}", { names: "Bo" }]];
  const won = { ...DEAL, said: words, winners: [{ player: 1, win: "discard", from: 3, hand: "19m", scored: { faan: "2", items: [["pung", "1"]] } }] };
  assert.equal(dealt(TABLE, won), "Bo on Di’s discard: 19m (pung of winds) · riichi: Bo");
  assert.equal(dealt(TABLE, won, { brief: true }), "Bo on Di’s discard · riichi: Bo");
  assert.equal(dealt(TABLE, { ...DEAL, said: [["a draw"], ["tenpai: {names}", { names: "דנה" }]] }), "a draw · tenpai: \u2068דנה\u2069");
});

test("what a deal brought each player includes the sticks", () => {
  assert.deepEqual(changes({ ...DEAL, payments: ["100", "-1/2"], sticks_moved: ["-1000", "1/2"] }), ["-900", "0"]);
  assert.deepEqual(changes({ ...DEAL, payments: ["100", "-100"] }), ["100", "-100"]);
});

test("a deal has the name by which its players know it", () => {
  assert.equal(dealNamed(DEAL), "E round · deal 3");
  assert.equal(dealNamed({ ...DEAL, sticks: 0, honba: 2, dealer: 1 }), "E2 · 2 counters");
  assert.equal(dealNamed({ ...DEAL, sticks: 0, honba: 0 }), "E1");
});

test("what lies on the table is said once", () => {
  assert.deepEqual(onTable({ sticks: 1, honba: 2, repeat: 2 }), ["1 stick"], "riichi says the counters by the deal's name");
  assert.deepEqual(onTable({ repeat: 1 }), ["the dealer has stayed once"]);
  assert.deepEqual(onTable({ honba: 2, repeat: 3 }), ["2 counters", "the dealer has stayed 3 times"]);
  assert.deepEqual(onTable({}), []);
});

test("why nothing more is played", () => {
  assert.equal(whyOver({ over: { why: "bust", player: 1 }, players: PLAYERS }), "Bo has less than nothing");
  assert.equal(whyOver({ over: { why: "ended", note: "late" }, players: PLAYERS }), "it was ended (late)");
  assert.equal(whyOver({ over: { why: "of a later version" }, players: PLAYERS }), "of a later version");
  assert.equal(playedNow({ ...DEAL, players: PLAYERS, over: { why: "time" } }), "the session is over: the clock had run out");
});

test("what places were worth, and who got the sticks that were left", () => {
  assert.equal(placed({ placed: { bonus: "20000", result: "28000" } }), "result +28000, +20000 for the place");
  assert.equal(placed({ placed: { table_points: "4", result: "-3" } }), "4 table points, result −3");
  assert.equal(placed({}), "");
  assert.equal(leftover({ leftover: ["0", "1000", "0", "0"], players: PLAYERS }), "sticks left on the table: Bo +1000");
  assert.equal(leftover({ players: PLAYERS }), "");
});
