// Tests several machines that share casts and frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <thread>

#include "backends/device/device_choice.hpp"
#include "backends/several/machines.hpp"
#include "backends/several/several_scene.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "helpers/scene_around.hpp"
#include "kernels/shadings/shadings.hpp"
#include "render/settings.hpp"

namespace ballotcast::detail {
namespace several_test {

using namespace std::chrono_literals;

TEST(Sharing, gives_every_item_to_one_machine) {
  Speeds speeds(3);
  for (const u64 count : {0u, 1u, 7u, 64u, 1000u}) {
    Sharing sharing(count, {4, 64, 0.0}, speeds);
    std::vector<std::atomic<u32>> given(count);
    const auto work = [&](std::size_t machine) {
      while (const std::optional<Chunk> chunk = sharing.take(machine)) {
        EXPECT_GT(chunk->count, 0u);
        EXPECT_LE(chunk->count, 64u);
        for (u64 i = 0; i < chunk->count; ++i) ++given.at(chunk->first + i);
        sharing.done(machine, *chunk, machine == 1 ? 0.1 : 1.0);
      }
    };
    std::thread first(work, 0), second(work, 1);
    work(2);
    first.join();
    second.join();
    for (const std::atomic<u32>& times : given) EXPECT_EQ(times, 1u) << count;
  }
}

TEST(Sharing, gives_more_to_the_faster) {
  Speeds speeds{100.0, 300.0};
  Sharing sharing(4096, {64, 4096, 0.0}, speeds);
  EXPECT_EQ(sharing.take(0)->count, 512u);   // half of a quarter of the items
  EXPECT_EQ(sharing.take(1)->count, 1344u);  // half of three quarters of the remaining items
}

TEST(Sharing, keeps_equal_machines_equally_busy) {
  for (const std::size_t machines : {2u, 3u, 4u, 8u, 16u}) {
    const u64 count = 100 * machines;
    Speeds speeds(machines);
    Sharing sharing(count, {1, count, 0.0}, speeds);
    // Simulates machines that take about a second per item, but not all the same time. Each machine
    // gets its next chunk when it has finished the last, and never waits.
    std::vector<Chunk> chunks(machines, Chunk{0, 0});
    std::vector<double> busy_until(machines, 0.0);
    for (u64 given = 0; given < count;) {
      const std::size_t i = static_cast<std::size_t>(
          std::min_element(busy_until.begin(), busy_until.end()) - busy_until.begin());
      const double took =
          static_cast<double>(chunks[i].count) * (1.0 + 1e-4 * static_cast<double>(i));
      if (busy_until[i] > 0.0) sharing.done(i, chunks[i], took);
      chunks[i] = *sharing.take(i);
      given += chunks[i].count;
      busy_until[i] += static_cast<double>(chunks[i].count);
    }
    EXPECT_LE(*std::max_element(busy_until.begin(), busy_until.end()), 103.0) << machines;
  }
}

TEST(Sharing, gives_nothing_to_a_machine_that_others_would_wait_for) {
  Speeds speeds{1000.0, 1.0};
  Sharing sharing(640, {64, 640, 0.0}, speeds);
  std::optional<Chunk> slow;
  std::thread waiting([&] { slow = sharing.take(1); });
  while (const std::optional<Chunk> chunk = sharing.take(0)) sharing.done(0, *chunk, 0.001);
  waiting.join();
  EXPECT_FALSE(slow);
}

TEST(Sharing, gives_the_chunk_of_a_failed_machine_to_another) {
  Speeds speeds(2);
  Sharing sharing(8, {8, 8, 0.0}, speeds);
  const Chunk chunk = *sharing.take(0);
  std::optional<Chunk> other;
  std::thread waiting([&] { other = sharing.take(1); });
  std::this_thread::sleep_for(5ms);
  sharing.give_back(0, chunk);
  waiting.join();
  ASSERT_TRUE(other);
  EXPECT_EQ(other->count, 8u);
}

TEST(MachineThread, throws_what_its_work_has_thrown) {
  MachineThread thread;
  std::vector<std::future<void>> works;
  works.push_back(thread.start([] { throw DeviceError("broken"); }));
  works.push_back(thread.start([] {}));
  EXPECT_THROW(wait_for(works), DeviceError);
}

/// A scene on the CPU whose calls of cast, draw and develop take some time. If n is not 0, its n-th
/// call fails.
class FailingScene final : public testing::SceneAround {
 public:
  enum class With { device_error, out_of_memory, frame_error };

  FailingScene(const PreparedScene& scene, u32 fails_at, With with, std::chrono::milliseconds takes)
      : SceneAround(backend_called("cpu").upload(scene)),
        fails_at_(fails_at),
        with_(with),
        takes_(takes) {}

