# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Sensors, the surfaces of collisions and the materials of visuals."""

TABLE = """
_noisy         | A measured quantity.
  noise shared | Its noise.

_noisy_xyz   | A measured vector.
  x,y,z as=noisy | Along an axis.

_sensing              | A measured position or velocity on Earth.
  horizontal as=noisy | Horizontal part.
  vertical as=noisy   | Vertical part.

sensor | A sensor of a link or joint; which part of it counts depends on its type.
  @name string required           | Name, unique in its link or joint.
  @type sensor_type required      | Kind of sensor.
  always_on bool =false           | It measures even without subscribers.
  update_rate double =0 [Hz]      | Measurements in a second; 0 is one in every step.
  visualize bool =false           | A user interface shows its measurements.
  topic string                    | Topic that it publishes on.
  enable_metrics bool =false 1.7+ | It publishes how fast it is.
  frame_id string 1.12+           | Frame that its messages name.
  gz_frame_id string              | The same for Gazebo; the only one that Harmonic reads.
  ignition_frame_id string deprecated=<gz_frame_id> | The same for Gazebo until Garden.
  pose shared                     | Pose in the link or joint.
  plugin shared repeated          | Code that a simulator loads for the sensor.
  air_pressure shared 1.6+        | For a barometer.
  air_speed shared 1.10+          | For an air speed sensor.
  altimeter shared 1.5+           | For an altimeter.
  camera shared                   | For all kinds of cameras.
  contact shared                  | For a contact sensor.
  force_torque shared             | For a force-torque sensor.
  gps like=navsat                 | Older name of navsat.
  imu shared                      | For an inertial measurement unit.
  lidar like=ray 1.6+             | For a laser scanner.
  logical_camera shared 1.5+      | For a camera that sees models, not pixels.
  magnetometer as=noisy_xyz 1.5+  | For a magnetometer.
  navsat shared 1.7+              | For a satellite navigation receiver.
  ray shared                      | Older name of lidar.
  rfidtag                         | For an RFID tag.
  rfid                            | For an RFID reader.
  sonar shared                    | For a sonar.
  transceiver shared              | For a radio.

noise                                              | Noise on a measurement.
  @type noise_type =none required                  | Kind of noise.
  mean double =0                                   | Mean of the noise.
  stddev double =0 0..                             | Standard deviation of the noise.
  bias_mean double =0                              | Mean of the constant bias.
  bias_stddev double =0 0..                        | Standard deviation of the constant bias.
  dynamic_bias_stddev double =0 0.. 1.6+           | Standard deviation of the bias that drifts.
  dynamic_bias_correlation_time double =0 [s] 1.6+ | Correlation time of the bias that drifts.
  precision double =0                              | Step to which values are rounded.

air_pressure                       | A barometer.
  reference_altitude double =0 [m] | Altitude at which it starts.
  pressure as=noisy                | The measured pressure.

air_speed           | A sensor of air speed by differential pressure.
  pressure as=noisy | The measured pressure.

altimeter                    | An altimeter.
  vertical_position as=noisy | The measured height.
  vertical_velocity as=noisy | The measured climb rate.

contact                                    | A contact sensor.
  collision string nonempty                | Collision of the link that feels.
  topic string =__default_topic__ nonempty | Topic with the contacts.

force_torque                | A force-torque sensor in a joint.
  frame wrench_frame =child | Frame in which the wrench is written.
  measure_direction wrench_direction =child_to_parent 1.5+
      | On which side of the joint the wrench acts.
  force as=noisy_xyz 1.7+   | The measured force.
  torque as=noisy_xyz 1.7+  | The measured torque.

imu                                      | An inertial measurement unit.
  orientation_reference_frame 1.6+       | The frame that an IMU's orientation is relative to.
    localization string =CUSTOM nonempty | Convention: CUSTOM, NED, ENU, NWU, GRAV_UP or GRAV_DOWN.
    custom_rpy vector3 =0,0,0 [rad]      | The rotation of a custom reference frame.
      @parent_frame frame                | Frame in which the rotation is written.
    grav_dir_x vector3 =1,0,0            | The x direction of a reference frame along gravity.
      @parent_frame frame                | Frame in which the vector is written.
  angular_velocity as=noisy_xyz 1.5+     | The measured angular velocity.
  linear_acceleration as=noisy_xyz 1.5+  | The measured acceleration.
  enable_orientation bool =true 1.6+     | It tells its orientation.

logical_camera                            | A camera that sees models in a truncated pyramid.
  near double =0 [m] nonempty             | Distance at which it begins to see.
  far double =1 [m] nonempty              | Distance at which it ends to see.
  aspect_ratio double =1 nonempty         | Width by height.
  horizontal_fov double =1 [rad] nonempty | Horizontal angle of view.

navsat                        | A satellite navigation receiver.
  position_sensing as=sensing | The measured position.
  velocity_sensing as=sensing | The measured velocity.

ray                                         | A laser scanner.
  scan                                      | Directions of the beams.
    horizontal                              | Horizontal angles of the beams.
      samples unsigned =640 nonempty        | Number of beams.
      resolution double =1 nonempty         | Points by beams: above 1 they are interpolated.
      min_angle double =0 [rad] nonempty    | First angle.
      max_angle double =0 [rad] nonempty    | Last angle.
    vertical                                | Vertical angles of the beams.
      samples unsigned =1 nonempty          | Number of beams.
      resolution double =1                  | Points by beams: above 1 they are interpolated.
      min_angle double =0 [rad] nonempty    | First angle.
      max_angle double =0 [rad] nonempty    | Last angle.
  range                                     | Distances that a laser scanner measures.
    min double =0 [m] nonempty              | Minimum distance.
    max double =0 [m] nonempty              | Maximum distance.
    resolution double =0 [m]                | Step of the distances.
  noise                                     | Noise on measured distances.
    type string =gaussian nonempty          | Kind of noise.
    mean double =0 [m]                      | Mean of the noise.
    stddev double =0 [m]                    | Standard deviation of the noise.
  visibility_mask unsigned =4294967295 1.9+ | Bits that choose which visuals it sees.

sonar                        | A sonar.
  geometry string =cone 1.6+ | Shape of the beam: cone or sphere.
  min double =0 [m] nonempty | Minimum distance.
  max double =1 [m] nonempty | Maximum distance.
  radius double =0.5 [m]     | Radius of the cone at its maximum distance.

transceiver                         | A radio transmitter or receiver.
  essid string =wireless            | Network name.
  frequency double =2442 [MHz]      | Frequency of a transmitter.
  min_frequency double =2412 [MHz]  | Minimum frequency of a receiver.
  max_frequency double =2484 [MHz]  | Maximum frequency of a receiver.
  gain double =2.5 [dBi] nonempty   | Antenna gain.
  power double =14.5 [dBm] nonempty | Transmission power.
  sensitivity double =-90 [dBm]     | Minimum power that a receiver hears.

camera                                  | Image size, optics and noise of a camera.
  @name string                          | Name.
  triggered bool =false 1.9+            | It takes an image for every message on the trigger topic.
  camera_info_topic string 1.7+         | Topic with its calibration.
  trigger_topic string 1.9+             | Topic that triggers it.
  horizontal_fov double =1.047 [rad] 0.001..6.283186 nonempty | Horizontal angle of view.
  image                                 | Size and format of an image.
    width int =320 nonempty             | Pixels in a row.
    height int =240 nonempty            | Rows.
    format pixel_format =R8G8B8         | Pixel format.
    anti_aliasing int =4 1.7+           | Samples for each pixel.
  clip                                  | Distances between which a camera sees.
    near double =0.1 [m] 0.. nonempty   | Minimum distance.
    far double =100 [m] 0.1.. nonempty  | Maximum distance.
  save                                  | Whether images are written to files.
    @enabled bool =false required       | They are.
    path string nonempty                | Directory.
  depth_camera                          | Output of a depth camera.
    output string =depths nonempty      | Depths or points.
    clip 1.6+                           | Distances between which a depth camera measures.
      near double =0.1 [m] 0..          | Minimum distance.
      far double =10 [m] 0.1..          | Maximum distance.
  segmentation_type string =semantic 1.9+ | Labels by class or by object.
  box_type string =2d 1.9+              | Kind of bounding boxes.
  noise                                 | Noise of each pixel.
    type noise_type =gaussian nonempty  | Kind of noise.
    mean double =0 | Mean of the noise, where 1 is the maximum value of a pixel.
    stddev double =0                    | Standard deviation of the noise.
  distortion 1.5+                       | Lens distortion in Brown's model.
    k1,k2,k3 double =0                  | A radial coefficient.
    p1,p2 double =0                     | A tangential coefficient.
    center vector2 =0.5,0.5             | Center of the distortion, as a share of width and height.
  lens 1.5+                             | Lens projection.
    type string =stereographic nonempty | Kind of projection.
    scale_to_hfov bool =true nonempty   | The projection is scaled to the horizontal angle of view.
    custom_function                     | A projection r = c1 f fun(theta / c2 + c3).
      c1 double =1                      | Factor on the radius.
      c2 double =1                      | Divisor of the angle.
      c3 double =0 [rad]                | Angle that is added.
      f double =1                       | Focal length.
      fun string =tan nonempty          | Sin, tan or id.
    cutoff_angle double =1.5707 [rad] 0..3.141592653 | Angle beyond which nothing is seen.
    env_texture_size int =256 4..2048   | Pixels of a side of the cube map that is rendered.
    intrinsics 1.6+                     | The intrinsic matrix of a camera.
      fx,fy double =277 [pixel] nonempty | Focal length along an axis.
      cx double =160 [pixel] nonempty   | Principal point along x.
      cy double =120 [pixel] nonempty   | Principal point along y.
      s double =0 nonempty              | Skew.
    projection 1.7+                     | The projection matrix of a camera.
      p_fx,p_fy double =277 [pixel]     | Focal length along an axis.
      p_cx double =160 [pixel]          | Principal point along x.
      p_cy double =120 [pixel]          | Principal point along y.
      tx,ty double =0 [pixel]           | Translation along an axis.
  visibility_mask unsigned =4294967295 1.7+ | Bits that choose which visuals it sees.
  optical_frame_id string 1.7+ deprecated=<frame_id>,of,the,sensor
      | Frame that its calibration names.
  pose shared                           | Pose in the sensor.

surface | Friction, bounce and contact stiffness of a collision.
  bounce                                         | How a collision bounces.
    restitution_coefficient double =0 0..1       | 0 is no bounce, 1 is elastic.
    threshold double =100000 [m/s]               | Speed below which nothing bounces.
  friction                                       | Friction of a collision.
    torsional 1.5+                               | Friction against turning in place.
      coefficient double =1 0..                  | Friction coefficient.
      use_patch_radius bool =true | Take the patch radius, not the surface radius and depth.
      patch_radius double =0 [m] 0..             | Radius of the contact patch.
      surface_radius double =0 [m] 0..           | Radius of the surface at the contact.
      ode                                        | Torsional friction in ODE.
        slip double =0                           | Force-dependent slip.
    ode                                          | Friction in ODE.
      mu double =1 0..                           | Coefficient along the first direction.
      mu2 double =1 0..                          | Coefficient along the second direction.
      fdir1 vector3 =0,0,0                       | First direction, in the collision's frame.
      slip1 double =0                            | Force-dependent slip along the first direction.
      slip2 double =0                            | Force-dependent slip along the second direction.
    bullet                                       | Friction in Bullet.
      friction double =1 0..                     | Coefficient along the first direction.
      friction2 double =1 0..                    | Coefficient along the second direction.
      fdir1 vector3 =0,0,0                       | First direction, in the collision's frame.
      rolling_friction double =1                 | Coefficient of rolling friction.
  contact                                        | Contact filter and stiffness.
    collide_without_contact bool =false          | Touch is reported but no force acts.
    collide_without_contact_bitmask unsigned =1  | Bits that choose the collisions it only reports.
    collide_bitmask unsigned =65535              | Bits that choose its collision partners.
    category_bitmask unsigned =65535 1.6+ | Its categories, for the filters of other collisions.
    poissons_ratio double =0.3 1.5+              | Transverse by axial strain.
    elastic_modulus double =-1 [Pa] 1.5+         | Stress by strain.
    ode                                          | Contacts in ODE.
      soft_cfm double =0                         | Constraint force mixing.
      soft_erp double =0.2                       | Error reduction.
      kp double =1e12 [N/m]                      | Stiffness.
      kd double =1 [N s/m]                       | Damping.
      max_vel double =0.01 [m/s]                 | Maximum speed of contact correction.
      min_depth double =0 [m]                    | Depth below which contacts are not corrected.
    bullet                                       | Contacts in Bullet.
      soft_cfm double =0                         | Constraint force mixing.
      soft_erp double =0.2                       | Error reduction.
      kp double =1e12 [N/m]                      | Stiffness.
      kd double =1 [N s/m]                       | Damping.
      split_impulse bool =true nonempty          | Correct depth apart from velocity.
      split_impulse_penetration_threshold double =-0.01 [m] nonempty
          | Depth beyond which the correction is apart.
  soft_contact                                   | Contact of soft bodies.
    dart                                         | Contact of soft bodies in DART.
      bone_attachment double =100 [N/m] nonempty | Stiffness between the skin and the bone.
      stiffness double =100 [N/m] nonempty       | Stiffness within the skin.
      damping double =10 [N s/m] nonempty        | Damping of the skin.
      flesh_mass_fraction double =0.05 nonempty  | Share of the mass that is soft.

material                                  | The look of a visual.
  script preserved                        | A material of an OGRE script file.
    uri string nonempty repeated          | Script file, or the directory with it.
    name string nonempty                  | Name of the material in the script.
  shader preserved                        | A shader.
    @type string =pixel required          | Vertex or pixel shader, or a kind of normal map.
    normal_map string                     | Image with the normals.
  render_order double =0 preserved 1.7+   | Greater values are drawn later where surfaces coincide.
  lighting bool =true preserved           | Lights change its color.
  ambient color =0,0,0,1                  | Color under ambient light.
  diffuse color =0,0,0,1                  | Color under direct light.
  specular color =0,0,0,1                 | Color of highlights.
  shininess double =0 preserved 1.7+      | Exponent of highlights.
  emissive color =0,0,0,1                 | Color that it emits.
  double_sided bool =false preserved 1.7+ | Both sides of a mesh are drawn.
  pbr preserved 1.6+                      | A physically based look, in one of two workflows.
    metal                                 | The metalness workflow of a physically based look.
      albedo_map string                   | Image with the colors.
      roughness_map string                | Image with the roughness.
      roughness string =0.5               | Roughness, 0 to 1.
      metalness_map string                | Image with the metalness.
      metalness string =0.5               | Metalness, 0 to 1.
      environment_map string              | Image of the surroundings.
      ambient_occlusion_map string        | Image with the ambient occlusion.
      normal_map string                   | Image with the normals.
        @type string =tangent             | Space of the normals: tangent or object.
      emissive_map string                 | Image with the light that it emits.
      light_map string 1.7+               | Image with baked light.
        @uv_set unsigned =0               | Which texture coordinates it uses.
    specular                              | The specular workflow of a physically based look.
      albedo_map string                   | Image with the colors.
      specular_map string                 | Image with the color of highlights.
      glossiness_map string               | Image with the glossiness.
      glossiness string =0                | Glossiness, 0 to 1.
      environment_map string              | Image of the surroundings.
      ambient_occlusion_map string        | Image with the ambient occlusion.
      normal_map string                   | Image with the normals.
        @type string =tangent             | Space of the normals: tangent or object.
      emissive_map string                 | Image with the light that it emits.
      light_map string 1.7+               | Image with baked light.
        @uv_set unsigned =0               | Which texture coordinates it uses.
"""
