"""Draws the 42 faces as SVG, from strokes and shapes of our own: `datasets/artwork/CODE.svg`.

    python -m tilelens_training.render.own_artwork [--out DIR]

The networks never train on these: pictures made with them are a test.
"""

import argparse
import math
from pathlib import Path

from tilelens_training.paths import DATASETS

WIDTH, HEIGHT = 300, 400
BLACK, BLUE, RED, GREEN = "#1a1d24", "#1f4fa0", "#c8202c", "#16794a"

# Strokes of a character as polylines on a field of 100 x 100.
STROKES = {
    "一": "8,52 92,48",
    "二": "20,28 80,27;8,77 92,75",
    "三": "18,18 82,17;24,48 76,47;8,83 92,81",
    "四": "12,20 12,88;12,20 88,20 88,88;12,82 88,82;38,20 36,45 26,60;60,20 60,52 74,56",
    "五": "15,15 85,15;48,15 36,85;22,46 72,46 68,85;6,86 94,85",
    "六": "48,5 54,20;6,35 94,33;36,50 12,92;62,50 88,92",
    "七": "6,48 94,36;44,8 44,78 54,88 88,88 88,74",
    "八": "40,15 32,60 6,92;58,12 66,55 94,92",
    "九": "8,38 72,34 70,80 80,90 94,86 94,74;40,8 38,45 8,92",
    "萬": "8,14 92,14;34,4 34,24;66,4 66,24;26,30 26,56;26,30 74,30 74,56;26,43 74,43;26,56 74,56;50,30 50,86;"
    "14,66 14,97;14,66 88,66 88,92 78,92;34,86 64,81;62,73 70,87",
    "東": "10,18 90,18;50,4 50,97;22,32 22,62;22,32 78,32 78,62;22,47 78,47;22,62 78,62;48,64 10,92;52,64 90,92",
    "南": "10,18 90,18;50,4 50,32;14,34 14,96;14,34 86,34 86,92 78,94;36,44 42,54;64,44 58,54;30,58 70,58;28,74 72,74;50,58 50,94",
    "西": "8,14 92,14;16,36 16,92;16,36 84,36 84,92;16,86 84,86;38,14 38,48 26,66;60,14 60,58 74,60",
    "北": "38,8 38,94;10,34 38,34;8,86 38,72;62,8 62,84 70,90 92,88 92,74;90,24 62,44",
    "中": "18,28 18,63;18,28 82,28 82,63;18,60 82,60;50,4 50,98",
    "發": "12,14 36,14 10,40;22,22 32,30;60,6 70,20 92,40;88,10 72,22;16,48 42,48 42,60 18,60 16,74 44,74 40,94 30,92;"
    "60,46 58,58 52,64;60,46 80,46 80,60 90,62;54,70 84,70 54,97;58,76 92,97",
    "春": "16,14 84,14;20,28 80,28;6,42 94,42;50,4 44,40 8,72;56,44 92,70;30,62 30,96;30,62 70,62 70,96;30,78 70,78;30,94 70,94",
    "夏": "8,8 92,8;50,8 46,20;26,22 26,60;26,22 74,22 74,60;26,34 74,34;26,47 74,47;26,60 74,60;40,62 12,80;34,70 74,70 16,98;36,76 90,98",
    "秋": "36,6 12,16;6,34 46,34;28,14 28,96;26,38 6,66;30,40 46,58;56,30 52,48;92,28 80,46;72,10 70,50 48,94;72,50 94,92",
    "冬": "42,4 14,40;36,18 72,18 10,68;36,26 92,62;44,64 62,72;34,82 62,94",
    "梅": "6,30 44,30;26,6 26,96;24,34 6,66;28,36 44,54;60,6 48,26;56,16 92,16;58,32 54,80 88,80;58,32 88,32 84,96 76,94;46,56 96,56;70,38 74,50;70,62 74,74",
    "蘭": "8,12 92,12;34,4 34,20;66,4 66,20;12,26 12,98;12,26 40,26 40,46;12,36 40,36;12,46 40,46;60,26 88,26 88,98;60,26 60,46;"
    "60,36 88,36;60,46 88,46;28,56 72,56;50,50 50,96;32,64 32,76;32,64 68,64 68,76;32,76 68,76;48,78 28,92;52,78 72,92",
    "菊": "8,12 92,12;34,4 34,20;66,4 66,20;30,26 10,52;24,36 90,36 84,94 74,92;34,46 40,56;66,46 60,56;24,64 76,64;50,42 50,96;48,66 26,88;52,66 72,86",
    "竹": "22,6 8,40;16,24 46,24;32,24 32,94;62,6 52,36;58,22 94,22;76,22 76,88 64,84",
    "1": "30,24 52,8 52,94;28,94 76,94",
    "2": "20,28 30,10 66,8 80,26 74,44 18,92 84,92",
    "3": "20,14 60,8 80,24 72,44 44,48;44,48 78,58 80,80 56,94 18,86",
    "4": "62,94 62,8 14,68 88,68",
}


