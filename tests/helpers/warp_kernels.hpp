// A scene, rays, and an emulated machine, for tests of the kernels of pipeline warp.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "backends/emulated/emulated_machine.hpp"
#include "backends/scene/prepare.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "kernels/pipelines/pipelines.hpp"

namespace ballotcast::detail::testing {

template <class Layout>
class WarpKernels : public ::testing::Test {
 public:
  static constexpr u32 kRays = kSanitized ? 700 : 1900;  // not a multiple of the block size

  explicit WarpKernels(Mesh mesh = soup(500, 21))
      : mesh_(std::move(mesh)),
        scene_(prepare(scene_of(mesh_), kDefaultBuilder, Layout::info.name)),
        view_(trace_view<TraceView<Layout>>(scene_->arrays)),
        rays_(rays_at(mesh_, kRays, 22)),
        far_rays_(far_rays_at(mesh_, kRays, 23)),
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
  /// Launches `Kernel`. `more`: its arguments after view and batch.
  template <class Kernel, class... More>
  void launch(const RayBatch<Layout>& batch, u32 blocks, u32 words, const More&... more) {
    machine_.template launch_with_words<Kernel>("kernel", blocks, words, view_, batch, more...);
  }

  /// Casts all rays by three blocks of the fetching kernel.
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

  /// Casts all rays by the kernel that casts one ray per lane.
  template <RayKind kKind, bool kPlain>
  void run_coherent(u32* visits, u32 rays_are, bool alone = false) {
    using Kernel = CastCoherent<TraceView<Layout>, kKind, kPlain>;
    launch<Kernel>(begin(kKind, visits, rays_are), blocks_for(count(), Kernel::kBlockSize),
                   stack_words(view_.shape.depth), &choice(), alone);
    expect_report(rays_are, alone);
  }
  /// Expects the right report of the kernel. If `alone`, no other kernel has told it the kind of
  /// the rays, and it has found that itself.
  void expect_report(u32 rays_are, bool alone) {
    report_ = machine_.take_report();
    if (alone)
      EXPECT_TRUE(is_report_of(report_, count()));
    else
      EXPECT_EQ(report_, report_of(rays_are, row_ > 0u, count()));
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
  /// Casts rays in groups. `stride`: see GroupPlan.
  template <bool kRows, bool kShares = false>
  void run_groups(u32 rays_are, u32 stride, i32 patience, bool alone = false) {
    const u32 groups = blocks_for(count(), kGroupRays) / (stride > 0u ? stride : 1u);
    using Kernel = CastGroups<TraceView<Layout>, kRows, kShares>;
    launch<Kernel>(begin(RayKind::closest, nullptr, rays_are),
                   blocks_for(groups * kWarpSize, Kernel::kBlockSize), Kernel::kWords, &choice(),
                   GroupPlan{stride, patience, alone});
    expect_report(rays_are, alone);
  }
  /// Tests kernels for coherent rays. `row`: the length of rows that WarpChoice claims; 0: no rows.
  void try_coherent(u32 row = 0u) {
    row_ = row;
    run_coherent<RayKind::closest, true>(nullptr, kCoherent);
    expect_answers(RayKind::closest, false);
    run_coherent<RayKind::closest, false>(visits_.data(), kCoherent);
    expect_answers(RayKind::closest, true);
    // A kernel that is alone casts all rays, whatever WarpChoice says about earlier rays.
    run_coherent<RayKind::closest, true>(nullptr, kIncoherent, true);
    expect_answers(RayKind::closest, false);
    if constexpr (TraceView<Layout>::kForGroups) {
      run_groups<true>(kCoherent, 0u, 1 << 30);
      expect_answers(RayKind::closest, false);
      // With these values of `patience`, groups give up at once, during the walk, or never.
      for (const i32 patience : {0, 30, 1 << 30})
        for (const u32 stride : {0u, 1u}) {
          run_groups<true>(kOneOrigin, stride, patience);
          expect_answers(RayKind::closest, false);
          run_groups<false>(kOneOrigin, stride, patience);
          expect_answers(RayKind::closest, false);
          if (stride > 0u) continue;  // a trial does not share
          run_groups<true, true>(kOneOrigin, stride, patience);
          expect_answers(RayKind::closest, false);
          run_groups<false, true>(kOneOrigin, stride, patience);
          expect_answers(RayKind::closest, false);
        }
      run_groups<true>(kIncoherent, 0u, 1 << 30, true);
      expect_answers(RayKind::closest, false);
    }
  }

  u32 count() const { return static_cast<u32>(rays_.size()); }

  struct Answers {
    std::vector<Ray> of;  // the rays that these answers belong to
    std::vector<Hit> hits;
    std::vector<u32> leaves;
  };
  /// The hits and leaf visits of walks from start to end. They are kept, because many kernels cast
  /// the same rays.
  const Answers& answers(RayKind kind) {
    Answers& known = kind == RayKind::closest ? closest_ : any_;
    const std::size_t bytes = rays_.size() * sizeof(Ray);
    if (known.of.size() == rays_.size() && std::memcmp(known.of.data(), rays_.data(), bytes) == 0)
      return known;
    known = {rays_, std::vector<Hit>(rays_.size()), {}};
    for (u32 i = 0; i < count(); ++i)
      known.leaves.push_back(trace_whole(view_, 0, rays_[i], kind, known.hits[i]));
    return known;
  }

  void expect_answers(RayKind kind, bool visits) {
    const Answers& expected = answers(kind);
    for (u32 i = 0; i < count(); ++i) {
      ASSERT_TRUE(same_bits(hits_[i], expected.hits[i])) << "ray " << i;
      if (visits) {
        ASSERT_EQ(visits_[i], expected.leaves[i]) << "ray " << i;
      }
    }
  }

  /// Casts all rays by each kernel; if the kernel can count leaf visits, with and without counting.
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
  Answers closest_, any_;
  u32 row_ = 0u;
  u32 report_ = kNoReport;
  EmulatedMachine machine_{5};
};

template <class... Rows>
::testing::Types<Rows...> as_test_types(TypeList<Rows...>);

/// The layouts as test types.
using WarpLayouts = decltype(as_test_types(Layouts{}));

}  // namespace ballotcast::detail::testing
