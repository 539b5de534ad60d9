#include "bench/rays/rungs.hpp"

#include "kernels/strategies/naive.hpp"

namespace ballotcast::detail {

std::vector<std::string> rungs(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    if (name != "ladder") {
      all.push_back(name);
      continue;
    }
    all.push_back(std::string(pipelines().front().name) + "/" + std::string(Naive::info.name));
    for (const PipelineInfo& pipeline : pipelines()) all.emplace_back(pipeline.name);
  }
  return all;
}

CastOptions rung_called(std::string_view rung) {
  CastOptions options;
  const std::size_t slash = rung.find('/');
  options.pipeline = rung.substr(0, slash);
  if (slash != rung.npos) options.atomics = rung.substr(slash + 1);
  CastChoice{options};  // throws for unknown names
  return options;
}

}  // namespace ballotcast::detail
