// Other ray casters to measure beside this one: each is one file and one row in peers.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// A scene in a peer's hands, on the CPU.
class Peer {
 public:
  virtual ~Peer() = default;

  /// Casts all rays on all cores. The hits hold t, triangle, u and v as this project's do.
  virtual void cast(const RaySet& set, Hit* hits) = 0;
  virtual double build_ms() const = 0;
};

/// A row of the table of peers.
struct PeerInfo {
  std::string_view name;
  std::string_view summary;
  /// Why this program doesn't have it, or "".
  std::string_view absent;
  std::unique_ptr<Peer> (*make)(const Mesh& mesh);
};

const std::vector<PeerInfo>& peers();

/// Only in programs built with Embree.
std::unique_ptr<Peer> make_embree(const Mesh& mesh);

}  // namespace ballotcast::detail
