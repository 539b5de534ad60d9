#include "bench/builds/tree_check.hpp"

#include <algorithm>

#include "bvh/validate.hpp"

namespace ballotcast::detail {

namespace {

/// Says which byte of two blocks of memory differs first, or "". `what` names the blocks.
std::string difference_of(const std::string& what, const void* got, u64 got_bytes,
                          const void* expected, u64 expected_bytes) {
  if (got_bytes != expected_bytes)
    return what + " take " + std::to_string(got_bytes) + " bytes, the host's " +
           std::to_string(expected_bytes);
  const auto* const a = static_cast<const u8*>(got);
  const auto* const b = static_cast<const u8*>(expected);
  const auto at = static_cast<u64>(std::mismatch(a, a + got_bytes, b).first - a);
  return at == got_bytes ? ""
                         : what + " differ from the host's at byte " + std::to_string(at) + " of " +
                               std::to_string(got_bytes);
}

}  // namespace

std::string defect_of_built(const BinaryTree& tree, const EncodedBvh& encoded,
                            const EncodedBvh& expected, const Mesh& mesh, const Copies& copies) {
  if (const std::string defect = defect_of(tree, mesh, copies); !defect.empty())
    return "the tree is not sound: " + defect;
  if (encoded.layout != expected.layout) return "the tree is in another layout than asked for";
  const auto rows_of = [](const EncodedBvh& t) {
    return t.triangles.size() * sizeof(TriangleRows);
  };
  std::string defect = difference_of("its nodes", encoded.nodes.data(), encoded.bytes,
                                     expected.nodes.data(), expected.bytes);
  if (defect.empty())
    defect = difference_of("its triangles", encoded.triangles.data(), rows_of(encoded),
                           expected.triangles.data(), rows_of(expected));
  if (defect.empty())
    defect = difference_of("its root, depth and grid", &encoded.shape, sizeof encoded.shape,
                           &expected.shape, sizeof expected.shape);
  return defect;
}

}  // namespace ballotcast::detail
