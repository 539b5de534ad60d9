// Setups: the device and options that a case is drawn with.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "compare/suite/manifest.hpp"
#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// One combination of values of a case's axes. For a command, device is "". The defaults are those
/// of the axes.
struct Setup {
  std::string device;
  std::string pipeline = CaseAxes{}.pipelines.front();
  std::string atomics = CaseAxes{}.atomics.front();
  std::string layout = CaseAxes{}.layouts.front();
  u32 block_size = CaseAxes{}.block_sizes.front();

  CastOptions options() const { return {pipeline, atomics, block_size}; }
  /// The options that the counter depends on, with auto resolved: "passes block-vote bvh2 256".
  std::string counter_key() const;
  /// As text: "cpu, queue, naive, bvh2, block 64".
  std::string in_words() const;
  bool operator==(const Setup&) const = default;
};

/// All combinations of the axes, except pipelines with strategies that they can't use. If `devices`
/// is not empty, it replaces the devices of the case. A command has exactly one setup.
std::vector<Setup> setups_of(const SuiteCase& c, const std::vector<std::string>& devices = {});

}  // namespace ballotcast::detail
