#include <cstring>

#include "bvh/layouts/bvh2/layout.hpp"

namespace ballotcast::bvh2 {

namespace {

struct Child {
  Aabb box;
  u32 reference = kAbsent;
};

Node make_node(const Child& a, const Child& b, u32 parent) {
  return {{a.box.low.x, a.box.high.x, a.box.low.y, a.box.high.y},
          {b.box.low.x, b.box.high.x, b.box.low.y, b.box.high.y},
          {a.box.low.z, a.box.high.z, b.box.low.z, b.box.high.z},
          {a.reference, b.reference, parent, 0}};
}

/// Inner nodes keep their relative order, so the result is depth first as the tree is.
std::vector<Node> encode(const Bvh2& tree) {
  if (tree.nodes.empty()) return {make_node({}, {}, 0)};
  std::vector<u32> index_of(tree.nodes.size(), 0);
  u32 inner = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    if (!tree.nodes[i].is_leaf()) index_of[i] = inner++;
  const auto child_of = [&](u32 i) -> Child {
    const Node2& n = tree.nodes[i];
    return {n.box, n.is_leaf() ? leaf_reference(n.first, n.count) : index_of[i]};
  };
  if (inner == 0) return {make_node(child_of(0), {}, 0)};  // the root itself is a leaf

  std::vector<Node> nodes(inner);
  std::vector<u32> parent_of(inner, 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Node2& n = tree.nodes[i];
    if (n.is_leaf()) continue;
    const u32 self = index_of[i];
    for (const u32 child : {n.first, n.first + 1})
      if (!tree.nodes[child].is_leaf()) parent_of[index_of[child]] = self;
    nodes[self] = make_node(child_of(n.first), child_of(n.first + 1), parent_of[self]);
  }
  return nodes;
}

}  // namespace

std::vector<NodeBytes> Layout::encode_nodes(const Bvh2& tree) {
  static_assert(sizeof(Node) == sizeof(NodeBytes));
  const std::vector<Node> nodes = encode(tree);
  std::vector<NodeBytes> bytes(nodes.size());
  std::memcpy(static_cast<void*>(bytes.data()), nodes.data(), nodes.size() * sizeof(Node));
  return bytes;
}

}  // namespace ballotcast::bvh2
