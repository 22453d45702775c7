# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The look of visuals."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema.types import BOOL, COLOR, DOUBLE, STRING, UNSIGNED, value

_NORMAL_MAP = value(
    STRING, 'An image with normals.',
    attributes={
        'type': Attribute(STRING, 'Space of the normals: tangent or object.', default='tangent'),
    })
_LIGHT_MAP = value(
    STRING, 'An image with baked light.',
    attributes={
        'uv_set': Attribute(UNSIGNED, 'Which texture coordinates it uses.', default=0),
    })

ELEMENTS: dict[str, Element] = {
    'material': Element(
        'The look of a visual.',
        children={
            'script': Element(
                'A material of an OGRE script file.', handling='preserved',
                children={
                    'uri': value(
                        STRING, 'Script file, or the directory with it.', text_required=True,
                        repeated=True),
                    'name': value(
                        STRING, 'Name of the material in the script.', text_required=True),
                }),
            'shader': Element(
                'A shader.', handling='preserved',
                attributes={
                    'type': Attribute(
                        STRING, 'Vertex or pixel shader, or a kind of normal map.', required=True,
                        default='pixel'),
                },
                children={
                    'normal_map': value(STRING, 'Image with the normals.'),
                }),
            'render_order': value(
                DOUBLE, 'Greater values are drawn later where surfaces coincide.', 0.0,
                since='1.7', handling='preserved'),
            'lighting': value(BOOL, 'Lights change its color.', True, handling='preserved'),
            'ambient': value(COLOR, 'Color under ambient light.', (0.0, 0.0, 0.0, 1.0)),
            'diffuse': value(COLOR, 'Color under direct light.', (0.0, 0.0, 0.0, 1.0)),
            'specular': value(COLOR, 'Color of highlights.', (0.0, 0.0, 0.0, 1.0)),
            'shininess': value(
                DOUBLE, 'Exponent of highlights.', 0.0, since='1.7', handling='preserved'),
            'emissive': value(COLOR, 'Color that it emits.', (0.0, 0.0, 0.0, 1.0)),
            'double_sided': value(
                BOOL, 'Both sides of a mesh are drawn.', False, since='1.7', handling='preserved'),
            'pbr': Element(
                'A physically based look, in one of two workflows.', since='1.6',
                handling='preserved',
                children={
                    'metal': Element(
                        'The metalness workflow of a physically based look.',
                        children={
                            'albedo_map': value(STRING, 'Image with the colors.'),
                            'roughness_map': value(STRING, 'Image with the roughness.'),
                            'roughness': value(STRING, 'Roughness, 0 to 1.', '0.5'),
                            'metalness_map': value(STRING, 'Image with the metalness.'),
                            'metalness': value(STRING, 'Metalness, 0 to 1.', '0.5'),
                            'environment_map': value(STRING, 'Image of the surroundings.'),
                            'ambient_occlusion_map': value(
                                STRING, 'Image with the ambient occlusion.'),
                            'normal_map': _NORMAL_MAP.replace(doc='Image with the normals.'),
                            'emissive_map': value(STRING, 'Image with the light that it emits.'),
                            'light_map': _LIGHT_MAP.replace(
                                doc='Image with baked light.', since='1.7'),
                        }),
                    'specular': Element(
                        'The specular workflow of a physically based look.',
                        children={
                            'albedo_map': value(STRING, 'Image with the colors.'),
                            'specular_map': value(STRING, 'Image with the color of highlights.'),
                            'glossiness_map': value(STRING, 'Image with the glossiness.'),
                            'glossiness': value(STRING, 'Glossiness, 0 to 1.', '0'),
                            'environment_map': value(STRING, 'Image of the surroundings.'),
                            'ambient_occlusion_map': value(
                                STRING, 'Image with the ambient occlusion.'),
                            'normal_map': _NORMAL_MAP.replace(doc='Image with the normals.'),
                            'emissive_map': value(STRING, 'Image with the light that it emits.'),
                            'light_map': _LIGHT_MAP.replace(
                                doc='Image with baked light.', since='1.7'),
                        }),
                }),
        }),
}
