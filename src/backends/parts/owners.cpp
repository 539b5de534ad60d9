#include "backends/parts/owners.hpp"

#include <algorithm>

#include "kernels/parts/route.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

std::size_t machines_of(const DeviceChoice& device) {
  return std::max<std::size_t>(device.machines.size(), 1u);
}

MemoryTable memory_of(const std::vector<ScenePart>& parts, const DeviceChoice& device) {
  std::vector<MemoryTable> tables(machines_of(device));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    MemoryTable& table = tables[machine_of_part(i, tables.size())];
    for (const MemoryPart& row : memory_of(*parts[i].prepared)) {
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
  if (wanted > kMostParts)
    throw UsageError(
        "at most " + std::to_string(kMostParts) + " parts, not " + std::to_string(wanted),
        "partition");
  if (device.processes) {
    if (wanted > 1)
      throw UsageError(
          "several processes can't share a scene in parts: use one process for all GPUs of a "
          "computer",
          "partition");
    return 1;
  }
  if (wanted > 0) return wanted;
  const bool fits = !budget.bytes || static_cast<double>(bytes_of(whole)) <=
                                         kMostOfMemory * static_cast<double>(*budget.bytes);
  return fits ? 1u : static_cast<u32>(std::min<std::size_t>(machines_of(device), kMostParts));
}

}  // namespace ballotcast::detail
