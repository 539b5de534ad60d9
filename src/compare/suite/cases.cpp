#include "compare/suite/cases.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "backends/device/cast_choice.hpp"
#include "ballotcast/error.hpp"
#include "bvh/builders/builder.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "render/setting_tables.hpp"
#include "render/settings.hpp"
#include "scene/json/json_section.hpp"
#include "scene/json/scene_file.hpp"
#include "support/hash.hpp"
#include "support/json.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

Setup::Setup(const std::string& device) {
  renderer.device = device;
  renderer.builder = kSteadyBuilder;
  renderer.layout = "grid2";
}

const std::vector<CastSetting>& setup_axes() {
  static const std::vector<CastSetting> axes = [] {
    std::vector<CastSetting> rows = cast_settings();
    std::erase_if(rows, [](const CastSetting& row) { return !row.is_axis; });
    return rows;
  }();
  return axes;
}

std::string Setup::counter_key() const {
  Setup resolved = *this;
  resolved.cast = CastChoice(cast).options();
  std::string key;
  for (const CastSetting& axis : setup_axes())
    if (axis.part != CastPart::machine) key += (key.empty() ? "" : " ") + axis.text(resolved);
  return key;
}

std::string Setup::in_words() const {
  if (!has_device()) return "command";
  std::string words;
  for (const CastSetting& axis : setup_axes())
    words += (words.empty() ? "" : ", ") +
             (axis.type != SettingType::name ? axis.words() + " " : "") + axis.text(*this);
  return words;
}

std::vector<Setup> setups_of(const CaseAxes& axes) {
  std::vector<Setup> setups{Setup("cpu")};
  for (const CastSetting& axis : setup_axes()) {
    const auto values = axes.find(axis.key);
    if (values == axes.end()) continue;
    std::vector<Setup> more;
    for (const Setup& setup : setups)
      for (const std::string& value : values->second)
        axis.set(more.emplace_back(setup), "it", value);
    setups = std::move(more);
  }
  std::erase_if(setups, [](const Setup& s) { return !takes(s.cast.pipeline, s.cast.atomics); });
  return setups;
}

namespace {

/// The names in a list of a suite, with "all" replaced by the names of all rows.
std::vector<std::string> names_at(const Section& in, const std::string& key,
                                  const CastSetting& axis) {
  std::vector<std::string_view> known = axis.all;
  // If the default of the setting is "auto", suites may have "auto", too.
  if (axis.text(Setup()) == "auto") known.insert(known.begin(), "auto");
  std::vector<std::string> names;
  for (const std::string& wanted : in.texts(key.c_str())) {
    if (wanted == kAllNames)
      names.insert(names.end(), axis.all.begin(), axis.all.end());
    else if (std::find(known.begin(), known.end(), wanted) == known.end())
      in.fail(key, "has an unknown name '" + wanted + "'; known: all, " + joined(known));
    else
      names.push_back(wanted);
  }
  return names;
}

bool is_less(const std::string& a, const std::string& b, SettingType type) {
  return type == SettingType::name ? a < b : finite_number(a) < finite_number(b);
}

}  // namespace

