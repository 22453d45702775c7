# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements that connect bodies: equality constraints, contacts, tendons, deformable objects."""

TABLE = """
_equality
  @active boolean | whether the constraint holds at the start
  @solref numbers(1..2)
  @solimp numbers(1..5)

_equality_name
  @name names=equality  | the name
  @class refers=default | the default class that gives the attributes that are absent

equality repeated                 | equality constraints
  connect,weld,flexstrain same
  joint repeated with=equality,equality_name | the position of a joint is a polynomial of another's
    @joint1 refers=joint required | the joint that follows
    @joint2 refers=joint          | the joint that leads, none where joint1 is held
    @polycoef numbers(1..5)       | the coefficients of the polynomial, the constant first
  tendon repeated with=equality,equality_name | the length of a tendon is a polynomial of another's
    @tendon1 refers=tendon required
    @tendon2 refers=tendon
    @polycoef numbers(1..5)       | the coefficients of the polynomial, the constant first
  flex repeated with=equality,equality_name | the lengths of the edges of a flex
    @flex refers=flex required

connect repeated with=equality,equality_name any_of=site1,body1 | two bodies share a point
  @body1 refers=body                                            | the first body
  @body2 refers=body | the second body, the world where it is absent
  @anchor numbers(3) [m] | the common point, in the frame of the first body
  @site1 refers=site excludes=body1,body2,anchor requires=site2 | a site on the first body
  @site2 refers=site excludes=body1,body2,anchor requires=site1 | a site on the second body

weld repeated with=equality,equality_name any_of=site1,body1 | two bodies keep their relative pose
  @body1 refers=body  | the first body
  @body2 refers=body  | the second body, the world where it is absent
  @relpose numbers(7) | the pose of the second body in the frame of the first: position, quaternion
  @anchor numbers(3) [m] | the common point, in the frame of the first body
  @site1 refers=site excludes=body1,body2,anchor,relpose requires=site2 | a site on the first body
  @site2 refers=site excludes=body1,body2,anchor,relpose requires=site1 | a site on the second body
  @torquescale number

flexstrain repeated with=equality,equality_name | the strains of a flex
  @flex refers=flex required
  @cell numbers(3)

contact repeated preserved | contact pairs
  pair,exclude same

_pair
  @condim 1|3|4|6
  @friction,solimp numbers(1..5)
  @solref,solreffriction numbers(1..2)
  @gap,margin,adhesion number

pair repeated with=pair | a pair of geoms that may touch
  @name names=pair      | the name
  @class refers=default | the default class that gives the attributes that are absent
  @geom1,geom2 refers=geom

exclude repeated              | a pair of bodies that do not touch
  @name names=exclude         | the name
  @body1 refers=body required | the first body
  @body2 refers=body required | the second body, the world where it is absent

deformable repeated preserved | flexible objects and skins
  flex,skin same

flex repeated               | a flexible object
  @name names=flex          | the name
  @group integer            | the group, for visibility and inertia
  @dim integer
  @radius number
  @material refers=material | the material
  @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material
  @flatskin boolean
  @body required
  @vertex,texcoord,nodecoord numbers
  @element integers required
  @elemtexcoord integers
  @node
  @cellcount integers(3)
  @dof full|radial|trilinear|quadratic|2d
  contact as=flex_contact
  elasticity same
  edge                      | edges of the flexible object
    @stiffness,damping number

_tendon
  @group integer                    | the group, for visibility and inertia
  @limited false|true|auto          | whether the range is a limit
  @actuatorfrclimited false|true|auto | whether actuatorfrcrange is a limit
  @range numbers(2) [deg or rad, m] | the minimum and maximum position, of a ball 0 and the maximum
  @actuatorfrcrange numbers(2)      | the minimum and maximum force of all actuators of the tendon
  @solreflimit,solreffriction,springlength numbers(1..2)
  @solimplimit,solimpfriction numbers(1..5)
  @frictionloss number              | the dry friction
  @margin,springyield number
  @stiffness,damping numbers(1..3)
  @armature number                  | the inertia of the rotor, as the joint sees it
  @user numbers

tendon repeated preserved | tendons
  spatial,fixed same

spatial repeated with=tendon | a tendon along a path
  @name names=tendon         | the name
  @class refers=default      | the default class that gives the attributes that are absent
  @width number
  @material refers=material  | the material
  @rgba color(4)             | red, green, blue, alpha in 0 .. 1, where there is no material
  pulley same
  site repeated              | a site on the path
    @site refers=site required
  geom repeated              | a geom that the path wraps around
    @geom refers=geom required
    @sidesite refers=site

pulley repeated | a branch of the path
  @divisor number

fixed repeated with=tendon | a tendon that is a sum of joint positions
  @name names=tendon       | the name
  @class refers=default    | the default class that gives the attributes that are absent
  joint repeated           | a joint in the sum
    @joint refers=joint required
    @coef number required

composite repeated checked    | a composite object
  @prefix
  @type particle|grid|rope|loop|cable|cloth required
  @count integers(1..3)
  @offset numbers(3)
  @vertex numbers
  @initial,curve
  @size numbers(1..3) [m]     | the size, by shape: radius, half length or half extents
  @quat numbers(4)            | the orientation as a quaternion w x y z
  plugin same
  joint repeated              | joints of the composite object
    @kind main required
    @group integer            | the group, for visibility and inertia
    @stiffness,damping,margin number
    @armature number          | the inertia of the rotor, as the joint sees it
    @solreffix,solreflimit,solreffriction numbers(1..2)
    @solimpfix,solimplimit,solimpfriction numbers(1..5)
    @type free|ball|slide|hinge
    @axis numbers(3)          | the direction of the axis, in the frame of the body
    @limited false|true|auto  | whether the range is a limit
    @range numbers(2) [deg or rad, m]
      | the minimum and maximum position, of a ball 0 and the maximum
    @frictionloss number      | the dry friction
  skin                        | the skin of the composite object
    @texcoord boolean
    @material refers=material | the material
    @group integer            | the group, for visibility and inertia
    @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material
    @inflate number
    @subgrid integer
  geom with=contact           | geoms of the composite object
    @type geom_type
    @group integer            | the group, for visibility and inertia
    @size numbers(1..3) [m]   | the size, by shape: radius, half length or half extents
    @material refers=material | the material
    @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material
    @mass,adhesion number
    @density number [kg/m^3]  | the density, for mass and inertia
    @surfacevel numbers(1..6)
  site                        | sites of the composite object
    @group integer            | the group, for visibility and inertia
    @size numbers(1..3) [m]   | the size, by shape: radius, half length or half extents
    @material refers=material | the material
    @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material

flexcomp repeated checked   | a flexible object
  @name names=flex required | the name
  @mesh refers=mesh
  @type flex_type
  @group integer            | the group, for visibility and inertia
  @dim integer
  @dof full|radial|trilinear|quadratic|2d
  @count integers(3)
  @cellcount integers(3)
  @spacing,scale,origin numbers(3)
  @radius,mass,inertiabox number
  @rigid,flatskin boolean
  @file refers=file         | the file, in the directory that <compiler> names
  @point,element,texcoord numbers
  @material refers=material | the material
  @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material
  @pos numbers(3) [m]       | the position in the frame of the parent
  @quat numbers(4) excludes=axisangle,xyaxes,zaxis,euler | the orientation as a quaternion w x y z
  @axisangle numbers(4) excludes=xyaxes,zaxis,euler      | the orientation as an axis and an angle
  @xyaxes numbers(6) excludes=zaxis,euler
      | the orientation by the directions of the x and the y axis
  @zaxis numbers(3) excludes=euler
      | the orientation by the direction of the z axis: the shortest rotation to it
  @euler numbers(3) [deg or rad]
      | the orientation as three rotations in the order of <compiler eulerseq>
  contact as=flex_contact
  elasticity,pin,plugin same
  edge                      | edges of the flexible object
    @equality false|true|strain
    @solref numbers(1..2)
    @solimp numbers(1..5)
    @stiffness,damping number

_flex_contact with=contact | contact of the flexible object
  @condim integer
  @selfcollide none|narrow|bvh|sap|auto
  @activelayers integer
  @passive boolean

elasticity | elasticity of the flexible object
  @young,poisson,damping,thickness,shear number
  @yield numbers(1..2)
  @elastic2d none|bend|stretch|both
  @section circle|box
  @sectionsize numbers(2)

pin repeated | points of the flexible object that are fixed
  @id,range,grid,gridrange integers
"""
