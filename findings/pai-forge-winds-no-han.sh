#!/usr/bin/env bash
# npm @pai-forge/riichi-mahjong 0.3.6: triplets of the round's or the player's wind.
#
# Expected: `calculateScoreForTehai` returns what a hand pays, and requires `bakaze` and `jikaze`, the round's and the player's
#   wind; so it counts a han for a triplet of each. It takes no other yaku of circumstance, such as riichi.
# Actual: the winds are used for pinfu, for the minipoints (fu) of a pair and for who pays, never for han. A hand whose only yaku is a
#   triplet of winds is refused (`NoYakuError`), and others pay too little without a sign of it: 234m 567p 99s 444z 666z, South
#   in a North round, 1 han in place of 2. The type of yaku names only the dragons.
# Effect here: of 8,644 random hands, 929 are paid otherwise than by PyPI mahjong 2.1.0; 856 of them hold such a triplet. It cannot
#   check our scores: the winds cannot be passed as yaku either.
#
# Exits non-zero once a wind is worth a han, or a dragon is not.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --no-audit --no-fund @pai-forge/riichi-mahjong@0.3.6
cat >look.mjs <<'JS'
import { HaiKind, calculateScoreForTehai, getPaymentTotal, parseMspz } from "@pai-forge/riichi-mahjong";

// Won on 9s from a discard by South.
function score(tiles, bakaze) {
  const tehai = parseMspz(tiles)._unsafeUnwrap();
  const config = { agariHai: HaiKind.SouZu9, isTsumo: false, jikaze: HaiKind.Nan, bakaze, doraMarkers: [] };
  try {
    const { han, fu, payment, detail } = calculateScoreForTehai(tehai, config);
    return `${han} han, ${fu} fu, ${getPaymentTotal(payment)}: ${detail.yakuResult.map(([name]) => name)}`;
  } catch (error) {
    return error.name;
  }
}

const seen = {
  "dragons": score("234m567p99s555666z", HaiKind.Ton),
  "round's wind and a dragon": score("234m567p99s444666z", HaiKind.Pei),
  "player's wind and a dragon": score("234m567p99s222666z", HaiKind.Ton),
  "nobody's wind and a dragon": score("234m567p99s333666z", HaiKind.Ton),
  "round's and player's wind": score("234m567p99s222444z", HaiKind.Pei),
};
for (const [hand, value] of Object.entries(seen)) console.log(`${hand}: ${value}`);
const [dragons, ...winds] = Object.values(seen);
const asSeen =
  dragons === "2 han, 50 fu, 3200: Haku,Hatsu" &&
  winds.slice(0, 3).every((value) => value === "1 han, 50 fu, 1600: Hatsu") &&
  winds[3] === "NoYakuError";
process.exit(asSeen ? 0 : 1);
JS
node look.mjs
