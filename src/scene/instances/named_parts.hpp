// The parts of a scene that files give names to: objects and groups of OBJ, nodes of glTF,
// instances of scene files.
//
//   triangles   | 0 .. 11 | 12 .. 30 | 31 .. 42 |
//   ranges        top       legs       top
//   names         top, legs
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

struct SceneData;

/// A range of triangles that belong to one part: from `first` up to the first triangle of the next
/// range.
struct PartRange {
  u32 first;
  u32 part;  // index into NamedParts::names
};

/// The names of parts, and the ranges of their triangles. Ranges take less memory than a number per
/// triangle.
struct NamedParts {
  // `first` ascends from 0; empty: there is a single part without a name
  std::vector<PartRange> ranges;
  std::vector<std::string> names;
  // For each instance, the offset that is added to the part numbers of its mesh. Empty: all offsets
  // are 0.
  std::vector<u32> shifts = {};

  /// The index of the range of a triangle.
  std::size_t range_of(u32 triangle) const;
  /// The part of a triangle in a given instance; 0 if there are no ranges.
  u32 part_of(u32 triangle, u32 instance = 0) const;
};

/// The faces of a mesh file from `first_face` on belong to the part with this name.
struct NamedFaces {
  u64 first_face;
  std::string name;
};

/// Collects ranges. Equal names become the same part.
class PartCollector {
 public:
  /// Begins a range: triangles from `first` on have this name.
  void begin(u32 first, const std::string& name);
  NamedParts take() { return std::move(parts_); }

 private:
  NamedParts parts_;
  std::unordered_map<std::string, u32> index_of_;
};

/// The parts of triangles that were made from faces. face_of(i) is the face of triangle i, and must
/// ascend. If `named` is empty, there are no parts. Triangles before the first name belong to the
/// part `unnamed`. Names without triangles are left out.
template <class FaceOf>
NamedParts parts_of_faces(const std::vector<NamedFaces>& named, const std::string& unnamed,
                          u32 triangles, FaceOf face_of) {
  PartCollector parts;
  const std::string* name = &unnamed;
  u32 begin = 0, at = 0;
  for (const NamedFaces& next : named) {
    while (at < triangles && face_of(at) < next.first_face) ++at;
    if (begin < at) parts.begin(begin, *name);
    begin = at;
    name = &next.name;
  }
  if (!named.empty() && begin < triangles) parts.begin(begin, *name);
  return parts.take();
}

/// Appends the parts of another mesh, whose triangles begin at `first`. A mesh without names
/// becomes a single part with the name `name`. Parts of different meshes stay separate even if
/// their names are equal.
void append_parts(NamedParts& to, const NamedParts& from, const std::string& name, u32 first);

/// Gives instances their own parts. The part of instance i is called names[i]. If its mesh has
/// several parts, their names are like "left car/wheel". Equal names become one part. An instance
/// with the name "" keeps the parts of its mesh. The scene must already have its instances.
void name_instances(SceneData& scene, const std::vector<std::string>& names);

/// The names of all parts. There is at least one; if no part has a name, it is the name of the
/// scene.
std::vector<std::string> part_names_of(const SceneData& scene);

}  // namespace ballotcast::detail
