// Peers: other ray-casters, measured for comparison. Each is one file here and one row in
// peers.cpp.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/rays/workloads.hpp"

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

/// How much time a peer spends on its tree.
enum class PeerQuality { low, medium, high };

inline constexpr std::array<std::pair<PeerQuality, std::string_view>, 3> kPeerQualities = {
    {{PeerQuality::low, "low"}, {PeerQuality::medium, "medium"}, {PeerQuality::high, "high"}}};

/// A row of the table of peers.
struct PeerInfo {
  std::string_view name;
  std::string_view summary;
  /// The reason why this program lacks the peer, or "".
  std::string_view absent;
  std::unique_ptr<Peer> (*make)(const Mesh& mesh, PeerQuality quality);
};

const std::vector<PeerInfo>& peers();

/// The row called `name`. Throws UsageError if there is none.
const PeerInfo& peer_called(const std::string& name);

/// Throws UsageError for names that no row has, and for a peer that this program lacks.
void require_present(const std::vector<std::string>& names);

/// Exists only in programs built with Embree.
std::unique_ptr<Peer> make_embree(const Mesh& mesh, PeerQuality quality);

}  // namespace ballotcast::detail
