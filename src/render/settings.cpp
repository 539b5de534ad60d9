// Resolves settings; all defaults are applied here. Also the tables of names for settings.
#include "render/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "backends/device/backend.hpp"
#include "backends/scene/prepare.hpp"
#include "ballotcast/tables.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/layouts/layout.hpp"
#include "image/color.hpp"
#include "kernels/shadings/shadings.hpp"
#include "math/sampling.hpp"
#include "render/framing/framing.hpp"
#include "render/framing/preview.hpp"
#include "render/setting_tables.hpp"
#include "scene/light/light.hpp"
#include "support/float_environment.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

void require_sensible(const RenderSettings& settings, u32 samples) {
  const std::string size = std::to_string(settings.width) + "x" + std::to_string(settings.height);
  if (settings.width == 0 || settings.height == 0)
    throw UsageError("size " + size + ": both sides must be at least 1");
  if (settings.width > kLargestSide || settings.height > kLargestSide ||
      u64{settings.width} * settings.height > kMostPixels)
    throw UsageError("size " + size + ": at most 32768 per side and 2^28 pixels in all");
  if (samples > kMostSamples)
    throw UsageError(std::to_string(samples) + " samples per pixel: the limit is " +
                     std::to_string(kMostSamples));
  if (settings.bounces > kMostBounces)
    throw UsageError(std::to_string(settings.bounces) + " bounces: the limit is " +
                     std::to_string(kMostBounces));
  if (settings.exposure && !(*settings.exposure >= 0.0f && *settings.exposure <= float{kMostLight}))
    throw UsageError("exposure must be a number from 0 to " + std::to_string(kMostLight));
  require_known("light", {settings.light}, light_names());
  if (!white_balance_in(settings.white_balance))
    throw UsageError("white balance must be " + std::string(kWhiteBalances) + ", not '" +
                     settings.white_balance + "'");
}

constexpr double kShareOfLamps = 0.9, kShareOfDaylight = 0.3;

/// The irradiance from a picture of the sky on a card that faces `normal`.
dvec3 sky_map_on_card(const SkyMapView& map, vec3 normal) {
  std::vector<vec3> around;  // the horizontal direction of each column
  for (u32 x = 0; x < map.width; ++x) {
    const SinCos angle = sincos_turns((x + 0.5) / map.width - 0.5);
    around.push_back(map.right * static_cast<float>(angle.sin) +
                     map.ahead * static_cast<float>(angle.cos));
  }
  dvec3 sum(0.0);
  for (u32 y = 0; y < map.height; ++y) {
    const double top = double{map.heights[y]}, bottom = double{map.heights[y + 1]};
    const float height = static_cast<float>(0.5 * (top + bottom));
    const float radius = std::sqrt(std::max(0.0f, 1.0f - height * height));
    const vec3* const row = map.pixels + u64{y} * map.width;
    dvec3 of_row(0.0);
    for (u32 x = 0; x < map.width; ++x) {
      const float cosine = dot(around[x] * radius + map.up * height, normal);
      if (cosine > 0.0f) of_row += dvec3(row[x] * cosine);
    }
    sum += of_row * ((top - bottom) * 2.0 * kPi / map.width);
  }
  return sum * double{map.strength};
}

/// The irradiance from sun and sky on an unobstructed card. The card faces the sun, or up if there
/// is no sun.
dvec3 daylight_on_card(const SunView& sun, const SkyView& daylight) {
  constexpr int kSide = 16;  // number of directions in each of two dimensions
  const vec3 normal = sun.shines() ? sun.direction : daylight.up;
  if (daylight.has_map()) return dvec3(sun.irradiance) + sky_map_on_card(daylight.map, normal);
  dvec3 sky(0.0);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const vec2 place((float(x) + 0.5f) / kSide, (float(y) + 0.5f) / kSide);
      sky += dvec3(sky_radiance(daylight, cosine_direction(normal, place)));
    }
  return dvec3(sun.irradiance) + sky * (kPi / (kSide * kSide));
}

/// The linear mean colour of a texture; 1 if there is no texture.
dvec3 mean_color(const SceneData& scene, u32 texture) {
  if (texture == kNoTexture) return dvec3(1.0);
  const auto& linear = srgb_to_linear_table();
  dvec3 sum(0.0);
  for (const Rgba8 c : scene.textures[texture].pixels)
    sum += dvec3(double{linear[c.r]}, double{linear[c.g]}, double{linear[c.b]});
  return sum / static_cast<double>(scene.textures[texture].pixels.size());
}

