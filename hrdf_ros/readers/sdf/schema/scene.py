# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a user interface shows of a world."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Bounds, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import BOOL, COLOR, DOUBLE, like, STRING, value, VECTOR3

ELEMENTS: dict[str, Element] = {
    'gui': Element(
        'What a user interface shows.',
        attributes={
            'fullscreen': Attribute(BOOL, 'It fills the screen.', default=False),
        },
        children={
            'camera': Element(
                "The user's view.",
                attributes={
                    'name': Attribute(STRING, 'Name.', required=True, default='user_camera'),
                },
                children={
                    'view_controller': value(STRING, 'How the mouse moves the view.', 'orbit'),
                    'projection_type': value(
                        STRING, 'Perspective or orthographic.', 'perspective', since='1.5'),
                    'track_visual': Element(
                        'How the view follows a visual.',
                        children={
                            'name': value(STRING, 'Name of the visual.'),
                            'min_dist': value(DOUBLE, 'Minimum distance.', 0.0, 'm'),
                            'max_dist': value(DOUBLE, 'Maximum distance.', 0.0, 'm'),
                            'static': value(BOOL, 'The view does not turn.', False, since='1.6'),
                            'use_model_frame': value(
                                BOOL, "The offset is in the model's frame.", True, since='1.6'),
                            'xyz': value(
                                VECTOR3, 'Offset of the view.', (-5.0, 0.0, 3.0), 'm',
                                since='1.6'),
                            'inherit_yaw': value(
                                BOOL, 'The view turns with the model.', False, since='1.6'),
                        }),
                    'pose': like('pose', 'Pose in the world.'),
                }),
            'plugin': like(
                'plugin', 'Code that a user interface loads.', repeated=True, since='1.5'),
        }),
    'scene': Element(
        'Ambient light, background and sky.',
        children={
            'ambient': value(
                COLOR, 'Color of the ambient light.', (0.4, 0.4, 0.4, 1.0), text_required=True),
            'background': value(
                COLOR, 'Color of the background.', (0.7, 0.7, 0.7, 1.0), text_required=True),
            'sky': Element(
                'A sky.',
                children={
                    'time': value(DOUBLE, 'Time of day.', 10.0, 'h'),
                    'sunrise': value(DOUBLE, 'Time at which the sun rises.', 6.0, 'h'),
                    'sunset': value(DOUBLE, 'Time at which the sun sets.', 20.0, 'h'),
                    'clouds': Element(
                        'Clouds.',
                        children={
                            'speed': value(DOUBLE, 'Speed.', 0.6, bounds=NOT_NEGATIVE),
                            'direction': value(
                                DOUBLE, 'Direction in which they go.', 0.0, 'rad',
                                bounds=Bounds(0.0, 3.1456)),
                            'humidity': value(
                                DOUBLE, 'Density of the clouds.', 0.5, bounds=Bounds(0.0, 1.0)),
                            'mean_size': value(DOUBLE, 'Mean size.', 0.5, bounds=Bounds(0.0, 1.0)),
                            'ambient': value(COLOR, 'Color.', (0.8, 0.8, 0.8, 1.0)),
                        }),
                    'cubemap_uri': value(STRING, 'Image file with six sides.', since='1.9'),
                }),
            'shadows': value(BOOL, 'Shadows are drawn.', True, text_required=True),
            'fog': Element(
                'Fog.',
                children={
                    'color': value(COLOR, 'Color.', (1.0, 1.0, 1.0, 1.0)),
                    'type': value(STRING, 'Constant, linear or quadratic.', 'none'),
                    'start': value(
                        DOUBLE, 'Distance at which it begins.', 1.0, 'm', bounds=NOT_NEGATIVE),
                    'end': value(
                        DOUBLE, 'Distance at which nothing more is seen.', 100.0, 'm',
                        bounds=NOT_NEGATIVE),
                    'density': value(DOUBLE, 'Density.', 1.0, bounds=NOT_NEGATIVE),
                }),
            'grid': value(BOOL, 'A grid is drawn.', True),
            'origin_visual': value(BOOL, 'The axes of the world are drawn.', True, since='1.5'),
        }),
}
