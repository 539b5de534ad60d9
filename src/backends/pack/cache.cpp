#include "backends/pack/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "ballotcast/error.hpp"
#include "ballotcast/version.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/files/files.hpp"
#include "support/files/packed_file.hpp"
#include "support/hash.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// Temporary files that are older than this were left behind by a program that was killed.
constexpr std::chrono::hours kAbandoned{24};

/// The members of a request on which meshes and trees depend.
SceneRequest mesh_request(const SceneRequest& request) {
  SceneRequest some;
  some.file = request.file;
  some.meshes = request.meshes;
  some.crease_angle = request.crease_angle;
  some.frame = request.frame;
  some.time = request.time;
  some.frames_per_second = request.frames_per_second;
  some.animation = request.animation;
  return some;
}

/// The key of a scene in the cache: all values on which the stored scene depends. Paths are
/// included both as written, because warnings quote them, and as absolute paths.
std::vector<u8> key_of(const SceneRequest& request, const TreeNames& tree, BuildOn on) {
  ValueWriter key;
  const auto add_path = [&](const std::string& path) {
    key(path);
    key(path.empty() ? path : absolute_path(path));
  };
  key(std::string(version()) + " " + commit());
  key(builder_called(tree.builder, on).name());
  key(tree.layout);
  key(request.crease_angle);
  const Moment moment = moment_of(request);
  key(moment.frame);
  key(moment.seconds);
  key(request.animation);
  add_path(request.file);
  for (const PlacedFile& mesh : request.meshes) {
    add_path(mesh.file);
    key(mesh.placement.scale);
    key(mesh.placement.rotate_y);
    key(mesh.placement.translate);
  }
  return key.bytes;
}

/// The scene of a file in the cache, or the reason why it can't be used.
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
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // sets the time of the last use
    return {scene_in(file), ""};
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
}

/// The file name of a scene with this key.
std::string entry_name(const std::vector<u8>& key) {
  return digits_of(content_hash(key.data(), key.size())) + std::string(kPackedSuffix);
}

bool is_entry_name(const std::string& name) {
  return name.ends_with(kPackedSuffix) &&
         are_hash_digits(std::string_view(name).substr(0, name.size() - kPackedSuffix.size()));
}

/// Removes the least recently used scenes until the rest takes at most `most` bytes. `newest`, and
/// files that do not belong to a cache, are not removed.
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
    const std::string name = entry.path.filename();
    if (is_temporary_name(name) && now - entry.used > kAbandoned) fs::remove(entry.path, gone);
    if (!is_entry_name(name)) continue;
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

void make_folder(const std::string& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw OutputError(folder + ": can't be made: " + failure.message());
}

/// The arguments of assemble_with_cache: the scene that is wanted, its tree, and the cache.
struct Wanted {
  const SceneRequest& request;
  const TreeNames& tree;
  const CacheOptions& cache;
  const BuildTree& build;
  const Progress& progress;
};

/// Loads the scene, builds its tree, and packs both. Sets the times of `out`.
void store(const Wanted& wanted, const std::string& path, const std::vector<u8>& key,
           CachedScene& out) {
  const std::int64_t started = begin_reading();
  const auto scene = std::make_shared<const SceneData>(assemble(mesh_request(wanted.request)));
  require_packable(*scene);
  const Stopwatch build;
  const auto prepared =
      prepare(scene, wanted.tree.builder, wanted.tree.layout, wanted.progress, wanted.build);
  out.build_ms = build.milliseconds();
  const Stopwatch write;
  write_packed(path, *prepared, sources_of(*scene, started, path), wanted.tree.layout == "auto",
               key);
  out.write_ms = write.milliseconds();
}

/// Returns the scene from the cache, and stores it there first if necessary. The settings of the
/// request are not applied yet. Throws InputError or OutputError if the scene can't be stored.
SceneData kept_scene(const Wanted& wanted, CachedScene& out,
                     const std::function<void(const std::string&)>& on_note) {
  const std::string& folder = wanted.cache.folder;
  const std::vector<u8> key = key_of(wanted.request, wanted.tree, wanted.build.on);
  const std::string path = fs::path(folder) / entry_name(key);
  Kept kept = kept_in(path, key);
  out.use = CacheUse::hit;
  if (!kept.scene) {
    make_folder(folder);
    store(wanted, path, key, out);
    if (!kept.why.empty()) on_note("cache: " + kept.why + "; the scene was packed anew");
    out.use = CacheUse::stored;
    // The file is opened before shrink() may remove it; a mapped file stays readable.
    kept = kept_in(path, key);
    if (!kept.scene) throw InputError(kept.why.empty() ? path + ": was removed at once" : kept.why);
  }
  const u64 most = wanted.cache.most_bytes.value_or(kCacheBytes);
  const bool fits = kept.scene->packed->bytes() <= most;
  shrink(folder, most, fits ? path : "");
  if (!fits) {
    on_note("cache: the scene is larger than the whole cache");
    if (out.use == CacheUse::stored) out.use = CacheUse::failed;
  }
  return std::move(*kept.scene);
}

}  // namespace

std::string_view name_of(CacheUse use) {
  constexpr std::string_view kNames[] = {"none", "hit", "stored", "failed"};
  return kNames[static_cast<std::size_t>(use)];
}

CachedScene assemble_with_cache(const SceneRequest& request, const TreeNames& tree,
                                const CacheOptions& cache, const OnWarnings& on_warnings,
                                const std::function<void(const std::string&)>& on_note,
                                const Progress& progress,
                                const std::function<BuildTree()>& building) {
  const auto uncached = [&](CacheUse use) {
    return CachedScene{std::make_shared<const SceneData>(assemble(request, on_warnings)), use};
  };
  const bool has_files = !request.file.empty() || !request.meshes.empty();
  if (cache.folder.empty() || !has_files || is_packed_name(request.file))
    return uncached(CacheUse::none);
  const BuildTree build = building();
  CachedScene out;
  std::optional<SceneData> scene;
  std::string why;
  try {
    scene = kept_scene({request, tree, cache, build, progress}, out, on_note);
  } catch (const OutputError& error) {
    why = error.what();
  } catch (const InputError& error) {
    // This error is not fatal: the scene is loaded without the cache. If the scene itself can't be
    // used, loading throws the same error again.
    why = error.what();
  }
  if (!scene) {
    out.scene = uncached(CacheUse::failed).scene;
    out.use = CacheUse::failed;
    on_note("cache: " + why);
    return out;
  }
  apply_settings(request, *scene, on_warnings);
  out.scene = std::make_shared<const SceneData>(std::move(*scene));
  return out;
}

}  // namespace ballotcast::detail
