"""Face designs that no maker made: fonts, dots, sticks, birds and plants put together at random.

A set of tiles never seen differs from those in the photos in its strokes, colours and pictures. Each
invented style is one consistent set of 42 faces; shapes and fonts are other ones than those of
`own_artwork.py`, on which the reader is tested. Fonts: those of `fonts.py`.
"""

import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tilelens_training.render import fonts
from tilelens_training.render.artwork import ART_HEIGHT, ART_WIDTH, Drawing

SCALE = 3  # drawn larger, then brought down
WIDTH, HEIGHT = ART_WIDTH * SCALE, ART_HEIGHT * SCALE
BIRDS = "🐦🐓🐔🐤🐥🦃🦅🦆🕊🐧"
FLOWERS = ("🌸❀✿💮", "🌺🌷⚘", "🌼🌻❁", "🎋🎍🌿", "🌱🌷☘", "☀🌻❁", "🍁🍂", "❄☃❅")
AGAIN = 3  # so often more each style draws its flowers and seasons, with other plants
LABELS = {
    "z": ("EAST", "SOUTH", "WEST", "NORTH", "WHITE", "GREEN", "RED"),
    "f": ("PLUM", "ORCHID", "MUM", "BAMBOO", "SPRING", "SUMMER", "AUTUMN", "WINTER"),
}
ROOM = {"4p": 0.5, "6p": 0.42, "8s": 0.5, "6s": 0.5}  # where there is room for a number, down the middle
POSITIONS = {
    2: [(0, -1), (0, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0.12), (1, 0.12), (-1, 1), (1, 1)],
    7: [(-1, -1.05), (0, -0.78), (1, -0.5), (-1, 0.2), (1, 0.2), (-1, 1), (1, 1)],
    8: [(x, y) for y in (-1, -0.33, 0.33, 1) for x in (-1, 1)],
    9: [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)],
}


def _ink(rng):
    """An ink as makers use them: red, green, blue, black, now and then another."""
    base = ((200, 30, 35), (25, 110, 60), (30, 60, 150), (25, 25, 30), (150, 50, 110), (190, 120, 30))
    chosen = base[rng.choice(6, p=(0.27, 0.25, 0.22, 0.2, 0.03, 0.03))]
    return tuple(int(np.clip(v + rng.normal(0, 18), 0, 255)) for v in chosen)


