# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The structure of MJCF: bodies, assets, defaults and constraints.

Names, values and structure are those of MuJoCo 4.0 (``mj_printSchema``, XML reference). Notation:
``KEY ...: what it is``, then its attributes, behind ``>`` its children, behind ``!`` conditions.
An attribute is ``name`` (text), ``name:3`` (numbers), ``:1-3`` (one to three), ``:*`` (any
number), ``:i`` ``:2i`` (integers), ``:b`` (true or false), ``:f`` (a file), ``=WORDS`` (one of
``WORDS``), ``=+WORDS`` (several), ``@KIND`` (the name of a thing); ``!`` is required, ``~`` is not
in default classes, ``+group`` are the attributes of a group. A child with ``?`` is there at most
once. A KEY ``a_b`` is an element ``<b>`` that differs by where it is, where ``TAGS`` says so.
"""

ELEMENTS = """
mujoco: a MuJoCo model
  model@model
  > compiler option size statistic visual default extension asset worldbody deformable
  > contact tendon equality actuator sensor custom keyframe body frame
compiler: how the file is read
  autolimits:b boundmass:1 boundinertia:1 settotalmass:1 balanceinertia:b strippath:b
  coordinate=coordinate angle=angle fitaabb:b eulerseq meshdir texturedir discardvisual:b
  usethread:b fusestatic:b inertiafromgeom=FalseTrueAuto inertiagrouprange:2i saveinertial:b
  assetdir alignfree:b conflict=conflict passthrough savecanonical:b savecompiled:b
  > lengthrange?
default: a default class
  class
  > default mesh? texture? material? joint? geom? site? camera? light? pair? default_equality?
  > default_tendon? general? motor? position? velocity? intvelocity? orientation? pid? damper?
  > cylinder? muscle? adhesion? dcmotor?
layer: a texture of the material in a role
  texture@texture role!
asset: meshes, textures, materials and models that the file uses
  > mesh hfield skin texture material model
mesh: a mesh asset
  name class@default content_type~ file:f~ vertex:*~ normal:*~ texcoord:*~ face:*i~ refpos:3~
  refquat:4~ scale:3 smoothnormal:b~ maxhullvert:i inertia=meshinertia builtin=meshbuiltin~
  params:*~ material@material~
  > plugin
  ! exclusive builtin file
  ! exclusive builtin vertex
plugin: a plugin of the element
  plugin instance@instance
  > config
hfield: a height field
  name content_type file:f nrow:i ncol:i size:4! elevation:*
texture: a texture
  name class@default type=texture colorspace=colorspace content_type~ file:f~ gridsize:2i
  gridlayout
  fileright:f~ fileleft:f~ fileup:f~ filedown:f~ filefront:f~ fileback:f~ builtin=builtin rgb1:3
  rgb2:3 mark=mark markrgb:3 random:1 width:i height:i hflip:b vflip:b nchannel:i embed:b
material: a material
  name class@default texture@texture texrepeat:2 texuniform:b emission:1 specular:1 shininess:1
  reflectance:1 metallic:1 roughness:1 rgba:4
  > layer
model: another model file, to be attached
  name file:f content_type
body: a rigid body in the frame of its parent
  name childclass@default pos:3 +orientation mocap:b fuse gravcomp:1 sleep=bodysleep
  simple=FalseAuto user:*
  > body frame replicate inertial? joint freejoint geom attach site camera light
  > plugin composite flexcomp
inertial: mass and inertia of the body
  pos:3! quat:4 mass:1! diaginertia:3 axisangle:4 xyaxes:6 zaxis:3 euler:3 fullinertia:6
  ! exclusive fullinertia quat axisangle xyaxes zaxis euler
joint: a joint between the body and its parent
  name class@default type=jointtype group:i pos:3 axis:3 springdamper:2 limited=FalseTrueAuto
  actuatorfrclimited=FalseTrueAuto solreflimit:1-2 solimplimit:1-5 solreffriction:1-2
  solimpfriction:1-5 stiffness:1-3 range:2 actuatorfrcrange:2 actuatorgravcomp:b margin:1 ref:1
  springref:1 springyield:1 armature:1 damping:1-3 frictionloss:1 user:*
