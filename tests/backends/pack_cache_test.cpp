// Tests the cache of packed scenes: when a packed scene is used, when it is packed again, and the
// size of the cache.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "backends/pack/cache.hpp"
#include "ballotcast/error.hpp"
#include "support/files/files.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace pack_cache_test {

namespace fs = std::filesystem;

std::string triangle(float size) {
  return "mtllib a.mtl\nusemtl m\nv 0 0 0\nv " + std::to_string(size) + " 0 0\nv 0 1 0\nf 1 2 3\n";
}

/// A scene file and a cache.
struct Setting {
  TempDir dir;
  SceneRequest request{dir.write("a.obj", triangle(1.0f))};
  CacheOptions cache{dir / "cache", {}};
  std::vector<std::string> notes, warnings;

  Setting() { dir.write("a.mtl", "newmtl m\nKd 1 0 0\nmap_Kd later.png\n"); }

  CachedScene get(const TreeNames& tree = {"balanced", "auto"}, const BuildTree& build = {}) {
    notes.clear();
    warnings.clear();
    return assemble_with_cache(
        request, tree, cache, [&](const auto& texts) { warnings = texts; },
        [&](const std::string& note) { notes.push_back(note); }, {}, [&] { return build; });
  }
  CacheUse use(const TreeNames& tree = {"balanced", "auto"}) { return get(tree).use; }
  std::size_t entries() const {
    return fs::exists(cache.folder)
               ? static_cast<std::size_t>(std::distance(fs::directory_iterator(cache.folder), {}))
               : 0;
  }
};

TEST(PackCache, keeps_a_scene_with_its_tree_and_gives_it_back_as_it_was) {
  Setting s;
  const CachedScene stored = s.get();
  EXPECT_EQ(stored.use, CacheUse::stored);
  const std::vector<std::string> warnings = s.warnings;
  EXPECT_EQ(warnings.size(), 1u);  // the missing texture
  const CachedScene hit = s.get();
  EXPECT_EQ(hit.use, CacheUse::hit);
  EXPECT_EQ(s.warnings, warnings);
  EXPECT_TRUE(s.notes.empty());
  EXPECT_EQ(hit.scene->files, assemble(s.request).files);
  EXPECT_TRUE(prepare(hit.scene)->tree_is_packed);
  EXPECT_EQ(s.entries(), 1u);
}

TEST(PackCache, applies_light_to_what_it_keeps) {
  Setting s;
  s.get();
  s.request.sun.strength = 2.0f;
  s.request.up = Vec3d(0.0, 0.0, 1.0);
  const CachedScene hit = s.get();
  EXPECT_EQ(hit.use, CacheUse::hit);
  EXPECT_EQ(hit.scene->sun.strength, 2.0f);
  EXPECT_EQ(up_of(*hit.scene), dvec3(0.0, 0.0, 1.0));
  s.request.strict = true;
  EXPECT_THROW(s.get(), InputError);
}

TEST(PackCache, keeps_apart_what_differs) {
  Setting s;
  s.get();
  EXPECT_EQ(s.use({"fast", "auto"}), CacheUse::stored);
  EXPECT_EQ(s.use({"balanced", "bvh2"}), CacheUse::stored);
  s.request.crease_angle = 0.0;
  EXPECT_EQ(s.use(), CacheUse::stored);
  s.request.meshes = {{s.request.file, {2.0, 0.0, {}}}};
  EXPECT_EQ(s.use(), CacheUse::stored);
  s.request.meshes[0].placement.scale = 3.0;
  EXPECT_EQ(s.use(), CacheUse::stored);
  EXPECT_EQ(s.use(), CacheUse::hit);
  EXPECT_EQ(s.entries(), 6u);
}

TEST(PackCache, packs_anew_what_has_changed_and_says_why) {
  Setting s;
  s.get();
  s.dir.write("a.obj", triangle(5.0f));
  const CachedScene changed = s.get();
  EXPECT_EQ(changed.use, CacheUse::stored);
  EXPECT_EQ(changed.scene->mesh.bounds().high.x, 5.0f);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_TRUE(contains(s.notes[0], "a.obj has changed")) << s.notes[0];
  s.dir.write("later.png", "");  // a file that was missing when the scene was packed
  EXPECT_EQ(s.use(), CacheUse::stored);
  EXPECT_EQ(s.use(), CacheUse::hit);
  fs::remove(s.dir / "a.mtl");
  EXPECT_EQ(s.use(), CacheUse::stored);
  EXPECT_EQ(s.entries(), 1u);
}

