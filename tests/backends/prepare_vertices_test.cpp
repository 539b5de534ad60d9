// Tests that the CPU computes the same bits for eight paths at once as for each path alone.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "backends/cpu/cpu_machine.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace prepare_vertices_test {

bool same(vec3 a, vec3 b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same(vec2 a, vec2 b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Paths of a picture of 64 x 32 pixels with 5 samples, at hits of a scene.
class PreparedPaths {
 public:
  explicit PreparedPaths(const Mesh& mesh)
      : renderer_(testing::scene_of(mesh), {"cpu"}), rays_(testing::rays_at(mesh, kCount, 7)) {
    hits_.resize(kCount);
    renderer_.closest(rays_, hits_);
    // Directions that no path of a picture has.
    const float inf = std::numeric_limits<float>::infinity();
    const vec3 odd[] = {{0.0f, 0.0f, 0.0f},    {inf, 1.0f, 0.0f},   {1e-44f, 0.0f, -1e-44f},
                        {3.2e38f, 1.0f, 1.0f}, {1e38f, 1.0f, 1.0f}, {-0.0f, 2.0f, 0.0f}};
    u32 next = 0;
    for (u32 i = 0; i < kCount && next < std::size(odd); ++i)
      if (rays_[i].asks() && hits_[i].found()) rays_[i].direction = odd[next++];
  }

  void compare(u32 depth) {
    ShadingView view{prepared_of(renderer_).view, 3u, 0.0f, {}, false};
    PathArrays paths{};
    paths.rays = rays_.data();
    paths.hits = hits_.data();
    const PathRange range{{64, 32, 0}, 0, 5, 5};
    u32 prepared = 0;
    for (u32 first = 0; first < kCount; first += 8u) {
      PreparedVertex out[8];
      const u32 there = prepare_vertices(first, range, view, depth, paths, out);
      for (u32 k = 0; k < 8u; ++k) {
        const u32 i = first + k;
        ASSERT_EQ((there >> k & 1u) != 0u, rays_[i].asks() && hits_[i].found()) << i;
        if ((there >> k & 1u) == 0u) continue;
        ++prepared;
        const PathVertex alone{view, range.sample_of(i), depth, rays_[i], hits_[i],
                               0u,   vec3(1.0f),         0.0f,  kNotShown};
        const Surface s = alone.surface(place_of(view.scene, hits_[i].triangle));
        EXPECT_EQ(out[k].place.index, alone.place.index);
        EXPECT_TRUE(same(out[k].to_eye, alone.to_eye())) << i;
        EXPECT_TRUE(same(out[k].surface.position, s.position)) << i;
        EXPECT_TRUE(same(out[k].surface.geometric_normal, s.geometric_normal)) << i;
        EXPECT_TRUE(same(out[k].surface.normal, s.normal)) << i;
        EXPECT_EQ(out[k].surface.front, s.front) << i;
        EXPECT_TRUE(same(out[k].random, alone.random(kDirection))) << i;
        EXPECT_TRUE(same(out[k].cosine, cosine_sample(alone.random(kDirection)))) << i;
      }
    }
    EXPECT_GT(prepared, kCount / 4);
  }

 private:
  static constexpr u32 kCount = 64 * 32 * 5;

  Renderer renderer_;
  std::vector<Ray> rays_;
  std::vector<Hit> hits_;
};

TEST(PrepareVertices, gives_each_path_the_bits_that_it_computes_alone) {
  Mesh flat = testing::soup(300, 3);
  Mesh smooth = testing::sphere(12);
  smooth.corner_normals.resize(3 * smooth.triangles.size());
  for (std::size_t i = 0; i < smooth.triangles.size(); ++i)
    for (u32 corner = 0; corner < 3u; ++corner)  // some of the normals face away
      smooth.corner_normals[3 * i + corner] =
          smooth.positions[smooth.triangles[i][static_cast<int>(corner)]] *
          (i % 7 == 0 ? -1.0f : 1.0f);
  for (const Mesh& mesh : {flat, smooth}) {
    PreparedPaths paths(mesh);
    for (u32 depth = 0; depth < 3u; ++depth) paths.compare(depth);
  }
}

TEST(PrepareVertices, turns_are_right_in_every_lane) {
  for (u32 i = 0; i < 4096u; ++i) {
    Lanes8 turns;
    for (u32 k = 0; k < 8u; ++k) turns.v[k] = static_cast<float>(8u * i + k) * 0x1p-13f - 2.0f;
    const SinCosOf<DoubleLanes8> lanes = sincos_turns_of(DoubleLanes8(turns));
    for (u32 k = 0; k < 8u; ++k) {
      const SinCos alone = sincos_turns(static_cast<double>(turns.v[k]));
      const auto lane = [&](const DoubleLanes8& of) {
        return k < 4u ? of.low[k] : of.high[k - 4u];
      };
      ASSERT_EQ(bits_of(lane(lanes.sin)), bits_of(alone.sin)) << turns.v[k];
      ASSERT_EQ(bits_of(lane(lanes.cos)), bits_of(alone.cos)) << turns.v[k];
    }
  }
}

}  // namespace prepare_vertices_test
}  // namespace ballotcast::detail
