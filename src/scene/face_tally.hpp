// Counts defects of faces for warnings, on all threads.
#pragma once

#include <string>

#include "scene/file_mesh.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

/// Counts the faces, triangles or corners with one kind of defect. Remembers the first face.
struct FaceTally {
  const char* what;
  u64 count = 0;
  u64 first_face = 0;

  void note(u64 face) {
    if (count++ == 0) first_face = face;
  }
  /// Adds the defects of later faces.
  void add(const FaceTally& later) {
    if (count == 0) first_face = later.first_face;
    count += later.count;
  }
  void report(const std::string& path, const FileMesh& mesh, SceneData& scene) const {
    if (count == 0) return;
    scene.warnings.push_back(path + ": " + what + ": " + std::to_string(count) + " (first: face " +
                             std::to_string(first_face + 1) + ", " +
                             mesh.place_of(mesh.faces[first_face]) + ")");
  }
};

/// Calls look_at(i, tally), in parallel, for every i below `count`, and returns the sum of the
/// tallies, which name their defect `what`. The i must be in the order of their faces.
template <class LookAt>
FaceTally tally_all(const char* what, std::size_t count, const LookAt& look_at) {
  constexpr std::size_t kGrain = 1 << 14;
  return reduce_ranges<std::size_t>(
      0, count, kGrain, FaceTally{what},
      [&](std::size_t begin, std::size_t end, FaceTally tally) {
        for (std::size_t i = begin; i < end; ++i) look_at(i, tally);
        return tally;
      },
      [](FaceTally earlier, const FaceTally& later) {
        earlier.add(later);
        return earlier;
      });
}

}  // namespace ballotcast::detail