TEST(PackCache, behind_a_link_sees_changes_of_the_scenes_files) {
  Setting s;
  fs::create_directories(s.dir / "real/deep");
  fs::create_directory_symlink("real/deep", s.dir / "link");
  s.cache.folder = s.dir / "link";
  // The path link/.. leads here.
  const std::string other = s.dir.write("real/a.obj", triangle(1.0f));
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const std::string& file : {s.request.file, other}) fs::last_write_time(file, old);
  EXPECT_EQ(s.use(), CacheUse::stored);
  EXPECT_EQ(s.use(), CacheUse::hit);
  s.dir.write("a.obj", triangle(5.0f));
  const CachedScene changed = s.get();
  EXPECT_EQ(changed.use, CacheUse::stored);
  EXPECT_EQ(changed.scene->mesh.bounds().high.x, 5.0f);
}

TEST(PackCache, packs_anew_what_is_damaged) {
  Setting s;
  s.get();
  const std::string path = fs::directory_iterator(s.cache.folder)->path();
  std::vector<u8> bytes = read_file(path);
  bytes[bytes.size() / 2] ^= 1;
  write_file_atomically(path, bytes);
  EXPECT_EQ(s.use(), CacheUse::stored);
  EXPECT_EQ(s.notes.size(), 1u);
  EXPECT_EQ(s.use(), CacheUse::hit);
}

TEST(PackCache, does_not_take_a_scene_for_another_whose_hash_is_the_same) {
  Setting s;
  s.get();
  const std::string path = fs::directory_iterator(s.cache.folder)->path();
  Setting other;
  other.request.crease_angle = 7.0;
  other.get();
  fs::copy_file(fs::directory_iterator(other.cache.folder)->path(), path,
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(s.use(), CacheUse::stored);
}

TEST(PackCache, removes_what_was_not_used_for_the_longest_time) {
  Setting s;
  const std::string paths[] = {s.dir.write("1.obj", triangle(1.0f)),
                               s.dir.write("2.obj", triangle(2.0f)),
                               s.dir.write("3.obj", triangle(3.0f))};
  const auto use = [&](int i) {
    s.request.file = paths[i];
    return s.use();
  };
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  use(0);
  const u64 one = fs::directory_iterator(s.cache.folder)->file_size();
  s.cache.most_bytes = 2 * one + one / 2;
  wait();
  use(1);
  wait();
  EXPECT_EQ(use(0), CacheUse::hit);
  wait();
  EXPECT_EQ(use(2), CacheUse::stored);  // replaces the second scene
  EXPECT_EQ(s.entries(), 2u);
  EXPECT_EQ(use(0), CacheUse::hit);
  EXPECT_EQ(use(2), CacheUse::hit);
  EXPECT_EQ(use(1), CacheUse::stored);
}

TEST(PackCache, removes_temporary_files_that_nobody_writes_any_more) {
  Setting s;
  const std::string old = s.dir.write("cache/.0123456789abcdef.tmp", "a"),
                    young = s.dir.write("cache/.fedcba9876543210.tmp", "b");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(48));
  s.get();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
}

TEST(PackCache, leaves_files_of_others_alone) {
  Setting s;
  s.cache.most_bytes = 100;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(48);
  std::vector<std::string> others;
  for (const char* name : {"room.bcast", "0123456789abcdeg.bcast", "0123456789abcdef0.bcast",
                           "work.tmp", ".0123.tmp", "0123456789abcdef.tmp"}) {
    others.push_back(s.dir.write(std::string("cache/") + name, "mine"));
    fs::last_write_time(others.back(), old);
  }
  s.get();
  for (const std::string& other : others) EXPECT_TRUE(fs::exists(other)) << other;
}

TEST(PackCache, becomes_smaller_when_a_scene_is_only_used) {
  Setting s;
  s.get();
  const u64 one = fs::directory_iterator(s.cache.folder)->file_size();
  EXPECT_EQ(s.use({"fast", "auto"}), CacheUse::stored);
  s.cache.most_bytes = one + one / 2;
  EXPECT_EQ(s.use(), CacheUse::hit);
  EXPECT_EQ(s.entries(), 1u);
  EXPECT_EQ(s.use(), CacheUse::hit);
  s.cache.most_bytes = 100;
  EXPECT_EQ(s.use(), CacheUse::hit);
  EXPECT_EQ(s.notes.size(), 1u);
  EXPECT_EQ(s.entries(), 0u);
}

