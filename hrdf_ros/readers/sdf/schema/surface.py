# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The surfaces of collisions and the materials of visuals."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Bounds, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    COLOR,
    DOUBLE,
    element,
    STRING,
    UNSIGNED,
    value,
    VECTOR3,
)

_NORMAL_MAP = value(STRING, 'An image with normals.', attributes={
    'type': Attribute(STRING, 'Space of the normals: tangent or object.', default='tangent'),
})
_LIGHT_MAP = value(STRING, 'An image with baked light.', attributes={
    'uv_set': Attribute(UNSIGNED, 'Which texture coordinates it uses.', default=0),
})

ELEMENTS: dict[str, Element] = {
    'surface': element('Friction, bounce and contact stiffness of a collision.', {
        'bounce': element('How a collision bounces.', {
            'restitution_coefficient': value(
                DOUBLE, '0 is no bounce, 1 is elastic.', 0.0, bounds=Bounds(0.0, 1.0)),
            'threshold': value(DOUBLE, 'Speed below which nothing bounces.', 100000.0, 'm/s'),
        }),
        'friction': element('Friction of a collision.', {
            'torsional': element('Friction against turning in place.', {
                'coefficient': value(DOUBLE, 'Friction coefficient.', 1.0, bounds=NOT_NEGATIVE),
                'use_patch_radius': value(
                    BOOL, 'Take the patch radius, not the surface radius and depth.', True),
                'patch_radius': value(
                    DOUBLE, 'Radius of the contact patch.', 0.0, 'm', bounds=NOT_NEGATIVE),
                'surface_radius': value(
                    DOUBLE, 'Radius of the surface at the contact.', 0.0, 'm',
                    bounds=NOT_NEGATIVE),
                'ode': element('Torsional friction in ODE.', {
                    'slip': value(DOUBLE, 'Force-dependent slip.', 0.0),
                }),
            }, since='1.5'),
            'ode': element('Friction in ODE.', {
                'mu': value(
                    DOUBLE, 'Coefficient along the first direction.', 1.0, bounds=NOT_NEGATIVE),
                'mu2': value(
                    DOUBLE, 'Coefficient along the second direction.', 1.0, bounds=NOT_NEGATIVE),
                'fdir1': value(
                    VECTOR3, "First direction, in the collision's frame.", (0.0, 0.0, 0.0)),
                'slip1': value(DOUBLE, 'Force-dependent slip along the first direction.', 0.0),
                'slip2': value(DOUBLE, 'Force-dependent slip along the second direction.', 0.0),
            }),
            'bullet': element('Friction in Bullet.', {
                'friction': value(
                    DOUBLE, 'Coefficient along the first direction.', 1.0, bounds=NOT_NEGATIVE),
                'friction2': value(
                    DOUBLE, 'Coefficient along the second direction.', 1.0, bounds=NOT_NEGATIVE),
                'fdir1': value(
                    VECTOR3, "First direction, in the collision's frame.", (0.0, 0.0, 0.0)),
                'rolling_friction': value(DOUBLE, 'Coefficient of rolling friction.', 1.0),
            }),
        }),
        'contact': element('Contact filter and stiffness.', {
            'collide_without_contact': value(BOOL, 'Touch is reported but no force acts.', False),
            'collide_without_contact_bitmask': value(
                UNSIGNED, 'Bits that choose the collisions it only reports.', 1),
            'collide_bitmask': value(UNSIGNED, 'Bits that choose its collision partners.', 65535),
            'category_bitmask': value(
                UNSIGNED, 'Its categories, for the filters of other collisions.', 65535,
                since='1.6'),
            'poissons_ratio': value(DOUBLE, 'Transverse by axial strain.', 0.3, since='1.5'),
            'elastic_modulus': value(DOUBLE, 'Stress by strain.', -1.0, 'Pa', since='1.5'),
            'ode': element('Contacts in ODE.', {
                'soft_cfm': value(DOUBLE, 'Constraint force mixing.', 0.0),
                'soft_erp': value(DOUBLE, 'Error reduction.', 0.2),
                'kp': value(DOUBLE, 'Stiffness.', 1000000000000.0, 'N/m'),
                'kd': value(DOUBLE, 'Damping.', 1.0, 'N s/m'),
                'max_vel': value(DOUBLE, 'Maximum speed of contact correction.', 0.01, 'm/s'),
                'min_depth': value(
                    DOUBLE, 'Depth below which contacts are not corrected.', 0.0, 'm'),
            }),
            'bullet': element('Contacts in Bullet.', {
                'soft_cfm': value(DOUBLE, 'Constraint force mixing.', 0.0),
                'soft_erp': value(DOUBLE, 'Error reduction.', 0.2),
                'kp': value(DOUBLE, 'Stiffness.', 1000000000000.0, 'N/m'),
                'kd': value(DOUBLE, 'Damping.', 1.0, 'N s/m'),
                'split_impulse': value(
                    BOOL, 'Correct depth apart from velocity.', True, text_required=True),
                'split_impulse_penetration_threshold': value(
                    DOUBLE, 'Depth beyond which the correction is apart.', -0.01, 'm',
                    text_required=True),
            }),
        }),
        'soft_contact': element('Contact of soft bodies.', {
            'dart': element('Contact of soft bodies in DART.', {
                'bone_attachment': value(
                    DOUBLE, 'Stiffness between the skin and the bone.', 100.0, 'N/m',
                    text_required=True),
                'stiffness': value(
                    DOUBLE, 'Stiffness within the skin.', 100.0, 'N/m', text_required=True),
                'damping': value(
                    DOUBLE, 'Damping of the skin.', 10.0, 'N s/m', text_required=True),
                'flesh_mass_fraction': value(
                    DOUBLE, 'Share of the mass that is soft.', 0.05, text_required=True),
            }),
        }),
    }),
    'material': element('The look of a visual.', {
        'script': element('A material of an OGRE script file.', {
            'uri': value(
                STRING, 'Script file, or the directory with it.', text_required=True,
                repeated=True),
            'name': value(STRING, 'Name of the material in the script.', text_required=True),
        }, handling='preserved'),
        'shader': element('A shader.', {
            '@type': Attribute(
                STRING, 'Vertex or pixel shader, or a kind of normal map.', required=True,
                default='pixel'),
            'normal_map': value(STRING, 'Image with the normals.'),
        }, handling='preserved'),
        'render_order': value(
            DOUBLE, 'Greater values are drawn later where surfaces coincide.', 0.0, since='1.7',
            handling='preserved'),
        'lighting': value(BOOL, 'Lights change its color.', True, handling='preserved'),
        'ambient': value(COLOR, 'Color under ambient light.', (0.0, 0.0, 0.0, 1.0)),
        'diffuse': value(COLOR, 'Color under direct light.', (0.0, 0.0, 0.0, 1.0)),
        'specular': value(COLOR, 'Color of highlights.', (0.0, 0.0, 0.0, 1.0)),
        'shininess': value(
            DOUBLE, 'Exponent of highlights.', 0.0, since='1.7', handling='preserved'),
        'emissive': value(COLOR, 'Color that it emits.', (0.0, 0.0, 0.0, 1.0)),
        'double_sided': value(
            BOOL, 'Both sides of a mesh are drawn.', False, since='1.7', handling='preserved'),
        'pbr': element('A physically based look, in one of two workflows.', {
            'metal': element('The metalness workflow of a physically based look.', {
                'albedo_map': value(STRING, 'Image with the colors.'),
                'roughness_map': value(STRING, 'Image with the roughness.'),
                'roughness': value(STRING, 'Roughness, 0 to 1.', '0.5'),
                'metalness_map': value(STRING, 'Image with the metalness.'),
                'metalness': value(STRING, 'Metalness, 0 to 1.', '0.5'),
                'environment_map': value(STRING, 'Image of the surroundings.'),
                'ambient_occlusion_map': value(STRING, 'Image with the ambient occlusion.'),
                'normal_map': _NORMAL_MAP._replace(doc='Image with the normals.'),
                'emissive_map': value(STRING, 'Image with the light that it emits.'),
                'light_map': _LIGHT_MAP._replace(doc='Image with baked light.', since='1.7'),
            }),
            'specular': element('The specular workflow of a physically based look.', {
                'albedo_map': value(STRING, 'Image with the colors.'),
                'specular_map': value(STRING, 'Image with the color of highlights.'),
                'glossiness_map': value(STRING, 'Image with the glossiness.'),
                'glossiness': value(STRING, 'Glossiness, 0 to 1.', '0'),
                'environment_map': value(STRING, 'Image of the surroundings.'),
                'ambient_occlusion_map': value(STRING, 'Image with the ambient occlusion.'),
                'normal_map': _NORMAL_MAP._replace(doc='Image with the normals.'),
                'emissive_map': value(STRING, 'Image with the light that it emits.'),
                'light_map': _LIGHT_MAP._replace(doc='Image with baked light.', since='1.7'),
            }),
        }, since='1.6', handling='preserved'),
    }),
}
