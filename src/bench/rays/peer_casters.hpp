// Peers: other ray-casters that are measured for comparison. Each has one file here and one row in
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

/// A scene that a peer has loaded and casts rays in, on the CPU.
class Peer {
 public:
  virtual ~Peer() = default;

  /// Converts the rays to cast into the form that suits the peer best. This is not timed, because
  /// programs that use the peer make their rays in this form.
  virtual void take(const RaySet& set) = 0;
  /// Casts the rays of the last take(), on all cores.
  virtual void cast() = 0;
  /// The hits of the last cast. They have t, triangle, u and v as in this project. For any-hit
  /// rays, only whether there is a hit has a meaning.
  virtual std::vector<Hit> hits() const = 0;
  virtual double build_ms() const = 0;
};

/// A configuration in which a peer is measured.
struct PeerMode {
  std::string_view name;
  std::function<std::unique_ptr<Peer>(const Mesh&)> make;
};

/// A row of the table of peers. The functions may load the peer's library, so they are called only
/// if the peer is to be measured.
struct PeerInfo {
  std::string_view name;
  std::string_view summary;
  std::string (*absent)();  // returns the reason why the peer can't be used, or ""
  // Returns the version, or "" if it is not known; only for peers that can be used
  std::string (*version)();
  std::vector<PeerMode> (*modes)();  // returns the modes, each of which is measured
};

const std::vector<PeerInfo>& peers();

/// The name of a peer's mode in results: "embree/high".
inline std::string name_in(const PeerInfo& peer, const PeerMode& mode) {
  return std::string(peer.name) + "/" + std::string(mode.name);
}

/// The row called `name`. Throws UsageError if there is none.
const PeerInfo& peer_called(const std::string& name);

/// Throws UsageError for unknown names, and for peers that can't be used.
void require_present(const std::vector<std::string>& names);

/// The sum of the numbers of modes of these peers.
std::size_t count_modes(const std::vector<std::string>& names);

/// Casts the rays of `set` with a peer and returns the hits.
inline std::vector<Hit> hits_of(Peer& peer, const RaySet& set) {
  peer.take(set);
  peer.cast();
  return peer.hits();
}

/// True if the ray is one that all peers accept. Its origin and direction must be finite, t_min not
/// negative, and t_max larger than t_min. Rays that are not accepted hit nothing.
bool peers_take(const Ray& ray);

/// The reason why Embree can't be measured, or "".
std::string embree_absent();
/// The version of Embree and the path of its library. Only if Embree can be measured.
std::string embree_version();
std::vector<PeerMode> embree_modes();
/// The modes of tinybvh. Exists only in programs that are built with tinybvh.
std::vector<PeerMode> tinybvh_modes();

}  // namespace ballotcast::detail
