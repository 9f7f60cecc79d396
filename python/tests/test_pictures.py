"""Pictures: the same readings as the program's."""

import io
import multiprocessing
from pathlib import Path

import numpy as np
import pytest
import tilelens
from PIL import Image

from conftest import PICTURES, ROOT, Program, in_json, less_nothing

WON = {"rules": "mmm", "seat": "S", "round": "E", "win": "self_draw"}
PHOTOS = sorted(PICTURES.rglob("*.jpg"))
ONE = PICTURES / "tables" / "table-discards.jpg"


def read_alike(found: dict, printed: dict) -> None:
    """Doubts are worded for each front end; all else is the same."""
    for reading in [found, printed]:
        for doubt in reading.get("hand", {}).get("doubts", []):
            doubt["why"] = doubt["why"].split(":")[0].split(";")[0]
        for ruling in reading.get("score", {}).get("rulings", []):
            ruling.setdefault("ok", True)
        for item in reading.get("score", {}).get("items", []):
            item.setdefault("fishing", False)
    assert found == printed


@pytest.mark.parametrize("photo", PHOTOS[:: max(1, len(PHOTOS) // 12)], ids=lambda photo: photo.stem)
def test_a_photo_is_read_as_by_the_program(photo: Path, program: Program) -> None:
    arguments = ["--seat", "S", "--round", "E", "--self-draw", "--tileset", "none", "--no-questions", "--json"]
    [printed] = program.lines("photo", str(photo), *arguments)
    read_alike(in_json(tilelens.read(photo, **WON)), less_nothing(printed))


def test_a_picture_is_the_same_in_every_form() -> None:
    png = io.BytesIO()
    image = Image.open(ONE)
    image.save(png, "PNG")
    expected = tilelens.read(image)
    assert tilelens.read(np.asarray(image)) == expected
    assert tilelens.read(np.asarray(image)[:, :, ::-1][:, :, ::-1]) == expected
    assert tilelens.read(png.getvalue()) == expected
    assert tilelens.read(ONE).hand == tilelens.read(str(ONE)).hand
    assert [tile.code for tile in tilelens.read(ONE.read_bytes()).tiles] == [tile.code for tile in expected.tiles]


def test_a_turned_and_transparent_image_is_set_upright() -> None:
    image = Image.open(ONE)
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = io.BytesIO()
    image.rotate(90, expand=True).save(turned, "PNG", exif=exif)
    upright = tilelens.read(Image.open(turned))
    assert (upright.image.width, upright.image.height) == image.size
    image.putalpha(255)
    assert tilelens.read(image).tiles == tilelens.read(image.convert("RGB")).tiles


def test_a_correction_changes_the_hand() -> None:
    seen = tilelens.read(ONE)
    assert seen.hand is not None and seen.score is None
    number = next(tile.id for tile in seen.tiles if tile.role == "concealed")
    other = tilelens.read(ONE, fixes={number: "1z"})
    assert other.tiles[number].code == "1z"
    with pytest.raises(tilelens.BadRequest, match="tile 999"):
        tilelens.read(ONE, fixes={999: "1z"})


def test_what_is_no_picture_is_refused_with_a_cure() -> None:
    for picture, said in [
        (b"text", "give JPEG"),
        (b"", "copy it again"),
        (np.zeros((40, 40), np.uint8), "the three colours"),
        (np.zeros((40, 40, 4), np.uint8), "the three colours"),
        (np.zeros((8, 8, 3), np.uint8), "too few"),
        (np.zeros((40, 40, 3), np.float32), "uint8"),
        (7, "uint8"),
    ]:
        with pytest.raises(tilelens.BadPicture, match=said):
            tilelens.read(picture)
    with pytest.raises(tilelens.BadPicture, match="README.md: .*give JPEG"):
        tilelens.read(ROOT / "python" / "README.md")
    with pytest.raises(tilelens.BadRequest, match="expected concealed or claimed"):
        tilelens.read(ONE, kongs="open")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        tilelens.read("there is no such picture.jpg")


def tiles_seen(picture: str) -> int:
    return len(tilelens.read(picture).tiles)


def test_a_forked_process_reads_too() -> None:
    expected = tiles_seen(str(ONE))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(tiles_seen, (str(ONE),)).get(timeout=60) == expected


def test_the_example_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "python" / "examples")
    import bot

    assert bot.answer("123m456m789p23s55s +4s, W, E, S") == "20 points (chow_hand 1): E 0, S -20, W 20, N 0"
    assert bot.answer(str(ONE)).startswith("I see ")
    assert bot.answer("hello").startswith("Sorry, ")


def test_the_code_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    parts = (ROOT / "python" / "README.md").read_text().split("```python\n")[1:]
    code = "".join(part.split("```")[0] for part in parts).replace('"hand.jpg"', repr(str(ONE)))
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    said = [part for line in code.splitlines() if "  # " in line for part in line.split("  # ")[1].split(", ")]
    assert printed[: len(said)] == said
