#include "backends/pack/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "ballotcast/version.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/content_hash.hpp"
#include "support/error.hpp"
#include "support/packed_values.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// Temporary files that are older were left by a program that was killed.
constexpr std::chrono::hours kAbandoned{24};

/// The part of a request on which meshes and trees depend.
SceneRequest mesh_request(const SceneRequest& request) {
  SceneRequest part;
  part.file = request.file;
  part.meshes = request.meshes;
  part.crease_angle = request.crease_angle;
  return part;
}

/// Everything that decides what is kept. Paths count as they are spelled, because warnings quote
/// them, and as absolute ones.
std::vector<u8> key_of(const SceneRequest& request, const TreeNames& tree) {
  ValueWriter key;
  const auto add_path = [&](const std::string& path) {
    key(path);
    key(path.empty() ? path : fs::absolute(path).lexically_normal().string());
  };
  key(std::string(version()) + " " + commit());
  key(builder_called(tree.builder).name());
  key(tree.layout);
  key(request.crease_angle);
  add_path(request.file);
  for (const PlacedFile& mesh : request.meshes) {
    add_path(mesh.file);
    key(mesh.placement.scale);
    key(mesh.placement.rotate_y);
    key(mesh.placement.translate);
  }
  return key.bytes;
}

/// The scene of a file in the cache, or a reason why it can't be used.
struct Kept {
  std::optional<SceneData> scene;
  std::string why;  // "" if there is no such file
};

Kept kept_in(const std::string& path, const std::vector<u8>& key) {
  std::error_code failure;
  if (!fs::exists(path, failure)) return {};
  try {
    const auto file = std::make_shared<const PackedFile>(path);
    if (file->array<u8>(kKeySection) != Array<u8>(key)) return {{}, "another scene has its name"};
    if (std::string why = why_out_of_date(sources_in(*file), path, Travels::no); !why.empty())
      return {{}, std::move(why)};
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // the time of its last use
    return {scene_in(file), ""};
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
}

/// Removes files until all that are left take at most `most` bytes. `newest` stays.
void shrink(const std::string& folder, u64 most, const std::string& newest) {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    u64 bytes;
  };
  std::vector<Entry> entries;
  u64 total = 0;
  const auto now = fs::file_time_type::clock::now();
  // Another process may remove files at the same time, so every call may fail.
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code gone;
    const Entry entry{at->last_write_time(gone), at->path(), at->file_size(gone)};
    if (gone) continue;
    if (entry.path.extension() == ".tmp" && now - entry.used > kAbandoned)
      fs::remove(entry.path, gone);
    if (entry.path.extension() != kPackedSuffix) continue;
    total += entry.bytes;
    if (entry.path != newest) entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= most) return;
    fs::remove(entry.path, failure);
    total -= entry.bytes;
  }
}

/// Loads and packs the scene of `request`. Returns its size in bytes.
u64 store(const SceneRequest& request, const TreeNames& tree, const std::string& path,
          const std::vector<u8>& key, const Progress& progress) {
  const std::int64_t started = begin_reading();
  const auto scene = std::make_shared<const SceneData>(assemble(request));
  const auto prepared = prepare(scene, tree.builder, tree.layout, progress);
  return write_packed(path, *prepared, sources_of(*scene, started, path), tree.layout == "auto",
                      key);
}

}  // namespace

std::string_view name_of(CacheUse use) {
  constexpr std::string_view kNames[] = {"none", "hit", "stored", "failed"};
  return kNames[static_cast<std::size_t>(use)];
}

CachedScene assemble_with_cache(const SceneRequest& request, const TreeNames& tree,
                                const CacheOptions& cache, const OnWarnings& on_warnings,
                                const std::function<void(const std::string&)>& on_note,
                                const Progress& progress) {
  const auto uncached = [&](CacheUse use) {
    return CachedScene{std::make_shared<const SceneData>(assemble(request, on_warnings)), use};
  };
  const bool has_files = !request.file.empty() || !request.meshes.empty();
  if (cache.folder.empty() || !has_files || is_packed_name(request.file))
    return uncached(CacheUse::none);
  const u64 most = cache.most_bytes.value_or(kCacheBytes);
  const std::vector<u8> key = key_of(request, tree);
  const std::string path =
      (fs::path(cache.folder) /
       (digits_of(content_hash(key.data(), key.size())) + std::string(kPackedSuffix)))
          .string();
  CachedScene out{nullptr, CacheUse::hit};
  Kept kept = kept_in(path, key);
  if (!kept.scene) {
    if (!kept.why.empty()) on_note("cache: " + kept.why + "; the scene is packed anew");
    try {
      fs::create_directories(cache.folder);
      const u64 bytes = store(mesh_request(request), tree, path, key, progress);
      kept = kept_in(path, key);  // before shrink: what is mapped stays, even if it is removed
      out.use = bytes <= most ? CacheUse::stored : CacheUse::failed;
      shrink(cache.folder, most, bytes <= most ? path : "");
      if (bytes > most) on_note("cache: the scene is larger than the whole cache");
    } catch (const OutputError& error) {
      on_note(std::string("cache: ") + error.what());
    } catch (const fs::filesystem_error& error) {
      on_note(std::string("cache: ") + error.what());
    } catch (const InputError&) {
      // Without the cache, either the same happens, or a setting of the request helps.
    }
  }
  if (!kept.scene) return uncached(CacheUse::failed);
  apply_settings(request, *kept.scene, on_warnings);
  out.scene = std::make_shared<const SceneData>(std::move(*kept.scene));
  return out;
}

}  // namespace ballotcast::detail
