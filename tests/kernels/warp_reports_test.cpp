// Tests what the kernels of pipeline warp report to the host about rays, and casts that rely on
// these reports.
#include "helpers/warp_kernels.hpp"

namespace ballotcast::detail {
namespace warp_reports_test {

template <class Layout>
class WarpReports : public testing::WarpKernels<Layout> {};
TYPED_TEST_SUITE(WarpReports, testing::WarpLayouts);

TYPED_TEST(WarpReports, what_rays_are_that_nobody_looked_at) {
  const auto expect_report = [&](u32 kind, bool in_line) {
    this->row_ = 0u;
    this->template run_coherent<RayKind::closest, true>(nullptr, kIncoherent, true);
    EXPECT_EQ(this->report_, report_of(kind, in_line, this->count()));
    if constexpr (TraceView<TypeParam>::kForGroups) {
      this->template run_groups<false>(kIncoherent, 0u, 1 << 30, true);
      EXPECT_EQ(this->report_, report_of(kind, in_line, this->count()));
    }
  };
  expect_report(kIncoherent, false);
  for (u32 i = 0; i < this->count(); ++i)
    this->rays_[i].direction = {1.0f, 0.5f, i % 2u == 0u ? 0.25f : 0.75f};
  expect_report(kCoherent, false);
  // First, the steps from ray to ray have different lengths; then, all have the same length.
  for (Ray& ray : this->rays_) ray.origin = {1.0f, 2.0f, 3.0f};
  for (u32 i = 0; i < this->count(); ++i)
    this->rays_[i].direction.z = 0.001f * static_cast<float>(i * i % 31u);
  expect_report(kOneOrigin, false);
  for (u32 i = 0; i < this->count(); ++i)
    this->rays_[i].direction = {1.0f, 0.5f, 0.001f * static_cast<float>(i)};
  expect_report(kOneOrigin, true);
}

TYPED_TEST(WarpReports, that_rays_are_no_longer_the_rows_that_were_seen) {
  const auto expect_report = [&](u32 width, u32 seen, bool still) {
    for (u32 i = 0; i < this->count(); ++i) {
      const float x = static_cast<float>(i % width), y = static_cast<float>(i / width);
      this->rays_[i] = {
          {0.5f, 0.5f, 9.0f}, 0.0f, {0.1f + 0.001f * x, 0.1f + 0.001f * y, -1.0f}, unbounded()};
    }
    this->row_ = seen;
    this->template run_coherent<RayKind::closest, true>(nullptr, kIncoherent, true);
    EXPECT_EQ(this->report_, report_of(kOneOrigin, still, this->count())) << width;
    this->expect_answers(RayKind::closest, false);
  };
  expect_report(50u, 50u, true);
  expect_report(40u, 50u, false);
}

// After some casts of coherent rays, no kernel looks at the rays of the next casts first, whatever
// their kind is.
TYPED_TEST(WarpReports, find_the_same_when_rays_of_another_kind_come) {
  // Returns the number of casts whose rays no kernel looked at first. Such casts do not change the
  // earlier findings.
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
  EXPECT_EQ(cast_all(9u), 5u);  // after four casts whose rays were looked at
  this->rays_ = incoherent;
  EXPECT_EQ(cast_all(9u), 1u);  // one cast, whose guess is wrong
  this->rays_ = coherent;
  EXPECT_EQ(cast_all(9u), 2u);  // now a guess needs twice as many equal reports
}

}  // namespace warp_reports_test
}  // namespace ballotcast::detail
