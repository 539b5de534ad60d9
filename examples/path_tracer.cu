// A path tracer in one function, which casts its rays itself: white surfaces under a blue sky. On a
// GPU, a kernel calls this function; without a GPU, a loop does.
//   path_tracer SCENE OUTPUT.png
#include <cstdio>

#include "on_each.hpp"

using namespace examples;

namespace {

constexpr unsigned kWidth = 320, kHeight = 240, kSamples = 32, kBounces = 4;

struct Lens {
  Vec3f eye, ahead, right, up;
};

/// The light that a pixel receives: the light of the sky at the ends of its paths.
struct LightOfPixel {
  Lens lens;

  template <class View>
  BALLOTCAST_HD float operator()(const View& scene, unsigned pixel) const {
    Random random{pixel * 9781u + 1u};
    float light = 0.0f;
    for (unsigned sample = 0; sample < kSamples; ++sample) {
      const float x = (pixel % kWidth + random.next()) / kWidth * 2.0f - 1.0f;
      const float y = 1.0f - (pixel / kWidth + random.next()) / kHeight * 2.0f;
      const Vec3f seen = sum(sum(lens.ahead, lens.right, x), lens.up, y);
      Ray ray{lens.eye, 0.0f, unit(seen), INFINITY};
      unsigned start = kNoTriangle;
      for (unsigned bounce = 0; bounce <= kBounces; ++bounce) {
        // The next ray starts on a triangle, and must not hit that triangle.
        const auto hit = device::closest_surface(scene, ray, device::SkipTriangle{start});
        if (!hit.hit.found()) {
          light += powf(0.7f, bounce) * (1.0f + ray.direction.y);
          break;
        }
        start = hit.hit.triangle;
        ray.origin = sum(ray.origin, ray.direction, hit.hit.t);
        ray.direction = scattered(hit.normal, random);
      }
    }
    return light / kSamples;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: path_tracer SCENE OUTPUT.png\n"), 2;
  try {
    const Scene scene = load_scene(argv[1]);
    const Box box = scene.bounds();
    const Vec3d size{box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z};
    const float wide = static_cast<float>(std::hypot(size.x, size.y, size.z)) * 0.5f;
    const Vec3d o = scene.origin();
    const Lens lens{{static_cast<float>((box.low.x + box.high.x) / 2 - o.x),
                     static_cast<float>((box.low.y + box.high.y) / 2 - o.y),
                     static_cast<float>(box.low.z - wide * 1.5 - o.z)},
                    {0, 0, 1},
                    {-0.55f, 0, 0},
                    {0, 0.55f * kHeight / kWidth, 0}};
    Image<Rgb8> image{kWidth, kHeight, {}};
    for (const float light : on_each<float>(scene, kWidth * kHeight, LightOfPixel{lens})) {
      const auto byte = [&](float tint) {
        return static_cast<std::uint8_t>(std::fmin(255.0f, 255.0f * std::sqrt(light * tint)));
      };
      image.pixels.push_back({byte(0.45f), byte(0.5f), byte(0.6f)});
    }
    write_png(argv[2], image);
  } catch (const Error& error) {
    return std::fprintf(stderr, "path_tracer: %s\n", error.what()), 3;
  }
}
