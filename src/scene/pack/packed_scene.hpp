// Scenes in packed files, and checks whether their source files are unchanged. A packed file also
// holds a tree: see backends/pack.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene_data.hpp"
#include "support/files/packed_file.hpp"

namespace ballotcast::detail {

/// A file that was read.
struct SourceFile {
  std::string path;    // absolute path
  std::string beside;  // path relative to the folder of the packed file; "": the file did not exist
  std::uint64_t bytes = 0;  // size of the file in bytes
  // Time of the last write; 0: the time is too recent to detect changes
  std::int64_t written_ns = 0;
  std::uint64_t hash = 0;  // content_hash
};

/// All files on which a scene depends.
struct SceneSources {
  std::vector<SourceFile> files;
  std::vector<MissedFile> missed;  // with absolute folders
};

/// The current time, in nanoseconds since 1970. Files that change after this call have a later
/// time, because the call waits a few milliseconds until the clock for file times has advanced.
std::int64_t begin_reading();

/// The sources of a scene that was loaded after `started`, a time of begin_reading; `pack` is the
/// path of the future packed file. If the scene was read from a packed file, its sources are those
/// of that file. Throws InputError if a file can't be read or has changed in the meantime.
SceneSources sources_of(const SceneData& scene, std::int64_t started, const std::string& pack);

/// Whether a packed file may be moved to other computers. If so, sources beside it are looked for
/// first, and sources that do not exist or can't be read are ignored.
enum class Travels { no, yes };

/// The reason why a scene that was packed in the file `pack` is out of date, or "". A file with the
/// same size and time as the source counts as unchanged; otherwise the contents are compared.
std::string why_out_of_date(const SceneSources& sources, const std::string& pack, Travels travels);

/// The suffix of packed files.
inline constexpr std::string_view kPackedSuffix = ".bcast";

/// True if a file with this name is a packed file.
bool is_packed_name(const std::string& path);

/// Adds the sections of `scene` and `sources` to a file. `scene` must exist until the file is
/// written.
void add_scene(PackedWriter& writer, const SceneData& scene, const SceneSources& sources);

/// The scene in a packed file, in the state in which it was packed; its arrays are views of the
/// file. Throws InputError, which names the file, unless kernels can use every index, number and
/// size in it.
SceneData scene_in(std::shared_ptr<const PackedFile> file);

/// The sources of the scene in a packed file. Throws InputError if the file has no section with
/// valid sources.
SceneSources sources_in(const PackedFile& file);

/// Reads a packed scene. The packed file is the only file of the scene; its source files count as
/// unread. Throws InputError as scene_in does, and if the scene is out of date.
SceneData load_packed_scene(const std::string& path);

}  // namespace ballotcast::detail
