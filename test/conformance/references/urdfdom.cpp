// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
//
// Print urdfdom's answer to one URDF file as JSON. Debian: liburdfdom-dev.
// record.py compiles it.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include "json.hpp"

namespace
{

// x y z, then the quaternion x y z w
std::string pose(const urdf::Pose & pose)
{
  const auto & p = pose.position;
  const auto & q = pose.rotation;
  return numbers({p.x, p.y, p.z, q.x, q.y, q.z, q.w});
}

std::string geometry(const urdf::GeometrySharedPtr & shape)
{
  if (const auto sphere = std::dynamic_pointer_cast<urdf::Sphere>(shape)) {
    return list({text("sphere"), number(sphere->radius)});
  }
  if (const auto box = std::dynamic_pointer_cast<urdf::Box>(shape)) {
    return list({text("box"), number(box->dim.x), number(box->dim.y), number(box->dim.z)});
  }
  if (const auto cylinder = std::dynamic_pointer_cast<urdf::Cylinder>(shape)) {
    return list({text("cylinder"), number(cylinder->radius), number(cylinder->length)});
  }
  if (const auto mesh = std::dynamic_pointer_cast<urdf::Mesh>(shape)) {
    return list({text("mesh"), number(mesh->scale.x), number(mesh->scale.y),
        number(mesh->scale.z)});
  }
  return "null";
}

template<typename Shapes>
std::string shapes(const Shapes & found)
{
  std::vector<std::string> items;
  for (const auto & shape : found) {
    items.push_back(list({pose(shape->origin), geometry(shape->geometry)}));
  }
  return list(items);
}

std::string link(const urdf::Link & link)
{
  Fields fields;
  if (const auto & inertial = link.inertial) {
    fields = {
      {"mass", number(inertial->mass)},
      {"pose", pose(inertial->origin)},
      {"inertia", numbers({inertial->ixx, inertial->iyy, inertial->izz, inertial->ixy,
          inertial->ixz, inertial->iyz})}};
  }
  fields.emplace_back("visuals", shapes(link.visual_array));
  fields.emplace_back("collisions", shapes(link.collision_array));
  return object(fields);
}

std::string joint(const urdf::Joint & joint)
{
  const char * const types[] = {
    "unknown", "revolute", "continuous", "prismatic", "floating", "planar", "fixed"};
  Fields fields = {
    {"type", text(types[joint.type])},
    {"parent", text(joint.parent_link_name)},
    {"child", text(joint.child_link_name)},
    {"origin", pose(joint.parent_to_joint_origin_transform)},
    {"axis", numbers({joint.axis.x, joint.axis.y, joint.axis.z})}};
  if (const auto & limits = joint.limits) {
    fields.emplace_back("limits",
      numbers({limits->lower, limits->upper, limits->effort, limits->velocity}));
  }
  if (const auto & dynamics = joint.dynamics) {
    fields.emplace_back("dynamics", numbers({dynamics->damping, dynamics->friction}));
  }
  if (const auto & mimic = joint.mimic) {
    fields.emplace_back("mimic", list({text(mimic->joint_name), number(mimic->multiplier),
          number(mimic->offset)}));
  }
  return object(fields);
}

Fields describe(const urdf::ModelInterface & model)
{
  Fields links;
  Fields joints;
  for (const auto & [name, found] : model.links_) {
    links.emplace_back(name, link(*found));
  }
  for (const auto & [name, found] : model.joints_) {
    joints.emplace_back(name, joint(*found));
  }
  return {
    {"name", text(model.name_)},
    {"root", text(model.root_link_->name)},
    {"links", object(links)},
    {"joints", object(joints)}};
}

}  // namespace

int main(int, char ** arguments)
{
  console_bridge::noOutputHandler();
  std::ifstream file(arguments[1]);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  Fields answer = {{"reference", text("urdfdom " VERSION)}};
  urdf::ModelInterfaceSharedPtr model;
  std::string error;
  try {
    model = urdf::parseURDF(content);
  } catch (const std::exception & exception) {
    error = exception.what();
  }
  answer.emplace_back("status", text(model ? "ok" : "refused"));
  if (model) {
    for (const auto & field : describe(*model)) {
      answer.push_back(field);
    }
  } else if (!error.empty()) {
    answer.emplace_back("error", text(error));
  }
  std::puts(object(answer).c_str());
  return 0;
}
