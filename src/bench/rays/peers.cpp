#include "bench/rays/peers.hpp"

namespace ballotcast::detail {

const std::vector<PeerInfo>& peers() {
  static const std::vector<PeerInfo> table = {
#if defined(BALLOTCAST_HAS_EMBREE)
    {"embree", "Embree 3, robust, high-quality build, one ray at a time", "", make_embree},
#else
    {"embree", "Embree 3, robust, high-quality build, one ray at a time",
     "this program was built without libembree-dev", nullptr},
#endif
  };
  return table;
}

}  // namespace ballotcast::detail
