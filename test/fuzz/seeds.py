# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Download public robots as seeds of fuzzing: `python -m fuzz.seeds` fills `.fuzz/seeds`.

They come from wheels on PyPI that contain collections of robots; no seed is committed.
"""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys
import tempfile
from zipfile import ZipFile

from fuzz.corpus import MAX_SEED, PUBLIC_SEEDS, SUFFIXES

COLLECTIONS = (
    'dm_control==1.0.50', 'example-robot-data==6.0.0', 'gymnasium-robotics==1.4.2',
    'pybullet==3.2.7')


def download(collection: str) -> int:
    """Copy the small robot files of a collection, and return their number."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, '-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary',
             ':all:', '--dest', folder, collection], check=True)
        [wheel] = Path(folder).iterdir()
        with ZipFile(wheel) as archive:
            found = [entry for entry in archive.infolist()
                     if Path(entry.filename).suffix in SUFFIXES and entry.file_size <= MAX_SEED]
            target = PUBLIC_SEEDS / collection
            target.mkdir(parents=True, exist_ok=True)
            for number, entry in enumerate(found):
                name = f'{number}{Path(entry.filename).suffix}'
                (target / name).write_bytes(archive.read(entry))
    return len(found)


if __name__ == '__main__':
    for name in COLLECTIONS:
        print(f'{name}: {download(name)} files')
