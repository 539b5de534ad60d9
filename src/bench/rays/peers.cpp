#include "bench/rays/peers.hpp"

namespace ballotcast::detail {

const std::vector<PeerInfo>& peers() {
  static const std::vector<PeerInfo> table = {
#if defined(BALLOTCAST_HAS_EMBREE)
    {"embree", "Embree 3, robust, high-quality build, one ray at a time", "", make_embree},
#else
    {"embree", "Embree 3, robust, high-quality build, one ray at a time",
     "libembree-dev was not there when this program was built", nullptr},
#endif
  };
  return table;
}

}  // namespace ballotcast::detail
