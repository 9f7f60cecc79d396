"""A recorded session to replay: a video of hands shown one after another, with the truth beside it.

Pictures of `datasets/photos/tables` under a camera that shakes a little and is nudged, with arms that reach
over them. Writes `table.mp4` and `replay.json`: from which second to which a hand lies there, and which.

    python replay.py --out ../../datasets/replay
"""

import argparse
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
HANDS = ("row-sorted", "won-sideways", "pung-from-left", "chow-claimed", "won-apart", "table-discards", "kong-claimed-left", "pungs-opposite-side")
FPS, SIZE = 30, (1280, 720)
COMES, LIES = 1.2, 5.3  # seconds: arms put a hand down, then it lies there
ARM_AT, NUDGE_AT = 2.2, 4.0  # seconds after it lies: an arm reaches over it, the camera is nudged


def fitted(picture: np.ndarray) -> np.ndarray:
    scale = max(SIZE[0] / picture.shape[1], SIZE[1] / picture.shape[0])
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    y, x = (picture.shape[0] - SIZE[1]) // 2, (picture.shape[1] - SIZE[0]) // 2
    return picture[y : y + SIZE[1], x : x + SIZE[0]]


def arm(frame: np.ndarray, reach: float, x: float, wide: float) -> None:
    """An arm from below, its hand at `reach` of the picture's height."""
    if reach <= 0:
        return
    h = frame.shape[0]
    tip, base = (int(x), int(h * (1 - reach))), (int(x + 160), h + 120)
    cv2.line(frame, tip, base, (110, 140, 190), int(wide), cv2.LINE_AA)
    cv2.circle(frame, tip, int(wide * 0.62), (120, 155, 205), -1, cv2.LINE_AA)
    cv2.line(frame, (tip[0] + 80, tip[1] + 240), base, (70, 50, 40), int(wide * 1.25), cv2.LINE_AA)


def shaken(frame: np.ndarray, shift: np.ndarray, angle: float) -> np.ndarray:
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), angle, 1.0)
    matrix[:, 2] += shift
    return cv2.warpAffine(frame, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DATASETS / "replay")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    texts = {hand["file"]: hand["text"] for hand in json.loads((DATASETS / "labels/hands.json").read_text())}
    rng = np.random.default_rng(0)
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", "{}x{}".format(*SIZE), "-r", str(FPS), "-i", "-"]
    video = subprocess.Popen([*command, "-c:v", "libx264", "-crf", "27", "-preset", "slow", "-pix_fmt", "yuv420p", str(args.out / "table.mp4")], stdin=subprocess.PIPE)
    hands, now, before = [], 0.0, None
    shift, angle = np.zeros(2), 0.0
    for name in HANDS:
        picture = fitted(cv2.imread(str(DATASETS / f"photos/tables/{name}.jpg")))
        nudge, turn = rng.normal(0, 7, 2), rng.normal(0, 0.25)
        arm_x = rng.uniform(300, 900)
        for k in range(round((COMES + LIES) * FPS)):
            t = k / FPS - COMES
            # The picture changes where arms hide most of it.
            frame = (picture if t > -COMES / 2 or before is None else before).copy()
            if t < 0:
                far = 1.15 * np.sin(np.pi * (t + COMES) / COMES)
                for x in range(100, 1280, 170):
                    arm(frame, far, x, 150)
            over = (t - ARM_AT) / 0.9
            if 0 < over < 1:
                arm(frame, 0.62 * np.sin(np.pi * over), arm_x, 90)
            if NUDGE_AT < t < NUDGE_AT + 0.2:
                shift, angle = shift + nudge / (0.2 * FPS), angle + turn / (0.2 * FPS)
            frame = shaken(frame, shift + rng.normal(0, 0.15, 2), angle)
            frame = np.clip(frame + rng.normal(0, 2.0, (SIZE[1], SIZE[0], 1)), 0, 255)
            video.stdin.write(frame.astype(np.uint8).tobytes())
        hands.append({"from": round(now + COMES, 2), "to": round(now + COMES + LIES, 2), "text": texts[f"{name}.jpg"]})
        now, before = now + COMES + LIES, picture
        shift, angle = shift * 0.3, angle * 0.3
    video.stdin.close()
    if video.wait():
        raise SystemExit("ffmpeg failed")
    (args.out / "replay.json").write_text(json.dumps({"video": "table.mp4", "hands": hands}, indent=1) + "\n")


if __name__ == "__main__":
    main()
