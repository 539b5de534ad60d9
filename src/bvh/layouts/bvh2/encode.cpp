#include "bvh/layouts/bvh2/layout.hpp"
#include "bvh/layouts/inner_nodes.hpp"

namespace ballotcast::detail::bvh2 {

namespace {

struct Child {
  Aabb box;
  u32 reference = kNowhere;
};

Node make_node(const Child& a, const Child& b, u32 parent) {
  return {{a.box.low.x, a.box.high.x, a.box.low.y, a.box.high.y},
          {b.box.low.x, b.box.high.x, b.box.low.y, b.box.high.y},
          {a.box.low.z, a.box.high.z, b.box.low.z, b.box.high.z},
          {a.reference, b.reference, parent, 0}};
}

std::vector<Node> nodes_of(const BinaryTree& tree) {
  // A missing child has an empty box, so no walk ever enters it.
  if (tree.nodes.empty()) return {make_node({}, {}, 0)};
  const InnerNodes inner(tree);
  const auto child_of = [&](u32 i) -> Child { return {tree.nodes[i].box, inner.reference(i)}; };
  if (inner.count() == 0) return {make_node(child_of(0), {}, 0)};  // the root itself is a leaf

  std::vector<Node> nodes(inner.count());
  std::vector<u32> parent_of(inner.count(), 0);
  for (u32 i = 0; i < tree.nodes.size(); ++i) {
    const Node2& n = tree.nodes[i];
    if (n.is_leaf()) continue;
    const u32 self = inner.index(i);
    for (const u32 child : {n.first, n.first + 1})
      if (!tree.nodes[child].is_leaf()) parent_of[inner.index(child)] = self;
    nodes[self] = make_node(child_of(n.first), child_of(n.first + 1), parent_of[self]);
  }
  return nodes;
}

}  // namespace

EncodedNodes Layout::encode(const BinaryTree& tree, float) {
  return encoded_nodes(nodes_of(tree), {vec3(0.0f), vec3(0.0f), 0u, std::max(1u, depth_of(tree))});
}

}  // namespace ballotcast::detail::bvh2
