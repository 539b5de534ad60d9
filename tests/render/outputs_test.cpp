// Tests numbers about pixels: what each output contains, and that it is the same on every device.
#include "render/outputs/outputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "ballotcast/tables.hpp"
#include "helpers/meshes.hpp"
#include "kernels/shadings/visits.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace outputs_test {

/// A scene: a wall from -1 to 1 at z = -2, of two triangles, seen from the origin with a field of
/// view of 90 degrees.
Scene wall() {
  const Vec3f corners[] = {{-1, -1, -2}, {1, -1, -2}, {1, 1, -2}, {-1, 1, -2}};
  const Triangle triangles[] = {{0, 1, 2}, {0, 2, 3}};
  return make_scene(corners, triangles);
}

RenderSettings view() {
  RenderSettings settings;
  settings.width = 16;
  settings.height = 12;
  settings.camera.eye = {0, 0, 0};
  settings.camera.look_at = {0, 0, -1};
  settings.camera.fov = 90.0;
  return settings;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const OutputInfo& row : output_table())
    if (!row.is_drawn()) names.emplace_back(row.name);
  return names;
}

PixelNumbers output(Renderer& renderer, const std::string& name) {
  return renderer.outputs(view(), {&name, 1})[0];
}

// A pixel on the wall, and a pixel beside the wall.
constexpr std::size_t kMiddle = 6 * 16 + 8, kCorner = 0;

TEST(Outputs, depth_of_a_wall_is_planar_and_in_the_units_of_the_scene) {
  Renderer renderer(wall(), {"cpu"});
  const PixelNumbers depth = output(renderer, "depth"), distance = output(renderer, "distance");
  ASSERT_EQ(depth.floats.size(), 16u * 12u);
  EXPECT_EQ(depth.channels, std::vector<std::string>{"Z"});
  std::size_t found = 0;
  for (std::size_t i = 0; i < depth.floats.size(); ++i) {
    if (std::isinf(depth.floats[i])) {
      EXPECT_TRUE(std::isinf(distance.floats[i]));
      continue;
    }
    ++found;
    EXPECT_NEAR(depth.floats[i], 2.0f, 1e-6f);
    const double x = (double(i % 16) + 0.5 - 8.0) / 6.0, y = (double(i / 16) + 0.5 - 6.0) / 6.0;
    EXPECT_NEAR(distance.floats[i], 2.0 * std::sqrt(1.0 + x * x + y * y), 1e-5);
  }
  EXPECT_EQ(found, 36u) << "six by six pixels show the wall";
}

TEST(Outputs, say_what_the_surface_is_like_and_that_nothing_is_there) {
  Renderer renderer(wall(), {"cpu"});
  const auto floats = [&](const char* name, std::size_t pixel, std::size_t channel) {
    const PixelNumbers n = output(renderer, name);
    return n.floats[pixel * n.channels.size() + channel];
  };
  const auto integer = [&](const char* name, std::size_t pixel) {
    return output(renderer, name).integers[pixel];
  };
  EXPECT_NEAR(floats("position", kMiddle, 0), 0.5 / 6.0 * 2.0, 1e-6);
  EXPECT_EQ(floats("position", kMiddle, 2), -2.0f);
  EXPECT_TRUE(std::isnan(floats("position", kCorner, 0)));
  EXPECT_EQ(floats("normal", kMiddle, 2), 1.0f);
  EXPECT_EQ(floats("geometric-normal", kMiddle, 2), 1.0f);
  EXPECT_EQ(floats("normal", kCorner, 2), 0.0f);
  EXPECT_NEAR(floats("albedo", kMiddle, 1), 0.8f, 1e-6);
  EXPECT_EQ(floats("uv", kMiddle, 1), 0.0f);
  for (const char* name : {"triangle", "mesh", "instance", "part", "material"}) {
    EXPECT_GE(integer(name, kMiddle), 0) << name;
    EXPECT_EQ(integer(name, kCorner), -1) << name;
  }
  EXPECT_EQ(integer("triangle", 3 * 16 + 5), 1);
  EXPECT_EQ(integer("triangle", 8 * 16 + 10), 0);
  EXPECT_GT(integer("visits", kMiddle), 0);
}

TEST(Outputs, number_triangles_in_their_mesh_and_tell_instances_apart) {
  const Scene meshes[] = {wall(), testing::scene_of(testing::sphere(6))};
  const Instance instances[] = {{0, moved_by(0, 0, -4)}, {0, {}}};
  Renderer renderer(make_scene(meshes, instances), {"cpu"});
  EXPECT_EQ(output(renderer, "instance").integers[kMiddle], 1);
  EXPECT_EQ(output(renderer, "mesh").integers[kMiddle], 0);
  EXPECT_EQ(output(renderer, "triangle").integers[3 * 16 + 5], 1);
}

