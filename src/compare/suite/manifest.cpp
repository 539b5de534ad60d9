#include "compare/suite/manifest.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "compare/suite/fingerprint.hpp"
#include "compare/suite/measure.hpp"
#include "kernels/frame_settings.hpp"
#include "render/renderer.hpp"
#include "scene/json_section.hpp"
#include "scene/scene_file.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "ballotcast suite";
constexpr const char* kAll = "all";

/// The file itself, where `path` is a link to it: goldens lie beside the file.
fs::path real_path(const std::string& path) {
  std::error_code failure;
  const fs::path real = fs::canonical(path, failure);
  return failure ? fs::path(path) : real;
}

/// `values`, sorted, each once.
template <class T>
std::vector<T> without_doubles(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The names that a list of a suite means; "all" is every row there is.
std::vector<std::string> rows_named(const Section& in, const char* key,
                                    const std::vector<std::string_view>& rows) {
  std::vector<std::string> names;
  for (const std::string& wanted : in.texts(key)) {
    if (wanted == kAll) {
      for (const std::string_view row : rows)
        if (row != "auto") names.emplace_back(row);
      continue;
    }
    if (std::find(rows.begin(), rows.end(), wanted) == rows.end()) {
      std::string list;
      for (const std::string_view row : rows) list += ", " + std::string(row);
      in.fail(key, "has no row '" + wanted + "'; there is: all" + list);
    }
    names.push_back(wanted);
  }
  return without_doubles(std::move(names));
}

CaseAxes read_axes(const Section& in) {
  CaseAxes axes;
  if (in.has("device")) axes.devices = rows_named(in, "device", names_of(backends(), "auto"));
  if (in.has("pipeline"))
    axes.pipelines = rows_named(in, "pipeline", names_of(pipelines(), "auto"));
  if (in.has("atomics")) axes.atomics = rows_named(in, "atomics", names_of(strategies(), "auto"));
  if (in.has("layout")) axes.layouts = rows_named(in, "layout", names_of(layouts()));
  if (in.has("block_size")) axes.block_sizes = without_doubles(in.counts("block_size", 32, 1024));
  for (const u32 size : axes.block_sizes)
    if (size % 32 != 0) in.fail("block_size", "must be a multiple of 32");
  for (const std::string& pipeline : axes.pipelines)
    for (const std::string& strategy : axes.atomics)
      if (takes(pipeline, strategy)) return axes;
  in.fail("has no pipeline that takes any of its atomics");
}

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
                       "\" must be a range like [1, 2], both ends allowed");
    tolerance.ranges.push_back({key, value[0].get<double>(), value[1].get<double>()});
  }
  if (tolerance.ranges.empty())
    throw InputError(file + ": \"" + name + "\" needs a range, like \"max_error\": [1, 2]");
  if (tolerance.why.find_first_not_of(" \t\n") == tolerance.why.npos)
    throw InputError(file + ": \"" + name + "\" needs the key \"why\": a tolerance has a reason");
  return tolerance;
}

void require_name(const Section& in, const std::string& name, const char* key = "name") {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
  if (!plain || name.front() == '.')
    in.fail(key, "'" + name + "' must be of letters, digits, '-', '_' and '.': it names a case");
}

