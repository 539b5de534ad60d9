#include "render/picture_settings.hpp"

#include "image/color.hpp"
#include "kernels/frame_settings.hpp"
#include "render/settings.hpp"
#include "scene/light.hpp"
#include "scene/scene.hpp"
#include "support/error.hpp"
#include "support/json.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

[[noreturn]] void refuse(const std::string& who, const std::string& needed,
                         const std::string& text) {
  throw UsageError(who + " needs " + needed + ", not '" + text + "'");
}

u32 count_in(const std::string& who, const std::string& text, u32 low, u32 high) {
  const std::optional<u32> value = parsed<u32>(text);
  if (!value || *value < low || *value > high)
    refuse(who, "an integer from " + std::to_string(low) + " to " + std::to_string(high), text);
  return *value;
}

const std::vector<std::string_view> kSmooths(kSmoothings.begin(), kSmoothings.end());

std::vector<PictureSetting> table() {
  const std::vector<ShadingInfo> shades = shadings();
  const std::vector<std::string_view> shade_names = names_of(shades);
  std::string samples;
  for (const ShadingInfo& row : shades)
    samples +=
        (samples.empty() ? "" : ", ") + std::string(row.name) + " " + std::to_string(row.samples);
  return {
      {"shade", "shading", "NAME", "the scene file's, else " + std::string(shades.front().name),
       "what to show: " + joined(shade_names), false, true, SettingType::name,
       [shade_names](RenderSettings& s, const std::string&, const std::string& text) {
         require_known("shading", {text}, shade_names);
         s.shading = text;
       },
       [](const RenderSettings& s) { return s.shading; }},
      {"spp", "samples", "N", samples, "samples per pixel", false, false, SettingType::count,
       [](RenderSettings& s, const std::string& who, const std::string& text) {
         s.samples = count_in(who, text, 1, kMostSamples);
       },
       [](const RenderSettings& s) { return std::to_string(s.samples); }},
      {"bounces", "bounces", "N", std::to_string(RenderSettings().bounces),
       "how often light bounces in shading lit", true, false, SettingType::count,
       [](RenderSettings& s, const std::string& who, const std::string& text) {
         s.bounces = count_in(who, text, 0, kMostBounces);
       },
       [](const RenderSettings& s) { return std::to_string(s.bounces); }},
      {"smooth", "smooth", "on|fast|off", name_of(RenderSettings().smooth),
       "smooth noisy light in shading lit; fades out with more samples; up to 2^25 pixels", true,
       false, SettingType::name,
       [](RenderSettings& s, const std::string&, const std::string& text) {
         require_known("smooth", {text}, kSmooths);
         s.smooth = smoothing_called(text);
       },
       [](const RenderSettings& s) { return name_of(s.smooth); }},
      {"fireflies", "fireflies", "drop|keep", "drop",
       "with --smooth: whether light far above all light around it is lowered; --json says how "
       "much light that loses",
       true, false, SettingType::name,
       [](RenderSettings& s, const std::string&, const std::string& text) {
         require_known("fireflies", {text}, {"drop", "keep"});
         s.keep_fireflies = text == "keep";
       },
       [](const RenderSettings& s) { return std::string(s.keep_fireflies ? "keep" : "drop"); }},
      {"exposure", "exposure", "E", "fits the picture", "multiplies all light in shading lit", true,
       true, SettingType::amount,
       [](RenderSettings& s, const std::string& who, const std::string& text) {
         const std::optional<double> value = finite_number(text);
         if (!value || *value < 0.0 || *value > kMostLight)
           refuse(who, "a number from 0 to " + std::to_string(kMostLight), text);
         s.exposure = static_cast<float>(*value + 0.0);  // 0 for -0
       },
       [](const RenderSettings& s) { return s.exposure ? shortest(*s.exposure) : std::string(); }},
      {"white-balance", "white_balance", "WHITE", "the scene file's, else auto",
       "which light looks white in shading lit: auto (from the scene's lights, in part), none, or "
       "a colour temperature in kelvin, 1000 to 40000 (2700 is a light bulb, 6504 is white)",
       true, true, SettingType::name,
       [](RenderSettings& s, const std::string& who, const std::string& text) {
         if (!white_balance_in(text)) refuse(who, std::string(kWhiteBalances), text);
         s.white_balance = text;
       },
       [](const RenderSettings& s) { return s.white_balance; }},
      {"light", "light", "NAME", "the scene file's, else scene",
       "what shines in shading lit: scene (its lamps, sun and sky), or camera (in addition, a soft "
       "light at the camera, for rooms without any)",
       true, true, SettingType::name,
       [](RenderSettings& s, const std::string&, const std::string& text) {
         require_known("light", {text}, light_names());
         s.light = text;
       },
       [](const RenderSettings& s) { return s.light; }},
      {"background", "background", "WHAT", RenderSettings().background,
       "what is seen where there is no surface: sky, transparent (in .png and .exr), or a colour "
       "like #ffffff",
       false, false, SettingType::name,
       [](RenderSettings& s, const std::string& who, const std::string& text) {
         if (!background_in(text, Encoding::srgb)) refuse(who, std::string(kBackgrounds), text);
         s.background = text;
       },
       [](const RenderSettings& s) { return s.background; }},
  };
}

}  // namespace

const std::vector<PictureSetting>& picture_settings() {
  static const std::vector<PictureSetting> all = table();
  return all;
}

const PictureSetting& picture_setting(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const PictureSetting& row : picture_settings()) {
    if (row.key == key) return row;
    keys.push_back(row.key);
  }
  throw_unknown("setting", key, keys);
}

Json json_of(const PictureSetting& row, const RenderSettings& settings) {
  const std::string text = row.text(settings);
  if (text.empty()) return {};
  return row.type == SettingType::name ? Json(text) : Json::parse(text);
}

void set_from(const Section& in, const PictureSetting& row, RenderSettings& settings) {
  const std::string key(row.key);
  const Json& value = in.at(key.c_str());
  const bool fits =
      value.is_string() ? row.type == SettingType::name : value.is_number() || value.is_boolean();
  if (!fits)
    in.fail(key,
            (row.type == SettingType::name ? "must be a text, not " : "must be a number, not ") +
                Section::kind_of(value));
  const std::string text = value.is_string()    ? value.get<std::string>()
                           : value.is_boolean() ? value.get<bool>() ? "on" : "off"
                                                : value.dump();
  try {
    row.set(settings, "it", text);
  } catch (const UsageError& error) {
    in.fail(key, std::string("is wrong: ") + error.what());
  }
}

std::string text_of(const RenderSettings& settings) {
  std::string all;
  for (const PictureSetting& row : picture_settings())
    all += std::string(row.key) + " " + row.text(settings) + "\n";
  return all;
}

}  // namespace ballotcast::detail
