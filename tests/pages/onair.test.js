import "./setup.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutOff, onAir } from "../../src/server/pages/onair.js";

const PLAYER = { standing: null, rank: null, before: null, placed: null, riichi: false, paid: null, won: false };
/** A scene in which Ann's hand is seen, and Bo's tiles. */
const SCENE = {
  phase: "watching", title: null, place: null, round: "E", names: { E: "Ann" }, of: {}, story: null, pays: false, notices: [],
  hand: { text: "19m", seat: "E", doubtful: false, live: true, waits: [{ tile: "1m", unseen: 2, wins: true }], lies: { width: 640, height: 480, tiles: [[10, 10, 30, 40]] } },
  players: [{ ...PLAYER, seat: "E", name: "Ann" }],
  seats: [
    { place: "E", wind: "E", text: "19m", wins: false, doubtful: false, live: true, waits: [] },
    { place: "S", wind: "S", text: "28p", wins: false, doubtful: false, live: true, waits: [] },
  ],
};
const STEPS = [{ kind: "share", seat: "S", amount: "16", said: ["{part}: {why}", { part: "8 × 2", why: ["gave the tile"] }] }];
const WON = {
  ...SCENE, phase: "confirmed", pays: true,
  story: {
    winner: "E", win: "self_draw", from: null, deal: null, rules_name: "Rules", unit: "faan", terms: null, item_names: {},
    score: { ok: true, faan: "3", score: "8", items: [{ id: "pung", value: "3", unit: "faan" }], payments: { E: "16", S: "-16" }, steps: STEPS },
  },
  players: [{ ...PLAYER, seat: "E", name: "Ann", paid: "16", won: true }, { ...PLAYER, seat: "S", name: null, paid: "-16" }],
};

test("before the first state nothing is on air", () => {
  const view = onAir({});
  assert.deepEqual([view.hand, view.story, view.last, view.lies], [null, null, null, null]);
  assert.deepEqual([view.players, view.round, view.ended, view.seats], [[], [], [], []]);
});

test("a hand is shown as the server has it, and its worth in words once it is confirmed", () => {
  const draft = onAir({ scene: SCENE });
  assert.deepEqual([draft.hand.text, draft.hand.seat, draft.lies.tiles.length], ["19m", "E", 1]);
  assert.deepEqual([draft.story, draft.players], [null, []]);
  const result = onAir({ scene: WON });
  assert.deepEqual([result.story.winner, result.story.how.join(""), result.story.points, result.story.total], ["Ann", "by self-draw", "16", "8"]);
  assert.deepEqual(result.story.items, [{ name: "pung", value: "3", unit: "faan" }]);
  assert.deepEqual(result.players.map(({ seat, paid, why, won }) => [seat, paid, why, won]), [["E", "16", "", true], ["S", "-16", "8 × 2: gave the tile", false]]);
  assert.equal(result.story.limit, false);
  const items = [{ id: "blessing", value: "1", unit: "limit" }];
  const most = { ...WON.story, rules_name: "Riichi (common Japanese)", score: { ...WON.story.score, items } };
  const { limit, rules } = onAir({ scene: { ...WON, story: most } }).story;
  assert.deepEqual([limit, rules], [true, "Riichi"]);
});

test("players have their names and points, those without a name their wind", () => {
  const players = [{ ...PLAYER, seat: "E", name: "Ann", standing: "500", rank: 1, riichi: true }];
  const view = onAir({ scene: { ...SCENE, players } });
  const [ann] = view.players;
  assert.deepEqual([ann.name, ann.standing, ann.rank, ann.riichi, ann.paid], ["Ann", "500", 1, true, null]);
  assert.deepEqual(view.seats.map(({ name, standing, riichi }) => [name, standing, riichi]), [["Ann", "500", true], ["South", null, false]]);
});

test("a player keeps his place's accent whatever his wind, and how a deal without a winner ended is said for itself", () => {
  const players = [{ ...PLAYER, seat: "E", name: "Bo", standing: "700", rank: 1, before: { standing: "400", rank: 2 }, paid: "300" }];
  const seats = [{ ...SCENE.seats[0], place: "S" }];
  const table = { last_deal: { said: [["a draw"], "tenpai: Bo"], winners: [], seats: [], round: "E", number: 1 }, players: [] };
  const view = onAir({ scene: { ...SCENE, players, seats, pays: true, notices: ["unwon"] }, table });
  assert.deepEqual(view.players.map(({ place, before, paid }) => [place, before, paid]), [["S", { standing: "400", rank: 2 }, "300"]]);
  assert.deepEqual([view.round, view.ended], [[], ["a draw", "tenpai: Bo"]]);
});

test("what a camera saw is in doubt when nothing is heard of the server, and then gone", () => {
  const doubtful = cutOff(SCENE, "doubtful");
  assert.deepEqual([doubtful.hand.doubtful, ...doubtful.seats.map((seat) => seat.doubtful)], [true, true, true]);
  const gone = cutOff(SCENE, "stale");
  assert.equal(gone.hand, null);
  assert.deepEqual(gone.seats.map(({ wind, text }) => [wind, text]), [["E", null]], "the one whose name is known stays");
  const photo = { ...SCENE, hand: { ...SCENE.hand, live: false }, seats: [{ ...SCENE.seats[0], live: false }] };
  assert.deepEqual(cutOff(photo, "stale"), photo);
  assert.deepEqual(cutOff(photo, "doubtful"), photo);
});
