# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies and what is on them: joints, geoms, sites, cameras, lights."""

TABLE = """
_rotation
  @quat numbers(4) excludes=axisangle,xyaxes,zaxis,euler | the orientation as a quaternion w x y z
  @axisangle numbers(4) excludes=xyaxes,zaxis,euler      | the orientation as an axis and an angle
  @xyaxes numbers(6) excludes=zaxis,euler
      | the orientation by the directions of the x and the y axis
  @zaxis numbers(3) excludes=euler
      | the orientation by the direction of the z axis: the shortest rotation to it
  @euler numbers(3) [deg or rad]
      | the orientation as three rotations in the order of <compiler eulerseq>

_contact
  @contype integer     | the collision types of the geom, a bit each
  @conaffinity integer | the collision types that the geom touches, a bit each
  @condim 1|3|4|6
  @priority integer
  @friction numbers(1..3)
  @solmix,margin,gap number
  @solref numbers(1..2)
  @solimp numbers(1..5)

_content
  body,frame,replicate,geom,attach,site,camera,light,plugin,composite,flexcomp same

worldbody repeated with=content | the world

body repeated with=rotation,content | a rigid body in the frame of its parent
  @name names=body                  | the name
  @childclass refers=default        | the default class of the elements in it that name none
  @pos numbers(3) [m]               | the position in the frame of the parent
  @mocap boolean                    | whether the body is moved by motion capture
  @fuse
  @gravcomp number
  @sleep auto|never|allowed|init
  @simple false|auto
  @user numbers
  inertial,joint,freejoint same

frame repeated with=rotation,content | a coordinate frame for the elements in it
  @name names=frame                  | the name
  @childclass refers=default         | the default class of the elements in it that name none
  @pos numbers(3) [m]                | the position in the frame of the parent
  inertial,joint,freejoint same

replicate repeated any_attributes | copies of the elements in it
  @count integer required         | how many copies there are
  @offset numbers(3) [m]          | the position of a copy in the frame of the copy before it
  @euler numbers(3) [deg or rad]  | the rotation from copy to copy
  @sep                            | the text between a name and the number of the copy
  @childclass refers=default      | the default class of the elements in it that name none
  body,frame,replicate,inertial,joint,geom,attach,site,camera,light,plugin,composite same

attach repeated                    | a part of another model, attached here
  @model refers=model              | the model to attach, this one where it is absent
  @body refers=body excludes=frame | the body to attach, the whole world where it is absent
  @frame refers=frame              | the frame to attach
  @prefix required                 | the prefix of all names in the attached part

inertial                                                 | mass and inertia of the body
  @pos numbers(3) [m] required                           | the center of mass
  @quat numbers(4) excludes=axisangle,xyaxes,zaxis,euler | the orientation as a quaternion w x y z
  @mass number [kg] required                             | the mass
  @diaginertia numbers(3) [kg m^2] | the moments of inertia about the axes of the inertial frame
  @axisangle numbers(4) excludes=xyaxes,zaxis,euler      | the orientation as an axis and an angle
  @xyaxes numbers(6) excludes=zaxis,euler
      | the orientation by the directions of the x and the y axis
  @zaxis numbers(3) excludes=euler
      | the orientation by the direction of the z axis: the shortest rotation to it
  @euler numbers(3) [deg or rad]
      | the orientation as three rotations in the order of <compiler eulerseq>
  @fullinertia numbers(6) [kg m^2] excludes=quat,axisangle,xyaxes,zaxis,euler
      | the tensor about the center of mass: xx, yy, zz, xy, xz, yz

_joint
  @type free|ball|slide|hinge       | how the joint moves
  @group integer                    | the group, for visibility and inertia
  @pos numbers(3) [m]               | a point on the axis, in the frame of the body
  @axis numbers(3)                  | the direction of the axis, in the frame of the body
  @springdamper numbers(2)
  @limited false|true|auto          | whether the range is a limit
  @actuatorfrclimited false|true|auto | whether actuatorfrcrange is a limit
  @solreflimit,solreffriction numbers(1..2)
  @solimplimit,solimpfriction numbers(1..5)
  @stiffness numbers(1..3)          | the stiffness of the spring
  @range numbers(2) [deg or rad, m] | the minimum and maximum position, of a ball 0 and the maximum
  @actuatorfrcrange numbers(2)      | the minimum and maximum force of all actuators of the joint
  @actuatorgravcomp boolean
  @margin,springyield number
  @ref number [deg or rad, m]       | the position of the joint in the initial configuration
  @springref number [deg or rad, m] | the position in which the spring has no force
  @armature number                  | the inertia of the rotor, as the joint sees it
  @damping numbers(1..3)            | the damping
  @frictionloss number              | the dry friction
  @user numbers

joint repeated with=joint | a joint between the body and its parent
  @name names=joint       | the name
  @class refers=default   | the default class that gives the attributes that are absent

freejoint repeated       | six degrees of freedom of a body of the world
  @name names=joint      | the name
  @group integer         | the group, for visibility and inertia
  @align false|true|auto | whether the body frame is moved to the inertial frame

_geom with=contact,rotation
  @type geom_type           | the shape
  @group integer            | the group, for visibility and inertia
  @size numbers(1..3) [m]   | the size, by shape: radius, half length or half extents
  @material refers=material | the material
  @mass number [kg]         | the mass, in place of the density
  @density number [kg/m^3]  | the density, for mass and inertia
  @shellinertia boolean     | whether the mass is on the surface
  @surfacevel numbers(1..6)
  @adhesion number
  @fromto numbers(6) [m]    | the two ends of a capsule, cylinder, box or ellipsoid
  @pos numbers(3) [m]       | the position in the frame of the parent
  @hfield refers=hfield     | the height field that is the shape
  @mesh refers=mesh         | the mesh that is the shape, or that the shape is fitted to
  @fitscale number          | a factor of the fitted size
  @castshadow boolean
  @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material
  @fluidshape none|ellipsoid
  @fluidcoef numbers(1..5)
  @user numbers

geom repeated with=geom | a shape of the body, for contact and for the eye
  @name names=geom      | the name
  @class refers=default | the default class that gives the attributes that are absent
  plugin same

_site with=rotation
  @type sphere|capsule|ellipsoid|cylinder|box|mesh|sdf | the shape that is drawn
  @mesh refers=mesh
  @group integer            | the group, for visibility and inertia
  @pos numbers(3) [m]       | the position in the frame of the parent
  @material refers=material | the material
  @size numbers(1..3) [m]   | the size, by shape: radius, half length or half extents
  @fromto numbers(6) [m]    | the two ends of a capsule, cylinder, box or ellipsoid
  @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material
  @user numbers

site repeated with=site | a named frame of the body
  @name names=site      | the name
  @class refers=default | the default class that gives the attributes that are absent

_camera with=rotation
  @projection perspective|orthographic
  @fovy number [deg] excludes=sensorsize | the vertical field of view
  @ipd number
  @resolution integers(2)
  @output camera_outputs
  @pos numbers(3) [m]                    | the position in the frame of the parent
  @mode tracking
  @focal,focalpixel,principal,principalpixel,sensorsize numbers(2)
  @user numbers

camera repeated with=camera | a camera on the body
  @name names=camera        | the name
  @class refers=default     | the default class that gives the attributes that are absent
  @target refers=body

_light
  @directional boolean excludes=type
  @type spot|directional|point|image
  @castshadow boolean
  @active boolean
  @pos numbers(3) [m] | the position in the frame of the parent
  @dir numbers(3)     | the direction of the light
  @bulbradius,intensity,range,cutoff,softness,exponent number
  @attenuation numbers(3)
  @ambient,diffuse,specular color(3)
  @mode tracking

light repeated with=light | a light on the body
  @name names=light       | the name
  @class refers=default   | the default class that gives the attributes that are absent
  @target refers=body
  @texture refers=texture
"""
