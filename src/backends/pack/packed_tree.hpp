// The tree of a scene, and all other data that is prepared from the scene, in packed files. The
// scene itself is packed in scene/pack.
#pragma once

#include <string>

#include "backends/scene/prepared_scene.hpp"
#include "scene/pack/packed_scene.hpp"

namespace ballotcast::detail {

/// Writes a scene and its tree to a packed file, as write_file_atomically does. `layout_is_auto` is
/// true if the layout was chosen automatically. `key` is stored in the section kKeySection. Returns
/// the size of the file in bytes. Throws OutputError if the file can't be written. The scene must
/// have passed require_packable.
u64 write_packed(const std::string& path, const PreparedScene& scene, const SceneSources& sources,
                 bool layout_is_auto, std::vector<u8> key = {});

/// Throws InputError if the scene can't be packed because it has instances.
void require_packable(const SceneData& scene);

/// The name of the section with the key of a packed scene in a cache. In other packed scenes this
/// section is empty.
inline constexpr std::string_view kKeySection = "key";

/// The names of a builder and of a layout, or auto.
struct TreeNames {
  std::string builder;
  std::string layout;
};

/// The names of the tree to use if `builder` and `layout` are requested. If a tree is packed with
/// the scene, the defaults stand for that tree; so do efforts that stand for its builder on some
/// machine. Throws InputError if the data of the packed tree can't be read.
TreeNames tree_names(const SceneData& scene, std::string_view builder, std::string_view layout);

/// If the tree that is packed with out.scene was built by out.builder and has the layout `layout`
/// (null: the layout that `auto` selects), uses that tree and all data that belongs to it, and
/// returns true. Throws InputError if the packed tree can't be used.
bool take_packed_tree(PreparedScene& out, const LayoutInfo* layout);

/// A note for users if the scene has a packed tree that was not used, or "".
std::string note_on_tree(const PreparedScene& scene);

}  // namespace ballotcast::detail
