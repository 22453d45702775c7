# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A model, its compiler settings, default classes and assets."""

TABLE = """
mujoco scope                    | a MuJoCo model
  @model                        | the name of the model
  compiler,option,size,statistic,visual,default,extension,asset,worldbody,deformable,contact same
  tendon,equality,actuator,sensor,custom,keyframe same
  body shared repeated useless  | a body, which belongs in <worldbody>
  frame shared repeated useless | a frame, which belongs in <worldbody>

compiler repeated                | how the file is read
  @autolimits boolean            | whether a range alone makes a limit
  @boundmass number [kg]         | the minimum mass of moving bodies
  @boundinertia number [kg m^2]  | the minimum of the diagonal inertia of moving bodies
  @settotalmass number [kg]      | the mass that all bodies together are scaled to
  @balanceinertia boolean        | whether an inertia that no body can have is replaced by its mean
  @strippath boolean             | whether directories of file names are removed
  @coordinate local|global       | local; global frames are no longer supported
  @angle radian|degree           | the unit of angles in the file
  @fitaabb boolean | whether shapes are fitted to the bounding box of a mesh, not to its inertia
  @eulerseq                      | the sequence of Euler rotations: x y z moving, X Y Z fixed axes
  @meshdir                       | the directory of mesh files
  @texturedir                    | the directory of texture files
  @discardvisual boolean         | whether geoms that cannot touch anything are removed
  @usethread,saveinertial,savecanonical,savecompiled boolean
  @fusestatic boolean            | whether bodies without joints become part of their parent
  @inertiafromgeom false|true|auto
      | whether inertia comes from geoms: where none is given (auto), or always
  @inertiagrouprange integers(2) | the groups of the geoms that have mass
  @assetdir                      | the directory of mesh and texture files
  @alignfree boolean | whether the frames of free bodies are moved to their inertial frame
  @conflict warning|merge|error  | how conflicting settings of attached models are handled
  @passthrough none|textures
  lengthrange same

default repeated                | a default class
  @class names=default          | the name of the default class
  default same
  mesh like=_mesh               | defaults of meshes
  texture like=_texture         | defaults of textures
  material like=_material       | defaults of materials
  joint like=_joint             | defaults of joints
  geom like=_geom               | defaults of geoms
  site like=_site               | defaults of sites
  camera like=_camera           | defaults of cameras
  light like=_light             | defaults of lights
  pair like=_pair               | defaults of contact pairs
  general like=_general         | defaults of actuators
  motor like=_motor             | defaults of <motor> actuators
  position like=_position       | defaults of <position> actuators
  velocity like=_velocity       | defaults of <velocity> actuators
  intvelocity like=_intvelocity | defaults of <intvelocity> actuators
  orientation like=_orientation | defaults of <orientation> actuators
  pid like=_pid                 | defaults of <pid> actuators
  damper like=_damper           | defaults of <damper> actuators
  cylinder like=_cylinder       | defaults of <cylinder> actuators
  muscle like=_muscle           | defaults of <muscle> actuators
  adhesion like=_adhesion       | defaults of <adhesion> actuators
  dcmotor like=_dcmotor         | defaults of <dcmotor> actuators
  equality with=equality        | defaults of equality constraints
  tendon with=tendon            | defaults of tendons
    @width number
    @material refers=material   | the material
    @rgba color(4)              | red, green, blue, alpha in 0 .. 1, where there is no material

asset repeated | meshes, textures, materials and models that the file uses
  mesh,hfield,skin,texture,material,model same

_mesh
  @scale numbers(3)                  | factors along x, y, z
  @maxhullvert integer
  @inertia convex|legacy|exact|shell | how inertia is computed from the mesh

mesh repeated with=mesh     | a mesh asset
  @name names=mesh          | the name
  @class refers=default     | the default class that gives the attributes that are absent
  @content_type
  @file refers=file         | the file, in the directory that <compiler> names
  @vertex numbers           | the vertices, where there is no file
  @normal,texcoord,params numbers
  @face integers            | the triangles, three vertices each
  @refpos numbers(3) [m]    | the position that becomes the origin of the mesh
  @refquat numbers(4)       | the orientation that becomes that of the mesh
  @smoothnormal boolean
  @builtin builtin_mesh excludes=file,vertex | a mesh that is generated
  @material refers=material | the material
  plugin same

hfield repeated                 | a height field
  @name names=hfield            | the name
  @content_type
  @file refers=file             | the file, in the directory that <compiler> names
  @nrow,ncol integer
  @size numbers(4) [m] required | half extents along x and y, maximum elevation, depth of the base
  @elevation numbers

skin repeated checked       | a deformable skin
  @name names=skin          | the name
  @file refers=file         | the file, in the directory that <compiler> names
  @material refers=material | the material
  @rgba color(4)            | red, green, blue, alpha in 0 .. 1, where there is no material
  @inflate number
  @vertex,texcoord numbers
  @face integers
  @group integer            | the group, for visibility and inertia
  bone repeated             | a body that moves the skin
    @body refers=body required
    @bindpos numbers(3)
    @bindquat numbers(4)
    @vertid integers
    @vertweight numbers

_texture
  @type 2d|cube|skybox
  @colorspace auto|linear|sRGB
  @gridsize integers(2)
  @gridlayout
  @builtin none|gradient|checker|flat
  @rgb1,rgb2,markrgb color(3)
  @mark none|edge|cross|random
  @random number
  @width,height,nchannel integer
  @hflip,vflip,embed boolean

texture repeated with=texture | a texture
  @name names=texture         | the name
  @class refers=default       | the default class that gives the attributes that are absent
  @content_type
  @file refers=file           | the file, in the directory that <compiler> names
  @fileright,fileleft,fileup,filedown,filefront,fileback refers=file

_material
  @texture refers=texture | the texture
  @texrepeat numbers(2)
  @texuniform boolean
  @emission number        | the share of the color that is emitted
  @specular number        | the strength of the reflection of light
  @shininess,reflectance,metallic,roughness number
  @rgba color(4)          | red, green, blue, alpha in 0 .. 1, where there is no material
  layer same

material repeated with=material | a material
  @name names=material          | the name
  @class refers=default         | the default class that gives the attributes that are absent

layer repeated | a texture of the material in a role
  @texture refers=texture
  @role rgb|normal|occlusion|roughness|metallic|opacity|emissive|orm|rgba required

model repeated      | another model file, to be attached
  @name names=model | the name
  @file refers=file | the model file
  @content_type

lengthrange | how length ranges of actuators are computed
  @mode none|muscle|muscleuser|all
  @useexisting,uselimit boolean
  @accel,maxforce,timeconst,timestep,inttotal,interval,tolrange number
"""
