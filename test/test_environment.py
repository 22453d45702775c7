# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of the environment that `make demo` and `make test` set up."""

from pathlib import Path
import subprocess
import sys

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_the_commands_need_no_sourced_script(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They set the environment themselves, and import nothing from the working directory."""
    monkeypatch.syspath_prepend(str(ROOT / 'tools'))
    import environment  # type: ignore[import-not-found]
    (tmp_path / 'bin').mkdir()
    (tmp_path / 'bin' / 'python').symlink_to(sys.executable)
    modules = ':'.join((str(ROOT), *filter(None, sys.path)))
    (tmp_path / 'setup.sh').write_text(
        f"export PATH='{tmp_path}/bin':$PATH\nexport PYTHONPATH='{modules}'\n")
    monkeypatch.setattr(environment, 'VENV', tmp_path)
    environment.write_commands()
    directory = tmp_path / 'here'
    directory.mkdir()
    for name in ('hrdf_ros.py', 'numpy.py'):
        (directory / name).write_text('raise SystemExit("imported from the working directory")\n')
    arm = ROOT / 'examples' / 'hrdf' / 'arm_6dof.hrdf'
    done = subprocess.run(
        [str(tmp_path / 'bin' / 'hrdf'), 'info', str(arm)],
        cwd=directory, env={'PATH': '/usr/bin:/bin'}, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert 'arm_6dof' in done.stdout
