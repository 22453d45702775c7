# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Actors."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Bounds, Element
from hrdf_ros.readers.sdf.schema.types import BOOL, DOUBLE, INT, like, STRING, value

ELEMENTS: dict[str, Element] = {
    'actor': Element(
        'An animated figure.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
        },
        children={
            'skin': Element(
                'A mesh with a skeleton.',
                children={
                    'filename': value(STRING, 'Mesh file.', text_required=True),
                    'scale': value(DOUBLE, 'Factor on its size.', 1.0),
                }),
            'animation': Element(
                'A motion of the skeleton.', repeated=True,
                attributes={
                    'name': Attribute(STRING, 'Name.', required=True),
                },
                children={
                    'filename': value(STRING, 'Animation file.', text_required=True),
                    'scale': value(DOUBLE, 'Factor on the size of the skeleton.', 1.0),
                    'interpolate_x': value(BOOL, 'The motion follows the way along x.', False),
                }),
            'script': Element(
                'A motion through the world.',
                children={
                    'loop': value(BOOL, 'It begins again at its end.', True),
                    'delay_start': value(DOUBLE, 'Time before it begins.', 0.0, 's'),
                    'auto_start': value(BOOL, 'It begins with the simulation.', True),
                    'trajectory': Element(
                        'A path with times.', repeated=True,
                        attributes={
                            'id': Attribute(
                                INT, 'Number, unique in the script.', required=True, default=0),
                            'type': Attribute(
                                STRING, 'Animation to play along the path.', required=True),
                            'tension': Attribute(
                                DOUBLE, 'Tension of the spline; 0 is Catmull-Rom.', default=0.0,
                                bounds=Bounds(0.0, 1.0), since='1.6'),
                        },
                        children={
                            'waypoint': Element(
                                'A pose at a time.', repeated=True,
                                children={
                                    'time': value(
                                        DOUBLE, 'Time from the beginning.', 0.0, 's',
                                        text_required=True),
                                    'pose': like('pose', 'Pose at this time.', text_required=True),
                                }),
                        }),
                }),
            'pose': like('pose', 'Pose, relative to the world by default.'),
            'link': like('link', 'A link.', repeated=True),
            'joint': like('joint', 'A joint.', repeated=True),
            'plugin': like('plugin', 'Code that a simulator loads for the actor.', repeated=True),
        }),
}
