// Peers: other ray-casters, measured for comparison. Each is one file here and one row in
// peers.cpp.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
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

/// A way to use a peer.
struct PeerMode {
  std::string_view name;
  PeerQuality quality;
  bool robust;  // true: it loses fewer hits at edges, and is slower
};

/// All modes; each is measured. With both `high` and `robust`, Embree splits no triangles, so that
/// neither is at its best.
inline constexpr std::array<PeerMode, 5> kPeerModes = {{{"low", PeerQuality::low, false},
                                                        {"medium", PeerQuality::medium, false},
                                                        {"high", PeerQuality::high, false},
                                                        {"robust", PeerQuality::medium, true},
                                                        {"high-robust", PeerQuality::high, true}}};

/// A row of the table of peers.
struct PeerInfo {
  std::string_view name;
  std::string_view summary;
  /// The reason why this program lacks the peer, or "".
  std::string_view absent;
  std::unique_ptr<Peer> (*make)(const Mesh& mesh, const PeerMode& mode);
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

/// Exists only in programs built with Embree.
std::unique_ptr<Peer> make_embree(const Mesh& mesh, const PeerMode& mode);

}  // namespace ballotcast::detail
