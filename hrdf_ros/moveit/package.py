# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A MoveIt configuration package, laid out as MoveItConfigsBuilder("NAME") expects it.

MoveIt reads ``config/NAME.urdf.xacro``, which includes ``NAME.urdf``, the robot, and
``NAME.ros2_control.xacro``, the only block of ros2_control, with the initial positions.

An update keeps what the user changed: a list in the directory has the digest of each generated
file. A file that was not changed is replaced. A file that the user changed stays; if the generated
content has changed as well, the new content is written beside the file as ``NAME.new``.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
import os
import re
from typing import Any, NamedTuple
from xml.parsers import expat

from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import open_regular
from hrdf_ros.file_writer import read_below
from hrdf_ros.model import Model, RawElement
from hrdf_ros.moveit import parameters
from hrdf_ros.moveit.collisions import LinkPairs
from hrdf_ros.moveit.groups import PlanningGroups
from hrdf_ros.moveit.package_text import escaped, escaped_document, scalar, template, yaml_text
from hrdf_ros.moveit.robot import UrdfRobot
from hrdf_ros.moveit.ros2_control import DRIVERS, Hardware, make_block, write_controllers
from hrdf_ros.moveit.srdf import planning_frame, VirtualJoint, write_srdf
from hrdf_ros.writers.bundle import collect, GENERATED, MESHES
from hrdf_ros.writers.file_list import DamagedListError, digest, read_list, write_listed
from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions
from hrdf_ros.writers.xml import element, number, serialize
import yaml

LIST = '.hrdf_moveit.json'
"""The file with the digests of the generated files."""
_ARGUMENTS = 'config/xacro_arguments.yaml'
_HEBI = 'config/hebi'
_MUJOCO = 'mujoco'
_ROBOT = 'robot.xml'
_SAFE_NAME = re.compile(r'[\w./ -]+')
"""A pattern for names that may stand in an expression of xacro."""
_REQUIRED = (
    'controller_manager', 'joint_state_broadcaster', 'joint_trajectory_controller',
    'moveit_configs_utils', 'moveit_kinematics', 'moveit_planners', 'moveit_ros_move_group',
    'moveit_ros_visualization', 'moveit_simple_controller_manager', 'robot_state_publisher',
    'rviz2', 'rviz_common', 'rviz_default_plugins', 'tf2_ros', 'xacro')
"""The packages that the launch files use."""


class PackageError(Exception):
    """A package cannot be made, or a directory cannot be updated; the text says why."""


class Package(NamedTuple):
    """
    Facts about a package.

    MoveIt finds the package's files by ``robot``. ``dependencies`` are the packages that the
    description names, and ``files`` has all other contents of the package, by path in it.
    """

    name: str
    robot: str
    author: str
    email: str
    license: str
    dependencies: frozenset[str]
    files: Mapping[str, bytes]


class Planning(NamedTuple):
    """The decisions about a robot on which all files have to agree."""

    robot: UrdfRobot
    groups: PlanningGroups
    pairs: LinkPairs
    virtual_joint: VirtualJoint
    hardware: Hardware


def make_package(package: Package, planning: Planning, urdf: str) -> dict[str, bytes]:
    """
    Return the files of a package by path in it; ``urdf`` has no block of ros2_control.

    If the URDF has elements of xacro, PackageError is raised.
    """
    name, robot, groups = package.robot, planning.robot, planning.groups
    srdf = write_srdf(
        robot, groups, planning.pairs, virtual_joint=planning.virtual_joint)
    texts = {
        f'config/{name}.urdf': escaped_document(urdf),
        f'config/{name}.urdf.xacro': _robot_xacro(package, planning, urdf),
        f'config/{name}.ros2_control.xacro': _control_xacro(package, planning),
        f'config/{name}.srdf': srdf,
        'config/kinematics.yaml': parameters.kinematics(groups),
        'config/joint_limits.yaml': parameters.joint_limits(robot),
        'config/moveit_controllers.yaml': parameters.moveit_controllers(robot, groups),
        'config/ros2_controllers.yaml': write_controllers(robot, groups, planning.hardware),
        'config/initial_positions.yaml': yaml_text({'initial_positions': robot.home}),
        'config/pilz_cartesian_limits.yaml': yaml_text(
            {'cartesian_limits': parameters.CARTESIAN_LIMITS},
            'Of the tool, for Pilz: m/s, m/s^2, rad/s.'),
        'config/moveit.rviz': template(
            'moveit.rviz.in', frame=scalar(planning_frame(robot, planning.virtual_joint))),
        **parameters.launch_files(package.name, name, planning.hardware.driver.plugin),
        '.setup_assistant': _setup_assistant(package, planning.hardware)}
    files = {**{path: text.encode() for path, text in texts.items()}, **package.files}
    directories = sorted({path.partition('/')[0] for path in files if '/' in path})
    return {
        **files, 'package.xml': _manifest(package, planning).encode(),
        'CMakeLists.txt': template(
            'CMakeLists.txt.in', package=package.name, directories=' '.join(directories)).encode()}


