"""How far photos of phones slow live down: `python3 tests/soak/photos.py PROGRAM [LOOPS]`.

A recorded session is read at its own pace, again and again. In every second sixth of it three phones send photos of twelve
megapixels, each the next one as soon as the last has been read; from loop to loop the other sixths are taken, so that both
cases see the whole session. Frames that were looked at come from the server's own figures. Fails where photos cost more
than a third of the frames. Needs ffmpeg.
"""

import http.client
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SESSION = ROOT / "datasets/replay/table.mp4"
LOOP = 123.13
PARTS = 6
PHONES = 3


ADDRESSES = itertools.count(2)


def asked(address: str, data: bytes | None = None) -> bytes:
    """Each request comes from an address of its own: what one may send is limited."""
    at = urllib.parse.urlsplit(address)
    number = next(ADDRESSES)
    own = f"127.0.{number // 250}.{number % 250 + 2}"
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=120, source_address=(own, 0))
    connection.request("POST" if data else "GET", at.path, data, {"Content-Type": "image/jpeg"} if data else {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise OSError(f"{answer.status}: {body[:200]!r}")
    return body


def photos(folder: str) -> list[bytes]:
    made = []
    for name in ["row-sorted", "row-gaps", "hard-small"]:
        path = pathlib.Path(folder) / f"{name}.jpg"
        picture = ROOT / f"datasets/photos/tables/{name}.jpg"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-i", picture, "-vf", "scale=4032:3024:force_original_aspect_ratio=increase,crop=4032:3024", "-q:v", "3", path],
            check=True,
        )
        made.append(path.read_bytes())
    return made


def main() -> None:
    program, loops = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4
    with tempfile.TemporaryDirectory() as folder:
        pictures = photos(folder)
        print("photos of", [f"{len(picture) / 1e6:.1f} MB" for picture in pictures], flush=True)
        words = [program, "live", "--port", "0", "--source", f"{SESSION}?loop"]
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = next(re.search(r"http://\S+/control", line)[0] for line in child.stdout if "/control" in line).removesuffix("control")
            measured(address, pictures, loops)
        finally:
            child.terminate()
            child.wait()


def measured(address: str, pictures: list[bytes], loops: int) -> None:
    def frames() -> int:
        return int(re.search(rb"^tilelens_frames_total (\d+)", asked(f"{address}metrics"), re.M)[1])

    while frames() == 0:
        time.sleep(0.1)
    asked(f"{address}api/photo", pictures[0])  # loads the networks
    sends = threading.Event()
    ends = threading.Event()
    took = []

    def phone(picture: bytes) -> None:
        while not ends.is_set():
            if not sends.wait(0.1):
                continue
            began = time.monotonic()
            try:
                asked(f"{address}api/photo", picture)
                took.append(time.monotonic() - began)
            except OSError as error:
                print("a photo was refused:", error, flush=True)
                time.sleep(1)

    phones = [threading.Thread(target=phone, args=(picture,)) for picture in pictures[:PHONES]]
    for one in phones:
        one.start()
    rates = {False: [], True: []}
    for part in range(loops * PARTS):
        busy = (part + part // PARTS) % 2 == 1
        sends.set() if busy else sends.clear()
        time.sleep(2)  # photos that were being read are over
        before, began = frames(), time.monotonic()
        time.sleep(LOOP / PARTS - 2)
        rate = (frames() - before) / (time.monotonic() - began)
        rates[busy].append(rate)
        print(f"{'photos' if busy else 'alone '} {rate:5.1f} frames a second, load {os.getloadavg()[0]:.1f}", flush=True)
    ends.set()
    for one in phones:
        one.join()
    alone, photos_too = (statistics.mean(rates[busy]) for busy in [False, True])
    print(
        json.dumps(
            {
                "alone": round(alone, 1),
                "with photos": round(photos_too, 1),
                "ratio": round(photos_too / alone, 2),
                "photos read": len(took),
                "seconds a photo": round(statistics.median(took), 1),
            }
        )
    )
    if photos_too < alone * 2 / 3:
        raise SystemExit("photos cost more than a third of the frames")


main()
