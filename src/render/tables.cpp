#include "ballotcast/tables.hpp"

#include "backends/backend.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/layouts/layout.hpp"
#include "render/settings.hpp"

namespace ballotcast {

namespace {

template <class Rows>
std::vector<Choice> choices_of(const Rows& rows) {
  std::vector<Choice> choices;
  for (const auto& row : rows) choices.push_back({std::string(row.name), std::string(row.summary)});
  return choices;
}

}  // namespace

std::vector<Device> devices() {
  std::vector<Device> out;
  for (const detail::BackendInfo& row : detail::backends())
    out.push_back({std::string(row.name), std::string(row.summary), row.unusable()});
  return out;
}

std::vector<Effort> efforts() {
  std::vector<Effort> out;
  for (const detail::EffortInfo& row : detail::efforts())
    out.push_back({std::string(row.name), std::string(row.on_host), std::string(row.on_machines)});
  return out;
}

std::vector<Choice> shadings() { return choices_of(detail::shadings()); }
std::vector<Choice> pipelines() { return choices_of(detail::pipelines()); }
std::vector<Choice> strategies() { return choices_of(detail::strategies()); }
std::vector<Choice> builders() { return choices_of(detail::builders()); }
std::vector<Choice> layouts() { return choices_of(detail::layouts()); }

}  // namespace ballotcast
