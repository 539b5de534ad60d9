#include "cli/commands/info_machine_code.hpp"

#include <algorithm>

#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

using enum OpClass;

/// A column of instruction counts.
struct Column {
  const char* title;
  std::vector<OpClass> classes;
};

const Column kColumns[] = {{"RED", {red}},          {"ATOM", {atom}},
                           {"VOTE", {vote, voteu}}, {"REDUX", {redux}},
                           {"POPC", {popc, upopc}}, {"BAR", {bar_sync, bar_red}},
                           {"SHFL", {shfl}}};

constexpr std::size_t kNameWidth = 12, kCallWidth = 9, kArchWidth = 8;
constexpr std::string_view kVerdict = "one atomic per";  // heading of the last column

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string head() {
  std::string line = "  " + padded("strategy", kNameWidth) + padded("call", kCallWidth) +
                     padded("for", kArchWidth);
  for (const Column& column : kColumns) line += std::string(column.title) + " ";
  return line + " " + std::string(kVerdict) + "\n";
}

std::string line_of(const StrategyCode& row) {
  std::string line = "  " + padded(std::string(row.strategy), kNameWidth) +
                     padded(std::string(row.call), kCallWidth) +
                     padded("sm_" + std::to_string(row.code.arch), kArchWidth);
  for (const Column& column : kColumns) {
    u32 count = 0;
    for (const OpClass op : column.classes) count += row.code.count(op);
    line += right(count != 0 ? std::to_string(count) : ".", std::string(column.title).size()) + " ";
  }
  std::string_view verdict = in_words(row.atomics_per);
  if (verdict.starts_with(kVerdict)) verdict.remove_prefix(kVerdict.size() + 1);
  return line + " " + std::string(verdict) + "\n";
}

const char* const kLegend =
    "\n"
    "Instructions in the compiled code of each call, alone in a kernel: RED and\n"
    "ATOM are atomics on global memory; VOTE, REDUX, POPC and SHFL are what the\n"
    "lanes of a warp do together, BAR the barriers of a block. A dot means none.\n"
    "ptxas adds a vote before an atomic if it knows that all lanes use the same\n"
    "address.\n";

}  // namespace

std::string strategy_table(const StrategyCodes& codes) {
  const std::string title = "Atomic strategies (--atomics) in machine code";
  if (codes.rows.empty()) return wrapped(title + ": " + codes.why_none, 0);
  std::string text = title + ":\n" + head();
  for (const StrategyCode& row : codes.rows) text += line_of(row);
  return text + kLegend;
}

Json strategy_json(const StrategyCodes& codes) {
  Json rows = Json::array();
  for (const StrategyCode& row : codes.rows) {
    Json counts;
    for (std::size_t i = 0; i < kOpClasses; ++i)
      counts[std::string(name_of(OpClass{static_cast<u8>(i)}))] = row.code.counts[i];
    rows.push_back({{"strategy", row.strategy},
                    {"call", row.call},
                    {"arch", row.code.arch},
                    {"instructions", row.code.instructions},
                    {"counts", counts},
                    {"verdict", in_words(row.atomics_per)}});
  }
  return {{"rows", rows}, {"why_none", codes.why_none.empty() ? Json() : Json(codes.why_none)}};
}

}  // namespace ballotcast::detail
