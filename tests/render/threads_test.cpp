// Tests several renderers of one scene, in several threads at once.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "ballotcast/frame.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "render/internals.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace threads_test {

std::vector<std::string> answers(const std::shared_ptr<const SceneData>& scene,
                                 const char* device) {
  Renderer renderer(scene, {device});
  RenderSettings settings;
  settings.width = testing::kSanitized ? 24 : 48;
  settings.height = testing::kSanitized ? 16 : 32;
  settings.samples = 2;
  const Frame frame = renderer.render(settings);
  const std::vector<Ray> rays = testing::rays_at(scene->mesh, 2000, 4);
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  const AllHits all = renderer.all(rays);
  return {hash_of(frame.image), hash_of(hits), hash_of(all.hits)};
}

TEST(Threads, may_each_have_a_renderer_over_the_same_scene) {
  const auto scene = std::make_shared<const SceneData>(builtin_scene_data());
  const std::vector<std::string> expected = answers(scene, "cpu");
  const char* devices[] = {"cpu", "emulated", "cpu", "emulated"};
  std::vector<std::vector<std::string>> got(std::size(devices));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < got.size(); ++i)
    threads.emplace_back([&, i] {
      for (u32 again = 0; again < 2; ++again) got[i] = answers(scene, devices[i]);
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], expected) << "thread " << i;
}

TEST(Threads, may_load_build_and_ask_at_the_same_time) {
  std::vector<std::vector<std::string>> got(3);
  std::vector<std::thread> threads;
  for (auto& mine : got)
    threads.emplace_back([&mine] {
      mine = answers(std::make_shared<const SceneData>(
                         assemble({BALLOTCAST_SOURCE_DIR "/scenes/cornell-box.json"})),
                     "cpu");
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(got[1], got[0]);
  EXPECT_EQ(got[2], got[0]);
}

}  // namespace threads_test
}  // namespace ballotcast::detail
