#include "bench/rays/workloads.hpp"

#include <bit>
#include <cstring>

#include "ballotcast/error.hpp"
#include "kernels/frame/pixel_tiles.hpp"
#include "kernels/shadings/shading.hpp"
#include "support/files/files.hpp"
#include "support/threads/parallel.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kRandomRays = 1u << 24;
// The length of occlusion rays, in diagonals of the scene's box
constexpr float kOcclusionReach = 0.1f;

/// The dimensions of random numbers, a different one for each use; see sample_2d.
enum Dimension : u32 { kJitter = 101, kFirstBounce, kSecondBounce, kOcclusion, kFrom, kTo, kDepth };

/// The order of a picture's rays: in tiles of 8x8 pixels, or row by row.
enum class Order { tiles, rows };

/// The rays of `frames` pictures, one picture after the other. They go through the pixel centres if
/// `frames` is 1, else through random points of the pixels.
RaySet camera_rays(const RayFixture& g, u32 frames, Order order) {
  const CameraView view = make_view(g.camera, g.scene.scene->origin, g.width, g.height);
  const Tiling tiling{g.width, g.height, 0};
  const u32 pixels = tiling.pixels();
  RaySet set{RayKind::closest, std::vector<Ray>(u64{pixels} * frames), true};
  for (u32 frame = 0; frame < frames; ++frame)
    for_each_index(pixels, [&](u32 i) {
      const PixelPlace at =
          order == Order::tiles ? tiling.place(i) : PixelPlace{i % g.width, i / g.width};
      const vec2 spot = frames == 1 ? vec2(0.5f) : sample_2d(i, frame, kJitter);
      set.rays[u64{pixels} * frame + i] =
          ray_through(view, static_cast<float>(at.x) + spot.x, static_cast<float>(at.y) + spot.y);
    });
  return set;
}

/// Rays that start where the rays of `from` hit something. Each hit gets `each` consecutive rays in
/// cosine-distributed directions, of length `reach`.
RaySet bounced(const RayFixture& g, const RaySet& from, u32 each, Dimension dimension, RayKind kind,
               float reach) {
  std::vector<Hit> hits(from.rays.size());
  g.caster.cast(RayKind::closest, from.rays.data(), hits.data(), nullptr, from.rays.size(), {});
  std::vector<u32> sources;
  for (u32 i = 0; i < hits.size(); ++i)
    if (hits[i].found()) sources.push_back(i);
  RaySet set{kind, std::vector<Ray>(u64{sources.size()} * each)};
  const SceneView& scene = g.scene.view;
  for_each_index(sources.size(), [&](std::size_t s) {
    const u32 i = sources[s];
    const Surface surface = surface_at(scene, from.rays[i], hits[i]);
    for (u32 k = 0; k < each; ++k) {
      const vec3 direction = cosine_direction(surface.geometric_normal, sample_2d(i, k, dimension));
      set.rays[s * each + k] = leaving(scene, surface, direction, reach);
    }
  });
  return set;
}

RaySet primary(const RayFixture& g) { return camera_rays(g, 1, Order::tiles); }
RaySet primary16(const RayFixture& g) { return camera_rays(g, 16, Order::tiles); }
RaySet scanline(const RayFixture& g) { return camera_rays(g, 1, Order::rows); }
RaySet primary_any(const RayFixture& g) {
  RaySet set = primary(g);
  set.kind = RayKind::any;
  return set;
}
RaySet ao(const RayFixture& g) {
  return bounced(g, primary(g), 8, kOcclusion, RayKind::any,
                 kOcclusionReach * g.scene.view.diagonal);
}
RaySet first_bounce(const RayFixture& g, u32 paths) {
  return bounced(g, primary(g), paths, kFirstBounce, RayKind::closest, unbounded());
}
RaySet second_bounce(const RayFixture& g, u32 paths) {
  return bounced(g, first_bounce(g, paths), 1, kSecondBounce, RayKind::closest, unbounded());
}
RaySet diff1(const RayFixture& g) { return first_bounce(g, 1); }
RaySet diff2(const RayFixture& g) { return second_bounce(g, 1); }
RaySet diff1x8(const RayFixture& g) { return first_bounce(g, 8); }
RaySet diff2x8(const RayFixture& g) { return second_bounce(g, 8); }