/// The light of all lamps: the mean irradiance on a sphere around the scene.
dvec3 lamplight_around(const PreparedScene& scene) {
  std::vector<dvec3> emission;  // emission of each material
  for (const Material& m : scene.scene->materials)
    emission.push_back(m.emits() ? dvec3(m.emission) * mean_color(*scene.scene, m.emission_texture)
                                 : dvec3(0.0));
  dvec3 power(0.0);
  for (const u32 id : scene.lights.emitters) {
    const TrianglePlace place = place_of(scene.view, id);
    const Corners p = triangle_at(scene.view, place);
    const dvec3 a(p.a), normal = glm::cross(dvec3(p.b) - a, dvec3(p.c) - a);
    const double both_sides = std::sqrt(glm::dot(normal, normal));  // twice the area
    const auto material = &material_of(scene.view, place) - scene.view.materials;
    power += emission[static_cast<std::size_t>(material)] * (kPi * both_sides);
  }
  const double diagonal = double{scene.view.diagonal};
  return diagonal > 0.0 ? power / (kPi * diagonal * diagonal) : power;
}

/// The colour that is shown as white in a picture with this white balance: linear, with luminance
/// 1. For Kind::from_lights it lies between neutral white and the colour of all light on a card
/// that faces the sun. For lamps the weight of this colour is nine tenths, because eyes adapt to
/// lamps; for sun and sky it is three tenths, so that an evening looks warm. The result depends
/// only on the scene, not on the camera.
dvec3 white_for(const WhiteBalance& balance, const PreparedScene& scene,
                const FrameSettings& frame) {
  if (balance.kind == WhiteBalance::Kind::none) return dvec3(1.0);
  if (balance.kind == WhiteBalance::Kind::kelvin) return color_of_kelvin(balance.kelvin);
  const SceneView view = without_daylight(scene.view, frame.no_sun, frame.no_sky);
  const dvec3 day = daylight_on_card(view.sun, view.sky), lamps = lamplight_around(scene);
  const double of_day = luminance_of(day), of_lamps = luminance_of(lamps);
  if (!(of_day + of_lamps > 0.0)) return dvec3(1.0);
  const double share = (kShareOfDaylight * of_day + kShareOfLamps * of_lamps) / (of_day + of_lamps);
  return toward_light(day + lamps, share);
}

}  // namespace

std::optional<Background> background_in(std::string_view text, Encoding encoding) {
  using Kind = Background::Kind;
  if (text == "sky") return Background{};
  if (text == "transparent") return Background{Kind::transparent, {}, vec3(0.0f)};
  u32 code = 0;
  const char* const end = text.data() + text.size();
  if (text.size() != 7 || text[0] != '#' ||
      std::from_chars(text.data() + 1, end, code, 16).ptr != end)
    return {};
  const auto channel = [&](u32 shift) { return static_cast<u8>(code >> shift & 255u); };
  const auto value = [&](u8 of) {
    return encoding == Encoding::plain ? static_cast<float>(of) / 255.0f
                                       : srgb_to_linear_table()[of];
  };
  const Rgb8 color{channel(16), channel(8), channel(0)};
  return Background{Kind::color, color, {value(color.r), value(color.g), value(color.b)}};
}

ResolvedPicture resolved_without_camera(const SceneData& scene, const RenderSettings& settings,
                                        const BackendInfo& backend) {
  ResolvedPicture picture;
  RenderSettings& out = picture.settings;
  out = settings;
  if (out.shading.empty()) out.shading = shading_wished_by(scene).name;
  const ShadingInfo& shading = shading_called(out.shading);
  if (out.samples == 0) out.samples = shading.samples;
  if (u64{out.width} * out.height > kMostSmoothPixels) out.smooth = Smoothing::off;
  if (!out.exposure) out.exposure = scene.exposure;
  if (out.white_balance.empty()) out.white_balance = scene.white_balance.value_or("auto");
  if (out.light.empty()) out.light = scene.light.value_or(std::string(kSceneLight));
  require_sensible(out, out.samples);
  picture.choice = CastChoice(settings.cast, backend.auto_loop());
  out.cast = picture.choice.options();

  FrameSettings& frame = picture.frame;
  frame.shading = &shading;
  frame.width = out.width;
  frame.height = out.height;
  frame.samples = out.samples;
  frame.bounces = out.bounces;
  frame.smooth = out.smooth;
  frame.keep_fireflies = out.keep_fireflies;
  const std::optional<Background> background = background_in(out.background, shading.encoding);
  if (!background)
    throw UsageError("background must be " + std::string(kBackgrounds) + ", not '" +
                     out.background + "'");
  frame.background = *background;
  frame.filter.rays.sides = out.sides;
  frame.camera_light = out.light == kCameraLight ? 1.0f : 0.0f;
  frame.keep_hits = out.keep_hits;
  frame.keep_film = out.keep_linear;
  frame.all_settings = texts_of(picture_settings(), out);
  return picture;
}

void set_camera(ResolvedPicture& picture, Framing& framing) {
  RenderSettings& settings = picture.settings;
  const Camera camera = camera_for(framing, settings.camera, settings.width, settings.height);
  const dvec3 origin = framing.scene().scene->origin;
  picture.frame.camera = make_view(camera, origin, settings.width, settings.height);
  settings.camera = camera;
}