def gazebo_plugins(urdf: str) -> tuple[str, ...]:
    """Return the libraries that Gazebo loads for a URDF."""
    return tuple(dict.fromkeys(
        attributes['filename'] for tag, attributes in _elements(urdf)
        if tag == 'plugin' and 'filename' in attributes))


# ---- xacro

def _robot_xacro(package: Package, planning: Planning, urdf: str) -> str:
    """Return the file that MoveIt reads; it has the xacro argument of the Setup Assistant."""
    attributes = {'name': escaped(planning.robot.model.name)}
    version = _elements(urdf)[0][1].get('version', '')  # xacro keeps the attributes of this root
    if re.fullmatch(r'\d+\.\d+', version):
        attributes['version'] = version
    return _xacro(attributes, (
        element('xacro:arg', {
            'name': 'initial_positions_file', 'default': 'initial_positions.yaml'}),
        element('xacro:include', {'filename': f'{package.robot}.urdf'}),
        element('xacro:include', {'filename': f'{package.robot}.ros2_control.xacro'})))


def _elements(urdf: str) -> list[tuple[str, Mapping[str, str]]]:
    """Return the tags and attributes of a URDF; elements of xacro raise PackageError."""
    found: list[tuple[str, Mapping[str, str]]] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag.startswith('xacro:'):
            raise PackageError(
                f'the package would expand <{tag}>, which runs code in it; if you trust the file, '
                'use --xacro, else remove the element')
        found.append((tag, attributes))

    parser = expat.ParserCreate('utf-8')  # whatever encoding the text declares
    parser.StartElementHandler = start
    parser.Parse(urdf.encode(), True)
    return found


def _control_xacro(package: Package, planning: Planning) -> str:
    """Return the block of ros2_control, which takes initial positions from a file."""
    home = planning.robot.home
    block = make_block(
        planning.robot, planning.hardware,
        lambda joint: f"${{initial_positions['{joint}']}}" if _SAFE_NAME.fullmatch(joint)
        else number(home[joint]))
    for part in block.iter():
        for key, value in part.attrib.items():
            part.set(key, escaped(value))
    return _xacro({}, (
        element('xacro:property', {
            'name': 'initial_positions_file', 'value': '$(arg initial_positions_file)'}),
        element('xacro:property', {
            'name': 'initial_positions',
            'value': "${xacro.load_yaml(initial_positions_file)['initial_positions']}"}),
        block, *_gazebo(package, planning.hardware)))


def _gazebo(package: Package, hardware: Hardware) -> Iterable[Any]:
    """Return the plugin that runs the controllers in Gazebo."""
    if hardware.driver.plugin != DRIVERS['gz'].plugin:
        return ()
    file = f'$(find {package.name})/config/ros2_controllers.yaml'
    return [element('gazebo', children=[element('plugin', {
        'filename': 'gz_ros2_control-system',
        'name': 'gz_ros2_control::GazeboSimROS2ControlPlugin'}, [
            element('parameters', text=file)])])]


def _xacro(attributes: Mapping[str, str], children: Iterable[Any]) -> str:
    return serialize(element('robot', attributes, children, prefixes=['xacro']))


# ---- the package

def _setup_assistant(package: Package, hardware: Hardware) -> str:
    """Return the file by which MoveItConfigsBuilder and the Setup Assistant find the others."""
    return yaml_text({'moveit_setup_assistant_config': {
        'urdf': {'package': package.name, 'relative_path': f'config/{package.robot}.urdf'},
        'srdf': {'relative_path': f'config/{package.robot}.srdf'},
        'package_settings': {
            'author_name': package.author, 'author_email': package.email,
            'generated_timestamp': 0},
        'control_xacro': {
            'command': hardware.interfaces, 'state': hardware.state_interfaces},
        'modified_urdf': {'xacros': ['control_xacro']}}})


def _manifest(package: Package, planning: Planning) -> str:
    """Return the content of package.xml."""
    required: Collection[str] = sorted({
        *_REQUIRED, *package.dependencies, *planning.hardware.driver.packages} - {package.name})
    return serialize(element('package', {'format': '3'}, (
        element('name', text=package.name), element('version', text='0.1.0'),
        element('description', text=f'MoveIt configuration of {planning.robot.model.name}'),
        element('maintainer', {'email': package.email}, text=package.author),
        element('license', text=package.license),
        element('buildtool_depend', text='ament_cmake'),
        *(element('exec_depend', text=name) for name in required),
        element('export', children=[element('build_type', text='ament_cmake')]))))


# ---- the files of a driver

