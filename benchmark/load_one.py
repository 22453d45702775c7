# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Load a file with one library, in a process of its own; print what it took, as JSON.

    python benchmark/load_one.py time LIBRARY FILE COUNT     version, CPU time of each load (ms)
    python benchmark/load_one.py write LIBRARY FILE COUNT    the same of writing it as MJCF
    python benchmark/load_one.py memory LIBRARY FILE SMALL   bytes at the peak and of the result

Memory counts from where the library has loaded SMALL, a file of the same format.
"""

from __future__ import annotations

from collections.abc import Callable
import gc
from importlib import metadata
import json
import os
from pathlib import Path
import sys
import time
import tracemalloc
from typing import Any

_LEAST_SECONDS = 0.02
"""A shorter load is repeated until its time can be measured."""

Load = Callable[[str], Any]


def hrdf_ros() -> Load:
    """Read, resolve, check, and keep the Model."""
    from hrdf_ros import load_model
    return lambda file: load_model(file)


def lxml() -> Load:
    """Parse XML and no more: the floor."""
    from lxml import etree
    return etree.parse


def hebi() -> Load:
    """Read HRDF with HEBI's own library."""
    from hebi.robot_model import import_from_hrdf
    return import_from_hrdf


def dartpy() -> Load:
    """Read SKEL with DART."""
    import dartpy
    return dartpy.utils.SkelParser.readWorld


def yourdfpy() -> Load:
    """Read URDF, without meshes."""
    from yourdfpy import URDF
    return lambda file: URDF.load(file, load_meshes=False, build_scene_graph=False)


def mujoco() -> Load:
    """Read and compile MJCF with MuJoCo itself."""
    import mujoco
    return mujoco.MjModel.from_xml_path


def dm_control() -> Load:
    """Read MJCF as an object model."""
    from dm_control import mjcf
    return mjcf.from_path


LIBRARIES: dict[str, tuple[str, Callable[[], Load]]] = {
    'hrdf_ros': ('', hrdf_ros), 'lxml': ('lxml', lxml), 'hebi-py': ('hebi-py', hebi),
    'dartpy': ('dartpy', dartpy), 'mujoco': ('mujoco', mujoco),
    'dm_control': ('dm_control', dm_control), 'yourdfpy': ('yourdfpy', yourdfpy)}


def write_hrdf_ros(file: str) -> Load:
    """Write a Model."""
    from hrdf_ros import load_model, write_mjcf
    model = load_model(file)
    return lambda _: write_mjcf(model)


def write_mujoco(file: str) -> Load:
    """Compile a specification and save it."""
    import mujoco
    spec = mujoco.MjSpec.from_file(file)
    return lambda _: (spec.compile(), spec.to_xml())


def write_dm_control(file: str) -> Load:
    """Export an object model."""
    root = dm_control()(file)
    return lambda _: root.to_xml_string()


WRITERS: dict[str, Callable[[str], Load]] = {
    'hrdf_ros': write_hrdf_ros, 'mujoco': write_mujoco, 'dm_control': write_dm_control}


def time_loads(task: str, library: str, file: str, count: int) -> dict[str, Any]:
    """Return the version of a library and the milliseconds of so many loads."""
    package, make = LIBRARIES[library]
    load = make() if task == 'time' else WRITERS[library](file)
    load(file)
    start = time.process_time()
    load(file)
    number = max(1, int(_LEAST_SECONDS / max(time.process_time() - start, 1e-6)))
    times = []
    for _ in range(count):
        start = time.process_time()
        for _ in range(number):
            load(file)
        times.append((time.process_time() - start) / number * 1e3)
    return {'version': metadata.version(package) if package else '', 'cpu_ms': times}


def measure_memory(library: str, file: str, small: str) -> dict[str, int]:
    """Return the bytes that a load took at its peak, and those that its result keeps."""
    load = LIBRARIES[library][1]()
    load(small)
    gc.collect()
    before = _status('VmRSS')
    kept = load(file)
    peak = _status('VmHWM') - before
    del kept
    tracemalloc.start()
    kept = load(file)
    gc.collect()
    result, _ = tracemalloc.get_traced_memory()
    del kept
    return {'file': os.path.getsize(file), 'peak': peak, 'result': result}


def _status(field: str) -> int:
    """Return a field of the process's status in bytes."""
    for line in Path('/proc/self/status').read_text().splitlines():
        if line.startswith(f'{field}:'):
            return int(line.split()[1]) * 1024
    raise LookupError(field)


if __name__ == '__main__':
    task, name, path, last = sys.argv[1:]
    print(json.dumps(
        measure_memory(name, path, last) if task == 'memory'
        else time_loads(task, name, path, int(last))))
