"""What each rule and view of the reader is worth: everything is read without it, and the table of all is printed.

    python -m tilelens_training.measure.rule_ablation PROGRAM [--data DATA] [--rules NAME ...] [--sets val cross strangers tables datasets]

Of `strangers` and `tables` the tiles are counted as a multiset, since their truth names no places.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess

from tilelens_training.paths import DATA, DATASETS


def timed(command: list) -> tuple[str, float]:
    """What a program prints, and its processor seconds."""
    before = os.times()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return done.stdout, spent


def rules(program: pathlib.Path) -> list[str]:
    """The names of all rules, as the program lists them."""
    done = subprocess.run([program, "tiles", "--without", "?", "x.png"], capture_output=True, text=True, check=False)
    listed = re.search(r"it has ([a-z, \n-]+)", done.stderr)
    if not listed:
        raise SystemExit(f"{program} lists no rules: {done.stderr}")
    return [name.strip() for name in listed[1].split(",")]


def labelled(program: pathlib.Path, folder: list, without: list) -> str:
    """Tiles found and right, photos all right and hands, as `eval` counts them."""
    out, spent = timed([program, "eval", *folder, *without, "--json"])
    shares = json.loads(out)["all"]["shares"]

    def share(name: str) -> str:
        found = shares.get(name)
        return f"{found['good']}/{found['of']}" if found and found["of"] else "–"

    names = ["found and right, of all", "photos all right, none too many", "hand: tiles right"]
    return "; ".join([*map(share, names), f"{spent:.0f} s"])


def plain(code: str) -> str:
    return {"0m": "5m", "0p": "5p", "0s": "5s"}.get(code, code)


def by_faces(program: pathlib.Path, folder: pathlib.Path, without: list) -> str:
    """Tiles named, detections that are tiles and photos all right, by their multisets; as many tiles as nobody could read are no errors."""
    counts: collections.Counter = collections.Counter()
    spent = 0.0
    for truth in json.loads((folder / "truth.json").read_text()):
        out, seconds = timed([program, "tiles", folder / truth["file"], *without, "--json"])
        spent += seconds
        read = json.loads(out)["tiles"] if out else []
        got = collections.Counter(plain(tile["code"]) for tile in read if tile["code"] not in ("x", "?"))
        want: collections.Counter = collections.Counter()
        slack: collections.Counter = collections.Counter()
        for count, key in ((want, "tiles"), (slack, "maybe")):
            for code, n in truth[key].items():
                count[plain(code)] += n
        extra = max(0, sum((got - want - slack).values()) - truth["unreadable"])
        hit = sum((want & got).values())
        counts.update(hit=hit, want=sum(want.values()), extra=extra, photos=1)
        counts["right"] += hit == sum(want.values()) and extra == 0
    found = counts["hit"] + counts["extra"]
    return f"{counts['hit']}/{counts['want']}, {counts['hit']}/{found} right; {counts['right']}/{counts['photos']}; {spent:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, default=DATA)
    parser.add_argument("--rules", nargs="*")
    parser.add_argument("--sets", nargs="+", default=["val", "cross", "strangers", "tables", "datasets"])
    args = parser.parse_args()
    program = args.program.resolve()
    print("| without | " + " | ".join(args.sets) + " |\n|---|" + "---|" * len(args.sets))
    for rule in ["", *(args.rules if args.rules is not None else rules(program))]:
        without = ["--without", rule] if rule else []
        cells = []
        for name in args.sets:
            if name in ("strangers", "tables"):
                cells.append(by_faces(program, args.data / name, without))
            elif name == "datasets":
                cells.append(labelled(program, [DATASETS], without))
            else:
                split = [args.data, "--split", name, "--patch", DATASETS / f"{name}-patch.json"]
                cells.append(labelled(program, split, without))
        print(f"| {rule or '(nothing)'} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
