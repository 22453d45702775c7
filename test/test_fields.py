# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""Each field of the Model's records has an answer for each target."""

from __future__ import annotations

from collections import namedtuple
from importlib import import_module
import math
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from helpers.records import at, put
from hrdf_ros import formats
from hrdf_ros import model as records
from hrdf_ros.check import check_model
from hrdf_ros.diagnostics import Report
from hrdf_ros.diff import diff_models
from hrdf_ros.fields import Field, FIELDS, fields_of, NO_MEANING
from hrdf_ros.inertia import Inertia
from hrdf_ros.load import load_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import TF
from hrdf_ros.model import (
    Asset,
    Body,
    Box,
    Capsule,
    Cone,
    Configuration,
    Constraint,
    Conventions,
    Coordinate,
    Cylinder,
    Ellipsoid,
    Empty,
    Frame,
    Geometry,
    Hardware,
    Heightmap,
    Holder,
    Image,
    Joint,
    JointItem,
    Material,
    Mesh,
    Mimic,
    Model,
    ModelScope,
    Motion,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    RawElement,
    Shape,
    SourceText,
    Sphere,
)
from hrdf_ros.model.consistency import InconsistentModelError
from hrdf_ros.pose import from_rpy, Pose, X_AXIS, Y_AXIS
from hrdf_ros.readers.schema import Element
from hrdf_ros.readers.sdf.schema import SCHEMA
from hrdf_ros.writers.mjcf import write_mjcf
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
import pytest

WRITE: dict[Holder, Any] = {
    'urdf': write_urdf, 'gazebo': lambda model: write_urdf(model, gazebo=True), 'sdf': write_sdf,
    'mjcf': write_mjcf}
UNSAID_IN_MJCF = {
    'Body.static': 'a root of MJCF is fixed to the world anyway; see the test of static links',
    'Joint.name': 'a fixed joint is the nesting of bodies',
    'Constraint.bodies': 'what a gearbox does is in what its coordinates mimic, as is said',
    'Constraint.values': 'what a gearbox does is in what its coordinates mimic, as is said',
    'Coordinate.velocity': 'one message says that no velocity limit is written'}
"""The fields without which MJCF is the same, and why no message is missing."""


def robot(kind: Any = Coordinate, **fields: float) -> Model:
    """Return a Model with something of each kind."""
    shape = Shape('v', Box((1.0, 1.0, 1.0)), material=Material('m', (1.0, 0.0, 0.0, 1.0)))
    bodies = (
        Body('a', 'r::a', Inertia(1.0, ixx=1.0, iyy=1.0, izz=1.0), visuals=(shape,)),
        Body('b', 'r::b', Inertia(1.0, ixx=1.0, iyy=1.0, izz=1.0)), Body('c', 'r::c'),
        Body('d', 'r::d'))
    return Model(
        'r', 'skel', '1.0', '__root__', bodies,
        (Joint('j', 'r::j', 'revolute', 0, 1, motions=(Motion('revolute', X_AXIS, (0,)),)),
         Joint('k', 'r::k', 'prismatic', 1, 2, motions=(Motion('prismatic', X_AXIS, (1,)),)),
         Joint('l', 'r::l', 'fixed', 2, 3)),
        (kind('j', 'angle', -1.0, 1.0, 1.0, 1.0, **fields),
         kind('k', 'length', -1.0, 1.0, 1.0, 1.0, mimic=Mimic(0))),
        (Constraint('g', 'gearbox', bodies=(0, 1), values=(('ratio', 2.0),)),),
        (*(Frame(body.name, body.source_name, 'link', index)
           for index, body in enumerate(bodies)), Frame('f', 'r::f', 'frame', 1)),
        (ModelScope('r', 'r', canonical_body=0),), 0,
        configurations=(Configuration('home', ((0, 0.5),)),))


def nested() -> Model:
    """Return the robot with two links in a nested model."""
    model = robot()

    def within(record: Any) -> Any:
        inner = record._replace(name=f'n/{record.name}', source_name=f'r::n::{record.name}')
        return inner if record.name in 'cd' else record

    return model._replace(
        conventions=formats.SDF, scopes=(*model.scopes, ModelScope('n', 'r::n', 0, 2)),
        bodies=tuple(map(within, model.bodies)), frames=tuple(map(within, model.frames)))


