# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What SDF 1.12 allows inside a model: the facts of ``sdf/1.12/*.sdf`` of libsdformat, as a table.

The key is the path of an element below a shared one; the notation is that of ``grammar``.
"""

MODEL: dict[str, str] = {
    'root': '@version! world model actor light',
    'model':
        '@name! @namespace @canonical_link:frame @placement_frame:frame static:bool '
        'self_collide:bool allow_auto_disable:bool include model enable_wind:bool frame pose '
        'link joint plugin gripper model_state',
    # include/joint and include/frame are of the composition proposal only, see the reader
    'include':
        '@merge:bool uri!:string name:string namespace:string static:bool '
        'placement_frame:string model_state pose plugin joint frame',
    'frame': '@name! @attached_to:frame pose',
    'pose': '=pose @relative_to:frame @rotation_format @degrees:bool',
    'plugin': '@name @filename! *',
    'gripper': '@name! grasp_check gripper_link!!:string palm_link!!:string',
    'gripper/grasp_check': 'detach_steps:int attach_steps:int min_contact_count:int',

    # ---- links
    'link':
        '@name! gravity:bool enable_wind:bool self_collide:bool kinematic:bool '
        'must_be_base_link:bool velocity_decay pose inertial collision visual sensor projector '
        'audio_sink audio_source battery light particle_emitter',
    'link/velocity_decay': 'linear:double angular:double',
    'inertial': '@auto:bool mass:double density:double auto_inertia_params:any pose inertia '
                'fluid_added_mass',
    'inertial/pose': '=pose @relative_to:frame @rotation_format @degrees:bool',
    'inertial/inertia':
        'ixx!!:double ixy!:double ixz!:double iyy!!:double iyz!:double izz!!:double',
    'inertial/fluid_added_mass':
        'xx:double xy:double xz:double xp:double xq:double xr:double yy:double yz:double '
        'yp:double yq:double yr:double zz:double zp:double zq:double zr:double pp:double '
        'pq:double pr:double qq:double qr:double rr:double',
    'audio_sink': '',
    'audio_source': 'uri!:string pitch:double gain:double contact loop:bool pose',
    'audio_source/contact': 'collision!:string',
    'battery': '@name! voltage!:double',
    'projector':
        '@name! texture!:string fov:double near_clip:double far_clip:double '
        'visibility_flags:int pose plugin',
    'particle_emitter':
        '@name! @type!:emitter emitting:bool duration:double size:vector3 particle_size:vector3 '
        'lifetime:double rate:double[0,] min_velocity:double[0,] max_velocity:double[0,] '
        'scale_rate:double[0,] color_start:color color_end:color color_range_image:string '
        'topic:string particle_scatter_ratio:double pose material',

    # ---- joints
    'joint':
        '@name! @type! parent!!:string child!!:string gearbox_ratio:double '
        'gearbox_reference_body:string thread_pitch-:double screw_thread_pitch:double axis '
        'axis2 physics pose sensor',
    'joint/axis': 'xyz!! dynamics limit mimic',
    'joint/axis/xyz': '=vector3 @expressed_in',
    'joint/axis/dynamics':
        'damping:double friction:double spring_reference!:double spring_stiffness!:double',
    'joint/axis/limit':
        'lower!:double upper!:double effort:double velocity:double stiffness:double '
        'dissipation:double',
    'joint/axis2':
        'xyz!!:joint/axis/xyz dynamics:joint/axis/dynamics limit mimic:joint/axis/mimic',
    'joint/axis2/limit':
        'lower:double upper:double effort:double velocity:double stiffness:double '
        'dissipation:double',
    'joint/axis/mimic': '@joint! @axis multiplier!:double offset!:double reference!:double',
    'joint/physics': 'simbody ode provide_feedback:bool',
    'joint/physics/simbody': 'must_be_loop_joint:bool',
    'joint/physics/ode':
        'cfm_damping:bool implicit_spring_damper:bool fudge_factor:double cfm:double '
        'erp:double bounce:double max_force:double velocity:double limit:joint/physics/cfm_erp '
        'suspension:joint/physics/cfm_erp',
    'joint/physics/cfm_erp': 'cfm!:double erp!:double',

    # ---- shapes
    'collision':
        '@name! laser_retro:double max_contacts:int density:double auto_inertia_params:any pose '
        'geometry!! surface',
    'visual':
        '@name! cast_shadows:bool laser_retro:double transparency:double visibility_flags:int '
        'meta pose material geometry!! plugin',
    'visual/meta': 'layer:int',
    'geometry':
        'empty box capsule cone cylinder ellipsoid heightmap image mesh plane polyline sphere',
    'geometry/empty': '',
    'box': 'size!!:vector3',
    'capsule': 'radius!!:double length!!:double',
    'cone': 'radius!!:double length!!:double',
    'cylinder': 'radius!!:double length!!:double',
    'ellipsoid': 'radii!!:vector3',
    'heightmap':
        'uri!!:string size:vector3 pos:vector3 texture blend use_terrain_paging:bool '
        'sampling:int',
    'heightmap/texture': 'size!:double diffuse!:string normal!:string',
    'heightmap/blend': 'min_height!:double fade_dist!:double',
    'image': 'uri!!:string scale!:double threshold!:int height!:double granularity!:int',
    'mesh': '@optimization convex_decomposition uri!!:string submesh scale:vector3',
    'mesh/convex_decomposition': 'max_convex_hulls:int voxel_resolution:int',
    'mesh/submesh': 'name!:string center:bool',
    'plane': 'normal!:vector3 size!:vector2[0,]',
    'polyline': 'point!!:vector2 height!!:double',
    'sphere': 'radius!!:double',
    'material':
        'script shader render_order:double lighting:bool ambient:color diffuse:color '
        'specular:color shininess:double emissive:color double_sided:bool pbr',
    'material/script': 'uri!:string name!:string',
    'material/shader': '@type! normal_map:string',
    'material/pbr': 'metal specular',
    'material/pbr/metal':
        'albedo_map:string roughness_map:string roughness:string metalness_map:string '
        'metalness:string environment_map:string ambient_occlusion_map:string '
        'normal_map:material/pbr/normal_map emissive_map:string light_map:material/pbr/light_map',
    'material/pbr/specular':
        'albedo_map:string specular_map:string glossiness_map:string glossiness:string '
        'environment_map:string ambient_occlusion_map:string normal_map:material/pbr/normal_map '
        'emissive_map:string light_map:material/pbr/light_map',
    'material/pbr/normal_map': '=string @type',
    'material/pbr/light_map': '=string @uv_set:int',

    # ---- surfaces
    'surface': 'bounce friction contact soft_contact',
    'surface/bounce': 'restitution_coefficient:double[0,1] threshold:double',
    'surface/friction': 'torsional ode bullet',
    'surface/friction/torsional':
        'coefficient:double[0,] use_patch_radius:bool patch_radius:double[0,] '
        'surface_radius:double[0,] ode',
    'surface/friction/torsional/ode': 'slip:double',
    'surface/friction/ode':
        'mu:double[0,] mu2:double[0,] fdir1:vector3 slip1:double slip2:double',
    'surface/friction/bullet':
        'friction:double[0,] friction2:double[0,] fdir1:vector3 rolling_friction:double',
    'surface/contact':
        'collide_without_contact:bool collide_without_contact_bitmask:int collide_bitmask:int '
        'category_bitmask:int poissons_ratio:double elastic_modulus:double ode bullet',
    'surface/contact/ode':
        'soft_cfm:double soft_erp:double kp:double kd:double max_vel:double min_depth:double',
    'surface/contact/bullet':
        'soft_cfm:double soft_erp:double kp:double kd:double split_impulse!:bool '
        'split_impulse_penetration_threshold!:double',
    'surface/soft_contact': 'dart',
    'surface/soft_contact/dart':
        'bone_attachment!:double stiffness!:double damping!:double flesh_mass_fraction!:double',
}
