"""A bot for a chat: each line that comes in is answered. Connect `answer` to the chat of your choice.
    echo "123m456m789p23s55s +4s, W, E, S" | python bot.py

A line is a picture's file, or a hand, the winner's wind, the wind of the round, and who gave the tile, if anybody.
"""

import sys
from pathlib import Path

import tilelens


def answer(line: str) -> str:
    try:
        if Path(line).is_file():
            hand = tilelens.read(line).hand
            return f"I see {hand.text} ({hand.confidence:.0%} sure)." if hand else "I see no hand."
        hand_text, seat, round_wind, *giver = (part.strip() for part in line.split(","))
        how = {"win": "discard", "from": giver[0]} if giver else {"win": "self_draw"}
        won = tilelens.score({"rules": "mmm", "hand": hand_text, "seat": seat, "round": round_wind, **how})
        items = ", ".join(f"{item.id} {item.value}" for item in won.items)
        paid = ", ".join(f"{player} {amount}" for player, amount in won.payments.items())
        return f"{won.score} points ({items}): {paid}"
    except (tilelens.TilelensError, ValueError) as error:
        return f"Sorry, {error}."


if __name__ == "__main__":
    for line in sys.stdin:
        print(answer(line.strip()))
