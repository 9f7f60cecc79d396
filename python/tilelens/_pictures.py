"""Pictures as Python programs have them."""

import os
from typing import Any, Union

from ._native import MOST_BYTES

Picture = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Any]


def numbers_of(picture: Picture) -> Any:
    """The bytes of a picture's file, or its pixels by height, width and colour."""
    if isinstance(picture, (str, os.PathLike)):
        with open(picture, "rb") as file:
            # One more is refused as too many.
            return file.read(MOST_BYTES + 1)
    if hasattr(picture, "getexif") and hasattr(picture, "convert"):
        return _pixels_of_image(picture)
    return picture


def _pixels_of_image(image: Any) -> memoryview:
    """The pixels of a PIL image, upright; transparent ones show white paper."""
    from PIL import Image, ImageOps

    image = ImageOps.exif_transpose(image)
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    image = image.convert("RGB")
    return memoryview(image.tobytes()).cast("B", (image.height, image.width, 3))