RAW = (RawElement('x', '<x/>', owner='r', held_by=('sdf', 'gazebo')),)
GEOMETRIES: dict[type, Geometry] = {type(each): each for each in (
    Box((1.0, 1.0, 1.0)), Sphere(1.0), Cylinder(1.0, 1.0), Capsule(1.0, 1.0), Cone(1.0, 1.0),
    Ellipsoid((1.0, 1.0, 2.0)), Pyramid(1.0, 1.0, 1.0), MultiSphere(((1.0, (0.0, 0.0, 0.0)),)),
    Plane((0.0, 0.0, 1.0), (1.0, 1.0)), Mesh('file:///m.stl', '/m.stl', submesh='part'),
    Polyline((((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)),), 1.0),
    Heightmap('h.png', (1.0, 1.0, 1.0)), Image('i.png', 1.0, 200, 1.0, 1), Empty())}
"""Each geometry, of which the robot has one."""
_VISUAL = ('bodies', 0, 'visuals', 0)
PLACES: dict[type, tuple[str | int, ...]] = {
    Model: (), Body: ('bodies', 0), Inertia: ('bodies', 0, 'inertia'),
    Shape: _VISUAL, Material: (*_VISUAL, 'material'),
    Joint: ('joints', -1), Motion: ('joints', 0, 'motions', 0), Coordinate: ('coordinates', 0),
    Mimic: ('coordinates', 1, 'mimic'), Configuration: ('configurations', 0),
    Constraint: ('constraints', 0), Frame: ('frames', -1), ModelScope: ('scopes', -1),
    RawElement: ('bodies', 0, 'extensions', 0), Asset: (*_VISUAL, 'material', 'assets', 0),
    Hardware: ('hardware',), **dict.fromkeys(GEOMETRIES, (*_VISUAL, 'geometry'))}
"""Where a record of each kind is in the Model."""
NOT_IN_A_ROBOT = {JointItem, Conventions, SourceText}
"""A view of a joint, the rules of a format, and the text that a change takes away."""


def is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, '_fields')


def test_each_record_of_the_model_is_changed() -> None:
    modules = [records, *(
        import_module(f'{records.__name__}.{each.name}') for each in iter_modules(
            records.__path__))]
    found = {kind for module in modules for kind in vars(module).values()
             if is_record(kind) and kind.__module__.startswith(records.__name__)}
    assert found | {Inertia} == set(PLACES) | NOT_IN_A_ROBOT


def base(kind: type) -> Model:
    """Return a Model that has a record of a kind."""
    model = nested() if kind is ModelScope else robot()
    if kind in GEOMETRIES:
        return put(model, (*_VISUAL, 'geometry'), GEOMETRIES[kind])
    if kind is RawElement:
        return put(model, ('bodies', 0, 'extensions'), RAW)
    if kind is Asset:
        raw = RawElement('script', '<script><uri>a</uri></script>', held_by=('sdf', 'gazebo'))
        model = put(model, (*_VISUAL, 'material', 'extensions'), (raw,))
        return put(model, (*_VISUAL, 'material', 'assets'), (Asset('uri', 'a', '/a'),))
    return model._replace(hardware=Hardware('robot.yaml')) if kind is Hardware else model


def changed(model: Model, kind: type, name: str) -> Model:
    """Return the Model with another value in a field of the record of a kind."""
    path = (*PLACES[kind], name)
    value = at(model, path)
    other = OTHER[kind, name] if (kind, name) in OTHER else another(value)
    assert other != value, f'{kind.__name__}.{name} is not changed'
    after: Model = put(model, path, other)
    return after