class Style:
    """One invented set."""

    def __init__(self, rng):
        self.rng = rng
        self.font = self._any_font()
        self.second = self._any_font() if rng.random() < 0.3 else self.font
        self.sans = (fonts.named("DejaVuSans.ttf"), 0)
        self.pictures = (fonts.named("Symbola_hint.ttf"), 0)
        self.red, self.green, self.blue = ((190, 25, 35), (20, 105, 60), (25, 55, 140))
        jitter = lambda c: tuple(int(np.clip(v + rng.normal(0, 22), 0, 255)) for v in c)
        self.red, self.green, self.blue = map(jitter, (self.red, self.green, self.blue))
        self.black = jitter((25, 25, 30)) if rng.random() < 0.7 else self.blue
        self.corner = rng.random() < 0.45  # small numbers for those who read no Chinese
        self.corner_at = ((0.1, 0.08), (0.9, 0.08), (0.1, 0.92), (0.9, 0.92))[rng.choice(4, p=(0.5, 0.3, 0.1, 0.1))]
        self.corner_size = rng.uniform(0.09, 0.19)
        self.corner_ink = _ink(rng) if rng.random() < 0.5 else self.black
        self.inside = rng.random() < 0.25  # where a pattern leaves room for it, the number stands there
        self.labels = rng.random() < 0.12  # honours and bonus tiles say in English what they are
        self.wan = "萬" if rng.random() < 0.6 else "万"
        self.wan_ink = _ink(rng) if rng.random() < 0.3 else self.red
        self.five = "五" if rng.random() < 0.75 else "伍"
        self.bold = int(rng.choice(7, p=(0.25, 0.2, 0.18, 0.15, 0.1, 0.07, 0.05)))
        self.dot = int(rng.integers(7))
        self.stick = int(rng.integers(5))
        self.slim = rng.uniform(0.3, 1.1)  # sticks
        self.columns = rng.uniform(0.8, 1.12)
        self.dot_size = rng.uniform(0.72, 1.06)
        self.one_colour = rng.random() < 0.12
        self.spread = rng.uniform(0.85, 1.05)
        self.drawn = rng.random() < 0.55  # birds and plants of our own lines, not of a font
        self.frames = rng.random() < 0.3
        self.upright_eight = rng.random() < 0.15
        self.one_stick = rng.random() < 0.07
        self.bird = BIRDS[rng.integers(len(BIRDS))]
        self.bird_ink = (_ink(rng), _ink(rng))
        self.bonus_corner = rng.permutation(4)
        self.bonus_numeral = rng.choice(3, p=(0.65, 0.2, 0.15))  # digits, characters, none
        self.bonus_word = rng.random() < 0.85
        self.bonus_kind = rng.choice(3, p=(0.72, 0.2, 0.08))  # a picture and a mark, a character, a picture alone
        self.bonus_size = rng.uniform(0.15, 0.29)
        self.bonus_ink = (_ink(rng), _ink(rng)) if rng.random() < 0.6 else (self.green, self.red)
        self.bonus = "梅蘭菊竹春夏秋冬"
        if rng.random() < 0.2 and self._has("兰"):
            self.bonus = self.bonus.replace("蘭", "兰")
        self.white = rng.choice(5, p=(0.43, 0.34, 0.1, 0.05, 0.08))

    def _any_font(self):
        families = fonts.families()
        family = families[self.rng.integers(len(families))]
        return family[self.rng.integers(len(family))]

    def _has(self, letter):
        return fonts.has(ImageFont.truetype(self.font[0], 40, index=self.font[1]), letter)

    def face(self, code):
        """A face as BGRA of ART_HEIGHT x ART_WIDTH; empty for a blank white."""
        self._begin()
        number, suit = int(code[0]), code[1]
        {"m": self._character, "p": self._dots, "s": self._bamboo, "z": self._honor, "f": self._bonus}[suit](number)
        if self.corner and suit in "mpsz":
            mark = str(number) if suit != "z" else "ESWNPFC"[number - 1]
            if self.inside and code in ROOM:
                self._word(mark, 0.5, ROOM[code], self.corner_size, self.corner_ink, self.sans)
            elif not (suit == "z" and number == 5):
                self._word(mark, *self.corner_at, self.corner_size, self.corner_ink, self.sans)
        if self.labels and suit in "zf":
            self._word(LABELS[suit][number - 1], 0.5, 0.09 if number % 2 else 0.91, 0.09, self.corner_ink, self.sans, width=0.75)
        return self._finished()

    def mark(self, code):
        """The word and numeral of a flower or season without its plant, where real tiles have them: at the top."""
        self._begin()
        self.bonus_corner, self.bonus_size = self.rng.permutation(2), self.rng.uniform(0.18, 0.32)
        self.bold = max(self.bold, int(self.rng.integers(7)))
        self._mark(int(code[0]))
        return self._finished()

    def _begin(self):
        self.image = Image.new("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def _finished(self):
        pixels = np.asarray(self.image)
        small = cv2.resize(pixels.astype(np.float32) * np.concatenate([pixels[..., 3:] / 255.0] * 3 + [np.ones_like(pixels[..., 3:])], 2), (ART_WIDTH, ART_HEIGHT), interpolation=cv2.INTER_AREA)
        alpha = small[..., 3:] / 255
        colour = small[..., :3] / np.maximum(alpha, 1e-3)
        return np.clip(np.concatenate([colour[..., ::-1], small[..., 3:]], 2), 0, 255).astype(np.uint8)

    def _word(self, letters, x, y, height, ink, font=None, stretch=1.0, angle=0.0, width=None):
        """Letters whose middle is at x, y, as shares of the face, and whose height, or width, is a share of it."""
        path, index = font or self.font
        try:
            type_ = ImageFont.truetype(path, 120, index=index)
        except OSError:
            type_ = ImageFont.truetype(self.font[0], 120, index=self.font[1])
        box = type_.getbbox(letters, stroke_width=self.bold)
        stamp = Image.new("RGBA", (max(1, box[2] - box[0]), max(1, box[3] - box[1])), (0, 0, 0, 0))
        ImageDraw.Draw(stamp).text((-box[0], -box[1]), letters, font=type_, fill=(*ink, 255), stroke_width=self.bold, stroke_fill=(*ink, 255))
        h = max(2, int(height * HEIGHT))
        w = max(2, int(stamp.width * h / stamp.height * stretch))
        if width:
            w, h = int(width * WIDTH), max(4, int(width * WIDTH * stamp.height / stamp.width))
        w = min(w, int(0.94 * WIDTH))
        stamp = stamp.resize((w, h))
        if angle:
            stamp = stamp.rotate(angle, expand=True, resample=Image.Resampling.BILINEAR)
        self.image.alpha_composite(stamp, (max(0, int(x * WIDTH - stamp.width / 2)), max(0, int(y * HEIGHT - stamp.height / 2))))

    def _character(self, number):
        top = self.black if not self.one_colour else self.red
        word = self.five if number == 5 else "一二三四五六七八九"[number - 1]
        # Flat numerals keep their natural height.
        height = {2: 0.2, 3: 0.27}.get(number, 0.33) * self.spread
        self._word(word, 0.5, 0.25, height, top, width=0.55 * self.spread if number == 1 else None)
        self._word(self.wan, 0.5, 0.7, 0.43 * self.spread, self.wan_ink, self.second)

    def _coin(self, x, y, r, ink, other):
        d, kind = self.draw, self.dot
        ring = lambda k, fill=None, line=None, width=1: d.ellipse((x - k * r, y - k * r, x + k * r, y + k * r), fill=fill, outline=line, width=max(1, int(width)))
        if kind == 0:
            ring(0.95, fill=ink), ring(0.6, fill=(245, 240, 225)), ring(0.35, fill=ink)
        elif kind == 1:
            ring(0.95, line=ink, width=r * 0.14), ring(0.62, line=other, width=r * 0.12), ring(0.25, fill=ink)
        elif kind == 2:
            ring(0.95, fill=ink), ring(0.3, fill=(245, 240, 225))
        elif kind == 3:
            ring(0.95, line=ink, width=r * 0.16)
            for k in range(6):
                a = k * math.pi / 3
                cx, cy = x + 0.45 * r * math.cos(a), y + 0.45 * r * math.sin(a)
                d.ellipse((cx - 0.22 * r, cy - 0.22 * r, cx + 0.22 * r, cy + 0.22 * r), fill=other)
        elif kind == 4:
            ring(0.95, line=ink, width=r * 0.18)
            d.line((x - 0.7 * r, y, x + 0.7 * r, y), fill=ink, width=max(1, int(0.18 * r)))
            d.line((x, y - 0.7 * r, x, y + 0.7 * r), fill=ink, width=max(1, int(0.18 * r)))
        elif kind == 5:
            for k in range(8):
                a = k * math.pi / 4
                d.pieslice((x - 0.95 * r, y - 0.95 * r, x + 0.95 * r, y + 0.95 * r), math.degrees(a), math.degrees(a) + 28, fill=ink)
            ring(0.4, fill=other), ring(0.18, fill=(245, 240, 225))
        else:
            ring(0.95, fill=ink), ring(0.72, line=(245, 240, 225), width=r * 0.1), ring(0.28, fill=(245, 240, 225))

    def _dots(self, number):
        rng = self.rng
        if number == 1:
            r = rng.uniform(0.33, 0.46) * WIDTH
            x, y = WIDTH / 2, HEIGHT / 2
            kinds = rng.permutation(3)
            self._coin(x, y, r, self.green if rng.random() < 0.5 else self.black, self.red)
            if kinds[0]:
                petals = int(rng.integers(6, 17))
                for k in range(petals):
                    a = 2 * math.pi * k / petals
                    cx, cy, s = x + 0.5 * r * math.cos(a), y + 0.5 * r * math.sin(a), 0.17 * r
                    self.draw.ellipse((cx - s, cy - s, cx + s, cy + s), fill=self.red if k % 2 else self.green)
            s = 0.2 * r
            self.draw.ellipse((x - s, y - s, x + s, y + s), fill=self.red)
            return
        reach_x = {2: 0, 3: 0.27, 4: 0.22, 5: 0.25, 6: 0.21, 7: 0.24, 8: 0.19, 9: 0.29}[number] * self.spread
        reach_y = {2: 0.23, 3: 0.3, 4: 0.25, 5: 0.31, 6: 0.32, 7: 0.36, 8: 0.36, 9: 0.32}[number] * self.spread
        r = {2: 0.2, 3: 0.17, 4: 0.18, 5: 0.16, 6: 0.16, 7: 0.125, 8: 0.13, 9: 0.13}[number] * WIDTH * self.spread * self.dot_size
        for place, (x, y) in enumerate(POSITIONS[number]):
            if self.one_colour:
                ink = self.blue
            elif number in (2, 4, 8):
                ink = (self.green, self.blue)[place % 2] if number != 8 else self.blue
            elif number == 6:
                ink = self.green if place < 2 else self.red
            elif number == 7:
                ink = self.green if place < 3 else self.red
            else:
                ink = (self.blue, self.red, self.green)[place // (3 if number == 9 else 1) % 3]
            self._coin(WIDTH * (0.5 + reach_x * x), HEIGHT * (0.5 + reach_y * y), r, ink, self.red if rng.random() < 0.3 else ink)

    def _stick(self, x, y, length, ink, angle=0.0):
        h, w = length * HEIGHT / 2, self.slim * (0.035 + 0.1 * length) * WIDTH
        size = int(2 * h) + 8
        stamp = Image.new("RGBA", (size, size), (0, 0, 0, 0))
        d, c = ImageDraw.Draw(stamp), size / 2
        if self.stick == 0:
            d.rounded_rectangle((c - w, c - h, c + w, c + h), radius=w, fill=ink)
        elif self.stick == 1:
            for k in (-0.5, 0.5):
                d.ellipse((c - w, c + k * h - 0.5 * h, c + w, c + k * h + 0.5 * h), fill=ink)
        elif self.stick == 2:
            d.rectangle((c - 0.7 * w, c - h, c + 0.7 * w, c + h), fill=ink)
            for k in (-1, 0, 1):
                d.ellipse((c - 1.25 * w, c + k * 0.86 * h - 0.5 * w, c + 1.25 * w, c + k * 0.86 * h + 0.5 * w), fill=ink)
        elif self.stick == 3:
            d.rounded_rectangle((c - w, c - h, c + w, c - 0.06 * h), radius=0.7 * w, outline=ink, width=max(2, int(0.5 * w)))
            d.rounded_rectangle((c - w, c + 0.06 * h, c + w, c + h), radius=0.7 * w, outline=ink, width=max(2, int(0.5 * w)))
        else:
            d.polygon([(c - w, c - h), (c + w, c - h), (c + 0.5 * w, c), (c + w, c + h), (c - w, c + h), (c - 0.5 * w, c)], fill=ink)
            d.line((c, c - 0.8 * h, c, c + 0.8 * h), fill=(245, 240, 225), width=max(1, int(0.25 * w)))
        if angle:
            stamp = stamp.rotate(angle, resample=Image.Resampling.BILINEAR)
        self.image.alpha_composite(stamp, (max(0, int(x * WIDTH - c)), max(0, int(y * HEIGHT - c))))

    def _bamboo(self, number):
        rng = self.rng
        g, b, r = (self.green,) * 3 if self.one_colour else (self.green, self.blue if rng.random() < 0.6 else self.green, self.red)
        if number == 1:
            if self.one_stick:
                self._stick(0.5, 0.5, rng.uniform(0.4, 0.7), r if rng.random() < 0.5 else g)
            elif self.drawn:
                self._drawn_bird()
            else:
                font = self.pictures
                bird = self.bird if rng.random() < 0.7 else BIRDS[rng.integers(len(BIRDS))]
                self._word(bird, 0.5, 0.47, rng.uniform(0.42, 0.7), self.bird_ink[0], font, 1.0, rng.normal(0, 25))
                if rng.random() < 0.6:  # two inks
                    over = np.asarray(self.image).copy()
                    cut = int(HEIGHT * rng.uniform(0.35, 0.65))
                    over[cut:, :, :3] = self.bird_ink[1]
                    self.image = Image.fromarray(over)
                if rng.random() < 0.5:
                    self._word("🌿❀✿🌸"[rng.integers(4)], rng.uniform(0.25, 0.75), 0.84, rng.uniform(0.15, 0.28), self.red if rng.random() < 0.5 else self.green, font)
            return
        if number == 8 and self.upright_eight:
            for k in range(8):
                self._stick(0.5 + ((k % 4) - 1.5) * 0.2 * self.columns, 0.28 if k < 4 else 0.72, 0.38, g if k < 4 else b)
            return
        if number == 8:
            tilt = rng.uniform(20, 42)
            for y, ink, sign in ((0.28, g, 1), (0.72, b, -1)):
                for x in (0.17, 0.83):
                    self._stick(x, y, 0.36, ink)
                self._stick(0.38, y, 0.34, ink, -tilt * sign)
                self._stick(0.62, y, 0.34, ink, tilt * sign)
            return
        places = {
            2: [(0.5, 0.28, g), (0.5, 0.72, b)],
            3: [(0.5, 0.28, b), (0.3, 0.72, g), (0.7, 0.72, g)],
            4: [(0.3, 0.28, b), (0.7, 0.28, g), (0.3, 0.72, g), (0.7, 0.72, b)],
            5: [(0.23, 0.28, g), (0.77, 0.28, b), (0.5, 0.5, r), (0.23, 0.72, b), (0.77, 0.72, g)],
            6: [(x, y, g if y < 0.5 else b) for y in (0.28, 0.72) for x in (0.23, 0.5, 0.77)],
            7: [(0.5, 0.18, r)] + [(x, y, g if x != 0.5 else b) for y in (0.5, 0.82) for x in (0.22, 0.5, 0.78)],
            9: [(x, y, {0.22: g, 0.5: r, 0.78: b}[x]) for y in (0.19, 0.5, 0.81) for x in (0.22, 0.5, 0.78)],
        }[number]
        length = rng.uniform(0.8, 1.08)
        for x, y, ink in places:
            self._stick(0.5 + (x - 0.5) * self.columns, y, length * (0.28 if number in (7, 9) else 0.38), ink)

    def _honor(self, number):
        rng = self.rng
        if number == 5:
            if self.white == 1:
                for k in range(int(rng.integers(1, 3))):
                    m = WIDTH * (0.1 + 0.09 * k)
                    self.draw.rounded_rectangle((m, m, WIDTH - m, HEIGHT - m), radius=WIDTH * 0.05, outline=self.blue, width=int(rng.integers(4, 16)))
            elif self.white == 4:  # a band of pieces
                m, n = rng.uniform(0.06, 0.16) * WIDTH, rng.uniform(0.2, 0.3) * WIDTH
                ink, width = (self.blue, self.black, self.green)[rng.integers(3)], int(rng.integers(3, 9))
                self.draw.rectangle((m, m, WIDTH - m, HEIGHT - m), outline=ink, width=width)
                self.draw.rectangle((n, n, WIDTH - n, HEIGHT - n), outline=ink, width=width)
                for k in range(1, int(rng.integers(3, 6))):
                    x, y = m + k * (WIDTH - 2 * m) / 5, m + k * (HEIGHT - 2 * m) / 5
                    for a, b in (((x, m), (x, n)), ((x, HEIGHT - n), (x, HEIGHT - m)), ((m, y), (n, y)), ((WIDTH - n, y), (WIDTH - m, y))):
                        self.draw.line((*a, *b), fill=ink, width=width)
            elif self.white == 2:
                self._word("白", 0.5, 0.5, 0.55, self.black)
            elif self.white == 3:
                self._word("P" if rng.random() < 0.5 else "B", 0.5, 0.5, 0.5, self.blue, (fonts.named("DejaVuSerif.ttf"), 0))
            return
        word = "東南西北白發中"[number - 1]
        if number == 6 and rng.random() < 0.15 and self._has("发"):
            word = "发"
        ink = {6: self.green, 7: self.red}.get(number, self.black)
        self._word(word, 0.5, 0.5, rng.uniform(0.48, 0.72), ink)

    def _bonus(self, number):
        rng = self.rng
        season = number > 4
        if self.frames:
            m = WIDTH * 0.06
            self.draw.rounded_rectangle((m, m, WIDTH - m, HEIGHT - m), radius=WIDTH * 0.06, outline=self.corner_ink, width=3)
        if self.bonus_kind == 1:
            self._word(self.bonus[number - 1], 0.5, 0.5, rng.uniform(0.3, 0.65), self.bonus_ink[season])
            return
        if self.drawn:
            self._drawn_plant(number)
        else:
            font = self.pictures
            # Other makers' plants say nothing of the number; the mark does.
            letters = FLOWERS[number - 1 if self.bonus_kind == 2 or rng.random() < 0.4 else rng.integers(len(FLOWERS))]
            for _ in range(int(rng.integers(1, 4))):
                self._word(letters[rng.integers(len(letters))], rng.uniform(0.35, 0.65), rng.uniform(0.5, 0.72), rng.uniform(0.2, 0.55), _ink(rng), font, 1.0, rng.normal(0, 15))
        if self.bonus_kind != 2:
            self._mark(number)

    def _mark(self, number):
        """What tells a flower's or season's number: its word, its numeral, or both."""
        rng = self.rng
        season = number > 4
        inset = 0.05 + 0.5 * self.bonus_size
        corners = ((0.19, inset), (0.81, inset), (0.19, 1 - inset), (0.81, 1 - inset))
        if self.bonus_word:
            x, y = corners[self.bonus_corner[0]]
            self._word(self.bonus[number - 1], x, y + rng.normal(0, 0.015), self.bonus_size, self.bonus_ink[season])
        if self.bonus_numeral < 2 or not self.bonus_word:
            x, y = corners[self.bonus_corner[1]]
            rank = (number - 1) % 4
            # Where there is no word, makers write 1 to 4 on flowers and 一 to 四 on seasons.
            digits = self.bonus_numeral == 0 if self.bonus_word else not season
            font = self.sans if digits else None
            self._word("1234"[rank] if digits else "一二三四"[rank], x, y, 0.16, self.bonus_ink[1 - season], font, width=None if digits or rank else 0.2)

    def _at(self, x, y):
        return (x * WIDTH, y * HEIGHT)

    def _line(self, points, ink, width):
        self.draw.line([self._at(*point) for point in points], fill=ink, width=max(1, int(width * WIDTH)), joint="curve")

    def _petal(self, x, y, angle, length, wide, ink, hollow=False):
        """A leaf, feather or petal from x, y outwards; lengths in face widths."""
        c, s = math.cos(angle), math.sin(angle)
        ratio = WIDTH / HEIGHT
        outline = []
        for t in np.linspace(0, 2 * math.pi, 14):
            u, v = length * (0.5 - 0.5 * math.cos(t)), wide / 2 * math.sin(t)
            outline.append(self._at(x + u * c - v * s, y + (u * s + v * c) * ratio))
        self.draw.polygon(outline, fill=None if hollow else ink, outline=ink, width=3)

    def _blossom(self, x, y, size, ink, heart):
        petals, hollow, turn = int(self.rng.integers(4, 9)), self.rng.random() < 0.3, self.rng.uniform(0, 6.28)
        for k in range(petals):
            self._petal(x, y, turn + 2 * math.pi * k / petals, size, size * 2.4 / petals, ink, hollow)
        r = 0.22 * size
        (a, b), (c, d) = self._at(x - r, y - r * WIDTH / HEIGHT), self._at(x + r, y + r * WIDTH / HEIGHT)
        self.draw.ellipse((a, b, c, d), fill=heart)

    def _branch(self, x, y, angle, length, ink, width):
        """A crooked line; gives its joints."""
        joints = [(x, y)]
        for _ in range(4):
            angle += self.rng.normal(0, 0.35)
            x, y = x + length / 4 * math.cos(angle), y + length / 4 * math.sin(angle) * WIDTH / HEIGHT
            joints.append((x, y))
        self._line(joints, ink, width)
        return joints

    def _drawn_plant(self, number):
        """A plant, or what stands for a season, of a few lines: no two sets alike."""
        rng = self.rng
        wood, leaf, bloom, heart = _ink(rng), (self.green if rng.random() < 0.7 else _ink(rng)), _ink(rng), _ink(rng)
        kind = (0, 1, 2, 3, 0, 2, 4, 5)[number - 1] if self.bonus_kind == 2 or rng.random() < 0.4 else int(rng.integers(7))
        if kind == 0:  # a branch in blossom
            for _ in range(int(rng.integers(1, 4))):
                for joint in self._branch(rng.uniform(0.2, 0.8), 0.92, rng.normal(-1.57, 0.5), rng.uniform(0.6, 1.0), wood, rng.uniform(0.015, 0.05))[1:]:
                    if rng.random() < 0.75:
                        self._blossom(*joint, rng.uniform(0.06, 0.16), bloom, heart)
        elif kind == 1:  # long leaves, small flowers
            for _ in range(int(rng.integers(4, 9))):
                bend = rng.normal(0, 0.35)
                self._line([(0.5 + bend * t * t + rng.normal(0, 0.004), 0.92 - 0.6 * t * rng.uniform(0.9, 1.05)) for t in np.linspace(0, 1, 6)], leaf, rng.uniform(0.015, 0.045))
            for _ in range(int(rng.integers(1, 4))):
                self._blossom(rng.uniform(0.3, 0.7), rng.uniform(0.25, 0.55), rng.uniform(0.07, 0.15), bloom, heart)
        elif kind == 2:  # a large flower
            x, y = rng.uniform(0.38, 0.62), rng.uniform(0.32, 0.48)
            self._branch(x, y, 1.57, 0.65, leaf, 0.03)
            for _ in range(int(rng.integers(1, 5))):
                self._petal(x, rng.uniform(0.6, 0.85), rng.uniform(-3.1, 0), rng.uniform(0.15, 0.35), rng.uniform(0.06, 0.16), leaf)
            for ring in range(int(rng.integers(1, 4))):
                for k in range(petals := int(rng.integers(7, 16))):
                    self._petal(x, y, 6.28 * k / petals + ring, rng.uniform(0.17, 0.3) * (1 - 0.25 * ring), 0.09, bloom if ring % 2 == 0 else heart, rng.random() < 0.1)
        elif kind == 3:  # canes and leaves
            for _ in range(int(rng.integers(1, 5))):
                x, lean = rng.uniform(0.3, 0.7), rng.normal(0, 0.1)
                for k in range(5):
                    self._line([(x + lean * k / 5, 0.92 - 0.15 * k), (x + lean * (k + 0.9) / 5, 0.92 - 0.15 * (k + 0.9))], leaf, rng.uniform(0.03, 0.07))
                for _ in range(int(rng.integers(3, 8))):
                    self._petal(x, rng.uniform(0.2, 0.7), rng.uniform(0, 6.28), rng.uniform(0.15, 0.3), 0.06, leaf if rng.random() < 0.8 else wood)
        elif kind == 4:  # falling leaves
            for _ in range(int(rng.integers(1, 5))):
                x, y, size = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.75), rng.uniform(0.15, 0.35)
                for k in range(5):
                    self._petal(x, y, -1.57 + (k - 2) * 0.7, size, size * 0.45, bloom)
                self._line([(x, y), (x + rng.normal(0, 0.05), y + 0.2)], wood, 0.025)
        else:  # rays: a sun, a snowflake
            x, y, rays, long = rng.uniform(0.4, 0.6), rng.uniform(0.4, 0.6), int(rng.integers(6, 14)), rng.uniform(0.25, 0.42)
            for k in range(rays):
                a = 6.28 * k / rays
                ends = [(x + t * long * math.cos(a), y + t * long * math.sin(a) * WIDTH / HEIGHT) for t in (0.35 if kind == 6 else 0.0, 1)]
                self._line(ends, bloom, rng.uniform(0.02, 0.05))
            if kind == 6:
                self._blossom(x, y, 0.5 * long, heart, heart)
        if rng.random() < 0.15:
            self._line([(0.15, 0.92), (0.85, 0.92)], wood, 0.03)

    def _drawn_bird(self):
        """A bird of a few shapes, mostly with the long tail that makers like."""
        rng = self.rng
        body, wing, tail = _ink(rng), _ink(rng), _ink(rng)
        side = rng.choice((-1, 1))
        x, y = 0.5 + rng.normal(0, 0.06), rng.uniform(0.4, 0.58)
        size, lean = rng.uniform(0.3, 0.5), rng.uniform(-0.9, 0.3)
        towards = lambda angle: angle if side > 0 else math.pi - angle
        feathers, spread = int(rng.integers(1, 12)), rng.uniform(0.1, 0.9)
        for k in range(feathers):
            a = towards(math.pi + lean + rng.choice((-0.9, 0.4)) * 0.4 + spread * (k / max(1, feathers - 1) - 0.5) * 2)
            long = rng.uniform(0.35, 0.65)
            self._petal(x, y, a, long, rng.uniform(0.05, 0.12), tail, rng.random() < 0.25)
            if feathers > 5:
                self._blossom(x + 0.9 * long * math.cos(a), y + 0.9 * long * math.sin(a) * WIDTH / HEIGHT, 0.06, wing, body)
        c, s = math.cos(towards(lean)), math.sin(towards(lean)) * WIDTH / HEIGHT
        self._petal(x - size / 2 * c, y - size / 2 * s, towards(lean), size, size * rng.uniform(0.4, 0.7), body, rng.random() < 0.15)
        self._petal(x - 0.1 * c, y - 0.1 * s, towards(lean + rng.uniform(1.8, 3.4)), 0.8 * size, 0.3 * size, wing)
        neck = (x + 0.5 * size * c, y + 0.5 * size * s)
        head = (neck[0] + rng.uniform(0.02, 0.12) * side, neck[1] - rng.uniform(0.05, 0.18))
        self._line([(x + 0.3 * size * c, y + 0.3 * size * s), neck, head], body, rng.uniform(0.05, 0.12))
        self._blossom(*head, rng.uniform(0.06, 0.1), body, tail)
        self._petal(*head, towards(rng.uniform(-0.3, 0.5)), rng.uniform(0.12, 0.2), 0.05, wing)
        for k in (-0.05, 0.05):
            if rng.random() < 0.7:
                self._line([(x + k, y + 0.1), (x + k * 1.6, y + rng.uniform(0.2, 0.32))], tail, 0.02)
        if rng.random() < 0.5:
            self._branch(rng.uniform(0.05, 0.2), rng.uniform(0.75, 0.92), 0.0, 0.8, wing, 0.03)
        if rng.random() < 0.35:
            self._blossom(rng.uniform(0.2, 0.8), rng.uniform(0.75, 0.9), rng.uniform(0.08, 0.16), _ink(rng), wing)


def invented(count: int, seed: int, tag: str = "invented") -> list[Drawing]:
    """`count` styles of 42 faces each, and more flowers."""
    drawings = []
    codes = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)] + [f"{n}f" for n in range(1, 9)]
    for number in range(count):
        style = Style(np.random.default_rng([seed, number]))
        for code in codes + AGAIN * codes[-8:]:
            drawings.append(Drawing(code, f"{tag}-{number}", False, style.face(code)))
    return drawings


def marks(count: int, seed: int) -> list[Drawing]:
    """What tells flowers and seasons apart, eight of `count` styles, to be put over real plants."""
    styles = (Style(np.random.default_rng([seed, 1, number])) for number in range(count))
    return [Drawing(f"{n}f", "marks", False, style.mark(f"{n}f")) for style in styles for n in range(1, 9)]
