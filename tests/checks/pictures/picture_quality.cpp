// Measures the difference of pictures with few samples from a converged picture of the same scene,
// with and without smoothing: FLIP, RMS, and RMS of the pixels at edges.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include "ballotcast/compare.hpp"
#include "helpers/tool.hpp"
#include "image/codec.hpp"
#include "render/internals.hpp"
#include "scene/assemble.hpp"
#include "support/files/files.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {
namespace {

struct Settings {
  u32 width = 640, height = 360;
  u32 reference = 2048;  // samples per pixel of the converged picture
  std::vector<u32> samples = {16};
  std::string device = "auto";
  bool smooth_reference = false;
  std::string folder;  // folder to write the pictures to; "": they are not written
  std::vector<std::string> scenes;
};

/// For each pixel: true if it is next to another material or to a surface that faces elsewhere.
std::vector<bool> edges_of(Renderer& renderer, const Settings& settings) {
  RenderSettings picture;
  picture.width = settings.width;
  picture.height = settings.height;
  picture.shading = "normal";
  picture.samples = 1;
  picture.keep_hits = true;
  const Frame frame = renderer.render(picture);
  const SceneView& scene = prepared_of(renderer).view;
  const auto material = [&](const Hit& hit) -> u32 {
    if (!hit.found()) return 0xffffffffu;
    return scene.mesh.material_of ? scene.mesh.material_of[hit.triangle] : 0u;
  };
  std::vector<bool> edges(frame.hits.size());
  const u32 w = settings.width, h = settings.height;
  for (u32 y = 0; y < h; ++y)
    for (u32 x = 0; x < w; ++x)
      for (const auto& [dx, dy] : {std::pair{1u, 0u}, {0u, 1u}}) {
        if (x + dx >= w || y + dy >= h) continue;
        const u32 a = y * w + x, b = (y + dy) * w + x + dx;
        const Rgb8 p = frame.image.pixels[a], q = frame.image.pixels[b];
        const double d = std::hypot(p.r - q.r, p.g - q.g, p.b - q.b);
        if (material(frame.hits[a]) != material(frame.hits[b]) || d > 40.0)
          edges[a] = edges[b] = true;
      }
  return edges;
}

double rms_at(const std::vector<bool>& mask, const Image<Rgb8>& a, const Image<Rgb8>& b) {
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (!mask[i]) continue;
    const Rgb8 p = a.pixels[i], q = b.pixels[i];
    sum += (p.r - q.r) * (p.r - q.r) + (p.g - q.g) * (p.g - q.g) + (p.b - q.b) * (p.b - q.b);
    count += 3.0;
  }
  return count > 0.0 ? std::sqrt(sum / count) : 0.0;
}

/// The converged picture, with which the others are compared, and its exposure.
struct Converged {
  Image<Rgb8> picture;
  float exposure;
};

/// Returns the converged picture: read from the folder if an earlier run has written it there, else
/// drawn.
Converged converged(Renderer& renderer, RenderSettings picture, const Settings& settings,
                    const std::string& name) {
  namespace fs = std::filesystem;
  const std::string path = settings.folder + "/" + name + "-" + std::to_string(settings.width) +
                           "x" + std::to_string(settings.height) + "-" +
                           std::to_string(settings.reference) +
                           (settings.smooth_reference ? "-smooth" : "");
  const bool keeps = !settings.folder.empty();
  Converged out;
  if (keeps && fs::exists(path + ".png") && fs::exists(path + ".exposure")) {
    const SampledImage known = read_png(path + ".png");
    out.picture = {known.width, known.height, {}};
    for (std::size_t i = 0; i + 2 < known.samples.size(); i += 3)
      out.picture.pixels.push_back({static_cast<u8>(known.samples[i]),
                                    static_cast<u8>(known.samples[i + 1]),
                                    static_cast<u8>(known.samples[i + 2])});
    const std::vector<u8> text = read_file(path + ".exposure");
    out.exposure = std::stof(std::string(text.begin(), text.end()));
    return out;
  }
  picture.smooth = settings.smooth_reference ? Smoothing::on : Smoothing::off;
  picture.samples = settings.reference;
  Frame frame = renderer.render(picture);
  out = {std::move(frame.image), frame.exposure};
  if (keeps) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(out.exposure));
    write_png(path + ".png", out.picture);
    write_text_atomically(path + ".exposure", text);
  }
  return out;
}

