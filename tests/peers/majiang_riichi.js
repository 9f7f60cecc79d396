// `riichi` by this program and by npm `@kobalab/majiang-core`: node majiang_riichi.js REQUESTS ANSWERS
"use strict";
const fs = require("fs");
const { Shoupai, Util, rule } = require("@kobalab/majiang-core");

const lines = (file) => fs.readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const SEATS = "ESWN";

// Tiles as `m5`, in the order of the text.
function tiles(text) {
  const found = [];
  for (const [, digits, letter] of text.matchAll(/([0-9']+)([mpsz])/g))
    for (const [, digit, mark] of digits.matchAll(/(\d)('?)/g)) found.push([letter + digit, mark !== ""]);
  return found;
}

// The hand as the peer writes it, the tile that another gave apart, and whether a claimed set of honors does not
// name its giver.
function peerHand(request) {
  const [hand, winning] = request.hand.split("+");
  const win = tiles(winning)[0][0];
  let concealed = "", sets = "", unmarked = false;
  for (const part of hand.match(/\([^)]*\)|\[[^\]]*\]|[^ (\[]+/g) ?? []) {
    if (!/[(\[]/.test(part[0])) {
      for (const [tile] of tiles(part)) concealed += tile;
      continue;
    }
    const all = tiles(part);
    const letter = all[0][0][0];
    const digits = all.map(([tile]) => tile[1]);
    const marked = all.findIndex(([, mark]) => mark);
    if (part[0] === "[") { sets += "," + letter + digits.join(""); continue; }
    const chow = new Set(digits.map((digit) => (digit === "0" ? "5" : digit))).size === 3;
    if (chow) {
      // Always from the left: the claimed tile is followed by the mark.
      const order = all.map(([tile, mark]) => [tile[1] === "0" ? 5 : Number(tile[1]), tile[1], mark]).sort((a, b) => a[0] - b[0]);
      const claimed = Math.max(0, order.findIndex(([, , mark]) => mark));
      sets += "," + letter + order.map(([, digit], place) => digit + (place === claimed ? "-" : "")).join("");
      continue;
    }
    if (marked < 0 && letter === "z") unmarked = true;
    const side = marked === 0 ? "-" : marked === all.length - 1 ? "+" : "=";
    sets += "," + letter + [...digits].sort((a, b) => (a === "0") - (b === "0") || 0).join("") + side;
  }
  return { concealed, sets, win, unmarked };
}

function said(request) {
  const { concealed, sets, win, unmarked } = peerHand(request);
  const drawn = request.win === "self_draw";
  const seat = SEATS.indexOf(request.seat);
  const text = concealed + (drawn ? win : "") + sets;
  const shoupai = Shoupai.fromString(text.replace(/([mpsz]\d)/g, "$1"));
  const side = drawn ? "" : "_+=-"[(SEATS.indexOf(request.from) - seat + 4) % 4];
  const indicators = (list) => (list ? tiles(list).map(([tile]) => tile) : []);
  const param = Util.hule_param({
    rule: rule({ 役満パオあり: !unmarked }),
    zhuangfeng: SEATS.indexOf(request.round), menfeng: seat,
    lizhi: request.double_riichi ? 2 : request.riichi ? 1 : 0, yifa: !!request.ippatsu,
    qianggang: request.win === "rob_kong", lingshang: !!request.supplement,
    // Rinshan on the last tile of the wall is rinshan alone; the last discard is never a robbed kong.
    haidi: !request.last_tile || request.supplement || request.win === "rob_kong" ? 0 : drawn ? 1 : 2,
    tianhu: !request.first_draw ? 0 : seat === 0 ? 1 : 2,
    baopai: indicators(request.dora_indicators), fubaopai: indicators(request.ura_indicators),
    changbang: request.honba,
  });
  return [Util.hule(shoupai, drawn ? null : win + side, param), unmarked];
}

const asked = lines(process.argv[2]), answered = lines(process.argv[3]);
let compared = 0;
const different = [];
asked.forEach((request, place) => {
  const answer = answered[place];
  const [found] = said(request);
  compared++;
  let same;
  if (!found || !found.hupai) same = answer.error === (found ? "below_minimum" : "not_complete");
  else {
    const faan = found.damanguan ? 13 * found.damanguan : found.fanshu;
    const payments = Object.fromEntries([...SEATS].map((letter, seat) => [letter, String(found.fenpei[seat] || 0)]));
    same = answer.ok && answer.faan === String(faan) && answer.points === found.fu &&
      JSON.stringify(answer.payments) === JSON.stringify(payments);
  }
  if (!same) different.push(JSON.stringify(request) + "\n  here  " + JSON.stringify(answer) + "\n  there " + JSON.stringify(found));
});
console.log(`${compared} hands compared`);
different.slice(0, 20).forEach((line) => console.log(line));
console.log(`${different.length} differences without an explanation`);
process.exitCode = different.length ? 1 : 0;
