// Scenes in packed files, and whether the files that they were made of are still the same. A packed
// file also holds a tree: see backends/pack.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene.hpp"
#include "support/files/packed_file.hpp"

namespace ballotcast::detail {

/// A file that was read.
struct SourceFile {
  std::string path;             // absolute
  std::string beside;           // as seen from the folder of the packed file; "": it was gone
  std::uint64_t bytes = 0;      // its size
  std::int64_t written_ns = 0;  // when it was written; 0: too late for this time to prove anything
  std::uint64_t hash = 0;       // content_hash
};

/// All files on which a scene depends.
struct SceneSources {
  std::vector<SourceFile> files;
  std::vector<MissedFile> missed;  // with absolute folders
};

/// The time now, in nanoseconds since 1970. Files that change after this call have a later time:
/// the call waits a few milliseconds, until the clock that gives files their times has moved on.
std::int64_t begin_reading();

/// The sources of a scene that was loaded after `started`, a time of begin_reading; `pack` is where
/// the packed file will be. The sources of a scene that was packed before are those of its packed
/// file. Throws InputError if a file can't be read or has changed since then.
SceneSources sources_of(const SceneData& scene, std::int64_t started, const std::string& pack);

/// Whether a packed file may be taken to other computers. Then sources beside it come first, and
/// sources that are gone or can't be read don't matter.
enum class Travels { no, yes };

/// The reason why a scene that was packed in the file `pack` is out of date, or "". A file with the
/// size and the time of the source is taken for the same; otherwise the contents decide.
std::string why_out_of_date(const SceneSources& sources, const std::string& pack, Travels travels);

/// The suffix of packed files.
inline constexpr std::string_view kPackedSuffix = ".bcast";

/// True if the name of a file is that of a packed one.
bool is_packed_name(const std::string& path);

/// Adds the sections of `scene` and `sources` to a file. `scene` must live until it is written.
void add_scene(PackedWriter& writer, const SceneData& scene, const SceneSources& sources);

/// The scene in a packed file, as it was when it was packed; its arrays are views. Throws
/// InputError, which names the file, unless kernels can use every index, number and size in it.
SceneData scene_in(std::shared_ptr<const PackedFile> file);

/// The sources of the scene in a packed file. Throws InputError.
SceneSources sources_in(const PackedFile& file);

/// Reads a packed scene. The packed file is the scene's only file; the files that it was made of
/// count as unread. Throws InputError as scene_in does, and if the scene is out of date.
SceneData load_packed_scene(const std::string& path);

}  // namespace ballotcast::detail
