# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Models, joints, links, their shapes and other parts."""

TABLE = """
_ball                                 | A joint of type ball, which may lack an end.
  parent string nonempty refers=frame | Parent frame, or world.
  child string nonempty refers=frame
      | Child frame, which the joint's pose is relative to by default.

_dynamics                                             | Damping, friction and spring of an axis.
  damping double =0 [N s/m or N m s/rad]              | Viscous damping.
  friction double =0 [N or N m]                       | Static friction.
  spring_reference double =0 [m or rad] nonempty 1.5+ | Position at which the spring is at rest.
  spring_stiffness double =0 [N/m or N m/rad] nonempty 1.5+ | Stiffness of the spring.

_mimic 1.11+                              | q = multiplier * (q_leader - reference) + offset.
  @joint string required refers=joint     | Joint that leads.
  @axis string =axis                      | Which axis of the leading joint.
  multiplier double =1 nonempty           | Ratio of the two positions.
  offset double =0 [m or rad] nonempty    | Position where the leader is at its reference.
  reference double =0 [m or rad] nonempty | Position of the leader at which the offset applies.

_ode_limit                 | How stiff ODE makes a constraint.
  cfm double =0 nonempty   | Constraint force mixing.
  erp double =0.2 nonempty | Error reduction.

sdf                               | An SDFormat file: worlds, or one model, actor or light.
  @version version =NEWEST required | Version of SDFormat that the file is written in.
  world shared repeated           | A world: models, frames and joints, with gravity and scenery.
  model shared                    | The one model of a file without worlds.
  include shared                  | Another file with the one model of a file.
  actor shared checked            | The one actor of a file without worlds.
  light shared checked            | The one light of a file without worlds.

model scope | Links and joints that move as one, and the models nested in it.
  @name string required names=model       | Name, unique in the scope around it.
  @namespace string 1.11+ | Prefix that consumers put before the topics of its plugins.
  @canonical_link frame inside refers=link 1.7+
      | Link that the model's frame is attached to; the first one by default.
  @placement_frame frame inside refers=frame 1.8+
      | Frame in the model that its pose places, instead of its own.
  static bool =false                      | The model never moves.
  self_collide bool =false preserved 1.5+ | Its links collide with each other.
  allow_auto_disable bool =true preserved | A physics engine may put it to sleep while it rests.
  include shared repeated 1.5+ | Another model's file, as a nested model or merged into this one.
  model shared repeated 1.5+              | A nested model with a scope of its own.
  enable_wind bool =false preserved 1.6+  | Wind acts on all its links.
  frame shared repeated 1.5+              | A named frame.
  pose shared outside                     | Pose of the model, or of its placement frame.
  link shared repeated                    | A rigid body.
  joint shared repeated                   | A connection of two frames of the model.
  plugin shared repeated preserved        | Code that a simulator loads for the model.
  gripper shared repeated preserved | Links that grasp, for simulators that fix the grasped object.
  model_state shared dropped 1.12+        | Pose and joint positions with which a simulator begins.

include | Another file put here: a model, or an actor or light of a world.
  @merge bool =false 1.9+ | Its links, joints and frames go into the scope around the include.
  uri string nonempty refers=file       | The file, or the directory with a model.config.
  name string names=model 1.5+          | Name instead of the one in the file.
  namespace string 1.11+                | Namespace instead of the one in the file.
  static bool =false 1.5+               | Whether the model moves, instead of the flag in the file.
  placement_frame string refers=frame 1.8+ | Frame of the included model that the pose places.
  model_state shared dropped 1.12+      | Pose and joint positions with which a simulator begins.
  pose shared 1.5+                      | Pose instead of the one in the file.
  plugin shared repeated preserved 1.5+ | A plugin added to the included model.
  joint shared repeated                 | A joint added to the included model.
  frame shared repeated                 | A frame added to the included model.

frame | A named frame that is fixed to a link, joint, model or other frame.
  @name string required names=frame    | Name, unique in its scope.
  @attached_to frame refers=frame 1.7+ | What it moves with; the scope's own frame by default.
  pose shared                          | Pose, relative to attached_to by default.

pose pose [m, rad]                     | Position and orientation: x y z roll pitch yaw.
  @relative_to frame refers=frame 1.7+ | Frame that the pose is relative to.
  @rotation_format rotation_format =euler_rpy 1.9+
      | Whether the rotation is three angles or a quaternion.
  @degrees bool =false 1.9+            | The three angles are in degrees.

plugin open                 | Code that a simulator loads, with parameters of its own inside.
  @name string              | Name, for the user.
  @filename string required | Shared library.

gripper                           | Links that hold an object by touching it.
  @name string required           | Name.
  grasp_check                     | When something counts as grasped or released.
    detach_steps int =40          | Steps without contact after which it is released.
    attach_steps int =20          | Steps with contact after which it is grasped.
    min_contact_count unsigned =2 | Links that have to touch it.
  gripper_link string nonempty expected repeated refers=link
      | A finger: a link whose contacts count.
  palm_link string nonempty expected refers=link | Link that a grasped object is fixed to.

joint variants=type:ball
    | A connection of a child frame to a parent frame, with up to three degrees of freedom.
  @name string required names=joint            | Name, unique in its scope.
  @type joint_type required                    | How the child can move.
  parent string nonempty required refers=frame | Parent frame, or world.
  child string nonempty required refers=frame
      | Child frame, which the joint's pose is relative to by default.
  gearbox_ratio double =1 | Angle of the parent by the angle of the child, negative.
  gearbox_reference_body string refers=frame
      | Frame that both angles of a gearbox are measured against.
  thread_pitch double =1 [rad/m] deprecated=screw_thread_pitch
      | Turn for a length, positive for a left-handed screw.
  screw_thread_pitch double =1 [m] 1.10+
      | Length for one full turn, positive for a right-handed screw.
  axis                                         | An axis: its direction, limits and dynamics.
    xyz vector3 =0,0,1 nonempty expected       | The direction of an axis.
      @expressed_in string refers=frame 1.7+
          | Frame in which the numbers are; the joint's by default.
    dynamics as=dynamics                       | Damping, friction and spring of an axis.
    limit                                      | Limits of an axis.
      lower double =-inf [m or rad] nonempty   | Minimum position.
      upper double =inf [m or rad] nonempty    | Maximum position.
      effort double =inf [N or N m]            | Maximum effort; a negative one means no limit.
      velocity double =inf [m/s or rad/s]      | Maximum velocity; a negative one means no limit.
      stiffness double =1e8 [N/m or N m/rad] dropped | Stiffness of the stops.
      dissipation double =1 [N s/m or N m s/rad] dropped | Damping of the stops.
    mimic as=mimic                             | q = multiplier * (q_leader - reference) + offset.
  axis2                                        | The second axis of a joint that has two.
    xyz vector3 =0,0,1 nonempty expected       | The direction of an axis.
      @expressed_in string refers=frame 1.7+
          | Frame in which the numbers are; the joint's by default.
    dynamics as=dynamics                       | Damping, friction and spring of an axis.
    limit                                      | Limits of the second axis.
      lower double =-inf [m or rad]            | Minimum position.
      upper double =inf [m or rad]             | Maximum position.
      effort double =inf [N or N m]            | Maximum effort; a negative one means no limit.
      velocity double =inf [m/s or rad/s]      | Maximum velocity; a negative one means no limit.
      stiffness double =1e8 [N/m or N m/rad] dropped | Stiffness of the stops.
      dissipation double =1 [N s/m or N m s/rad] dropped | Damping of the stops.
    mimic as=mimic                             | q = multiplier * (q_leader - reference) + offset.
  physics preserved                            | Parameters of physics engines for a joint.
    simbody                                    | Parameters of Simbody for a joint.
      must_be_loop_joint bool =false           | Cut loops at this joint.
    ode                                        | Parameters of ODE for a joint.
      cfm_damping bool =false                  | Damping by constraint force mixing.
      implicit_spring_damper bool =false       | Springs and dampers by constraint force mixing.
      fudge_factor double =0                   | Scale of a motor's force at the limits.
      cfm double =0                            | Constraint force mixing.
      erp double =0.2                          | Error reduction.
      bounce double =0                         | Bounce at the limits.
      max_force double =0 [N or N m]           | Maximum effort to reach the velocity.
      velocity double =0 [m/s or rad/s]        | Velocity that is wanted at the start.
      limit as=ode_limit                       | At the limits.
      suspension as=ode_limit                  | Of the suspension.
    provide_feedback bool =false               | Compute the forces in the joint.
  pose shared                                  | Pose of the joint's frame.
  sensor shared repeated preserved             | A sensor at the joint, such as force and torque.

link                                              | A rigid body with inertia, shapes and sensors.
  @name string required names=link                | Name, unique in its scope.
  gravity bool =true preserved                    | Gravity acts on it.
  enable_wind bool =false preserved 1.6+          | Wind acts on it.
  self_collide bool =false preserved              | It collides with other links of its model.
  kinematic bool =false preserved                 | Forces do not move it.
  must_be_base_link bool =false preserved         | It moves freely against the world, for Simbody.
  velocity_decay preserved                        | Damping of a link's motion against the world.
    linear double =0                              | Share of the linear velocity lost.
    angular double =0                             | Share of the angular velocity lost.
  pose shared                                     | Pose, relative to its model's frame by default.
  inertial shared                                 | Mass, center of mass and inertia.
  collision shared repeated                       | A shape for contacts.
  visual shared repeated                          | A shape to look at.
  sensor shared repeated preserved                | A sensor fixed to it.
  projector shared repeated preserved             | A projector of textures.
  audio_sink shared repeated preserved            | A microphone.
  audio_source shared repeated preserved          | A loudspeaker.
  battery shared repeated preserved 1.5+          | A battery.
  light shared repeated preserved 1.6+            | A lamp fixed to it.
  particle_emitter shared repeated preserved 1.6+ | A source of particles.

inertial                                     | Mass, center of mass and inertia of a link.
  @auto bool =false 1.11+                    | Compute mass and inertia from the collisions.
  mass double =1 [kg]                        | Mass; with auto it scales the computed inertia.
  density double =1000 [kg/m^3] 1.11+        | Density for collisions that have none, with auto.
  auto_inertia_params skipped 1.11+          | Parameters for computing the inertia of meshes.
  pose pose [m, rad] | Center of mass and axes of the inertia, always relative to the link.
    @relative_to frame checked               | No frame but the link's is possible.
    @rotation_format string =euler_rpy 1.9+ | Whether the rotation is three angles or a quaternion.
    @degrees bool =false 1.9+                | The three angles are in degrees.
  inertia | The symmetric inertia tensor about the center of mass.
    ixx double =1 [kg m^2] nonempty expected | Moment about x.
    ixy double =0 [kg m^2] nonempty          | Product of x and y.
    ixz double =0 [kg m^2] nonempty          | Product of x and z.
    iyy double =1 [kg m^2] nonempty expected | Moment about y.
    iyz double =0 [kg m^2] nonempty          | Product of y and z.
    izz double =1 [kg m^2] nonempty expected | Moment about z.
  fluid_added_mass dropped 1.10+ | The symmetric 6 by 6 added mass; x y z is force, p q r torque.
    xx,xy,xz double =0 [kg]                  | Force along x for acceleration.
    xp,xq,xr double =0 [kg m]                | Force along x for angular acceleration.
    yy,yz double =0 [kg]                     | Force along y for acceleration.
    yp,yq,yr double =0 [kg m]                | Force along y for angular acceleration.
    zz double =0 [kg]                        | Force along z for acceleration.
    zp,zq,zr double =0 [kg m]                | Force along z for angular acceleration.
    pp,pq,pr double =0 [kg m^2]              | Torque about x for angular acceleration.
    qq,qr double =0 [kg m^2]                 | Torque about y for angular acceleration.
    rr double =0 [kg m^2]                    | Torque about z for angular acceleration.

audio_sink | A microphone at the link.

audio_source                           | A loudspeaker at the link.
  uri string nonempty                  | Sound file.
  pitch double =1                      | Factor on the pitch.
  gain double =1                       | Factor on the loudness.
  contact                              | Collisions whose contacts start the sound.
    collision string nonempty repeated | Name of a collision.
  loop bool =false                     | Start again at the end.
  pose shared                          | Pose in the link.

battery                          | A battery of a link.
  @name string required          | Name.
  voltage double =0 [V] nonempty | Voltage when full.

projector                   | A projector that throws a texture onto the scene before it.
  @name string required     | Name.
  texture string nonempty   | Texture.
  fov double =0.785 [rad]   | Angle of the light cone.
  near_clip double =0.1 [m] | Distance at which the cone begins.
  far_clip double =10 [m]   | Distance at which the cone ends.
  visibility_flags unsigned =4294967295 1.7+ | Bits that choose which visuals are lit.
  pose shared               | Pose in the link.
  plugin shared repeated    | Code that a simulator loads for the projector.

particle_emitter                     | A source of particles such as smoke.
  @name string required              | Name.
  @type emitter_type =point required | Shape of the volume in which particles begin.
  emitting bool =true                | It is switched on.
  duration double =0 [s]             | How long it emits; 0 is without end.
  size vector3 =1,1,1 [m]            | Size of the volume.
  particle_size vector3 =1,1,1 [m]   | Size of a particle.
  lifetime double =5 [s]             | How long a particle lives.
  rate double =10 [1/s] 0..          | Particles in a second.
  min_velocity double =1 [m/s] 0..   | Minimum speed of a new particle.
  max_velocity double =1 [m/s] 0..   | Maximum speed of a new particle.
  scale_rate double =0 [m/s] 0..     | Growth of a particle.
  color_start color =1,1,1,1         | Color of a new particle.
  color_end color =1,1,1,1           | Color at the end of its life.
  color_range_image string           | Image whose colors run over its life, instead of two colors.
  topic string                       | Topic that changes the emitter.
  particle_scatter_ratio double =0.65 | Share of the particles that sensors see.
  pose shared                        | Pose in the link.
  material shared                    | Look of a particle.

collision                             | A shape for contacts.
  @name string required               | Name, unique in its link.
  laser_retro double =0 preserved     | How strongly it reflects a laser.
  max_contacts int =10 preserved      | Contacts with another collision that count.
  density double =1000 [kg/m^3] 1.11+ | Density, where the link's inertia is automatic.
  auto_inertia_params skipped 1.11+   | Parameters for computing the inertia of meshes.
  pose shared                         | Pose in the link.
  geometry shared expected            | Its shape.
  surface shared preserved            | Friction, bounce and contact stiffness.

visual                              | A shape to look at.
  @name string required             | Name, unique in its link.
  cast_shadows bool =true preserved | It throws shadows.
  laser_retro double =0 preserved   | How strongly it reflects a laser.
  transparency double =0 preserved  | 0 is opaque, 1 is invisible.
  visibility_flags unsigned =4294967295 preserved 1.7+ | Bits that choose which cameras see it.
  meta preserved 1.5+               | Settings for a user interface.
    layer int =0                    | Layer that can be hidden.
  pose shared                       | Pose in the link.
  material shared                   | Its look.
  geometry shared expected          | Its shape.
  plugin shared repeated preserved  | Code that a simulator loads for the visual.

geometry                | One shape.
  empty                 | No shape.
  box shared            | A box.
  capsule shared 1.8+   | A cylinder with half spheres at both ends.
  cone shared 1.11+     | A cone.
  cylinder shared       | A cylinder.
  ellipsoid shared 1.8+ | An ellipsoid.
  heightmap shared      | Terrain from an image.
  image shared          | Boxes from the dark pixels of an image.
  mesh shared           | A mesh file.
  plane shared          | A plane.
  polyline shared 1.5+  | An outline that is extruded along z.
  sphere shared         | A sphere.

box                                         | A box about its center.
  size vector3 =1,1,1 [m] nonempty expected | Lengths of its sides.

capsule                                    | A cylinder along z with half spheres at both ends.
  radius double =0.5 [m] nonempty expected | Radius.
  length double =1 [m] nonempty expected   | Length of the cylinder without the half spheres.

cone                                     | A cone along z about the middle of its axis, its tip up.
  radius double =1 [m] nonempty expected | Radius of the base.
  length double =1 [m] nonempty expected | Height.

cylinder                                 | A cylinder along z about its center.
  radius double =1 [m] nonempty expected | Radius.
  length double =1 [m] nonempty expected | Length.

ellipsoid                                    | An ellipsoid about its center.
  radii vector3 =1,1,1 [m] nonempty expected | Half lengths of its three axes.

heightmap                                  | Terrain from a gray-scale image.
  uri string nonempty expected refers=file | Image file.
  size vector3 =1,1,1 [m]                  | Size of the terrain.
  pos vector3 =0,0,0 [m]                   | Position of its center.
  texture repeated dropped                 | An image to paint terrain with.
    size double =10 [m] nonempty           | Length of terrain that the image covers.
    diffuse string nonempty                | Image with the colors.
    normal string nonempty                 | Image with the normals.
  blend repeated dropped                   | How two textures go over into each other.
    min_height double =0 [m] nonempty      | Height at which the next texture begins.
    fade_dist double =0 [m] nonempty       | Height over which they blend.
  use_terrain_paging bool =false dropped   | Load the terrain in pieces.
  sampling unsigned =1 dropped 1.6+        | Samples for each pixel.

image                                      | Boxes from the dark pixels of an image.
  uri string nonempty expected refers=file | Image file.
  scale double =1 nonempty                 | Factor on the size.
  threshold int =200 nonempty              | Gray below which a pixel is a box.
  height double =1 [m] nonempty            | Height of the boxes.
  granularity int =1 nonempty              | Pixels that one box stands for.

mesh                                       | A mesh file.
  @optimization string dropped 1.11+       | How a physics engine may simplify the mesh.
  convex_decomposition dropped 1.11+       | How to cut a mesh into convex parts.
    max_convex_hulls unsigned =16          | Maximum number of parts.
    voxel_resolution unsigned =200000      | Voxels for the decomposition.
  uri string nonempty expected refers=file | Mesh file.
  submesh                                  | One named part of a mesh file.
    name string nonempty                   | Name of the part.
    center bool =false                     | Move the part to its origin.
  scale vector3 =1,1,1                     | Factors along x, y and z.

plane                                | A plane through the origin.
  normal vector3 =0,0,1 nonempty     | Direction that it faces.
  size vector2 =1,1 [m] 0.. nonempty | Lengths of its sides, for drawing.

polyline                                 | An outline in the x-y plane that is extruded along z.
  point vector2 =0,0 [m] nonempty expected repeated | A corner.
  height double =1 [m] nonempty expected | Length of the extrusion.

sphere                                   | A sphere about its center.
  radius double =1 [m] nonempty expected | Radius.
"""
