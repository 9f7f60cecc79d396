"""Renders tables at the end of a deal, with the hands that were opened, in our own artwork, with their truth.

    python -m tilelens_training.render.four_hands [--out FOLDER] [--only NAME] [--workers K]

Writes photos/tables/NAME.jpg, labels/tables.json (every tile) and deals.json: each table's hands by seats, the edge of
the picture at which East sits, the table's corners in the picture, and the request that it answers.
"""

import argparse
import json
import math
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training.paths import DATASETS
from tilelens_training.render.four_players import moved
from tilelens_training.render.sample_pictures import SIDE, Sample, Table, fitting_view, label, placed, tile_set, traced
from tilelens_training.render.table_scene import Stage, photograph
from tilelens_training.render.table_tops import felt, table_top

OUT = DATASETS / "four-hands"
SIZE = (1800, 2240)
EDGE = 30.0  # of the table, in tile widths
ROW = 2.6  # from the edge to the middle of a hand's row
EDGES = ("bottom", "right", "top", "left")  # in the order of play


@dataclass
class Deal:
    """One table: who holds what, how it was won, and how it is seen."""

    name: str
    rules: str
    hands: dict  # by seat; "" where the tiles lie face down, and no seat where nothing lies
    win: str = ""  # self_draw, the giver's seat, or empty: nobody won
    round: str = "E"
    east: str = "bottom"
    winning: str = "sideways"
    sets: str = "right"  # of the concealed tiles, or above
    gaps: float = 0.0
    discards: int = 0  # loose in the middle
    fallen: str = ""  # the seat in whose row a tile has fallen out of line
    pitch: float = 72.0
    seat: float = 0.0
    hard: float = 0.35
    black: bool = False
    more: dict = field(default_factory=dict)  # further fields of the request


