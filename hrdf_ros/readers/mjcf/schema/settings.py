# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Settings of the simulation and the visualizer, plugins, and data of the user."""

TABLE = """
option repeated preserved     | simulation options
  @timestep number [s]        | the time between two steps of the simulation
  @impratio,tolerance,ls_tolerance,noslip_tolerance,ccd_tolerance,sleep_tolerance number
  @density,viscosity,o_margin number
  @gravity numbers(3) [m/s^2] | the acceleration of gravity
  @wind,magnetic numbers(3)
  @o_solref numbers(1..2)
  @o_solimp,o_friction numbers(1..5)
  @integrator Euler|RK4|implicit|implicitfast|discrete
  @cone pyramidal|elliptic
  @jacobian dense|sparse|auto
  @solver PGS|CG|Newton
  @iterations,ls_iterations,noslip_iterations,ccd_iterations,sdf_iterations,sdf_initpoints integer
  @actuatorgroupdisable integers
  flag same

flag | parts of the simulation that are switched on or off
  @constraint,equality,frictionloss,limit,contact,spring,damper,gravity,clampctrl disable|enable
  @warmstart,filterparent,actuation,refsafe,sensor,midphase,eulerdamp,autoreset disable|enable
  @nativeccd,island,multiccd,override,energy,fwdinv,invdiscrete,sleep,diagexact disable|enable
  @ipc,speculative disable|enable

size repeated preserved | sizes of the simulation's memory
  @memory memory excludes=nstack,njmax
  @njmax,nconmax,nstack,nuserdata,nkey,nuser_body,nuser_jnt,nuser_geom,nuser_site,nuser_cam integer
  @nuser_tendon,nuser_actuator,nuser_sensor integer

statistic repeated preserved | overrides of model statistics
  @meaninertia,meanmass,meansize,extent number
  @center numbers(3)

visual repeated preserved | settings of MuJoCo's visualizer
  global,quality,headlight,map,scale,rgba same

global               | global settings of the visualizer
  @cameraid,offwidth,offheight integer
  @orthographic,ellipsoidinertia,bvactive boolean
  @fovy number [deg] | the vertical field of view
  @ipd,azimuth,elevation,linewidth,glow,realtime number

quality | rendering quality
  @shadowsize,offsamples,numslices,numstacks,numquads integer

headlight | the light at the camera
  @ambient,diffuse,specular color(3)
  @active integer

map | scalings of the visualizer
  @stiffness,stiffnessrot,force,torque,alpha,fogstart,fogend,znear,zfar,haze,shadowclip number
  @shadowscale,actuatortendon number

scale | sizes of decor elements
  @forcewidth,contactwidth,contactheight,connect,com,camera,light,selectpoint,jointlength number
  @jointwidth,actuatorlength,actuatorwidth,framelength,framewidth,constraint,slidercrank number
  @frustum number

rgba | colors of decor elements
  @fog,haze,force,inertia,joint,actuator,actuatornegative,actuatorpositive,com,camera color(4)
  @light,selectpoint,connect,contactpoint,contactforce,contactfriction,contacttorque color(4)
  @contactgap,rangefinder,constraint,slidercrank,crankbroken,frustum,bv,bvactive color(4)

extension repeated preserved | plugins that the model uses
  plugin repeated            | a plugin and its instances
    @plugin
    instance same

plugin repeated checked | a plugin of the element
  @plugin
  @instance refers=instance
  config same

instance repeated               | an instance of a plugin
  @name names=instance required | the name
  config same

config repeated | a key and value for a plugin
  @key required
  @value

custom repeated preserved | numbers, texts and tuples of the user
  numeric,text,tuple same

numeric repeated               | numbers by name
  @name names=numeric required | the name
  @size integer
  @data

text repeated               | a text by name
  @name names=text required | the name
  @data required

tuple repeated               | a list of objects by name
  @name names=tuple required | the name
  element same

element repeated | an object in the tuple
  @objtype,objname required
  @prm number

keyframe repeated | states of the simulation
  key same

key repeated      | a state of the simulation by name
  @name names=key | the name
  @time number
  @qpos,qvel,act,mpos,mquat,ctrl,plastic numbers
"""