def default_parameters(
    driver: str, model: Model, planning: PlanningGroups, package: str,
) -> dict[str, str]:
    """
    Return the parameters of a driver that name files of the package, and HEBI's gripper.

    The values are texts for xacro.
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
    Return the robot as MJCF with copies of its meshes, by path in the package.

    Its actuators are those in the ``block`` of ros2_control. ``trusted`` and ``most`` are as in
    ``bundle.collect``.
    """
    home = os.path.join(os.path.abspath(directory), _MUJOCO)
    own, files = collect(
        model, '', report, trusted=trusted, most=most, for_mjcf=True)
    own = own._replace(extensions=(
        *own.extensions, RawElement('ros2_control', block, held_by=('urdf',))))
    written = make_mjcf(own, MjcfOptions(
        mesh_directory=os.path.join(home, MESHES, GENERATED), relative_to=home, is_bundle=True))
    report.extend(written.report)
    found = {
        _ROBOT: written.text.encode(), **files,
        **{os.path.relpath(mesh, home): data for mesh, data in written.meshes.items()}}
    return {f'{_MUJOCO}/{name}': data for name, data in found.items()}


def hebi_files(model: Model) -> dict[str, bytes]:
    """
    Return HEBI's robot configuration and the files that it names, by path in the package.

    A file outside of the configuration's directory, also through a symbolic link, or one that is
    not XML raises PackageError: a stranger's configuration must not copy a private file.
    """
    if model.hardware is None:
        return {}
    home = os.path.dirname(os.path.abspath(model.hardware.file))
    files = {}
    for file in model.files:
        name = os.path.relpath(os.path.abspath(file), home)
        real = os.path.relpath(os.path.realpath(file), os.path.realpath(home))
        if os.pardir in (name.partition('/')[0], real.partition('/')[0]):
            raise PackageError(f'{file} is not below {home}, so that the package cannot carry it')
        with open_regular(file) as stream:
            data = stream.read()
        if file != model.hardware.file and data.removeprefix(BOM_UTF8).lstrip()[:1] != b'<':
            raise PackageError(f'{file} is not XML, so that the package does not carry it')
        files[f'{_HEBI}/{name}'] = data
    return files


# ---- the arguments of xacro

def arguments_file(arguments: Mapping[str, str]) -> dict[str, bytes]:
    """Return the file that records arguments of xacro by its path, or {} without arguments."""
    if not arguments:
        return {}
    return {_ARGUMENTS: yaml_text(
        dict(arguments), 'The arguments that xacro had. `hrdf moveit --update` uses them again.',
    ).encode()}


def read_arguments(directory: str) -> dict[str, str]:
    """
    Return the arguments of xacro that a package records.

    A damaged file raises PackageError.
    """
    data = read_below(directory, _ARGUMENTS) if os.path.isdir(directory) else None
    try:
        found = yaml.safe_load(data or b'{}')
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict) or not all(
            isinstance(text, str) for item in found.items() for text in item):
        raise PackageError(
            f'{os.path.join(directory, _ARGUMENTS)} is damaged: it has no names and texts only')
    return found


# ---- the directory

class Changes(NamedTuple):
    """The names of the files that were written, and of those written as ``NAME.new``."""

    written: tuple[str, ...]
    beside: tuple[str, ...]


def write_package(directory: str, files: Mapping[str, bytes], *, update: bool) -> Changes:
    """
    Write the files of a package, by path, into a directory that does not exist yet.

    With ``update``, an earlier run may have written the directory. If nothing can be written,
    PackageError says why.
    """
    before: dict[str, str] = {}
    if os.path.lexists(directory):
        if not update:
            raise PackageError(f'{directory} exists; --update updates a package of this command')
        before = _list_of(directory)
    target = {name: _target(directory, name, data, before) for name, data in files.items()}
    written = {other: files[name] for name, other in target.items() if other}
    listed = {
        **{name: old for name, old in before.items() if name.removesuffix('.new') in files},
        **{name: digest(data) for name, data in {**files, **written}.items()}}
    write_listed(directory, LIST, written, listed)
    return Changes(
        tuple(name for name in written if name in files),
        tuple(name for name in written if name not in files))


def _target(directory: str, name: str, data: bytes, before: Mapping[str, str]) -> str:
    """Return the name under which a file is written, or '' if nothing has to be written."""
    found, generated = read_below(directory, name) if before else None, digest(data)
    if found == data:
        return ''
    if found is None or digest(found) == before.get(name):
        return name
    return '' if before.get(name) == generated else f'{name}.new'


def _list_of(directory: str) -> dict[str, str]:
    """Return the digests of the files that were generated, by name."""
    found = None
    with suppress(DamagedListError):
        found = read_list(directory, LIST)
    if found is None:
        raise PackageError(
            f'{directory} is not a package that hrdf moveit wrote: {LIST} is missing or '
            'damaged')
    return found