/// Segments between random points of the scene's box, from t = 0 to t = 1. Their number is
/// kRandomRays, but at most eight per pixel of the picture.
RaySet random_segments(const RayFixture& g) {
  const Aabb& box = g.scene.bounds;
  const u64 many = u64{g.width} * g.height * 8u;
  RaySet set{RayKind::closest, std::vector<Ray>(many < kRandomRays ? many : kRandomRays)};
  if (box.empty()) {
    for (Ray& ray : set.rays) ray = idle_ray();
    return set;
  }
  const auto point = [&](u32 i, u32 dimension) {
    const vec2 xy = sample_2d(i, 0, dimension), z = sample_2d(i, dimension, kDepth);
    return box.low + box.extent() * vec3(xy.x, xy.y, z.x);
  };
  for_each_index(static_cast<u32>(set.rays.size()), [&](u32 i) {
    const vec3 from = point(i, kFrom), to = point(i, kTo);
    set.rays[i] = {from, 0.0f, to - from, 1.0f};
  });
  return set;
}

}  // namespace

const std::vector<WorkloadInfo>& workloads() {
  static const std::vector<WorkloadInfo> table = {
      {"primary", "a picture's rays through pixel centres", 1, true, primary},
      {"primary16", "16 jittered pictures at once", 16, true, primary16},
      {"scanline", "the rays of primary, row by row", 1, true, scanline},
      {"primary-any", "the rays of primary: whether they hit anything", 1, true, primary_any},
      {"ao", "8 occlusion rays per primary hit: any hit within a tenth of the scene", 8, false, ao},
      {"diff1", "a diffuse bounce per primary hit", 1, false, diff1},
      {"diff2", "the bounce after that", 1, false, diff2},
      {"diff1x8", "8 diffuse bounces per primary hit", 8, false, diff1x8},
      {"diff2x8", "the bounces after those", 8, false, diff2x8},
      {"random", "segments between random points of the scene's box", 8, false, random_segments},
  };
  return table;
}

const WorkloadInfo& workload_called(std::string_view name) {
  for (const WorkloadInfo& row : workloads())
    if (row.name == name) return row;
  throw_unknown("workload", name, names_of(workloads()));
}

void require_few_rays(const WorkloadInfo& workload, u32 width, u32 height) {
  const u64 rays = u64{width} * height * workload.rays_a_pixel;
  if (rays > kMostRays && workload.make != random_segments)
    throw UsageError("size " + std::to_string(width) + "x" + std::to_string(height) + ": " +
                     std::string(workload.name) + " would be " + std::to_string(rays) +
                     " rays; the limit is " + std::to_string(kMostRays));
}

namespace {

static_assert(std::endian::native == std::endian::little, "rays are copied as they are");

constexpr char kRaysFileMagic[] = {'B', 'C', 'R', 'A', 'Y', 'S', '\r', '\n'};
constexpr u32 kRaysVersion = 1;

struct Header {
  char magic[8];
  u32 version;
  u32 kind;
  u64 count;
  u64 zero;
};
static_assert(sizeof(Header) == 32);

}  // namespace

std::vector<u8> encode_rays(const RaySet& set) {
  Header header{{}, kRaysVersion, static_cast<u32>(set.kind), set.rays.size(), 0};
  std::memcpy(header.magic, kRaysFileMagic, sizeof kRaysFileMagic);
  std::vector<u8> bytes(sizeof header + set.rays.size() * sizeof(Ray));
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!set.rays.empty())
    std::memcpy(bytes.data() + sizeof header, set.rays.data(), set.rays.size() * sizeof(Ray));
  return bytes;
}

RaySet read_rays(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  Header header;
  if (bytes.size() < sizeof header ||
      std::memcmp(bytes.data(), kRaysFileMagic, sizeof kRaysFileMagic) != 0)
    throw InputError(path + ": not a rays file");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kRaysVersion)
    throw InputError(path + ": rays file of version " + std::to_string(header.version) +
                     "; this program reads version " + std::to_string(kRaysVersion));
  if (header.kind > static_cast<u32>(RayKind::any))
    throw InputError(path + ": rays of kind " + std::to_string(header.kind) +
                     "; known are 0 (closest hit) and 1 (any hit)");
  if (header.zero != 0) throw InputError(path + ": damaged rays file: bytes 24 to 31 must be 0");
  const u64 records = bytes.size() - sizeof header;
  if (records % sizeof(Ray) != 0 || records / sizeof(Ray) != header.count)
    throw InputError(path + ": rays file is cut off or damaged");
  RaySet set{static_cast<RayKind>(header.kind), std::vector<Ray>(header.count)};
  if (header.count > 0)
    std::memcpy(static_cast<void*>(set.rays.data()), bytes.data() + sizeof header,
                header.count * sizeof(Ray));
  return set;
}

}  // namespace ballotcast::detail