freejoint: six degrees of freedom of a body of the world
  name group:i align=FalseTrueAuto
geom: a shape of the body, for contact and for the eye
  name class@default type=geomtype +contact group:i size:1-3 material@material mass:1 density:1
  shellinertia:b surfacevel:1-6 adhesion:1 fromto:6 pos:3 +orientation hfield@hfield mesh@mesh
  fitscale:1 castshadow:b rgba:4 fluidshape=fluidshape fluidcoef:1-5 user:*
  > plugin
attach: a part of another model, attached here
  model@model body@body frame@frame prefix!
  ! exclusive body frame
site: a named frame of the body
  name class@default type=sitetype mesh@mesh group:i pos:3 +orientation material@material size:1-3
  fromto:6 rgba:4 user:*
camera: a camera on the body
  name class@default projection=projection fovy:1 ipd:1 resolution:2i output=+camout pos:3
  +orientation mode=camlight target@body~ focal:2 focalpixel:2 principal:2 principalpixel:2
  sensorsize:2 user:*
  ! exclusive fovy sensorsize
light: a light on the body
  name class@default directional:b type=lighttype castshadow:b active:b pos:3 dir:3
  bulbradius:1 intensity:1 range:1 attenuation:3 cutoff:1 softness:1 exponent:1 ambient:3
  diffuse:3 specular:3 mode=camlight target@body~ texture@texture~
  ! exclusive directional type
equality: equality constraints
  > connect weld equality_joint equality_tendon equality_flex flexstrain
connect: two bodies share a point
  +equality_base body1@body body2@body anchor:3 site1@site site2@site
  ! exclusive site1+site2 body1+body2+anchor
  ! oneof site1+site2 body1+anchor
  ! together site1 site2
weld: two bodies keep their relative pose
  +equality_base body1@body body2@body relpose:7 anchor:3 site1@site site2@site torquescale:1
  ! exclusive site1+site2 body1+body2+anchor+relpose
  ! oneof site1+site2 body1
  ! together site1 site2
equality_joint: the position of a joint is a polynomial of another's
  +equality_base joint1@joint! joint2@joint polycoef:1-5
equality_tendon: the length of a tendon is a polynomial of another's
  +equality_base tendon1@tendon! tendon2@tendon polycoef:1-5
equality_flex: the lengths of the edges of a flex
  +equality_base flex@flex!
flexstrain: the strains of a flex
  +equality_base flex@flex! cell:3
worldbody: the world
  > body frame replicate geom attach site camera light plugin composite flexcomp
frame: a coordinate frame for the elements in it
  name childclass@default pos:3 +orientation
  > body frame replicate inertial? joint freejoint geom attach site camera light
  > plugin composite flexcomp
replicate: copies of the elements in it
  count:i! offset:3 euler:3 sep childclass@default
  > body frame replicate inertial? joint geom attach site camera light plugin
  > composite
default_equality: defaults of equality constraints
  active:b solref:1-2 solimp:1-5
default_tendon: defaults of tendons
  +tendon width:1 material@material rgba:4
