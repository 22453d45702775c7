# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The elements of MJCF, as a table.

Names, values and structure are those of MuJoCo 4.0 (``mj_printSchema``, XML reference). A row is
``KEY ...: documentation; words``, continued on indented lines. A KEY is a tag, ``PARENT.TAG`` for
a tag that has another meaning in that parent, or ``+GROUP``, whose row has words only. The words:

- ``name`` is an attribute, a text unless a type follows: ``:3`` (numbers), ``:1-3`` (one to
  three), ``:*`` (any number), ``:i`` ``:2i`` (integers), ``:b`` (true or false), ``:f`` (a file),
  ``=a|b`` (one of these words, or of those that ``WORDS`` has by a name), ``=+a|b`` (several of
  them), ``@KIND`` (the name of a part of this kind); then ``!`` if it is required, ``~`` if
  default classes do not have it
- ``/KEY`` is a child element, ``/KEY?`` one that occurs at most once
- ``+GROUP`` stands for the words of that group
- ``a^b``, ``a,b^c,d``: attributes, or bundles of them, that exclude each other; ``a|b``: one of
  these is required; ``a&b``: both or neither
"""

ELEMENTS = """
+orientation: quat:4 axisangle:4 xyaxes:6 zaxis:3 euler:3 quat^axisangle^xyaxes^zaxis^euler
+equality_base: name class@default active:b solref:1-2 solimp:1-5
+actuator_base: name class@default group:i nsample:i interp=interp delay:1 ctrlrange:2 user:*
+actuator_dynamics: lengthrange:2~ gear:1-6 damping:1-3 armature:1 cranklength:1
+transmission: joint@joint~ jointinparent~ tendon@tendon~ slidersite@site~ cranksite@site~
  site@site~ refsite@site~
+contact: contype:i conaffinity:i condim=condim priority:i friction:1-3 solmix:1 solref:1-2
  solimp:1-5 margin:1 gap:1
+tendon: group:i limited=FalseTrueAuto actuatorfrclimited=FalseTrueAuto range:2 actuatorfrcrange:2
  solreflimit:1-2 solimplimit:1-5 solreffriction:1-2 solimpfriction:1-5 frictionloss:1
  springlength:1-2 margin:1 stiffness:1-3 damping:1-3 armature:1 user:* springyield:1
+forces: ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto forcerange:2
+sensor_base: name nsample:i interp=interp delay:1 interval:1-2 cutoff:1 noise:1 user:*
+content: /body /frame /replicate /geom /attach /site /camera /light /plugin /composite /flexcomp
+actuator: +actuator_base +actuator_dynamics +transmission
mujoco: a MuJoCo model; model@model /compiler /option /size /statistic /visual /default /extension
  /asset /worldbody /deformable /contact /tendon /equality /actuator /sensor /custom /keyframe
  /body /frame
compiler: how the file is read; autolimits:b boundmass:1 boundinertia:1 settotalmass:1
  balanceinertia:b strippath:b coordinate=local|global angle=radian|degree fitaabb:b eulerseq
  meshdir texturedir discardvisual:b usethread:b fusestatic:b inertiafromgeom=FalseTrueAuto
  inertiagrouprange:2i saveinertial:b assetdir alignfree:b conflict=warning|merge|error passthrough
  savecanonical:b savecompiled:b /lengthrange?
default: a default class; class /default /mesh? /texture? /material? /joint? /geom? /site? /camera?
  /light? /pair? /default.equality? /default.tendon? /general? /motor? /position? /velocity?
  /intvelocity? /orientation? /pid? /damper? /cylinder? /muscle? /adhesion? /dcmotor?
layer: a texture of the material in a role; texture@texture role!
asset: meshes, textures, materials and models that the file uses; /mesh /hfield /skin /texture
  /material /model
mesh: a mesh asset; name class@default content_type~ file:f~ vertex:*~ normal:*~ texcoord:*~
  face:*i~ refpos:3~ refquat:4~ scale:3 smoothnormal:b~ maxhullvert:i
  inertia=convex|legacy|exact|shell
  builtin=none|sphere|hemisphere|cone|supertorus|supersphere|wedge|plate~ params:*~
  material@material~ /plugin builtin^file builtin^vertex
plugin: a plugin of the element; plugin instance@instance /config
hfield: a height field; name content_type file:f nrow:i ncol:i size:4! elevation:*
texture: a texture; name class@default type=2d|cube|skybox colorspace=auto|linear|sRGB
  content_type~ file:f~ gridsize:2i gridlayout fileright:f~ fileleft:f~ fileup:f~ filedown:f~
  filefront:f~ fileback:f~ builtin=none|gradient|checker|flat rgb1:3 rgb2:3
  mark=none|edge|cross|random markrgb:3 random:1 width:i height:i hflip:b vflip:b nchannel:i
  embed:b
