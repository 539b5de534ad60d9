// Tests that packed scenes give the same hits and pixels as the files from which they were made,
// and that packed scenes that are out of date are refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "backends/packing.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/renderer.hpp"
#include "bvh/builders/submeshes.hpp"
#include "helpers/floor_scene.hpp"
#include "helpers/materials_scene.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"
#include "scene/assemble.hpp"
#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace packed_tree_test {

namespace fs = std::filesystem;
using testing::loaded;
using testing::pack;
using testing::pack_files;
using testing::refusal_to_load;

/// The hashes of a small picture of a scene and of its hits.
std::string picture_of(const std::shared_ptr<const SceneData>& scene,
                       const std::string& shading = "") {
  Renderer renderer(scene, {"cpu"});
  RenderSettings settings;
  settings.width = 40;
  settings.height = 24;
  settings.samples = 2;
  settings.bounces = 3;
  settings.shading = shading;
  settings.keep_hits = true;
  const Frame frame = renderer.render(settings);
  return hash_of(frame.image) + " " + hash_of(frame.hits);
}

bool has_packed_tree(const std::shared_ptr<const SceneData>& scene) {
  const Renderer renderer(scene, {"cpu"});
  return prepared_of(renderer).tree_is_packed;
}

TEST(PackedScene, of_every_scene_of_the_project_is_drawn_as_its_files_are) {
  const TempDir dir;
  for (const auto& entry : fs::directory_iterator(BALLOTCAST_SOURCE_DIR "/scenes")) {
    const std::string path = entry.path();
    if (entry.path().filename() == "suite.json" ||
        (entry.path().extension() != ".json" && entry.path().extension() != ".obj"))
      continue;
    SCOPED_TRACE(path);
    const auto scene = loaded({path});
    const auto packed = loaded({pack_files(dir / "a.bcast", {path})});
    EXPECT_TRUE(has_packed_tree(packed));
    EXPECT_EQ(picture_of(packed), picture_of(scene));
    EXPECT_EQ(packed->warnings, scene->warnings);
    EXPECT_EQ(packed->name, scene->name);
    EXPECT_EQ(packed->files, (std::vector<std::string>{dir / "a.bcast"}));
    EXPECT_EQ(packed->unread_files, scene->all_files());
  }
}

/// Scenes with features that the project's scene files lack: textures, a picture of the sky, lamps,
/// vertex colours, copies, a lens, origins far away.
std::vector<SceneData> odd_scenes() {
  std::vector<SceneData> all{testing::textured_scene(), testing::materials_scene(),
                             testing::lamp_scene(vec3(3.0f)), builtin_scene_data()};
  SceneData& lens = all.emplace_back(builtin_scene_data());
  lens.camera->lens = 0.4;
  lens.camera->focus = 6.0;
  lens.up = dvec3(0.1, 1.0, 0.0);
  lens.exposure = 0.75f;
  lens.white_balance = "3200";
  lens.light = "camera";
  lens.sun.strength = 2.0f;
  lens.sky.zenith = vec3(0.1f, 0.2f, 0.9f);
  SceneData& copies =
      all.emplace_back(*testing::scene_of(testing::repeated(testing::sphere(6), 3)));
  copies.mesh.vertex_colors.resize(copies.mesh.positions.size(), vec3(0.5f, 1.0f, 0.25f));
  copies.origin = dvec3(1e6, 0.0, -3e5);
  copies.shading = "albedo";
  copies.warnings = {"an odd warning"};
  SceneData& lone = all.emplace_back(*testing::scene_of({}));  // a single triangle: no inner node
  lone.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  lone.mesh.triangles = {{0, 1, 2}};
  for (SceneData& scene : all) scene.material_names.resize(scene.materials.size(), "grey");
  return all;
}

TEST(PackedScene, of_every_kind_of_content_is_drawn_as_it_was_in_every_layout) {
  const TempDir dir;
  for (const SceneData& scene : odd_scenes()) {
    const auto plain = std::make_shared<const SceneData>(scene);
    const std::string quick = picture_of(plain), lit = picture_of(plain, "lit");
    for (const LayoutInfo& layout : layouts()) {
      SCOPED_TRACE(scene.name + ", " + std::string(layout.name));
      const auto packed = loaded({pack(dir / "a.bcast", scene, "fast", layout.name)});
      ASSERT_TRUE(has_packed_tree(packed));
      EXPECT_EQ(picture_of(packed), quick);
      EXPECT_EQ(picture_of(packed, "lit"), lit);
      EXPECT_EQ(packed->warnings, scene.warnings);
    }
  }
}