GREEN = (0.0, 1.0, 0.0, 1.0)
OTHER: dict[tuple[type, str], Any] = {
    (Coordinate, 'kind'): 'length', (Coordinate, 'mimic'): Mimic(1, 0.5),
    (Motion, 'kind'): 'prismatic', (Motion, 'axis'): Y_AXIS, (Motion, 'coordinates'): (1,),
    (Joint, 'parent'): 1, (Joint, 'child'): 0, (Mimic, 'leader'): 1,
    (Joint, 'motions'): (Motion('revolute', X_AXIS, (0,)),),
    (Body, 'collisions'): (Shape('c', Box((1.0, 1.0, 1.0))),), (Body, 'inertia'): Inertia(2.0),
    (Shape, 'geometry'): Box((2.0, 1.0, 1.0)), (Shape, 'material'): Material('n', GREEN),
    **{(Material, name): GREEN for name in ('diffuse', 'ambient', 'specular', 'emissive')},
    (Material, 'texture'): 'a.png', (Model, 'gravity'): (0.0, 0.0, -1.0),
    (Model, 'canonical_body'): 1, (Frame, 'body'): 0, (Constraint, 'bodies'): (1, 2),
    (Constraint, 'values'): (('ratio', 3.0),), (Configuration, 'positions'): ((0, 0.25),),
    (ModelScope, 'name'): 'o', (ModelScope, 'parent'): -1, (ModelScope, 'canonical_body'): 3,
    (ModelScope, 'source_name'): 'r::o', (MultiSphere, 'spheres'): ((2.0, (0.0, 0.0, 0.0)),),
    (Polyline, 'lines'): (((0.0, 0.0), (2.0, 0.0), (0.0, 1.0)),), (Plane, 'normal'): Y_AXIS}
TABLES = {
    (Model, name) for name in (
        'bodies', 'joints', 'coordinates', 'constraints', 'frames', 'scopes', 'configurations')
} | {(Body, 'visuals')}
"""The fields with records that have fields of their own."""
NOWHERE = {
    Model: 'format version root files source location hardware conventions',
    Body: 'source_name tag location', Inertia: 'location', Shape: 'location',
    Material: 'texture_file assets', Joint: 'source_name type location', Coordinate: 'location',
    Configuration: 'location', Constraint: 'joints location source_name held_by',
    Frame: 'source_name kind tag location held_by', ModelScope: 'source_name location',
    RawElement: 'tag location owner held_by', Asset: 'tag uri file', Hardware: 'file settings'}
"""
The fields that no file has.

They say where a record came from, where files were found, how other records are to be read and
who takes a text, and repeat what they are found by; tags and settings are for this program.
"""


def another(value: Any) -> Any:
    """Return a value of the same type that is not the same."""
    if isinstance(value, Pose):
        return from_rpy((0.1, 0.2, 0.3), (0.1, 0.0, 0.0))
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return 0.7 if math.isinf(value) else value / 2.0 + 0.25
    if isinstance(value, (int, str)):
        return value + 7 if isinstance(value, int) else value + 'x'
    if value and all(isinstance(each, float) for each in value):
        return tuple(each / 2.0 + 0.75 for each in value)
    return RAW if value == () else 'x' if value is None else value


def answers() -> list[Any]:
    """Return each field of each record, with each target where it has a meaning."""
    return [
        pytest.param(kind, name, column, id=f'{kind.__name__}.{name}-{column}')
        for kind in PLACES for name, field in fields_of(kind).items() for column in WRITE
        if (kind, name) not in TABLES and name not in NOWHERE.get(kind, '').split()
        and getattr(field, 'urdf' if column == 'gazebo' else column) != NO_MEANING
        and (kind, name, column) != (Mesh, 'file', 'sdf')  # which has the URI
        and not (column == 'mjcf' and f'{kind.__name__}.{name}' in UNSAID_IN_MJCF)]


@pytest.mark.parametrize('kind, name, column', answers())
def test_each_field_is_written_or_reported(kind: type, name: str, column: Holder) -> None:
    before = base(kind)
    after = changed(before, kind, name)
    text, report = WRITE[column](before)
    try:
        new_text, new_report = WRITE[column](after)
    except InconsistentModelError as error:
        assert str(error)
        return
    messages = {found.message for found in new_report} - {found.message for found in report}
    codes = ('geometry-',) if kind in GEOMETRIES else (
        'extension-', 'sdf-not-converted') if kind is RawElement else ()
    is_told = any(found.code.startswith(codes) for found in new_report)
    assert new_text != text or messages or is_told


