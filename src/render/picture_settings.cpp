#include "render/picture_settings.hpp"

#include "image/color.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "render/settings.hpp"
#include "scene/light/light.hpp"
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

/// Throws UsageError unless a text is a value; `who` as for PictureSetting::set.
using Check = std::function<void(const std::string& who, const std::string& text)>;

Check one_of(std::string_view kind, std::vector<std::string_view> names) {
  return [kind, names = std::move(names)](const std::string&, const std::string& text) {
    require_known(kind, {text}, names);
  };
}

/// The row of a member that holds an integer.
PictureSetting integer_row(PictureSetting row, u32 RenderSettings::*value, u32 low, u32 high) {
  row.type = SettingType::count;
  row.set = [=](RenderSettings& s, const std::string& who, const std::string& text) {
    s.*value = count_in(who, text, low, high);
  };
  row.text = [=](const RenderSettings& s) { return std::to_string(s.*value); };
  return row;
}

/// The row of a member that holds a text.
PictureSetting text_row(PictureSetting row, std::string RenderSettings::*value, Check check) {
  row.set = [=](RenderSettings& s, const std::string& who, const std::string& text) {
    check(who, text);
    s.*value = text;
  };
  row.text = [=](const RenderSettings& s) { return s.*value; };
  return row;
}

PictureSetting shading_row() {
  const std::vector<ShadingInfo> rows = shadings();
  return text_row(
      {"shade", "shading", "NAME", "the scene file's, else " + std::string(rows[0].name),
       "what to show: " + joined(names_of(rows)), false, true},
      &RenderSettings::shading, one_of("shading", names_of(rows)));
}

PictureSetting samples_row() {
  std::string presets;
  for (const ShadingInfo& row : shadings())
    presets +=
        (presets.empty() ? "" : ", ") + std::string(row.name) + " " + std::to_string(row.samples);
  return integer_row({"spp", "samples", "N", presets, "samples per pixel", false, false},
                     &RenderSettings::samples, 1, kMostSamples);
}

PictureSetting smooth_row() {
  PictureSetting row{
      "smooth",
      "smooth",
      "on|fast|off",
      name_of(RenderSettings().smooth),
      "smooth noisy light in shading lit; fades out with more samples; up to 2^25 pixels",
      true,
      false};
  row.set = [](RenderSettings& s, const std::string&, const std::string& text) {
    require_known("smooth", {text}, {kSmoothings.begin(), kSmoothings.end()});
    s.smooth = smoothing_called(text);
  };
  row.text = [](const RenderSettings& s) { return name_of(s.smooth); };
  return row;
}

PictureSetting fireflies_row() {
  PictureSetting row{
      "fireflies",
      "fireflies",
      "drop|keep",
      "drop",
      "with --smooth: whether light far above all light around it is lowered; --json says how much "
      "light that loses",
      true,
      false};
  row.set = [](RenderSettings& s, const std::string&, const std::string& text) {
    require_known("fireflies", {text}, {"drop", "keep"});
    s.keep_fireflies = text == "keep";
  };
  row.text = [](const RenderSettings& s) { return s.keep_fireflies ? "keep" : "drop"; };
  return row;
}

PictureSetting sides_row() {
  PictureSetting row{"sides",
                     "sides",
                     "both|front|back",
                     name_of(RenderSettings().sides),
                     "which sides of surfaces rays hit, those of light and bounces, too; the front "
                     "is where corners run counter-clockwise",
                     false,
                     false};
  row.set = [](RenderSettings& s, const std::string&, const std::string& text) {
    s.sides = sides_called(text);
  };
  row.text = [](const RenderSettings& s) { return name_of(s.sides); };
  return row;
}

PictureSetting exposure_row() {
  PictureSetting row{"exposure",
                     "exposure",
                     "E",
                     "fits the picture",
                     "multiplies all light in shading lit",
                     true,
                     true,
                     SettingType::amount};
  row.set = [](RenderSettings& s, const std::string& who, const std::string& text) {
    const std::optional<double> value = finite_number(text);
    if (!value || *value < 0.0 || *value > kMostLight)
      refuse(who, "a number from 0 to " + std::to_string(kMostLight), text);
    s.exposure = static_cast<float>(*value + 0.0);  // 0 for -0
  };
  row.text = [](const RenderSettings& s) { return s.exposure ? shortest(*s.exposure) : ""; };
  return row;
}

std::vector<PictureSetting> table() {
  return {
      shading_row(),
      samples_row(),
      integer_row({"bounces", "bounces", "N", std::to_string(RenderSettings().bounces),
                   "how often light bounces in shading lit", true, false},
                  &RenderSettings::bounces, 0, kMostBounces),
      smooth_row(),
      fireflies_row(),
      exposure_row(),
      text_row(
          {"white-balance", "white_balance", "WHITE", "the scene file's, else auto",
           "which light looks white in shading lit: auto (from the scene's lights, in part), "
           "none, or a colour temperature in kelvin, 1000 to 40000 (2700 is a light bulb, 6504 is "
           "white)",
           true, true},
          &RenderSettings::white_balance,
          [](const std::string& who, const std::string& text) {
            if (!white_balance_in(text)) refuse(who, std::string(kWhiteBalances), text);
          }),
      text_row(
          {"light", "light", "NAME", "the scene file's, else scene",
           "what shines in shading lit: scene (its lamps, and outside of rooms with lamps sun and "
           "sky), camera (in addition, a soft light at the camera), lamps (as in a room), or "
           "daylight (as outside)",
           true, true},
          &RenderSettings::light, one_of("light", light_names())),
      text_row({"background", "background", "WHAT", RenderSettings().background,
                "what is seen where there is no surface: sky, transparent (in .png and .exr), or a "
                "colour like #ffffff",
                false, false},
               &RenderSettings::background,
               [](const std::string& who, const std::string& text) {
                 if (!background_in(text, Encoding::srgb))
                   refuse(who, std::string(kBackgrounds), text);
               }),
      sides_row(),
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
