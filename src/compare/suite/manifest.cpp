#include "compare/suite/manifest.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "ballotcast/error.hpp"
#include "scene/json/json_section.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "ballotcast suite";

/// The path of the file that `path` refers to after following links. Goldens are stored beside that
/// file.
fs::path real_path(const std::string& path) {
  std::error_code failure;
  const fs::path real = fs::canonical(path, failure);
  return failure ? fs::path(path) : real;
}

u64 whole(const Json& json) {
  if (!json.is_number_unsigned())
    throw InputError(json.dump() + " is not an integer of at least 0");
  return json.get<u64>();
}

std::string text_at(const Json& json, const char* key) { return json.value(key, std::string()); }

Approval approval_from(const Json& json) {
  Approval a;
  a.golden = json.at("golden").get<std::string>();
  const fs::path place = fs::path(a.golden).lexically_normal();
  if (place.is_absolute() || place.empty() || *place.begin() == ".." || place.extension() != ".png")
    throw InputError("golden '" + a.golden + "' is not a PNG below the suite's folder");
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

/// The content of the file with the history; "" if there is none.
std::string read_history(const Suite& suite) {
  const std::string path = suite.history_path();
  if (std::error_code ignored; !fs::exists(path, ignored)) return "";
  const std::vector<u8> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string Suite::beside(const std::string& file) const {
  return (fs::path(folder) / file).string();
}

std::string Suite::history_path() const { return beside(stem + "-history.jsonl"); }

const Approval* Suite::approval_of(const std::string& name) const {
  const auto found = approved.find(name);
  return found == approved.end() ? nullptr : &found->second;
}

std::vector<HistoryEntry> Suite::history_of(const std::string& name) const {
  std::vector<HistoryEntry> entries;
  for (const HistoryEntry& entry : history)
    if (entry.name == name) entries.push_back(entry);
  return entries;
}

std::string golden_name(const Suite& suite, const std::string& case_name) {
  std::string file = case_name;
  std::replace(file.begin(), file.end(), '/', '-');
  return suite.stem + "-goldens/" + file + ".png";
}

Suite load_suite(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  return suite_of({bytes.begin(), bytes.end()}, path);
}

Suite suite_of(std::string text, const std::string& path) {
  Suite suite;
  suite.path = path;
  const fs::path real = real_path(path);
  suite.folder = real.parent_path().string();
  suite.stem = real.stem().string();
  suite.text = std::move(text);
  // `false` rejects comments, which `accept` would lose when it writes the file again.
  suite.document = parse_json(suite.text, path, false);
  const Section in(suite.document, path, "", {"format", "cases", "approved", "history"},
                   "the suite");
  if (in.text("format") != kFormat)
    in.fail("format", "must be \"" + std::string(kFormat) + "\": this is not a suite");
  const Json& entries = in.at("cases");
  if (!entries.is_array() || entries.empty()) in.fail("cases", "must be a list of at least one");
  std::set<std::string> names;
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (SuiteCase& c : cases_of(entries[i], path, "cases[" + std::to_string(i) + "]")) {
      if (!names.insert(golden_name(suite, c.name)).second)
        in.fail("cases", "has two cases whose golden would be " + golden_name(suite, c.name));
      suite.cases.push_back(std::move(c));
    }
  if (in.has("approved") && !in.at("approved").is_object())
    in.fail("approved", "must be an object");
  if (in.has("history") && !in.at("history").is_array()) in.fail("history", "must be a list");
  suite.history_text = read_history(suite);
  const std::string damaged = path + ": \"approved\" or \"history\" is damaged: ";
  try {
    if (in.has("approved"))
      for (const auto& [name, json] : in.at("approved").items())
        suite.approved[name] = approval_from(json);
    if (in.has("history"))
      for (const Json& json : in.at("history")) suite.history.push_back(history_entry_from(json));
  } catch (const Json::exception& error) {
    throw InputError(damaged + reason_of(error));
  } catch (const InputError& error) {
    throw InputError(damaged + error.what());
  }
  for (HistoryEntry& entry : history_from(suite.history_text, suite.history_path()))
    suite.history.push_back(std::move(entry));
  return suite;
}

std::vector<std::string> files_of(const Suite& suite) {
  std::vector<std::string> files{suite.path, suite.history_path()};
  for (const auto& [name, approval] : suite.approved) {
    files.push_back(suite.beside(approval.golden));
    for (const auto& [file, hash] : approval.files) files.push_back(suite.beside(file));
  }
  for (const SuiteCase& c : suite.cases)
    for (const std::string& file : {c.scene, c.ignore_where})
      if (!file.empty()) files.push_back(suite.beside(file));
  return files;
}

std::string text_of(const Suite& suite) {
  Json document = suite.document;
  document["approved"] = Json::object();
  for (const auto& [name, approval] : suite.approved)
    document["approved"][name] = json_of(approval);
  document.erase("history");
  return laid_out(document) + "\n";
}

}  // namespace ballotcast::detail
