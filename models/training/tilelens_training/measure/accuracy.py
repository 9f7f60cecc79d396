"""Measures the reader on every set of photos and writes the counts into docs/accuracy.json. `make accuracy` runs it.

    python -m tilelens_training.measure.accuracy PROGRAM [--data DATA]

The sets: `val`, `cross`, `strangers` and `tables` of the shared data, and `datasets/` of the repository. `val` and
`datasets/` also update figures.json, which holds the counts of each photo; photos that are read differently are printed.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from tilelens_training.paths import DATA, DATASETS, ROOT


def printed(*command: object) -> str:
    """The standard output of a command that succeeds."""
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True).stdout


def counts(figures: dict) -> dict:
    """The photos of a set, and for each share how many are good, of how many."""
    shares = {name: [share["good"], share["of"]] for name, share in figures["shares"].items() if share["of"]}
    return {"photos": figures["photos"], "shares": shares}


def evaluated(program: pathlib.Path, folder: list) -> dict:
    """The counts of `tilelens eval`, all sources together and each by itself."""
    figures = json.loads(printed(program, "eval", *folder, "--json"))
    sources = {name: counts(source) for name, source in figures["sources"].items()}
    return counts(figures["all"]) | ({"sources": sources} if len(sources) > 1 else {})


def strangers(program: pathlib.Path, folder: pathlib.Path) -> dict:
    """The same of `strangers` or `tables`, whose truth gives no positions; its own script compares."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        table = printed(sys.executable, folder / "measure.py", program, "--out", out.name)
        rows = json.loads(pathlib.Path(out.name).read_text())
    unreadable = {photo["file"]: photo.get("unreadable") or 0 for photo in json.loads((folder / "truth.json").read_text())}
    extras = [max(0, sum(row["extra"].values()) - unreadable[row["file"]]) for row in rows]
    right, labelled = sum(row["hit"] for row in rows), sum(row["want"] for row in rows)
    whole = sum(row["hit"] == row["want"] and not extra for row, extra in zip(rows, extras))
    hands = [row for row in rows if "hand" in row]
    last = re.search(r"^ALL .*?(\d+) +(\d+) +(\d+)$", table, re.MULTILINE)
    if not last:
        raise SystemExit(f"{folder / 'measure.py'} prints no row ALL")
    abstained, doubted, wrong = map(int, last.groups())
    return {
        "photos": len(rows),
        "shares": {
            "found and right, of all": [right, labelled],
            "precision (complete)": [right, right + sum(extras)],
            "photos all right, none too many": [whole, len(rows)],
            "hand: tiles right": [sum(row.get("hand_ok", False) for row in hands), len(hands)],
            "hand: layout right": [sum(row.get("layout_ok", False) for row in hands), len(hands)],
            "hand: not read, or doubted": [abstained + doubted, len(hands)],
            "hand: wrong, and sure": [wrong, len(hands)],
        },
    }


def main() -> None:
    """Measures all sets; nothing is written unless all could be read."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, default=DATA)
    args = parser.parse_args()
    program, data = args.program.resolve(), args.data.resolve()
    if not (data / "strangers").is_dir():
        raise SystemExit(f"{data} does not hold the shared photos: give their folder with --data")
    patched = {name: DATASETS / f"{name}-patch.json" for name in ("val", "cross")}
    folders = {name: [data, "--split", name, "--patch", patch] for name, patch in patched.items()}
    folders["datasets"] = [DATASETS]
    figures = {name: evaluated(program, folder) for name, folder in folders.items()}
    for name in ("strangers", "tables"):
        figures[name] = strangers(program, data / name)
    for name in ("val", "datasets"):
        changes = printed(program, "eval", *folders[name], "--pinned", ROOT / "figures.json", "--accept")
        print(*(line for line in changes.splitlines() if re.search("; was |; new$| photos read, ", line)), sep="\n")
    lines = [f"{json.dumps(name)}: {json.dumps(of_set)}" for name, of_set in figures.items()]
    (ROOT / "docs" / "accuracy.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