material: a material; name class@default texture@texture texrepeat:2 texuniform:b emission:1
  specular:1 shininess:1 reflectance:1 metallic:1 roughness:1 rgba:4 /layer
model: another model file, to be attached; name file:f content_type
body: a rigid body in the frame of its parent; name childclass@default pos:3 +orientation mocap:b
  fuse gravcomp:1 sleep=auto|never|allowed|init simple=false|auto user:* +content /inertial? /joint
  /freejoint
inertial: mass and inertia of the body; pos:3! quat:4 mass:1! diaginertia:3 axisangle:4 xyaxes:6
  zaxis:3 euler:3 fullinertia:6 fullinertia^quat^axisangle^xyaxes^zaxis^euler
joint: a joint between the body and its parent; name class@default type=free|ball|slide|hinge
  group:i pos:3 axis:3 springdamper:2 limited=FalseTrueAuto actuatorfrclimited=FalseTrueAuto
  solreflimit:1-2 solimplimit:1-5 solreffriction:1-2 solimpfriction:1-5 stiffness:1-3 range:2
  actuatorfrcrange:2 actuatorgravcomp:b margin:1 ref:1 springref:1 springyield:1 armature:1
  damping:1-3 frictionloss:1 user:*
freejoint: six degrees of freedom of a body of the world; name group:i align=FalseTrueAuto
geom: a shape of the body, for contact and for the eye; name class@default type=geomtype +contact
  group:i size:1-3 material@material mass:1 density:1 shellinertia:b surfacevel:1-6 adhesion:1
  fromto:6 pos:3 +orientation hfield@hfield mesh@mesh fitscale:1 castshadow:b rgba:4
  fluidshape=none|ellipsoid fluidcoef:1-5 user:* /plugin
attach: a part of another model, attached here; model@model body@body frame@frame prefix!
  body^frame
site: a named frame of the body; name class@default
  type=sphere|capsule|ellipsoid|cylinder|box|mesh|sdf mesh@mesh group:i pos:3 +orientation
  material@material size:1-3 fromto:6 rgba:4 user:*
camera: a camera on the body; name class@default projection=perspective|orthographic fovy:1 ipd:1
  resolution:2i output=+rgb|depth|distance|normal|segmentation pos:3 +orientation mode=camlight
  target@body~ focal:2 focalpixel:2 principal:2 principalpixel:2 sensorsize:2 user:*
  fovy^sensorsize
light: a light on the body; name class@default directional:b type=spot|directional|point|image
  castshadow:b active:b pos:3 dir:3 bulbradius:1 intensity:1 range:1 attenuation:3 cutoff:1
  softness:1 exponent:1 ambient:3 diffuse:3 specular:3 mode=camlight target@body~ texture@texture~
  directional^type
equality: equality constraints; /connect /weld /equality.joint /equality.tendon /equality.flex
  /flexstrain
connect: two bodies share a point; +equality_base body1@body body2@body anchor:3 site1@site
  site2@site site1,site2^body1,body2,anchor site1|body1 site1&site2
weld: two bodies keep their relative pose; +equality_base body1@body body2@body relpose:7 anchor:3
  site1@site site2@site torquescale:1 site1,site2^body1,body2,anchor,relpose site1|body1
  site1&site2
equality.joint: the position of a joint is a polynomial of another's; +equality_base joint1@joint!
  joint2@joint polycoef:1-5
equality.tendon: the length of a tendon is a polynomial of another's; +equality_base
  tendon1@tendon! tendon2@tendon polycoef:1-5
equality.flex: the lengths of the edges of a flex; +equality_base flex@flex!
flexstrain: the strains of a flex; +equality_base flex@flex! cell:3
worldbody: the world; +content
frame: a coordinate frame for the elements in it; name childclass@default pos:3 +orientation
  +content /inertial? /joint /freejoint
replicate: copies of the elements in it; count:i! offset:3 euler:3 sep childclass@default /body
  /frame /replicate /inertial? /joint /geom /attach /site /camera /light /plugin /composite
default.equality: defaults of equality constraints; active:b solref:1-2 solimp:1-5
default.tendon: defaults of tendons; +tendon width:1 material@material rgba:4
lengthrange: how length ranges of actuators are computed; mode=none|muscle|muscleuser|all
  useexisting:b uselimit:b accel:1 maxforce:1 timeconst:1 timestep:1 inttotal:1 interval:1
  tolrange:1
