# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Actuators and sensors."""

TABLE = """
_actuator
  @group integer | the group, for visibility and inertia
  @nsample integer
  @interp zoh|linear|cubic
  @delay number
  @ctrlrange numbers(2)
  @user numbers

_actuator_name
  @name names=actuator  | the name
  @class refers=default | the default class that gives the attributes that are absent

_dynamics
  @gear numbers(1..6)
  @damping numbers(1..3)
  @armature number | the inertia of the rotor, as the joint sees it
  @cranklength number

_length_range
  @lengthrange numbers(2)

_forces
  @ctrllimited,forcelimited false|true|auto
  @forcerange numbers(2)

_transmission
  @joint,jointinparent refers=joint
  @tendon refers=tendon
  @slidersite,cranksite,site,refsite refers=site

actuator repeated preserved                                         | actuators
  general,motor,position,velocity,intvelocity,orientation,pid,damper,cylinder,muscle,adhesion same
  dcmotor same
  plugin repeated with=actuator,dynamics,actuator_name,length_range | an actuator of a plugin
    @plugin
    @instance refers=instance
    @ctrllimited,forcelimited,actlimited false|true|auto
    @forcerange,actrange numbers(2)
    @joint,jointinparent refers=joint
    @site,cranksite,slidersite refers=site
    @actdim integer
    @dyntype dynamics_type
    @dynprm numbers(1..10)
    @tendon refers=tendon
    @actearly boolean
    config same

_general with=actuator,dynamics
  @ctrllimited,forcelimited,actlimited false|true|auto
  @forcerange,actrange,velrange,ffrange numbers(2)
  @actdim integer
  @input inputs
  @dyntype dynamics_type
  @gaintype fixed|affine|muscle|dcmotor|so3|pid|user
  @biastype none|affine|muscle|dcmotor|so3|user
  @dynprm numbers(1..10)
  @gainprm,biasprm numbers(1..10)
  @actearly boolean
  @inheritrange number

general repeated with=general,actuator_name,length_range,transmission
      | an actuator with all its settings
  @body refers=body

_motor with=actuator,dynamics,forces

motor repeated with=motor,actuator_name,length_range,transmission | a force or torque

_position with=actuator,dynamics,forces
  @inheritrange,kp,kv,dampratio,timeconst number

position repeated with=position,actuator_name,length_range,transmission | a position servo

_velocity with=actuator,dynamics,forces
  @kv number

velocity repeated with=velocity,actuator_name,length_range,transmission | a velocity servo

_intvelocity with=actuator,dynamics,forces
  @actlimited false|true|auto
  @actrange numbers(2)
  @inheritrange,kp,kv,dampratio number

intvelocity repeated with=intvelocity,actuator_name,length_range,transmission
      | an integrated velocity servo

_orientation with=actuator
  @forcelimited false|true|auto
  @forcerange numbers(2)
  @kp,kv,dampratio number
  @input inputs

orientation repeated with=orientation,actuator_name | an orientation servo
  @joint refers=joint
  @site,refsite refers=site

_pid with=actuator,dynamics
  @ctrllimited,forcelimited false|true|auto
  @posrange,velrange,ffrange,forcerange numbers(2)
  @inheritrange,kp,kv,dampratio,ki,imax,slewmax number
  @input inputs

pid repeated with=pid,actuator_name,length_range,transmission | a PID servo

_damper with=actuator,dynamics
  @forcelimited false|true|auto
  @forcerange numbers(2)
  @kv number

damper repeated with=damper,actuator_name,length_range,transmission | an active damper

_cylinder with=actuator,dynamics,forces
  @timeconst,area,diameter number
  @bias numbers(3)

cylinder repeated with=cylinder,actuator_name,length_range,transmission
      | a pneumatic or hydraulic cylinder

_muscle with=actuator,dynamics
  @ctrllimited,forcelimited false|true|auto
  @forcerange,timeconst,range numbers(2)
  @force,scale,lmin,lmax,vmax,fpmax,fvmax number

muscle repeated with=muscle,actuator_name,length_range | a muscle
  @joint,jointinparent refers=joint
  @tendon refers=tendon
  @slidersite,cranksite refers=site
  @tausmooth number

_adhesion with=actuator
  @forcelimited false|true|auto
  @forcerange numbers(2)
  @gain number

adhesion repeated with=adhesion,actuator_name | an adhesion actuator
  @body refers=body

_dcmotor with=actuator,dynamics
  @ctrllimited false|true|auto
  @motorconst,inductance numbers(1..2)
  @resistance number
  @nominal,saturation,cogging numbers(1..3)
  @controller,thermal numbers(1..6)
  @lugre numbers(1..5)
  @input inputs

dcmotor repeated with=dcmotor,actuator_name,length_range,transmission | a DC motor

_sensor
  @name names=sensor | the name
  @nsample integer
  @interp zoh|linear|cubic
  @delay,cutoff,noise number
  @interval numbers(1..2)
  @user numbers

sensor repeated preserved                                    | sensors
  touch,accelerometer,velocimeter,gyro,force,torque,magnetometer repeated with=sensor
      | a sensor at a site
    @site refers=site required
  camprojection repeated with=sensor                         | where a camera sees a site
    @site refers=site required
    @camera refers=camera required
  rangefinder repeated with=sensor any_of=site,camera | distances along rays of a site or camera
    @site refers=site excludes=camera
    @camera refers=camera
    @data ray_outputs
  jointpos,jointvel,jointactuatorfrc repeated with=sensor    | a sensor of a joint
    @joint refers=joint required
  jointlimitpos,jointlimitvel,jointlimitfrc repeated with=sensor | a sensor of the limit of a joint
    @joint refers=joint required
  ballquat,ballangvel repeated with=sensor                   | a sensor of a ball joint
    @joint refers=joint required
  tendonpos,tendonvel,tendonactuatorfrc repeated with=sensor | a sensor of a tendon
    @tendon refers=tendon required
  tendonlimitpos,tendonlimitvel,tendonlimitfrc repeated with=sensor
      | a sensor of the limit of a tendon
    @tendon refers=tendon required
  actuatorpos,actuatorvel,actuatorfrc repeated with=sensor   | a sensor of an actuator
    @actuator refers=actuator required
  framepos,framequat,framexaxis,frameyaxis,framezaxis,framelinvel,frameangvel repeated with=sensor
      | a sensor of an object, in the frame of another one
    @objtype frame_type required
    @objname required
    @reftype frame_type
    @refname
  framelinacc,frameangacc repeated with=sensor               | a sensor of an object
    @objtype frame_type required
    @objname required
  subtreecom,subtreelinvel,subtreeangmom repeated with=sensor
      | a sensor of a body with all bodies below it
    @body refers=body required
  insidesite repeated with=sensor                            | whether an object is inside a site
    @site refers=site required
    @objtype frame_type required
    @objname required
    @enclosed boolean
  distance,normal,fromto repeated with=sensor any_of=geom2,body2
      | the least distance of two geoms or bodies, and where it is
    @geom1 refers=geom excludes=body1
    @geom2 refers=geom excludes=body2
    @body1,body2 refers=body
  contact repeated with=sensor | the contacts between two parts of the model
    @geom1 refers=geom excludes=body1,subtree1,site
    @geom2 refers=geom excludes=body2,subtree2
    @body1 refers=body excludes=subtree1,site
    @body2 refers=body excludes=subtree2
    @subtree1 refers=body excludes=site
    @subtree2 refers=body
    @site refers=site
    @num integer
    @data contact_outputs
    @reduce none|mindist|maxforce|netforce
  e_potential,e_kinetic,clock repeated with=sensor           | the energy of the model, or its time
  tactile repeated                                           | the pressure on the points of a mesh
    @name names=sensor                                       | the name
    @cutoff,delay number
    @geom refers=geom required
    @mesh refers=mesh required
    @nsample integer
    @interp zoh|linear|cubic
    @interval numbers(1..2)
    @user numbers
  user repeated                                              | a sensor of the user
    @name names=sensor                                       | the name
    @objtype requires=objname
    @objname requires=objtype
    @datatype real|positive|axis|quaternion
    @needstage none|pos|vel|acc
    @dim integer required
    @cutoff,noise number
    @user numbers
  plugin repeated                                            | a sensor of a plugin
    @name names=sensor                                       | the name
    @plugin,objtype,objname,reftype,refname
    @instance refers=instance
    @cutoff number
    @user numbers
    config same
"""