TEST(PackedScene, without_triangles_is_packed_too) {
  const TempDir dir;
  for (const LayoutInfo& layout : layouts()) {
    const auto packed =
        loaded({pack(dir / "a.bcast", *testing::scene_of({}), "fast", layout.name)});
    EXPECT_TRUE(has_packed_tree(packed));
    Renderer renderer(packed, {"cpu"});
    const std::vector<Ray> ray{{{0, 0, 0}, 0.0f, {0, 0, 1}, 5.0f}};
    std::vector<Hit> hit(1);
    renderer.closest(ray, hit);
    EXPECT_FALSE(hit[0].found());
  }
}

TEST(PackedScene, of_a_gltf_keeps_its_textures) {
  const TempDir dir;
  testing::Gltf gltf = testing::triangle();
  const std::string path = dir.write("a.gltf", gltf.json(gltf.data_uri()));
  const std::string before = picture_of(loaded({path}));
  EXPECT_EQ(picture_of(loaded({pack_files(dir / "a.bcast", {path})})), before);
}

TEST(PackedScene, every_tree_and_its_statistics_come_back_bit_by_bit) {
  const TempDir dir;
  const auto scene = std::make_shared<const SceneData>(testing::materials_scene());
  for (const BuilderInfo& builder : builders())
    for (const LayoutInfo& layout : layouts()) {
      const auto built = prepare(scene, builder.name, layout.name);
      const auto packed = loaded({pack(dir / "a.bcast", *built)});
      const TreeNames names = tree_names(*packed, "balanced", "auto");
      EXPECT_EQ(names.builder, builder.name);
      EXPECT_EQ(names.layout, layout.name);
      const auto taken = prepare(packed, names.builder, names.layout);
      ASSERT_TRUE(taken->tree_is_packed);
      const auto same_bytes = [](const auto& a, const auto& b) {
        return a.size() == b.size() &&
               std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
      };
      EXPECT_TRUE(same_bytes(std::as_const(taken->encoded.nodes), built->encoded.nodes));
      EXPECT_TRUE(same_bytes(std::as_const(taken->encoded.triangles), built->encoded.triangles));
      EXPECT_EQ(taken->view.magnitude, built->view.magnitude);
      EXPECT_EQ(taken->view.diagonal, built->view.diagonal);
      EXPECT_EQ(taken->statistics.sah_cost, built->statistics.sah_cost);
      EXPECT_EQ(taken->statistics.nodes, built->statistics.nodes);
    }
}

TEST(PackedScene, of_a_tree_from_submeshes_is_walked_as_such) {
  const TempDir dir;
  const Mesh mesh = testing::soup(700, 5);
  Renderer whole(testing::scene_of(mesh), {"cpu"});
  const FewerAtOnce few(100);
  const std::string hash = hash_of(prepare(testing::scene_of(mesh), "fast")->encoded);
  const auto packed = loaded({pack(dir / "a.bcast", SceneData(*testing::scene_of(mesh)))});
  Renderer renderer(packed, {"cpu"});
  EXPECT_TRUE(prepared_of(renderer).tree_is_packed);
  EXPECT_EQ(hash_of(prepared_of(renderer).encoded), hash);
  const std::vector<Ray> rays = testing::rays_at(mesh, 500, 6);
  std::vector<Hit> hits(rays.size()), expected(rays.size());
  renderer.closest(rays, hits);
  whole.closest(rays, expected);
  EXPECT_EQ(testing::first_difference(hits, expected), expected.size());
}

TEST(PackedScene, gives_another_tree_if_another_is_asked_for_and_says_so) {
  const TempDir dir;
  const auto packed = loaded({pack(dir / "a.bcast", testing::textured_scene(), "best", "grid2")});
  const auto note = [&](const char* builder, const char* layout) {
    const Renderer renderer(packed, {"cpu", builder, layout});
    return note_on_tree(prepared_of(renderer));
  };
  EXPECT_EQ(note("balanced", "auto"), "");  // the default builder and layout
  EXPECT_EQ(note("best", "grid2"), "");
  EXPECT_TRUE(contains(note("fast", "auto"), "built anew"));
  EXPECT_TRUE(contains(note("best", "bvh2"), dir / "a.bcast"));
}

TEST(PackedScene, takes_the_settings_that_its_files_would_take) {
  const TempDir dir;
  const std::string path = BALLOTCAST_SOURCE_DIR "/scenes/cornell-box.json";
  const std::string pfm = "PF\n2 2\n-1.0\n" + std::string(48, '\x3f');
  SceneRequest request{path};
  request.sun.strength = 3.0f;
  request.sky.file = dir.write("sky.pfm", pfm);
  request.sky.turn = 20.0;
  request.up = Vec3d(0.0, 1.0, 0.1);
  request.exposure = 0.5f;
  SceneRequest packed = request;
  packed.file = pack_files(dir / "a.bcast", {path});
  EXPECT_TRUE(has_packed_tree(loaded(packed)));
  EXPECT_EQ(picture_of(loaded(packed)), picture_of(loaded(request)));
  request.meshes = packed.meshes = {{BALLOTCAST_SOURCE_DIR "/scenes/blob.obj", {0.3, 0.0, {}}}};
  EXPECT_FALSE(has_packed_tree(loaded(packed)));
  EXPECT_EQ(picture_of(loaded(packed)), picture_of(loaded(request)));
}