EXAMPLES = Path(__file__).parents[1] / 'examples'
INPUTS = Path(__file__).parent / 'conformance' / 'inputs'
SAID_ELSEWHERE = {
    'Body.pose': 'a joint says where its child is', 'Body.static': 'the world is static anyway',
    'Coordinate.velocity': 'one message says that no velocity limit is written'}
"""The fields whose change shows in no file, and why."""


def one_of_each(model: Model) -> dict[tuple[type, str], tuple[str | int, ...]]:
    """
    Return the path to a record that has a field, by its kind and the field's name.

    Collisions are left out: they are shapes as visuals are, and nothing draws their materials.
    """
    found: dict[tuple[type, str], tuple[str | int, ...]] = {}
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), model)]
    while pending:
        path, record = pending.pop()
        if type(record) in PLACES:
            found.update(((type(record), name), path) for name in record._fields)
            pending += [
                ((*path, name), getattr(record, name)) for name in record._fields
                if name not in ('collisions', 'location', 'source', 'files', 'conventions')]
        elif type(record) is tuple:
            pending += [((*path, index), each) for index, each in enumerate(record)]
    return found


def other_in(model: Model, kind: type, name: str, value: Any) -> Any:
    """Return another value for a field of a Model with several records of each kind, or None."""
    if type(value) is int:
        table = model.coordinates if name == 'leader' else model.bodies
        return (value + 1) % len(table)
    return OTHER.get((kind, name)) or (None if value is None else another(value))


@pytest.mark.parametrize('file, column', [
    (EXAMPLES / 'sdf' / 'nested_arm.sdf', 'sdf'), (EXAMPLES / 'sdf' / 'mobile_base.sdf', 'sdf'),
    (EXAMPLES / 'urdf' / 'gripper_arm.urdf', 'gazebo'), (INPUTS / 'mjcf' / 'frames.xml', 'mjcf')],
    ids=lambda value: getattr(value, 'name', value))
def test_each_field_of_a_robot_is_written_or_reported(file: Path, column: Holder) -> None:
    model = load_model(file)
    text, report = WRITE[column](model)
    messages = [found.message for found in report]
    silent = []
    for (kind, name), path in one_of_each(model).items():
        field = fields_of(kind)[name]
        place = getattr(field, 'urdf' if column == 'gazebo' else column)
        if place == NO_MEANING or (kind, name) in TABLES or name in NOWHERE.get(kind, '').split():
            continue
        value = at(model, (*path, name))
        other = other_in(model, kind, name, value)
        if other is None or other == value:
            continue
        try:
            new_text, new_report = WRITE[column](put(model, (*path, name), other))
        except InconsistentModelError:
            continue
        if new_text == text and [found.message for found in new_report] == messages:
            silent.append(f'{kind.__name__}.{name}')
    assert [each for each in silent if each not in SAID_ELSEWHERE] == []


SDF = load_model(
    '<sdf version="1.11"><model name="r"><link name="a"/><model name="n"><link name="b"/></model>'
    '<frame name="f" attached_to="a"/><joint name="j" type="revolute"><parent>a</parent>'
    '<child>n::b</child><axis><xyz>1 0 0</xyz></axis></joint></model></sdf>')


@pytest.mark.parametrize('path, value, expected', [
    (('coordinates', 0, 'name'), 'x', '<joint name="x"'),
    (('frames', 4, 'name'), 'x', '<frame name="x"'),
    (('name',), 'x', 'name of the Model differs from that of its outermost scope'),
    (('coordinates', 0, 'name'), 'x', 'a joint of one axis is named after its coordinate'),
    (('scopes', 1, 'pose'), Pose(1.0), 'poses of these models differ from those of their frames'),
    (('scopes', 1, 'canonical_body'), 0, 'the canonical link of a model is in that model'),
    (('static',), True, 'static of the Model differs from that of its outermost scope'),
    (('pose',), Pose(1.0), 'pose of the Model differs'),
    (('canonical_body',), 1, 'canonical_body of the Model differs'),
    (('joints', 0, 'type'), 'fixed', "fixed by their type and move, as their motions say: 'j'"),
    (('bodies', 0, 'static'), True, "no static links; these move: 'a'")])