DEALS = [
    Deal("marked", "classical-bmja", {
        "E": "999m 22p 4s 16p 78p (5'55z) 1f", "S": "1134557m 113455p",
        "W": "111z 333s 678s 9s (2'22s) 2f +9s", "N": "44z 38p 67m 2458s [x66xz] 4f",
    }, win="N"),
    Deal("unmarked", "classical-dmjl", {
        "E": "234m 55p 67s (777z) (444s) 3f +8s", "S": "1369m 1357p 29s (222z) 25f",
        "W": "123p 789p 1145m 3s 66z", "N": "3399s 246p 134z (888m) 7f",
    }, win="S", pitch=80),
    Deal("turned", "classical-bmja", {
        "E": "4567s 1279m 44p (33'3m)", "S": "111m 222p 88s 55z (999'p) +5z",
        "W": "77m 135468s 13z 46p 7z", "N": "2355m 99s 8p (6'66z) (1'11s)",
    }, win="self_draw", round="S", east="right", seat=32, pitch=68),
    Deal("low", "classical-dmjl", {
        "E": "1199m 3366s 7p 1z (555z)", "S": "123456789s 11z 5m 9p",
        "W": "2244m 1155p 37s (888p)", "N": "345p 67p 44z (22'2z) (7'89m) +8p",
    }, win="E", east="top", pitch=50),
    Deal("flowers", "classical-bmja", {
        "E": "666m 88m 111z 99p (3'33p) 15f +9p", "S": "24m 15577s 36z 7m (777'p) 26f",
        "W": "34569s 78m 55z 1p [x22xz] 3f", "N": "13579m 2468p 1358s 48f",
    }, win="self_draw", winning="apart", pitch=76),
    Deal("kongs", "classical-dmjl", {
        "E": "112m 668s 25z 79s (33'33p)", "S": "111s 222s 4567m 13z 8p",
        "W": "234s 55s 67p [x99xm] (4'444z) +8p", "N": "1358m 149p 66z 3s (7'7'77z)",
    }, win="S", round="W", east="left"),
    Deal("fallen", "classical-bmja", {
        "E": "11p 678m 2579s 9p (33'3z)", "S": "222s 444s 666p 1z (5'55m) +1z",
        "W": "7788p 1133m 55s 246z", "N": "789s 456p 12z 3p 8s (99'9m)",
    }, win="W", fallen="E", winning="apart"),
    Deal("from-the-right", "classical-dmjl", {
        "E": "19m 19p 19s 1234567z +9s", "S": "2345m 6678p 34522s",
        "W": "888s 25s 6z 3p (444m) (7'77p)", "N": "555p 1122p 6789m 3s 2z",
    }, win="N", seat=90, east="top", winning="apart"),
    Deal("sets-above", "classical-bmja", {
        "E": "123m 5566s 13z 78p 99p 2f", "S": "1458s 35p 5z (22'2z) (6'66m)",
        "W": "4455m 888m 67s 26p 77z", "N": "77m 999s 33s (4'44p) (1'11p) +3s",
    }, win="self_draw", sets="above", east="left", pitch=84),
    Deal("one-row", "classical-dmjl", {
        "E": "345m 345s 66p 78p (3'45p) +9p", "S": "2489m 2489p 5s 7z (1'11z)",
        "W": "555m 777s 23p 16p 9s 12z", "N": "223344p 1188s 567z",
    }, win="W", gaps=0.3),
    Deal("discards", "classical-bmja", {
        "E": "1257s 47p 26m 6z 9p (7'77z)", "S": "114p 27m 689s 3s 1z (66'6z)",
        "W": "333m 888m 99s 444z 22z +2z", "N": "123m 456m 789p 33p 55s 67f",
    }, win="E", discards=16, pitch=66),
    Deal("dim", "classical-bmja", {
        "E": "99m 123m 4679s 23z 68p", "S": "111p 777p 5p (33'3s) (888'm) +5p",
        "W": "1144z 57m 158s 6m (22'2p)", "N": "6677z 224466s 9p 3p 1m",
    }, win="E", round="N", seat=-20, pitch=60, hard=0.9, winning="apart"),
    # After a draw.
    Deal("draw-two", "riichi", {
        "E": "123m 456p 789s 55z 23s", "S": "", "W": "222m 345p 67p 99s (7'77z)", "N": "",
    }),
    Deal("draw-three", "riichi", {
        "E": "111m 456s 77p 88p 234p", "S": "19m 19p 19s 1234567z", "W": "", "N": "234m 456m 789p 1p 59s 3z",
    }, east="right", pitch=62),
    Deal("draw-beside", "riichi", {
        "S": "234m 66m 345p 567s 78s", "W": "33p 678p 55s 22z 3z (444'm)",
    }, discards=20, pitch=66),
    Deal("draw-of-three", "riichi-sanma", {
        "E": "111m 234p 567p 99s 78s", "S": "", "W": "234p 3588s 6z 9m 9m (2'22z)",
    }, seat=-15),
]  # fmt: skip


def discarded(rng, hands, count):
    """Tiles that nobody holds, loose in the middle."""
    held = re.findall(r"([0-9x]+|'|[mpszf])", " ".join(hands.values()).replace("'", "").replace("+", " "))
    counts = {}
    for digits, suit in zip(held, held[1:], strict=False):
        for digit in digits if suit in "mpsz" else "":
            counts[digit + suit] = counts.get(digit + suit, 0) + 1
    left = [n + s for s in "mps" for n in "123456789" for _ in range(4 - counts.get(n + s, 0))]
    codes = rng.permutation(left)[:count]
    tiles = []
    for code in codes:
        while True:
            x, y = rng.uniform(-4.5, 4.5, 2)
            if all((x - p.x) ** 2 + (y - p.y) ** 2 > 2.6 for p in tiles):
                break
        tiles.append(placed(str(code), x, y, rng.uniform(0, 2 * math.pi), role="other"))
    return tiles


def laid(rng, long, deal, seat, turn):
    """Everything before one player."""
    own = Table(rng, long)
    text = deal.hands[seat]
    if text:
        own.hand(Sample("", text, winning=deal.winning, sets=deal.sets, gaps=deal.gaps))
    else:
        own.row(["x"] * 13, 0, 0)
    tiles = own.tiles
    middle = (min(p.x for p in tiles) + max(p.x for p in tiles)) / 2
    if seat == deal.fallen:
        tiles[5].y += 1.35
        tiles[5].x += 0.2
        tiles[5].angle += 0.6
    return moved(tiles, -middle + rng.uniform(-0.5, 0.5), -EDGE / 2 + ROW, turn)


