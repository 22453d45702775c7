# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is fuzzed: for each target where inputs come from, and what is done with one."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import lru_cache, partial
import math
import os
from pathlib import Path
from random import Random
import shutil
import tempfile
from typing import NamedTuple
from zlib import crc32

from fuzz import generate
from fuzz.oracles import (
    check_command,
    check_grammar,
    check_kinematics,
    check_loaded,
    check_roots,
    check_scene,
    check_written,
    COMMANDS,
    require,
)
from fuzz.robots import differences, every_path, random_robot, sdf_text, urdf_text
from fuzz.schema_texts import from_schema
from helpers.cdr import deserialized
from hrdf_ros.document import SourceFile
from hrdf_ros.load import load
from hrdf_ros.node.cdr import JointStateReader, Malformed
from hrdf_ros.parsing import formula, sdf, skel, urdf
from hrdf_ros.parsing.strtod import leading_number
from hrdf_ros.readers.skel.solids import mesh_extents


class Target(NamedTuple):
    """
    One thing that is fuzzed.

    ``about`` is a sentence for the report; ``run`` raises for what must not be. ``share`` is its
    part of the time, ``executions`` how many are done in the short form.
    """

    about: str
    generate: generate.Generate
    run: Callable[[bytes], None]
    share: float
    executions: int
    variations: int = 0
    """So many times one byte of each input is changed, where that is worth its time."""


def run_formula(data: bytes) -> None:
    """Formulas are finite; rotations and translations are values or syntax errors."""
    text = data.decode('utf-8', 'replace')
    for read in (formula.rotation, formula.translation, formula.number):
        check_grammar(read, text)
    check_grammar(lambda text: require(math.isfinite(formula.formula(text)), 'not finite'), text)


_VALUES: tuple[Callable[[str], object], ...] = (
    sdf.boolean, sdf.double, sdf.integer, sdf.color, sdf.pose, partial(sdf.pose, degrees=True),
    partial(sdf.pose, quaternion=True), lambda text: sdf.vector(text, 3, []), skel.number,
    skel.limit, skel.transformation, lambda text: skel.vector(text, 3), skel.boolean,
    urdf.number, urdf.color, urdf.version, lambda text: urdf.vector(text, 3), leading_number)


def run_values(data: bytes) -> None:
    """Every grammar of SDFormat's, SKEL's and URDF's values."""
    text = data.decode('utf-8', 'replace')
    for read in _VALUES:
        check_grammar(read, text)


def run_joint_state(data: bytes) -> None:
    """Require of known layouts what a deserializer reads, or Malformed."""
    known = _reader().find(data)
    try:
        found = _reader().learn(data)
    except Malformed:
        require(known is None, 'a layout fits bytes that are not a JointState')
        return
    require(len(found.values) == len(found.names), 'lengths')
    for same in filter(None, (known, _reader().find(data))):
        require(same[:2] == found[:2], 'names or stamp')
        require(same.values.tobytes() == found.values.tobytes(), 'positions')


@lru_cache(1)
def _reader() -> JointStateReader:
    """Return one reader for all messages, because it remembers names."""
    return JointStateReader(deserialized)


def run_mesh(data: bytes) -> None:
    """Extents are three numbers, or none."""
    suffix, _, rest = data.partition(b'\n')
    extents = mesh_extents(SourceFile(f'mesh.{suffix.decode("utf-8", "replace")}', rest))
    require(extents is None or len(extents) == 3, 'extents')


def reads(suffix: str) -> Callable[[bytes], None]:
    """Return what reads a file: it makes a model, or says why not."""
    def run(data: bytes) -> None:
        file = _directory() / f'input{suffix}'
        file.write_bytes(data)
        check_loaded(load(file))
    return run


def run_everything(data: bytes) -> None:
    """Whatever can be loaded has poses, and can be written and read again."""
    file = _directory() / 'input.xml'
    file.write_bytes(data)
    loaded = load(file)
    check_loaded(loaded)
    if loaded.model is not None:
        check_kinematics(loaded.model)
        check_written(loaded.model)
        check_scene(loaded.model)
    command = COMMANDS[crc32(data) % len(COMMANDS)]
    check_command([*command.split(), str(file)])


