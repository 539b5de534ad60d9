// Files that a page sends: meshes and scene files that were dropped on it.
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

/// The limits of one upload, in bytes and in files.
inline constexpr u64 kMostUploadedBytes = u64{2} << 30;
inline constexpr std::size_t kMostUploadedFiles = 1000;

/// The files of one upload, in a temporary folder.
class Upload {
 public:
  /// The sink that writes a new file. `name` may begin with folders: "textures/wood.png". Throws
  /// UsageError if the name leads out of the folder, or if the file exists already. The sink throws
  /// InputError beyond the limits, and OutputError if the disk is full. Several sinks may work at
  /// the same time; each keeps the upload alive.
  static BodySink add(const std::shared_ptr<Upload>& upload, const std::string& name);

  /// What to load: the scene file if there is one, else all meshes. Throws InputError if there is
  /// neither of them, or more than one scene file.
  SceneRequest request() const;

  /// The folder, with a / at its end. Messages to users leave it out.
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
  /// The sink for a file of a page's upload. `first` begins a new upload. Throws as Upload::add
  /// does.
  BodySink add(const std::string& page, const std::string& name, bool first);
  /// Removes the upload of a page from the list and returns it. Throws UsageError if there is none,
  /// or if one of its files is still being received.
  std::shared_ptr<Upload> take(const std::string& page);

 private:
  /// The most pages whose uploads are kept. Beyond that, one of them is dropped for a new page.
  static constexpr std::size_t kMost = 8;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Upload>> uploads_;  // by page
};

}  // namespace ballotcast::detail
