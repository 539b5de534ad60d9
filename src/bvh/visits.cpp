#include "bvh/visits.hpp"

#include "bvh/host_build_machine.hpp"

namespace ballotcast::detail {

u64 visits_in(const BinaryTree& tree, const ploc::TriangleView& triangles) {
  u64 sum = 0;
  if (!tree.nodes.empty())
    HostBuildMachine().each_lane<CountVisits>("count visits", kSampleRays, triangles,
                                              tree.nodes.data(), tree.order.data(), &sum);
  return sum;
}

}  // namespace ballotcast::detail
