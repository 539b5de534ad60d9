#include "bvh/builders/builder.hpp"

namespace ballotcast {

const std::vector<BuilderInfo>& builders() {
  static const std::vector<BuilderInfo> table = {
      {"binned-sah", "surface area heuristic over 32 bins an axis, parallel", build_binned_sah},
  };
  return table;
}

}  // namespace ballotcast
