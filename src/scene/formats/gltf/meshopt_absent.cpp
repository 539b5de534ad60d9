// Stands in for meshopt.cpp in programs that are built without libmeshoptimizer.
#include "scene/formats/gltf/accessors.hpp"

namespace ballotcast::detail {

bool has_meshopt() { return false; }

std::vector<u8> decode_meshopt(const Section& in, const MeshoptShape&, std::span<const u8>) {
  in.fail("is compressed, and this program was built without libmeshoptimizer-dev");
}

}  // namespace ballotcast::detail