  CastCounts answer(const Query& query) override {
    // Results that are written before the failure must not remain.
    if (calls_ + 1u == fails_at_) query.results_as<Hit>()[0] = {-5.0f, 1u, 0.0f, 0.0f};
    call(false);
    return SceneAround::answer(query);
  }
  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    call();
    return SceneAround::draw(settings, choice, report);
  }
  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    call();
    return SceneAround::develop(settings, films);
  }

 private:
  void call(bool of_frame = true) {
    std::this_thread::sleep_for(takes_);
    if (with_ == With::frame_error && !of_frame) return;
    if (++calls_ != fails_at_) return;
    if (with_ == With::out_of_memory) throw OutOfDeviceMemory("full");
    throw DeviceError("broken");
  }

  u32 calls_ = 0;
  const u32 fails_at_;
  const With with_;
  const std::chrono::milliseconds takes_;
};

class Several : public ::testing::Test {
 protected:
  Several()
      : prepared_(prepare(testing::scene_of(mesh_), kDefaultBuilder, "auto")),
        rays_(testing::rays_at(mesh_, 300000, 32)),
        hits_(rays_.size()),
        expected_(rays_.size()) {
    const auto alone = backend_called("cpu").upload(*prepared_);
    alone->cast(RayKind::closest, rays_.data(), expected_.data(), nullptr, rays_.size(), choice_);
  }

  /// Starts machines that fail at these calls. All machines except the first are slow.
  void start(const std::vector<u32>& failures, bool strict,
             FailingScene::With with = FailingScene::With::device_error) {
    std::vector<Member> members;
    for (const u32 fails_at : failures) {
      const std::chrono::milliseconds takes = members.empty() ? 0ms : 3ms;
      members.push_back({"machine " + std::to_string(members.size()),
                         [this, fails_at, with, takes]() -> std::unique_ptr<ResidentScene> {
                           return std::make_unique<FailingScene>(*prepared_, fails_at, with, takes);
                         }});
    }
    losses_.clear();
    std::function<void(const std::string&)> on_loss;
    if (!strict) on_loss = [this](const std::string& why) { losses_.push_back(why); };
    several_ = make_several_scene(std::move(members), share_memory_, on_loss);
    several_->begin_work(1u << 14, 0);  // the chunks are so small that all machines get some
  }
  void cast() {
    hits_.assign(rays_.size(), Hit{-1.0f, 7u, -1.0f, -1.0f});
    several_->cast(RayKind::closest, rays_.data(), hits_.data(), nullptr, rays_.size(), choice_);
  }
  void expect_answers() const {
    for (std::size_t i = 0; i < hits_.size(); ++i)
      ASSERT_TRUE(testing::same_bits(hits_[i], expected_[i])) << "ray " << i;
  }

  const Mesh mesh_ = testing::soup(500, 31);
  std::shared_ptr<const PreparedScene> prepared_;
  const CastChoice choice_{CastOptions{}};
  std::vector<Ray> rays_;
  std::vector<Hit> hits_, expected_;
  std::vector<std::string> losses_;
  std::unique_ptr<ResidentScene> several_;
  bool share_memory_ = true;
};

TEST_F(Several, find_what_one_finds) {
  for (const std::size_t count : {1u, 2u, 3u, 5u}) {
    start(std::vector<u32>(count), true);
    cast();
    expect_answers();
  }
}

TEST_F(Several, find_it_for_rays_that_stay_on_them) {
  for (const u32 count : {1u, 5u, 5000u, 300000u}) {
    start({0, 0, 0}, true);
    const auto kept = several_->keep(RayKind::closest, rays_.data(), count);
    EXPECT_EQ(kept->cast(choice_, {}).rays, count);
    hits_.assign(count, Hit{-1.0f, 7u, -1.0f, -1.0f});
    kept->results(hits_.data(), nullptr);
    expect_answers();
    EXPECT_EQ(kept->time(choice_, 3).size(), 3u);
  }
}

TEST_F(Several, do_the_work_of_one_that_fails) {
  for (const u32 fails_at : {1u, 2u, 4u}) {
    start({0, fails_at, 0}, false);
    for (u32 k = 0; k < 3; ++k) {
      cast();
      expect_answers();
    }
    ASSERT_LE(losses_.size(), 1u);
    if (!losses_.empty()) {
      EXPECT_EQ(losses_[0], "machine 1 has failed, and the others do its work: broken");
    }
  }
  start({1, 0}, false);
  while (losses_.empty()) cast();  // until machine 0 gets a chunk and fails
  expect_answers();
}

TEST_F(Several, do_not_wait_for_one_that_has_failed_at_other_work) {
  start({1, 0}, false, FailingScene::With::frame_error);
  cast();  // now its measured speed at casts is by far the highest
  FrameSettings settings;
  settings.shading = &shading_called("facing");
  settings.width = settings.height = 64;
  settings.camera = make_view(camera_for(*prepared_, {}, 64, 64), {}, 64, 64);
  while (losses_.empty()) several_->draw(settings, choice_, {});
  EXPECT_EQ(losses_.size(), 1u);
  hits_.resize(300);
  expected_.resize(300);
  rays_.resize(300);
  cast();
  expect_answers();
}

