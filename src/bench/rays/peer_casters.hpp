// Peers: other ray-casters, measured for comparison. Each is one file here and one row in
// peer_casters.cpp.
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

  /// Takes the rays to cast, in the form that suits the peer best. That is not timed: programs that
  /// are made for the peer make their rays so.
  virtual void take(const RaySet& set) = 0;
  /// Casts all of them on all cores.
  virtual void cast() = 0;
  /// The hits of the last cast. They have t, triangle, u and v as in this project; for any-hit
  /// rays, only whether it is a hit or a miss has a meaning.
  virtual std::vector<Hit> hits() const = 0;
  virtual double build_ms() const = 0;
};

/// A way to use a peer.
struct PeerMode {
  std::string_view name;
  std::function<std::unique_ptr<Peer>(const Mesh&)> make;
};

/// A row of the table of peers. What must be asked may load the peer's library, so it is asked only
/// when the peer is to be measured.
struct PeerInfo {
  std::string_view name;
  std::string_view summary;
  std::string (*absent)();           // why this program lacks the peer, or ""
  std::string (*version)();          // "" if it is not known; the peer must be present
  std::vector<PeerMode> (*modes)();  // each is measured
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

/// The hits that a peer finds.
inline std::vector<Hit> hits_of(Peer& peer, const RaySet& set) {
  peer.take(set);
  peer.cast();
  return peer.hits();
}

/// True if peers accept the ray. Its origin and direction must be finite, t_min not negative, and
/// t_max above t_min. Other rays hit nothing when a peer casts them.
bool peers_take(const Ray& ray);

/// Why Embree can't be measured, or "".
std::string embree_absent();
/// Its version, and the file of its library. Only if it can be measured.
std::string embree_version();
std::vector<PeerMode> embree_modes();
/// Exists only in programs built with tinybvh.
std::vector<PeerMode> tinybvh_modes();

}  // namespace ballotcast::detail
