# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Sensors."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Bounds, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    DOUBLE,
    element,
    FRAME,
    INT,
    like,
    NOISE_TYPE,
    PIXEL_FORMAT,
    SENSOR_TYPE,
    STRING,
    UNSIGNED,
    value,
    VECTOR2,
    VECTOR3,
    WRENCH_DIRECTION,
    WRENCH_FRAME,
)

_NOISY = element('A measured quantity.', {
    'noise': like('noise', 'Its noise.'),
})
_NOISY_XYZ = element('A measured vector.', {
    'x': _NOISY._replace(doc='Along x.'),
    'y': _NOISY._replace(doc='Along y.'),
    'z': _NOISY._replace(doc='Along z.'),
})
_SENSING = element('A measured position or velocity on Earth.', {
    'horizontal': _NOISY._replace(doc='Horizontal part.'),
    'vertical': _NOISY._replace(doc='Vertical part.'),
})
_EMPTY = Element('An element without content.')

ELEMENTS: dict[str, Element] = {
    'sensor': element(
        'A sensor of a link or joint; which part of it counts depends on its type.', {
            '@name': Attribute(STRING, 'Name, unique in its link or joint.', required=True),
            '@type': Attribute(SENSOR_TYPE, 'Kind of sensor.', required=True),
            'always_on': value(BOOL, 'It measures even without subscribers.', False),
            'update_rate': value(
                DOUBLE, 'Measurements in a second; 0 is one in every step.', 0.0, 'Hz'),
            'visualize': value(BOOL, 'A user interface shows its measurements.', False),
            'topic': value(STRING, 'Topic that it publishes on.'),
            'enable_metrics': value(BOOL, 'It publishes how fast it is.', False, since='1.7'),
            'frame_id': value(STRING, 'Frame that its messages name.', since='1.12'),
            'pose': like('pose', 'Pose in the link or joint.'),
            'plugin': like('plugin', 'Code that a simulator loads for the sensor.', repeated=True),
            'air_pressure': like('air_pressure', 'For a barometer.', since='1.6'),
            'air_speed': like('air_speed', 'For an air speed sensor.', since='1.10'),
            'altimeter': like('altimeter', 'For an altimeter.', since='1.5'),
            'camera': like('camera', 'For all kinds of cameras.'),
            'contact': like('contact', 'For a contact sensor.'),
            'force_torque': like('force_torque', 'For a force-torque sensor.'),
            'gps': like('navsat', 'Older name of navsat.'),
            'imu': like('imu', 'For an inertial measurement unit.'),
            'lidar': like('ray', 'For a laser scanner.', since='1.6'),
            'logical_camera': like(
                'logical_camera', 'For a camera that sees models, not pixels.', since='1.5'),
            'magnetometer': _NOISY_XYZ._replace(doc='For a magnetometer.', since='1.5'),
            'navsat': like('navsat', 'For a satellite navigation receiver.', since='1.7'),
            'ray': like('ray', 'Older name of lidar.'),
            'rfidtag': _EMPTY._replace(doc='For an RFID tag.'),
            'rfid': _EMPTY._replace(doc='For an RFID reader.'),
            'sonar': like('sonar', 'For a sonar.'),
            'transceiver': like('transceiver', 'For a radio.'),
        }),
    'noise': element('Noise on a measurement.', {
        '@type': Attribute(NOISE_TYPE, 'Kind of noise.', required=True, default='none'),
        'mean': value(DOUBLE, 'Mean of the noise.', 0.0),
        'stddev': value(DOUBLE, 'Standard deviation of the noise.', 0.0, bounds=NOT_NEGATIVE),
        'bias_mean': value(DOUBLE, 'Mean of the constant bias.', 0.0),
        'bias_stddev': value(
            DOUBLE, 'Standard deviation of the constant bias.', 0.0, bounds=NOT_NEGATIVE),
        'dynamic_bias_stddev': value(
            DOUBLE, 'Standard deviation of the bias that drifts.', 0.0, bounds=NOT_NEGATIVE,
            since='1.6'),
        'dynamic_bias_correlation_time': value(
            DOUBLE, 'Correlation time of the bias that drifts.', 0.0, 's', since='1.6'),
        'precision': value(DOUBLE, 'Step to which values are rounded.', 0.0),
    }),
    'air_pressure': element('A barometer.', {
        'reference_altitude': value(DOUBLE, 'Altitude at which it starts.', 0.0, 'm'),
        'pressure': _NOISY._replace(doc='The measured pressure.'),
    }),
    'air_speed': element('A sensor of air speed by differential pressure.', {
        'pressure': _NOISY._replace(doc='The measured pressure.'),
    }),
    'altimeter': element('An altimeter.', {
        'vertical_position': _NOISY._replace(doc='The measured height.'),
        'vertical_velocity': _NOISY._replace(doc='The measured climb rate.'),
    }),
    'contact': element('A contact sensor.', {
        'collision': value(STRING, 'Collision of the link that feels.', text_required=True),
        'topic': value(
            STRING, 'Topic with the contacts.', '__default_topic__', text_required=True),
    }),
    'force_torque': element('A force-torque sensor in a joint.', {
        'frame': value(WRENCH_FRAME, 'Frame in which the wrench is written.', 'child'),
        'measure_direction': value(
            WRENCH_DIRECTION, 'On which side of the joint the wrench acts.', 'child_to_parent',
            since='1.5'),
        'force': _NOISY_XYZ._replace(doc='The measured force.', since='1.7'),
        'torque': _NOISY_XYZ._replace(doc='The measured torque.', since='1.7'),
    }),
    'imu': element('An inertial measurement unit.', {
        'orientation_reference_frame': element(
            "The frame that an IMU's orientation is relative to.", {
                'localization': value(
                    STRING, 'Convention: CUSTOM, NED, ENU, NWU, GRAV_UP or GRAV_DOWN.', 'CUSTOM',
                    text_required=True),
                'custom_rpy': value(
                    VECTOR3, 'The rotation of a custom reference frame.', (0.0, 0.0, 0.0),
                    unit='rad', attributes={
                        'parent_frame': Attribute(
                            FRAME, 'Frame in which the rotation is written.'),
                    }),
                'grav_dir_x': value(
                    VECTOR3, 'The x direction of a reference frame along gravity.',
                    (1.0, 0.0, 0.0), attributes={
                        'parent_frame': Attribute(FRAME, 'Frame in which the vector is written.'),
                    }),
            }, since='1.6'),
        'angular_velocity': _NOISY_XYZ._replace(doc='The measured angular velocity.', since='1.5'),
        'linear_acceleration': _NOISY_XYZ._replace(doc='The measured acceleration.', since='1.5'),
        'enable_orientation': value(BOOL, 'It tells its orientation.', True, since='1.6'),
    }),
    'logical_camera': element('A camera that sees models in a truncated pyramid.', {
        'near': value(DOUBLE, 'Distance at which it begins to see.', 0.0, 'm', text_required=True),
        'far': value(DOUBLE, 'Distance at which it ends to see.', 1.0, 'm', text_required=True),
        'aspect_ratio': value(DOUBLE, 'Width by height.', 1.0, text_required=True),
        'horizontal_fov': value(
            DOUBLE, 'Horizontal angle of view.', 1.0, 'rad', text_required=True),
    }),
    'navsat': element('A satellite navigation receiver.', {
        'position_sensing': _SENSING._replace(doc='The measured position.'),
        'velocity_sensing': _SENSING._replace(doc='The measured velocity.'),
    }),
    'ray': element('A laser scanner.', {
        'scan': element('Directions of the beams.', {
            'horizontal': element('Horizontal angles of the beams.', {
                'samples': value(UNSIGNED, 'Number of beams.', 640, text_required=True),
                'resolution': value(
                    DOUBLE, 'Points by beams: above 1 they are interpolated.', 1.0,
                    text_required=True),
                'min_angle': value(DOUBLE, 'First angle.', 0.0, 'rad', text_required=True),
                'max_angle': value(DOUBLE, 'Last angle.', 0.0, 'rad', text_required=True),
            }),
            'vertical': element('Vertical angles of the beams.', {
                'samples': value(UNSIGNED, 'Number of beams.', 1, text_required=True),
                'resolution': value(
                    DOUBLE, 'Points by beams: above 1 they are interpolated.', 1.0),
                'min_angle': value(DOUBLE, 'First angle.', 0.0, 'rad', text_required=True),
                'max_angle': value(DOUBLE, 'Last angle.', 0.0, 'rad', text_required=True),
            }),
        }),
        'range': element('Distances that a laser scanner measures.', {
            'min': value(DOUBLE, 'Minimum distance.', 0.0, 'm', text_required=True),
            'max': value(DOUBLE, 'Maximum distance.', 0.0, 'm', text_required=True),
            'resolution': value(DOUBLE, 'Step of the distances.', 0.0, 'm'),
        }),
        'noise': element('Noise on measured distances.', {
            'type': value(STRING, 'Kind of noise.', 'gaussian', text_required=True),
            'mean': value(DOUBLE, 'Mean of the noise.', 0.0, 'm'),
            'stddev': value(DOUBLE, 'Standard deviation of the noise.', 0.0, 'm'),
        }),
        'visibility_mask': value(
            UNSIGNED, 'Bits that choose which visuals it sees.', 4294967295, since='1.9'),
    }),
    'sonar': element('A sonar.', {
        'geometry': value(STRING, 'Shape of the beam: cone or sphere.', 'cone', since='1.6'),
        'min': value(DOUBLE, 'Minimum distance.', 0.0, 'm', text_required=True),
        'max': value(DOUBLE, 'Maximum distance.', 1.0, 'm', text_required=True),
        'radius': value(DOUBLE, 'Radius of the cone at its maximum distance.', 0.5, 'm'),
    }),
    'transceiver': element('A radio transmitter or receiver.', {
        'essid': value(STRING, 'Network name.', 'wireless'),
        'frequency': value(DOUBLE, 'Frequency of a transmitter.', 2442.0, 'MHz'),
        'min_frequency': value(DOUBLE, 'Minimum frequency of a receiver.', 2412.0, 'MHz'),
        'max_frequency': value(DOUBLE, 'Maximum frequency of a receiver.', 2484.0, 'MHz'),
        'gain': value(DOUBLE, 'Antenna gain.', 2.5, 'dBi', text_required=True),
        'power': value(DOUBLE, 'Transmission power.', 14.5, 'dBm', text_required=True),
        'sensitivity': value(DOUBLE, 'Minimum power that a receiver hears.', -90.0, 'dBm'),
    }),
    'camera': element('Image size, optics and noise of a camera.', {
        '@name': Attribute(STRING, 'Name.'),
        'triggered': value(
            BOOL, 'It takes an image for every message on the trigger topic.', False, since='1.9'),
        'camera_info_topic': value(STRING, 'Topic with its calibration.', since='1.7'),
        'trigger_topic': value(STRING, 'Topic that triggers it.', since='1.9'),
        'horizontal_fov': value(
            DOUBLE, 'Horizontal angle of view.', 1.047, 'rad', text_required=True,
            bounds=Bounds(0.001, 6.283186)),
        'image': element('Size and format of an image.', {
            'width': value(INT, 'Pixels in a row.', 320, text_required=True),
            'height': value(INT, 'Rows.', 240, text_required=True),
            'format': value(PIXEL_FORMAT, 'Pixel format.', 'R8G8B8'),
            'anti_aliasing': value(INT, 'Samples for each pixel.', 4, since='1.7'),
        }),
        'clip': element('Distances between which a camera sees.', {
            'near': value(
                DOUBLE, 'Minimum distance.', 0.1, 'm', text_required=True, bounds=NOT_NEGATIVE),
            'far': value(
                DOUBLE, 'Maximum distance.', 100.0, 'm', text_required=True, bounds=Bounds(0.1)),
        }),
        'save': element('Whether images are written to files.', {
            '@enabled': Attribute(BOOL, 'They are.', required=True, default=False),
            'path': value(STRING, 'Directory.', text_required=True),
        }),
        'depth_camera': element('Output of a depth camera.', {
            'output': value(STRING, 'Depths or points.', 'depths', text_required=True),
            'clip': element('Distances between which a depth camera measures.', {
                'near': value(DOUBLE, 'Minimum distance.', 0.1, 'm', bounds=NOT_NEGATIVE),
                'far': value(DOUBLE, 'Maximum distance.', 10.0, 'm', bounds=Bounds(0.1)),
            }, since='1.6'),
        }),
        'segmentation_type': value(
            STRING, 'Labels by class or by object.', 'semantic', since='1.9'),
        'box_type': value(STRING, 'Kind of bounding boxes.', '2d', since='1.9'),
        'noise': element('Noise of each pixel.', {
            'type': value(NOISE_TYPE, 'Kind of noise.', 'gaussian', text_required=True),
            'mean': value(
                DOUBLE, 'Mean of the noise, where 1 is the maximum value of a pixel.', 0.0),
            'stddev': value(DOUBLE, 'Standard deviation of the noise.', 0.0),
        }),
        'distortion': element("Lens distortion in Brown's model.", {
            'k1': value(DOUBLE, 'First radial coefficient.', 0.0),
            'k2': value(DOUBLE, 'Second radial coefficient.', 0.0),
            'k3': value(DOUBLE, 'Third radial coefficient.', 0.0),
            'p1': value(DOUBLE, 'First tangential coefficient.', 0.0),
            'p2': value(DOUBLE, 'Second tangential coefficient.', 0.0),
            'center': value(
                VECTOR2, 'Center of the distortion, as a share of width and height.', (0.5, 0.5)),
        }, since='1.5'),
        'lens': element('Lens projection.', {
            'type': value(STRING, 'Kind of projection.', 'stereographic', text_required=True),
            'scale_to_hfov': value(
                BOOL, 'The projection is scaled to the horizontal angle of view.', True,
                text_required=True),
            'custom_function': element('A projection r = c1 f fun(theta / c2 + c3).', {
                'c1': value(DOUBLE, 'Factor on the radius.', 1.0),
                'c2': value(DOUBLE, 'Divisor of the angle.', 1.0),
                'c3': value(DOUBLE, 'Angle that is added.', 0.0, 'rad'),
                'f': value(DOUBLE, 'Focal length.', 1.0),
                'fun': value(STRING, 'Sin, tan or id.', 'tan', text_required=True),
            }),
            'cutoff_angle': value(
                DOUBLE, 'Angle beyond which nothing is seen.', 1.5707, 'rad',
                bounds=Bounds(0.0, 3.141592653)),
            'env_texture_size': value(
                INT, 'Pixels of a side of the cube map that is rendered.', 256,
                bounds=Bounds(4.0, 2048.0)),
            'intrinsics': element('The intrinsic matrix of a camera.', {
                'fx': value(DOUBLE, 'Focal length along x.', 277.0, 'pixel', text_required=True),
                'fy': value(DOUBLE, 'Focal length along y.', 277.0, 'pixel', text_required=True),
                'cx': value(
                    DOUBLE, 'Principal point along x.', 160.0, 'pixel', text_required=True),
                'cy': value(
                    DOUBLE, 'Principal point along y.', 120.0, 'pixel', text_required=True),
                's': value(DOUBLE, 'Skew.', 0.0, text_required=True),
            }, since='1.6'),
            'projection': element('The projection matrix of a camera.', {
                'p_fx': value(DOUBLE, 'Focal length along x.', 277.0, 'pixel'),
                'p_fy': value(DOUBLE, 'Focal length along y.', 277.0, 'pixel'),
                'p_cx': value(DOUBLE, 'Principal point along x.', 160.0, 'pixel'),
                'p_cy': value(DOUBLE, 'Principal point along y.', 120.0, 'pixel'),
                'tx': value(DOUBLE, 'Translation along x.', 0.0, 'pixel'),
                'ty': value(DOUBLE, 'Translation along y.', 0.0, 'pixel'),
            }, since='1.7'),
        }, since='1.5'),
        'visibility_mask': value(
            UNSIGNED, 'Bits that choose which visuals it sees.', 4294967295, since='1.7'),
        'optical_frame_id': value(
            STRING, 'Frame that its calibration names.', deprecated='<frame_id> of the sensor',
            since='1.7'),
        'pose': like('pose', 'Pose in the sensor.'),
    }),
}