TEST_F(Several, draw_again_what_a_failed_machine_had_in_its_memory) {
  FrameSettings settings;
  settings.shading = &shading_called("lit");
  settings.width = 40;
  settings.height = 150;
  settings.samples = 1;
  settings.camera = make_view(camera_for(*prepared_, {}, 40, 150), {}, 40, 150);
  const auto alone = backend_called("cpu").upload(*prepared_);
  const std::string expected = hash_of(alone->draw(settings, choice_, {}).image);
  u32 all_losses = 0;
  for (const bool share_memory : {true, false})
    for (u32 fails_at = 1; fails_at < 9; ++fails_at)
      for (const bool is_first : {true, false}) {
        share_memory_ = share_memory;
        start({is_first ? fails_at : 0, is_first ? 0 : fails_at, 0}, false,
              FailingScene::With::frame_error);
        for (u32 frame = 0; frame < 3; ++frame)
          EXPECT_EQ(hash_of(several_->draw(settings, choice_, {}).image), expected)
              << "fails at call " << fails_at;
        all_losses += static_cast<u32>(losses_.size());
      }
  EXPECT_GT(all_losses, 16u);
}

TEST_F(Several, fail_if_all_fail) {
  start({1, 1, 2}, false);
  EXPECT_THROW(while (true) cast(), DeviceError);
  EXPECT_THROW(cast(), DeviceError) << "a call that nobody answers";
}

TEST_F(Several, fail_with_the_first_if_that_is_wanted) {
  start({0, 1}, true);
  EXPECT_THROW(while (true) cast(), DeviceError);
}

TEST_F(Several, leave_a_lack_of_memory_to_the_caller) {
  start({0, 1}, false, FailingScene::With::out_of_memory);
  EXPECT_THROW(while (true) cast(), OutOfDeviceMemory);
  EXPECT_TRUE(losses_.empty());
  cast();  // smaller chunks may fit
  expect_answers();
}

TEST(ListedMachines, are_read_from_a_text) {
  const auto names = [](const char* text) {
    std::string all;
    for (const MachineRef& machine : choose_device(text).machines) all += machine.name() + " ";
    return all;
  };
  EXPECT_EQ(names("cpu"), "");
  EXPECT_EQ(names("auto"), "");
  EXPECT_EQ(names("cpu:0"), "cpu ");
  EXPECT_EQ(names("emulated:2,0+cpu"), "emulated:2 emulated:0 cpu ");
  EXPECT_EQ(names("cpu:all+emulated"), "cpu emulated:0 ");
  for (const char* text :
       {"gpu", "cpu+", "+cpu", "cpu:", "cpu:x", "cpu:-1", "cpu:0,", "cpu+cpu", "cpu:0,0",
        "emulated:all+emulated:1", "cpu:1", "emulated:4000000000", "auto+cpu", ""})
    EXPECT_THROW(choose_device(text), UsageError) << text;
  EXPECT_THROW(choose_backend("cpu+emulated"), UsageError);
}

TEST(SeveralDevices, draw_as_one) {
  const auto scene = load_scene(std::string(BALLOTCAST_SOURCE_DIR "/scenes/cornell-box.json"));
  Renderer alone(scene, {"cpu"});
  std::vector<std::string> devices = {"cpu+emulated", "emulated:0,1,2"};
  if (!testing::kSanitized) devices.insert(devices.end(), {"cpu:0", "emulated:0,1,2,3,4"});
  std::map<std::string, std::unique_ptr<Renderer>> several;
  for (const std::string& device : devices)
    several[device] = std::make_unique<Renderer>(scene, RendererOptions{device});
  for (const ShadingInfo& shading : shadings()) {
    RenderSettings settings;
    settings.width = 45;
    settings.height = testing::kSanitized ? 43 : 83;  // the last row of tiles is not full
    settings.samples = 2;
    settings.shading = shading.name;
    settings.keep_hits = true;
    settings.keep_linear = true;
    for (const Smoothing smooth : {Smoothing::off, Smoothing::on}) {
      if (smooth == Smoothing::on && !shading.soft_light()) continue;  // nothing to smooth
      settings.smooth = smooth;
      const Frame one = alone.render(settings);
      for (const auto& [device, renderer] : several) {
        const Frame many = renderer->render(settings);
        SCOPED_TRACE(device + ", " + settings.shading);
        EXPECT_EQ(hash_of(many.image), hash_of(one.image));
        EXPECT_EQ(hash_of(many.hits), hash_of(one.hits));
        EXPECT_EQ(many.linear.pixels, one.linear.pixels);
        EXPECT_EQ(many.counts.rays, one.counts.rays);
        EXPECT_EQ(many.exposure, one.exposure);
        EXPECT_EQ(many.light_lost, one.light_lost);
      }
    }
  }
}

}  // namespace several_test
}  // namespace ballotcast::detail