/// What a case is, but for its name and what may vary without changing its picture.
std::string settings_of(const SuiteCase& c) {
  Json json;
  if (c.is_command()) {
    json["command"] = c.command;
  } else {
    json["scene"] = c.scene;
    if (c.camera)
      json["camera"] = {json_of(c.camera->eye), json_of(c.camera->look_at), json_of(c.camera->up),
                        c.camera->fov};
    json["shading"] = c.shading;
    json["size"] = {c.width, c.height};
    json["samples"] = c.samples;
    json["bounces"] = c.bounces;
    json["smooth"] = c.smooth;
    if (c.exposure) json["exposure"] = *c.exposure;
  }
  return fingerprint(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// The cases of one entry.
std::vector<SuiteCase> cases_of(const Json& json, const std::string& file,
                                const std::string& name) {
  const Section in(json, file, name,
                   {"name", "scene", "camera", "cameras", "shading", "size", "samples", "bounces",
                    "smooth", "exposure", "on", "command", "timeout_s", "tolerance"});
  SuiteCase base;
  base.name = in.text("name");
  require_name(in, base.name);
  if (in.has("tolerance"))
    base.tolerance = read_tolerance(in.at("tolerance"), file, in.path_of("tolerance"));
  if (in.has("command")) {
    for (const char* key : {"scene", "camera", "cameras", "shading", "size", "samples", "bounces",
                            "smooth", "exposure", "on"})
      if (in.has(key)) in.fail(key, "is not for cases with a command");
    base.command = in.texts("command");
    if (in.has("timeout_s")) base.timeout_s = in.count("timeout_s", 1, 86400);
    base.settings_hash = settings_of(base);
    return {base};
  }
  if (in.has("timeout_s")) in.fail("timeout_s", "is for cases with a command");
  if (in.has("size")) {
    const std::vector<u32> size = in.counts("size", 1, kLargestSide);
    if (size.size() != 2) in.fail("size", "must be a width and a height like [320, 180]");
    base.width = size[0];
    base.height = size[1];
  }
  if (in.has("samples")) base.samples = in.count("samples", 1, kMostSamples);
  if (in.has("bounces")) base.bounces = in.count("bounces", 0, kMostBounces);
  if (in.has("smooth")) base.smooth = in.flag("smooth");
  if (in.has("exposure")) base.exposure = in.amount("exposure");
  if (in.has("on"))
    base.on = read_axes(Section(in.at("on"), file, in.path_of("on"),
                                {"device", "pipeline", "atomics", "layout", "block_size"}));

  std::vector<std::string> scenes{""}, shades{""};
  if (in.has("scene")) scenes = in.texts("scene");
  if (in.has("shading")) {
    shades = in.texts("shading");
    if (std::find(shades.begin(), shades.end(), kAll) != shades.end()) {
      shades.clear();
      for (const ShadingInfo& row : shadings()) shades.emplace_back(row.name);
    }
    for (const std::string& shade : shades) {
      try {
        shading_called(shade);
      } catch (const UsageError& error) {
        in.fail("shading", error.what());
      }
    }
  }
  std::vector<std::pair<std::string, std::optional<Camera>>> cameras{{"", {}}};
  const auto camera_at = [&](const Json& at, const std::string& path) {
    return read_camera(Section(at, file, path, {"eye", "look_at", "up", "fov"}), dvec3(0, 1, 0));
  };
  if (in.has("camera")) cameras[0].second = camera_at(in.at("camera"), in.path_of("camera"));
  if (in.has("cameras")) {
    if (in.has("camera")) in.fail("cameras", "and \"camera\" are one too many");
    const Json& several = in.at("cameras");
    if (!several.is_object() || several.empty())
      in.fail("cameras", "must be cameras by name, not " + Section::kind_of(several));
    cameras.clear();
    for (const auto& [key, value] : several.items()) {
      require_name(in, key);
      cameras.emplace_back(key, camera_at(value, in.path_of("cameras." + key)));
    }
  }

  std::vector<SuiteCase> cases;
  for (const std::string& scene : scenes)
    for (const auto& [camera_name, camera] : cameras)
      for (const std::string& shade : shades) {
        SuiteCase c = base;
        c.scene = scene;
        c.camera = camera;
        c.shading = shade;
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

u64 whole(const Json& json) {
  if (!json.is_number_unsigned()) throw InputError(json.dump() + " is no whole number");
  return json.get<u64>();
}

std::string text_at(const Json& json, const char* key) { return json.value(key, std::string()); }

Approval approval_from(const Json& json) {
  Approval a;
  a.golden = json.at("golden").get<std::string>();
  const fs::path place = fs::path(a.golden).lexically_normal();
  if (place.is_absolute() || place.empty() || *place.begin() == ".." || place.extension() != ".png")
    throw InputError("golden '" + a.golden + "' is no PNG below the suite's folder");
  a.pixels = json.at("pixels").get<std::string>();
  a.hits = text_at(json, "hits");
  if (json.contains("rays")) a.rays = whole(json.at("rays"));
  a.settings = json.at("settings").get<std::string>();
  if (json.contains("files"))
    for (const auto& [file, hash] : json.at("files").items())
      a.files[file] = hash.get<std::string>();
  if (json.contains("counters"))
    for (const auto& [key, count] : json.at("counters").items())
      a.counters[key] = {whole(count.at(0)), whole(count.at(1))};
  return a;
}

Json json_of(const Approval& a) {
  Json json{{"golden", a.golden}, {"pixels", a.pixels}, {"settings", a.settings}};
  if (!a.hits.empty()) {
    json["hits"] = a.hits;
    json["rays"] = a.rays;
    json["files"] = Json::object();
    for (const auto& [file, hash] : a.files) json["files"][file] = hash;
    json["counters"] = Json::object();
    for (const auto& [key, count] : a.counters)
      json["counters"][key] = {count.passes, count.counter};
  }
  return json;
}

HistoryEntry history_from(const Json& json) {
  return {json.at("case").get<std::string>(), text_at(json, "date"),
          text_at(json, "version"),           text_at(json, "reason"),
          text_at(json, "old_pixels"),        text_at(json, "new_pixels"),
          text_at(json, "old_hits"),          text_at(json, "new_hits")};
}

Json json_of(const HistoryEntry& h) {
  Json json{{"case", h.name}, {"date", h.date}, {"version", h.version}, {"reason", h.reason}};
  if (!h.old_pixels.empty()) json["old_pixels"] = h.old_pixels;
  if (!h.new_pixels.empty()) json["new_pixels"] = h.new_pixels;
  if (!h.old_hits.empty()) json["old_hits"] = h.old_hits;
  if (!h.new_hits.empty()) json["new_hits"] = h.new_hits;
  return json;
}

/// JSON with what is short on one line: vectors and counts are read by people.
std::string laid_out(const Json& json, std::size_t indent) {
  const std::string flat = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const bool nested = std::any_of(json.begin(), json.end(), [](const Json& part) {
    return part.is_object() || (part.is_array() && part.size() > 4);
  });
  if (!json.is_structured() || json.empty() || (!nested && flat.size() + indent <= 90)) {
    std::string spaced;  // a blank after each comma and colon that is no part of a text
    bool text = false, escaped = false;
    for (const char c : flat) {
      spaced += c;
      if (c == '"' && !escaped) text = !text;
      escaped = c == '\\' && !escaped;
      if (!text && (c == ',' || c == ':')) spaced += ' ';
    }
    return spaced;
  }
  const std::string inner(indent + 2, ' ');
  std::string out(1, json.is_object() ? '{' : '[');
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += (first ? "\n" : ",\n") + inner;
    first = false;
    if (json.is_object())
      out += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
    out += laid_out(value, indent + 2);
  }
  return out + "\n" + std::string(indent, ' ') + (json.is_object() ? '}' : ']');
}

}  // namespace

std::string Suite::beside(const std::string& file) const {
  return (fs::path(folder) / file).string();
}

const Approval* Suite::approval_of(const std::string& name) const {
  const auto found = approved.find(name);
  return found == approved.end() ? nullptr : &found->second;
}

std::vector<HistoryEntry> Suite::history_of(const std::string& name) const {
  std::vector<HistoryEntry> its;
  for (const HistoryEntry& entry : history)
    if (entry.name == name) its.push_back(entry);
  return its;
}

std::string golden_name(const Suite& suite, const std::string& case_name) {
  std::string file = case_name;
  std::replace(file.begin(), file.end(), '/', '-');
  return suite.stem + "-goldens/" + file + ".png";
}

Suite load_suite(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  Suite suite;
  suite.path = path;
  const fs::path real = real_path(path);
  suite.folder = real.parent_path().string();
  suite.stem = real.stem().string();
  suite.text.assign(bytes.begin(), bytes.end());
  // No comments: what `accept` writes again must have lost nothing.
  suite.document = parse_json(suite.text, path, false);
  const Section in(suite.document, path, "", {"format", "cases", "approved", "history"},
                   "the suite");
  if (in.text("format") != kFormat)
    in.fail("format", "must be \"" + std::string(kFormat) + "\": this is no suite");
  const Json& entries = in.at("cases");
  if (!entries.is_array() || entries.empty()) in.fail("cases", "must be a list of at least one");
  std::set<std::string> names;
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (SuiteCase& c : cases_of(entries[i], path, "cases[" + std::to_string(i) + "]")) {
      if (!names.insert(golden_name(suite, c.name)).second)
        in.fail("cases", "has two cases whose golden would be " + golden_name(suite, c.name));
      suite.cases.push_back(std::move(c));
    }
  try {
    if (in.has("approved"))
      for (const auto& [name, json] : in.at("approved").items())
        suite.approved[name] = approval_from(json);
    if (in.has("history"))
      for (const Json& json : in.at("history")) suite.history.push_back(history_from(json));
  } catch (const std::exception& error) {
    throw InputError(path + ": \"approved\" or \"history\" is damaged: " + error.what());
  }
  return suite;
}

std::vector<std::string> files_of(const Suite& suite) {
  std::vector<std::string> files{suite.path};
  for (const auto& [name, approval] : suite.approved) {
    files.push_back(suite.beside(approval.golden));
    for (const auto& [file, hash] : approval.files) files.push_back(suite.beside(file));
  }
  for (const SuiteCase& c : suite.cases)
    if (!c.scene.empty()) files.push_back(suite.beside(c.scene));
  return files;
}

std::string text_of(const Suite& suite) {
  Json document = suite.document;
  document["approved"] = Json::object();
  for (const auto& [name, approval] : suite.approved)
    document["approved"][name] = json_of(approval);
  document["history"] = Json::array();
  for (const HistoryEntry& entry : suite.history) document["history"].push_back(json_of(entry));
  return laid_out(document, 0) + "\n";
}

}  // namespace ballotcast
