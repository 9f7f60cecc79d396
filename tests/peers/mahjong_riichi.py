"""`riichi` by this program and by PyPI `mahjong`: python mahjong_riichi.py REQUESTS ANSWERS"""

import sys
from collections import defaultdict

from hand_text import five, pairs, read, report
from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

WINDS = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}

REFUSALS = {("no_yaku", "below_minimum"), ("hand_not_winning", "not_complete")}


class Copies:
    """Numbers each tile of a hand 0 to 135: a red five is the first of the four."""

    def __init__(self):
        self.used = defaultdict(int)

    def number(self, tile):
        plain = five(tile)
        face = "mpsz".index(plain[1]) * 9 + int(plain[0]) - 1
        if tile[0] == "0":
            return 4 * face
        is_five = plain[0] == "5" and plain[1] != "z"
        copy = self.used[face] + is_five
        self.used[face] += 1
        return 4 * face + copy


def said(request):
    """What the peer says; None where it cannot be asked."""
    concealed, sets, winning, _ = read(request["hand"])
    tiles = concealed + [winning] + [tile for _, set_tiles, _ in sets for tile in set_tiles]
    for letter in "mps":
        if sum(tile == "5" + letter for tile in tiles) == 4:
            return None
    copies = Copies()
    melds, numbers = [], []
    for closed, set_tiles, _ in sets:
        ids = [copies.number(tile) for tile in set_tiles]
        numbers += ids
        kind = Meld.KAN if len(ids) == 4 else Meld.CHI if len(set(map(five, set_tiles))) == 3 else Meld.PON
        melds.append(Meld(meld_type=kind, tiles=ids, opened=not closed))
    won = copies.number(winning)
    numbers += [won] + [copies.number(tile) for tile in concealed]
    indicators = lambda text: [
        Copies().number(five(tile)) for tile in read(text + "+")[0]
    ] if text else []
    is_set = lambda field: bool(request.get(field))
    tsumo = request["win"] == "self_draw"
    # The peer refuses haitei with rinshan and houtei with chankan, where `riichi` counts one of them.
    last = is_set("last_tile") and not is_set("supplement") and request["win"] != "rob_kong"
    config = HandConfig(
        is_tsumo=tsumo, is_riichi=is_set("riichi") or is_set("double_riichi"), is_ippatsu=is_set("ippatsu"),
        is_rinshan=is_set("supplement"), is_chankan=request["win"] == "rob_kong",
        is_haitei=tsumo and last, is_houtei=not tsumo and last, is_daburu_riichi=is_set("double_riichi"),
        is_tenhou=is_set("first_draw") and request["seat"] == "E",
        is_chiihou=is_set("first_draw") and request["seat"] != "E",
        player_wind=WINDS[request["seat"]], round_wind=WINDS[request["round"]], tsumi_number=request["honba"],
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, limit_to_sextuple_yakuman=False),
    )
    return HandCalculator.estimate_hand_value(
        numbers, won, melds=melds, dora_indicators=indicators(request.get("dora_indicators")), config=config,
        ura_dora_indicators=indicators(request.get("ura_indicators")),
    )


def payments(cost, request):
    """What each seat receives."""
    amounts = dict.fromkeys("ESWN", 0)
    if request["win"] != "self_draw":
        amounts[request["from"]] -= cost["main"] + cost["main_bonus"]
    else:
        for seat in set("ESWN") - {request["seat"]}:
            which = "main" if seat == "E" or request["seat"] == "E" else "additional"
            amounts[seat] -= cost[which] + cost[which + "_bonus"]
    amounts[request["seat"]] = -sum(amounts.values())
    return {seat: str(amount) for seat, amount in amounts.items()}


different, explained, compared = [], defaultdict(list), 0
for request, answer in pairs(*sys.argv[1:]):
    found = said(request)
    if found is None:
        explained["four plain fives, which the peer cannot be given"].append(request["hand"])
        continue
    compared += 1
    if found.error:
        same = (found.error, answer.get("error")) in REFUSALS
        there = found.error
    else:
        there = (str(found.han), None if found.han >= 13 and "points" not in answer else found.fu,
                 payments(found.cost, request))
        same = answer["ok"] and there == (answer["faan"], answer.get("points"), answer["payments"])
    if not same:
        different.append(f"{request}\n  here  {answer}\n  there {there} {found.yaku}")
report(different, explained, compared)
