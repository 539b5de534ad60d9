// Tests queues that overflow. A queue has room for every ray of its batch, so this can happen only
// if memory is damaged or a strategy miscounts. The cast must then end with an error, not with
// wrong hits, and not run for ever.
#include <gtest/gtest.h>

#include "backends/emulated/emulated_machine.hpp"
#include "backends/host/host_scene.hpp"
#include "backends/scene/prepare.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/meshes.hpp"
#include "kernels/pipelines/pipelines.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace queue_test {

using Layout = bvh2::Layout;

/// A machine whose queues hold only `capacity` rays.
class SmallQueues : public EmulatedMachine {
 public:
  explicit SmallQueues(u32 capacity) : capacity_(capacity) {}

  RayQueue queue(u32 index, u32 count) {
    const RayQueue whole = EmulatedMachine::queue(index, count);
    std::fill(whole.ids, whole.ids + whole.capacity, 0xcdcdcdcdu);  // no slot holds a valid ray yet
    return {whole.ids, std::min(capacity_, count)};
  }

 private:
  u32 capacity_;
};

/// A wrong strategy that reserves two slots for every ray, so that the counter exceeds the number
/// of rays.
struct Twice {
  static constexpr StrategyInfo info{"twice", Use::reserve, CounterMeaning::rays, AtomicsPer::lane,
                                     ""};
  struct Shared {};

  template <class Lane>
  static u32 reserve(Lane& lane, Shared&, CounterView counter, bool wanted) {
    return wanted ? lane.fetch_add(counter.value, 2u) : 0u;
  }
};

class QueueOverflow : public ::testing::TestWithParam<Loop::Who> {
 protected:
  template <class Strategy>
  CastCounts cast_on(SmallQueues& machine) {
    std::vector<Layout::Walk> walks(rays_.size());
    hits_.assign(rays_.size(), Hit{});
    const RayBatch<Layout> batch{rays_.data(), hits_.data(), walks.data(),
                                 nullptr,      count(),      RayKind::closest};
    CastPlan plan;
    plan.loop = {GetParam(), 1};
    return Queue::run<Layout, Strategy>(machine, view_, batch, plan);
  }

  u32 count() const { return static_cast<u32>(rays_.size()); }

  Mesh mesh_ = testing::soup(300, 5);
  std::shared_ptr<const PreparedScene> scene_ =
      prepare(testing::scene_of(mesh_), kDefaultBuilder, Layout::info.name);
  TraceView<Layout> view_ = trace_view<TraceView<Layout>>(scene_->arrays);
  std::vector<Ray> rays_ = testing::rays_at(mesh_, 1500, 6);
  std::vector<Hit> hits_;
};

TEST_P(QueueOverflow, a_queue_for_all_rays_holds_them) {
  SmallQueues machine(count());
  for (const bool in_order : {false, true}) {
    EXPECT_EQ((in_order ? cast_on<None>(machine) : cast_on<BlockScan>(machine)).rays, count());
    for (u32 i = 0; i < count(); ++i) {
      Hit expected;
      trace_whole(view_, 0, rays_[i], RayKind::closest, expected);
      ASSERT_TRUE(testing::same_bits(hits_[i], expected)) << "ray " << i;
    }
  }
}

TEST_P(QueueOverflow, one_that_is_too_small_is_an_error) {
  for (const u32 capacity : {1u, 31u, count() / 4}) {
    SmallQueues machine(capacity);
    const std::string message = message_of<DeviceError>([&] { cast_on<BlockScan>(machine); });
    EXPECT_TRUE(contains(message, "more than there is room for")) << message;
    EXPECT_TRUE(contains(message, "pipeline warp needs no count")) << message;
    EXPECT_EQ(message_of<DeviceError>([&] { cast_on<None>(machine); }), message) << "in order";
  }
}

TEST_P(QueueOverflow, a_strategy_that_reserves_too_much_is_one_too) {
  // Keeps only rays that stage a leaf in the first pass.
  std::erase_if(rays_, [&](const Ray& ray) {
    Hit hit;
    return trace_whole(view_, 0, ray, RayKind::closest, hit) == 0;
  });
  SmallQueues machine(count());
  const std::string message = message_of<DeviceError>([&] { cast_on<Twice>(machine); });
  EXPECT_TRUE(contains(message, "more than there is room for")) << message;
}

INSTANTIATE_TEST_SUITE_P(Loops, QueueOverflow,
                         ::testing::Values(Loop::Who::host, Loop::Who::graph));

}  // namespace queue_test
}  // namespace ballotcast::detail
