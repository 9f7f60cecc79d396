// Scenes of the overlay as the server sends them, for the sheets of pictures: four players of riichi, with whatever is long.

const SEATS = ["E", "S", "W", "N"];
const SHORT = ["Ann", "Bo", "Chiyo", "Dmitri"];
const LONG = ["Konstantinos Papadopoulos-Alexandropoulos", "עמית בן־דוד", "東風谷早苗・長谷川千代子", "Maximiliane Überschär"];
const TERMS = { discard: "ron", faan: "han", points: "fu", self_draw: "tsumo" };
const HAND = "234m567p (2'34s) (77'7z) 5z +5z";
const LONGEST = "(1'111m) (2222'p) [9999s] (7'777z) 5z +5z";

const player = (names) => (seat, place) => ({
  seat, name: names[place], standing: ["31400", "25600", "24000", "19000"][place], rank: place + 1, before: null, placed: null, riichi: false, paid: null, won: false,
});
const seated = (seat) => ({ place: seat, wind: seat, text: null, wins: false, doubtful: false, live: true, waits: [], discards: null });
const named = (names) => Object.fromEntries(SEATS.map((seat, place) => [seat, names[place]]));

/** Play at a table, before anything is seen. */
function playing(names = SHORT) {
  const scene = {
    phase: "watching", title: "Nordic Open · Final", place: null, round: "E", dora: "4z", names: named(names), of: {}, hand: null, story: null, pays: false,
    players: SEATS.map(player(names)), seats: SEATS.map(seated), notices: ["playing"],
  };
  const table = {
    title: "Nordic Open · Final", rules: "riichi", rules_name: "Riichi (common Japanese)", terms: TERMS, item_names: {}, initial: "25000", over: null, clock: null, last_event: 7,
    players: SEATS.map((seat, place) => ({ name: names[place], seat, total: "0", standing: "25000", rank: 1 })),
    number: 6, round: "E", dealer: 1, honba: 1, sticks: 2, repeat: 1, last_deal: null,
  };
  return { revision: 1, tournament: 0, table, scene };
}

function with_hand(state, text, { live = true } = {}) {
  state.scene.hand = { text, seat: null, doubtful: false, live, waits: [], lies: null };
  return state;
}

/** A win by the second player on the third one's discard. */
function won(names = SHORT, { text = HAND, items = 3 } = {}) {
  const state = with_hand(playing(names), text, { live: false });
  const { scene } = state;
  const ids = ["riichi", "round_wind", "dora", "seat_wind", "all_pungs", "half_flush", "fully_concealed_hand", "red_five", "ura_dora", "ippatsu", "last_tile", "robbing_kong", "dragon_pung", "little_three_dragons"];
  const paid = ["0", "8000", "-8000", "0"];
  const before = [["31400", 1], ["17600", 4], ["32000", 1], ["19000", 3]];
  Object.assign(scene, { phase: "confirmed", pays: true });
  scene.hand.seat = "S";
  scene.story = {
    winner: "S", win: "discard", from: "W", deal: { number: 5, round: "E", dealer: 1, honba: 1, sticks: 1, repeat: 1 }, unit: "han", rules_name: "Riichi (common Japanese)", terms: TERMS,
    item_names: { round_wind: "prevalent wind" },
    score: {
      ok: true, points: 40, faan: "5", score: "2000", payments: { E: "0", S: "8000", W: "-8000", N: "0" },
      items: ids.slice(0, items).map((id) => ({ id, unit: "han", value: "1" })),
      steps: [
        { kind: "score", said: ["{faan} {unit}: {score} from {from} {unit} on", { faan: "5", unit: ["han"], score: "2000", from: "5" }] },
        { kind: "share", seat: "W", amount: "8000", said: ["{part}: {why}", { part: "2000 × 4", why: ["gave the tile"] }] },
      ],
    },
  };
  scene.players.forEach((one, place) => Object.assign(one, { paid: paid[place], won: place === 1, before: { standing: before[place][0], rank: before[place][1] } }));
  Object.assign(scene.seats[1], { text, wins: true });
  return state;
}

function at_table(state, texts, waits = {}) {
  state.scene.seats.forEach((seat, place) => Object.assign(seat, { text: texts[place], waits: waits[seat.place] ?? [] }));
  return state;
}

/** Each player's discards, the longest row that happens: nineteen turns. */
const DISCARDS = ["1z9p2m4z8s1m3z6z5s9m2p", "9s1p3z2m7'p4s", "4z1m9p2s8m6z1s3z5m7p9s2p4m6s8p1z3m5s7z", "2z9m1s7z8p3m"];

const WAITS = [{ tile: "5z", unseen: 2, wins: true }, { tile: "1m", unseen: 1, wins: false }];

function riichi() {
  const state = at_table(playing(), ["123m456p789s11155z", "19m19p19s1234567z", "(5'55z) 234m567p99s", null], { S: WAITS });
  state.scene.players[1].riichi = true;
  state.scene.seats.forEach((seat, place) => Object.assign(seat, { discards: DISCARDS[place] }));
  return state;
}

function drawn(said) {
  const state = playing();
  state.scene.phase = "confirmed";
  state.scene.pays = true;
  state.scene.notices = ["playing", "unwon"];
  state.scene.players.forEach((one, place) => Object.assign(one, { paid: ["1500", "-1500", "1500", "-1500"][place] }));
  state.table.last_deal = { event: 6, number: 5, round: "E", dealer: 0, seats: SEATS, winners: [], said, payments: ["0", "0", "0", "0"], totals: [] };
  return state;
}

function limit() {
  const state = won(LONG, { text: LONGEST, items: 2 });
  for (const item of state.scene.story.score.items) Object.assign(item, { id: "big_three_dragons", unit: "yakuman" });
  return state;
}

/** Each scene by its name: the states, one after the other.
 *  @type {Record<string, () => object[]>} */
export const SCENES = {
  playing: () => [playing()],
  hand: () => [with_hand(playing(), "234m567p234s77z55s +5s")],
  waits: () => {
    const state = with_hand(playing(), "234m567p (2'34s) (77'7z) 5z");
    state.scene.hand.waits = WAITS;
    return [state];
  },
  riichi: () => [playing(), riichi()],
  table: () => [at_table(playing(LONG), ["123m456p789s11155z", LONGEST, "(5'55z) 234m567p99s", "123456789m1112p"], { N: WAITS, W: WAITS })],
  win: () => [won()],
  over: () => {
    const state = won();
    const tiles = Array.from({ length: 14 }, (_, tile) => [140 + 117 * tile, 570, 250 + 117 * tile, 700]);
    state.scene.hand.lies = { width: 1920, height: 1080, tiles };
    return [state];
  },
  worth: () => {
    const state = won();
    state.scene.hand = null;
    state.scene.seats[1].text = null;
    return [state];
  },
  long: () => [won(LONG, { text: LONGEST, items: 14 })],
  limit: () => [playing(LONG), limit()],
  draw: () => [drawn([["a draw"], "tenpai: Ann, Chiyo", "riichi: Chiyo"])],
  chombo: () => [drawn([["a chombo"], "Dmitri"])],
  alone: () => [{ revision: 1, tournament: 0, table: null, scene: { ...with_hand(playing(), "234m567p234s77z55s +5s").scene, title: null, names: {}, players: [], seats: [], notices: [] } }],
};
