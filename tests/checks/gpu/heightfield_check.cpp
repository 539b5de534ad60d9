// Casts rays into a large heightfield and into a mesh of its triangles, on any device, and compares
// every hit. Writes both as scene files, so that `ballotcast bench rays` can measure their rates.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "ballotcast/renderer.hpp"
#include "helpers/heightfields.hpp"
#include "helpers/tool.hpp"
#include "image/linear/linear_files.hpp"
#include "math/trig.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {
namespace {

using testing::Random;

/// Hills, and smaller hills on them.
OwnHeightfield hills(u32 side) {
  OwnHeightfield out;
  out.of = {side, side, {}, {1.0f, 1.0f}, Diagonal::rising};
  out.heights.assign(std::size_t{side} * side, 0.0f);
  for (u32 octave = 0; octave < 9; ++octave) {
    const double frequency = std::ldexp(1.0, static_cast<int>(octave));
    const SinCos turn = sincos_turns(0.381966 * octave);
    for (u32 y = 0; y < side; ++y)
      for (u32 x = 0; x < side; ++x) {
        const double u = double(x) / side, v = double(y) / side;
        const double a = frequency * (turn.cos * u + turn.sin * v);
        const double b = frequency * (turn.cos * v - turn.sin * u);
        out.heights[std::size_t{y} * side + x] += static_cast<float>(
            0.15 / frequency * sincos_turns(a + 0.1 * octave).sin * sincos_turns(b).cos);
      }
  }
  return out;
}

/// A binary PLY file of a mesh.
std::vector<u8> ply_of(const Mesh& mesh) {
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex " +
      std::to_string(mesh.positions.size()) +
      "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
      std::to_string(mesh.triangles.size()) +
      "\nproperty list uchar int vertex_indices\nend_header\n";
  std::vector<u8> bytes(header.begin(), header.end());
  const std::size_t places = mesh.positions.size() * sizeof(vec3);
  std::size_t at = bytes.size() + places;
  bytes.resize(at + mesh.triangles.size() * 13);
  std::memcpy(bytes.data() + header.size(), std::as_const(mesh.positions).data(), places);
  for (const uvec3& triangle : std::as_const(mesh.triangles)) {
    bytes[at] = 3;
    std::memcpy(bytes.data() + at + 1, &triangle, sizeof triangle);
    at += 13;
  }
  return bytes;
}

void write_text(const std::string& path, const std::string& text) {
  write_file_atomically(path, {text.begin(), text.end()});
}

/// Writes the field, the mesh alone, and the mesh as an instance, which the field always is.
void write_scenes(const OwnHeightfield& field, const Mesh& mesh, const std::string& folder) {
  const u32 side = field.of.columns;
  write_file_atomically(folder + "/heights.pfm", encode_pfm_of(side, side, 1, [&](u64 i, u32) {
                          return field.heights[(side - 1 - i / side) * side + i % side];
                        }));
  write_file_atomically(folder + "/triangles.ply", ply_of(mesh));
  const std::string view =
      R"("crease_angle": 0, "up": [0, 0, 1],
 "camera": {"eye": [-1.3, -1.1, 0.9], "look_at": [0, 0, 0], "fov": 50}})";
  write_text(folder + "/field.json",
             R"({"instances": [{"shape": "heightfield", "size": [1, 1], "heights": "heights.pfm"}],
)" + view);
  write_text(folder + "/mesh.json", "{\"meshes\": [\"triangles.ply\"],\n" + view);
  write_text(folder + "/instance.json",
             "{\"instances\": [{\"mesh\": \"triangles.ply\"}],\n" + view);
}

std::vector<Ray> rays_into(u32 count) {
  Random random(1);
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = random.point(i % 9 == 0 ? 400.0f : 1.5f);
    rays.push_back({from, 0.0f, random.point() - from, unbounded()});
  }
  return rays;
}

struct Found {
  std::vector<Hit> hits;
  std::vector<u32> counts;
};

Found found_in(const Scene& scene, const RendererOptions& options, const std::vector<Ray>& rays,
               const char* name) {
  Renderer renderer(scene, options);
  Found found;
  found.hits.resize(rays.size());
  found.counts.resize(rays.size());
  renderer.closest({rays.data(), 1}, {found.hits.data(), 1});  // the memory for rays is not shown
  std::printf("%s on %s: %.1f MB\n", name, renderer.device().c_str(),
              static_cast<double>(renderer.memory_bytes()) * 1e-6);
  std::fflush(stdout);
  renderer.closest(rays, found.hits);
  renderer.count(rays, found.counts);
  return found;
}

int run(const std::vector<std::string>& arguments) {
  u32 side = 4096, count = 1000000;
  RendererOptions options{"cuda"};
  std::string folder;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    if (testing::takes_number(a, "--side", side) || testing::takes_number(a, "--rays", count) ||
        testing::takes_where(arguments, i, options))
      continue;
    if (a.rfind("--write=", 0) == 0) {
      folder = a.substr(8);
      continue;
    }
    std::printf(
        "usage: heightfield_check [--side=N] [--rays=N] [--device NAME] [--write=FOLDER]\n"
        "Compares the hits of random rays in a heightfield of N x N heights with those in a mesh\n"
        "of its triangles, and with those on device cpu. --write: instead writes both as scenes:\n"
        "  ballotcast bench rays FOLDER/field.json FOLDER/instance.json FOLDER/mesh.json\n");
    return a == "--help" ? 0 : 2;
  }
  const OwnHeightfield field = hills(side);
  const Mesh mesh = testing::mesh_of(field);
  if (!folder.empty()) {
    write_scenes(field, mesh, folder);
    return 0;
  }
  const std::vector<Ray> rays = rays_into(count);
  const Scene of_field = make_scene(field.view());
  const Found ours = found_in(of_field, options, rays, "field");
  const Found on_cpu = found_in(of_field, {"cpu"}, rays, "field");
  const Found of_mesh = found_in(make_scene({{Scene(testing::scene_of(mesh))}}, {{Instance{0}}}),
                                 options, rays, "triangles");
  u64 different = 0, hits = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Hit &a = ours.hits[i], &b = of_mesh.hits[i];
    hits += a.found() ? 1 : 0;
    different += a.found() != b.found() || bits_of(a.t) != bits_of(b.t) ||
                         ours.counts[i] != of_mesh.counts[i] || !same_bits(a, on_cpu.hits[i]) ||
                         ours.counts[i] != on_cpu.counts[i]
                     ? 1
                     : 0;
  }
  std::printf("%s: %" PRIu64 " different of %zu rays, %" PRIu64 " of which hit\n",
              different ? "FAIL" : "PASS", different, rays.size(), hits);
  return different ? 1 : 0;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("heightfield_check", ballotcast::detail::run, argc,
                                               argv);
}