void set_range(ResolvedPicture& picture, const PreparedScene& scene) {
  if (!picture.frame.shading->range()) return;
  const RenderSettings& settings = picture.settings;
  picture.frame.range = range_seen(scene, complete(settings.camera), settings.width,
                                   settings.height, picture.frame.filter);
}

void set_white_balance(ResolvedPicture& picture, const PreparedScene& scene) {
  if (picture.frame.shading->encoding != Encoding::light) return;
  const dvec3 white =
      white_for(*white_balance_in(picture.settings.white_balance), scene, picture.frame);
  picture.frame.white = vec3(white);
  picture.frame.white_balance = balance_for(white);
}

Camera camera_for(Framing& framing, const CameraSettings& settings, u32 width, u32 height) {
  const DefaultFloats floats;
  const bool is_flat =
      settings.projection.value_or(Projection::perspective) == Projection::perspective;
  const auto framing_fov = is_flat ? settings.fov : std::nullopt;
  const SceneData& scene = *framing.scene().scene;
  if (framing_fov && !scene.camera) require_fov(*framing_fov);
  Camera camera;
  if (scene.camera)
    camera = *scene.camera;
  else if (settings.eye && settings.look_at)  // in this case the scene need not be framed
    camera = default_camera(scene);
  else
    camera =
        framing.camera(double(width) / height * settings.pixel_aspect.value_or(1.0), framing_fov);
  override_with(camera, settings);
  if (!settings.up) camera.up = up_for(dvec3(camera.look_at) - dvec3(camera.eye), camera.up);
  require_fov(camera.fov, camera.projection);
  if (camera.focus > 0.0 && !(camera.lens > 0.0))
    throw UsageError(
        "camera: a focus needs a lens (--lens), because a pinhole is sharp everywhere");
  return camera;
}

Camera camera_for(const PreparedScene& scene, const CameraSettings& settings, u32 width,
                  u32 height) {
  Framing framing(scene);
  return camera_for(framing, settings, width, height);
}

ChosenExposure choose_exposure(const DrawnFrame& frame, const ColorMatrix& white_balance) {
  const std::size_t samples = frame.film.empty() ? 1 : frame.hits.size() / frame.film.size();
  std::vector<float> luminances;
  std::size_t surfaces = 0;
  for (std::size_t pixel = 0; pixel < frame.film.size(); ++pixel) {
    const auto first = frame.hits.begin() + static_cast<std::ptrdiff_t>(pixel * samples);
    if (!std::any_of(first, first + static_cast<std::ptrdiff_t>(samples),
                     [](const Hit& hit) { return hit.found(); }))
      continue;
    ++surfaces;
    const float luminance = luminance_of(white_balance.of(frame.film[pixel]));
    if (luminance > 0.0f) luminances.push_back(luminance);
  }
  ChosenExposure chosen;
  if (luminances.empty()) {
    chosen.unlit = surfaces == 0 ? 0.0f : 1.0f;
    return chosen;
  }
  chosen.unlit = 1.0f - static_cast<float>(luminances.size()) / static_cast<float>(surfaces);
  chosen.exposure =
      clamp_to(exposure_for(std::move(luminances)), kLeastChosenExposure, kMostChosenExposure);
  return chosen;
}

const ShadingInfo& shading_called(std::string_view name) {
  return *row_called(Shadings{}, "shading", name);
}

Smoothing smoothing_called(std::string_view name) {
  require_known("smooth", {std::string(name)}, {kSmoothings.begin(), kSmoothings.end()});
  return static_cast<Smoothing>(std::find(kSmoothings.begin(), kSmoothings.end(), name) -
                                kSmoothings.begin());
}

Sides sides_called(std::string_view name) {
  require_known("sides", {std::string(name)}, {kSides.begin(), kSides.end()});
  return static_cast<Sides>(std::find(kSides.begin(), kSides.end(), name) - kSides.begin());
}

std::vector<ShadingInfo> shadings() { return rows_of(Shadings{}); }

}  // namespace ballotcast::detail

namespace ballotcast {

using detail::choices_of;

std::vector<Device> devices() {
  std::vector<Device> out;
  for (const detail::BackendInfo& row : detail::backends())
    out.push_back({std::string(row.name), std::string(row.summary), row.unusable()});
  return out;
}

std::vector<Effort> efforts() {
  std::vector<Effort> out;
  for (const detail::EffortInfo& row : detail::efforts())
    out.push_back({std::string(row.name), std::string(row.on_host), std::string(row.on_machines)});
  return out;
}

std::vector<Choice> shadings() { return choices_of(detail::shadings()); }
std::vector<Choice> pipelines() { return choices_of(detail::pipelines()); }
std::vector<Choice> strategies() { return choices_of(detail::strategies()); }
std::vector<Choice> builders() { return choices_of(detail::builders()); }
std::vector<Choice> layouts() { return choices_of(detail::layouts()); }

}  // namespace ballotcast
