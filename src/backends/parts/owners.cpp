#include "backends/parts/owners.hpp"

#include <algorithm>

#include "kernels/parts/route.hpp"
#include "support/error.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

PartOwners::PartOwners(const DeviceChoice& device)
    : machines_(device.machines.empty() ? 1u : device.machines.size()) {
  if (!device.processes) return;
  ranks_ = device.processes->count();
  rank_ = device.processes->rank();
}

MemoryTable PartOwners::memory_of(const std::vector<ScenePart>& parts) const {
  std::vector<MemoryTable> tables(machines_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_here(i)) continue;
    MemoryTable& table = tables[machine_of(i)];
    for (const MemoryPart& row : detail::memory_of(*parts[i].prepared)) {
      const auto same = std::find_if(table.begin(), table.end(), [&](const MemoryPart& other) {
        return other.name == row.name;
      });
      if (same == table.end())
        table.push_back(row);
      else
        same->bytes += row.bytes;
    }
  }
  return *std::max_element(
      tables.begin(), tables.end(),
      [](const MemoryTable& a, const MemoryTable& b) { return bytes_of(a) < bytes_of(b); });
}

u32 number_of_parts(const DeviceChoice& device, u32 wanted, const MemoryTable& whole,
                    const MemoryBudget& budget) {
  const bool fits = !budget.bytes || static_cast<double>(bytes_of(whole)) <=
                                         kMostOfMemory * static_cast<double>(*budget.bytes);
  u32 count = wanted;
  if (count == 0) {
    count =
        fits ? 1u
             : static_cast<u32>(std::min<std::size_t>(PartOwners(device).machines(), kMostParts));
    if (Processes* const all = device.processes) {
      for (const std::string& other : gathered(*all, std::to_string(count)))
        count = std::max(count, static_cast<u32>(std::stoul(other)));
      all->broadcast(&count, sizeof count);
    }
  }
  if (count > kMostParts)
    throw UsageError(
        "at most " + std::to_string(kMostParts) + " parts, not " + std::to_string(count),
        "partition");
  return count;
}

std::vector<ScenePart> cut_for(const DeviceChoice& device,
                               const std::shared_ptr<const PreparedScene>& whole, u32 count,
                               const BuildTree& build) {
  const PartOwners owners(device);
  return cut_into_parts(whole, count, build,
                        [&](std::size_t part) { return owners.is_here(part); });
}

}  // namespace ballotcast::detail
