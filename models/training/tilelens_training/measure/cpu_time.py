"""Times two builds of the program by turns: processor seconds of all threads.

    python -m tilelens_training.measure.cpu_time BEFORE NOW [--data DATA]

Photos of `strangers` and `tables` one by one, the slowest three of BEFORE, `val` in one process, and pictures of one colour (medians).
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

import cv2
import numpy as np

from tilelens_training.paths import DATA

PLAIN = {"12 megapixels of one colour": ((3024, 4032), 3), "640 x 480 of one colour": ((480, 640), 7)}


def seconds(*command: object) -> float:
    before = os.times()
    subprocess.run([str(part) for part in command], capture_output=True, check=False)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=pathlib.Path, nargs=2)
    parser.add_argument("--data", type=pathlib.Path, default=DATA)
    args = parser.parse_args()
    programs = [program.resolve() for program in args.programs]
    spent = {
        name: [[seconds(program, "photo", photo, "--json") for program in programs] for photo in sorted((args.data / name).glob("*.jpg"))]
        for name in ("strangers", "tables")
    }
    slowest = sorted(row for rows in spent.values() for row in rows)[-3:]
    for name, rows in (*spent.items(), ("the slowest three", slowest)):
        print(name, *(f"{sum(column):.1f}" for column in zip(*rows)))
    print("val", *(f"{seconds(program, 'eval', args.data, '--split', 'val', '--json'):.1f}" for program in programs))
    with tempfile.TemporaryDirectory() as folder:
        for name, (size, times) in PLAIN.items():
            picture = pathlib.Path(folder) / "plain.jpg"
            cv2.imwrite(str(picture), np.full((*size, 3), (60, 90, 20), np.uint8))
            rows = [[seconds(program, "photo", picture, "--json") for program in programs] for _ in range(times)]
            print(name, *(f"{statistics.median(column):.2f}" for column in zip(*rows)))


if __name__ == "__main__":
    main()
