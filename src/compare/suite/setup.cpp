#include "compare/suite/setup.hpp"

#include "backends/backend.hpp"

namespace ballotcast::detail {

std::string Setup::counter_key() const {
  const CastChoice choice(options());
  return std::string(choice.pipeline->name) + " " + std::string(choice.strategy->name) + " " +
         layout + " " + std::to_string(block_size);
}

std::string Setup::in_words() const {
  if (device.empty()) return "command";
  return device + ", " + pipeline + ", " + atomics + ", " + layout + ", block " +
         std::to_string(block_size);
}

std::vector<Setup> setups_of(const SuiteCase& c, const std::vector<std::string>& devices) {
  if (c.is_command()) return {Setup{}};
  std::vector<Setup> setups;
  for (const std::string& device : devices.empty() ? c.on.devices : devices)
    for (const std::string& pipeline : c.on.pipelines)
      for (const std::string& atomics : c.on.atomics)
        for (const std::string& layout : c.on.layouts)
          for (const u32 block_size : c.on.block_sizes)
            if (takes(pipeline, atomics))
              setups.push_back({device, pipeline, atomics, layout, block_size});
  return setups;
}

}  // namespace ballotcast::detail