def test_what_a_description_says_twice(
        path: tuple[str | int, ...], value: Any, expected: str) -> None:
    text, report = write_sdf(put(SDF, path, value))
    assert expected in text + str([found.message for found in report])
    assert expected not in write_sdf(SDF)[0] and not list(write_sdf(SDF)[1])


@pytest.mark.parametrize('change, said', [
    ((('bodies', 1, 'static'), True), 'MJCF fixes no link that a joint moves'),
    ((('bodies', 0, 'static'), True), ''),
    ((('joints', 0, 'name'), 'x'), 'a joint of one axis is named after its coordinate'),
    ((('constraints', 0, 'name'), 'x'), "MJCF has no gearbox; what the coordinates of its joints "
     "mimic is written: 'x'"),
    (((*_VISUAL, 'material', 'texture'), 'a.png'), "texture 'a.png' is not found")])
def test_what_mjcf_has_no_place_for_is_said(
        change: tuple[tuple[str | int, ...], Any], said: str) -> None:
    before, after = (
        {found.message for found in write_mjcf(model)[1]} for model in (
            robot(), put(robot(), *change)))
    assert [message for message in after - before if said in message] == (
        list(after - before) if said else [])
    assert bool(after - before) == bool(said)


@pytest.mark.parametrize('field, value', [
    ('static', True), ('pose', Pose(1.0)), ('canonical_body', 0)])
def test_what_a_world_of_sdformat_lacks_is_said(field: str, value: Any) -> None:
    world = load_model(
        '<sdf version="1.11"><world name="w"><model name="m"><link name="a"/></model></world>'
        '</sdf>')
    report = write_sdf(world._replace(**{field: value}))[1]
    assert [found.message for found in report] == [f"a world of SDFormat has no {field}: 'w'"]


@pytest.mark.parametrize('field, value', [
    ('axis', Y_AXIS), ('scale', 0.5), ('offset', 0.5)])
def test_other_axes_of_a_floating_joint_are_said(field: str, value: Any) -> None:
    model = load_model(
        '<mujoco><worldbody><body name="b"><freejoint name="j"/><geom size="1"/></body>'
        '</worldbody></mujoco>')
    changed = put(model, ('joints', 0, 'motions', 0, field), value)
    before, after = (
        {found.message for found in write_urdf(each)[1]} for each in (model, changed))
    assert 'a floating joint of URDF slides along x, y and z' in str(after - before)


def test_fields_without_a_place_are_those_of_no_file() -> None:
    for kind in PLACES:
        if FIELDS[kind.__name__]:
            nowhere = {name for name, field in fields_of(kind).items() if {
                field.urdf, field.sdf, field.mjcf} == {NO_MEANING}}
            assert nowhere == set(NOWHERE.get(kind, '').split()) | (
                {'name', 'positions'} if kind is Configuration else set())


def test_each_field_is_declared() -> None:
    for kind in PLACES:
        if FIELDS[kind.__name__]:
            assert set(FIELDS[kind.__name__]) == set(kind.__annotations__)


# ---- a field that is added

Damped: Any = namedtuple(
    'Coordinate', (*Coordinate._fields, 'damping_ratio'),
    defaults=(*Coordinate._field_defaults.values(), 0.0))
Damped.__annotations__ = {**Coordinate.__annotations__, 'damping_ratio': float}


Scaled: Any = namedtuple(
    'Coordinate', (*Coordinate._fields, 'damping_scale'),
    defaults=(*Coordinate._field_defaults.values(), 1.0))
Scaled.__annotations__ = {**Coordinate.__annotations__, 'damping_scale': float}


def damped(ratio: float) -> Model:
    """Return the robot with a field that this version does not have."""
    return robot(Damped, damping_ratio=ratio)