option: simulation options; timestep:1 impratio:1 tolerance:1 ls_tolerance:1 noslip_tolerance:1
  ccd_tolerance:1 sleep_tolerance:1 gravity:3 wind:3 magnetic:3 density:1 viscosity:1 o_margin:1
  o_solref:1-2 o_solimp:1-5 o_friction:1-5 integrator=Euler|RK4|implicit|implicitfast
  cone=pyramidal|elliptic jacobian=dense|sparse|auto solver=PGS|CG|Newton iterations:i
  ls_iterations:i noslip_iterations:i ccd_iterations:i sdf_iterations:i sdf_initpoints:i
  actuatorgroupdisable:*i /flag?
flag: parts of the simulation that are switched on or off; constraint=enable equality=enable
  frictionloss=enable limit=enable contact=enable spring=enable damper=enable gravity=enable
  clampctrl=enable warmstart=enable filterparent=enable actuation=enable refsafe=enable
  sensor=enable midphase=enable eulerdamp=enable autoreset=enable nativeccd=enable island=enable
  multiccd=enable override=enable energy=enable fwdinv=enable invdiscrete=enable sleep=enable
  diagexact=enable ipc=enable speculative=enable
size: sizes of the simulation's memory; memory njmax:i nconmax:i nstack:i nuserdata:i nkey:i
  nuser_body:i nuser_jnt:i nuser_geom:i nuser_site:i nuser_cam:i nuser_tendon:i nuser_actuator:i
  nuser_sensor:i memory^nstack memory^njmax
statistic: overrides of model statistics; meaninertia:1 meanmass:1 meansize:1 extent:1 center:3
visual: settings of MuJoCo's visualizer; /global? /quality? /headlight? /map? /scale? /rgba?
global: global settings of the visualizer; cameraid:i orthographic:b fovy:1 ipd:1 azimuth:1
  elevation:1 linewidth:1 glow:1 offwidth:i offheight:i realtime:1 ellipsoidinertia:b bvactive:b
quality: rendering quality; shadowsize:i offsamples:i numslices:i numstacks:i numquads:i
headlight: the light at the camera; ambient:3 diffuse:3 specular:3 active:i
map: scalings of the visualizer; stiffness:1 stiffnessrot:1 force:1 torque:1 alpha:1 fogstart:1
  fogend:1 znear:1 zfar:1 haze:1 shadowclip:1 shadowscale:1 actuatortendon:1
scale: sizes of decor elements; forcewidth:1 contactwidth:1 contactheight:1 connect:1 com:1
  camera:1 light:1 selectpoint:1 jointlength:1 jointwidth:1 actuatorlength:1 actuatorwidth:1
  framelength:1 framewidth:1 constraint:1 slidercrank:1 frustum:1
rgba: colors of decor elements; fog:4 haze:4 force:4 inertia:4 joint:4 actuator:4
  actuatornegative:4 actuatorpositive:4 com:4 camera:4 light:4 selectpoint:4 connect:4
  contactpoint:4 contactforce:4 contactfriction:4 contacttorque:4 contactgap:4 rangefinder:4
  constraint:4 slidercrank:4 crankbroken:4 frustum:4 bv:4 bvactive:4
extension: plugins that the model uses; /extension.plugin
extension.plugin: a plugin and its instances; plugin /instance
instance: an instance of a plugin; name! /config
config: a key and value for a plugin; key! value
skin: a deformable skin; name file:f material@material rgba:4 inflate:1 vertex:* texcoord:* face:*i
  group:i /bone
bone: a body that moves the skin; body@body! bindpos:3 bindquat:4 vertid:*i vertweight:*
composite: a composite object; prefix type=particle|grid|rope|loop|cable|cloth! count:1-3i offset:3
  vertex:* initial curve size:1-3 quat:4 /composite.joint /composite.skin? /composite.geom?
  /composite.site? /plugin
composite.joint: joints of the composite object; kind=main! group:i stiffness:1 damping:1
  armature:1 solreffix:1-2 solimpfix:1-5 type=free|ball|slide|hinge axis:3 limited=FalseTrueAuto
  range:2 margin:1 solreflimit:1-2 solimplimit:1-5 frictionloss:1 solreffriction:1-2
  solimpfriction:1-5
composite.skin: the skin of the composite object; texcoord:b material@material group:i rgba:4
  inflate:1 subgrid:i
composite.geom: geoms of the composite object; type=geomtype +contact group:i size:1-3
  material@material rgba:4 mass:1 density:1 surfacevel:1-6 adhesion:1
