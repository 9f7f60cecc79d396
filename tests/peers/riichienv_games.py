"""Games of four simple players in RiichiEnv, logged as mjai events: python riichienv_games.py COUNT FOLDER

They win where they can, declare riichi, call now and then, and keep the hand that lacks the fewest tiles.
"""

import json
import random
import sys
from pathlib import Path

from riichienv import RiichiEnv, calculate_shanten

# What is done, in this order, each with its share of the chances.
WISHES = [
    ("TSUMO", 1), ("RON", 1), ("KYUSHU_KYUHAI", 0.7), ("RIICHI", 0.9), ("ANKAN", 0.6), ("KAKAN", 0.6), ("DAIMINKAN", 0.6),
    ("PON", 0.35), ("CHI", 0.12), ("PASS", 1),
]


def act(seen, chance):
    """The action of a player who sees this."""
    legal = seen.legal_actions()
    kinds = {}
    for action in legal:
        kinds.setdefault(str(action.action_type).split(".")[-1].upper(), []).append(action)
    for kind, share in WISHES:
        if kind in kinds and chance.random() < share:
            return chance.choice(kinds[kind])

    def lacks(action):
        rest = list(seen.hand)
        rest.remove(action.tile)
        return calculate_shanten(rest), chance.random()

    return min(kinds["DISCARD"], key=lacks) if "DISCARD" in kinds else chance.choice(legal)


def main(count, folder):
    """Plays and writes the games."""
    for seed in range(count):
        chance = random.Random(seed)
        game = RiichiEnv(game_mode="4p-red-half" if seed % 2 else "4p-red-east", seed=seed)
        seen = game.reset()
        while not game.done():
            seen = game.step({player: act(of, chance) for player, of in sorted(seen.items())})
        events = (event if isinstance(event, str) else json.dumps(event) for event in game.mjai_log)
        (folder / f"{seed}.mjson").write_text("\n".join(events) + "\n")


main(int(sys.argv[1]), Path(sys.argv[2]))
