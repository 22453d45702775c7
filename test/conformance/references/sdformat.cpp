// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
//
// Print libsdformat's answer to one SDFormat file as JSON. Debian: libsdformat-dev (12.3).
// record.py compiles it. The other arguments are directories for model:// URIs.
//
// Poses are x y z and the quaternion w x y z: of links, frames, joints and models in the root
// of the file, of inertias and shapes in their link.

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <sdf/sdf.hh>

#include "json.hpp"

namespace
{

using ignition::math::Pose3d;
using ignition::math::Vector3d;

// In the order of sdf::ErrorCode.
const char * const CODES[] = {
  "NONE", "FILE_READ", "DUPLICATE_NAME", "RESERVED_NAME", "ATTRIBUTE_MISSING",
  "ATTRIBUTE_INVALID", "ATTRIBUTE_DEPRECATED", "ATTRIBUTE_INCORRECT_TYPE", "ELEMENT_MISSING",
  "ELEMENT_INVALID", "ELEMENT_DEPRECATED", "ELEMENT_INCORRECT_TYPE", "URI_INVALID", "URI_LOOKUP",
  "DIRECTORY_NONEXISTANT", "MODEL_CANONICAL_LINK_INVALID", "MODEL_WITHOUT_LINK",
  "NESTED_MODELS_UNSUPPORTED", "LINK_INERTIA_INVALID", "JOINT_CHILD_LINK_INVALID",
  "JOINT_PARENT_LINK_INVALID", "JOINT_PARENT_SAME_AS_CHILD", "FRAME_ATTACHED_TO_INVALID",
  "FRAME_ATTACHED_TO_CYCLE", "FRAME_ATTACHED_TO_GRAPH_ERROR", "POSE_RELATIVE_TO_INVALID",
  "POSE_RELATIVE_TO_CYCLE", "POSE_RELATIVE_TO_GRAPH_ERROR", "STRING_READ",
  "MODEL_PLACEMENT_FRAME_INVALID", "VERSION_DEPRECATED", "MERGE_INCLUDE_UNSUPPORTED",
  "PARAMETER_ERROR", "UNKNOWN_PARAMETER_TYPE", "FATAL_ERROR", "WARNING",
  "JOINT_AXIS_EXPRESSED_IN_INVALID", "CONVERSION_ERROR", "PARSING_ERROR"};

std::string code(sdf::ErrorCode value)
{
  const auto index = static_cast<std::size_t>(value);
  return text(index < std::size(CODES) ? CODES[index] : "UNKNOWN");
}

std::string vector(const Vector3d & v)
{
  return numbers({v.X(), v.Y(), v.Z()});
}

std::string pose(const Pose3d & pose)
{
  const auto & p = pose.Pos();
  const auto & q = pose.Rot();
  return numbers({p.X(), p.Y(), p.Z(), q.W(), q.X(), q.Y(), q.Z()});
}

// The scope that an item is in: its prefix, and its pose in the root of the file.
struct Scope
{
  std::string prefix;
  std::string frame;
  Pose3d root_from_scope;
};

template<typename Item>
Fields named(const Item & item, const Scope & scope)
{
  Pose3d scope_from_item;
  const bool resolved = item.SemanticPose().Resolve(scope_from_item, scope.frame).empty();
  return {
    {"name", text(item.Name())},
    {"scoped_name", text(scope.prefix + item.Name())},
    {"pose_root", resolved ? pose(scope.root_from_scope * scope_from_item) : "null"}};
}

template<typename Shape>
std::string shape(const Shape & shape)
{
  Pose3d link_from_shape;
  const bool resolved = shape.SemanticPose().Resolve(link_from_shape).empty();
  return object({
      {"name", text(shape.Name())}, {"pose_link", resolved ? pose(link_from_shape) : "null"}});
}

std::string link(const sdf::Link & link, const Scope & scope)
{
  const auto & inertial = link.Inertial();
  const auto & mass = inertial.MassMatrix();
  const auto diagonal = mass.DiagonalMoments();
  const auto products = mass.OffDiagonalMoments();
  std::vector<std::string> visuals;
  std::vector<std::string> collisions;
  for (std::uint64_t i = 0; i < link.VisualCount(); ++i) {
    visuals.push_back(shape(*link.VisualByIndex(i)));
  }
  for (std::uint64_t i = 0; i < link.CollisionCount(); ++i) {
    collisions.push_back(shape(*link.CollisionByIndex(i)));
  }
  Fields fields = named(link, scope);
  fields.emplace_back("inertial", object({
      {"mass", number(mass.Mass())}, {"pose", pose(inertial.Pose())},
      {"diag", vector(diagonal)}, {"offdiag", vector(products)}}));
  fields.emplace_back("visuals", list(visuals));
  fields.emplace_back("collisions", list(collisions));
  return object(fields);
}

std::string axis(const sdf::JointAxis & axis)
{
  Vector3d direction;
  const bool resolved = axis.ResolveXyz(direction).empty();
  return object({
      {"xyz_joint", resolved ? vector(direction) : "null"},
      {"lower", number(axis.Lower())}, {"upper", number(axis.Upper())},
      {"effort", number(axis.Effort())}, {"velocity", number(axis.MaxVelocity())},
      {"damping", number(axis.Damping())}, {"friction", number(axis.Friction())},
      {"spring_reference", number(axis.SpringReference())},
      {"spring_stiffness", number(axis.SpringStiffness())}});
}

std::string type(sdf::JointType type)
{
  switch (type) {
    case sdf::JointType::BALL: return "ball";
    case sdf::JointType::CONTINUOUS: return "continuous";
    case sdf::JointType::FIXED: return "fixed";
    case sdf::JointType::GEARBOX: return "gearbox";
    case sdf::JointType::PRISMATIC: return "prismatic";
    case sdf::JointType::REVOLUTE: return "revolute";
    case sdf::JointType::REVOLUTE2: return "revolute2";
    case sdf::JointType::SCREW: return "screw";
    case sdf::JointType::UNIVERSAL: return "universal";
    default: return "invalid";
  }
}

std::string joint(const sdf::Joint & joint, const Scope & scope)
{
  std::string parent;
  std::string child;
  joint.ResolveParentLink(parent);
  joint.ResolveChildLink(child);
  Fields fields = named(joint, scope);
  fields.emplace_back("type", text(type(joint.Type())));
  fields.emplace_back("parent_link", text(parent));
  fields.emplace_back("child_link", text(child));
  for (unsigned int i = 0; i < 2 && joint.Axis(i); ++i) {
    fields.emplace_back(i ? "axis2" : "axis", axis(*joint.Axis(i)));
  }
  return object(fields);
}

std::string model(const sdf::Model & model, const Scope & scope)
{
  Pose3d scope_from_model;
  model.SemanticPose().Resolve(scope_from_model, scope.frame);
  const Scope inner = {
    scope.prefix + model.Name() + "::", "__model__", scope.root_from_scope * scope_from_model};
  std::vector<std::string> links, frames, joints, models;
  for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
    links.push_back(link(*model.LinkByIndex(i), inner));
  }
  for (std::uint64_t i = 0; i < model.FrameCount(); ++i) {
    frames.push_back(object(named(*model.FrameByIndex(i), inner)));
  }
  for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
    joints.push_back(joint(*model.JointByIndex(i), inner));
  }
  for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
    models.push_back(::model(*model.ModelByIndex(i), inner));
  }
  const auto [canonical, name] = model.CanonicalLinkAndRelativeName();
  Fields fields = named(model, scope);
  fields.emplace_back("static", model.Static() ? "true" : "false");
  fields.emplace_back("canonical_link", canonical ? text(name) : "null");
  fields.emplace_back("links", list(links));
  fields.emplace_back("frames", list(frames));
  fields.emplace_back("joints", list(joints));
  fields.emplace_back("models", list(models));
  return object(fields);
}

