# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds, and what is in them beside models."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Bounds, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import (
    ATMOSPHERE_TYPE,
    BOOL,
    COLOR,
    DOUBLE,
    element,
    INT,
    LIGHT_TYPE,
    like,
    STRING,
    SURFACE_MODEL,
    value,
    VECTOR3,
    WORLD_ORIENTATION,
)

ELEMENTS: dict[str, Element] = {
    'world': element('Models, frames and joints, with gravity and scenery.', {
        '@name': Attribute(STRING, 'Name, unique in the file.', required=True, names='world'),
        'audio': element('Sound output.', {
            'device': value(STRING, 'Name of the device.', 'default', text_required=True),
        }, handling='preserved'),
        'wind': element('Wind.', {
            'linear_velocity': value(VECTOR3, 'Velocity of the air.', (0.0, 0.0, 0.0), 'm/s'),
        }, since='1.6', handling='preserved'),
        'include': like('include', 'A model, actor or light of another file.', repeated=True),
        'gravity': value(
            VECTOR3, 'Acceleration of free fall.', (0.0, 0.0, -9.8), 'm/s^2', text_required=True,
            since='1.6'),
        'magnetic_field': value(
            VECTOR3, 'Magnetic flux density.', (5.5645e-06, 2.28758e-05, -4.23884e-05), 'T',
            text_required=True, since='1.6', handling='preserved'),
        'atmosphere': like(
            'atmosphere', 'Temperature and pressure of the air.', since='1.6',
            handling='preserved'),
        'gui': like('gui', 'Settings of a user interface.', handling='preserved'),
        'physics': like(
            'physics', 'Step size and engine of a simulation.', repeated=True,
            handling='preserved'),
        'scene': like('scene', 'Ambient light, background and sky.', handling='preserved'),
        'light': like(
            'light', 'A light; its frame is one of the world.', repeated=True,
            handling='preserved'),
        'frame': like('frame', 'A named frame.', repeated=True, since='1.7'),
        'joint': like(
            'joint', 'A connection of frames of models, or of one to the world.', repeated=True),
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
            handling='preserved'),
        'population': like(
            'population', 'Many copies of a model.', repeated=True, since='1.5',
            handling='preserved'),
    }, scope=True),
    'atmosphere': element('The air.', {
        '@type': Attribute(
            ATMOSPHERE_TYPE, 'Model of the atmosphere.', required=True, default='adiabatic'),
        'temperature': value(DOUBLE, 'Temperature at sea level.', 288.15, 'K'),
        'pressure': value(DOUBLE, 'Pressure at sea level.', 101325.0, 'Pa'),
        'temperature_gradient': value(
            DOUBLE, 'Change of the temperature with height.', -0.0065, 'K/m'),
    }),
    'spherical_coordinates': element('Where on Earth, or on another body, the world is.', {
        'surface_model': value(
            SURFACE_MODEL, 'Shape of the body.', 'EARTH_WGS84', text_required=True),
        'world_frame_orientation': value(
            WORLD_ORIENTATION, "Directions of the world's axes.", 'ENU', since='1.6'),
        'latitude_deg': value(DOUBLE, 'Latitude of the origin.', 0.0, 'deg', text_required=True),
        'longitude_deg': value(DOUBLE, 'Longitude of the origin.', 0.0, 'deg', text_required=True),
        'elevation': value(DOUBLE, 'Elevation of the origin.', 0.0, 'm', text_required=True),
        'surface_axis_equatorial': value(
            DOUBLE, 'Equatorial axis of a custom surface.', 0.0, 'm', since='1.10'),
        'surface_axis_polar': value(
            DOUBLE, 'Polar axis of a custom surface.', 0.0, 'm', since='1.10'),
        'heading_deg': value(
            DOUBLE, 'Rotation of the world about its vertical.', 0.0, 'deg', text_required=True),
    }),
    'road': element('A road.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        'width': value(DOUBLE, 'Width.', 1.0, 'm', text_required=True),
        'point': value(
            VECTOR3, 'A point on its center line.', (0.0, 0.0, 0.0), 'm', text_required=True,
            repeated=True),
        'material': like('material', 'Look of its surface.', since='1.5'),
    }),
    'population': element('Many copies of a model in a region.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        'model_count': value(INT, 'Number of copies.', 1, text_required=True),
        'distribution': element('How copies are spread.', {
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
    'gui': element('Settings of a user interface.', {
        '@fullscreen': Attribute(BOOL, 'It fills the screen.', default=False),
        'camera': element("The user's view.", {
            '@name': Attribute(STRING, 'Name.', required=True, default='user_camera'),
            'view_controller': value(STRING, 'How the mouse moves the view.', 'orbit'),
            'projection_type': value(
                STRING, 'Perspective or orthographic.', 'perspective', since='1.5'),
            'track_visual': element('How the view follows a visual.', {
                'name': value(STRING, 'Name of the visual.'),
                'min_dist': value(DOUBLE, 'Minimum distance.', 0.0, 'm'),
                'max_dist': value(DOUBLE, 'Maximum distance.', 0.0, 'm'),
                'static': value(BOOL, 'The view does not turn.', False, since='1.6'),
                'use_model_frame': value(
                    BOOL, "The offset is in the model's frame.", True, since='1.6'),
                'xyz': value(VECTOR3, 'Offset of the view.', (-5.0, 0.0, 3.0), 'm', since='1.6'),
                'inherit_yaw': value(BOOL, 'The view turns with the model.', False, since='1.6'),
            }),
            'pose': like('pose', 'Pose in the world.'),
        }),
        'plugin': like('plugin', 'Code that a user interface loads.', repeated=True, since='1.5'),
    }),
    'scene': element('Ambient light, background and sky.', {
        'ambient': value(
            COLOR, 'Color of the ambient light.', (0.4, 0.4, 0.4, 1.0), text_required=True),
        'background': value(
            COLOR, 'Color of the background.', (0.7, 0.7, 0.7, 1.0), text_required=True),
        'sky': element('A sky.', {
            'time': value(DOUBLE, 'Time of day.', 10.0, 'h'),
            'sunrise': value(DOUBLE, 'Time at which the sun rises.', 6.0, 'h'),
            'sunset': value(DOUBLE, 'Time at which the sun sets.', 20.0, 'h'),
            'clouds': element('Clouds.', {
                'speed': value(DOUBLE, 'Speed.', 0.6, bounds=NOT_NEGATIVE),
                'direction': value(
                    DOUBLE, 'Direction in which they go.', 0.0, 'rad', bounds=Bounds(0.0, 3.1456)),
                'humidity': value(DOUBLE, 'Density of the clouds.', 0.5, bounds=Bounds(0.0, 1.0)),
                'mean_size': value(DOUBLE, 'Mean size.', 0.5, bounds=Bounds(0.0, 1.0)),
                'ambient': value(COLOR, 'Color.', (0.8, 0.8, 0.8, 1.0)),
            }),
            'cubemap_uri': value(STRING, 'Image file with six sides.', since='1.9'),
        }),
        'shadows': value(BOOL, 'Shadows are drawn.', True, text_required=True),
        'fog': element('Fog.', {
            'color': value(COLOR, 'Color.', (1.0, 1.0, 1.0, 1.0)),
            'type': value(STRING, 'Constant, linear or quadratic.', 'none'),
            'start': value(DOUBLE, 'Distance at which it begins.', 1.0, 'm', bounds=NOT_NEGATIVE),
            'end': value(
                DOUBLE, 'Distance at which nothing more is seen.', 100.0, 'm',
                bounds=NOT_NEGATIVE),
            'density': value(DOUBLE, 'Density.', 1.0, bounds=NOT_NEGATIVE),
        }),
        'grid': value(BOOL, 'A grid is drawn.', True),
        'origin_visual': value(BOOL, 'The axes of the world are drawn.', True, since='1.5'),
    }),
    'light': element('A light.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        '@type': Attribute(LIGHT_TYPE, 'Kind of light.', required=True, default='point'),
        'cast_shadows': value(BOOL, 'It throws shadows.', False),
        'light_on': value(BOOL, 'It is switched on.', True, since='1.8'),
        'visualize': value(BOOL, 'A user interface shows where it is.', True, since='1.8'),
        'intensity': value(DOUBLE, 'Factor on its power.', 1.0, since='1.8'),
        'diffuse': value(COLOR, 'Color of its diffuse light.', (1.0, 1.0, 1.0, 1.0)),
        'specular': value(COLOR, 'Color of its highlights.', (0.1, 0.1, 0.1, 1.0)),
        'attenuation': element('How a light fades with the distance.', {
            'range': value(DOUBLE, 'Distance that it reaches.', 10.0, 'm', text_required=True),
            'linear': value(DOUBLE, 'Linear coefficient.', 1.0, '1/m'),
            'constant': value(DOUBLE, 'Constant coefficient.', 1.0),
            'quadratic': value(DOUBLE, 'Quadratic coefficient.', 0.0, '1/m^2'),
        }),
        'direction': value(
            VECTOR3, 'Direction of a spot or directional light.', (0.0, 0.0, -1.0),
            text_required=True),
        'spot': element('Cone of a spot light.', {
            'inner_angle': value(
                DOUBLE, 'Angle of the bright cone.', 0.0, 'rad', text_required=True),
            'outer_angle': value(
                DOUBLE, 'Angle of the whole cone.', 0.0, 'rad', text_required=True),
            'falloff': value(
                DOUBLE, 'How it fades between the two; 1 is linear.', 0.0, text_required=True),
        }),
        'pose': like('pose', 'Pose, relative to its owner.'),
    }),
    'actor': element('An animated figure.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        'skin': element('A mesh with a skeleton.', {
            'filename': value(STRING, 'Mesh file.', text_required=True),
            'scale': value(DOUBLE, 'Factor on its size.', 1.0),
        }),
        'animation': element('A motion of the skeleton.', {
            '@name': Attribute(STRING, 'Name.', required=True),
            'filename': value(STRING, 'Animation file.', text_required=True),
            'scale': value(DOUBLE, 'Factor on the size of the skeleton.', 1.0),
            'interpolate_x': value(BOOL, 'The motion follows the way along x.', False),
        }, repeated=True),
        'script': element('A motion through the world.', {
            'loop': value(BOOL, 'It begins again at its end.', True),
            'delay_start': value(DOUBLE, 'Time before it begins.', 0.0, 's'),
            'auto_start': value(BOOL, 'It begins with the simulation.', True),
            'trajectory': element('A path with times.', {
                '@id': Attribute(INT, 'Number, unique in the script.', required=True, default=0),
                '@type': Attribute(STRING, 'Animation to play along the path.', required=True),
                '@tension': Attribute(
                    DOUBLE, 'Tension of the spline; 0 is Catmull-Rom.', default=0.0,
                    bounds=Bounds(0.0, 1.0), since='1.6'),
                'waypoint': element('A pose at a time.', {
                    'time': value(
                        DOUBLE, 'Time from the beginning.', 0.0, 's', text_required=True),
                    'pose': like('pose', 'Pose at this time.', text_required=True),
                }, repeated=True),
            }, repeated=True),
        }),
        'pose': like('pose', 'Pose, relative to the world by default.'),
        'link': like('link', 'A link.', repeated=True),
        'joint': like('joint', 'A joint.', repeated=True),
        'plugin': like('plugin', 'Code that a simulator loads for the actor.', repeated=True),
    }),
}
