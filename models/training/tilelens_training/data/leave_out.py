"""A view of the shared data in which whole physical sets are left out of split `train`.

    python -m tilelens_training.data.leave_out --data DATA --out OUT --pattern 'kimwong-riichi/.*' --pattern 'crops/unt-03'

OUT has links to the pictures and labels and a splits.json of its own: photos and crops whose
SOURCE/GROUP (`crops/GROUP` for single faces) matches a pattern as a whole go from `train` to a new
split, `left-out`. `val` and `cross` stay as they are, and with `--data OUT` everything here trains
without those sets.
"""

import argparse
import json
import re
from pathlib import Path


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pattern", action="append", required=True, help="regular expression over SOURCE/GROUP")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in ("photos", "labels", "crops", "art"):
        link = options.out / name
        if not link.exists():
            link.symlink_to((options.data / name).resolve())
    patterns = [re.compile(pattern) for pattern in options.pattern]

    def left_out(group: str) -> bool:
        return any(pattern.fullmatch(group) for pattern in patterns)

    splits = json.loads((options.data / "splits.json").read_text())
    kept: dict = {"photos": {}, "crops": []}
    out: dict = {"photos": {}, "crops": []}
    for source, files in splits["train"]["photos"].items():
        images = json.loads((options.data / "labels" / f"{source}.json").read_text())["images"]
        groups = {image["file"]: image["group"] for image in images}
        for file in files:
            part = out if left_out(f"{source}/{groups[file]}") else kept
            part["photos"].setdefault(source, []).append(file)
    groups = {crop["file"]: crop["group"] for crop in json.loads((options.data / "crops/labels.json").read_text())}
    for file in splits["train"]["crops"]:
        (out if left_out(f"crops/{groups[file]}") else kept)["crops"].append(file)
    (options.out / "splits.json").write_text(json.dumps(splits | {"train": kept, "left-out": out}))
    for name, part in (("train", kept), ("left-out", out)):
        print(f"{name}: {sum(map(len, part['photos'].values()))} photos, {len(part['crops'])} crops")


if __name__ == "__main__":
    main()