TEST(PackedScene, keeps_its_picture_of_the_sky) {
  const TempDir dir;
  SceneRequest request{BALLOTCAST_SOURCE_DIR "/scenes/blob.obj"};
  request.sky.file = dir.write("sky.pfm", "PF\n2 2\n-1.0\n" + std::string(48, '\x3f'));
  const std::string before = picture_of(loaded(request));
  const std::string path = pack_files(dir / "a.bcast", request);
  fs::remove(*request.sky.file);
  EXPECT_EQ(picture_of(loaded({path})), before);
}

TEST(PackedScene, whose_mesh_was_changed_does_not_keep_its_tree) {
  const TempDir dir;
  SceneData scene = assemble({pack(dir / "a.bcast", testing::textured_scene())});
  scene.mesh.positions[0].x += 1.0f;
  EXPECT_FALSE(has_packed_tree(std::make_shared<const SceneData>(scene)));
}

TEST(PackedScene, refuses_a_crease_angle_and_a_place_in_another_scene) {
  const TempDir dir;
  SceneRequest request{pack(dir / "a.bcast", testing::textured_scene())};
  const SceneRequest added{"", {{request.file}}};
  request.crease_angle = 20.0;
  EXPECT_TRUE(contains(message_of<UsageError>([&] { assemble(request); }), "crease angle"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { assemble(added); }), "packed scene"));
}

// ---- Sources ------------------------------------------------------------------------------------

