"""Labels of a small folder like the shared one."""

import json

import cv2
import numpy as np
import pytest

from tilelens_training import labels
from tilelens_training.data import leave_out, scene_labels
from tilelens_training.data.photographs import photographs


def tile(code: str, x: float, **more) -> dict:
    return {"code": code, "bbox": [x, 10, 20, 30], **more}


@pytest.fixture
def data(tmp_path):
    """Two photos in the split `val`, one in `train`."""
    folder = tmp_path / "data"
    for name in ("labels", "photos/hk-hands", "crops", "art"):
        (folder / name).mkdir(parents=True)
    corners = [[10, 10], [30, 10], [30, 40], [10, 40]]
    images = [
        {"file": f"{n}.jpg", "width": 100, "height": 60, "group": f"table-{n}", "complete": n > 0, "tiles": tiles}
        for n, tiles in enumerate([[tile("1m", 10, corners=corners, turn=0), tile("5p", 40, red=True)], [tile("7z", 10, ignore=True)], []])
    ]
    (folder / "labels/hk-hands.json").write_text(json.dumps({"images": images}))
    splits = {"train": {"photos": {"hk-hands": ["2.jpg"]}, "crops": ["a.png"]}, "val": {"photos": {"hk-hands": ["0.jpg", "1.jpg"]}}}
    (folder / "splits.json").write_text(json.dumps(splits))
    (folder / "crops/labels.json").write_text(json.dumps([{"file": "a.png", "group": "set-1"}]))
    for n in range(3):
        cv2.imwrite(str(folder / f"photos/hk-hands/{n}.jpg"), np.full((60, 100, 3), 50 * n, np.uint8))
    return folder


def test_photos_of_a_split(data):
    first, second = labels.photos(data, "val")
    assert (first.file, first.group, first.complete, second.complete) == ("0.jpg", "table-0", False, True)
    assert first.tiles[0].turn == 0 and first.tiles[0].corners.shape == (4, 2)
    assert first.tiles[1].corners is None and first.tiles[1].red and first.tiles[1].box.tolist() == [40, 10, 60, 40]
    assert second.tiles[0].ignore
    assert first.read().shape == (60, 100, 3)


def test_a_picture_that_is_not_there_is_named(data):
    with pytest.raises(FileNotFoundError, match="missing.jpg"):
        labels.read_picture(data / "missing.jpg")


def test_tiles_that_lie_alone():
    boxes = np.float32([[0, 0, 20, 30], [25, 0, 45, 30], [200, 0, 220, 30]])
    assert labels.alone(boxes).tolist() == [False, False, True]


def test_what_is_left_out_is_not_taught(data, tmp_path, monkeypatch):
    out = tmp_path / "view"
    given = ["leave_out", "--data", str(data), "--out", str(out), "--pattern", "hk-hands/table-2", "--pattern", "crops/.*"]
    monkeypatch.setattr("sys.argv", given)
    leave_out.main()
    assert labels.photos(out, "train") == []
    assert [photo.file for photo in labels.photos(out, "left-out", self_labels=False)] == ["2.jpg"]
    assert json.loads((out / "splits.json").read_text())["left-out"]["crops"] == ["a.png"]
    assert len(labels.photos(out, "val")) == 2


def test_scenes_become_photos(tmp_path, monkeypatch):
    scenes, out = tmp_path / "scenes", tmp_path / "set"
    scenes.mkdir()
    cv2.imwrite(str(scenes / "00000.jpg"), np.zeros((60, 80, 3), np.uint8))
    corners = [[10, 10], [30, 12], [28, 40], [8, 38]]
    tiles = [{"code": code, "corners": corners, "visible": seen} for code, seen in (("3s", 1.0), ("3s", 0.5), ("x", 1.0))]
    (scenes / "00000.json").write_text(json.dumps({"tiles": tiles}))
    monkeypatch.setattr("sys.argv", ["scene_labels", str(scenes), "--out", str(out)])
    scene_labels.main()
    (image,) = json.loads((out / "labels/scenes.json").read_text())["images"]
    assert (image["width"], image["height"], image["complete"]) == (80, 60, True)
    assert [tile["ignore"] for tile in image["tiles"]] == [False, True, True]
    assert image["tiles"][0]["bbox"] == [8, 10, 22, 30]
    assert (out / "photos/scenes/00000.jpg").exists()


def test_no_folder_no_photographs():
    assert photographs(None) == []
