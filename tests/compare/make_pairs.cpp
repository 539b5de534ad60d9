// Writes pairs of pictures, NAME-reference.png and NAME-result.png. For each pair it also writes
// the FLIP map, NAME.flip: rows of little-endian floats.
// Usage: make_pairs DIRECTORY
#include <cstdio>
#include <cstring>
#include <memory>

#include "ballotcast/error.hpp"
#include "compare/metrics/metric.hpp"
#include "helpers/pictures.hpp"
#include "image/codec.hpp"
#include "render/internals.hpp"
#include "scene/assemble.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {

namespace {

/// The built-in scene, drawn with few samples and with more samples.
testing::NamedPair rendered() {
  Renderer renderer(std::make_shared<const SceneData>(builtin_scene_data()), {"cpu"});
  RenderSettings settings;
  settings.camera = *scene_of(renderer).camera;
  settings.width = 320;
  settings.height = 200;
  settings.shading = "lit";
  settings.smooth = Smoothing::off;
  const auto drawn = [&](u32 samples) {
    settings.samples = samples;
    return renderer.render(settings).image;
  };
  return {"render", drawn(1), drawn(16)};
}

void write(const std::string& directory, const testing::NamedPair& pair) {
  const std::string path = directory + "/" + pair.name;
  write_file_atomically(path + "-reference.png", encode_png(pair.reference));
  write_file_atomically(path + "-result.png", encode_png(pair.result));
  const Plane<float> map = flip_map(paired(sampled(pair.reference), sampled(pair.result), {}));
  std::vector<u8> bytes(map.values.size() * sizeof(float));
  std::memcpy(bytes.data(), map.values.data(), bytes.size());
  write_file_atomically(path + ".flip", bytes);
}

}  // namespace

}  // namespace ballotcast::detail

int main(int count, char** arguments) {
  using namespace ballotcast;
  using namespace ballotcast::detail;
  if (count != 2) {
    std::fputs("usage: make_pairs DIRECTORY\n", stderr);
    return 2;
  }
  try {
    for (const testing::NamedPair& pair : testing::generated_pairs()) write(arguments[1], pair);
    write(arguments[1], rendered());
  } catch (const Error& error) {
    std::fprintf(stderr, "make_pairs: %s\n", error.what());
    return 1;
  }
  return 0;
}