std::string world(const sdf::World & world)
{
  std::vector<std::string> models, frames;
  const Scope scope = {"", "world", Pose3d::Zero};
  for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
    models.push_back(model(*world.ModelByIndex(i), scope));
  }
  for (std::uint64_t i = 0; i < world.FrameCount(); ++i) {
    frames.push_back(object(named(*world.FrameByIndex(i), scope)));
  }
  return object({{"models", list(models)}, {"frames", list(frames)}, {"joints", "[]"}});
}

// The one model, or the world that is loaded: the first.
Fields describe(const sdf::Root & root)
{
  if (root.Model()) {
    return {{"model", model(*root.Model(), {"", "__root__", Pose3d::Zero})}};
  }
  if (root.WorldCount()) {
    return {{"worlds", list({world(*root.WorldByIndex(0))})}};
  }
  return {};
}

// What `gz sdf --check` looks at after a load without errors.
bool passes_checks(const sdf::Root & root)
{
  return sdf::checkCanonicalLinkNames(&root) && sdf::checkJointParentChildLinkNames(&root) &&
         sdf::checkFrameAttachedToGraph(&root) && sdf::checkPoseRelativeToGraph(&root) &&
         sdf::recursiveSiblingUniqueNames(root.Element()) &&
         sdf::recursiveSiblingNoDoubleColonInNames(root.Element());
}

}  // namespace

int main(int count, char ** arguments)
{
  sdf::Console::Instance()->SetQuiet(true);
  const std::vector<std::string> directories(arguments + 2, arguments + count);
  const auto find = [&](const std::string & uri) {
      for (const auto & directory : directories) {
        const auto path = std::filesystem::path(directory) / uri.substr(uri.rfind("://") + 3);
        if (uri.find("://") != std::string::npos && std::filesystem::exists(path)) {
          return path.string();
        }
      }
      return std::string();
    };
  sdf::ParserConfig config;
  config.SetFindCallback(find);
  sdf::setFindCallback(find);

  sdf::Root root;
  const sdf::Errors errors = root.Load(arguments[1], config);
  std::vector<std::string> codes;
  for (const auto & error : errors) {
    codes.push_back(code(error.Code()));
  }
  Fields answer = {
    {"reference", text("libsdformat " VERSION)},
    {"status", text(errors.empty() ? "ok" : "refused")}};
  if (errors.empty()) {
    answer.emplace_back("checked", passes_checks(root) ? "true" : "false");
    for (const auto & field : describe(root)) {
      answer.push_back(field);
    }
  } else {
    answer.emplace_back("errors", list(codes));
  }
  std::puts(object(answer).c_str());
  return 0;
}
