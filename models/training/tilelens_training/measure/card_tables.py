"""Prints the tables of the cards from what `figures.sh` measured with our networks and with others.

    python -m tilelens_training.measure.card_tables OUT OTHER-OUT
"""

import argparse
import json
from pathlib import Path

SHARES = {
    "tiles found": "tile recall",
    "found, IoU 0.5": "tile recall, IoU 0.5",
    "found, IoU 0.75": "tile recall, IoU 0.75",
    "detections that are tiles, photos marked complete": "precision (complete)",
    "the same, IoU 0.5": "precision (complete), IoU 0.5",
    "the same, IoU 0.75": "precision (complete), IoU 0.75",
    "face right, of found": "face right, of found",
    "found and right, of all": "found and right, of all",
    "flowers and seasons, right of all": "flowers and seasons",
    "sideways tiles, right of all": "sideways",
    "upside-down tiles, right of all": "upside down",
    "tiles under 30 px, right of all": "short side under 30 px",
    "red fives told from plain ones": "red fives told from plain ones",
    "turn right": "turn right",
    "photos all right, none too many": "photos all right, none too many",
    "wrong at 0.8 or more, of all tiles": "wrong at 0.8 or more, of all",
    "exact hand": "hand: tiles right",
    "exact layout": "hand: layout right",
    "too unsure to score": "hand: abstained",
    "wrong although sure": "hand: wrong, and sure",
}
SOURCE_SHARES = ["tiles found", "detections that are tiles, photos marked complete", "face right, of found", "turn right", "photos all right, none too many"]
COPIES = {
    "val": "as it is",
    "low": "half as high",
    "small": "17 pixels a tile",
    "bodies": "other bodies",
    "ground": "other table",
    "shadow": "shadow",
    "gloss": "gloss",
    "dark": "a fifth of the light",
    "blurred": "out of focus",
    "shaken": "shaken",
    "tall": "2.5 times as high",
    "wide": "2.5 times as wide",
    "slanted": "turned by 30°, pressed to 0.45",
    "corner": "turned by 45°, pressed to 0.6",
    "close": "near one tile",
    "warm": "lamp light",
    "grain": "grain",
    "specked": "specks",
    "screen": "dots of a screen",
    "veil": "stray light",
    "sharpened": "sharpened far too much",
    "bright": "far too bright",
    "grey": "without colour",
    "window": "a window's glare",
    "coded": "coded coarsely, twice",
    "streamed": "a frame of a video of few bits",
    "black": "black tiles",
    "plain": "white dragons' frames gone",
    "blank": "lone tiles made plain white dragons",
    "mixed": "several at once",
}


class Measured:
    """What was measured with some networks."""

    def __init__(self, folder: Path):
        self.folder = folder

    def figures(self, name: str) -> dict:
        """The figures of a data set as `tilelens eval --json` gives them."""
        return json.loads((self.folder / f"{name}.json").read_text())


