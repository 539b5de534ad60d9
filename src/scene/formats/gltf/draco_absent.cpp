// Stands in for draco.cpp in programs that are built without libdraco.
#include "scene/formats/gltf/accessors.hpp"

namespace ballotcast::detail {

bool has_draco() { return false; }

std::vector<u32> decode_draco(GltfFile&, const Section& in, const Section&, GltfAttributes&) {
  in.fail("is compressed by Draco, and this program was built without libdraco-dev");
}

}  // namespace ballotcast::detail