def run_conversions(data: bytes) -> None:
    """Require that a random robot keeps its poses and inertias through three conversions."""
    rng = Random(data)
    is_sdf = rng.random() < 0.5
    robot = random_robot(rng, joints_in_children=is_sdf)
    text = sdf_text(robot, rng) if is_sdf else urdf_text(robot)
    found = differences(text, robot, rng.choice(every_path()), rng)
    require(not found, f'a conversion differs: {found}')


def run_includes(data: bytes) -> None:
    """Files that include each other are read, but none outside their directory."""
    first, *texts = data.split(generate.SEPARATOR)
    root = _directory() / 'root'
    for name, text in zip(generate.FILES, texts):
        (root / name).write_bytes(text)
    named = first.decode('utf-8', 'replace')
    name = named if named in generate.FILES else generate.FILES[0]
    start = root / name if name != 'm/model.config' else root / 'm'
    loaded = load(start, path=[str(root)], roots=[str(root)], packages={'m': str(root / 'm')})
    check_loaded(loaded)
    check_roots(loaded.files, root)


@lru_cache(1)
def _directory() -> Path:
    """Return a directory for the files of inputs, with what must not be followed or opened."""
    parent = '/dev/shm' if os.path.isdir('/dev/shm') else None
    directory = Path(tempfile.mkdtemp(prefix='hrdf_ros_fuzz_', dir=parent)).resolve()
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    root = directory / 'root'
    (root / 'm').mkdir(parents=True)
    (directory / 'secret.sdf').write_text(
        '<sdf version="1.6"><model name="secret"><link name="l"/></model></sdf>')
    (root / 'outside').symlink_to(directory / 'secret.sdf')
    (root / 'link').symlink_to(root / 'm')
    (root / 'loop').symlink_to(root / 'loop')
    os.mkfifo(root / 'pipe')
    return directory


DESCRIPTIONS = {
    'hrdf': '.hrdf', 'mjcf': '.xml', 'sdf': '.sdf', 'skel': '.skel', 'urdf': '.urdf'}

TARGETS = {
    'formula': Target(
        "HRDF's formulas, rotations, translations and numbers: pieces of formulas in any order",
        generate.formula, run_formula, 0.18, 15_000, 15),
    'values': Target(
        "the grammars of SDFormat's, SKEL's and URDF's values: numbers and near-numbers",
        generate.words, run_values, 0.10, 5_000, 15),
    'joint_state': Target(
        'the layouts of serialized JointStates: both byte orders, most with bytes changed',
        generate.joint_state, run_joint_state, 0.19, 15_000, 15),
    'mesh': Target(
        'the extents of STL, Wavefront and Collada files, which SKEL needs',
        generate.mesh, run_mesh, 0.14, 5_000, 15),
    'tiny': Target(
        'a few elements of all formats below any root, the format found by content',
        generate.tiny, reads('.xml'), 0.08, 400),
    **{name: Target(
        f'mutated files: {name}', generate.documents(name), reads(suffix), 0.04, 400)
       for name, suffix in DESCRIPTIONS.items()},
    'xacro': Target(
        'mutated xacro files, through the xacro library',
        generate.documents('xacro'), reads('.xacro'), 0.01, 4),
    'includes': Target(
        'nine files of all formats and a manifest that include each other, links that lead '
        'outside, pipes and devices, under allowed roots',
        generate.included, run_includes, 0.04, 400),
    'everything': Target(
        'mutated files of all formats: read, poses, scene, written to every target, '
        'read, compared and written again, and one command',
        generate.documents(*DESCRIPTIONS), run_everything, 0.05, 80),
    'schema': Target(
        'robots with one to three elements or attributes from the schema of any format and '
        'version, values at their edges: the same',
        from_schema, run_everything, 0.25, 150),
    'conversions': Target(
        'random robots in URDF and SDFormat, through three conversions after each other: poses, '
        'masses, centers and inertias beside those computed in numpy',
        lambda rng: b'%d' % rng.getrandbits(64), run_conversions, 0.05, 60),
}
