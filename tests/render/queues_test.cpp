// Tests the queues of pipeline queue. With order "lanes", they are the same in whatever order
// blocks and warps run. With order "any" they are not, and `explain` shows the difference.
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/device/backend.hpp"
#include "backends/device/device_choice.hpp"
#include "ballotcast/threads.hpp"
#include "helpers/meshes.hpp"
#include "render/explain.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace queues_test {

class QueuesOfACast : public ::testing::Test {
 protected:
  /// The expected queues in the order of lanes, from leaf visits: ray i is alive after pass k if it
  /// visits more than k leaves.
  Queues expected() const {
    std::vector<Hit> hits(rays_.size());
    std::vector<u32> visits(rays_.size());
    const auto cpu = choose_backend("cpu").backend->upload(*scene_);
    cpu->cast(RayKind::closest, rays_.data(), hits.data(), visits.data(), rays_.size(), {});
    Queues queues(*std::max_element(visits.begin(), visits.end()) + 1);
    for (u32 i = 0; i < visits.size(); ++i)
      for (u32 pass = 0; pass < visits[i]; ++pass) queues[pass].push_back(i);
    return queues;
  }

  Queues queues(u64 seed, u32 block_size, const char* atomics, const char* order) const {
    const auto emulated = emulated_upload_seeded(*scene_, seed);
    const auto kept =
        emulated->keep(RayKind::closest, rays_.data(), static_cast<u32>(rays_.size()));
    return queues_of(*kept, CastChoice({"queue", atomics, block_size, "auto", order}));
  }

 private:
  Mesh mesh_ = testing::soup(300, 5);
  std::shared_ptr<const PreparedScene> scene_ = prepare(testing::scene_of(mesh_));
  std::vector<Ray> rays_ = testing::rays_at(mesh_, 1500, 6);
};

TEST_F(QueuesOfACast, are_those_of_the_rays_in_their_order_whatever_runs_first) {
  const Queues ascending = expected();
  ASSERT_GT(ascending.size(), 3u);
  for (const u32 block_size : {32u, 96u, 1024u})
    for (const u64 seed : {0ull, 3ull, 9ull})
      for (const u32 threads : {1u, 3u}) {
        SCOPED_TRACE(std::to_string(block_size) + " lanes per block, seed " + std::to_string(seed));
        with_threads(threads,
                     [&] { EXPECT_EQ(queues(seed, block_size, "auto", "lanes"), ascending); });
      }
}

TEST_F(QueuesOfACast, differ_in_any_order_but_hold_the_same_rays) {
  with_threads(1, [&] {
    Queues one = queues(3, 256, "warp-ballot", "any"), other = queues(9, 256, "warp-ballot", "any");
    EXPECT_NE(one, other);
    EXPECT_NE(queues_text(one), queues_text(other));
    for (std::vector<u32>& ids : one) std::sort(ids.begin(), ids.end());
    EXPECT_EQ(one, expected());
  });
}

TEST(QueuesOfAPicture, are_those_of_one_machine_with_pipelines) {
  const Scene scene(testing::scene_of(testing::sphere(6)));
  RenderSettings picture;
  picture.width = 12;
  picture.height = 5;
  const auto told = [&](const char* device, const CastOptions& how) {
    return queues_of_picture(Renderer(scene, {device}), picture, RayKind::closest, how);
  };
  const Queues queues = told("emulated", {"auto", "auto", 64, "auto", "lanes"});
  ASSERT_FALSE(queues.empty());
  EXPECT_LE(queues[0].size(), 60u);
  EXPECT_TRUE(std::is_sorted(queues[0].begin(), queues[0].end()));
  EXPECT_EQ(message_of<UsageError>([&] { told("cpu", {}); }),
            "device cpu casts without queues; cuda and emulated have some");
  EXPECT_EQ(message_of<UsageError>([&] { told("emulated:0+cpu", {}); }),
            "queues are those of one machine, not of emulated:0+cpu");
  EXPECT_TRUE(contains(message_of<UsageError>([&] {
                         told("emulated", {"auto", "none"});
                       }),
                       "pipeline queue can't use atomics none"));
}

TEST(QueuesInWords, have_eight_rays_in_a_line) {
  Queues queues(2);
  for (u32 i = 0; i < 17; ++i) queues[0].push_back(i + 3);
  EXPECT_EQ(queues_text(queues),
            "pass 0: 17 rays\n"
            "  3 4 5 6 7 8 9 10\n"
            "  11 12 13 14 15 16 17 18\n"
            "  19\n"
            "pass 1: 0 rays\n");
  EXPECT_EQ(place_in_queues_text(queues, 5),
            "pass 0: 17 rays, this one at place 2\n"
            "pass 1: 0 rays, not this one\n");
}

TEST(QueueOrder, of_lanes_needs_no_atomics) {
  const auto options = [](const char* pipeline, const char* atomics, const char* order) {
    return CastChoice({pipeline, atomics, 256, "auto", order}).options();
  };
  EXPECT_EQ(options("queue", "auto", "lanes").atomics, "none");
  EXPECT_EQ(options("queue", "none", "lanes").order, "lanes");
  EXPECT_EQ(options("queue", "auto", "auto").order, "any");
  EXPECT_EQ(options("queue", "auto", "any").atomics, "block-vote");
  EXPECT_EQ(options("passes", "naive", "lanes").atomics, "naive") << "it has no queues";
  EXPECT_EQ(message_of<UsageError>([&] { options("queue", "naive", "lanes"); }),
            "queues in the order of lanes are made without atomics: order lanes can't use atomics "
            "naive; it can use: none");
  EXPECT_EQ(message_of<UsageError>([&] { options("queue", "auto", "rays"); }),
            "unknown order 'rays'; known: auto, any, lanes");
}

}  // namespace queues_test
}  // namespace ballotcast::detail
