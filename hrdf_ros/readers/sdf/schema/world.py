# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds, and what is in them beside models."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema.types import (
    ATMOSPHERE_TYPE,
    DOUBLE,
    INT,
    like,
    STRING,
    SURFACE_MODEL,
    value,
    VECTOR3,
    WORLD_ORIENTATION,
)

ELEMENTS: dict[str, Element] = {
    'world': Element(
        'Models, frames and joints, with gravity and scenery.', scope=True,
        attributes={
            'name': Attribute(STRING, 'Name, unique in the file.', required=True, names='world'),
        },
        children={
            'audio': Element(
                'Sound output.', handling='preserved',
                children={
                    'device': value(STRING, 'Name of the device.', 'default', text_required=True),
                }),
            'wind': Element(
                'Wind.', since='1.6', handling='preserved',
                children={
                    'linear_velocity': value(
                        VECTOR3, 'Velocity of the air.', (0.0, 0.0, 0.0), 'm/s'),
                }),
            'include': like('include', 'A model, actor or light of another file.', repeated=True),
            'gravity': value(
                VECTOR3, 'Acceleration of free fall.', (0.0, 0.0, -9.8), 'm/s^2',
                text_required=True, since='1.6'),
            'magnetic_field': value(
                VECTOR3, 'Magnetic flux density.', (5.5645e-06, 2.28758e-05, -4.23884e-05), 'T',
                text_required=True, since='1.6', handling='preserved'),
            'atmosphere': like(
                'atmosphere', 'Temperature and pressure of the air.', since='1.6',
                handling='preserved'),
            'gui': like('gui', 'What a user interface shows.', handling='preserved'),
            'physics': like(
                'physics', 'Step size and engine of a simulation.', repeated=True,
                handling='preserved'),
            'scene': like('scene', 'Ambient light, background and sky.', handling='preserved'),
            'light': like(
                'light', 'A light; its frame is one of the world.', repeated=True,
                handling='preserved'),
            'frame': like('frame', 'A named frame.', repeated=True, since='1.7'),
            'joint': like(
                'joint', 'What connects frames of models, or the world to one.', repeated=True),
            'model': like('model', 'A model.', repeated=True),
            'actor': like(
                'actor', 'An animated figure; its frame is one of the world.', repeated=True,
                handling='preserved'),
            'plugin': like(
                'plugin', 'Code that a simulator loads for the world.', repeated=True,
                handling='preserved'),
            'road': like('road', 'A road.', repeated=True, handling='preserved'),
            'spherical_coordinates': like(
                'spherical_coordinates', 'Where on Earth the world is.', handling='preserved'),
            'state': like(
                'state', 'A state in which a simulation was saved.', repeated=True,
                handling='checked'),
            'population': like(
                'population', 'Many copies of a model.', repeated=True, since='1.5',
                handling='preserved'),
        }),
    'atmosphere': Element(
        'The air.',
        attributes={
            'type': Attribute(
                ATMOSPHERE_TYPE, 'Model of the atmosphere.', required=True, default='adiabatic'),
        },
        children={
            'temperature': value(DOUBLE, 'Temperature at sea level.', 288.15, 'K'),
            'pressure': value(DOUBLE, 'Pressure at sea level.', 101325.0, 'Pa'),
            'temperature_gradient': value(
                DOUBLE, 'Change of the temperature with height.', -0.0065, 'K/m'),
        }),
    'spherical_coordinates': Element(
        'Where on Earth, or on another body, the world is.',
        children={
            'surface_model': value(
                SURFACE_MODEL, 'Shape of the body.', 'EARTH_WGS84', text_required=True),
            'world_frame_orientation': value(
                WORLD_ORIENTATION, "Directions of the world's axes.", 'ENU', since='1.6'),
            'latitude_deg': value(
                DOUBLE, 'Latitude of the origin.', 0.0, 'deg', text_required=True),
            'longitude_deg': value(
                DOUBLE, 'Longitude of the origin.', 0.0, 'deg', text_required=True),
            'elevation': value(DOUBLE, 'Elevation of the origin.', 0.0, 'm', text_required=True),
            'surface_axis_equatorial': value(
                DOUBLE, 'Equatorial axis of a custom surface.', 0.0, 'm', since='1.10'),
            'surface_axis_polar': value(
                DOUBLE, 'Polar axis of a custom surface.', 0.0, 'm', since='1.10'),
            'heading_deg': value(
                DOUBLE, 'Rotation of the world about its vertical.', 0.0, 'deg',
                text_required=True),
        }),
    'road': Element(
        'A road.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
        },
        children={
            'width': value(DOUBLE, 'Width.', 1.0, 'm', text_required=True),
            'point': value(
                VECTOR3, 'A point on its center line.', (0.0, 0.0, 0.0), 'm', text_required=True,
                repeated=True),
            'material': like('material', 'Look of its surface.', since='1.5'),
        }),
    'population': Element(
        'Many copies of a model in a region.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
        },
        children={
            'model_count': value(INT, 'Number of copies.', 1, text_required=True),
            'distribution': Element(
                'How copies are spread.',
                children={
                    'type': value(
                        STRING, 'Random, uniform, grid, linear-x, linear-y or linear-z.', 'random',
                        text_required=True),
                    'rows': value(INT, 'Rows of a grid.', 1),
                    'cols': value(INT, 'Columns of a grid.', 1),
                    'step': value(VECTOR3, 'Distances in a grid.', (0.5, 0.5, 0.0), 'm'),
                }),
            'box': like('box', 'The region is a box.'),
            'cylinder': like('cylinder', 'The region is a cylinder.'),
            'pose': like('pose', 'Pose of the region.'),
            'model': like('model', 'The model.'),
            'include': like('include', 'The model, in a file.'),
        }),
}
