#include "view/request.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "ballotcast/error.hpp"
#include "render/setting_tables.hpp"
#include "scene/motion/frames.hpp"
#include "scene/scene_data.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kLongestValue = 1000;  // longest value of a parameter, in bytes

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] == '%') {
      unsigned code = 0;
      const char* const digits = text.data() + i + 1;
      if (text.size() - i < 3 || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2)
        throw UsageError("an address has % without two hexadecimal digits");
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

[[noreturn]] void refuse(const std::string& name, const std::string& form, std::string_view text) {
  throw UsageError("parameter " + name + " needs " + form + ", not " + quoted_name(text));
}

constexpr double kMostLens = 1e12;
constexpr std::size_t kLongestPageName = 40;

Sending sending_in(const UrlQuery& query) {
  Sending sending;
  if (const std::string format = query.text("format"); format == "jpeg")
    sending.jpeg = true;
  else if (!format.empty() && format != "png")
    throw UsageError("parameter format is png or jpeg, not " + quoted_name(format));
  if (const auto quality = query.count("quality", 1, 100)) sending.quality = *quality;
  return sending;
}

/// True if a page may choose the setting. Only the user who started the program may choose memory,
/// threads and other settings of the machine.
bool is_for_pages(const CastSetting& row) {
  return row.part != CastPart::machine || row.key == "device";
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

Address parsed_address(std::string_view target) {
  const std::size_t mark = target.find('?');
  Address address{decoded(target.substr(0, mark)), {}};
  if (mark == target.npos) return address;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const std::string name = decoded(pair.substr(0, equals));
    const std::string value = equals == pair.npos ? "" : decoded(pair.substr(equals + 1));
    if (!address.values.emplace(name, value).second)
      throw UsageError("parameter " + quoted_name(name) + " is given twice");
    if (value.size() > kLongestValue)
      throw UsageError("parameter " + quoted_name(name) + " is longer than " +
                       std::to_string(kLongestValue) + " bytes");
  }
  return address;
}

void UrlQuery::require_only(const std::vector<std::string_view>& known) const {
  for (const auto& [name, value] : values_)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("unknown parameter " + quoted_name(name));
}

std::string UrlQuery::text(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? "" : found->second;
}

std::optional<double> UrlQuery::number(const std::string& name, double low, double high) const {
  if (!has(name)) return {};
  const auto value = finite_number(text(name));
  if (!value || *value < low || *value > high) {
    char range[80];
    std::snprintf(range, sizeof range, "a number from %g to %g", low, high);
    refuse(name, range, text(name));
  }
  return *value + 0.0;  // turns -0 into 0
}

std::optional<u32> UrlQuery::count(const std::string& name, u32 low, u32 high) const {
  if (!has(name)) return {};
  const auto value = parsed<u32>(text(name));
  if (!value || *value < low || *value > high)
    refuse(name, "an integer from " + std::to_string(low) + " to " + std::to_string(high),
           text(name));
  return value;
}

std::optional<Vec3d> UrlQuery::vector(const std::string& name) const {
  if (!has(name)) return {};
  const auto three = three_numbers(text(name));
  if (!three || std::any_of(three->begin(), three->end(),
                            [](double n) { return std::abs(n) > kLargestComponent; }))
    refuse(name, "three numbers x,y,z of at most 1e30", text(name));
  return Vec3d{(*three)[0], (*three)[1], (*three)[2]};
}

std::optional<std::pair<u32, u32>> UrlQuery::pair(const std::string& name, char between, u32 low,
                                                  u32 high) const {
  if (!has(name)) return {};
  const std::string all = text(name);
  const std::size_t middle = all.find(between);
  const auto first = parsed<u32>(std::string_view(all).substr(0, middle));
  const auto second =
      middle == all.npos ? std::nullopt : parsed<u32>(std::string_view(all).substr(middle + 1));
  if (!first || !second || std::min(*first, *second) < low || std::max(*first, *second) > high)
    refuse(name,
           std::string("two integers like 640") + between + "360, from " + std::to_string(low) +
               " to " + std::to_string(high),
           all);
  return std::pair{*first, *second};
}

CameraSettings camera_in(const UrlQuery& query) {
  CameraSettings camera;
  camera.eye = query.vector("eye");
  camera.look_at = query.vector("look-at");
  camera.up = query.vector("up");
  camera.fov = query.number("fov", kLeastFov, kMostFisheyeFov);
  camera.lens = query.number("lens", 0.0, kMostLens);
  camera.focus = query.number("focus", 0.0, kMostLens);
  camera.ortho_height = query.number("ortho", 0.0, kMostLens);
  return camera;
}

PictureRequest request_in(const UrlQuery& query) {
  std::vector<std::string_view> known = {"token", "eye",    "look-at", "up",    "fov",    "lens",
                                         "focus", "ortho",  "size",    "frame", "format", "quality",
                                         "page",  "number", "moving",  "pixel", "level",  "name"};
  for (const CastSetting& row : cast_settings())
    if (is_for_pages(row)) known.push_back(row.name);
  for (const PictureSetting& row : picture_settings()) known.push_back(row.name);
  query.require_only(known);
  PictureRequest request;
  RenderSettings& settings = request.settings;
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
  CastSettings casting;
  for (const CastSetting& row : cast_settings())
    if (is_for_pages(row))
      query.with(std::string(row.name), [&](const std::string& text) {
        if (text.empty()) return;
        row.set(casting, "parameter " + std::string(row.name), text);
        if (row.part != CastPart::kernels) request.machine_and_tree.emplace(row.key, text);
      });
  settings.cast = casting.cast;
  require_moderate(settings);

  request.frame = query.count("frame", 0, kLastFrame).value_or(0);
  request.sending = sending_in(query);
  request.page = query.text("page").substr(0, kLongestPageName);
  request.number = query.count("number", 0, ~0u).value_or(0);
  request.urgent = query.has("moving");
  return request;
}

}  // namespace ballotcast::detail
