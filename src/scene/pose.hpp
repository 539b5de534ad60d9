// Where the vertices of several placed meshes are.
#pragma once

#include <string>
#include <vector>

#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A mesh, and its place in a scene.
struct PlacedMesh {
  const Mesh& mesh;
  dvec3 origin;  // see SceneData::origin
  Placement placement;
  std::string name;  // for messages
};

/// What placing changes of a scene.
struct Pose {
  Array<vec3> positions;
  Array<vec3> corner_normals;  // empty if no mesh has normals
  dvec3 origin;
};

/// Places meshes around a common origin, one behind the other. If only some have normals, the
/// others get flat ones. Throws InputError if a mesh is placed beyond the largest coordinate.
Pose pose_of(const std::vector<PlacedMesh>& meshes);

/// Takes over a pose.
void set_pose(SceneData& scene, Pose pose);

/// A placement as a map from the coordinates of a mesh to those of the world.
Affine affine_of(const Placement& placement);

/// True if a mesh stays where it is.
bool is_nowhere_else(const Placement& placement);

}  // namespace ballotcast::detail
