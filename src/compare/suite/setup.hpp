// Setups: the machines and options that a case is drawn with.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/manifest.hpp"
#include "kernels/strategies/strategy.hpp"
#include "render/renderer_state.hpp"

namespace ballotcast::detail {

/// A point of a case's axes. A command has none: its device is "".
struct Setup {
  std::string device;
  std::string pipeline = "auto";
  std::string atomics = "auto";
  std::string layout = "bvh2";
  u32 block_size = 256;

  CastOptions options() const { return {pipeline, atomics, block_size}; }
  /// What the counter depends on, with auto resolved: "passes block-vote bvh2 256".
  std::string counter_key() const;
  /// "cpu, queue, naive, bvh2, block 64".
  std::string in_words() const;
  bool operator==(const Setup&) const = default;
};

/// Every combination of the axes but pipelines with strategies that they don't take, on `devices`
/// instead of the case's where some are named; for a command the one that it has.
std::vector<Setup> setups_of(const SuiteCase& c, const std::vector<std::string>& devices = {});

}  // namespace ballotcast::detail
