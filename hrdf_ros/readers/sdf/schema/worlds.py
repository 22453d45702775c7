# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds, their content besides models, physics and saved states."""

TABLE = """
world scope                                 | Models, frames and joints, with gravity and scenery.
  @name string required names=world         | Name, unique in the file.
  audio preserved                           | Sound output.
    device string =default nonempty         | Name of the device.
  wind preserved 1.6+                       | Wind.
    linear_velocity vector3 =0,0,0 [m/s]    | Velocity of the air.
  include shared repeated                   | A model, actor or light of another file.
  gravity vector3 =0,0,-9.8 [m/s^2] nonempty 1.6+ | Acceleration of free fall.
  magnetic_field vector3 =5.5645e-06,2.28758e-05,-4.23884e-05 [T] nonempty preserved 1.6+
      | Magnetic flux density.
  atmosphere shared preserved 1.6+          | Temperature and pressure of the air.
  gui shared preserved                      | Settings of a user interface.
  physics shared repeated preserved         | Step size and engine of a simulation.
  scene shared preserved                    | Ambient light, background and sky.
  light shared repeated preserved           | A light; its frame is one of the world.
  frame shared repeated 1.7+                | A named frame.
  joint shared repeated | A connection of frames of models, or of one to the world.
  model shared repeated                     | A model.
  actor shared repeated preserved           | An animated figure; its frame is one of the world.
  plugin shared repeated preserved          | Code that a simulator loads for the world.
  road shared repeated preserved            | A road.
  spherical_coordinates shared preserved    | Where on Earth the world is.
  state shared repeated preserved           | A state in which a simulation was saved.
  population shared repeated preserved 1.5+ | Many copies of a model.

atmosphere                                   | The air.
  @type atmosphere_type =adiabatic required  | Model of the atmosphere.
  temperature double =288.15 [K]             | Temperature at sea level.
  pressure double =101325 [Pa]               | Pressure at sea level.
  temperature_gradient double =-0.0065 [K/m] | Change of the temperature with height.

spherical_coordinates | Where on Earth, or on another body, the world is.
  surface_model surface_model =EARTH_WGS84 nonempty   | Shape of the body.
  world_frame_orientation world_orientation =ENU 1.6+ | Directions of the world's axes.
  latitude_deg double =0 [deg] nonempty               | Latitude of the origin.
  longitude_deg double =0 [deg] nonempty              | Longitude of the origin.
  elevation double =0 [m] nonempty                    | Elevation of the origin.
  surface_axis_equatorial double =0 [m] 1.10+         | Equatorial axis of a custom surface.
  surface_axis_polar double =0 [m] 1.10+              | Polar axis of a custom surface.
  heading_deg double =0 [deg] nonempty                | Rotation of the world about its vertical.

road                                         | A road.
  @name string required                      | Name.
  width double =1 [m] nonempty               | Width.
  point vector3 =0,0,0 [m] nonempty repeated | A point on its center line.
  material shared 1.5+                       | Look of its surface.

population                       | Many copies of a model in a region.
  @name string required          | Name.
  model_count int =1 nonempty    | Number of copies.
  distribution                   | How copies are spread.
    type string =random nonempty | Random, uniform, grid, linear-x, linear-y or linear-z.
    rows int =1                  | Rows of a grid.
    cols int =1                  | Columns of a grid.
    step vector3 =0.5,0.5,0 [m]  | Distances in a grid.
  box shared                     | The region is a box.
  cylinder shared                | The region is a cylinder.
  pose shared                    | Pose of the region.
  model shared                   | The model.
  include shared                 | The model, in a file.

gui                                          | Settings of a user interface.
  @fullscreen bool =false                    | It fills the screen.
  camera                                     | The user's view.
    @name string =user_camera required       | Name.
    view_controller string =orbit            | How the mouse moves the view.
    projection_type string =perspective 1.5+ | Perspective or orthographic.
    track_visual                             | How the view follows a visual.
      name string                            | Name of the visual.
      min_dist double =0 [m]                 | Minimum distance.
      max_dist double =0 [m]                 | Maximum distance.
      static bool =false 1.6+                | The view does not turn.
      use_model_frame bool =true 1.6+        | The offset is in the model's frame.
      xyz vector3 =-5,0,3 [m] 1.6+           | Offset of the view.
      inherit_yaw bool =false 1.6+           | The view turns with the model.
    pose shared                              | Pose in the world.
  plugin shared repeated 1.5+                | Code that a user interface loads.

scene                                      | Ambient light, background and sky.
  ambient color =0.4,0.4,0.4,1 nonempty    | Color of the ambient light.
  background color =0.7,0.7,0.7,1 nonempty | Color of the background.
  sky                                      | A sky.
    time double =10 [h]                    | Time of day.
    sunrise double =6 [h]                  | Time at which the sun rises.
    sunset double =20 [h]                  | Time at which the sun sets.
    clouds                                 | Clouds.
      speed double =0.6 0..                | Speed.
      direction double =0 [rad] 0..3.1456  | Direction in which they go.
      humidity double =0.5 0..1            | Density of the clouds.
      mean_size double =0.5 0..1           | Mean size.
      ambient color =0.8,0.8,0.8,1         | Color.
    cubemap_uri string 1.9+                | Image file with six sides.
  shadows bool =true nonempty              | Shadows are drawn.
  fog                                      | Fog.
    color color =1,1,1,1                   | Color.
    type string =none                      | Constant, linear or quadratic.
    start double =1 [m] 0..                | Distance at which it begins.
    end double =100 [m] 0..                | Distance at which nothing more is seen.
    density double =1 0..                  | Density.
  grid bool =true                          | A grid is drawn.
  origin_visual bool =true 1.5+            | The axes of the world are drawn.

light                                    | A light.
  @name string required                  | Name.
  @type light_type =point required       | Kind of light.
  cast_shadows bool =false               | It throws shadows.
  light_on bool =true 1.8+               | It is switched on.
  visualize bool =true 1.8+              | A user interface shows where it is.
  intensity double =1 1.8+               | Factor on its power.
  diffuse color =1,1,1,1                 | Color of its diffuse light.
  specular color =0.1,0.1,0.1,1          | Color of its highlights.
  attenuation                            | How a light fades with the distance.
    range double =10 [m] nonempty        | Distance that it reaches.
    linear double =1 [1/m]               | Linear coefficient.
    constant double =1                   | Constant coefficient.
    quadratic double =0 [1/m^2]          | Quadratic coefficient.
  direction vector3 =0,0,-1 nonempty     | Direction of a spot or directional light.
  spot                                   | Cone of a spot light.
    inner_angle double =0 [rad] nonempty | Angle of the bright cone.
    outer_angle double =0 [rad] nonempty | Angle of the whole cone.
    falloff double =0 nonempty           | How it fades between the two; 1 is linear.
  pose shared                            | Pose, relative to its owner.

actor                               | An animated figure.
  @name string required             | Name.
  skin                              | A mesh with a skeleton.
    filename string nonempty        | Mesh file.
    scale double =1                 | Factor on its size.
  animation repeated                | A motion of the skeleton.
    @name string required           | Name.
    filename string nonempty        | Animation file.
    scale double =1                 | Factor on the size of the skeleton.
    interpolate_x bool =false       | The motion follows the way along x.
  script                            | A motion through the world.
    loop bool =true                 | It begins again at its end.
    delay_start double =0 [s]       | Time before it begins.
    auto_start bool =true           | It begins with the simulation.
    trajectory repeated             | A path with times.
      @id int =0 required           | Number, unique in the script.
      @type string required         | Animation to play along the path.
      @tension double =0 0..1 1.6+  | Tension of the spline; 0 is Catmull-Rom.
      waypoint repeated             | A pose at a time.
        time double =0 [s] nonempty | Time from the beginning.
        pose shared nonempty        | Pose at this time.
  pose shared                       | Pose, relative to the world by default.
  link shared repeated              | A link.
  joint shared repeated             | A joint.
  plugin shared repeated            | Code that a simulator loads for the actor.

_axis_state                         | State of an axis.
  position double =0 [rad or m]     | Position.
    @degrees bool =false            | It is in degrees.
  velocity double =0 [rad or m]     | Velocity.
    @degrees bool =false            | It is in degrees.
  acceleration double =0 [rad or m] | Acceleration.
    @degrees bool =false            | It is in degrees.
  effort double =0 [N or N m]       | Effort.

physics                                            | Step size and engine of a simulation.
  @name string =default_physics 1.5+               | Name.
  @default bool =false 1.5+                        | This one is used.
  @type string =ode required                       | Physics engine.
  max_step_size double =0.001 [s] nonempty         | Maximum time step.
  real_time_factor double =1 nonempty              | Simulated time by real time.
  real_time_update_rate double =1000 [Hz] nonempty | Steps in a second of real time.
  max_contacts int =20                             | Contacts between two collisions that count.
  dart 1.6+                                        | Parameters of DART.
    solver                                         | Solver of constraints in DART.
      solver_type string =dantzig nonempty         | Dantzig or pgs.
    collision_detector string =fcl                 | Collision detector: dart, fcl, bullet or ode.
  simbody                                          | Parameters of Simbody.
    min_step_size double =0.0001 [s]               | Minimum time step.
    accuracy double =0.001                         | Relative error of the integrator.
    max_transient_velocity double =0.01 [m/s]      | Speed at which friction counts as sticking.
    contact                                        | Contacts in Simbody.
      stiffness double =1e8 [N/m]                  | Stiffness.
      dissipation double =100 [s/m]                | Damping by stiffness.
      plastic_coef_restitution double =0.5         | Restitution of fast impacts.
      plastic_impact_velocity double =0.5 [m/s]    | Speed above which impacts are fast.
      static_friction double =0.9                  | Coefficient of static friction.
      dynamic_friction double =0.9                 | Coefficient of dynamic friction.
      viscous_friction double =0                   | Coefficient of viscous friction.
      override_impact_capture_velocity double =0.001 [m/s] | Speed below which nothing bounces.
      override_stiction_transition_velocity double =0.001 [m/s] | Speed below which contacts stick.
  bullet                                           | Parameters of Bullet.
    solver                                         | Solver of constraints in Bullet.
      type string =sequential_impulse nonempty     | Sequential_impulse.
      min_step_size double =0.0001 [s]             | Minimum time step.
      iters int =50 nonempty                       | Iterations in each step.
      sor double =1.3 nonempty                     | Over-relaxation.
    constraints                                    | Stiffness of constraints in Bullet.
      cfm double =0 nonempty                       | Constraint force mixing.
      erp double =0.2 nonempty                     | Error reduction.
      contact_surface_layer double =0.001 [m] nonempty | Depth to which contacts may sink in.
      split_impulse bool =true nonempty            | Correct depth apart from velocity.
      split_impulse_penetration_threshold double =-0.01 [m] nonempty
          | Depth beyond which the correction is apart.
  ode                                              | Parameters of ODE.
    solver                                         | Solver of constraints in ODE.
      type string =quick nonempty                  | World or quick.
      min_step_size double =0.0001 [s]             | Minimum time step.
      island_threads int =0 1.6+                   | Threads for separate groups of bodies.
      iters int =50 nonempty                       | Iterations in each step.
      precon_iters int =0                          | Iterations before the main ones.
      sor double =1.3 nonempty                     | Over-relaxation.
      thread_position_correction bool =false 1.6+  | Correct positions in a thread of their own.
      use_dynamic_moi_rescaling bool =false nonempty | Rescale inertias for stability.
      friction_model string =pyramid_model 1.6+    | Pyramid_model, box_model or cone_model.
    constraints                                    | Stiffness of constraints in ODE.
      cfm double =0 nonempty                       | Constraint force mixing.
      erp double =0.2 nonempty                     | Error reduction.
      contact_max_correcting_vel double =100 [m/s] nonempty | Maximum speed of contact correction.
      contact_surface_layer double =0.001 [m] nonempty | Depth to which contacts may sink in.

state                                  | A state of a world in which a simulation was saved.
  @world_name string required          | The world.
  sim_time time =0,0 [s, ns]           | Simulated time.
  wall_time time =0,0 [s, ns]          | Time of the day.
  real_time time =0,0 [s, ns]          | Real time since the start.
  iterations unsigned =0 nonempty 1.5+ | Steps since the start.
  insertions                           | Additions since the start.
    model shared repeated              | A model.
    light shared repeated 1.6+         | A light.
    joint shared repeated 1.12+        | A joint.
  deletions                            | Removals since the start.
    name string nonempty repeated      | Name of a model or light.
  model_state shared repeated 1.12+    | State of a model.
  light_state shared repeated 1.12+    | State of a light.
  joint_state shared repeated 1.12+    | State of a joint.

model_state                   | State of a model.
  @name string required       | The model.
  model_state shared repeated | State of a nested model.
  scale vector3 =1,1,1        | Factors along x, y and z.
  joint_state shared repeated | State of a joint.
  frame shared repeated       | A named frame.
  pose shared                 | Pose of the model.
  link_state shared repeated  | State of a link.

light_state             | State of a light.
  @name string required | The light.
  pose shared           | Pose of the light.

link_state                                               | State of a link, against the world.
  @name string required                                  | The link.
  angular_velocity vector3 =0,0,0 [rad/s or rad/s^2]     | Angular velocity.
    @degrees bool =false                                 | It is in degrees.
  linear_velocity vector3 =0,0,0 [m/s]                   | Velocity of its origin.
  velocity like=pose deprecated=<linear_velocity>,and,<angular_velocity> | Both velocities.
  angular_acceleration vector3 =0,0,0 [rad/s or rad/s^2] | Angular acceleration.
    @degrees bool =false                                 | It is in degrees.
  linear_acceleration vector3 =0,0,0 [m/s^2]             | Acceleration of its origin.
  acceleration like=pose deprecated=<linear_acceleration>,and,<angular_acceleration>
      | Both accelerations.
  torque vector3 =0,0,0 [N m]                            | Torque on the link.
  force vector3 =0,0,0 [N]                               | Force on the link.
  wrench like=pose deprecated=<force>,and,<torque>       | Force and torque.
  collision_state repeated                               | State of a collision.
    @name string required                                | The collision.
  pose shared                                            | Pose of the link.

joint_state                    | State of a joint.
  @name string required        | The joint.
  angle double =0 [rad or m] deprecated=<axis_state>,and,<axis2_state> | Position of an axis.
    @axis unsigned =0 required | Number of the axis, from 0.
  axis_state as=axis_state     | State of the first axis.
  axis2_state as=axis_state    | State of the second axis.
"""