std::vector<std::string> axis_values(const Section& in, const CastSetting& axis) {
  const std::string key(axis.key);
  std::vector<std::string> values =
      axis.type == SettingType::name ? names_at(in, key, axis) : in.settings(key, axis.type);
  CastSettings checked;
  for (const std::string& value : values) set_at(in, axis, value, checked);
  std::ranges::sort(values, [&](const auto& a, const auto& b) { return is_less(a, b, axis.type); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

CaseAxes axes_at(const Json& on, const std::string& file, const std::string& name) {
  std::vector<const char*> keys;
  for (const CastSetting& axis : setup_axes()) keys.push_back(axis.key.data());
  const Section in(on, file, name, keys);
  CaseAxes axes;
  for (const CastSetting& axis : setup_axes())
    if (in.has(axis.key.data())) axes[std::string(axis.key)] = axis_values(in, axis);
  if (setups_of(axes).empty()) in.fail("has no pipeline that can use any of its atomics");
  return axes;
}

namespace {

namespace fs = std::filesystem;

Tolerance read_tolerance(const Json& json, const std::string& file, const std::string& name) {
  Tolerance tolerance;
  if (!json.is_object()) throw InputError(file + ": \"" + name + "\" must be an object");
  for (const auto& [key, value] : json.items()) {
    if (key == "why") {
      if (value.is_string()) tolerance.why = value.get<std::string>();
      continue;
    }
    if (!is_measure(key))
      throw InputError(file + ": \"" + name + "\" has no key \"" + key + "\"; its keys are why, " +
                       measure_names());
    if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number() ||
        !(value[0].get<double>() <= value[1].get<double>()))
      throw InputError(file + ": \"" + name + "." + key +
                       "\" must be a range like [1, 2], with both ends included");
    tolerance.ranges.push_back({key, value[0].get<double>(), value[1].get<double>()});
  }
  if (tolerance.ranges.empty())
    throw InputError(file + ": \"" + name + "\" needs a range, like \"max_error\": [1, 2]");
  if (tolerance.why.find_first_not_of(" \t\n") == tolerance.why.npos)
    throw InputError(file + ": \"" + name +
                     "\" needs the key \"why\", which gives the reason for the tolerance");
  return tolerance;
}

/// The rectangles [x, y, width, height] of the key "ignore".
std::vector<Rectangle> read_ignored(const Section& in) {
  const Json& list = in.at("ignore");
  const auto is_rectangle = [](const Json& element) {
    return element.is_array() && element.size() == 4 &&
           std::ranges::all_of(element, [](const Json& n) {
             return n.is_number_unsigned() && n.get<u64>() <= std::numeric_limits<u32>::max();
           });
  };
  if (!list.is_array() || list.empty() || !std::ranges::all_of(list, is_rectangle))
    in.fail("ignore", "must be a list of rectangles like [[x, y, width, height]]");
  std::vector<Rectangle> all;
  for (const Json& one : list)
    all.push_back({one[0].get<u32>(), one[1].get<u32>(), one[2].get<u32>(), one[3].get<u32>()});
  return all;
}

void require_name(const Section& in, const std::string& name, const char* key = "name") {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
  if (!plain || name.front() == '.')
    in.fail(key, "'" + name + "' names a case: only letters, digits, '-', '_' and '.' are allowed");
}

/// The keys of a case that determine which picture is drawn, and by what.
std::vector<const char*> picture_keys() {
  std::vector<const char*> keys = {"scene", "camera", "cameras", "size"};
  for (const PictureSetting& row : picture_settings()) keys.push_back(row.key.data());
  keys.push_back("on");
  return keys;
}

/// The hash of those settings of a case that determine its picture. Name, axes, timeout and
/// tolerance do not.
std::string settings_of(const SuiteCase& c) {
  Json json;
  if (c.is_command()) {
    json["command"] = c.command;
  } else {
    json["scene"] = c.scene;
    if (c.picture.camera.eye) {
      // If a suite gives the eye of a camera, the other members are given, too, or have defaults.
      const Camera camera = complete(c.picture.camera);
      json["camera"] = {json_of(camera.eye), json_of(camera.look_at), json_of(camera.up),
                        camera.fov};
      for (const double more : {camera.lens, camera.focus, camera.ortho_height})
        if (camera.lens > 0.0 || camera.ortho_height > 0.0) json["camera"].push_back(more);
      if (camera.pixel_aspect != 1.0 || camera.shift_x != 0.0 || camera.shift_y != 0.0)
        json["pixels"] = {camera.pixel_aspect, camera.shift_x, camera.shift_y};
      if (camera.projection != Projection::perspective || camera.distortion != Distortion{})
        json["projection"] = {name_of(camera.projection), camera.distortion};
    }
    // Approvals store the hash of this text. So these keys must always be present, even for
    // settings that have their default.
    json["shading"] = c.picture.shading;
    json["size"] = {c.picture.width, c.picture.height};
    json["samples"] = c.picture.samples;
    json["bounces"] = c.picture.bounces;
    json["smooth"] = c.picture.smooth == Smoothing::fast ? Json(name_of(c.picture.smooth))
                                                         : Json(c.picture.smooth == Smoothing::on);
    for (const PictureSetting& row : picture_settings()) {
      if (json.contains(row.key) || row.text(c.picture) == row.text(RenderSettings())) continue;
      const Json value = json_of(row, c.picture);
      json[std::string(row.key)] =
          row.type == SettingType::amount ? Json(value.get<float>()) : value;
    }
  }
  return fingerprint(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Returns `base` with the keys of a case that runs a command.
SuiteCase command_case(const Section& in, SuiteCase base) {
  for (const char* key : picture_keys())
    if (in.has(key)) in.fail(key, "is not for cases with a command");
  if (!in.at("command").is_array())
    in.fail("command",
            "must be a list of strings, e.g. [\"other-renderer\", \"room.xml\", "
            "\"-o\", \"{output}\"], not " +
                Section::kind_of(in.at("command")));
  base.command = in.texts("command");
  if (in.has("timeout_s")) base.timeout_s = in.count("timeout_s", 1, 86400);
  base.settings_hash = settings_of(base);
  return base;
}

/// Reads the keys that all pictures of an entry have in common. Scenes, shadings and cameras are
/// read elsewhere, because an entry may have several.
void read_picture_keys(const Section& in, const std::string& file, SuiteCase& base) {
  if (in.has("timeout_s")) in.fail("timeout_s", "is only for cases with a command");
  if (in.has("size")) {
    const std::vector<u32> size = in.counts("size", 1, kLargestSide);
    if (size.size() != 2) in.fail("size", "must be a width and a height like [320, 180]");
    base.picture.width = size[0];
    base.picture.height = size[1];
  }
  for (const PictureSetting& row : picture_settings())
    if (in.has(row.key.data()) && row.key != "shading") set_from(in, row, base.picture);
  if (!in.has("on")) return;
  base.on = axes_at(in.at("on"), file, in.path_of("on"));
}

std::vector<std::string> shadings_in(const Section& in) {
  if (!in.has("shading")) return {""};
  std::vector<std::string> names = in.texts("shading");
  if (std::find(names.begin(), names.end(), kAllNames) != names.end()) {
    names.clear();
    for (const ShadingInfo& row : shadings()) names.emplace_back(row.name);
  }
  try {
    for (const std::string& name : names) shading_called(name);
  } catch (const UsageError& error) {
    in.fail("shading", error.what());
  }
  return names;
}

/// The names and settings of the cameras of an entry. If the entry has no key "cameras", one camera
/// without a name.
std::vector<std::pair<std::string, CameraSettings>> cameras_in(const Section& in,
                                                               const std::string& file) {
  const auto camera_at = [&](const Json& at, const std::string& path) {
    return read_camera(Section(at, file, path, kCameraKeys), dvec3(0, 1, 0));
  };
  CameraSettings camera;
  if (in.has("camera")) camera = camera_at(in.at("camera"), in.path_of("camera"));
  if (!in.has("cameras")) return {{"", camera}};
  if (in.has("camera")) in.fail("cameras", "and \"camera\" can't be combined");
  const Json& several = in.at("cameras");
  if (!several.is_object() || several.empty())
    in.fail("cameras", "must be an object of cameras by name, not " + Section::kind_of(several));
  std::vector<std::pair<std::string, CameraSettings>> cameras;
  for (const auto& [key, value] : several.items()) {
    require_name(in, key);
    cameras.emplace_back(key, camera_at(value, in.path_of("cameras." + key)));
  }
  return cameras;
}

}  // namespace

std::vector<SuiteCase> cases_of(const Json& json, const std::string& file,
                                const std::string& name) {
  std::vector<const char*> keys = picture_keys();
  keys.insert(keys.begin(), "name");
  for (const char* key : {"command", "timeout_s", "tolerance", "ignore", "ignore_where"})
    keys.push_back(key);
  const Section in(json, file, name, keys);
  SuiteCase base;
  base.name = in.text("name");
  require_name(in, base.name);
  if (in.has("tolerance"))
    base.tolerance = read_tolerance(in.at("tolerance"), file, in.path_of("tolerance"));
  if (in.has("ignore")) base.ignore = read_ignored(in);
  if (in.has("ignore_where")) base.ignore_where = in.text("ignore_where");
  if (in.has("command")) return {command_case(in, std::move(base))};

  read_picture_keys(in, file, base);
  const std::vector<std::string> scenes =
      in.has("scene") ? in.texts("scene") : std::vector<std::string>{""};
  const std::vector<std::string> shades = shadings_in(in);
  const auto cameras = cameras_in(in, file);
  std::vector<SuiteCase> cases;
  for (const std::string& scene : scenes)
    for (const auto& [camera_name, camera] : cameras)
      for (const std::string& shade : shades) {
        SuiteCase c = base;
        c.scene = scene;
        c.picture.camera = camera;
        c.picture.shading = shade;
        if (scenes.size() > 1) {
          const std::string stem = fs::path(scene).stem().string();
          require_name(in, stem, "scene");
          c.name += "/" + stem;
        }
        if (in.has("cameras")) c.name += "/" + camera_name;
        if (shades.size() > 1) c.name += "/" + shade;
        c.settings_hash = settings_of(c);
        cases.push_back(std::move(c));
      }
  return cases;
}

}  // namespace ballotcast::detail
