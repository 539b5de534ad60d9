#include "bench/rays/peer_casters.hpp"

#include "support/type_list.hpp"

namespace ballotcast::detail {

const std::vector<PeerInfo>& peers() {
  const auto nothing = [] { return std::string(); };
  static const std::vector<PeerInfo> table = {
    {"embree", "Embree 3 or 4, one ray at a time, and 8 and 16", embree_absent, embree_version,
     embree_modes},
#if BALLOTCAST_HAS_TINYBVH
    {"tinybvh", "tinybvh, one ray at a time", nothing, nothing, tinybvh_modes},
#else
    {"tinybvh", "tinybvh, one ray at a time",
     [] {
       return std::string(
           "this program was built without its header; configure with "
           "-DBALLOTCAST_TINYBVH=FOLDER");
     },
     nothing, [] { return std::vector<PeerMode>(); }},
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
    if (const std::string absent = peer_called(name).absent(); !absent.empty())
      throw UsageError("peer " + name + ": " + absent);
}

std::size_t count_modes(const std::vector<std::string>& names) {
  std::size_t all = 0;
  for (const std::string& name : names) all += peer_called(name).modes().size();
  return all;
}

bool peers_take(const Ray& ray) {
  const auto fits = [](vec3 v) {  // false for NaN
    constexpr float kLargest = 1e18f;
    return magnitude_of(v.x) <= kLargest && magnitude_of(v.y) <= kLargest &&
           magnitude_of(v.z) <= kLargest;
  };
  return fits(ray.origin) && fits(ray.direction) && ray.t_min >= 0.0f && ray.asks();
}

}  // namespace ballotcast::detail
