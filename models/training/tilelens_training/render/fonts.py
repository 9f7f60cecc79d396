"""Typefaces that have the characters of the tiles, brush and pen ones above all, for the designs that no maker made.

    python -m tilelens_training.render.fonts     # into target/training/fonts; from Debian's packages: needs apt, some 350 MB to download

All are of Debian's main archive; none is kept in the repository.
"""

from functools import lru_cache

from PIL import ImageFont
from tqdm import tqdm

from tilelens_training import debian
from tilelens_training.paths import MADE

FOLDER = MADE / "fonts"
CHARACTERS = (
    "fonts-aoyagi-kouzan-t", "fonts-aoyagi-soseki", "fonts-arphic-bkai00mp", "fonts-arphic-bsmi00lp", "fonts-arphic-ukai",
    "fonts-arphic-uming", "fonts-baekmuk", "fonts-cns11643-kai", "fonts-cns11643-sung", "fonts-cwtex-fs",
    "fonts-cwtex-heib", "fonts-cwtex-kai", "fonts-cwtex-ming", "fonts-cwtex-yen", "fonts-dejima-mincho",
    "fonts-ipaexfont-gothic", "fonts-ipaexfont-mincho", "fonts-kiloji", "fonts-klee", "fonts-konatu",
    "fonts-kouzan-mouhitsu", "fonts-lxgw-wenkai", "fonts-motoya-l-cedar", "fonts-motoya-l-maruberi", "fonts-noto-cjk",
    "fonts-oradano-mincho-gsrr", "fonts-reggae", "fonts-seto", "fonts-unfonts-core", "fonts-unfonts-extra",
    "fonts-vlgothic", "fonts-wqy-zenhei", "fonts-yozvox-yozfont-standard-kana", "fonts-yusei-magic",
)  # fmt: skip
PICTURES, LETTERS = "fonts-symbola", "fonts-dejavu-core"
ALL = "一二三四五六七八九萬東南西北中發春夏秋冬梅蘭菊竹"


def fetch():
    """Unpacks the packages that are not there yet."""
    for package in tqdm((*CHARACTERS, PICTURES, LETTERS), unit="package"):
        debian.unpacked(package, FOLDER)


def named(name):
    """A file of the packages by its name."""
    found = next(FOLDER.rglob(name), None)
    if not found:
        raise SystemExit(f"{name} is not in {FOLDER}: run tilelens_training.render.fonts first")
    return str(found)


def has(font, letters):
    """Whether a font draws all of these: none as nothing, none as the box for what is missing."""
    try:
        missing = font.getmask("\U000f0000").getbbox(), bytes(font.getmask("\U000f0000"))
        for letter in letters:
            mask = font.getmask(letter)
            if not mask.getbbox() or (mask.getbbox(), bytes(mask)) == missing:
                return False
    except (OSError, ValueError):
        return False
    return True


@lru_cache
def families():
    """For each package the paths and indices of its fonts with all characters: a style takes a package, then a font."""
    found = []
    for package in CHARACTERS:
        fonts = []
        for path in sorted((FOLDER / package).rglob("*")):
            if path.suffix.lower() not in (".ttf", ".otf", ".ttc"):
                continue
            try:
                font = ImageFont.truetype(str(path), 40)
            except OSError:
                continue
            # The other fonts of a collection differ in what is no face of a tile.
            if has(font, ALL):
                fonts.append((str(path), 0))
        if fonts:
            found.append(fonts)
    if not found:
        raise SystemExit(f"no font in {FOLDER} has the characters: run tilelens_training.render.fonts first")
    return found


if __name__ == "__main__":
    fetch()
    print(f"{sum(map(len, families()))} fonts of {len(families())} packages")
