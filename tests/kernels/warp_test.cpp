// Each kernel of pipeline warp by itself, compared with trace_whole.
#include <gtest/gtest.h>

#include "backends/emulated/machine.hpp"
#include "backends/prepare.hpp"
#include "bvh/layouts/table.hpp"
#include "helpers/meshes.hpp"
#include "kernels/pipelines/table.hpp"

namespace ballotcast::detail {
namespace {

template <class Layout>
class WarpKernels : public ::testing::Test {
 public:
  WarpKernels()
      : mesh_(testing::soup(500, 21)),
        scene_(prepare(testing::scene_of(mesh_), kDefaultBuilder, Layout::info.name)),
        view_{reinterpret_cast<const typename Layout::Node*>(scene_->encoded.nodes.data()),
              scene_->encoded.shape, scene_->encoded.triangles.data(), scene_->view},
        rays_(testing::rays_at(mesh_, 1900, 22)),  // not a multiple of a block
        far_rays_(testing::far_rays_at(mesh_, 1900, 23)),
        hits_(rays_.size()),
        visits_(rays_.size()) {}

  /// Runs `Kernel` with the given value of WarpChoice::coherent. Returns the choice afterwards.
  template <class Kernel>
  WarpChoice run(RayKind kind, u32* visits, u32 coherent, u32 blocks) {
    hits_.assign(rays_.size(), Hit{-1.0f, 7u, -1.0f, -1.0f});
    const RayBatch<Layout> batch{rays_.data(), hits_.data(), nullptr, visits, count(), kind};
    WarpChoice* choice = machine_.warp_choice();
    *choice = {coherent, 0u};
    machine_.template launch_with_words<Kernel>("kernel", blocks, view_.shape.depth + 1u, view_,
                                                batch, choice);
    return *choice;
  }

  u32 count() const { return static_cast<u32>(rays_.size()); }

  void expect_answers(RayKind kind, bool visits) {
    for (u32 i = 0; i < count(); ++i) {
      Hit expected;
      const u32 leaves = trace_whole(view_, 0, rays_[i], kind, expected);
      ASSERT_TRUE(testing::same_bits(hits_[i], expected)) << "ray " << i;
      if (visits) {
        ASSERT_EQ(visits_[i], leaves) << "ray " << i;
      }
    }
  }

  template <RayKind kKind, Supply kSupply>
  void try_supply() {
    using Plain = CastByWarp<TraceView<Layout>, kKind, kSupply, true>;
    using Asked = CastByWarp<TraceView<Layout>, kKind, kSupply, false>;
    // With fetching, three blocks process all rays; without it, every ray needs a lane of its own.
    const u32 blocks = kSupply == Supply::fetched ? 3u : blocks_for(count(), Plain::kBlockSize);
    run<Plain>(kKind, nullptr, 1u, blocks);
    expect_answers(kKind, false);
    run<Asked>(kKind, visits_.data(), 1u, blocks);
    expect_answers(kKind, true);
  }

  Mesh mesh_;
  std::shared_ptr<const PreparedScene> scene_;
  TraceView<Layout> view_;
  std::vector<Ray> rays_, far_rays_;
  std::vector<Hit> hits_;
  std::vector<u32> visits_;
  EmulatedMachine machine_{5};
};

template <class... Rows>
::testing::Types<Rows...> as_test_types(TypeList<Rows...>);
TYPED_TEST_SUITE(WarpKernels, decltype(as_test_types(Layouts{})));

TYPED_TEST(WarpKernels, find_what_a_walk_from_start_to_end_finds) {
  this->template try_supply<RayKind::closest, Supply::many>();
  this->template try_supply<RayKind::closest, Supply::few>();
  this->template try_supply<RayKind::closest, Supply::fetched>();
  this->template try_supply<RayKind::any, Supply::fetched>();
}

TYPED_TEST(WarpKernels, find_it_for_rays_from_far_away) {
  for (std::size_t i = 0; i < this->rays_.size(); ++i)
    if (i % 5 != 0) this->rays_[i] = this->far_rays_[i];
  this->template try_supply<RayKind::closest, Supply::many>();
  this->template try_supply<RayKind::closest, Supply::few>();
  this->template try_supply<RayKind::closest, Supply::fetched>();
  this->template try_supply<RayKind::any, Supply::fetched>();
}

TYPED_TEST(WarpKernels, leave_alone_what_is_not_theirs) {
  using Few = CastByWarp<TraceView<TypeParam>, RayKind::closest, Supply::few, true>;
  WarpChoice after = this->template run<Few>(RayKind::closest, nullptr, 0u, 15u);
  EXPECT_EQ(after.next, 0u);
  for (const Hit& hit : this->hits_) ASSERT_EQ(hit.triangle, 7u);

  // If all rays point into one octant they are coherent: the fetching kernel says so and casts none
  // of them.
  using Fetched = CastByWarp<TraceView<TypeParam>, RayKind::closest, Supply::fetched, true>;
  for (Ray& ray : this->rays_) ray.direction = {1.0f, 0.5f, 0.25f};
  after = this->template run<Fetched>(RayKind::closest, nullptr, 0u, 3u);
  EXPECT_EQ(after.coherent, 1u);
  EXPECT_EQ(after.next, 0u);
  for (const Hit& hit : this->hits_) ASSERT_EQ(hit.triangle, 7u);

  // With every second ray reversed they are not coherent.
  for (std::size_t i = 0; i < this->rays_.size(); i += 2)
    this->rays_[i].direction = {-1.0f, 0.5f, 0.25f};
  after = this->template run<Fetched>(RayKind::closest, nullptr, 1u, 3u);
  EXPECT_EQ(after.coherent, 0u);
  EXPECT_GE(after.next, this->count());
  this->expect_answers(RayKind::closest, false);
}

}  // namespace
}  // namespace ballotcast::detail
