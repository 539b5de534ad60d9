// A folder of packed scenes. A scene in it is loaded, and its tree built, only once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backends/pack/packed_tree.hpp"
#include "backends/scene/prepare.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// Where the cache is, and how large it may become.
struct CacheOptions {
  std::string folder;             // "": there is no cache
  std::optional<u64> most_bytes;  // if absent: kCacheBytes
};

/// The size of a cache if none is given.
inline constexpr u64 kCacheBytes = u64{10} << 30;

/// What the cache did.
enum class CacheUse {
  none,    // the scene has no files, or is packed itself
  hit,     // it was in the cache
  stored,  // it is there now
  failed   // it can't be kept there
};
std::string_view name_of(CacheUse use);

/// A scene, and how the cache supplied it.
struct CachedScene {
  std::shared_ptr<const SceneData> scene;
  CacheUse use = CacheUse::none;
  double build_ms = 0.0;  // building the tree that is kept
  double write_ms = 0.0;  // writing both to the cache
};

/// The scene of `request` with the tree `tree`, through a cache. The key of a scene consists of its
/// files' paths, the settings that change its mesh, the names of the tree, and the version of the
/// program. A kept scene is used only if every source is unchanged (why_out_of_date). The folder is
/// made if necessary. If it becomes too large, the scenes that were not used for the longest time
/// are removed; files with other names than the cache gives stay. Any number of processes may use a
/// folder at the same time.
///
/// `building` says where the tree is built; it is called only if there is a cache. `on_note` gets a
/// line about a scene that was packed anew or can't be kept. A scene that can't be kept is loaded
/// without the cache. `progress` reports the building of the tree. Throws the same errors as
/// assemble, prepare and `building`.
CachedScene assemble_with_cache(
    const SceneRequest& request, const TreeNames& tree, const CacheOptions& cache,
    const OnWarnings& on_warnings, const std::function<void(const std::string&)>& on_note,
    const Progress& progress,
    const std::function<BuildTree()>& building = [] { return BuildTree(); });

}  // namespace ballotcast::detail