TEST(Outputs, have_the_same_bits_on_every_device) {
  const Scene scene = testing::scene_of(testing::sphere(8));
  Renderer emulated(scene, {"emulated"});
  RenderSettings settings = view();
  settings.camera = {};
  RendererOptions same_tree{"cpu"};
  same_tree.layout = std::string(prepared_of(emulated).encoded.layout->name);
  Renderer cpu(scene, same_tree);
  const auto a = cpu.outputs(settings, all_names()), b = emulated.outputs(settings, all_names());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(a[i].name);
    EXPECT_EQ(a[i].integers, b[i].integers);
    ASSERT_EQ(a[i].floats.size(), b[i].floats.size());
    const std::size_t bytes = a[i].floats.size() * sizeof(float);
    EXPECT_TRUE(bytes == 0 || std::memcmp(a[i].floats.data(), b[i].floats.data(), bytes) == 0);
  }
}

TEST(Outputs, visits_are_those_that_the_shading_counts) {
  Renderer renderer(testing::scene_of(testing::sphere(8)), {"cpu"});
  RenderSettings settings = view();
  settings.shading = "visits";
  settings.keep_linear = true;
  settings.camera.eye = {0, 0, 3};
  const Frame frame = renderer.render(settings);
  const std::string name = "visits";
  const PixelNumbers visits = renderer.outputs(settings, {&name, 1})[0];
  for (std::size_t i = 0; i < visits.integers.size(); ++i) {
    const float count = static_cast<float>(visits.integers[i]);
    EXPECT_EQ(vec3(frame.linear.pixels[i]), VisitsShading::heat(count / (count + 16.0f))) << i;
  }
}

TEST(Outputs, of_what_is_drawn_or_unknown_are_refused) {
  Renderer renderer(wall(), {"cpu"});
  EXPECT_THROW(output(renderer, "colour"), UsageError);
  EXPECT_THROW(output(renderer, "alpha"), UsageError);
  try {
    output(renderer, "dept");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("geometric-normal"), std::string::npos);
  }
  EXPECT_EQ(&output_called("geometric_normal"), &output_called("geometric-normal"));
  EXPECT_EQ(ballotcast::outputs().size(), output_table().size());
}

TEST(Outputs, too_large_for_memory_are_refused_before_it_is_taken) {
  Renderer renderer(wall(), {"cpu"});
  RenderSettings settings = view();
  settings.width = settings.height = 16384;
  try {
    renderer.outputs(settings, all_names());
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("would take"), std::string::npos) << error.what();
  }
}

TEST(Outputs, go_into_one_exr_or_into_files_beside_the_picture) {
  const WantedOutputs wanted({"triangle", "depth", "colour"});
  EXPECT_EQ(paths_of(wanted, "a.b/x.exr"), std::vector<std::string>(3, "a.b/x.exr"));
  EXPECT_EQ(paths_of(wanted, "a.b/x.png"),
            (std::vector<std::string>{"a.b/x.png", "a.b/x.depth.pfm", "a.b/x.triangle.pfm"}));
  EXPECT_EQ(paths_of(WantedOutputs({"depth"}), "d.pfm"), std::vector<std::string>{"d.pfm"});
  EXPECT_THROW(require_holders(WantedOutputs({"depth"}), "d.png"), UsageError);
  EXPECT_NO_THROW(require_holders(wanted, "d.png"));
}

TEST(Surfaces, have_the_opacity_that_cuts_them_out) {
  SceneData data = *wall().data();
  data.mesh.vertex_opacity = {0.75f, 0.75f, 0.75f, 0.75f};
  data.materials[0].opacity = 0.8f;
  Renderer renderer(Scene(std::make_shared<const SceneData>(std::move(data))), {"cpu"});
  const Ray ray = renderer.pixel_ray(view(), 8, 6);
  Hit hit;
  SurfacePoint point;
  renderer.closest({&ray, 1}, {&hit, 1});
  renderer.surfaces({&hit, 1}, {&point, 1});
  EXPECT_NEAR(point.opacity, 0.6f, 1e-6f) << "of the material, times that of the vertices";
}

TEST(Surfaces, are_what_the_materials_and_the_corners_say) {
  const Scene scene = wall();
  Renderer renderer(scene, {"cpu"});
  const Ray rays[] = {renderer.pixel_ray(view(), 8, 6), renderer.pixel_ray(view(), 0, 0)};
  Hit hits[2];
  SurfacePoint points[2];
  renderer.closest(rays, hits);
  renderer.surfaces(hits, points);
  EXPECT_EQ(points[0].position.z, -2.0);
  EXPECT_EQ(points[0].normal, Vec3f(0, 0, 1));
  EXPECT_EQ(points[0].geometric_normal, Vec3f(0, 0, 1));
  EXPECT_EQ(points[0].color, Vec3f(0.8f, 0.8f, 0.8f));
  EXPECT_EQ(points[0].texture_color, Vec3f(1, 1, 1));
  EXPECT_EQ(points[0].roughness, 1.0f);
  EXPECT_EQ(points[0].opacity, 1.0f);
  EXPECT_EQ(scene.material_names().at(points[0].material), "grey");
  EXPECT_TRUE(std::isnan(points[1].position.x));
  EXPECT_EQ(points[1].material, kNoTriangle);
  EXPECT_EQ(points[1].color, Vec3f(0, 0, 0));
  hits[0].triangle = 2;
  EXPECT_THROW(renderer.surfaces(hits, points), UsageError);
}

}  // namespace outputs_test
}  // namespace ballotcast::detail
