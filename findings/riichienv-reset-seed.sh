#!/usr/bin/env bash
# PyPI riichienv 0.4.11: `reset(seed=…)` is taken and ignored, and who is to act comes in another order each time.
#
# Expected: the environment has the calls of Gymnasium ("Gym-style API"), where `reset(seed=7)` begins the same game each time.
#   It takes the word `seed` without an error. `reset()` returns a dictionary of those who are to act, which a policy of one
#   random generator asks in its order.
# Actual: `reset(seed=7)` deals other tiles each time. Only the seed of the constructor counts, and only for the first `reset()`
#   after it: further ones deal on. With that seed, a claim that several may make comes in any order, so that a policy
#   that draws chances as it is asked plays another game from there on.
# Effect here: games that were to be made again for a check of imported logs were others each time, until the seed was given to
#   a new environment for each game and the players were sorted.
#
# Exits non-zero once `reset` heeds its seed, or the constructor's does not hold.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet riichienv==0.4.11
cat >look.py <<'PY'
import json

from riichienv import RiichiEnv


def dealt(env):
    events = [json.loads(event) if isinstance(event, str) else event for event in env.mjai_log]
    return str(next(event["tehais"] for event in events if event["type"] == "start_kyoku"))


def by_reset():
    env = RiichiEnv()
    env.reset(seed=7)
    return dealt(env)


def by_constructor():
    env = RiichiEnv(seed=7)
    env.reset()
    return dealt(env)


again = RiichiEnv(seed=7)
again.reset()
first = dealt(again)
again.reset()
seen = {
    "reset(seed=7), five times": len({by_reset() for _ in range(5)}),
    "RiichiEnv(seed=7), five times": len({by_constructor() for _ in range(5)}),
    "a second reset() deals the same": dealt(again) == first,
}
for what, is_so in seen.items():
    print(f"{what}: {is_so}")
assert list(seen.values()) == [5, 1, False], seen
PY
venv/bin/python look.py