@pytest.mark.parametrize('column', WRITE)
def test_an_added_field_is_reported_by_each_target(column: Holder) -> None:
    assert WRITE[column](damped(0.7))[0] == WRITE[column](damped(0.0))[0]
    added = {found.message for found in WRITE[column](damped(0.7))[1]} - {
        found.message for found in WRITE[column](damped(0.0))[1]}
    name = {'sdf': 'SDFormat', 'mjcf': 'MJCF'}.get(column, 'URDF')
    assert added == {f"{name} has no place for damping ratio: 'j'"}


@pytest.mark.parametrize('column, written', [
    ('urdf', 'damping_ratio="0.7"'), ('gazebo', '<damping_ratio>0.7</damping_ratio>'),
    ('sdf', '<damping_ratio>0.7</damping_ratio>'), ('mjcf', 'damping_ratio="0.7"')])
def test_a_field_with_a_place_is_written(
    monkeypatch: pytest.MonkeyPatch, column: Holder, written: str,
) -> None:
    place = f'{"joint" if column in ("gazebo", "mjcf") else "dynamics"} damping_ratio'
    field = Field('a damping ratio')._replace(**{column: place})
    monkeypatch.setitem(
        FIELDS, 'Coordinate', {**FIELDS['Coordinate'], 'damping_ratio': field})  # type: ignore
    text, report = WRITE[column](damped(0.7))
    assert written in text
    assert 'damping ratio' not in str([found.message for found in report])


@pytest.mark.parametrize('column, place, written', [
    ('urdf', 'dynamics damping_scale', 'damping_scale="0.0"'),
    ('gazebo', 'joint dampingScale', '<dampingScale>0.0</dampingScale>'),
    ('sdf', 'dynamics damping_scale', '<damping_scale>0.0</damping_scale>'),
    ('sdf', 'dynamics @damping_scale', '<dynamics damping_scale="0.0"'),
    ('mjcf', 'joint damping_scale', 'damping_scale="0.0"')])
def test_of_a_field_whose_default_is_1_zero_is_written(
    monkeypatch: pytest.MonkeyPatch, column: Holder, place: str, written: str,
) -> None:
    field = Field('a damping scale')._replace(**{column: place})
    monkeypatch.setitem(
        FIELDS, 'Coordinate', {**FIELDS['Coordinate'], 'damping_scale': field})  # type: ignore
    zero, default = (WRITE[column](robot(Scaled, damping_scale=scale))[0] for scale in (0.0, 1.0))
    assert written in zero
    assert place.split()[1].removeprefix('@') not in default


def elements_of_sdf() -> dict[str, Element]:
    """Return the elements of SDFormat in which fields have a place."""
    shared: dict[str, Any] = {tag: SCHEMA.elements[tag] for tag in (
        'joint', 'inertial', 'material', 'model')}
    axis = shared['joint'].children['axis'].children
    below = {**axis, 'inertia': shared['inertial'].children['inertia'], **shared}
    return {tag: SCHEMA.content_of(element) for tag, element in below.items()}


@pytest.mark.parametrize('field', [
    pytest.param(field, id=f'{kind.__name__}.{name}')
    for kind in PLACES for name, field in fields_of(kind).items() if ' ' in (field.sdf or '')
    and field.sdf != NO_MEANING])
def test_the_schema_has_each_place_in_sdformat_as_it_is_written(field: Field) -> None:
    element, _, name = (field.sdf or '').partition(' ')
    declared = elements_of_sdf()[element]
    found: Any = (
        declared.attributes[name[1:]] if name.startswith('@') else declared.children[name])
    if field.feature:
        assert found.since == formats.first_sdf_with(field.feature)


def test_tf_keeps_an_added_field() -> None:
    coordinate: Any = lower(damped(0.7), TF).model.coordinates[0]
    assert coordinate.damping_ratio == 0.7


def test_an_added_field_is_compared() -> None:
    assert diff_models(damped(0.7), damped(0.7)) == []
    assert [str(found.what) for found in diff_models(damped(0.7), damped(0.1))] == [
        'damping ratio']


def test_an_added_field_has_to_be_finite() -> None:
    report = Report()
    check_model(damped(math.inf), report)
    assert "the damping ratio of coordinate 'j' is not a finite number" in [
        found.message for found in report]
