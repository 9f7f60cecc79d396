"""Hands as text, and the answers of `tilelens score --batch` beside their requests."""

import json
import re


def read(hand):
    """Concealed tiles, sets (concealed or not, tiles, place of the sideways one), winning tile, flowers.

    A tile is its digit and letter, such as `5p`; red fives have the digit 0.
    """
    hand, winning = hand.split("+")
    sets, concealed, flowers = [], [], 0
    for text in re.findall(r"\([^)]*\)|\[[^]]*\]|[^ (\[]+", hand):
        digits, letter = re.findall(r"[0-9']+", text), re.findall(r"[mpszf]", text)
        tiles = [digit + of for run, of in zip(digits, letter) for digit in re.findall(r"\d'?", run)]
        if text[0] in "([":
            sets.append((text[0] == "[", [tile.replace("'", "") for tile in tiles],
                         next((i for i, tile in enumerate(tiles) if "'" in tile), None)))
        elif letter == ["f"]:
            flowers += len(tiles)
        else:
            for tile in tiles:
                if tile[-1] == "f":
                    flowers += 1
                else:
                    concealed.append(tile)
    return concealed, sets, winning.strip(), flowers


def five(tile):
    """The tile without its colour."""
    return "5" + tile[1] if tile[0] == "0" else tile


def pairs(requests, answers):
    """Each request with its answer, from two files of JSON Lines."""
    with open(requests) as asked, open(answers) as answered:
        for request, answer in zip(asked, answered, strict=True):
            yield json.loads(request), json.loads(answer)


def report(different, explained, compared):
    """Says what was found; exits with 1 where a difference has no explanation."""
    print(f"{compared} hands compared")
    for why, hands in sorted(explained.items()):
        print(f"  {len(hands)} explained: {why}; such as {hands[0]}")
    for line in different[:20]:
        print(line)
    print(f"{len(different)} differences without an explanation")
    raise SystemExit(bool(different))