composite.site: sites of the composite object; group:i size:1-3 material@material rgba:4
flexcomp: a flexible object; name! mesh@mesh
  type=grid|box|cylinder|ellipsoid|square|disc|circle|mesh|gmsh|direct group:i dim:i
  dof=full|radial|trilinear|quadratic|2d count:3i cellcount:3i spacing:3 radius:1 rigid:b mass:1
  inertiabox:1 scale:3 file:f point:* element:* texcoord:* material@material rgba:4 flatskin:b
  pos:3 quat:4 axisangle:4 xyaxes:6 zaxis:3 euler:3 origin:3 /flexcomp.edge? /elasticity?
  /flexcomp.contact? /pin /plugin
flexcomp.edge: edges of the flexible object; equality=false|true|vert|strain solref:1-2 solimp:1-5
  stiffness:1 damping:1
elasticity: elasticity of the flexible object; young:1 poisson:1 damping:1 thickness:1
  elastic2d=none|bend|stretch|both section sectionsize:2 shear:1 yield:1
flexcomp.contact: contact of the flexible object; +contact selfcollide=none|narrow|bvh|sap|auto
  activelayers:i passive:b
pin: points of the flexible object that are fixed; id:* range:* grid:* gridrange:*
deformable: flexible objects and skins; /flex /skin
flex: a flexible object; name group:i dim:i radius:1 material@material rgba:4 flatskin:b body!
  vertex:* element:*i! texcoord:* elemtexcoord:*i node nodecoord:* cellcount:3i
  dof=full|radial|trilinear|quadratic|2d /flexcomp.contact? /flex.edge? /elasticity?
flex.edge: edges of the flexible object; stiffness:1 damping:1
contact: contact pairs; /pair /exclude
pair: a pair of geoms that may touch; name class@default geom1@geom~ geom2@geom~ condim=condim
  friction:1-5 solref:1-2 solreffriction:1-2 solimp:1-5 gap:1 margin:1 adhesion:1
exclude: a pair of bodies that do not touch; name body1@body! body2@body!
tendon: tendons; /spatial /fixed
spatial: a tendon along a path; name class@default +tendon width:1 material@material rgba:4
  /spatial.site /spatial.geom /pulley
spatial.site: a site on the path; site@site!
spatial.geom: a geom that the path wraps around; geom@geom! sidesite@site
pulley: a branch of the path; divisor:1
fixed: a tendon that is a sum of joint positions; name class@default +tendon /fixed.joint
fixed.joint: a joint in the sum; joint@joint! coef:1!
actuator: actuators; /general /motor /position /velocity /intvelocity /orientation /pid /damper
  /cylinder /muscle /adhesion /dcmotor /actuator.plugin
general: an actuator with all its settings; +actuator ctrllimited=FalseTrueAuto
  forcelimited=FalseTrueAuto actlimited=FalseTrueAuto forcerange:2 actrange:2 body@body~ actdim:i
  input=expmap|quat velrange:2 ffrange:2 dyntype=dyn
  gaintype=fixed|affine|muscle|dcmotor|so3|pid|user biastype=none|affine|muscle|dcmotor|so3|user
  dynprm:1-10 gainprm:1-12 biasprm:1-12 actearly:b inheritrange:1
motor: a force or torque; +actuator +forces
position: a position servo; +actuator +forces inheritrange:1 kp:1 kv:1 dampratio:1 timeconst:1
velocity: a velocity servo; +actuator +forces kv:1
intvelocity: an integrated velocity servo; +actuator +forces actlimited=FalseTrueAuto actrange:2
  inheritrange:1 kp:1 kv:1 dampratio:1
orientation: an orientation servo; +actuator_base forcelimited=FalseTrueAuto forcerange:2
  joint@joint~ site@site~ refsite@site~ kp:1 kv:1 dampratio:1 input=expmap|quat
pid: a PID servo; +actuator ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto posrange:2
  velrange:2 ffrange:2 forcerange:2 inheritrange:1 kp:1 kv:1 dampratio:1 ki:1 imax:1 slewmax:1
  input=+pos|vel|ff|voltage
damper: an active damper; +actuator forcelimited=FalseTrueAuto forcerange:2 kv:1
cylinder: a pneumatic or hydraulic cylinder; +actuator +forces timeconst:1 area:1 diameter:1 bias:3
muscle: a muscle; +actuator_base ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto forcerange:2
  +actuator_dynamics joint@joint~ jointinparent~ tendon@tendon~ slidersite@site~ cranksite@site~
  timeconst:2 tausmooth:1~ range:2 force:1 scale:1 lmin:1 lmax:1 vmax:1 fpmax:1 fvmax:1
