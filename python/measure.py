"""The speed of the package beside the program's: `target/python/bin/python -P python/measure.py [PROGRAM]`."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import tilelens

ROOT = Path(__file__).parents[1]
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target" / "release" / "tilelens")
HANDS = 100_000
ROUNDS = 5


def best(work) -> float:  # type: ignore[no-untyped-def]
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def scores() -> None:
    files = sorted((ROOT / "tests" / "hands").glob("*.jsonl"))
    worked = [json.loads(line)["request"] for file in files for line in file.read_text().splitlines()]
    worked = [request for request in worked if "hand" in request and "others" not in request]
    requests = [worked[place % len(worked)] for place in range(HANDS)]
    lines = "".join(json.dumps(request) + "\n" for request in requests).encode()
    batch = [PROGRAM, "score", "--batch", "-", "--brief"]
    by_program = best(lambda: subprocess.run(batch, input=lines, stdout=subprocess.DEVNULL, check=True))
    by_package = best(lambda: tilelens.score(requests))
    print(f"score: {HANDS / by_program:,.0f} hands a second by the program, {HANDS / by_package:,.0f} in Python")


def pictures() -> None:
    photos = sorted((ROOT / "datasets" / "photos").rglob("*.jpg"))[:12]
    command = [PROGRAM, "tiles", "--json", "--tileset", "none"]
    # A picture without a tile ends with 1.
    one = best(lambda: subprocess.run([*command, photos[0]], capture_output=True, check=False))
    twice = best(lambda: subprocess.run([*command, photos[0], *photos], capture_output=True, check=False))
    tilelens.read(photos[0])
    by_package = best(lambda: [tilelens.read(photo) for photo in photos])
    each = [1000 * seconds / len(photos) for seconds in (twice - one, by_package)]
    print(f"read: {each[0]:.0f} ms a picture by the program, {each[1]:.0f} in Python")


if __name__ == "__main__":
    print(f"{os.cpu_count()} processors, best of {ROUNDS}")
    scores()
    pictures()
