// Each kernel of pipeline warp by itself, compared with trace_whole.
#include <gtest/gtest.h>

#include "backends/emulated/machine.hpp"
#include "backends/prepare.hpp"
#include "bvh/layouts/table.hpp"
#include "helpers/meshes.hpp"
#include "helpers/ray_groups.hpp"
#include "helpers/trees.hpp"
#include "kernels/pipelines/table.hpp"

namespace ballotcast::detail {
namespace {

template <class Layout>
class WarpKernels : public ::testing::Test {
 public:
  explicit WarpKernels(Mesh mesh = testing::soup(500, 21))
      : mesh_(std::move(mesh)),
        scene_(prepare(testing::scene_of(mesh_), kDefaultBuilder, Layout::info.name)),
        view_{reinterpret_cast<const typename Layout::Node*>(scene_->encoded.nodes.data()),
              scene_->encoded.shape, scene_->encoded.triangles.data(), scene_->view},
        rays_(testing::rays_at(mesh_, 1900, 22)),  // not a multiple of a block
        far_rays_(testing::far_rays_at(mesh_, 1900, 23)),
        hits_(rays_.size()),
        visits_(rays_.size()) {}

  /// Prepares a cast of all rays, with the given value of WarpChoice::kind.
  RayBatch<Layout> begin(RayKind kind, u32* visits, u32 rays_are) {
    hits_.assign(rays_.size(), Hit{-1.0f, 7u, -1.0f, -1.0f});
    static_cast<WarpFindings&>(choice()) = {rays_are, {0u, 0u}, row_ > 0u ? 1u : 0u};
    choice().next = 0u;
    choice().rows = {};
    if (row_ > 0u)
      choice().rows.end(row_ / kRaysASearch) = static_cast<u8>(row_ % kRaysASearch + 1u);
    return {rays_.data(), hits_.data(), nullptr, visits, count(), kind};
  }
  WarpChoice& choice() { return *machine_.warp_choice(); }
  /// `more`: what the kernel gets besides view and batch.
  template <class Kernel, class... More>
  void launch(const RayBatch<Layout>& batch, u32 blocks, u32 words, const More&... more) {
    machine_.template launch_with_words<Kernel>("kernel", blocks, words, view_, batch, more...);
  }

  /// Three blocks of the fetching kernel, which process all rays.
  template <RayKind kKind, bool kPlain, bool kShares>
  void run_fetching(u32* visits) {
    using Kernel = CastFetching<TraceView<Layout>, kKind, kPlain, kShares>;
    launch<Kernel>(begin(kKind, visits, kIncoherent), 3u, stack_words(view_.shape.depth), &choice(),
                   Kernel::Last::fewest(view_.shape.depth));
  }
  template <RayKind kKind>
  void try_fetching() {
    run_fetching<kKind, true, kMayShare<TraceView<Layout>, true>>(nullptr);
    expect_answers(kKind, false);
    run_fetching<kKind, true, false>(nullptr);
    expect_answers(kKind, false);
    run_fetching<kKind, false, false>(visits_.data());
    expect_answers(kKind, true);
  }

