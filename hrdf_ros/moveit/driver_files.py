# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The files that a driver reads beside the URDF, as parts of the package."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Collection
import os

from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import open_regular
from hrdf_ros.model import Model, RawElement
from hrdf_ros.moveit.groups import PlanningGroups
from hrdf_ros.moveit.text import escaped
from hrdf_ros.writers.bundle import collect, GENERATED, MESHES
from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions

_HEBI = 'config/hebi'
_MUJOCO = 'mujoco'
_ROBOT = 'robot.xml'


class OutsideError(ValueError):
    """A file that a package cannot carry; the text says which."""


def default_parameters(
    driver: str, model: Model, planning: PlanningGroups, package: str,
) -> dict[str, str]:
    """
    Return the parameters of a driver that name files of the package, and HEBI's gripper.

    They are texts for xacro.
    """
    if driver == 'mujoco':
        return {'mujoco_model': f'$(find {package})/{_MUJOCO}/{_ROBOT}'}
    if driver != 'hebi' or model.hardware is None:
        return {}
    parameters = {
        'config_pkg': package,
        'config_file': escaped(f'{_HEBI}/{os.path.basename(model.hardware.file)}')}
    grippers = [
        group.active[0] for group in planning.groups if len(group.active) == 1
        and any(effector.group == group.name for effector in planning.end_effectors)]
    if dict(model.hardware.settings).get('has_gripper') == 'true' and len(grippers) == 1:
        parameters['gripper_joint_name'] = escaped(grippers[0])
    return parameters


def mujoco_files(
    model: Model, block: str, directory: str, trusted: Collection[str], most: int,
    report: Report,
) -> dict[str, bytes]:
    """
    Return the robot as MJCF with copies of its meshes, by path in a package in a directory.

    Its actuators are those of the ``block`` of ros2_control; ``trusted`` and ``most`` are those
    of a bundle.
    """
    home = os.path.join(os.path.abspath(directory), _MUJOCO)
    own, files = collect(
        model, '', report, trusted=trusted, most=most, for_mjcf=True)
    own = own._replace(extensions=(
        *own.extensions, RawElement('ros2_control', block, format='urdf')))
    text, written, meshes = make_mjcf(own, MjcfOptions(
        mesh_directory=os.path.join(home, MESHES, GENERATED), relative_to=home, is_bundle=True))
    report.extend(written)
    found = {
        _ROBOT: text.encode(), **files,
        **{os.path.relpath(mesh, home): data for mesh, data in meshes.items()}}
    return {f'{_MUJOCO}/{name}': data for name, data in found.items()}


def hebi_files(model: Model) -> dict[str, bytes]:
    """
    Return HEBI's robot configuration and the files that it names, by path in the package.

    A file that is not below the directory of the configuration, also by a symbolic link, or is
    no XML is an OutsideError: a stranger's configuration cannot ask for a private file.
    """
    if model.hardware is None:
        return {}
    home = os.path.dirname(os.path.abspath(model.hardware.file))
    files = {}
    for file in model.files:
        name = os.path.relpath(os.path.abspath(file), home)
        real = os.path.relpath(os.path.realpath(file), os.path.realpath(home))
        if os.pardir in (name.partition('/')[0], real.partition('/')[0]):
            raise OutsideError(f'{file} is not below {home}, so that the package cannot carry it')
        with open_regular(file) as stream:
            data = stream.read()
        if file != model.hardware.file and data.removeprefix(BOM_UTF8).lstrip()[:1] != b'<':
            raise OutsideError(f'{file} is not XML, so that the package does not carry it')
        files[f'{_HEBI}/{name}'] = data
    return files
