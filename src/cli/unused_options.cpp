#include "cli/unused_options.hpp"

#include <algorithm>

#include "kernels/shadings/shading_info.hpp"
#include "render/picture_settings.hpp"
#include "render/settings.hpp"

namespace ballotcast::detail {
namespace {

bool is_one_of(const std::string& name, const std::vector<std::string_view>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_unused(const std::string& name, const RenderSettings& settings, const SceneData& scene) {
  const bool is_light = std::ranges::any_of(picture_settings(),
                                            [&](const PictureSetting& row) {
                                              return row.of_light && name.substr(2) == row.name;
                                            }) ||
                        name.starts_with("--sun-") || name.starts_with("--sky");
  if (is_light && !shading_called(settings.shading).soft_light()) return true;
  if (name == "--fireflies") return settings.smooth == Smoothing::off;
  if (is_one_of(name, {"--sky-zenith", "--sky-horizon", "--sky-ground"}))
    return !scene.sky_map.pixels.empty();
  if (name == "--fov") return settings.camera.ortho_height.value_or(0.0) > 0.0;
  return false;
}

}  // namespace

std::vector<Option> noting(std::vector<Option> table, std::vector<std::string>& given) {
  for (Option& row : table)
    row.set = [set = row.set, &given](const std::string& name, const std::string& text) {
      set(name, text);
      if (!std::count(given.begin(), given.end(), name)) given.push_back(name);
    };
  return table;
}

std::string unused_options(const std::vector<std::string>& given, const RenderSettings& settings,
                           const SceneData& scene) {
  std::vector<std::string_view> unused;
  for (const std::string& name : given)
    if (is_unused(name, settings, scene)) unused.push_back(name);
  return joined(unused);
}

}  // namespace ballotcast::detail
