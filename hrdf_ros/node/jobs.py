# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The jobs of a node: load, check and convert, without ROS and numpy.

This module imports every reader and writer; a node with a worker process does not import it.
"""

from __future__ import annotations

from collections.abc import Callable
import os
import pickle
import zlib

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import is_text
from hrdf_ros.formats import DEFAULT_URDF
from hrdf_ros.listing import count_of
from hrdf_ros.load import load_published, load_requested, LoadRequest
from hrdf_ros.load_result import LoadResult
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.changes import RootLinkError, with_root_link
from hrdf_ros.lowering.target import LINKED_FRAMES, Target, TF
from hrdf_ros.model import Model, text_as_read
from hrdf_ros.node.answers import FileAnswer, LoadAnswer
from hrdf_ros.node.log_text import listed, refusal, short
from hrdf_ros.node.settings import PACKAGE, Settings
from hrdf_ros.parsing.suggestions import suggestion
from hrdf_ros.readers.api import Options
from hrdf_ros.readers.registry import format_names
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.dot import write_dot
from hrdf_ros.writers.mjcf import write_mjcf
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import make_urdf, UrdfOptions, write_urdf
from hrdf_ros.writers.urdf_text import unresolved

_WRITERS: dict[str, Callable[[Model], tuple[str, Report]]] = {
    'urdf': write_urdf, 'sdf': write_sdf, 'mjcf': write_mjcf, 'dot': write_dot}
"""The function that writes each target of a request."""


# ---- loading

def load_description(settings: Settings) -> LoadAnswer:
    """Return the robot that the settings describe, or the reasons why there is none."""
    text, file = settings.robot_description, settings.file
    if text and not is_text(text):
        return LoadAnswer(refusal('the robot_description does not begin with <'), ())
    if not text and file.startswith(PACKAGE):
        return LoadAnswer(_without_package(file), ())
    if not text and settings.xacro_arguments and not file.lower().endswith('.xacro'):
        return LoadAnswer(refusal(
            f'xacro_arguments are for xacro files, and {file} is not one'), ())
    options = settings.load_options._replace(roots=allowed_roots(settings) if text else None)
    loaded = load_requested(LoadRequest(text or file, options))
    report, model = loaded.report, loaded.model
    extra = Resolver(limits=settings.limits).read(
        settings.urdf_extra, report) if settings.urdf_extra else None
    files = (*loaded.files, *filter(None, (settings.urdf_extra,)))
    if model is None or not report.ok:
        return LoadAnswer(report, files)
    if settings.root_link:
        try:
            model = with_root_link(model, settings.root_link, report)
        except RootLinkError as error:
            return LoadAnswer(refusal(f'root_link: {error}'), files)
    lowered, _, written, _ = lower(model, _target(settings))
    if fault := _unknown_joint(lowered, settings):
        return LoadAnswer(refusal(fault), files)
    made = make_urdf(lowered, UrdfOptions(
        extra=extra, version=DEFAULT_URDF if settings.rviz_compatible else None))
    written.extend(made.report)
    if not written.ok:
        report.extend(written)
        return LoadAnswer(report, files)
    return LoadAnswer(
        report, files, _kinematic(lowered), made.text,
        zlib.compress(pickle.dumps(loaded._replace(model=model)), 1), written,
        () if settings.rviz_compatible else _unseen(lowered))


def load_text(text: str) -> LoadResult:
    """Return the result of loading a text, with its shapes."""
    return load_published(text)


def _without_package(model: str) -> Report:
    package = model.removeprefix(PACKAGE).partition('/')[0]
    report = Report()
    report.add(
        codes.FILE_NOT_FOUND, f"{model}: there is no package '{package}'",
        hint='source the workspace that it is in, or set the parameter packages: NAME=DIR')
    return report


def _unknown_joint(model: Model, settings: Settings) -> str:
    """Return a sentence about the first of ``actuated_joints`` that the model lacks, or ''."""
    names = {coordinate.name: None for coordinate in model.coordinates}
    for name in settings.actuated_joints:
        if name not in names:
            hint = suggestion(name, names)
            return f"actuated_joints: the robot has no joint '{short(name)}'{hint}"
    return ''


def _unseen(model: Model) -> tuple[str, ...]:
    """Return sentences that name the parts of a written Model that RViz will not show, and why."""
    found = []
    is_as_read = text_as_read(model) is not None
    if is_as_read and model.version != DEFAULT_URDF:
        found.append(
            f'RViz refuses URDF {model.version} (ROS 2 up to Kilted); rviz_compatible:=true '
            f'publishes it as {DEFAULT_URDF}')
    uris = [uri for uri in unresolved(model, Resolver().packages)
            if is_as_read or uri.startswith(PACKAGE)]
    if uris:
        found.append(
            f'RViz will not find {count_of(len(uris), "file")} by the URI: {listed(uris)}; '
            'rviz_compatible:=true publishes file:// URIs')
    return tuple(found)


def _target(settings: Settings) -> Target:
    """Return the target TF, with the frames that are published as links."""
    if settings.publish_frames == 'all':
        return TF._replace(frames=None)
    kinds = settings.publish_frames.split(',')
    return TF if kinds == ['bodies'] else TF._replace(frames=LINKED_FRAMES.union(kinds))


def _kinematic(model: Model) -> Model:
    """Return the Model for kinematics and lookups, without shapes, masses and texts."""
    return model._replace(
        bodies=tuple(
            body._replace(inertia=None, visuals=(), collisions=(), extensions=(), location=None)
            for body in model.bodies),
        joints=tuple(joint._replace(extensions=(), location=None) for joint in model.joints),
        coordinates=tuple(
            coordinate._replace(location=None) for coordinate in model.coordinates),
        frames=tuple(
            frame._replace(location=frame.location and frame.location.resolve())
            for frame in model.frames),
        configurations=tuple(one._replace(location=None) for one in model.configurations),
        constraints=(), scopes=(), extensions=(), source=None, location=None, description='')


# ---- files and texts

def check_or_convert(
    settings: Settings, *, path: str = '', text: str = '', format: str = '',  # noqa: A002
    target: str = '', loaded: bytes = b'',
) -> FileAnswer:
    """
    Check a file or a text; with ``target``, convert it.

    Without a path and a text, the request is about ``loaded``, which is a pickled and compressed
    LoadResult. Files are only read below the allowed roots.
    """
    if target and target not in _WRITERS:
        result = _refused(f"the target '{target}' is not one of {', '.join(_WRITERS)}")
    elif format and format not in format_names():
        result = _refused(f"the format '{format}' is not one of {', '.join(format_names())}")
    elif path and text:
        result = _refused('give a path or a text, not both')
    elif text and not is_text(text):
        result = _refused('the text does not begin with <')
    elif path or text:
        result = load_requested(LoadRequest(path or text, Options(
            path=settings.path, packages=settings.package_directories,
            roots=allowed_roots(settings), format=format or None, limits=settings.limits,
            xacro=False)))
    else:
        result = pickle.loads(zlib.decompress(loaded)) if loaded else _refused(
            'no robot is loaded')
    converted = ''
    if target and result.model is not None:
        converted, written = _WRITERS[target](result.model)
        result.report.extend(written)
    return FileAnswer(result.ok, converted, result.report)


def _refused(sentence: str) -> LoadResult:
    return LoadResult(None, refusal(sentence), ())


def allowed_roots(settings: Settings) -> list[str]:
    """Return the directories below which files may be read for clients."""
    roots = [*settings.allowed_roots, *settings.package_directories.values()]
    if settings.model:
        roots.append(os.path.dirname(os.path.abspath(settings.file)))
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return roots + [os.path.join(prefix, 'share') for prefix in prefixes if prefix]
