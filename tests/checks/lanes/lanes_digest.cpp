// Runs the SIMD code of the device cpu, compares each lane with the scalar function, and prints a
// hash of all results. Programs compiled for different processors must print the same hash. Exit
// code 77: this processor can't run the program.
#include <cstdio>
#include <limits>

#include "bvh/wide/group_walk.hpp"
#include "bvh/wide/wide_walk.hpp"
#include "helpers/meshes.hpp"
#include "support/hash.hpp"

namespace ballotcast::detail {
namespace {

using testing::Random;

u32 wrong = 0;
Fnv1a hash;

void expect(bool right) { wrong += right ? 0u : 1u; }
void add(const Hit& hit) {
  for (const float number : {hit.t, hit.u, hit.v}) hash.add(bits_of(number));
  hash.add(hit.triangle);
}

/// The argument `rays` of frustum_of for a thread that has all rays in an array.
template <u32 kRays>
struct RaysInArray {
  const GroupRay (&rays)[kRays];

  template <class Of>
  BC_HD float least(Of f) const {
    float value = f(rays[0]);
    for (u32 k = 1; k < kRays; ++k) value = min_of(value, f(rays[k]));
    return value;
  }
  template <class Of>
  BC_HD float most(Of f) const {
    float value = f(rays[0]);
    for (u32 k = 1; k < kRays; ++k) value = max_of(value, f(rays[k]));
    return value;
  }
  template <class Of>
  BC_HD float least_signed(Of f) const {
    return least(f);
  }
  template <class Of>
  BC_HD float most_signed(Of f) const {
    return most(f);
  }
};

/// A coordinate on a coarse grid, so that rays often meet edges and corners.
float on_grid(Random& random) { return static_cast<float>(random.below(9)) * 0.25f - 1.0f; }
vec3 point_on_grid(Random& random) {
  const float x = on_grid(random), y = on_grid(random);
  return {x, y, on_grid(random)};
}

/// A ray whose longest axis is z.
Ray random_ray(Random& random, vec3 origin) {
  vec3 to = random.below(2) == 0 ? point_on_grid(random) : random.point();
  to.z += 5.0f;
  return {origin, 0.0f, to - origin, random.below(4) == 0 ? 0.8f : unbounded()};
}

TriangleBlock random_block(Random& random, TriangleRows (&rows)[kInBlock]) {
  TriangleBlock block;
  for (u32 k = 0; k < kInBlock; ++k) {
    // Separate statements, because compilers evaluate function arguments in different orders.
    const vec3 up(0.0f, 0.0f, 4.0f), a = point_on_grid(random) + up;
    const vec3 b = point_on_grid(random) + up, c = point_on_grid(random) + up;
    rows[k] = rows_of(a, b, random.below(8) == 0 ? a : c, k);
    block.set(k, rows[k]);
  }
  return block;
}

Hit scalar_hit(const RaySetup& setup, const Ray& ray, const TriangleRows& rows) {
  Hit best = miss_of(ray);
  intersect_triangle(setup, ray.t_min, rows.row[setup.kx()], rows.row[setup.ky()],
                     rows.row[setup.kz], best, EveryHit{});
  return best;
}

void compare(const LaneHits& found, u32 lane, u32 id, const Hit& expected) {
  const bool hit = (found.hit >> lane & 1u) != 0u;
  expect(hit == expected.found());
  if (!hit) return;
  expect(same_bits(found.at(lane, id), expected));
  add(found.at(lane, id));
  hash.add(found.on_edge >> lane & 1u);
}

void triangles(Random& random) {
  TriangleRows rows[kInBlock];
  const TriangleBlock block = random_block(random, rows);
  const vec3 origin = random.below(2) == 0 ? point_on_grid(random) : random.point();
  RayLanes rays;
  RaySetup setups[kLanes];
  Ray given[kLanes];
  Floats8 limits{};
  for (u32 r = 0; r < kLanes; ++r) {
    given[r] = random_ray(random, origin);
    setups[r] = make_setup(given[r], 8.0f);
    if (r == 0u) rays = RayLanes(setups[0], 0.0f);
    rays.sx[r] = setups[r].sx, rays.sy[r] = setups[r].sy, rays.sz[r] = setups[r].sz;
    limits[r] = given[r].t_max;
    const LaneHits found = intersect_block(RayLanes(setups[r], 0.0f), block, given[r].t_max);
    for (u32 k = 0; k < kInBlock; ++k)
      compare(found, k, k, scalar_hit(setups[r], given[r], rows[k]));
  }
  const SeenTriangles seen(block, rays);
  for (u32 k = 0; k < kInBlock; ++k) {
    const LaneHits found = intersect_seen(rays, limits, [&](u32 axis, u32 corner) {
      return in_all_lanes(seen.corner[axis][corner][k]);
    });
    for (u32 r = 0; r < kLanes; ++r) compare(found, r, k, scalar_hit(setups[r], given[r], rows[k]));
  }
}

void boxes(Random& random) {
  WideNode node;
  for (u32 k = 0; k < kWidth; ++k) {
    const vec3 a = random.point(), b = a + random.point(0.5f);
    const vec3 low = min_of(a, b), high = max_of(a, b);
    node.side[kLowX][k] = low.x, node.side[kHighX][k] = high.x;
    node.side[kLowY][k] = low.y, node.side[kHighY][k] = high.y;
    node.side[kLowZ][k] = low.z + 4.0f, node.side[kHighZ][k] = high.z + 4.0f;
    node.child[k] = random.below(9) == 0 ? kNowhere : k;
  }
  const vec3 origin = random.point();
  const Ray ray = random_ray(random, origin);
  const RaySetup setup = make_setup(ray, 8.0f);
  const bvh2::Slabs slabs = bvh2::slabs_of(setup, ray);
  u32 entered;
  const Floats8 entries = WideSlabs(slabs).enter(node, ray.t_max, entered);
  hash.add(entered);
  for (u32 k = 0; k < kWidth; ++k) {
    const bvh2::Entry one = bvh2::enter_box(
        slabs, ray.t_max, node.side[kLowX][k], node.side[kHighX][k], node.side[kLowY][k],
        node.side[kHighY][k], node.side[kLowZ][k], node.side[kHighZ][k]);
    expect(one.hit == ((entered >> k & 1u) != 0u));
    if (one.hit) expect(bits_of(one.distance) == bits_of(entries[k]));
    if (one.hit) hash.add(bits_of(entries[k]));
  }

  // A group of this ray and a neighbouring ray.
  Ray beside = ray;
  beside.direction = vec3(ray.direction) + vec3(0.05f, -0.04f, 0.0f) * random.unit();
  const RaySetup other = make_setup(beside, 8.0f);
  if (!setup.valid || !other.valid || other.kz != setup.kz) return;
  GroupRay group[2] = {group_ray(setup), group_ray(other)};
  const GroupSigns signs =
      group_signs(setup.kz, ways_of(group[0]) | ways_of(group[1]), setup.sz < 0.0f);
  for (GroupRay& one : group) turn_round(one, signs);
  const Frustum frustum = frustum_of(signs, RaysInArray<2>{group});
  const GroupSlabs seen(frustum, signs, {setup.ox, setup.oy, setup.oz}, setup.slack);
  const float limit = min_of(ray.t_max, 3.0e38f);
  const Floats8 group_entries = seen.enter(node, limit, entered);
  hash.add(entered);
  RayPack pack{};
  pack.lanes = RayLanes(setup, 0.0f);
  pack.best.t = in_all_lanes(ray.t_max);
  pack.asking = (1u << kLanes) - 1u;
  for (u32 lane = 0; lane < 8u; ++lane) {
    pack.ix[lane] = group[lane % 2u].ix, pack.iy[lane] = group[lane % 2u].iy;
    pack.iz[lane] = magnitude_of(lane % 2u == 0u ? setup.sz : other.sz);
  }
  for (u32 k = 0; k < kWidth; ++k) {
    const SeenBox box = seen.seen(node, k);
    const BoxEntry one = enter_box(frustum, box, signed_bits_of(limit));
    const bool in = (entered >> k & 1u) != 0u;
    expect(in == (one.enters && is_somewhere(node.child[k])));
    if (in) expect(bits_of(group_entries[k]) == static_cast<u32>(one.entry));
    if (in) hash.add(bits_of(group_entries[k]));
    const u32 entering = pack.entering(box, signs);
    hash.add(entering);
    for (u32 lane = 0; lane < 8u; ++lane) {
      const GroupRay& its = group[lane % 2u];
      const SeenBox turned = signs.mixed != 0u ? turned_for(its, box) : box;
      expect(((entering >> lane & 1u) != 0u) == enters_box(its, turned, ray.t_max));
    }
  }
}

/// A ray of any direction; sometimes one that starts far away or can hit nothing.
Ray odd_ray(Random& random) {
  const vec3 origin = random.below(2) == 0 ? point_on_grid(random) : random.point();
  vec3 along = random.below(2) == 0 ? point_on_grid(random) : random.point();
  const float scales[] = {1.0f, 1e-3f, 1e4f, 0x1p-30f, 0x1p38f, 0x1p-41f, 0x1p41f};
  along *= scales[random.below(7)];
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Ray ray = {origin, random.between(-1.0f, 1.0f), along, unbounded()};
  switch (random.below(16)) {
    case 0:
      ray.origin = origin * 1e4f;
      break;
    case 1:
      ray.origin = origin * 1e20f;
      break;
    case 2:
      ray.t_max = ray.t_min;
      break;
    case 3:
      ray.direction.y = nan;
      break;
    case 4:
      ray.origin.z = nan;
      break;
    case 5:
      ray.t_min = nan;
      break;
    case 6:
      ray.direction.x = unbounded();
      break;
    case 7:
      ray.direction.z = -0.0f;
      break;
    case 8:
      ray.direction.x = 0x1p-130f;
      break;
    default:
      break;
  }
  return ray;
}

void eight_rays(Random& random) {
  constexpr float kMagnitude = 2.0f;
  Ray rays[kWidth];
  for (Ray& ray : rays) ray = odd_ray(random);
  const EightRays eight(rays, kMagnitude);
  TriangleRows rows[kInBlock];
  const TriangleBlock block = random_block(random, rows);
  WideNode node;
  for (u32 side = 0; side < 6u; ++side)
    for (float& at : node.side[side]) at = random.between(-1.0f, 1.0f);
  for (u32 k = 0; k < kWidth; ++k) {
    const RaySetup setup = make_setup(rays[k], kMagnitude);
    expect(eight.is_usual(k) == (setup.valid && !is_far(rays[k], kMagnitude)));
    hash.add(eight.is_usual(k) ? 1u : 0u);
    if (!eight.is_usual(k)) continue;
    const WideRay one(setup, rays[k]), its = eight[k];
    expect(its.lanes.kx == one.lanes.kx && its.lanes.ky == one.lanes.ky &&
           its.lanes.kz == one.lanes.kz);
    for (const auto row : {&RayLanes::sx, &RayLanes::sy, &RayLanes::sz, &RayLanes::ox,
                           &RayLanes::oy, &RayLanes::oz, &RayLanes::t_min}) {
      expect(bits_of((its.lanes.*row)[0]) == bits_of((one.lanes.*row)[0]));
      hash.add(bits_of((its.lanes.*row)[0]));
    }
    expect(intersect_block(its.lanes, block, rays[k].t_max).hit ==
           intersect_block(one.lanes, block, rays[k].t_max).hit);
    u32 entered, its_entered;
    const Floats8 entries = one.slabs.enter(node, 3.0f, entered);
    const Floats8 its_entries = its.slabs.enter(node, 3.0f, its_entered);
    expect(entered == its_entered);
    for (u32 box = 0; box < kWidth; ++box) {
      expect(bits_of(entries[box]) == bits_of(its_entries[box]));
      hash.add(bits_of(its_entries[box]));
    }
  }
}

int run() {
#if defined(__AVX512VL__)
  if (!__builtin_cpu_supports("avx512vl")) return 77;
#endif
  Random random(7);
  for (u32 i = 0; i < 20000u; ++i) {
    triangles(random);
    boxes(random);
    eight_rays(random);
  }
  std::printf("%s\n", hash.digits().c_str());
  if (wrong != 0u) std::fprintf(stderr, "%u lanes differ from the scalar functions\n", wrong);
  return wrong == 0u ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main() { return ballotcast::detail::run(); }
