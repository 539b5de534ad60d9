#include "image/color.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "render/setting_tables.hpp"
#include "render/settings.hpp"
#include "scene/light/light.hpp"
#include "scene/scene_data.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

PictureSetting shading_row() {
  const std::vector<ShadingInfo> rows = shadings();
  return text_row(PictureSetting{{"shade", "shading", "NAME",
                                  "the scene file's, else " + std::string(rows[0].name),
                                  "what to show: " + joined(names_of(rows))},
                                 false,
                                 true},
                  &RenderSettings::shading, one_of("shading", names_of(rows)));
}

PictureSetting samples_row() {
  std::string presets;
  for (const ShadingInfo& row : shadings())
    presets +=
        (presets.empty() ? "" : ", ") + std::string(row.name) + " " + std::to_string(row.samples);
  return integer_row(PictureSetting{{"spp", "samples", "N", presets, "samples per pixel"}},
                     &RenderSettings::samples, 1, kMostSamples);
}

PictureSetting smooth_row() {
  PictureSetting row{
      {"smooth", "smooth", "on|fast|off", name_of(RenderSettings().smooth),
       "smooth noisy light in shading lit; fades out with more samples; up to 2^25 pixels"},
      true};
  row.set = [](RenderSettings& s, const std::string&, const std::string& text) {
    s.smooth = smoothing_called(text);
  };
  row.text = [](const RenderSettings& s) { return name_of(s.smooth); };
  return row;
}

PictureSetting fireflies_row() {
  PictureSetting row{{"fireflies", "fireflies", "drop|keep", "drop",
                      "with --smooth: whether light far above all light around it is lowered; "
                      "--json says how much light that loses"},
                     true};
  row.set = [](RenderSettings& s, const std::string&, const std::string& text) {
    require_known("fireflies", {text}, {"drop", "keep"});
    s.keep_fireflies = text == "keep";
  };
  row.text = [](const RenderSettings& s) { return s.keep_fireflies ? "keep" : "drop"; };
  return row;
}

PictureSetting sides_row() {
  PictureSetting row{
      {"sides", "sides", "both|front|back", name_of(RenderSettings().sides),
       "which sides of surfaces rays hit, those of light and bounces, too; the front "
       "is where corners run counter-clockwise"}};
  row.set = [](RenderSettings& s, const std::string&, const std::string& text) {
    s.sides = sides_called(text);
  };
  row.text = [](const RenderSettings& s) { return name_of(s.sides); };
  return row;
}

PictureSetting exposure_row() {
  PictureSetting row{{"exposure", "exposure", "E", "fits the picture",
                      "multiplies all light in shading lit", SettingType::amount},
                     true,
                     true};
  row.set = [](RenderSettings& s, const std::string& shown_name, const std::string& text) {
    const std::optional<double> value = finite_number(text);
    if (!value || *value < 0.0 || *value > kMostLight)
      refuse_setting(shown_name, "a number from 0 to " + std::to_string(kMostLight), text);
    s.exposure = static_cast<float>(*value + 0.0);  // turns -0 into 0
  };
  row.text = [](const RenderSettings& s) { return s.exposure ? shortest(*s.exposure) : ""; };
  return row;
}

std::vector<PictureSetting> table() {
  return {
      shading_row(),
      samples_row(),
      integer_row(
          PictureSetting{{"bounces", "bounces", "N", std::to_string(RenderSettings().bounces),
                          "how often light bounces in shading lit"},
                         true},
          &RenderSettings::bounces, 0, kMostBounces),
      smooth_row(),
      fireflies_row(),
      exposure_row(),
      text_row(
          PictureSetting{
              {"white-balance", "white_balance", "WHITE", "the scene file's, else auto",
               "which light looks white in shading lit: auto (from the scene's lights, in part), "
               "none, or a colour temperature in kelvin, 1000 to 40000 (2700 is a light bulb, 6504 "
               "is white)"},
              true,
              true},
          &RenderSettings::white_balance,
          [](const std::string& shown_name, const std::string& text) {
            if (!white_balance_in(text))
              refuse_setting(shown_name, std::string(kWhiteBalances), text);
          }),
      text_row(
          PictureSetting{
              {"light", "light", "NAME", "the scene file's, else scene",
               "what shines in shading lit: scene (its lamps, and outside of rooms with lamps sun "
               "and sky), camera (in addition, a soft light at the camera), lamps (as in a room), "
               "or daylight (as outside)"},
              true,
              true},
          &RenderSettings::light, one_of("light", light_names())),
      text_row(
          PictureSetting{
              {"background", "background", "WHAT", RenderSettings().background,
               "what is seen where there is no surface: sky, transparent (in .png and .exr), or a "
               "colour like #ffffff"}},
          &RenderSettings::background,
          [](const std::string& shown_name, const std::string& text) {
            if (!background_in(text, Encoding::srgb))
              refuse_setting(shown_name, std::string(kBackgrounds), text);
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
  return row_with_key(picture_settings(), key);
}

}  // namespace ballotcast::detail