void measure(const std::string& file, const Settings& settings) {
  SceneRequest request;
  request.file = file;
  Renderer renderer(load_scene(request), {settings.device});
  const std::vector<bool> edges = edges_of(renderer, settings);
  RenderSettings picture;
  picture.width = settings.width;
  picture.height = settings.height;
  picture.shading = "lit";
  const std::string name = renderer.scene().name();
  const auto save = [&](const std::string& what, const Image<Rgb8>& image) {
    if (!settings.folder.empty())
      write_png(settings.folder + "/" + name + "-" + what + ".png", image);
  };
  const Converged reference = converged(renderer, picture, settings, name);
  const std::string names[] = {"plain", "fast", "smooth"};
  picture.exposure = reference.exposure;
  for (const u32 samples : settings.samples)
    for (const Smoothing smooth : {Smoothing::off, Smoothing::fast, Smoothing::on}) {
      picture.smooth = smooth;
      picture.samples = samples;
      const Stopwatch watch;
      const Frame frame = renderer.render(picture);
      const double ms = watch.milliseconds();
      double smooth_ms = 0.0;
      for (const StageTime& stage : frame.stages)
        if (stage.name == "smooth") smooth_ms = stage.milliseconds;
      const Comparison c = compare(sampled(reference.picture), sampled(frame.image), {});
      double flip = 0.0, rms = 0.0;
      for (const MetricValue& value : c.values) {
        if (value.metric->name == std::string("flip")) flip = value.value;
        if (value.metric->name == std::string("rms")) rms = value.value;
      }
      std::printf("%-14.14s %5u %-9s %7.4f %7.3f %7.3f %9.1f %9.1f\n", name.c_str(), samples,
                  names[static_cast<int>(smooth)].c_str(), flip, rms,
                  rms_at(edges, reference.picture, frame.image), ms, smooth_ms);
      std::fflush(stdout);
      save(std::to_string(samples) + "-" + names[static_cast<int>(smooth)], frame.image);
    }
}

int run(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 >= arguments.size()) throw UsageError(word + " needs a value");
      return arguments[++i];
    };
    const auto number = [&] { return static_cast<u32>(std::stoul(value())); };
    if (word == "--help") {
      std::puts(
          "picture_quality SCENE...: how far pictures of few samples are from a converged one\n"
          "  --width N --height N   size, 640x360\n"
          "  --reference N          samples per pixel of the converged picture, 2048\n"
          "  --smooth-reference     smooth that, too: less noise, but the filter judges itself\n"
          "  --spp N                samples per pixel; may be repeated; 16\n"
          "  --device NAME          auto\n"
          "  --write FOLDER         also write the pictures");
      return 0;
    }
    if (word == "--width")
      settings.width = number();
    else if (word == "--height")
      settings.height = number();
    else if (word == "--reference")
      settings.reference = number();
    else if (word == "--smooth-reference")
      settings.smooth_reference = true;
    else if (word == "--spp")
      settings.samples.push_back(number());
    else if (word == "--device")
      settings.device = value();
    else if (word == "--write")
      settings.folder = value();
    else if (word.starts_with("--"))
      throw UsageError("unknown option " + word + "; see --help");
    else
      settings.scenes.push_back(word);
  }
  if (settings.samples.size() > 1) settings.samples.erase(settings.samples.begin());
  if (settings.scenes.empty()) throw UsageError("no scene; see --help");
  std::printf("%-14s %5s %-9s %7s %7s %7s %9s %9s\n", "scene", "spp", "", "FLIP", "RMS", "edges",
              "ms", "smooth ms");
  for (const std::string& scene : settings.scenes) measure(scene, settings);
  return 0;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("picture_quality", ballotcast::detail::run, argc,
                                               argv);
}
