// Files that a page sends: dropped meshes and scene files.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ballotcast/scene.hpp"
#include "support/files/temporary_files.hpp"
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
  /// the sink throws InputError beyond the limits, OutputError if the disk is full. Several sinks
  /// may work at the same time; each keeps the upload alive.
  static BodySink add(const std::shared_ptr<Upload>& upload, const std::string& name);

  /// What to load: the scene file if there is one, else all meshes. Throws InputError if there is
  /// neither, or more than one scene file.
  SceneRequest request() const;

  /// The folder, with a / at its end, which messages to people leave out.
  std::string folder() const { return folder_.file(""); }

 private:
  const TemporaryFolder folder_;
  std::vector<std::string> names_;
  std::atomic<u64> bytes_ = 0;
};

/// The uploads of all pages that have not been opened yet. All functions may be called by several
/// threads at once.
class Uploads {
 public:
  /// The sink for a file of a page's upload; `first` begins a new one. Throws as Upload::add does.
  BodySink add(const std::string& page, const std::string& name, bool first);
  /// The upload of a page, which is not among them any more. Throws UsageError if there is none, or
  /// if a file of it is still on its way.
  std::shared_ptr<Upload> take(const std::string& page);

 private:
  /// The most pages whose uploads are kept. That of another page takes the place of one of them.
  static constexpr std::size_t kMost = 8;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Upload>> uploads_;  // by page
};

}  // namespace ballotcast::detail
