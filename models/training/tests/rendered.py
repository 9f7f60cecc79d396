"""The rendered pictures of `datasets/`, which are in the repository, with their labels."""

import json

import numpy as np

from tilelens_training.labels import read_picture
from tilelens_training.paths import DATASETS


def rendered(*names: str) -> list[tuple[np.ndarray, list[dict]]]:
    """Pictures and the labels of their faces."""
    images = json.loads((DATASETS / "labels/tables.json").read_text())["images"]
    tiles = {image["file"]: [tile for tile in image["tiles"] if tile["code"] != "x"] for image in images}
    return [(read_picture(DATASETS / f"photos/tables/{name}.jpg"), tiles[f"{name}.jpg"]) for name in names]
