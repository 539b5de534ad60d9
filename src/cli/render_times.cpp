#include "cli/render_times.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

constexpr std::size_t kNames = 20, kTimes = 9, kShares = 6, kBars = 40;  // columns

std::string on_the_left(std::string text, std::size_t columns) {
  if (text.size() < columns) text.resize(columns, ' ');
  return text;
}

std::string on_the_right(const std::string& text, std::size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

}  // namespace

std::vector<Phase> phases_of(const RenderTimes& times, const PrepareTimes& prepare,
                             const std::vector<StageTime>& stages) {
  std::vector<Phase> phases = {{"start", times.start},
                               {"check", times.check},
                               {"load", times.load},
                               {"device", times.device},
                               {"build", times.build + prepare.build_ms}};
  if (times.cache > 0.0) phases.push_back({"cache", times.cache});
  phases.insert(
      phases.end(),
      {{"upload", prepare.upload_ms}, {"find camera", times.camera}, {"draw", times.draw}});
  double rest = times.draw;
  for (const StageTime& stage : stages) {
    phases.push_back({stage.name, stage.milliseconds, true});
    rest -= stage.milliseconds;
  }
  phases.push_back({"rest", std::max(0.0, rest), true});
  for (const Phase& phase :
       {Phase{"encode", times.encode}, Phase{"hash", times.hash}, Phase{"write", times.write}})
    phases.push_back(phase);
  rest = times.total;
  for (const Phase& phase : phases)
    if (!phase.is_part) rest -= phase.milliseconds;
  phases.push_back({"rest", std::max(0.0, rest)});
  return phases;
}

std::string chart_of(const std::vector<Phase>& phases, double total) {
  std::string chart;
  for (const Phase& phase : phases) {
    const double share = total > 0.0 ? std::clamp(phase.milliseconds / total, 0.0, 1.0) : 0.0;
    const auto length = static_cast<std::size_t>(share * kBars + 0.5);
    std::string line = on_the_left((phase.is_part ? "    " : "  ") + phase.name, kNames) +
                       on_the_right(time_in_words(phase.milliseconds), kTimes) +
                       on_the_right(fixed(share * 100.0, 0) + "%", kShares);
    if (length != 0) line += "  " + std::string(length, phase.is_part ? '-' : '#');
    chart += line + "\n";
  }
  return chart + on_the_left("  total", kNames) + on_the_right(time_in_words(total), kTimes) + "\n";
}

}  // namespace ballotcast::detail
