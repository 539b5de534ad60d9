// How a wide tree is made from a binary one, once it is planned (plans.hpp).
//
// The top is made first, until there are enough subtrees for all threads. Each of these is made by
// itself; then all are joined.
#include <algorithm>
#include <array>

#include "bvh/layouts/table.hpp"
#include "bvh/wide/plans.hpp"

namespace ballotcast::detail {

namespace {

using namespace wide;

/// The number of subtrees that are made by themselves.
constexpr std::size_t kPieces = 128;

/// A part of the wide tree. References count from its own beginning.
struct Piece {
  std::vector<WideNode> nodes;
  std::vector<TriangleBlock> blocks;
};

void set_child(WideNode& node, u32 slot, const Aabb& box, u32 reference) {
  node.side[kLowX][slot] = box.low.x, node.side[kHighX][slot] = box.high.x;
  node.side[kLowY][slot] = box.low.y, node.side[kHighY][slot] = box.high.y;
  node.side[kLowZ][slot] = box.low.z, node.side[kHighZ][slot] = box.high.z;
  node.child[slot] = reference;
}

template <class Layout>
class Widening {
 public:
  explicit Widening(const TreeInLayout& tree)
      : root_(tree.shape.root), triangles_(tree.triangles), plans_(tree) {}

  WideTree run() {
    if (!is_somewhere(root_)) return {};
    Piece top;
    std::vector<Subtree> rest;
    const u32 root = make_top(top, rest);
    std::vector<Piece> pieces(rest.size());
    std::vector<u32> roots(rest.size());
    for_each_index<std::size_t>(rest.size(),
                                [&](std::size_t i) { roots[i] = make(rest[i], pieces[i]); });
    return joined(top, root, pieces, roots);
  }

 private:
  static WideNode empty_node() {
    WideNode node;
    for (u32 slot = 0; slot < kWidth; ++slot) set_child(node, slot, Aabb(), kNowhere);
    return node;
  }

  /// Makes the subtree, and returns its reference.
  u32 make(const Subtree& tree, Piece& piece) const {
    if (plans_.becomes_leaf(tree.reference)) return make_leaf(tree.reference, piece);
    const auto index = static_cast<u32>(piece.nodes.size());
    piece.nodes.push_back(empty_node());
    const Subtrees children = plans_.children_of_wide(tree.reference);
    for (u32 slot = 0; slot < children.count; ++slot) {
      const u32 child = make(children.list[slot], piece);
      set_child(piece.nodes[index], slot, children.list[slot].box, child);
    }
    return index;
  }

  u32 make_leaf(u32 reference, Piece& piece) const {
    std::array<const TriangleRows*, kInBlock> rows;
    u32 count = 0;
    gather(reference, rows, count);
    TriangleBlock& block = piece.blocks.emplace_back();
    for (u32 lane = 0; lane < count; ++lane) block.set(lane, *rows[lane]);
    return leaf_reference(static_cast<u32>(piece.blocks.size()) - 1u, 1u);
  }

  /// Collects the triangles of a subtree, each once.
  void gather(u32 reference, std::array<const TriangleRows*, kInBlock>& rows, u32& count) const {
    if (is_node(reference)) {
      const ChildBoxes children = plans_.children_of(reference);
      for (const u32 child : children.reference) gather(child, rows, count);
    } else if (is_leaf(reference)) {
      for (u32 k = 0; k < leaf_count(reference); ++k) {
        const TriangleRows& t = triangles_[leaf_first(reference) + k];
        const auto is_it = [&](const TriangleRows* other) {
          return other->row[0].id == t.row[0].id;
        };
        if (std::none_of(rows.begin(), rows.begin() + count, is_it)) rows[count++] = &t;
      }
    }
  }

  /// Makes nodes level by level, until there are kPieces subtrees or none. In the nodes made so
  /// far, a subtree that is still to be made is the reference of a leaf: its place in `rest`.
  u32 make_top(Piece& top, std::vector<Subtree>& rest) const {
    std::vector<Subtree> level = {{root_, {}}};
    struct NodeSlot {
      u32 node, slot;
    };
    std::vector<NodeSlot> places = {{kNowhere, 0}};
    u32 root = kNowhere;
    const auto put = [&](const NodeSlot& place, u32 reference) {
      if (place.node == kNowhere)
        root = reference;
      else
        top.nodes[place.node].child[place.slot] = reference;
    };
    bool made = true;
    while (made && level.size() < kPieces) {
      made = false;
      std::vector<Subtree> next;
      std::vector<NodeSlot> next_places;
      for (std::size_t i = 0; i < level.size(); ++i) {
        if (plans_.becomes_leaf(level[i].reference)) {
          next.push_back(level[i]);
          next_places.push_back(places[i]);
          continue;
        }
        made = true;
        const auto index = static_cast<u32>(top.nodes.size());
        top.nodes.push_back(empty_node());
        put(places[i], index);
        const Subtrees children = plans_.children_of_wide(level[i].reference);
        for (u32 slot = 0; slot < children.count; ++slot) {
          set_child(top.nodes[index], slot, children.list[slot].box, kNowhere);
          next.push_back(children.list[slot]);
          next_places.push_back({index, slot});
        }
      }
      level.swap(next);
      places.swap(next_places);
    }
    rest = std::move(level);
    for (std::size_t i = 0; i < rest.size(); ++i)
      put(places[i], leaf_reference(static_cast<u32>(i), 1u));
    return root;
  }

  WideTree joined(const Piece& top, u32 root, const std::vector<Piece>& pieces,
                  const std::vector<u32>& roots) const {
    std::vector<u32> first_node(pieces.size()), first_block(pieces.size());
    std::size_t nodes = top.nodes.size(), blocks = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      first_node[i] = static_cast<u32>(nodes);
      first_block[i] = static_cast<u32>(blocks);
      nodes += pieces[i].nodes.size();
      blocks += pieces[i].blocks.size();
    }
    WideTree out;
    out.nodes = Array<WideNode>::unset(nodes);
    out.blocks = Array<TriangleBlock>::unset(blocks);
    const auto root_of = [&](u32 place) {
      const u32 i = leaf_first(place);
      return moved_reference(roots[i], first_node[i], first_block[i]);
    };
    out.root = is_node(root) ? root : root_of(root);
    WideNode* const to_nodes = out.nodes.data();
    TriangleBlock* const to_blocks = out.blocks.data();
    for (std::size_t i = 0; i < top.nodes.size(); ++i) {
      to_nodes[i] = top.nodes[i];
      for (u32& child : to_nodes[i].child)
        if (is_leaf(child)) child = root_of(child);
    }
    for_each_index<std::size_t>(pieces.size(), [&](std::size_t i) {
      WideNode* node = to_nodes + first_node[i];
      for (const WideNode& made : pieces[i].nodes) {
        *node = made;
        for (u32& child : node->child)
          child = moved_reference(child, first_node[i], first_block[i]);
        ++node;
      }
      std::copy(pieces[i].blocks.begin(), pieces[i].blocks.end(), to_blocks + first_block[i]);
    });
    return out;
  }

  const u32 root_;
  const TriangleRows* triangles_;
  const Plans<Layout> plans_;
};

}  // namespace

WideTree widened(const TreeInLayout& tree) {
  WideTree out;
  dispatch_row(Layouts{}, tree.layout,
               [&](auto tag) { out = Widening<typename decltype(tag)::type>(tree).run(); });
  return out;
}

}  // namespace ballotcast::detail