TEST(PackCache, keeps_the_tree_of_the_machine_that_builds) {
  Setting s;
  const BuildTree machine{BuildOn::machine, build_on_host};
  s.get({"best", "auto"});
  const CachedScene stored = s.get({"best", "auto"}, machine);
  EXPECT_EQ(stored.use, CacheUse::stored);
  EXPECT_EQ(tree_names(*stored.scene, "best", "auto").builder,
            builder_called("best", BuildOn::machine).name());
  EXPECT_EQ(s.get({"best", "auto"}, machine).use, CacheUse::hit);
  EXPECT_EQ(s.use({"best", "auto"}), CacheUse::hit);
  EXPECT_EQ(s.entries(), 2u);
}

TEST(PackCache, says_how_long_packing_took) {
  Setting s;
  const CachedScene stored = s.get();
  EXPECT_GT(stored.build_ms, 0.0);
  EXPECT_GT(stored.write_ms, 0.0);
  const CachedScene hit = s.get();
  EXPECT_EQ(hit.build_ms, 0.0);
  EXPECT_EQ(hit.write_ms, 0.0);
}

TEST(PackCache, draws_what_is_larger_than_itself_and_keeps_nothing) {
  Setting s;
  s.cache.most_bytes = 100;
  const CachedScene scene = s.get();
  EXPECT_EQ(scene.use, CacheUse::failed);
  EXPECT_EQ(s.notes.size(), 1u);
  EXPECT_EQ(s.entries(), 0u);
  EXPECT_EQ(scene.scene->mesh.bounds().high.x, 1.0f);  // the file was removed, but is still mapped
  EXPECT_TRUE(prepare(scene.scene)->tree_is_packed);
}

TEST(PackCache, goes_on_without_a_folder_that_can_be_made) {
  Setting s;
  s.cache.folder = s.dir.write("file", "") + "/below";
  const CachedScene scene = s.get();
  EXPECT_EQ(scene.use, CacheUse::failed);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_EQ(s.notes[0], "cache: " + s.cache.folder + ": can't be made: Not a directory");
  EXPECT_EQ(scene.scene->mesh.triangles.size(), 1u);
}

TEST(PackCache, says_what_stands_in_its_way) {
  Setting s;
  s.get();
  const std::string path = fs::directory_iterator(s.cache.folder)->path();
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(s.use(), CacheUse::failed);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_TRUE(contains(s.notes[0], path + ": can't be written: it is a directory")) << s.notes[0];
}

TEST(PackCache, says_why_a_scene_can_not_be_kept) {
  Setting s;
  s.get();
  const std::string lamp =
      s.dir.write("a.json", R"({"meshes": ["a.obj"], "sky": {"file": "none.hdr"}})");
  s.request.file = lamp;
  s.request.sky.file = s.dir.write("sky.pfm", "PF\n2 2\n-1.0\n" + std::string(48, '\x3f'));
  EXPECT_EQ(s.use(), CacheUse::failed);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_TRUE(contains(s.notes[0], "none.hdr")) << s.notes[0];
}

TEST(PackCache, gives_the_errors_that_files_would_give) {
  Setting s;
  s.request.file = s.dir / "none.obj";
  EXPECT_TRUE(contains(message_of<InputError>([&] { s.get(); }), "no such file"));
  EXPECT_EQ(s.entries(), 0u);
}

TEST(PackCache, is_not_asked_for_the_built_in_scene) {
  Setting s;
  s.request = {};
  EXPECT_EQ(s.use(), CacheUse::none);
  EXPECT_EQ(s.entries(), 0u);
}

TEST(PackCache, serves_many_at_once_while_scenes_are_stored_and_removed) {
  Setting s;
  std::vector<std::string> paths;
  for (int i = 0; i < 4; ++i)
    paths.push_back(s.dir.write(std::to_string(i) + ".obj", triangle(static_cast<float>(i + 1))));
  s.cache.most_bytes = 8000;  // enough for one or two packed scenes
  std::vector<std::thread> threads;
  for (int worker = 0; worker < 4; ++worker)
    threads.emplace_back([&, worker] {
      for (int round = 0; round < 12; ++round) {
        const std::size_t i = static_cast<std::size_t>(worker + round * 3) % paths.size();
        const CachedScene scene = assemble_with_cache({paths[i]}, {"fast", "auto"}, s.cache, {},
                                                      [](const std::string&) {}, {});
        EXPECT_EQ(scene.scene->mesh.bounds().high.x, static_cast<float>(i + 1));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace pack_cache_test
}  // namespace ballotcast::detail
