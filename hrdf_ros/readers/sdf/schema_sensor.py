# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What SDF 1.12 allows inside sensors and lights, in the notation of ``grammar``."""

SENSOR: dict[str, str] = {
    'sensor':
        '@name! @type!:sensor always_on:bool update_rate:double visualize:bool topic:string '
        'enable_metrics:bool frame_id:string pose plugin air_pressure air_speed altimeter camera '
        'contact force_torque gps:navsat imu lidar:ray logical_camera magnetometer:noisy_xyz '
        'navsat ray rfidtag:empty rfid:empty sonar transceiver',
    'empty': '',
    'noise':
        '@type! mean:double stddev:double[0,] bias_mean:double bias_stddev:double[0,] '
        'dynamic_bias_stddev:double[0,] dynamic_bias_correlation_time:double precision:double',
    'noisy': 'noise',
    'noisy_xyz': 'x:noisy y:noisy z:noisy',
    'air_pressure': 'reference_altitude:double pressure:noisy',
    'air_speed': 'pressure:noisy',
    'altimeter': 'vertical_position:noisy vertical_velocity:noisy',
    'contact': 'collision!:string topic!:string',
    'force_torque':
        'frame:string measure_direction:string force:noisy_xyz torque:noisy_xyz',
    'imu':
        'orientation_reference_frame angular_velocity:noisy_xyz linear_acceleration:noisy_xyz '
        'enable_orientation:bool',
    'imu/orientation_reference_frame': 'localization!:string custom_rpy grav_dir_x',
    'imu/orientation_reference_frame/custom_rpy': '=vector3 @parent_frame:frame',
    'imu/orientation_reference_frame/grav_dir_x': '=vector3 @parent_frame:frame',
    'logical_camera': 'near!:double far!:double aspect_ratio!:double horizontal_fov!:double',
    'navsat': 'position_sensing:navsat/sensing velocity_sensing:navsat/sensing',
    'navsat/sensing': 'horizontal:noisy vertical:noisy',
    'sonar': 'geometry:string min!:double max!:double radius:double',
    'transceiver':
        'essid:string frequency:double min_frequency:double max_frequency:double gain!:double '
        'power!:double sensitivity:double',

    'camera':
        '@name triggered:bool camera_info_topic:string trigger_topic:string '
        'horizontal_fov!:double[0.001,6.283186] image clip save depth_camera '
        'segmentation_type:string box_type:string noise distortion lens visibility_mask:int '
        'optical_frame_id-:string pose',
    'camera/image': 'width!:int height!:int format:string anti_aliasing:int',
    'camera/clip': 'near!:double[0,] far!:double[0.1,]',
    'camera/save': '@enabled!:bool path!:string',
    'camera/depth_camera': 'output!:string clip',
    'camera/depth_camera/clip': 'near:double[0,] far:double[0.1,]',
    'camera/noise': 'type!:string mean:double stddev:double',
    'camera/distortion': 'k1:double k2:double k3:double p1:double p2:double center:vector2',
    'camera/lens':
        'type!:string scale_to_hfov!:bool custom_function cutoff_angle:double[0,3.141592653] '
        'env_texture_size:int[4,2048] intrinsics projection',
    'camera/lens/custom_function': 'c1:double c2:double c3:double f:double fun!:string',
    'camera/lens/intrinsics': 'fx!:double fy!:double cx!:double cy!:double s!:double',
    'camera/lens/projection':
        'p_fx:double p_fy:double p_cx:double p_cy:double tx:double ty:double',

    'ray': 'scan range noise visibility_mask:int',
    'ray/scan': 'horizontal vertical',
    'ray/scan/horizontal':
        'samples!:int resolution!:double min_angle!:double max_angle!:double',
    'ray/scan/vertical': 'samples!:int resolution:double min_angle!:double max_angle!:double',
    'ray/range': 'min!:double max!:double resolution:double',
    'ray/noise': 'type!:string mean:double stddev:double',

    'light':
        '@name! @type!:light cast_shadows:bool light_on:bool visualize:bool intensity:double '
        'diffuse:color specular:color attenuation direction!:vector3 spot pose',
    'light/attenuation': 'range!:double linear:double constant:double quadratic:double',
    'light/spot': 'inner_angle!:double outer_angle!:double falloff!:double',
}
