// Scenes in packed files. A packed file also holds a tree: see backends/pack.
#pragma once

#include <memory>
#include <string>

#include "scene/pack/sources.hpp"
#include "scene/scene.hpp"
#include "support/files/packed_file.hpp"

namespace ballotcast::detail {

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
