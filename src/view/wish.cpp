#include "view/wish.hpp"

#include "render/picture_settings.hpp"
#include "scene/keyframes.hpp"
#include "scene/scene.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kMostLens = 1e12;
constexpr std::size_t kLongestPageName = 40;

CastOptions cast_in(const UrlQuery& query) {
  CastOptions cast;
  query.with("pipeline", [&](const std::string& name) { cast.pipeline = name; });
  query.with("atomics", [&](const std::string& name) { cast.atomics = name; });
  query.with("loop", [&](const std::string& name) { cast.loop = name; });
  if (const auto size = query.count("block-size", 32, 1024)) cast.block_size = *size;
  return cast;
}

Sending sending_in(const UrlQuery& query) {
  Sending sending;
  if (const std::string format = query.text("format"); format == "jpeg")
    sending.jpeg = true;
  else if (!format.empty() && format != "png")
    throw UsageError("parameter format is png or jpeg, not " + quoted_name(format));
  if (const auto quality = query.count("quality", 1, 100)) sending.quality = *quality;
  return sending;
}

void require_moderate(const RenderSettings& settings) {
  const u64 pixels = u64{settings.width} * settings.height;
  if (pixels > kMostViewPixels)
    throw UsageError("size: at most " + grouped(kMostViewPixels) + " pixels can be viewed, not " +
                     grouped(pixels));
  if (settings.samples > kMostViewSamples)
    throw UsageError("parameter spp needs an integer from 1 to " +
                     std::to_string(kMostViewSamples) + ", not " +
                     std::to_string(settings.samples));
  if (pixels * settings.samples > kMostViewRays)
    throw UsageError("spp: a picture of this size can have at most " +
                     std::to_string(kMostViewRays / pixels) + " samples per pixel here");
}

}  // namespace

CameraSettings camera_in(const UrlQuery& query) {
  CameraSettings camera;
  camera.eye = query.vector("eye");
  camera.look_at = query.vector("look-at");
  camera.up = query.vector("up");
  camera.fov = query.number("fov", 0.0, 180.0);
  camera.lens = query.number("lens", 0.0, kMostLens);
  camera.focus = query.number("focus", 0.0, kMostLens);
  camera.ortho_height = query.number("ortho", 0.0, kMostLens);
  return camera;
}

Wish wish_in(const UrlQuery& query) {
  query.require_only({"token",    "eye",    "look-at",       "up",     "fov",       "lens",
                      "focus",    "ortho",  "size",          "spp",    "bounces",   "shade",
                      "exposure", "smooth", "white-balance", "light",  "fireflies", "pipeline",
                      "atomics",  "loop",   "block-size",    "layout", "build",     "device",
                      "frame",    "format", "quality",       "page",   "number",    "moving",
                      "pixel",    "level",  "name"});
  Wish wish;
  RenderSettings& settings = wish.settings;
  settings.camera = camera_in(query);
  settings.width = 640;
  settings.height = 360;
  if (const auto size = query.pair("size", 'x', 1, kMostViewPixels)) {
    settings.width = size->first;
    settings.height = size->second;
  }
  for (const PictureSetting& row : picture_settings())
    query.with(std::string(row.name), [&](const std::string& text) {
      if (!text.empty()) row.set(settings, "parameter " + std::string(row.name), text);
    });
  settings.cast = cast_in(query);
  require_moderate(settings);

  wish.device = query.text("device");
  wish.layout = query.text("layout");
  wish.builder = query.text("build");
  wish.frame = query.count("frame", 0, kLastFrame).value_or(0);
  wish.sending = sending_in(query);
  wish.page = query.text("page").substr(0, kLongestPageName);
  wish.number = query.count("number", 0, ~0u).value_or(0);
  wish.urgent = query.has("moving");
  return wish;
}

}  // namespace ballotcast::detail
