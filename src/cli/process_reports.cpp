#include "cli/process_reports.hpp"

#include <string>

#include "cli/output.hpp"
#include "support/json.hpp"
#include "support/processes/processes.hpp"
#include "support/threads.hpp"

namespace ballotcast::detail {

Json reports_of_processes(const Renderer& renderer, const Json& times, const Json& memory) {
  Processes* const all = joined_processes();
  if (!all) return {};
  const Json own = {{"process", all->name_of(all->rank())},
                    {"device", renderer.device_description()},
                    {"threads", thread_count()},
                    {"memory", memory},
                    {"timings_ms", times},
                    {"losses", renderer.losses()}};
  Json reports;
  for (const std::string& report : gathered(*all, text_of(own)))
    reports.push_back(Json::parse(report));
  return reports;
}

void remark_losses_of_others(const Json& reports) {
  for (std::size_t i = 1; i < reports.size(); ++i) {
    const std::string losses = reports[i]["losses"];
    if (!losses.empty())
      remark("warning: " + reports[i]["process"].get<std::string>() + ": " + losses);
  }
}

}  // namespace ballotcast::detail
