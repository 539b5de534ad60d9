// Writes results as JSON, and reads them. Each row is one line, so that saved results can be
// searched and compared as text.
#include "support/json.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "ballotcast/error.hpp"
#include "bench/reports/formats.hpp"
#include "bench/reports/view.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char* kFormat = "ballotcast benchmark";
constexpr u64 kFormatVersion = 1;
// The names of verdicts, in the order of Verdict.
constexpr std::array<const char*, 3> kVerdicts = {"right", "wrong", "skipped"};

Json json_of(const Values& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) {
    Json& place = json[key];
    std::visit([&](const auto& v) { place = v; }, value);
  }
  return json;
}

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json json_at(const std::map<const Row*, double>& values, const Row& row) {
  const auto found = values.find(&row);
  return found == values.end() ? Json() : Json(found->second);
}

Json json_of(const Row& row, const View& view) {
  Json timing;
  if (const auto& t = row.timing)
    timing = {{"median_ms", t->median_ms}, {"spread_relative", t->spread},
              {"least_ms", t->least_ms},   {"runs", t->runs},
              {"clock_mhz", t->clock_mhz}, {"throttled", t->throttled}};
  return {{"experiment", row.experiment},
          {"axes", json_of(row.axes)},
          {"verdict", kVerdicts[static_cast<std::size_t>(row.verdict)]},
          {"why", row.why},
          {"timing", timing},
          {"items", row.items},
          {"items_per_s", json_of(row.items_per_s())},
          {"bytes", json_of(row.bytes)},
          {"bytes_per_s", json_of(bytes_per_s(row))},
          {"counter", json_of(row.counter)},
          {"atomics", json_of(row.atomics)},
          {"ratio_to_naive", json_of(row.ratio_to_naive)},
          {"overhead_of_none_relative", json_of(row.overhead_of_none)},
          {"noise_to_naive_relative", json_at(view.noise_to_naive, row)},
          {"noise_over_none_relative", json_at(view.noise_over_none, row)},
          {"found", json_of(row.found)}};
}

Values values_from(const Json& json) {
  Values values;
  for (const auto& [key, value] : json.items()) {
    if (value.is_number_unsigned())
      values.emplace_back(key, value.get<u64>());
    else if (value.is_number())
      values.emplace_back(key, value.get<double>());
    else if (value.is_null())  // null stands for NaN, which JSON can't express
      values.emplace_back(key, std::numeric_limits<double>::quiet_NaN());
    else
      values.emplace_back(key, value.get<std::string>());
  }
  return values;
}

/// The value at `key`. If T is u64, throws InputError unless it is an integer from 0 to 2^64 - 1.
template <class T>
T value_from(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if constexpr (std::is_same_v<T, u64>) {
    if (!value.is_number_unsigned())
      throw InputError(std::string(key) + ": not an integer from 0 to 2^64 - 1");
  }
  return value.get<T>();
}

template <class T>
std::optional<T> maybe_from(const Json& json, const char* key) {
  if (!json.contains(key) || json.at(key).is_null()) return std::nullopt;
  return value_from<T>(json, key);
}

Row row_from(const Json& json) {
  Row row;
  row.experiment = json.at("experiment").get<std::string>();
  row.axes = values_from(json.at("axes"));
  const std::string verdict = json.at("verdict").get<std::string>();
  std::size_t at = 0;
  while (at < kVerdicts.size() && verdict != kVerdicts[at]) ++at;
  if (at == kVerdicts.size()) throw InputError("unknown verdict '" + verdict + "'");
  row.verdict = static_cast<Verdict>(at);
  row.why = json.value("why", "");
  if (const Json& t = json.at("timing"); !t.is_null())
    row.timing =
        Timing{t.at("median_ms").get<double>(), t.at("spread_relative").get<double>(),
               t.at("least_ms").get<double>(),  static_cast<u32>(value_from<u64>(t, "runs")),
               t.at("clock_mhz").get<double>(), t.at("throttled").get<bool>()};
  row.items = value_from<u64>(json, "items");
  row.bytes = maybe_from<u64>(json, "bytes");
  row.counter = maybe_from<u64>(json, "counter");
  row.atomics = maybe_from<u64>(json, "atomics");
  row.ratio_to_naive = maybe_from<double>(json, "ratio_to_naive");
  row.overhead_of_none = maybe_from<double>(json, "overhead_of_none_relative");
  if (json.contains("found")) row.found = values_from(json.at("found"));
  return row;
}

Results results_of(const Json& json) {
  if (json.value("format", "") != kFormat) throw InputError("contains no results of a benchmark");
  if (const u64 version = maybe_from<u64>(json, "format_version").value_or(0);
      version != kFormatVersion)
    throw InputError("has format version " + std::to_string(version) + ", this program reads " +
                     std::to_string(kFormatVersion));
  Results results;
  results.title = json.at("title").get<std::string>();
  results.facts = values_from(json.at("facts"));
  results.notes = json.at("notes").get<std::vector<std::string>>();
  results.noise = json.at("noise_relative").get<double>();
  for (const Json& e : json.at("experiments"))
    results.experiments.push_back({e.at("name").get<std::string>(),
                                   e.at("title").get<std::string>(),
                                   e.at("text").get<std::string>(),
                                   e.at("items").get<std::string>(), e.value("about_rate", false)});
  for (const Json& row : json.at("rows")) results.rows.push_back(row_from(row));
  return results;
}

/// The view that contains `row`.
const View& view_of(const std::vector<View>& views, const Row& row) {
  return *std::find_if(views.begin(), views.end(),
                       [&](const View& view) { return view.experiment.name == row.experiment; });
}

}  // namespace

std::string json_report(const Results& results) {
  Json json;
  json["format"] = kFormat;
  json["format_version"] = kFormatVersion;
  json["title"] = results.title;
  json["facts"] = json_of(results.facts);
  json["notes"] = results.notes;
  json["emulated"] = emulated(results);
  json["noise_relative"] = results.noise;
  json["noise"] = noise_in_words(results);
  json["verdicts"] = {{"right", count(results, Verdict::right)},
                      {"wrong", count(results, Verdict::wrong)},
                      {"skipped", count(results, Verdict::skipped)}};
  json["findings"] = findings_of(results);
  json["experiments"] = Json::array();
  for (const Experiment& e : results.experiments)
    json["experiments"].push_back({{"name", e.name},
                                   {"title", e.title},
                                   {"text", e.text},
                                   {"items", e.items},
                                   {"about_rate", e.about_rate}});
  const std::vector<View> views = views_of(results);
  for (const View& view : views) json["subjects"][view.experiment.name] = view.subject;
  std::string text = text_of(json);
  text.resize(text.size() - 3);  // removes "\n}\n"
  text += ",\n  \"rows\": [";
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    text +=
        (i == 0 ? "\n    " : ",\n    ") + json_of(results.rows[i], view_of(views, results.rows[i]))
                                              .dump(-1, ' ', false, Json::error_handler_t::replace);
  return text + "\n  ]\n}\n";
}

Results results_from(const std::string& text, const std::string& name) {
  try {
    return results_of(Json::parse(text));
  } catch (const Json::exception& error) {
    throw InputError(name + ": not the JSON results of a benchmark: " + reason_of(error));
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
}

}  // namespace ballotcast::detail
