#include "compare/suite/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ballotcast/error.hpp"
#include "compare/pictures_page.hpp"
#include "scene/json/json_section.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

std::string pixels_in_words(const PictureChange& c) {
  if (c.different == 0) return "no pixel differs";
  std::string words = grouped(c.different) + " of " + grouped(c.pixels) +
                      " pixels differ, by up to " + std::to_string(c.max_error) + " of " +
                      std::to_string(c.largest);
  if (const auto flip = c.metrics.find("flip"); flip != c.metrics.end())
    words += "; FLIP " + fixed(flip->second, 4);
  return words;
}

std::string picture_in_words(const PictureChange& c) {
  if (c.new_size.empty()) return "";
  if (c.has_numbers()) return pixels_in_words(c);
  if (c.old_size.empty()) return "the first picture, " + c.new_size;
  if (c.old_size == c.new_size) return "not compared with the old picture";
  return "the size was " + c.old_size + " and is " + c.new_size;
}

Json json_of(const HistoryEntry& h) {
  Json json{{"case", h.name}, {"date", h.date}, {"version", h.version}, {"reason", h.reason}};
  if (!h.old_pixels.empty()) json["old_pixels"] = h.old_pixels;
  if (!h.new_pixels.empty()) json["new_pixels"] = h.new_pixels;
  if (!h.old_hits.empty()) json["old_hits"] = h.old_hits;
  if (!h.new_hits.empty()) json["new_hits"] = h.new_hits;
  if (h.change) json["change"] = json_of(*h.change);
  return json;
}

bool is_conflict_mark(const std::string& line) {
  for (const char* mark : {"<<<<<<<", "=======", ">>>>>>>", "|||||||"})
    if (line.starts_with(mark)) return true;
  return false;
}

HistoryEntry entry_from(const std::string& line, const std::string& place) {
  if (is_conflict_mark(line))
    throw InputError(place + ": a conflict of git is not resolved; keep the lines of both sides");
  try {
    HistoryEntry entry = history_entry_from(parse_json(line, place, false));
    entry.line = line;
    return entry;
  } catch (const Json::exception& error) {
    throw InputError(place + ": not an acceptance: " + reason_of(error));
  }
}

}  // namespace

std::string in_words(const PictureChange& c) {
  const std::string picture = picture_in_words(c);
  std::string words =
      c.verdict + (c.verdict.empty() || picture.empty() ? "" : ": ") + picture + ".";
  for (const BrokenRange& range : c.broken)
    words += " Outside of its tolerance: " + range.measure + " " + page_number(range.value) +
             ", not " + page_number(range.low) + " to " + page_number(range.high) + ".";
  std::string also;
  for (const std::string& name : c.also) also += (also.empty() ? "" : ", ") + name;
  return also.empty() ? words : words + " Also changed: " + also + ".";
}

Json json_of(const PictureChange& c) {
  Json json{{"verdict", c.verdict}};
  if (!c.old_size.empty()) json["old_size"] = c.old_size;
  if (!c.new_size.empty()) json["new_size"] = c.new_size;
  if (c.has_numbers()) {
    json["pixels"] = c.pixels;
    json["different_pixels"] = c.different;
    json["max_error"] = c.max_error;
    json["largest_value"] = c.largest;
    for (const auto& [name, value] : c.metrics) json["metrics"][name] = value;
  }
  for (const BrokenRange& range : c.broken)
    json["beyond"].push_back({{"measure", range.measure},
                              {"low", range.low},
                              {"high", range.high},
                              {"value", std::isfinite(range.value) ? Json(range.value) : Json()}});
  if (!c.also.empty()) json["also"] = c.also;
  return json;
}

PictureChange change_from(const Json& json) {
  PictureChange c;
  c.verdict = json.at("verdict").get<std::string>();
  c.old_size = json.value("old_size", "");
  c.new_size = json.value("new_size", "");
  c.pixels = json.value("pixels", u64{0});
  c.different = json.value("different_pixels", u64{0});
  c.max_error = json.value("max_error", u32{0});
  c.largest = json.value("largest_value", u32{0});
  if (json.contains("metrics"))
    for (const auto& [name, value] : json.at("metrics").items())
      c.metrics[name] = value.get<double>();
  if (json.contains("beyond"))
    for (const Json& range : json.at("beyond")) {
      const Json& value = range.at("value");
      c.broken.push_back(
          {range.at("measure").get<std::string>(), range.at("low").get<double>(),
           range.at("high").get<double>(),
           value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>()});
    }
  if (json.contains("also")) c.also = json.at("also").get<std::vector<std::string>>();
  return c;
}

std::string HistoryEntry::change_in_words() const { return change ? in_words(*change) : ""; }

HistoryEntry history_entry_from(const Json& json) {
  HistoryEntry entry;
  entry.name = json.at("case").get<std::string>();
  entry.date = json.value("date", "");
  entry.version = json.value("version", "");
  entry.reason = json.value("reason", "");
  entry.old_pixels = json.value("old_pixels", "");
  entry.new_pixels = json.value("new_pixels", "");
  entry.old_hits = json.value("old_hits", "");
  entry.new_hits = json.value("new_hits", "");
  if (json.contains("change")) entry.change = change_from(json.at("change"));
  return entry;
}

std::vector<HistoryEntry> history_from(const std::string& text, const std::string& path) {
  std::vector<HistoryEntry> history;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    from = end + 1;
    ++number;
    if (line.ends_with('\r')) line.pop_back();  // git may have changed the line endings
    if (!line.empty()) history.push_back(entry_from(line, path + ":" + std::to_string(number)));
  }
  return history;
}

std::string text_of(std::vector<HistoryEntry> history) {
  std::ranges::stable_sort(history, {}, &HistoryEntry::name);
  std::string text;
  for (const HistoryEntry& entry : history)
    text += (entry.line.empty() ? on_one_line(json_of(entry)) : entry.line) + "\n";
  return text;
}

}  // namespace ballotcast::detail
