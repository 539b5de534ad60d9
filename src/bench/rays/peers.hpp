// Peers: other ray-casters, measured for comparison. Each is one file here and one row in
// peers.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rays/workloads.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// A scene that a peer has loaded, on the CPU.
class Peer {
 public:
  virtual ~Peer() = default;

  /// Casts all rays on all cores. A hit has t, triangle, u and v as in this project; for any-hit
  /// rays, only whether it is a hit or a miss has a meaning.
  virtual void cast(const RaySet& set, Hit* hits) = 0;
  virtual double build_ms() const = 0;
};

/// A way to use a peer.
struct PeerMode {
  std::string_view name;
  std::function<std::unique_ptr<Peer>(const Mesh&)> make;
};

/// A row of the table of peers.
struct PeerInfo {
  std::string_view name;
  std::string_view summary;
  /// The reason why this program lacks the peer, or "".
  std::string_view absent;
  std::vector<PeerMode> modes;  // each is measured; empty if it is absent
};

const std::vector<PeerInfo>& peers();

/// The name of a peer's mode in results: "embree/high".
inline std::string name_in(const PeerInfo& peer, const PeerMode& mode) {
  return std::string(peer.name) + "/" + std::string(mode.name);
}

/// The row called `name`. Throws UsageError if there is none.
const PeerInfo& peer_called(const std::string& name);

/// Throws UsageError for names that no row has, and for a peer that this program lacks.
void require_present(const std::vector<std::string>& names);

/// The number of modes of all these peers.
std::size_t count_modes(const std::vector<std::string>& names);

/// True if peers accept the ray. Its origin and direction must be finite, t_min not negative, and
/// t_max above t_min. Other rays hit nothing when a peer casts them.
bool peers_take(const Ray& ray);

/// Writes hits[i] for every ray that peers take, on all cores: cast(ray).
template <class Cast>
void cast_by_peer(const RaySet& set, Hit* hits, Cast cast) {
  for_each_range<u32>(static_cast<u32>(set.rays.size()), 1024, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i)
      hits[i] = peers_take(set.rays[i]) ? cast(set.rays[i]) : miss_of(set.rays[i]);
  });
}

/// Exists only in programs built with Embree.
std::vector<PeerMode> embree_modes();
/// Exists only in programs built with tinybvh.
std::vector<PeerMode> tinybvh_modes();

}  // namespace ballotcast::detail
