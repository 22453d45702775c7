# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Running the jobs of a node: reading, checking, converting. No ROS, no numpy.

This file imports every reader and writer; a node with a worker process does not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
import os
import pickle
import zlib

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import is_text
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.changes import RootLinkError, with_root_link
from hrdf_ros.lowering.target import LINKED_FRAMES, Target, TF
from hrdf_ros.model import Model
from hrdf_ros.node import jobs
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.texts import short
from hrdf_ros.parsing.suggestions import suggestion
from hrdf_ros.pose import compose, inverse
from hrdf_ros.readers.registry import format_names
from hrdf_ros.resolve import Resolver
from hrdf_ros.topology import frame_parents, span, Topology
from hrdf_ros.writers.dot import write_dot
from hrdf_ros.writers.mjcf import write_mjcf
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf

_WRITERS: dict[str, Callable[[Model], tuple[str, Report]]] = {
    'urdf': write_urdf, 'sdf': write_sdf, 'mjcf': write_mjcf, 'dot': write_dot}
"""By the target of a request."""


def perform(job: jobs.Job) -> jobs.Answer:
    """Run a job."""
    if isinstance(job, jobs.LoadJob):
        return load_description(job.settings)
    return load_text(job.text) if isinstance(job, jobs.ModelJob) else handle_file(job)


# ---- loading

def load_description(settings: Settings) -> jobs.LoadAnswer:
    """Return the robot that the settings describe, or the reasons why there is none."""
    text, file = settings.robot_description, jobs.model_file(settings)
    if text and not is_text(text):
        return _no_description(jobs.refusal('the robot_description does not begin with <'))
    if not text and file.startswith(jobs.PACKAGE):
        return _no_description(_without_package(file))
    loaded = load(
        text or file, path=settings.path,
        packages=settings.package_directories, model_name=settings.model_name or None,
        naming=settings.naming, joint_names=settings.joint_names,
        roots=allowed_roots(settings) if text else None, limits=settings.limits)
    report, model = loaded.report, loaded.model
    extra = Resolver(limits=settings.limits).read(
        settings.urdf_extra, report) if settings.urdf_extra else None
    files = (*loaded.files, *filter(None, (settings.urdf_extra,)))
    if model is None or not report.ok:
        return _no_description(report, files)
    if settings.root_link:
        try:
            model = with_root_link(model, settings.root_link, report)
        except RootLinkError as error:
            return _no_description(jobs.refusal(f'root_link: {error}'), files)
    lowered, written, _ = lower(model, _target(settings))
    fault = _unknown_joint(lowered, settings)
    if fault:
        return _no_description(jobs.refusal(fault), files)
    urdf, more = write_urdf(lowered, extra=extra)
    written.extend(more)
    if not written.ok:
        report.extend(written)
        return _no_description(report, files)
    description = _describe(loaded._replace(model=model), lowered, urdf, settings)
    return jobs.LoadAnswer(description, report, written, files)


def _no_description(report: Report, files: tuple[str, ...] = ()) -> jobs.LoadAnswer:
    return jobs.LoadAnswer(None, report, Report(), files)


def load_text(text: str) -> LoadResult:
    """Return the Model of a text."""
    if not is_text(text):
        return _refused('the robot_description does not begin with <')
    return load(text, xacro=False)


def _without_package(model: str) -> Report:
    package = model.removeprefix(jobs.PACKAGE).partition('/')[0]
    report = Report()
    report.add(
        codes.FILE_NOT_FOUND, f"{model}: there is no package '{package}'",
        hint='source the workspace that it is in, or set the parameter packages: NAME=DIR')
    return report


def _unknown_joint(model: Model, settings: Settings) -> str:
    """Name the first of ``actuated_joints`` that the model does not have; '' if it has all."""
    names = {coordinate.name: None for coordinate in model.coordinates}
    for name in settings.actuated_joints:
        if name not in names:
            hint = suggestion(name, names)
            return f"actuated_joints: the robot has no joint '{short(name)}'{hint}"
    return ''


def _target(settings: Settings) -> Target:
    """Return TF with the frames as links that are to be published."""
    if settings.publish_frames == 'all':
        return TF._replace(frames=None)
    kinds = settings.publish_frames.split(',')
    return TF if kinds == ['bodies'] else TF._replace(frames=LINKED_FRAMES.union(kinds))


