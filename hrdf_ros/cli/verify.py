# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert --verify``: the result read again, by this program and by the target's own."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib.util import find_spec
import os
import shutil
import subprocess
import sys
import tempfile

from hrdf_ros.cli.options import limits
from hrdf_ros.cli.show import count_of
from hrdf_ros.diagnostics import printable
from hrdf_ros.load import load
from hrdf_ros.lowering import lower, Target
from hrdf_ros.model import Model

_MUJOCO = (  # nothing is imported from the working directory
    sys.executable, '-c',
    'import sys; del sys.path[0]; import mujoco; mujoco.MjModel.from_xml_path(sys.argv[1])')
_REFERENCES = {'urdf': ('check_urdf',), 'sdf': ('gz', 'sdf', '-k'), 'mjcf': _MUJOCO}
"""Programs that read a target as its consumers do."""
_NAMES = {'urdf': 'check_urdf', 'sdf': 'gz sdf -k', 'mjcf': 'MuJoCo'}
_SECONDS = 60.0
_VERIFIED = 1e-9
"""Meters, kilograms, kg m^2: greater differences are none of rounding."""
_ADDED_MASS = 1e-8
"""The same for MJCF, in which moving links without mass get some."""


def verify(
    model: Model, text: str, meshes: Mapping[str, bytes], target: Target,
    options: argparse.Namespace,
) -> bool:
    """Read a text again, print how far it agrees with the Model, and return whether it does."""
    from hrdf_ros.diff import agreement  # compares poses, with numpy
    again = load(
        text, path=options.path, packages=dict(options.package), limits=limits(options)).model
    if again is None:
        print('not verified: the result cannot be read', file=sys.stderr)
        return False
    renamed = {} if options.to == 'urdf' else {
        body.name: other.name
        for body, other in zip(model.bodies, lower(model, target).model.bodies)}
    found = agreement(model, again, renamed)
    holds = found.holds(_ADDED_MASS if options.to == 'mjcf' else _VERIFIED)
    numbers = ', '.join(
        f'{largest.value:.2g} {unit}' + (f" ('{largest.name}')" if largest.name else '')
        for largest, unit in ((found.pose, 'm'), (found.mass, 'kg'), (found.inertia, 'kg m^2')))
    missing = f', {len(found.missing)} are missing' if found.missing else ''
    print(printable(
        f'{"verified" if holds else "not verified"}: {count_of(found.frames, "frame")} in '
        f'{found.configurations} configurations, {count_of(found.links, "link")}{missing}; '
        f'largest differences {numbers}'), file=sys.stderr)
    return holds and _is_accepted(text, meshes, options)


def _is_accepted(text: str, meshes: Mapping[str, bytes], options: argparse.Namespace) -> bool:
    """Return whether the reference reader of a target accepts a text, if it is installed."""
    command, name = _REFERENCES[options.to], _NAMES[options.to]
    if shutil.which(command[0]) is None or options.to == 'mjcf' and find_spec('mujoco') is None:
        return True
    with tempfile.TemporaryDirectory() as directory:
        file = os.path.join(directory, f'robot.{options.to}')
        beside = os.path.dirname(os.path.abspath(options.output))
        for mesh, data in meshes.items():
            copy = os.path.join(directory, os.path.basename(mesh))
            with open(copy, 'wb') as stream:
                stream.write(data)
            text = text.replace(os.path.normpath(os.path.join(beside, mesh)), copy)
        with open(file, 'w', encoding='utf-8') as stream:
            stream.write(text)
        try:
            found = subprocess.run(
                [*command, file], capture_output=True, text=True, errors='replace',
                timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(printable(f'not checked by {name}: {error}'), file=sys.stderr)
            return True
    accepts = found.returncode == 0
    print(f'{"accepted" if accepts else "refused"} by {name}', file=sys.stderr)
    if not accepts:
        print('\n'.join(map(printable, found.stderr.splitlines())), file=sys.stderr)
    return accepts