  /// One ray per lane.
  template <RayKind kKind, bool kPlain>
  void run_coherent(u32* visits, u32 rays_are, bool alone = false) {
    using Kernel = CastCoherent<TraceView<Layout>, kKind, kPlain>;
    launch<Kernel>(begin(kKind, visits, rays_are), blocks_for(count(), Kernel::kBlockSize),
                   stack_words(view_.shape.depth), &choice(), alone);
    expect_told(rays_are, alone);
  }
  /// A kernel that is alone looks at the rays itself.
  void expect_told(u32 rays_are, bool alone) {
    told_ = machine_.take_told();
    if (alone)
      EXPECT_TRUE(is_told_of(told_, count()));
    else
      EXPECT_EQ(told_, told_of(rays_are, row_ > 0u, count()));
  }
  template <RayKind kKind, bool kPlain>
  void run_at_once(u32* visits) {
    using Kernel = CastAtOnce<TraceView<Layout>, kKind, kPlain>;
    launch<Kernel>(begin(kKind, visits, kIncoherent), blocks_for(count(), Kernel::kBlockSize),
                   stack_words(view_.shape.depth), Kernel::Last::fewest(view_.shape.depth));
  }
  template <RayKind kKind>
  void run_ray_per_warp() {
    using Kernel = CastRayPerWarp<TraceView<Layout>, kKind>;
    const u32 words = Kernel::words(view_.shape.depth);
    launch<Kernel>(begin(kKind, nullptr, kIncoherent), blocks_for(count(), Kernel::kRaysPerBlock),
                   words, words);
  }
  template <RayKind kKind>
  void try_at_once() {
    run_at_once<kKind, true>(nullptr);
    expect_answers(kKind, false);
    run_at_once<kKind, false>(visits_.data());
    expect_answers(kKind, true);
    if constexpr (TraceView<Layout>::kForGroups) {
      run_ray_per_warp<kKind>();
      expect_answers(kKind, false);
    }
  }
  /// `stride`: see GroupPlan.
  template <bool kRows>
  void run_groups(u32 rays_are, u32 stride, i32 patience, bool alone = false) {
    using Kernel = CastGroups<TraceView<Layout>, kRows>;
    const u32 groups = blocks_for(count(), kGroupRays) / (stride > 0u ? stride : 1u);
    launch<Kernel>(begin(RayKind::closest, nullptr, rays_are),
                   blocks_for(groups * kWarpSize, Kernel::kBlockSize), Kernel::kWords, &choice(),
                   GroupPlan{stride, patience, alone});
    expect_told(rays_are, alone);
  }
  /// `row`: of how many rays the rows of a picture are said to be.
  void try_coherent(u32 row = 0u) {
    row_ = row;
    run_coherent<RayKind::closest, true>(nullptr, kCoherent);
    expect_answers(RayKind::closest, false);
    run_coherent<RayKind::closest, false>(visits_.data(), kCoherent);
    expect_answers(RayKind::closest, true);
    // Alone, it casts all rays, whatever was found out about others before.
    run_coherent<RayKind::closest, true>(nullptr, kIncoherent, true);
    expect_answers(RayKind::closest, false);
    if constexpr (TraceView<Layout>::kForGroups) {
      run_groups<true>(kCoherent, 0u, 1 << 30);
      expect_answers(RayKind::closest, false);
      // Groups that give up at once, that give up on the way, that do not give up.
      for (const i32 patience : {0, 30, 1 << 30})
        for (const u32 stride : {0u, 1u}) {
          run_groups<true>(kOneOrigin, stride, patience);
          expect_answers(RayKind::closest, false);
          run_groups<false>(kOneOrigin, stride, patience);
          expect_answers(RayKind::closest, false);
        }
      run_groups<true>(kIncoherent, 0u, 1 << 30, true);
      expect_answers(RayKind::closest, false);
    }
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

  /// Casts all rays by each kernel, where that can be with and without leaf visits.
  void try_all() {
    try_fetching<RayKind::closest>();
    try_fetching<RayKind::any>();
    try_at_once<RayKind::closest>();
    try_at_once<RayKind::any>();
    for (const u32 row : {0u, 8u, 50u, 1000u}) try_coherent(row);
  }

  Mesh mesh_;
  std::shared_ptr<const PreparedScene> scene_;
  TraceView<Layout> view_;
  std::vector<Ray> rays_, far_rays_;
  std::vector<Hit> hits_;
  std::vector<u32> visits_;
  u32 row_ = 0u;
  u32 told_ = kNothingTold;
  EmulatedMachine machine_{5};
};

template <class... Rows>
::testing::Types<Rows...> as_test_types(TypeList<Rows...>);
TYPED_TEST_SUITE(WarpKernels, decltype(as_test_types(Layouts{})));

TYPED_TEST(WarpKernels, find_what_a_walk_from_start_to_end_finds) { this->try_all(); }

TYPED_TEST(WarpKernels, find_it_for_rays_from_far_away) {
  for (std::size_t i = 0; i < this->rays_.size(); ++i)
    if (i % 5 != 0) this->rays_[i] = this->far_rays_[i];
  this->try_all();
}

/// The same over an empty scene, which makes every ray one from far away.
template <class Layout>
class WarpKernelsOverNothing : public WarpKernels<Layout> {
 public:
  WarpKernelsOverNothing() : WarpKernels<Layout>(Mesh{}) {
    this->rays_ = testing::rays_at(testing::soup(500, 21), this->count(), 22);
  }
};
TYPED_TEST_SUITE(WarpKernelsOverNothing, decltype(as_test_types(Layouts{})));
TYPED_TEST(WarpKernelsOverNothing, find_nothing) { this->try_all(); }

/// The same over a row of triangles, each nearer than the one before, in a tree that has one of
/// them at each level.
template <class Layout>
class WarpKernelsOverARow : public WarpKernels<Layout> {
 public:
  /// The nearest triangles are turned: rays along the row miss them, and still enter their boxes.
  static Mesh row() {
    Mesh mesh;
    float far = 1000.0f;
    for (u32 i = 0; i < 60; ++i, far /= 1.15f) {
      const vec3 corner = i < 36 ? vec3(far, 0, 0) : vec3(far, far, far);
      for (const vec3 p : {corner, vec3(far, far, 0), vec3(far, 0, far)})
        mesh.positions.push_back(p);
      mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return mesh;
  }
  WarpKernelsOverARow() : WarpKernels<Layout>(row()) {
    const LayoutInfo* layout = layout_called(Layout::info.name);
    deep_ = encode(layout, testing::chain_of(this->mesh_), this->mesh_);
    this->view_.nodes = reinterpret_cast<const typename Layout::Node*>(deep_.nodes.data());
    this->view_.shape = deep_.shape;
    this->view_.triangles = deep_.triangles.data();
  }

  EncodedBvh deep_;
};
TYPED_TEST_SUITE(WarpKernelsOverARow, decltype(as_test_types(Layouts{})));

// In each warp two rays go along the row, and two more away from it, so that the rays are not
// coherent. When the two are shared, at level 36, there are more boxes on their stacks than a warp
// has lanes. The triangle that they hit is in one of the last.
TYPED_TEST(WarpKernelsOverARow, share_rays_with_many_boxes_on_their_stacks) {
  for (u32 i = 0; i < this->count(); ++i) {
    Ray& ray = this->rays_[i];
    ray = {{0.0f, 0.0f, 0.0f}, 0.0f, {1.0f, 0.3f, 0.01f * static_cast<float>(i % 50)}, 1e30f};
    if (i % 16 == 7) ray = {{-1.0f, -1.0f, -1.0f}, 0.0f, {-1.0f, -1.0f, -1.0f}, 1e30f};
    if (i % 8 != 7) ray.direction = {0.0f, 0.0f, 0.0f};  // asks for nothing
  }
  this->try_all();
}

TYPED_TEST(WarpKernels, find_it_for_groups_of_rays_from_one_point) {
  for (const testing::GroupCase& with : testing::kGroupCases) {
    SCOPED_TRACE(with.what);
    this->rays_ = testing::rays_of(with, this->mesh_, this->count());
    for (const u32 row : {0u, 50u}) this->try_coherent(row);
  }
}

TYPED_TEST(WarpKernels, leave_alone_what_is_not_theirs) {
  this->template run_coherent<RayKind::closest, true>(nullptr, kIncoherent);
  EXPECT_EQ(this->choice().next, 0u);
  for (const Hit& hit : this->hits_) ASSERT_EQ(hit.triangle, 7u);

  // If all rays point into one octant they are coherent: the fetching kernel says so and casts none
  // of them.
  for (Ray& ray : this->rays_) ray.direction = {1.0f, 0.5f, 0.25f};
  this->template run_fetching<RayKind::closest, true, false>(nullptr);
  EXPECT_EQ(this->choice().kind, kCoherent);
  EXPECT_EQ(this->choice().next, 0u);
  for (const Hit& hit : this->hits_) ASSERT_EQ(hit.triangle, 7u);

  for (Ray& ray : this->rays_) ray.origin = {1.0f, 2.0f, 3.0f};
  this->template run_fetching<RayKind::closest, true, false>(nullptr);
  EXPECT_EQ(this->choice().kind, kOneOrigin);
  for (const Hit& hit : this->hits_) ASSERT_EQ(hit.triangle, 7u);

  // With every second ray reversed they are not coherent.
  for (std::size_t i = 0; i < this->rays_.size(); i += 2)
    this->rays_[i].direction = {-1.0f, 0.5f, 0.25f};
  this->template run_fetching<RayKind::closest, true, false>(nullptr);
  EXPECT_EQ(this->choice().kind, kIncoherent);
  EXPECT_GE(this->choice().next, this->count());
  this->expect_answers(RayKind::closest, false);
}

TYPED_TEST(WarpKernels, tell_what_rays_are_that_nobody_looked_at) {
  const auto expect_told = [&](u32 kind, bool in_line) {
    this->row_ = 0u;
    this->template run_coherent<RayKind::closest, true>(nullptr, kIncoherent, true);
    EXPECT_EQ(this->told_, told_of(kind, in_line, this->count()));
    if constexpr (TraceView<TypeParam>::kForGroups) {
      this->template run_groups<false>(kIncoherent, 0u, 1 << 30, true);
      EXPECT_EQ(this->told_, told_of(kind, in_line, this->count()));
    }
  };
  expect_told(kIncoherent, false);
  for (u32 i = 0; i < this->count(); ++i)
    this->rays_[i].direction = {1.0f, 0.5f, i % 2u == 0u ? 0.25f : 0.75f};
  expect_told(kCoherent, false);
  // Steps between the rays: short ones and long ones in turns, then all alike, then rows of 50.
  for (Ray& ray : this->rays_) ray.origin = {1.0f, 2.0f, 3.0f};
  for (u32 i = 0; i < this->count(); ++i)
    this->rays_[i].direction.z = 0.001f * static_cast<float>(i * i % 31u);
  expect_told(kOneOrigin, false);
  for (u32 i = 0; i < this->count(); ++i)
    this->rays_[i].direction = {1.0f, 0.5f, 0.001f * static_cast<float>(i)};
  expect_told(kOneOrigin, true);
}

TYPED_TEST(WarpKernels, tell_that_rays_are_no_longer_the_rows_that_were_seen) {
  const auto expect_told = [&](u32 width, u32 seen, bool still) {
    for (u32 i = 0; i < this->count(); ++i) {
      const float x = static_cast<float>(i % width), y = static_cast<float>(i / width);
      this->rays_[i] = {
          {0.5f, 0.5f, 9.0f}, 0.0f, {0.1f + 0.001f * x, 0.1f + 0.001f * y, -1.0f}, unbounded()};
    }
    this->row_ = seen;
    this->template run_coherent<RayKind::closest, true>(nullptr, kIncoherent, true);
    EXPECT_EQ(this->told_, told_of(kOneOrigin, still, this->count())) << width;
    this->expect_answers(RayKind::closest, false);
  };
  expect_told(50u, 50u, true);
  expect_told(40u, 50u, false);
}

// After some casts of coherent rays nobody looks at the next ones first, whatever they are.
TYPED_TEST(WarpKernels, find_the_same_when_rays_of_another_kind_come) {
  // Returns how many casts nobody looked at first: they leave what was found out before as it was.
  const auto cast_all = [&](u32 casts) {
    u32 alone = 0u;
    for (u32 k = 0; k < casts; ++k) {
      const auto batch = this->begin(RayKind::closest, nullptr, 7u);
      Warp::run<TypeParam, void>(this->machine_, this->view_, batch, CastPlan{});
      this->expect_answers(RayKind::closest, false);
      EXPECT_EQ(this->choice().next, 0u);
      if (this->choice().kind == 7u) ++alone;
    }
    return alone;
  };
  const std::vector<Ray> incoherent = this->rays_;
  std::vector<Ray> coherent = incoherent;
  for (Ray& ray : coherent) ray.direction = {1.0f, 0.5f, 0.25f};
  EXPECT_EQ(cast_all(9u), 0u);
  this->rays_ = coherent;
  EXPECT_EQ(cast_all(9u), 5u);  // after four that were looked at
  this->rays_ = incoherent;
  EXPECT_EQ(cast_all(9u), 1u);  // a wrong guess
  this->rays_ = coherent;
  EXPECT_EQ(cast_all(9u), 2u);  // it takes twice as many now
}

// One block casts the first rays of the order, and no others.
TYPED_TEST(WarpKernels, cast_rows_of_a_picture_tile_by_tile) {
  using View = TraceView<TypeParam>;
  constexpr u32 kWidth = 50u;
  for (u32 i = 0; i < this->count(); ++i) {
    const float x = static_cast<float>(i % kWidth), y = static_cast<float>(i / kWidth);
    const vec3 direction(0.1f + 0.001f * x, 0.1f + 0.001f * y, -1.0f);
    this->rays_[i] = {{0.5f, 0.5f, 9.0f}, 0.0f, direction, unbounded()};
  }
  const auto expect_first = [&](u32 rays, u32 row) {
    const RayOrder order{row, this->count()};
    std::vector<bool> is_cast(this->count());
    for (u32 turn = 0; turn < rays; ++turn) is_cast[order.place(turn)] = true;
    for (u32 i = 0; i < this->count(); ++i)
      ASSERT_EQ(this->hits_[i].triangle != 7u, is_cast[i]) << i;
  };
  // What the fetching kernel sees is what the next one uses.
  this->template run_fetching<RayKind::closest, true, false>(nullptr);
  const RayBatch<TypeParam> batch{this->rays_.data(), this->hits_.data(), nullptr, nullptr,
                                  this->count(),      RayKind::closest};
  using Coherent = CastCoherent<View, RayKind::closest, true>;
  this->template launch<Coherent>(batch, 1u, stack_words(this->view_.shape.depth), &this->choice(),
                                  false);
  expect_first(Coherent::kBlockSize, kWidth);
  if constexpr (View::kForGroups) {
    const auto cast_one_block = [&](auto kernel, u32 row) {
      using Groups = decltype(kernel);
      this->template launch<Groups>(this->begin(RayKind::closest, nullptr, kOneOrigin), 1u,
                                    Groups::kWords, &this->choice(), GroupPlan{0u, 1 << 30, false});
      expect_first(2u * kGroupRays, row);
    };
    this->row_ = kWidth;
    cast_one_block(CastGroups<View, true>{}, kWidth);
    cast_one_block(CastGroups<View, false>{}, 0u);
  }
}

}  // namespace
}  // namespace ballotcast::detail