def _describe(loaded: LoadResult, model: Model, urdf: str, settings: Settings) -> jobs.Description:
    topology = span(model)
    return jobs.Description(
        name=model.name, model=_kinematic(model), urdf=urdf,
        static=tuple(_static_transforms(model, topology, settings)),
        frames=tuple(_frame_records(model, topology, settings.frame_prefix)),
        loaded=zlib.compress(pickle.dumps(loaded), 1))


def _kinematic(model: Model) -> Model:
    """Return the model for kinematics: without shapes, masses, texts, places."""
    return model._replace(
        bodies=tuple(
            body._replace(inertia=None, visuals=(), collisions=(), extensions=(), location=None)
            for body in model.bodies),
        joints=tuple(joint._replace(extensions=(), location=None) for joint in model.joints),
        coordinates=tuple(
            coordinate._replace(location=None) for coordinate in model.coordinates),
        frames=tuple(frame._replace(location=None) for frame in model.frames),
        constraints=(), scopes=(), extensions=(), configurations=(), source=None, location=None,
        description='')


def _static_transforms(
    model: Model, topology: Topology, settings: Settings,
) -> Iterable[jobs.StaticTransform]:
    """Yield the transforms of fixed joints."""
    prefix, bodies = settings.frame_prefix, model.bodies
    for body in topology.order:
        index = topology.joint[body]
        if index >= 0 and not model.joints[index].motions:
            joint = model.joints[index]
            yield jobs.StaticTransform(
                prefix + bodies[topology.parent[body]].name, prefix + bodies[body].name,
                compose(joint.parent_from_joint, inverse(joint.child_from_joint)))


def _frame_records(model: Model, topology: Topology, prefix: str) -> Iterable[jobs.FrameRecord]:
    for frame, parent in zip(model.frames, frame_parents(model, topology)):
        location = None if frame.location is None else frame.location.resolve()
        yield jobs.FrameRecord(
            name=prefix + frame.name, source_name=frame.source_name, kind=frame.kind,
            tag=frame.tag, body=prefix + model.bodies[frame.body].name,
            parent=prefix + parent if parent else '',
            file='' if location is None else location.file,
            line=0 if location is None else location.line or 0)


# ---- files and texts

def handle_file(job: jobs.FileJob) -> jobs.FileAnswer:
    """Check the file or text of a job, and convert it if there is a target."""
    if job.target and job.target not in _WRITERS:
        return jobs.FileAnswer(False, '', jobs.refusal(
            f"the target '{job.target}' is not one of {', '.join(_WRITERS)}"))
    loaded = _read(job)
    text, report = '', loaded.report
    if job.target and loaded.model is not None:
        text, written = _WRITERS[job.target](loaded.model)
        report.extend(written)
    return jobs.FileAnswer(loaded.ok, text, report)


def _read(job: jobs.FileJob) -> LoadResult:
    """Load the file or text of a job; files are read below the allowed roots only."""
    if job.format and job.format not in format_names():
        return _refused(f"the format '{job.format}' is not one of {', '.join(format_names())}")
    if job.path and job.text:
        return _refused('give a path or a text, not both')
    if job.text and not is_text(job.text):
        return _refused('the text does not begin with <')
    if not job.path and not job.text:
        if job.loaded is None:
            return _refused('no robot is loaded')
        loaded: LoadResult = pickle.loads(zlib.decompress(job.loaded))
        return loaded
    settings = job.settings
    return load(
        job.path or job.text, path=settings.path, packages=settings.package_directories,
        roots=allowed_roots(settings), format=job.format or None, limits=settings.limits,
        xacro=False)


def _refused(sentence: str) -> LoadResult:
    return LoadResult(None, jobs.refusal(sentence), ())


def allowed_roots(settings: Settings) -> list[str]:
    """Return the directories below which files are read for clients."""
    roots = list(settings.allowed_roots)
    if settings.model:
        roots.append(os.path.dirname(os.path.abspath(jobs.model_file(settings))))
    roots += list(settings.package_directories.values())
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    roots += [os.path.join(prefix, 'share') for prefix in prefixes if prefix]
    return roots
