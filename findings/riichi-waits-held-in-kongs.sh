#!/usr/bin/env bash
# npm @kobalab/majiang-core 1.4.1 and PyPI riichienv 0.4.11: waits for a tile of which the player holds all four.
#
# Expected: nobody can draw or discard such a tile, so it is no wait, wherever the four lie. Both libraries agree as far as the
#   concealed part goes: 1111m 234567p 789s waits for nothing.
# Actual: four in a kong do not count as held. 23m 11p 234s with concealed kongs of 1m and 4m, all eight tiles of its waits, is ready
#   for 1m and 4m by both (`Util.tingpai`; `is_tenpai`, `get_waits`). And of the first hand majiang-core says at once that it is
#   ready (`Util.xiangting` is 0) and that no tile completes it (`tingpai` is empty).
# Effect here: `tilelens advise` counts kongs and claimed sets as held (docs/advise.md), so it calls such a hand not ready. Answers
#   compared with these libraries have to leave out hands with kongs; and in majiang-core `xiangting` alone does not say that a
#   hand is ready: `tingpai` must not be empty either.
#
# Exits non-zero once kongs count as held, or four in the concealed part do not.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check riichienv==0.4.11
npm install --silent --no-save --no-audit --no-fund @kobalab/majiang-core@1.4.1

cat >look.js <<'JS'
const { Shoupai, Util } = require("@kobalab/majiang-core");
for (const text of ["m1111p234567s789", "m23p11s234,m1111,m4444"]) {
  const hand = Shoupai.fromString(text);
  console.log(`${text}: xiangting ${Util.xiangting(hand)}, tingpai [${Util.tingpai(hand)}]`);
}
JS
echo "@kobalab/majiang-core 1.4.1"
node look.js | tee seen
diff - seen <<'SEEN'
m1111p234567s789: xiangting 0, tingpai []
m23p11s234,m1111,m4444: xiangting 0, tingpai [m1,m4]
SEEN

cat >look.py <<'PYTHON'
from riichienv import HandEvaluator, Meld, MeldType, calculate_shanten

SUITS = "mps"


def copies(face, count, first=0):
    return [4 * face + first + copy for copy in range(count)]


def concealed_kong(face):
    return Meld(MeldType.Ankan, copies(face, 4), False)


def report(name, tiles, melds=()):
    hand = HandEvaluator(tiles, list(melds))
    waits = [f"{face % 9 + 1}{SUITS[face // 9]}" for face in hand.get_waits()]
    print(f"{name}: ready {hand.is_tenpai()}, waits {waits}")
    return hand.is_tenpai(), waits


in_hand = copies(0, 4) + [copies(9 + n, 1, 1)[0] for n in range(1, 7)] + [copies(18 + n, 1, 1)[0] for n in (6, 7, 8)]
part = [copies(1, 1)[0], copies(2, 1)[0], *copies(9, 2)] + [copies(18 + n, 1, 1)[0] for n in (1, 2, 3)]
print("riichienv 0.4.11")
assert report("1111m234567p789s", in_hand) == (False, []) and calculate_shanten(in_hand) == 1
assert report("23m11p234s [1111m] [4444m]", part, [concealed_kong(0), concealed_kong(3)]) == (True, ["1m", "4m"])
PYTHON
venv/bin/python look.py
