# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What SDF 1.12 allows inside a world beside its models, in the notation of ``grammar``."""

WORLD: dict[str, str] = {
    'world':
        '@name! audio wind include gravity!:vector3 magnetic_field!:vector3 atmosphere gui '
        'physics scene light frame joint model actor plugin road spherical_coordinates state '
        'population',
    'world/audio': 'device!:string',
    'world/wind': 'linear_velocity:vector3',
    'atmosphere':
        '@type! temperature:double pressure:double temperature_gradient:double',
    'spherical_coordinates':
        'surface_model!:string world_frame_orientation:string latitude_deg!:double '
        'longitude_deg!:double elevation!:double surface_axis_equatorial:double '
        'surface_axis_polar:double heading_deg!:double',
    'road': '@name! width!:double point!:vector3 material',
    'population':
        '@name! model_count!:int distribution box cylinder pose model',
    'population/distribution': 'type!:string rows:int cols:int step:vector3',

    'actor': '@name! skin animation script pose link joint plugin',
    'actor/skin': 'filename!:string scale:double',
    'actor/animation': '@name! filename!:string scale:double interpolate_x:bool',
    'actor/script': 'loop:bool delay_start:double auto_start:bool trajectory',
    'actor/script/trajectory': '@id!:int @type! @tension:double[0,1] waypoint',
    'actor/script/trajectory/waypoint': 'time!:double pose!',

    'gui': '@fullscreen:bool camera plugin',
    'gui/camera':
        '@name! view_controller:string projection_type:string track_visual pose',
    'gui/camera/track_visual':
        'name:string min_dist:double max_dist:double static:bool use_model_frame:bool '
        'xyz:vector3 inherit_yaw:bool',
    'scene': 'ambient!:color background!:color sky shadows!:bool fog grid:bool origin_visual:bool',
    'scene/sky': 'time:double sunrise:double sunset:double clouds cubemap_uri:string',
    'scene/sky/clouds':
        'speed:double[0,] direction:double[0,3.1456] humidity:double[0,1] '
        'mean_size:double[0,1] ambient:color',
    'scene/fog':
        'color:color type:string start:double[0,] end:double[0,] density:double[0,]',

    'physics':
        '@name @default:bool @type! max_step_size!:double real_time_factor!:double '
        'real_time_update_rate!:double max_contacts:int dart simbody bullet ode',
    'physics/dart': 'solver collision_detector:string',
    'physics/dart/solver': 'solver_type!:string',
    'physics/simbody':
        'min_step_size:double accuracy:double max_transient_velocity:double contact',
    'physics/simbody/contact':
        'stiffness:double dissipation:double plastic_coef_restitution:double '
        'plastic_impact_velocity:double static_friction:double dynamic_friction:double '
        'viscous_friction:double override_impact_capture_velocity:double '
        'override_stiction_transition_velocity:double',
    'physics/bullet': 'solver constraints',
    'physics/bullet/solver': 'type!:string min_step_size:double iters!:int sor!:double',
    'physics/bullet/constraints':
        'cfm!:double erp!:double contact_surface_layer!:double split_impulse!:bool '
        'split_impulse_penetration_threshold!:double',
    'physics/ode': 'solver constraints',
    'physics/ode/solver':
        'type!:string min_step_size:double island_threads:int iters!:int precon_iters:int '
        'sor!:double thread_position_correction:bool use_dynamic_moi_rescaling!:bool '
        'friction_model:string',
    'physics/ode/constraints':
        'cfm!:double erp!:double contact_max_correcting_vel!:double '
        'contact_surface_layer!:double',

    'state':
        '@world_name! sim_time:time wall_time:time real_time:time iterations!:int insertions '
        'deletions model_state light_state joint_state',
    'state/insertions': 'model light joint',
    'state/deletions': 'name!:string',
    'model_state': '@name! model_state scale:vector3 joint_state frame pose link_state',
    'light_state': '@name! pose',
    'link_state':
        '@name! angular_velocity:link_state/rate linear_velocity:vector3 velocity-:pose '
        'angular_acceleration:link_state/rate linear_acceleration:vector3 acceleration-:pose '
        'torque:vector3 force:vector3 wrench-:pose collision_state pose',
    'link_state/rate': '=vector3 @degrees:bool',
    'link_state/collision_state': '@name!',
    'joint_state': '@name! angle- axis_state axis2_state:joint_state/axis_state',
    'joint_state/angle': '=double @axis!:int',
    'joint_state/axis_state':
        'position:joint_state/value velocity:joint_state/value acceleration:joint_state/value '
        'effort:double',
    'joint_state/value': '=double @degrees:bool',
}
