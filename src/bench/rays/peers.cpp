#include "bench/rays/peers.hpp"

#include "support/type_list.hpp"

namespace ballotcast::detail {

const std::vector<PeerInfo>& peers() {
  static const std::vector<PeerInfo> table = {
#if defined(BALLOTCAST_HAS_EMBREE)
    {"embree", "Embree 3 in each of its modes, one ray at a time", "", make_embree},
#else
    {"embree", "Embree 3 in each of its modes, one ray at a time",
     "this program was built without libembree-dev", nullptr},
#endif
  };
  return table;
}

const PeerInfo& peer_called(const std::string& name) {
  for (const PeerInfo& row : peers())
    if (row.name == name) return row;
  throw_unknown("peer", name, names_of(peers()));
}

void require_present(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (const std::string_view absent = peer_called(name).absent; !absent.empty())
      throw UsageError("peer " + name + ": " + std::string(absent));
}

}  // namespace ballotcast::detail