def edge_of(deal, seat):
    """The place of a seat's edge in EDGES."""
    return (EDGES.index(deal.east) + "ESWN".index(seat)) % 4


def quarters(deal):
    """How far round the table the picture is taken."""
    return round(deal.seat / 90)


def render(deal, number):
    """The picture of a deal, the truth of its tiles, and the table's corners in it."""
    rng = np.random.default_rng([69, number])
    own = tile_set(rng, deal.black)
    tiles = []
    for seat in deal.hands:
        tiles += laid(rng, own.height, deal, seat, edge_of(deal, seat) * SIDE)
    tiles += discarded(rng, deal.hands, deal.discards)
    stage = Stage()
    for tile in tiles:
        stage.add_tile(own, tile, rng)
    pitch, yaw = math.radians(deal.pitch), math.radians(deal.seat)
    view, target, pixels = fitting_view(own, tiles, pitch, yaw, SIZE, 0.02, 90.0)
    texture = np.clip(felt(rng), 0, 255).astype(np.uint8) if number % 3 else table_top(rng, [])
    while texture.mean() > 190:
        texture = table_top(rng, [])
    picture, truth = traced(rng, stage, view, target, texture, deal.hard, SIZE, number)
    corners, _ = view.project(np.roll([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]], -quarters(deal), 0) * EDGE / 2)
    return photograph(rng, picture, deal.hard, pixels), truth, corners


def job(args):
    """Writes one picture; gives its label and its corners."""
    out, number = args
    deal = DEALS[number]
    picture, truth, corners = render(deal, number)
    name = f"{deal.name}.jpg"
    cv2.imwrite(str(out / "photos/tables" / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    height, width = SIZE
    tiles = [label(tile, width, height) for tile in truth]
    return {"file": name, "width": width, "height": height, "complete": True, "tiles": tiles}, np.round(corners, 1).tolist()


def hand_text(text):
    """Hand text with concealed kongs in full, as a request has it."""
    return re.sub(r"\[x(\d)\dx([mpsz])\]", r"[\1\1\1\1\2]", text)


def truth_of(deal, corners):
    """A deal as it has to be read."""
    hands = {seat: text for seat, text in deal.hands.items() if text}
    truth = {
        "file": f"{deal.name}.jpg", "corners": corners, "east": EDGES[(edge_of(deal, "E") + quarters(deal)) % 4], "rules": deal.rules, "round": deal.round,
        "hands": {seat: hand_text(text) for seat, text in hands.items()},
    }
    winner = next((seat for seat, text in hands.items() if "+" in text), None)
    if winner:
        claimed = deal.win in "ESWN"
        truth |= {"seat": winner, "win": "discard" if claimed else deal.win}
        truth |= {"from": deal.win} if claimed else {}
    return truth


def main():
    """Renders every table, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--only")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    for folder in ("photos/tables", "labels"):
        (args.out / folder).mkdir(parents=True, exist_ok=True)
    numbers = [k for k, deal in enumerate(DEALS) if args.only in (None, deal.name)]
    with ProcessPoolExecutor(args.workers) as workers:
        made = list(tqdm(workers.map(job, [(args.out, k) for k in numbers]), total=len(numbers), unit="picture"))
    if args.only:
        return
    images = [image for image, _ in made]
    labels = {"source": "tables", "licence": "MIT OR Apache-2.0", "backs": True, "images": images}
    (args.out / "labels/tables.json").write_text(json.dumps(labels, separators=(",", ":")).replace('{"file"', '\n{"file"') + "\n")
    deals = [truth_of(deal, corners) for deal, (_, corners) in zip(DEALS, made, strict=True)]
    (args.out / "deals.json").write_text(json.dumps(deals, indent=1) + "\n")


if __name__ == "__main__":
    main()
