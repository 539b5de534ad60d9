#include "compare/suite/history.hpp"

#include <algorithm>

#include "compare/suite/json_layout.hpp"
#include "scene/json_section.hpp"
#include "support/error.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

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
    if (line.ends_with('\r')) line.pop_back();  // git may have changed the line ends
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