/// A scene of two files that were written long ago.
struct TwoFiles {
  TempDir dir;
  std::string obj =
      dir.write("a.obj", "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::string mtl = dir.write("a.mtl", "newmtl m\nKd 1 0 0\nmap_Kd later.png\n");
  std::string packed;

  TwoFiles() {
    for (const std::string& file : {obj, mtl}) make_old(file);
    packed = pack_files(dir / "a.bcast", {obj});
  }
  static void make_old(const std::string& file) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
};

TEST(PackedScene, is_out_of_date_if_a_source_has_changed) {
  const TwoFiles files;
  EXPECT_EQ(assemble({files.packed}).materials[0].color, vec3(1.0f, 0.0f, 0.0f));
  files.dir.write("a.mtl", "newmtl m\nKd 0 1 0\nmap_Kd later.png\n");
  const std::string why = refusal_to_load(files.packed);
  EXPECT_TRUE(contains(why, "out of date")) << why;
  EXPECT_TRUE(contains(why, files.mtl)) << why;
}

TEST(PackedScene, is_not_out_of_date_if_a_source_has_only_another_time) {
  const TwoFiles files;
  fs::last_write_time(files.obj, fs::file_time_type::clock::now());
  EXPECT_NO_THROW(assemble({files.packed}));
}

TEST(PackedScene, of_young_files_is_compared_with_their_contents) {
  const TempDir dir;
  const std::string obj = dir.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string packed = pack_files(dir / "a.bcast", {obj});
  const auto time = fs::last_write_time(obj);
  dir.write("a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
  fs::last_write_time(obj, time);  // as if the file was written within the same tick of the clock
  EXPECT_TRUE(contains(refusal_to_load(packed), "out of date"));
}

TEST(PackedScene, is_out_of_date_if_a_file_appears_that_was_missed) {
  const TwoFiles files;
  files.dir.write("LATER.png", "");
  EXPECT_TRUE(contains(refusal_to_load(files.packed), "was not there"));
}

TEST(PackedScene, can_be_taken_elsewhere_alone_or_with_its_files) {
  const TwoFiles files;
  const TempDir elsewhere;
  fs::copy_file(files.packed, elsewhere / "b.bcast");
  for (const std::string& file : {files.obj, files.mtl}) fs::remove(file);
  EXPECT_NO_THROW(assemble({elsewhere / "b.bcast"}));
  // A file beside the packed scene that has the name of a source.
  elsewhere.write("a.mtl", "newmtl m\n");
  EXPECT_TRUE(contains(refusal_to_load(elsewhere / "b.bcast"), "out of date"));
}

TEST(PackedScene, in_a_folder_that_is_reached_through_a_link_finds_its_own_sources) {
  const TempDir dir;
  const std::string obj = dir.write("room.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  dir.write("real/room.obj", "v 0 0 0\n");  // the path link/.. leads here
  fs::create_directories(dir / "real/deep");
  fs::create_directory_symlink("real/deep", dir / "link");
  TwoFiles::make_old(obj);
  const std::string packed = pack_files(dir / "link/a.bcast", {obj});
  EXPECT_NO_THROW(assemble({packed}));
  EXPECT_NO_THROW(assemble({dir / "real/deep/a.bcast"}));
  dir.write("room.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_TRUE(contains(refusal_to_load(packed), "out of date"));
}

TEST(PackedScene, of_a_file_behind_a_link_is_out_of_date_if_the_link_leads_elsewhere) {
  const TempDir dir;
  dir.write("v1/room.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  dir.write("v2/room.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
  fs::create_directory_symlink("v1", dir / "current");
  const std::string packed = pack_files(dir / "a.bcast", {dir / "current/room.obj"});
  fs::remove(dir / "current");
  fs::create_directory_symlink("v2", dir / "current");
  EXPECT_TRUE(contains(refusal_to_load(packed), "out of date"));
}

TEST(PackedScene, that_is_written_through_a_link_finds_its_sources_under_both_names) {
  const TempDir dir;
  const std::string obj = dir.write("a/b/room.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  dir.write("store/c/d/room.obj", "v 0 0 0\n");
  dir.write("store/c/d/a.bcast", "");
  fs::create_symlink(dir / "store/c/d/a.bcast", dir / "a/b/a.bcast");
  pack_files(dir / "a/b/a.bcast", {obj});
  EXPECT_NO_THROW(assemble({dir / "a/b/a.bcast"}));
  EXPECT_NO_THROW(assemble({dir / "store/c/d/a.bcast"}));
}

TEST(PackedScene, of_files_from_the_future_is_made_and_compared_with_their_contents) {
  const TwoFiles files;
  const auto future = fs::file_time_type::clock::now() + std::chrono::hours(24);
  fs::last_write_time(files.obj, future);
  pack_files(files.packed, {files.obj});
  EXPECT_NO_THROW(assemble({files.packed}));
  files.dir.write("a.obj", "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
  fs::last_write_time(files.obj, future);
  EXPECT_TRUE(contains(refusal_to_load(files.packed), "out of date"));
}

TEST(PackedScene, does_not_need_to_read_its_sources) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can read everything";
  const TwoFiles files;
  fs::last_write_time(files.obj, fs::file_time_type::clock::now());
  fs::permissions(files.obj, fs::perms::none);
  EXPECT_NO_THROW(assemble({files.packed}));
}

TEST(PackedScene, that_is_packed_again_keeps_its_tree_and_its_sources) {
  const TwoFiles files;
  const std::string again = files.dir / "below/again.bcast";
  fs::create_directory(files.dir / "below");
  const std::int64_t started = begin_reading();
  const auto scene = loaded({files.packed});
  const TreeNames names = tree_names(*scene, kDefaultBuilder, "auto");
  const auto prepared = prepare(scene, names.builder, names.layout);
  write_packed(again, *prepared, sources_of(*scene, started, again), true);
  EXPECT_TRUE(has_packed_tree(loaded({again})));
  fs::remove(files.packed);
  EXPECT_NO_THROW(assemble({again}));
  files.dir.write("LATER.png", "");
  EXPECT_TRUE(contains(refusal_to_load(again), "was not there"));
  fs::remove(files.dir / "LATER.png");
  files.dir.write("a.mtl", "newmtl m\nKd 0 1 0\nmap_Kd later.png\n");
  EXPECT_TRUE(contains(refusal_to_load(again), "a.mtl has changed"));
}

TEST(PackedScene, of_files_that_change_while_they_are_read_is_not_made) {
  const TempDir dir;
  const std::string obj = dir.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const SceneData scene = assemble({obj});
  const std::string why = message_of<InputError>(
      [&] { sources_of(scene, begin_reading() - 1000000000, dir / "a.bcast"); });
  EXPECT_TRUE(contains(why, "changed while")) << why;
}

TEST(PackedScene, of_files_that_are_replaced_by_older_ones_while_they_are_read_is_not_made) {
  const TempDir dir;
  const std::string obj = dir.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::int64_t started = begin_reading();
  const SceneData scene = assemble({obj});
  dir.write("b.obj", "v 0 0 0\n");
  TwoFiles::make_old(dir / "b.obj");
  fs::rename(dir / "b.obj", obj);
  const std::string why =
      message_of<InputError>([&] { sources_of(scene, started, dir / "a.bcast"); });
  EXPECT_TRUE(contains(why, "changed while")) << why;
}

}  // namespace packed_tree_test
}  // namespace ballotcast::detail
