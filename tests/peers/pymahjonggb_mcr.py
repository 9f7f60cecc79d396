"""`mcr` by this program and by PyMahjongGB: python pymahjonggb_mcr.py REQUESTS ANSWERS

The requests have the rulings that the peer follows: mcr.kongs=china, mcr.exhausted_wait=yes,
mcr.seven_pairs_tile_hog=all, mcr.nine_gates_pung=one.
"""

import re
import sys
from collections import Counter, defaultdict

from hand_text import pairs, read, report
from MahjongGB import MahjongFanCalculator

LETTERS = {"m": "W", "p": "B", "s": "T"}
HONORS = ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
# Which of these one-point fans is named is free.
CHOWS = {"pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows"}
SAME = {"two_dragons_pungs": "two_dragon_pungs", "all_five": "all_fives",
        "concealed_kong_and_melded_kong": "melded_and_concealed_kong"}


def peer_tile(tile):
    return HONORS[int(tile[0]) - 1] if tile[1] == "z" else LETTERS[tile[1]] + tile[0]


def said(request):
    """The fans of the peer with their values, or its refusal."""
    concealed, sets, winning, flowers = read(request["hand"])
    packs = []
    for closed, tiles, marked in sets:
        tiles = sorted(tiles)
        chow = tiles[0] != tiles[-1]
        giver = 0 if closed else 1 if marked in (None, 0) or chow else 3 if marked == len(tiles) - 1 else 2
        kind = "CHI" if chow else "GANG" if len(tiles) == 4 else "PENG"
        packs.append((kind, peer_tile(tiles[1]), giver))
    drawn = request["win"] == "self_draw"
    try:
        return MahjongFanCalculator(
            tuple(packs), tuple(map(peer_tile, concealed)), peer_tile(winning), flowers, drawn,
            bool(request.get("last_visible")), bool(request.get("supplement")) or request["win"] == "rob_kong",
            bool(request.get("last_tile")), "ESWN".index(request["seat"]), "ESWN".index(request["round"]), True)
    except TypeError as error:
        return str(error)


def of_peer(fans):
    """Each fan with its value, as often as it counts."""
    found = Counter()
    for value, count, _, name in fans:
        name = re.sub("[^a-z]+", "_", name.lower())
        name = SAME.get(name, name)
        if name == "flower_tiles":
            found[name, value * count] += 1
        else:
            found["chows" if name in CHOWS else name, value] += count
    return found


def of_answer(items):
    return Counter(("chows" if item["id"] in CHOWS else item["id"], int(item["value"])) for item in items)


different, explained, compared = [], defaultdict(list), 0
for request, answer in pairs(*sys.argv[1:]):
    compared += 1
    found = said(request)
    if isinstance(found, str):
        different.append(f"{request}\n  here  {answer}\n  there {found}")
        continue
    fans = of_peer(found)
    total = sum(value * count for (_, value), count in fans.items())
    flowers = sum(value for (name, value), _ in fans.items() if name == "flower_tiles")
    if not answer["ok"]:
        same = answer["error"] == "below_minimum" and answer["faan"] == str(total - flowers) and total - flowers < 8
        names_differ = False
    else:
        same = answer["faan"] == str(total)
        names_differ = "items" in answer and of_answer(answer["items"]) != fans
    if not same:
        different.append(f"{request}\n  here  {answer}\n  there {dict(fans)}")
    elif names_differ:
        ours, theirs = of_answer(answer["items"]), fans
        why = f"the same total, other fans named: {sorted(ours - theirs)} here, {sorted(theirs - ours)} there"
        explained[why].append(request["hand"])
report(different, explained, compared)
