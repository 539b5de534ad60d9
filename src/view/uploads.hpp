// Files that a page sends: dropped meshes and scene files.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "ballotcast/scene.hpp"
#include "support/child_program.hpp"
#include "view/server.hpp"

namespace ballotcast::detail {

/// The most bytes and files that one upload may have.
inline constexpr u64 kMostUploadedBytes = u64{2} << 30;
inline constexpr std::size_t kMostUploadedFiles = 1000;

/// The files of one upload, in a temporary folder.
class Upload {
 public:
  /// The sink that writes a new file. `name` may have folders before it: "textures/wood.png".
  /// Throws UsageError for a name that leads out of the folder, or of a file that is there already;
  /// the sink throws InputError beyond the limits, OutputError if the disk is full.
  BodySink add(const std::string& name);

  /// What to load: the scene file if there is one, else all meshes. Throws InputError if there is
  /// neither, or more than one scene file.
  SceneRequest request() const;

  /// The folder, with a / at its end, which messages to people leave out.
  std::string folder() const { return folder_.file(""); }

 private:
  const TemporaryFolder folder_;
  std::vector<std::string> names_;
  u64 bytes_ = 0;
};

}  // namespace ballotcast::detail
