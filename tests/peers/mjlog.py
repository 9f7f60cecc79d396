"""Writes a game of mjai events as Tenhou's XML: mjlog.py GAME.mjson > GAME.mjlog. The four tiles of a face get its four
numbers in the order in which they come up; sets are packed as in the logs of tenhou.net."""

import json
import sys
from urllib.parse import quote

HONORS = ["E", "S", "W", "N", "P", "F", "C"]
ENDS = {"kyushukyuhai": "yao9", "sufonrenta": "kaze4", "suchareach": "reach4", "sukaikan": "kan4", "sanchahoa": "ron3",
        "sanchahou": "ron3", "nagashimangan": "nm", "kyushu_kyuhai": "yao9", "sufuurenta": "kaze4", "suuchariichi": "reach4",
        "suukaikan": "kan4", "suukansansen": "kan4", "nagashi_mangan": "nm", "sufurenta": "kaze4", "suucha_riichi": "reach4"}


def face(name):
    if name in HONORS:
        return 27 + HONORS.index(name)
    return 9 * "mps".index(name[1]) + int(name[0]) - 1


class Deal:
    def __init__(self, start):
        self.free = {}
        for kind in range(34):
            ids = [4 * kind + place for place in range(4)]
            red = kind < 27 and kind % 9 == 4
            self.free[kind] = ids[1:] if red else ids
            if red:
                self.free[kind, "r"] = [ids[0]]
        self.hands = [[self.new(name) for name in hand] for hand in start["tehais"]]
        self.pungs = {}

    def new(self, name):
        return self.free[(face(name), "r") if name.endswith("r") else face(name)].pop(0)

    def take(self, player, name, place=-1):
        red = name.endswith("r")
        def same(number):
            five = number < 108 and number // 4 % 9 == 4
            return number // 4 == face(name) and (five and number % 4 == 0) == red
        number = [number for number in self.hands[player] if same(number)][place]
        self.hands[player].remove(number)
        return number


def packed(deal, event, last):
    kind, player = event["type"], event["actor"]
    if kind == "ankan":
        own = [deal.take(player, name) for name in event["consumed"]]
        return min(own) << 8
    if kind == "kakan":
        added = deal.take(player, event["pai"])
        return deal.pungs[player, added // 4] & ~(8 | 3 << 5) | 16 | added % 4 << 5
    own = [deal.take(player, name) for name in event["consumed"]]
    giver = (event["target"] - player) % 4
    tiles = sorted(own + [last])
    if kind == "chi":
        lowest = tiles[0] // 4
        order = lowest // 9 * 7 + lowest % 9
        low = sum(tile % 4 << bit for tile, bit in zip(tiles, (3, 5, 7)))
        return (3 * order + tiles.index(last)) << 10 | low | 4 | giver
    if kind == "pon":
        apart = ({0, 1, 2, 3} - {tile % 4 for tile in tiles}).pop()
        deal.pungs[player, last // 4] = (3 * (last // 4) + tiles.index(last)) << 9 | apart << 5 | 8 | giver
        return deal.pungs[player, last // 4]
    return last << 8 | giver


def hundreds(points):
    return ",".join(str(point // 100) for point in points)


def changes(deltas):
    return ",".join(f"0,{delta // 100}" for delta in deltas)


def main(events):
    names = next((event.get("names") for event in events if event["type"] == "start_game"), None) or ["A", "B", "C", "D"]
    out = ['<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="9" lobby="0"/>']
    out.append("<UN " + " ".join(f'n{player}="{quote(name)}"' for player, name in enumerate(names)) + ' dan="0,0,0,0"/>')
    out.append('<TAIKYOKU oya="0"/>')
    deal, last = None, None
    for event in events:
        kind, player = event["type"], event.get("actor")
        if kind == "start_kyoku":
            deal = Deal(event)
            number = 4 * "ESWN".index(event["bakaze"]) + event["oya"]
            seed = [number, event["honba"], event["kyotaku"], 0, 0, deal.new(event["dora_marker"])]
            hands = " ".join(f'hai{player}="{",".join(map(str, hand))}"' for player, hand in enumerate(deal.hands))
            out.append(f'<INIT seed="{",".join(map(str, seed))}" ten="{hundreds(event["scores"])}" oya="{event["oya"]}" {hands}/>')
        elif kind == "tsumo":
            number = deal.new(event["pai"])
            deal.hands[player].append(number)
            out.append(f"<{'TUVW'[player]}{number}/>")
        elif kind == "dahai":
            # The tile drawn last stands last.
            last = deal.take(player, event["pai"], -1 if event["tsumogiri"] else 0)
            out.append(f"<{'DEFG'[player]}{last}/>")
        elif kind == "reach":
            out.append(f'<REACH who="{player}" step="1"/>')
        elif kind == "reach_accepted":
            out.append(f'<REACH who="{player}" ten="0,0,0,0" step="2"/>')
        elif kind in ("chi", "pon", "daiminkan", "ankan", "kakan"):
            out.append(f'<N who="{player}" m="{packed(deal, event, last)}" />')
        elif kind == "dora":
            out.append(f'<DORA hai="{deal.new(event["dora_marker"])}" />')
        elif kind == "hora":
            ura = [deal.new(name) for name in event.get("ura_markers", [])]
            below = f' doraHaiUra="{",".join(map(str, ura))}"' if ura else ""
            # Of several winners each may be shown the same tiles.
            for number, name in zip(ura, event.get("ura_markers", [])):
                deal.free[(face(name), "r") if name.endswith("r") else face(name)].insert(0, number)
            out.append(f'<AGARI ba="0,0"{below} who="{player}" fromWho="{event["target"]}" sc="{changes(event["deltas"])}"/>')
        elif kind == "ryukyoku":
            named = ENDS.get(event.get("reason"))
            out.append(f'<RYUUKYOKU{f" type={chr(34)}{named}{chr(34)}" if named else ""} ba="0,0" sc="{changes(event["deltas"])}"/>')
    print("".join(out) + "</mjloggm>")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as game:
        main([json.loads(line) for line in game if line.strip()])