adhesion: an adhesion actuator; +actuator_base forcelimited=FalseTrueAuto forcerange:2 body@body~
  gain:1
dcmotor: a DC motor; +actuator ctrllimited=FalseTrueAuto motorconst:1-2 resistance:1 nominal:1-3
  saturation:1-3 inductance:1-2 cogging:1-3 controller:1-6 thermal:1-6 lugre:1-5
  input=+pos|vel|ff|voltage
actuator.plugin: an actuator of a plugin; +actuator_base plugin instance@instance
  ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto actlimited=FalseTrueAuto forcerange:2
  actrange:2 +actuator_dynamics joint@joint jointinparent site@site actdim:i dyntype=dyn
  dynprm:1-10 tendon@tendon cranksite@site slidersite@site actearly:b /config
sensor: sensors; /touch /accelerometer /velocimeter /gyro /force /torque /magnetometer
  /camprojection /rangefinder /jointpos /jointvel /tendonpos /tendonvel /actuatorpos /actuatorvel
  /actuatorfrc /jointactuatorfrc /tendonactuatorfrc /ballquat /ballangvel /jointlimitpos
  /jointlimitvel /jointlimitfrc /tendonlimitpos /tendonlimitvel /tendonlimitfrc /framepos
  /framequat /framexaxis /frameyaxis /framezaxis /framelinvel /frameangvel /framelinacc
  /frameangacc /subtreecom /subtreelinvel /subtreeangmom /insidesite /distance /normal /fromto
  /sensor.contact /e_potential /e_kinetic /clock /tactile /user /sensor.plugin
touch accelerometer velocimeter gyro force torque magnetometer: a sensor; +sensor_base site@site!
camprojection: a sensor; +sensor_base site@site! camera@camera!
rangefinder: a sensor; +sensor_base site@site camera@camera
  data=+dist|dir|origin|point|normal|depth site^camera site|camera
jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc: a
  sensor; +sensor_base joint@joint!
tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc: a sensor;
  +sensor_base tendon@tendon!
actuatorpos actuatorvel actuatorfrc: a sensor; +sensor_base actuator@actuator!
framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel: a sensor; +sensor_base
  objtype=frameobj! objname! reftype=frameobj refname
framelinacc frameangacc: a sensor; +sensor_base objtype=frameobj! objname!
subtreecom subtreelinvel subtreeangmom: a sensor; +sensor_base body@body!
insidesite: a sensor; +sensor_base site@site! objtype=frameobj! objname! enclosed:b
distance normal fromto: a sensor; +sensor_base geom1@geom geom2@geom body1@body body2@body
  geom1^body1 geom1|body1 geom2^body2 geom2|body2
sensor.contact: a sensor; +sensor_base geom1@geom geom2@geom body1@body body2@body subtree1@body
  subtree2@body site@site num:i data=+found|force|torque|dist|pos|normal|tangent
  reduce=none|mindist|maxforce|netforce geom1^body1^subtree1^site geom2^body2^subtree2
e_potential e_kinetic clock: a sensor; +sensor_base
tactile: a sensor; name cutoff:1 geom@geom! mesh@mesh! nsample:i interp=interp delay:1 interval:1-2
  user:*
user: a sensor; name objtype objname datatype=real|positive|axis|quaternion
  needstage=none|pos|vel|acc dim:i! cutoff:1 noise:1 user:* objtype&objname
sensor.plugin: a sensor; name plugin instance@instance cutoff:1 objtype objname reftype refname
  user:* /config
custom: numbers, texts and tuples of the user; /numeric /text /tuple
numeric: numbers by name; name! size:i data
text: a text by name; name! data!
tuple: a list of objects by name; name! /element
element: an object in the tuple; objtype! objname! prm:1
keyframe: states of the simulation; /key
key: a state of the simulation by name; name time:1 qpos:* qvel:* act:* mpos:* mquat:* ctrl:*
  plastic:*
"""

WORDS = {
    'FalseTrueAuto': 'false|true|auto',
    'enable': 'disable|enable',
    'condim': '1|3|4|6',
    'geomtype': 'plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf',
    'camlight': 'fixed|track|trackcom|targetbody|targetbodycom',
    'dyn': 'none|integrator|filter|filterexact|muscle|dcmotor|pid|user',
    'interp': 'zoh|linear|cubic',
    'frameobj': 'body|xbody|geom|site|camera',
}