"""

GROUPS = {
    'orientation': 'quat:4 axisangle:4 xyaxes:6 zaxis:3 euler:3',
    'equality_base': 'name class@default active:b solref:1-2 solimp:1-5',
    'actuator_base': (
        'name class@default group:i nsample:i interp=interp delay:1 ctrlrange:2 user:*'),
    'actuator_dynamics': 'lengthrange:2~ gear:1-6 damping:1-3 armature:1 cranklength:1',
    'transmission': (
        'joint@joint~ jointinparent~ tendon@tendon~ slidersite@site~ cranksite@site~ site@site~ '
        'refsite@site~'),
    'contact': (
        'contype:i conaffinity:i condim=condim priority:i friction:1-3 solmix:1 solref:1-2 '
        'solimp:1-5 margin:1 gap:1'),
    'tendon': (
        'group:i limited=FalseTrueAuto actuatorfrclimited=FalseTrueAuto range:2 '
        'actuatorfrcrange:2 solreflimit:1-2 solimplimit:1-5 solreffriction:1-2 solimpfriction:1-5 '
        'frictionloss:1 springlength:1-2 margin:1 stiffness:1-3 damping:1-3 armature:1 user:* '
        'springyield:1'),
    'forces': 'ctrllimited=FalseTrueAuto forcelimited=FalseTrueAuto forcerange:2',
    'gains': 'kp:1 kv:1 dampratio:1',
    'sensor_base': 'name nsample:i interp=interp delay:1 interval:1-2 cutoff:1 noise:1 user:*',
    'frame_object': 'objtype=frameobj! objname!',
    'frame_reference': 'reftype=frameobj refname',
}

GROUP_CONDITIONS = {'+orientation': 'exclusive quat axisangle xyaxes zaxis euler'}

WORDS = {
    'coordinate': 'local global',
    'angle': 'radian degree',
    'fluidshape': 'none ellipsoid',
    'enable': 'disable enable',
    'FalseTrueAuto': 'false true auto',
    'FalseAuto': 'false auto',
    'bodysleep': 'auto never allowed init',
    'jointtype': 'free ball slide hinge',
    'geomtype': 'plane hfield sphere capsule ellipsoid cylinder box mesh sdf',
    'sitetype': 'sphere capsule ellipsoid cylinder box mesh sdf',
    'condim': '1 3 4 6',
    'projection': 'perspective orthographic',
    'camlight': 'fixed track trackcom targetbody targetbodycom',
    'lighttype': 'spot directional point image',
    'integrator': 'Euler RK4 implicit implicitfast',
    'cone': 'pyramidal elliptic',
    'jacobian': 'dense sparse auto',
    'solver': 'PGS CG Newton',
    'texture': '2d cube skybox',
    'colorspace': 'auto linear sRGB',
    'builtin': 'none gradient checker flat',
    'mark': 'none edge cross random',
    'dyn': 'none integrator filter filterexact muscle dcmotor pid user',
    'gain': 'fixed affine muscle dcmotor so3 pid user',
    'inputchart': 'expmap quat',
    'inputbit': 'pos vel ff voltage',
    'bias': 'none affine muscle dcmotor so3 user',
    'interp': 'zoh linear cubic',
    'stage': 'none pos vel acc',
    'datatype': 'real positive axis quaternion',
    'frameobj': 'body xbody geom site camera',
    'condata': 'found force torque dist pos normal tangent',
    'raydata': 'dist dir origin point normal depth',
    'camout': 'rgb depth distance normal segmentation',
    'reduce': 'none mindist maxforce netforce',
    'conflict': 'warning merge error',
    'lrmode': 'none muscle muscleuser all',
    'comp': 'particle grid rope loop cable cloth',
    'jkind': 'main',
    'meshinertia': 'convex legacy exact shell',
    'meshbuiltin': 'none sphere hemisphere cone supertorus supersphere wedge plate',
    'fcomp': 'grid box cylinder ellipsoid square disc circle mesh gmsh direct',
    'fdof': 'full radial trilinear quadratic 2d',
    'flexself': 'none narrow bvh sap auto',
    'elastic2d': 'none bend stretch both',
    'flexeq': 'false true vert strain',
}

TAGS = {
    'extension_plugin': 'plugin', 'composite_joint': 'joint', 'composite_skin': 'skin',
    'composite_geom': 'geom', 'composite_site': 'site', 'flexcomp_edge': 'edge',
    'flexcomp_contact': 'contact', 'flex_edge': 'edge', 'spatial_site': 'site',
    'spatial_geom': 'geom',
    'fixed_joint': 'joint', 'equality_joint': 'joint', 'equality_tendon': 'tendon',
    'equality_flex': 'flex', 'actuator_plugin': 'plugin', 'sensor_contact': 'contact',
    'sensor_plugin': 'plugin', 'default_equality': 'equality', 'default_tendon': 'tendon'}
