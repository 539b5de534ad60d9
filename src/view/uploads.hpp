// Stores files that a page sends: meshes and scene files that the user has dropped on it.
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

/// The limits of one upload: the bytes and the number of its files.
inline constexpr u64 kMostUploadedBytes = u64{2} << 30;
inline constexpr std::size_t kMostUploadedFiles = 1000;

/// The files of one upload, in a temporary folder.
class Upload {
 public:
  /// Returns a sink that writes a new file. `name` may begin with folders: "textures/wood.png".
  /// Throws UsageError if the name leads out of the folder, or if the file already exists. The sink
  /// throws InputError if a limit is exceeded, and OutputError if the disk is full. Several sinks
  /// may work at the same time; each keeps the upload alive.
  static BodySink add(const std::shared_ptr<Upload>& upload, const std::string& name);

  /// The request to load the uploaded scene file, or all meshes if there is no scene file. Throws
  /// InputError if there is neither, or more than one scene file.
  SceneRequest request() const;

  /// The path of the folder, with a / at its end. Messages to users leave it out.
  std::string folder() const { return folder_.file(""); }

 private:
  const TemporaryFolder folder_;
  std::vector<std::string> names_;
  std::atomic<u64> bytes_ = 0;
};

/// The uploads of all pages that are not yet shown. Several threads may call all functions at the
/// same time.
class Uploads {
 public:
  /// Returns the sink for a file of a page's upload. If `first` is true, begins a new upload.
  /// Throws UsageError if `name` leads out of the upload's folder, or if the file already exists.
  BodySink add(const std::string& page, const std::string& name, bool first);
  /// Removes the upload of a page from the list and returns it. Throws UsageError if there is none,
  /// or if one of its files is still being received.
  std::shared_ptr<Upload> take(const std::string& page);

 private:
  /// The largest number of pages whose uploads are kept. If there are more, an upload is dropped
  /// for a new page.
  static constexpr std::size_t kMost = 8;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Upload>> uploads_;  // uploads by the name of the page
};

}  // namespace ballotcast::detail
