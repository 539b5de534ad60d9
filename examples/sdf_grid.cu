// Computes the signed distance of a closed mesh, below 0 inside, on a grid of N^3 points. The grid
// is twice as large as the mesh. Writes a NumPy array of floats, grid[z, y, x].
//   sdf_grid MESH N OUTPUT.npy
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "on_each.hpp"

using namespace examples;

namespace {

struct SignedDistance {
  Vec3f low, step;
  unsigned side;

  template <class View>
  BALLOTCAST_HD float operator()(const View& scene, unsigned i) const {
    const float x = static_cast<float>(i % side) + 0.5f,
                y = static_cast<float>(i / side % side) + 0.5f,
                z = static_cast<float>(i / side / side) + 0.5f;
    const Vec3f p{fmaf(x, step.x, low.x), fmaf(y, step.y, low.y), fmaf(z, step.z, low.z)};
    const float distance = device::closest_point(scene, p, INFINITY).distance;
    return device::inside(scene, Vec3d(p.x, p.y, p.z)) ? -distance : distance;
  }
};

/// A grid around the scene, relative to the scene's origin. Its points are the middles of cells.
SignedDistance grid_around(const Scene& scene, unsigned side) {
  const Box box = scene.bounds();
  const Vec3d o = scene.origin();
  const auto low = [](double a, double b, double origin) {
    return static_cast<float>(a - (b - a) / 2 - origin);
  };
  const auto step = [&](double a, double b) { return static_cast<float>((b - a) * 2 / side); };
  return {{low(box.low.x, box.high.x, o.x), low(box.low.y, box.high.y, o.y),
           low(box.low.z, box.high.z, o.z)},
          {step(box.low.x, box.high.x), step(box.low.y, box.high.y), step(box.low.z, box.high.z)},
          side};
}

/// Writes a NumPy file, version 1.0 of the format:
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
void write_npy(const char* file, const std::vector<float>& values, unsigned side) {
  const std::string n = std::to_string(side);
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + n + ", " + n + ", " + n + ")}";
  // With 10 bytes before the header and a newline after it, this makes 2 blocks of 64.
  header.resize(117, ' ');
  std::ofstream out(file, std::ios::binary);
  out << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n';
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
  if (!out.flush()) throw InputError(std::string(file) + ": can't be written");
}

}  // namespace

int main(int argc, char** argv) {
  const int side = argc == 4 ? std::atoi(argv[2]) : 0;
  if (side < 1 || side > 1024)
    return std::fprintf(stderr, "usage: sdf_grid MESH N OUTPUT.npy, with N from 1 to 1024\n"), 2;
  try {
    const Scene scene = load_scene(argv[1]);
    const unsigned n = static_cast<unsigned>(side);
    const std::vector<float> distances = on_each<float>(scene, n * n * n, grid_around(scene, n));
    float least = INFINITY, largest = -INFINITY;
    unsigned inside = 0;
    for (const float distance : distances) {
      least = std::fmin(least, distance);
      largest = std::fmax(largest, distance);
      inside += distance < 0.0f;
    }
    write_npy(argv[3], distances, n);
    std::printf("%u of %u points are inside; distances from %.4g to %.4g\n", inside, n * n * n,
                least, largest);
  } catch (const Error& error) {
    return std::fprintf(stderr, "sdf_grid: %s\n", error.what()), 3;
  }
}