def strokes(character, x, y, size, colour, weight=9.5):
    """A character in a square of `size` whose top left is x, y."""
    k = size / 100
    lines = []
    for stroke in STROKES[character].split(";"):
        points = " ".join(
            f"{x + float(px) * k:.1f},{y + float(py) * k:.1f}" for px, py in (point.split(",") for point in stroke.split())
        )
        lines.append(f'<polyline points="{points}"/>')
    return (
        f'<g fill="none" stroke="{colour}" stroke-width="{weight * k:.1f}" stroke-linecap="round" stroke-linejoin="round">'
        + "".join(lines)
        + "</g>"
    )


def circle(x, y, r, fill, stroke="none", width=0):
    """A disc, or a ring where `fill` is none."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}" stroke="{stroke}" stroke-width="{width:.1f}"/>'


def coin(x, y, r, colour):
    """One dot: a rim, a ring of beads and a heart."""
    out = circle(x, y, 0.9 * r, "none", colour, 0.2 * r) + circle(x, y, 0.26 * r, colour)
    for k in range(8):
        a = k * math.pi / 4
        out += circle(x + 0.54 * r * math.cos(a), y + 0.54 * r * math.sin(a), 0.11 * r, colour)
    return out


def dots(number):
    """Where the dots of a face lie, and their colours."""
    if number == 1:
        petals = "".join(
            f'<ellipse cx="150" cy="132" rx="15" ry="34" fill="{RED if k % 2 else GREEN}" transform="rotate({30 * k} 150 200)"/>'
            for k in range(12)
        )
        rings = circle(150, 200, 118, "none", GREEN, 14) + circle(150, 200, 30, "none", RED, 12) + circle(150, 200, 10, GREEN)
        return rings + petals
    left, mid, right = 84, 150, 216
    places = {
        2: [(mid, 108, GREEN), (mid, 292, BLUE)],
        3: [(76, 84, BLUE), (mid, 200, RED), (224, 316, GREEN)],
        4: [(left, 108, BLUE), (right, 108, GREEN), (left, 292, GREEN), (right, 292, BLUE)],
        5: [(76, 92, BLUE), (224, 92, GREEN), (mid, 200, RED), (76, 308, GREEN), (224, 308, BLUE)],
        6: [(x, y, GREEN if y < 150 else RED) for y in (84, 216, 322) for x in (left, right)],
        7: [(66, 56, GREEN), (mid, 98, GREEN), (234, 140, GREEN)] + [(x, y, RED) for y in (242, 340) for x in (left, right)],
        8: [(x, y, BLUE) for y in (62, 154, 246, 338) for x in (left, right)],
        9: [(x, y, c) for y, c in ((82, GREEN), (200, RED), (318, BLUE)) for x in (62, 150, 238)],
    }[number]
    radius = {2: 74, 3: 58, 4: 62, 5: 52, 6: 52, 7: 43, 8: 43, 9: 42}[number]
    return "".join(coin(x, y, radius, colour) for x, y, colour in places)


def stick(x, y, length, colour, angle=0.0):
    """One bamboo: two pieces between three knots."""
    h, w = length / 2, 0.17 * length + 9
    body = (
        f'<rect x="{x - 0.36 * w:.1f}" y="{y - 0.86 * h:.1f}" width="{0.72 * w:.1f}" height="{1.72 * h:.1f}" rx="4" fill="{colour}"/>'
        + f'<line x1="{x:.1f}" y1="{y - 0.7 * h:.1f}" x2="{x:.1f}" y2="{y + 0.7 * h:.1f}" stroke="#f4f1e4" stroke-width="{0.13 * w:.1f}"/>'
    )
    for at in (-0.9, 0.0, 0.9):
        body += f'<rect x="{x - 0.55 * w:.1f}" y="{y + at * h - 5:.1f}" width="{1.1 * w:.1f}" height="10" rx="5" fill="{colour}"/>'
    return f'<g transform="rotate({angle:.0f} {x:.1f} {y:.1f})">{body}</g>'


def bamboo(number):
    """The bird of the one, sticks else."""
    if number == 1:
        tail = "".join(
            f'<path d="M150 236 q {-34 + 17 * k} 70 {-64 + 32 * k} 128" fill="none" stroke="{colour}" stroke-width="13" stroke-linecap="round"/>'
            for k, colour in enumerate((GREEN, BLUE, RED, BLUE, GREEN))
        )
        body = f'<path d="M92 172 q -6 -66 52 -82 q 4 -36 38 -40 q 30 -2 34 28 l 30 12 l -32 10 q 16 96 -56 146 q -58 2 -66 -74 z" fill="{GREEN}"/>'
        wing = f'<path d="M112 176 q 44 -30 78 4 q -18 46 -62 44 z" fill="{RED}"/><path d="M126 186 q 28 -14 50 2" fill="none" stroke="#f4f1e4" stroke-width="6"/>'
        crest = "".join(f'<line x1="178" y1="54" x2="{150 + 18 * k}" y2="24" stroke="{RED}" stroke-width="6" stroke-linecap="round"/>' for k in range(3))
        return tail + body + wing + crest + circle(190, 76, 9, "#f4f1e4") + circle(191, 76, 4.5, BLACK)
    rows = {
        2: [(150, 108, 150, GREEN), (150, 292, 150, BLUE)],
        3: [(150, 108, 150, BLUE), (88, 292, 150, GREEN), (212, 292, 150, GREEN)],
        4: [(88, 108, 150, BLUE), (212, 108, 150, GREEN), (88, 292, 150, GREEN), (212, 292, 150, BLUE)],
        5: [(72, 108, 150, GREEN), (228, 108, 150, BLUE), (150, 200, 150, RED), (72, 292, 150, BLUE), (228, 292, 150, GREEN)],
        6: [(x, y, 150, GREEN if y < 200 else BLUE) for y in (108, 292) for x in (66, 150, 234)],
        7: [(150, 70, 104, RED)] + [(x, y, 104, GREEN if x != 150 else BLUE) for y in (202, 328) for x in (66, 150, 234)],
        9: [(x, y, 104, {66: GREEN, 150: RED, 234: BLUE}[x]) for y in (74, 200, 326) for x in (66, 150, 234)],
    }
    if number != 8:
        return "".join(stick(x, y, length, colour) for x, y, length, colour in rows[number])
    out = ""
    for y, colour, sign in ((110, GREEN, 1), (290, BLUE, -1)):
        out += stick(52, y, 150, colour) + stick(248, y, 150, colour)
        out += stick(113, y, 140, colour, 32 * sign) + stick(187, y, 140, colour, -32 * sign)
    return out


def blossom(x, y, r, petals, colour, heart):
    """A flower seen from the front."""
    out = "".join(
        f'<ellipse cx="{x}" cy="{y - 0.62 * r:.1f}" rx="{1.25 * r / math.sqrt(petals):.1f}" ry="{0.46 * r:.1f}" fill="{colour}" transform="rotate({360 * k / petals:.1f} {x} {y})"/>'
        for k in range(petals)
    )
    return out + circle(x, y, 0.26 * r, heart)


def plant(kind):
    """The picture of a flower or season tile, in the lower two thirds."""
    brown = "#6d4326"
    line = lambda d, colour, width: f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
    leaf = lambda x, y, a, size, colour: f'<path d="M{x} {y} q {size} {-0.5 * size:.0f} {2 * size} 0 q {-size} {0.5 * size:.0f} {-2 * size} 0 z" fill="{colour}" transform="rotate({a} {x} {y})"/>'
    if kind == "plum":
        branch = line("M60 380 q 60 -60 70 -140 q 30 -40 90 -60", brown, 15) + line("M126 262 q 60 6 104 56", brown, 10)
        return branch + "".join(blossom(x, y, 38, 5, RED, "#e8b93a") for x, y in ((92, 250), (214, 178), (226, 312), (150, 330)))
    if kind == "orchid":
        leaves = "".join(line(f"M150 384 q {dx} -110 {2.2 * dx:.0f} {-120 - abs(dx)}", GREEN, 12) for dx in (-50, -24, 6, 30, 54))
        return leaves + blossom(104, 190, 34, 5, "#8a3fa0", "#e8b93a") + blossom(198, 228, 30, 5, "#8a3fa0", "#e8b93a")
    if kind == "chrysanthemum":
        stem = line("M150 388 q -8 -60 0 -130", GREEN, 12) + leaf(150, 350, -30, 40, GREEN) + leaf(150, 330, 210, 40, GREEN)
        return stem + blossom(150, 216, 82, 18, "#e0a21c", RED)
    if kind == "bamboo":
        stems = "".join(f'<rect x="{x}" y="{y}" width="16" height="{70}" rx="5" fill="{GREEN}"/>' for x in (104, 168) for y in (160, 234, 308))
        return stems + "".join(leaf(x, y, a, 36, GREEN) for x, y, a in ((184, 180, -30), (184, 236, 20), (104, 200, 200), (104, 300, 160), (184, 310, -12)))
    if kind == "spring":
        return line("M90 388 q 40 -120 120 -180", brown, 12) + "".join(
            blossom(x, y, 32, 6, "#e46a8a", "#fff0c0") for x, y in ((140, 270), (206, 204), (112, 340), (226, 290))
        ) + line("M210 250 q 20 -30 44 -20 m -44 20 q -10 -34 -34 -36", BLUE, 8)
    if kind == "summer":
        return f'<path d="M60 300 q 90 -80 180 0 q -90 70 -180 0 z" fill="{GREEN}"/>' + line("M150 384 q 6 -60 0 -150", GREEN, 9) + blossom(150, 212, 62, 9, "#e46a8a", "#e8b93a")
    if kind == "autumn":
        return line("M70 384 q 80 -70 150 -190", brown, 11) + "".join(leaf(x, y, a, 34, "#d2691e") for x, y, a in ((130, 320, -60), (170, 270, 10), (180, 250, -100), (110, 350, 190), (210, 206, -40)))
    snow = "".join(line(f"M150 280 L {150 + 78 * math.cos(k * math.pi / 3):.0f} {280 + 78 * math.sin(k * math.pi / 3):.0f}", BLUE, 10) for k in range(6))
    tips = "".join(circle(150 + 60 * math.cos(k * math.pi / 3), 280 + 60 * math.sin(k * math.pi / 3), 11, "#7fb2e5") for k in range(6))
    return snow + tips


BONUS = ("plum", "orchid", "chrysanthemum", "bamboo", "spring", "summer", "autumn", "winter")


def face(code):
    """The ink of a face."""
    number, suit = int(code[0]), code[1]
    if suit == "m":
        return strokes("一二三四五六七八九"[number - 1], 80, 22, 140, BLACK, 11) + strokes("萬", 60, 190, 184, RED)
    if suit == "p":
        return dots(number)
    if suit == "s":
        return bamboo(number)
    if suit == "z" and number == 5:
        return "".join(
            f'<rect x="{m}" y="{m}" width="{WIDTH - 2 * m}" height="{HEIGHT - 2 * m}" rx="10" fill="none" stroke="{BLUE}" stroke-width="{w}"/>' for m, w in ((38, 16), (64, 5))
        )
    if suit == "z":
        colour = {6: GREEN, 7: RED}.get(number, BLACK)
        return strokes("東南西北 發中"[number - 1], 44, 94, 212, colour, 10)
    season = number > 4
    word = "梅蘭菊竹春夏秋冬"[number - 1]
    return (
        strokes(word, 196, 24, 78, RED if season else BLACK)
        + strokes(str((number - 1) % 4 + 1), 34, 24, 66, BLUE if season else RED, 13)
        + plant(BONUS[number - 1])
    )


def main():
    """Writes every face."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DATASETS / "artwork")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    codes = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)] + [f"{n}f" for n in range(1, 9)]
    for code in codes:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{face(code)}</svg>\n'
        (args.out / f"{code}.svg").write_text(svg)


if __name__ == "__main__":
    main()
