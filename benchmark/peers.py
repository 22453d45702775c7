# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Set up what hrdf_ros is measured against, below `.venv/peers`.

Libraries from PyPI have a virtual environment each, since they disagree about numpy. libsdformat
is measured where its headers are installed (Debian: libsdformat-dev). What cannot be set up is
left out, and its rows say so.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tools'))

from environment import (  # noqa: E402
    bare_environment,
    base_python,
    NETWORK_REMEDY,
    perform,
    run,
    SetupError,
    Step,
    VENV,
    version_of,
)

PEERS = VENV / 'peers'
PACKAGES = {
    'lxml': ('lxml==6.1.3', 'numpy==2.2.6'),
    'hebi-py': ('hebi-py==2.16.1', 'numpy==1.26.4'),
    'dartpy': ('dartpy==6.20.0', 'numpy==2.2.6'),
    'viser': ('viser==1.1.1', 'yourdfpy==0.0.60', 'scipy==1.15.3', 'pyglet==1.5.31',
              'numpy==2.2.6'),
    'urdf': ('pin==4.1.0', 'yourdfpy==0.0.60', 'numpy==2.2.6'),
    'mujoco': ('dm_control==1.0.50', 'mujoco==4.0.0'),
}
"""What is installed into each environment; `urdf` is also where our kinematics are measured."""
LIBRARY_HOMES = {'hrdf_ros': 'lxml', 'yourdfpy': 'urdf', 'dm_control': 'mujoco'}
_SOURCE = ROOT / 'benchmark' / 'sdf_load.cpp'


def set_up() -> None:
    """Make what is not there yet; say what cannot be made."""
    steps = [_venv_step(name) for name in PACKAGES]
    if shutil.which('pkg-config') and _libsdformat_flags():
        steps.append(_sdf_load_step())
    for step in steps:
        try:
            perform(step)
        except SetupError as error:
            print(f'{error}\nhrdf_ros: measuring without it', file=sys.stderr)


def python_of(library: str) -> Optional[Path]:
    """Return the Python that has a library, None where it could not be installed."""
    home = PEERS / LIBRARY_HOMES.get(library, library)
    return home / 'bin' / 'python' if (home / '.stamp').is_file() else None


def sdf_load() -> Optional[Path]:
    """Return the program that loads with libsdformat, None where there is none."""
    home = PEERS / 'libsdformat'
    return home / 'sdf_load' if (home / '.stamp').is_file() else None


def _venv_step(name: str) -> Step:
    target = PEERS / name

    def build(log: Path) -> None:
        env = bare_environment()
        run([base_python(), '-m', 'venv', target], log, env)
        run([target / 'bin' / 'python', '-m', 'pip', 'install', '--disable-pip-version-check',
             '--only-binary', ':all:', *PACKAGES[name]], log, env)

    return Step(f'benchmark peer {name} from PyPI', target,
                lambda: f'{version_of(target)}{PACKAGES[name]}', build, NETWORK_REMEDY)


def _libsdformat_flags() -> list[str]:
    """Return what the compiler needs to build with libsdformat 12, nothing where it is absent."""
    found = subprocess.run(['pkg-config', '--cflags', '--libs', 'sdformat12'],
                           capture_output=True, text=True)
    return found.stdout.split() if found.returncode == 0 else []


def _sdf_load_step() -> Step:
    target, flags = PEERS / 'libsdformat', _libsdformat_flags()
    command = ['c++', '-O2', '-std=c++17', _SOURCE, '-o', target / 'sdf_load', *flags]
    return Step('benchmark peer libsdformat (the installed one)', target,
                lambda: f'{flags}{_SOURCE.read_text()}',
                partial(run, command, env=bare_environment()),
                'see the messages of the compiler above')


if __name__ == '__main__':
    set_up()
