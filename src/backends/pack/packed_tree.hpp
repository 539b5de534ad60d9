// The tree of a scene, and what else is prepared from it, in packed files. The scene itself is in
// scene/pack.
#pragma once

#include <string>

#include "backends/scene/prepared_scene.hpp"
#include "scene/pack/sources.hpp"

namespace ballotcast::detail {

/// Writes a scene and its tree to a packed file, as write_file_atomically does. `layout_is_auto`:
/// the layout was not asked for, but suits the tree. `key` is kept in the section kKeySection.
/// Returns the size of the file in bytes. Throws OutputError; the scene must be packable.
u64 write_packed(const std::string& path, const PreparedScene& scene, const SceneSources& sources,
                 bool layout_is_auto, std::vector<u8> key = {});

/// Throws InputError if the scene can't be packed: it has instances.
void require_packable(const SceneData& scene);

/// The section of what identifies a packed scene in a cache; empty in other packed scenes.
inline constexpr std::string_view kKeySection = "key";

/// Names of a builder and of a layout, or auto.
struct TreeNames {
  std::string builder;
  std::string layout;
};

/// The names of the tree to use if `builder` and `layout` are asked for: the defaults, and efforts
/// that mean its builder on some machine, stand for those of the tree that is packed with the
/// scene, if there is one. Throws InputError.
TreeNames tree_names(const SceneData& scene, std::string_view builder, std::string_view layout);

/// If the tree that is packed with out.scene is of out.builder and in `layout` (null: the one that
/// suits the tree), takes it and all that belongs to it, and returns true. Throws InputError if the
/// packed tree can't be used.
bool take_packed_tree(PreparedScene& out, const LayoutInfo* layout);

/// A note for users if the scene has a packed tree that was not used, or "".
std::string note_on_tree(const PreparedScene& scene);

}  // namespace ballotcast::detail
