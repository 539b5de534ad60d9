// Compares each kernel of pipeline warp with trace_whole.
#include "helpers/ray_groups.hpp"
#include "helpers/trees.hpp"
#include "helpers/warp_kernels.hpp"

namespace ballotcast::detail {
namespace warp_test {

using testing::WarpKernels;

TYPED_TEST_SUITE(WarpKernels, testing::WarpLayouts);

TYPED_TEST(WarpKernels, find_what_a_walk_from_start_to_end_finds) { this->try_all(); }

TYPED_TEST(WarpKernels, find_it_for_rays_from_far_away) {
  for (std::size_t i = 0; i < this->rays_.size(); ++i)
    if (i % 5 != 0) this->rays_[i] = this->far_rays_[i];
  this->try_all();
}

/// WarpKernels over an empty scene, in which every ray counts as a ray from far away.
template <class Layout>
class WarpKernelsOverNothing : public WarpKernels<Layout> {
 public:
  WarpKernelsOverNothing() : WarpKernels<Layout>(Mesh{}) {
    this->rays_ = testing::rays_at(testing::soup(500, 21), this->count(), 22);
  }
};
TYPED_TEST_SUITE(WarpKernelsOverNothing, testing::WarpLayouts);
TYPED_TEST(WarpKernelsOverNothing, find_nothing) { this->try_all(); }

/// WarpKernels over a row of triangles, each nearer than the previous one. Their tree has one
/// triangle per level.
template <class Layout>
class WarpKernelsOverARow : public WarpKernels<Layout> {
 public:
  /// The mesh of this row. The nearest triangles are rotated, so that rays along the row miss them,
  /// but enter their boxes.
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
TYPED_TEST_SUITE(WarpKernelsOverARow, testing::WarpLayouts);

// In each warp, two rays go along the row, and two more go away from it, so that the rays are not
// coherent. When the warp takes over the two rays, at level 36, their stacks have more boxes than a
// warp has lanes. The triangle that they hit is in one of the last boxes.
TYPED_TEST(WarpKernelsOverARow, share_rays_with_many_boxes_on_their_stacks) {
  for (u32 i = 0; i < this->count(); ++i) {
    Ray& ray = this->rays_[i];
    ray = {{0.0f, 0.0f, 0.0f}, 0.0f, {1.0f, 0.3f, 0.01f * static_cast<float>(i % 50)}, 1e30f};
    if (i % 16 == 7) ray = {{-1.0f, -1.0f, -1.0f}, 0.0f, {-1.0f, -1.0f, -1.0f}, 1e30f};
    if (i % 8 != 7) ray.direction = {0.0f, 0.0f, 0.0f};  // an idle ray
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

  // If all rays point into one octant, they are coherent: the fetching kernel reports this and
  // casts none of them.
  for (Ray& ray : this->rays_) ray.direction = {1.0f, 0.5f, 0.25f};
  this->template run_fetching<RayKind::closest, true, false>(nullptr);
  EXPECT_EQ(this->choice().kind, kCoherent);
  EXPECT_EQ(this->choice().next, 0u);
  for (const Hit& hit : this->hits_) ASSERT_EQ(hit.triangle, 7u);

  for (Ray& ray : this->rays_) ray.origin = {1.0f, 2.0f, 3.0f};
  this->template run_fetching<RayKind::closest, true, false>(nullptr);
  EXPECT_EQ(this->choice().kind, kOneOrigin);
  for (const Hit& hit : this->hits_) ASSERT_EQ(hit.triangle, 7u);

  // With every second ray reversed, the rays are not coherent.
  for (std::size_t i = 0; i < this->rays_.size(); i += 2)
    this->rays_[i].direction = {-1.0f, 0.5f, 0.25f};
  this->template run_fetching<RayKind::closest, true, false>(nullptr);
  EXPECT_EQ(this->choice().kind, kIncoherent);
  EXPECT_GE(this->choice().next, this->count());
  this->expect_answers(RayKind::closest, false);
}

// Casts with one block, which casts the first rays in the order of the cast, and no others.
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
  // The fetching kernel finds the rows, and the next kernel uses them.
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

}  // namespace warp_test
}  // namespace ballotcast::detail
