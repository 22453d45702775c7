# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Models, and what is around and directly in them."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    FRAME,
    FRAMES,
    INT,
    like,
    POSE,
    ROTATION_FORMAT,
    STRING,
    UNSIGNED,
    value,
    VERSION,
)

ELEMENTS: dict[str, Element] = {
    'sdf': Element(
        'An SDFormat file: worlds, or one model, actor or light.',
        attributes={
            'version': Attribute(
                VERSION, 'Version of SDFormat that the file is written in.', required=True,
                default='1.12'),
        },
        children={
            'world': like(
                'world', 'A world: models, frames and joints, with gravity and scenery.',
                repeated=True),
            'model': like('model', 'The one model of a file without worlds.'),
            'include': like('include', 'Another file with the one model of a file.'),
            'actor': like('actor', 'The one actor of a file without worlds.', handling='checked'),
            'light': like('light', 'The one light of a file without worlds.', handling='checked'),
        }),
    'model': Element(
        'Links and joints that move as one, and the models nested in it.', scope=True,
        attributes={
            'name': Attribute(
                STRING, 'Name, unique in the scope around it.', required=True, names='model'),
            'namespace': Attribute(
                STRING, 'Prefix that consumers put before the topics of its plugins.',
                since='1.11', handling='checked'),
            'canonical_link': Attribute(
                FRAME, "Link that the model's frame is attached to; the first one by default.",
                since='1.7', refers=('link',), inside=True),
            'placement_frame': Attribute(
                FRAME, 'Frame in the model that its pose places, instead of its own.',
                since='1.8', refers=FRAMES, inside=True),
        },
        children={
            'static': value(BOOL, 'The model never moves.', False),
            'self_collide': value(
                BOOL, 'Its links collide with each other.', False, since='1.5',
                handling='preserved'),
            'allow_auto_disable': value(
                BOOL, 'A physics engine may put it to sleep while it rests.', True,
                handling='preserved'),
            'include': like(
                'include', "Another model's file, as a nested model or merged into this one.",
                repeated=True, since='1.5'),
            'model': like(
                'model', 'A nested model with a scope of its own.', repeated=True, since='1.5'),
            'enable_wind': value(
                BOOL, 'Wind acts on all its links.', False, since='1.6', handling='preserved'),
            'frame': like('frame', 'A named frame.', repeated=True, since='1.5'),
            'pose': like(
                'pose', 'Pose of the model, or of its placement frame.', outside=True),
            'link': like('link', 'A rigid body.', repeated=True),
            'joint': like('joint', 'What connects two frames of the model.', repeated=True),
            'plugin': like(
                'plugin', 'Code that a simulator loads for the model.', repeated=True,
                handling='preserved'),
            'gripper': like(
                'gripper', 'Which links grasp, for simulators that fix what is grasped.',
                repeated=True, handling='preserved'),
            'model_state': like(
                'model_state', 'Pose and joint positions with which a simulator begins.',
                since='1.12', handling='checked'),
        }),
    'include': Element(
        'Another file put here: a model, or an actor or light of a world.',
        attributes={
            'merge': Attribute(
                BOOL, 'Its links, joints and frames go into the scope around the include.',
                default=False, since='1.9'),
        },
        children={
            'uri': value(
                STRING, 'The file, or the directory with a model.config.', text_required=True,
                refers=('file',)),
            'name': value(
                STRING, 'Name instead of the one in the file.', since='1.5', names='model'),
            'namespace': value(
                STRING, 'Namespace instead of the one in the file.', since='1.11',
                handling='checked'),
            'static': value(
                BOOL, 'Whether the model moves, instead of what the file says.', False,
                since='1.5'),
            'placement_frame': value(
                STRING, 'Frame of the included model that the pose places.', since='1.8',
                refers=FRAMES),
            'model_state': like(
                'model_state', 'Pose and joint positions with which a simulator begins.',
                since='1.12', handling='checked'),
            'pose': like('pose', 'Pose instead of the one in the file.', since='1.5'),
            'plugin': like(
                'plugin', 'A plugin added to the included model.', repeated=True, since='1.5',
                handling='preserved'),
            'joint': like('joint', 'A joint added to the included model.', repeated=True),
            'frame': like('frame', 'A frame added to the included model.', repeated=True),
        }),
    'frame': Element(
        'A named frame that is fixed to a link, joint, model or other frame.',
        attributes={
            'name': Attribute(
                STRING, 'Name, unique in its scope.', required=True, names='frame'),
            'attached_to': Attribute(
                FRAME, "What it moves with; the scope's own frame by default.", since='1.7',
                refers=FRAMES),
        },
        children={
            'pose': like('pose', 'Pose, relative to what it is attached to by default.'),
        }),
    'pose': value(
        POSE, 'Position and orientation: x y z roll pitch yaw.', unit='m, rad',
        attributes={
            'relative_to': Attribute(
                FRAME, 'Frame that the pose is relative to.', since='1.7', refers=FRAMES),
            'rotation_format': Attribute(
                ROTATION_FORMAT, 'Whether the rotation is three angles or a quaternion.',
                default='euler_rpy', since='1.9'),
            'degrees': Attribute(
                BOOL, 'The three angles are in degrees.', default=False, since='1.9'),
        }),
    'plugin': Element(
        'Code that a simulator loads, with parameters of its own inside.', open=True,
        attributes={
            'name': Attribute(STRING, 'Name, for the user.'),
            'filename': Attribute(STRING, 'Shared library.', required=True),
        }),
    'gripper': Element(
        'Links that hold what they touch.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
        },
        children={
            'grasp_check': Element(
                'When something counts as grasped or released.',
                children={
                    'detach_steps': value(
                        INT, 'Steps without contact after which it is released.', 40),
                    'attach_steps': value(
                        INT, 'Steps with contact after which it is grasped.', 20),
                    'min_contact_count': value(UNSIGNED, 'Links that have to touch it.', 2),
                }),
            'gripper_link': value(
                STRING, 'A finger: a link whose contacts count.', text_required=True,
                repeated=True, expected=True, refers=('link',)),
            'palm_link': value(
                STRING, 'Link that what is grasped is fixed to.', text_required=True,
                expected=True, refers=('link',)),
        }),
}
