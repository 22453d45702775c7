# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Open and decode the images of meshes and textures, through Pillow, within limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Optional

_PIXELS = 1 << 26
"""The most pixels of all images of a mesh: some kilobytes may expand to gigabytes."""
_TOO_MANY_PIXELS = f'images have more than {_PIXELS} pixels'
_IMAGES = (
    'image', 'baseColorTexture', 'emissiveTexture', 'metallicRoughnessTexture', 'normalTexture',
    'occlusionTexture')
"""The attributes of trimesh's materials that hold images."""
_BROKEN_IMAGE = 'an image cannot be read'


def image_module() -> Any:
    """Return the module PIL.Image, without Ghostscript, which would run a PostScript program."""
    images: Any = import_module('PIL.Image')
    postscript: Any = import_module('PIL.EpsImagePlugin')
    images.MAX_IMAGE_PIXELS = _PIXELS // 2  # Pillow refuses an image with more than twice as many
    postscript.gs_binary = False
    return images


@contextmanager
def noted_images() -> Iterator[list[str]]:
    """Collect why Pillow refuses images, which trimesh leaves out silently."""
    lost: list[str] = []
    images = None
    with suppress(ImportError):
        images = image_module()
    if images is None:
        yield lost
        return
    opened = images.open

    def open_or_note(*arguments: Any, **options: Any) -> Any:
        try:
            return opened(*arguments, **options)
        except images.DecompressionBombError:
            lost.append(_TOO_MANY_PIXELS)
            raise
        except Exception:
            lost.append(_BROKEN_IMAGE)
            raise

    images.open = open_or_note
    try:
        yield lost
    finally:
        images.open = opened


def decode_images(visuals: Iterable[Any], lost: list[str]) -> Optional[int]:
    """
    Decode the images of the materials of trimesh's visuals, and drop those that cannot be read.

    Return the number of their pixels, or None if they have too many: then no image is decoded.
    ``lost`` gets the reason for each image that will not be shown.
    """
    materials = {id(each): each for each in (
        getattr(visual, 'material', None) for visual in visuals)}
    images = [(material, name, image) for material in materials.values() for name in _IMAGES
              if (image := getattr(material, name, None)) is not None]
    pixels: int = sum(image.width * image.height for _, _, image in images)
    if pixels > _PIXELS:
        lost.append(_TOO_MANY_PIXELS)
        for material, name, _ in images:
            setattr(material, name, None)
        return None
    for material, name, image in images:
        try:
            image.load()
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  # Pillow opens an image by its header: it may be cut off
            setattr(material, name, None)
            pixels -= image.width * image.height
            lost.append(_BROKEN_IMAGE)
    return pixels
