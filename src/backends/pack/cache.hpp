// A folder of packed scenes. A scene in this folder is loaded, and its tree built, only once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backends/pack/packed_tree.hpp"
#include "backends/scene/prepare.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// The folder of the cache, and its largest size.
struct CacheOptions {
  std::string folder;             // "": there is no cache
  std::optional<u64> most_bytes;  // if absent: kCacheBytes
};

/// The default of CacheOptions::most_bytes, the largest size of a cache in bytes.
inline constexpr u64 kCacheBytes = u64{10} << 30;

/// The result of using the cache.
enum class CacheUse {
  none,    // the scene has no files, or was read from a packed file
  hit,     // the scene was in the cache
  stored,  // the scene was stored in the cache
  failed   // the scene can't be stored in the cache
};
std::string_view name_of(CacheUse use);

/// A scene, and the result of using the cache.
struct CachedScene {
  std::shared_ptr<const SceneData> scene;
  CacheUse use = CacheUse::none;
  double build_ms = 0.0;  // time to build the stored tree
  double write_ms = 0.0;  // time to write both to the cache
};

/// Returns the scene of `request` with the tree `tree`, using a cache. The key of a scene consists
/// of the paths of its files, the settings that change its mesh, the names of the tree, and the
/// version of the program. A stored scene is used only if every source is unchanged
/// (why_out_of_date). The folder is made if necessary. If it becomes too large, the least recently
/// used scenes are removed; files with other names than those of the cache are never removed. Any
/// number of processes may use a folder at the same time.
///
/// `building` returns where the tree is built; it is called only if there is a cache. `on_note`
/// gets a line about a scene that was packed again or can't be stored. A scene that can't be stored
/// is loaded without the cache. `progress` reports the building of the tree. Throws the same errors
/// as assemble, prepare and `building`.
CachedScene assemble_with_cache(
    const SceneRequest& request, const TreeNames& tree, const CacheOptions& cache,
    const OnWarnings& on_warnings, const std::function<void(const std::string&)>& on_note,
    const Progress& progress,
    const std::function<BuildTree()>& building = [] { return BuildTree(); });

}  // namespace ballotcast::detail
