# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The structure of the MJCF that is kept for MuJoCo, in the notation of ``grammar``."""

ELEMENTS = """
lengthrange: how length ranges of actuators are computed
  mode=lrmode useexisting:b uselimit:b accel:1 maxforce:1 timeconst:1 timestep:1 inttotal:1
  interval:1 tolrange:1
option: simulation options
  timestep:1 impratio:1 tolerance:1 ls_tolerance:1 noslip_tolerance:1 ccd_tolerance:1
  sleep_tolerance:1 gravity:3 wind:3 magnetic:3 density:1 viscosity:1 o_margin:1 o_solref:1-2
  o_solimp:1-5 o_friction:1-5 integrator=integrator cone=cone jacobian=jacobian solver=solver
  iterations:i ls_iterations:i noslip_iterations:i ccd_iterations:i sdf_iterations:i
  sdf_initpoints:i actuatorgroupdisable:*i
  > flag?
flag: parts of the simulation that are switched on or off
  constraint=enable equality=enable frictionloss=enable limit=enable contact=enable
  spring=enable damper=enable gravity=enable clampctrl=enable warmstart=enable
  filterparent=enable actuation=enable refsafe=enable sensor=enable midphase=enable
  eulerdamp=enable autoreset=enable nativeccd=enable island=enable multiccd=enable
  override=enable energy=enable fwdinv=enable invdiscrete=enable sleep=enable diagexact=enable
  ipc=enable speculative=enable
size: sizes of the simulation's memory
  memory njmax:i nconmax:i nstack:i nuserdata:i nkey:i nuser_body:i nuser_jnt:i nuser_geom:i
  nuser_site:i nuser_cam:i nuser_tendon:i nuser_actuator:i nuser_sensor:i
  ! exclusive memory nstack
  ! exclusive memory njmax
statistic: overrides of model statistics
  meaninertia:1 meanmass:1 meansize:1 extent:1 center:3
visual: settings of MuJoCo's visualizer
  > global? quality? headlight? map? scale? rgba?
global: global settings of the visualizer
  cameraid:i orthographic:b fovy:1 ipd:1 azimuth:1 elevation:1 linewidth:1 glow:1 offwidth:i
  offheight:i realtime:1 ellipsoidinertia:b bvactive:b
quality: rendering quality
  shadowsize:i offsamples:i numslices:i numstacks:i numquads:i
headlight: the light at the camera
  ambient:3 diffuse:3 specular:3 active:i
map: scalings of the visualizer
  stiffness:1 stiffnessrot:1 force:1 torque:1 alpha:1 fogstart:1 fogend:1 znear:1 zfar:1 haze:1
  shadowclip:1 shadowscale:1 actuatortendon:1
scale: sizes of decor elements
  forcewidth:1 contactwidth:1 contactheight:1 connect:1 com:1 camera:1 light:1 selectpoint:1
  jointlength:1 jointwidth:1 actuatorlength:1 actuatorwidth:1 framelength:1 framewidth:1
  constraint:1 slidercrank:1 frustum:1
rgba: colors of decor elements
  fog:4 haze:4 force:4 inertia:4 joint:4 actuator:4 actuatornegative:4 actuatorpositive:4 com:4
  camera:4 light:4 selectpoint:4 connect:4 contactpoint:4 contactforce:4 contactfriction:4
  contacttorque:4 contactgap:4 rangefinder:4 constraint:4 slidercrank:4 crankbroken:4 frustum:4
  bv:4 bvactive:4
extension: plugins that the model uses
  > extension_plugin
extension_plugin: a plugin and its instances
  plugin
  > instance
instance: an instance of a plugin
  name!
  > config
config: a key and value for a plugin
  key! value
skin: a deformable skin
  name file:f material@material rgba:4 inflate:1 vertex:* texcoord:* face:*i group:i
  > bone
bone: a body that moves the skin
  body@body! bindpos:3 bindquat:4 vertid:*i vertweight:*
composite: a composite object
  prefix type=comp! count:1-3i offset:3 vertex:* initial curve size:1-3 quat:4
  > composite_joint composite_skin? composite_geom? composite_site? plugin
composite_joint: joints of the composite object
  kind=jkind! group:i stiffness:1 damping:1 armature:1 solreffix:1-2 solimpfix:1-5
  type=jointtype axis:3 limited=FalseTrueAuto range:2 margin:1 solreflimit:1-2 solimplimit:1-5
  frictionloss:1 solreffriction:1-2 solimpfriction:1-5
composite_skin: the skin of the composite object
  texcoord:b material@material group:i rgba:4 inflate:1 subgrid:i
composite_geom: geoms of the composite object
  type=geomtype +contact group:i size:1-3 material@material rgba:4 mass:1 density:1
  surfacevel:1-6 adhesion:1
composite_site: sites of the composite object
  group:i size:1-3 material@material rgba:4
flexcomp: a flexible object
  name! mesh@mesh type=fcomp group:i dim:i dof=fdof count:3i cellcount:3i spacing:3 radius:1
  rigid:b mass:1 inertiabox:1 scale:3 file:f point:* element:* texcoord:* material@material rgba:4
  flatskin:b pos:3 quat:4 axisangle:4 xyaxes:6 zaxis:3 euler:3 origin:3
  > flexcomp_edge? elasticity? flexcomp_contact? pin plugin
flexcomp_edge: edges of the flexible object
  equality=flexeq solref:1-2 solimp:1-5 stiffness:1 damping:1
elasticity: elasticity of the flexible object
  young:1 poisson:1 damping:1 thickness:1 elastic2d=elastic2d section sectionsize:2
  shear:1 yield:1
flexcomp_contact: contact of the flexible object
  +contact selfcollide=flexself activelayers:i passive:b
pin: points of the flexible object that are fixed
  id:* range:* grid:* gridrange:*
deformable: flexible objects and skins
  > flex skin
flex: a flexible object
  name group:i dim:i radius:1 material@material rgba:4 flatskin:b body! vertex:* element:*i!
  texcoord:* elemtexcoord:*i node nodecoord:* cellcount:3i dof=fdof
  > flexcomp_contact? flex_edge? elasticity?
flex_edge: edges of the flexible object
  stiffness:1 damping:1
contact: contact pairs
  > pair exclude
pair: a pair of geoms that may touch
  name class@default geom1@geom~ geom2@geom~ condim=condim friction:1-5 solref:1-2
  solreffriction:1-2 solimp:1-5 gap:1 margin:1 adhesion:1
exclude: a pair of bodies that do not touch
  name body1@body! body2@body!
tendon: tendons
  > spatial fixed
spatial: a tendon along a path
  name class@default +tendon width:1 material@material rgba:4
  > spatial_site spatial_geom pulley
spatial_site: a site on the path
  site@site!
spatial_geom: a geom that the path wraps around
  geom@geom! sidesite@site
pulley: a branch of the path
  divisor:1
fixed: a tendon that is a sum of joint positions
  name class@default +tendon
  > fixed_joint
fixed_joint: a joint in the sum
  joint@joint! coef:1
actuator: actuators
  > general motor position velocity intvelocity orientation pid damper cylinder
  > muscle adhesion dcmotor actuator_plugin
general: an actuator with all its settings
  +actuator_base ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto actlimited=FalseTrueAuto
  forcerange:2 actrange:2 +actuator_dynamics +transmission body@body~ actdim:i input=inputchart
  velrange:2 ffrange:2 dyntype=dyn gaintype=gain biastype=bias dynprm:1-10 gainprm:1-12
  biasprm:1-12 actearly:b inheritrange:1
motor: a force or torque
  +actuator_base +forces +actuator_dynamics +transmission
position: a position servo
  +actuator_base +forces inheritrange:1 +actuator_dynamics +transmission +gains timeconst:1
velocity: a velocity servo
  +actuator_base +forces +actuator_dynamics +transmission kv:1
intvelocity: an integrated velocity servo
  +actuator_base +forces actlimited=FalseTrueAuto actrange:2 inheritrange:1 +actuator_dynamics
  +transmission +gains
orientation: an orientation servo
  +actuator_base forcelimited=FalseTrueAuto forcerange:2 joint@joint~ site@site~ refsite@site~
  kp:1 kv:1 dampratio:1 input=inputchart
pid: a PID servo
  +actuator_base ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto posrange:2 velrange:2
  ffrange:2 forcerange:2 inheritrange:1 +actuator_dynamics +transmission kp:1 kv:1 dampratio:1
  ki:1 imax:1 slewmax:1 input=+inputbit
damper: an active damper
  +actuator_base forcelimited=FalseTrueAuto forcerange:2 +actuator_dynamics +transmission kv:1
cylinder: a pneumatic or hydraulic cylinder
  +actuator_base +forces +actuator_dynamics +transmission timeconst:1 area:1 diameter:1 bias:3
muscle: a muscle
  +actuator_base ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto forcerange:2
  +actuator_dynamics joint@joint~ jointinparent~ tendon@tendon~ slidersite@site~
  cranksite@site~ timeconst:2 tausmooth:1~ range:2 force:1 scale:1 lmin:1 lmax:1 vmax:1 fpmax:1
  fvmax:1
adhesion: an adhesion actuator
  +actuator_base forcelimited=FalseTrueAuto forcerange:2 body@body~ gain:1
dcmotor: a DC motor
  +actuator_base ctrllimited=FalseTrueAuto +actuator_dynamics +transmission motorconst:1-2
  resistance:1 nominal:1-3 saturation:1-3 inductance:1-2 cogging:1-3 controller:1-6 thermal:1-6
  lugre:1-5 input=+inputbit
actuator_plugin: an actuator of a plugin
  +actuator_base plugin instance@instance ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto
  actlimited=FalseTrueAuto forcerange:2 actrange:2 +actuator_dynamics joint@joint jointinparent
  site@site actdim:i dyntype=dyn dynprm:1-10 tendon@tendon cranksite@site slidersite@site
  actearly:b
  > config
sensor: sensors
  > touch accelerometer velocimeter gyro force torque magnetometer camprojection
  > rangefinder jointpos jointvel tendonpos tendonvel actuatorpos actuatorvel
  > actuatorfrc jointactuatorfrc tendonactuatorfrc ballquat ballangvel jointlimitpos
  > jointlimitvel jointlimitfrc tendonlimitpos tendonlimitvel tendonlimitfrc framepos
  > framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc
  > frameangacc subtreecom subtreelinvel subtreeangmom insidesite distance normal
  > fromto sensor_contact e_potential e_kinetic clock tactile user sensor_plugin
touch accelerometer velocimeter gyro force torque magnetometer: a sensor
  +sensor_base site@site!
camprojection: a sensor
  +sensor_base site@site! camera@camera!
rangefinder: a sensor
  +sensor_base site@site camera@camera data=+raydata
  ! exclusive site camera
  ! oneof site camera
jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel
jointlimitfrc: a sensor
  +sensor_base joint@joint!
tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc: a sensor
  +sensor_base tendon@tendon!
actuatorpos actuatorvel actuatorfrc: a sensor
  +sensor_base actuator@actuator!
framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel: a sensor
  +sensor_base +frame_object +frame_reference
framelinacc frameangacc: a sensor
  +sensor_base +frame_object
subtreecom subtreelinvel subtreeangmom: a sensor
  +sensor_base body@body!
insidesite: a sensor
  +sensor_base site@site! objtype=frameobj! objname! enclosed:b
distance normal fromto: a sensor
  +sensor_base geom1@geom geom2@geom body1@body body2@body
  ! exclusive geom1 body1
  ! oneof geom1 body1
  ! exclusive geom2 body2
  ! oneof geom2 body2
sensor_contact: a sensor
  +sensor_base geom1@geom geom2@geom body1@body body2@body subtree1@body subtree2@body
  site@site num:i data=+condata reduce=reduce
  ! exclusive geom1 body1 subtree1 site
  ! exclusive geom2 body2 subtree2
e_potential e_kinetic clock: a sensor
  +sensor_base
tactile: a sensor
  name cutoff:1 geom@geom! mesh@mesh! nsample:i interp=interp delay:1 interval:1-2 user:*
user: a sensor
  name objtype objname datatype=datatype needstage=stage dim:i cutoff:1 noise:1 user:*
  ! together objtype objname
sensor_plugin: a sensor
  name plugin instance@instance cutoff:1 objtype objname reftype refname user:*
  > config
custom: numbers, texts and tuples of the user
  > numeric text tuple
numeric: numbers by name
  name! size:i data
text: a text by name
  name! data!
tuple: a list of objects by name
  name!
  > element
element: an object in the tuple
  objtype! objname! prm:1
keyframe: states of the simulation
  > key
key: a state of the simulation by name
  name time:1 qpos:* qvel:* act:* mpos:* mquat:* ctrl:* plastic:*
"""
