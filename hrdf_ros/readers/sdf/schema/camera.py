# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Bounds, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    DOUBLE,
    INT,
    like,
    NOISE_TYPE,
    PIXEL_FORMAT,
    STRING,
    UNSIGNED,
    value,
    VECTOR2,
)

ELEMENTS: dict[str, Element] = {
    'camera': Element(
        'Image size, optics and noise of a camera.',
        attributes={
            'name': Attribute(STRING, 'Name.'),
        },
        children={
            'triggered': value(
                BOOL, 'It takes an image for every message on the trigger topic.', False,
                since='1.9'),
            'camera_info_topic': value(STRING, 'Topic with its calibration.', since='1.7'),
            'trigger_topic': value(STRING, 'Topic that triggers it.', since='1.9'),
            'horizontal_fov': value(
                DOUBLE, 'Horizontal angle of view.', 1.047, 'rad', text_required=True,
                bounds=Bounds(0.001, 6.283186)),
            'image': Element(
                'Size and format of an image.',
                children={
                    'width': value(INT, 'Pixels in a row.', 320, text_required=True),
                    'height': value(INT, 'Rows.', 240, text_required=True),
                    'format': value(PIXEL_FORMAT, 'Pixel format.', 'R8G8B8'),
                    'anti_aliasing': value(INT, 'Samples for each pixel.', 4, since='1.7'),
                }),
            'clip': Element(
                'Distances between which a camera sees.',
                children={
                    'near': value(
                        DOUBLE, 'Minimum distance.', 0.1, 'm', text_required=True,
                        bounds=NOT_NEGATIVE),
                    'far': value(
                        DOUBLE, 'Maximum distance.', 100.0, 'm', text_required=True,
                        bounds=Bounds(0.1)),
                }),
            'save': Element(
                'Whether images are written to files.',
                attributes={
                    'enabled': Attribute(BOOL, 'They are.', required=True, default=False),
                },
                children={
                    'path': value(STRING, 'Directory.', text_required=True),
                }),
            'depth_camera': Element(
                'What a depth camera measures.',
                children={
                    'output': value(STRING, 'Depths or points.', 'depths', text_required=True),
                    'clip': Element(
                        'Distances between which a depth camera measures.', since='1.6',
                        children={
                            'near': value(
                                DOUBLE, 'Minimum distance.', 0.1, 'm', bounds=NOT_NEGATIVE),
                            'far': value(
                                DOUBLE, 'Maximum distance.', 10.0, 'm', bounds=Bounds(0.1)),
                        }),
                }),
            'segmentation_type': value(
                STRING, 'Labels by class or by object.', 'semantic', since='1.9'),
            'box_type': value(STRING, 'Kind of bounding boxes.', '2d', since='1.9'),
            'noise': Element(
                'Noise of each pixel.',
                children={
                    'type': value(NOISE_TYPE, 'Kind of noise.', 'gaussian', text_required=True),
                    'mean': value(
                        DOUBLE, 'Mean of the noise, where 1 is the maximum value of a pixel.',
                        0.0),
                    'stddev': value(DOUBLE, 'Standard deviation of the noise.', 0.0),
                }),
            'distortion': Element(
                "Lens distortion in Brown's model.", since='1.5',
                children={
                    'k1': value(DOUBLE, 'First radial coefficient.', 0.0),
                    'k2': value(DOUBLE, 'Second radial coefficient.', 0.0),
                    'k3': value(DOUBLE, 'Third radial coefficient.', 0.0),
                    'p1': value(DOUBLE, 'First tangential coefficient.', 0.0),
                    'p2': value(DOUBLE, 'Second tangential coefficient.', 0.0),
                    'center': value(
                        VECTOR2, 'Center of the distortion, as a share of width and height.',
                        (0.5, 0.5)),
                }),
            'lens': Element(
                'Lens projection.', since='1.5',
                children={
                    'type': value(
                        STRING, 'Kind of projection.', 'stereographic', text_required=True),
                    'scale_to_hfov': value(
                        BOOL, 'The projection is scaled to the horizontal angle of view.', True,
                        text_required=True),
                    'custom_function': Element(
                        'A projection r = c1 f fun(theta / c2 + c3).',
                        children={
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
                    'intrinsics': Element(
                        'The intrinsic matrix of a camera.', since='1.6',
                        children={
                            'fx': value(
                                DOUBLE, 'Focal length along x.', 277.0, 'pixel',
                                text_required=True),
                            'fy': value(
                                DOUBLE, 'Focal length along y.', 277.0, 'pixel',
                                text_required=True),
                            'cx': value(
                                DOUBLE, 'Principal point along x.', 160.0, 'pixel',
                                text_required=True),
                            'cy': value(
                                DOUBLE, 'Principal point along y.', 120.0, 'pixel',
                                text_required=True),
                            's': value(DOUBLE, 'Skew.', 0.0, text_required=True),
                        }),
                    'projection': Element(
                        'The projection matrix of a camera.', since='1.7',
                        children={
                            'p_fx': value(DOUBLE, 'Focal length along x.', 277.0, 'pixel'),
                            'p_fy': value(DOUBLE, 'Focal length along y.', 277.0, 'pixel'),
                            'p_cx': value(DOUBLE, 'Principal point along x.', 160.0, 'pixel'),
                            'p_cy': value(DOUBLE, 'Principal point along y.', 120.0, 'pixel'),
                            'tx': value(DOUBLE, 'Translation along x.', 0.0, 'pixel'),
                            'ty': value(DOUBLE, 'Translation along y.', 0.0, 'pixel'),
                        }),
                }),
            'visibility_mask': value(
                UNSIGNED, 'Bits that choose which visuals it sees.', 4294967295, since='1.7'),
            'optical_frame_id': value(
                STRING, 'Frame that its calibration names.', deprecated='<frame_id> of the sensor',
                since='1.7'),
            'pose': like('pose', 'Pose in the sensor.'),
        }),
}