def table(header: list[str], rows: list[list[str]]) -> None:
    """Markdown."""
    print("| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def share(figures: dict, name: str) -> str:
    """A share with its interval and counts."""
    share = figures["shares"][name]
    if not share["of"]:
        return "–"
    low, high = (100 * end for end in share["interval"])
    return f"{100 * share['share']:.2f} % [{low:.1f}, {high:.1f}] {share['good']}/{share['of']}"


def corners(figures: dict) -> str:
    """Median and 95th percentile of the corner error."""
    error = figures["corner_error"]
    return "–" if not error["n"] else f"{100 * error['median_p95'][0]:.1f} % / {100 * error['median_p95'][1]:.1f} % (n {error['n']})"


def whole_reader(ours: Measured, other: Measured) -> None:
    """Ours beside the others, split val and cross."""
    columns = [measured.figures(name)["all"] for name in ("val", "cross-patched") for measured in (ours, other)]
    rows = [[title, *(share(column, name) for column in columns)] for title, name in SHARES.items()]
    rows.append(["corner error, median / p95 of the short side", *map(corners, columns)])
    rows.append(["named extras at 0.8 or more", *(str(column["sure_extras"]) for column in columns)])
    rows.append(["ECE of found tiles", *(f"{100 * column['ece']:.2f} %" for column in columns)])
    table(["", "this, val", "other, val", "this, cross", "other, cross"], rows)


def cross_as_it_is(ours: Measured, other: Measured) -> None:
    """Split cross where detections of tiles without a label count as wrong."""
    columns = [measured.figures("cross")["all"] for measured in (ours, other)]
    titles = ("detections that are tiles, photos marked complete", "photos all right, none too many")
    rows = [[title, *(share(column, SHARES[title]) for column in columns)] for title in titles]
    rows.append(["named extras at 0.8 or more", *(str(column["sure_extras"]) for column in columns)])
    table(["cross, without the patch", "this", "other"], rows)


def by_source(ours: Measured) -> None:
    """Ours on split val by photo source."""
    sources = ours.figures("val")["sources"]
    rows = [[title, *(share(figures, SHARES[title]) for figures in sources.values())] for title in SOURCE_SHARES]
    rows.append(["corner error, median / p95 of the short side", *map(corners, sources.values())])
    table(["val", *sources], rows)


def copies(ours: Measured, other: Measured) -> None:
    """The hard copies of val, the others in brackets."""

    def row(name: str, title: str) -> list[str]:
        mine, theirs = (measured.figures(name)["all"] for measured in (ours, other))
        count = lambda figures, share: figures["shares"][share]["good"]  # noqa: E731
        of = lambda share, usual: "" if mine["shares"][share]["of"] == usual else f" of {mine['shares'][share]['of']}"  # noqa: E731
        both = lambda a, b, of="": f"{a:,}{of} ({b:,})"  # noqa: E731
        found, right, wrong, photos = "tile recall", "found and right, of all", "wrong at 0.8 or more, of all", "photos all right, none too many"
        return [
            title,
            both(count(mine, found), count(theirs, found), of(found, 3776)),
            both(count(mine, right), count(theirs, right)),
            both(mine["sure_extras"], theirs["sure_extras"]),
            both(count(mine, wrong), count(theirs, wrong)),
            both(count(mine, photos), count(theirs, photos), of(photos, 162)),
        ]

    header = ["`val`", "tiles found of 3,776", "named right", "sure extras", "wrong at 0.8", "photos all right of 162"]
    table(header, [row(*copy) for copy in COPIES.items()])


def unseen(ours: Measured, other: Measured) -> None:
    """Tile sets never seen: the 34 faces apart from flowers and seasons."""

    def column(measured: Measured) -> list[str]:
        found = measured.figures("unseen")
        shares = found["all"]["shares"]
        right, flowers = shares["found and right, of all"], shares["flowers and seasons"]
        sure = {True: 0, False: 0}
        missed = {True: 0, False: 0}
        for error in found["errors"]:
            if error["truth"]:
                is_flower = error["truth"].endswith("f")
                missed[is_flower] += error["kind"] == "missed"
                sure[is_flower] += bool(error["kind"] == "misnamed" and error["read"] and error["read"][0] != "?" and error["read"][1] >= 0.8)
        faces, faces_right = right["of"] - flowers["of"], right["good"] - flowers["good"]
        of_set = lambda name: found["sources"][name]["shares"]["found and right, of all"]  # noqa: E731
        flowers_of = lambda name: found["sources"][name]["shares"]["flowers and seasons"]  # noqa: E731
        only = lambda name: (of_set(name)["good"] - flowers_of(name)["good"], of_set(name)["of"] - flowers_of(name)["of"])  # noqa: E731
        return [
            f"{faces_right:,} of {faces:,}",
            f"{missed[False]}; {faces - faces_right - missed[False]}; {sure[False]}",
            "{} of {}".format(*only("x-real")),
            "{} of {}".format(*only("kde-jade")),
            f"{flowers['good']} of {flowers['of']}; {sure[True]}",
            f"{found['all']['sure_extras']}",
        ]

    titles = [
        "34 faces that make sets: named right",
        "missed; misnamed or without a name; wrong at 0.8 or more",
        "real tiles, scanned (x-real)",
        "white print on red (kde-jade)",
        "flowers and seasons: right; wrong at 0.8 or more",
        "sure detections that are no tile",
    ]
    table(["", "this", "other"], [list(row) for row in zip(titles, column(ours), column(other), strict=True)])


def silence(ours: Measured, other: Measured) -> None:
    """Pictures with few tiles or without one."""
    rows = []
    for name, title in {
        "clutter": "clutter: photos of tables without a face",
        "photographs": "photographs without a tile, not taught",
        "fresh": "300 new rendered scenes",
        "datasets": "our own rendered pictures",
    }.items():
        cells = []
        for measured in (ours, other):
            figures = measured.figures(name)["all"]
            shares, extras = figures["shares"], figures["sure_extras"]
            silent, right, found = (shares[key] for key in ("photos without a tile, none seen", "found and right, of all", "tile recall"))
            parts = [f"silent in {silent['good']} of {silent['of']}"] if silent["of"] else []
            parts += [f"{shares['precision (complete)']['of'] - shares['precision (complete)']['good']} detections"] if not right["of"] else []
            parts += [f"{found['good']:,} found, {right['good']:,} right of {right['of']:,}"] if right["of"] else []
            cells.append("; ".join([*parts, f"{extras} sure extras"]))
        rows.append([title, *cells])
    table(["", "this", "other"], rows)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", type=Path)
    parser.add_argument("other", type=Path)
    options = parser.parse_args()
    ours, other = Measured(options.ours), Measured(options.other)
    whole_reader(ours, other)
    cross_as_it_is(ours, other)
    by_source(ours)
    copies(ours, other)
    unseen(ours, other)
    silence(ours, other)
    print("faces whose turn no label of val tells:", *ours.figures("val")["all"]["no_turn"])


if __name__ == "__main__":
    main()
