// Layouts: how the nodes of a tree are stored in memory for traversal. Each layout is one folder
// here and one row in layouts/layouts.hpp:
//
//   struct Layout {
//     static constexpr LayoutInfo info{"name", "what it is"};
//     struct Node;   // references (children.hpp) are indices into an array of these
//     struct Slabs;  // a ray, prepared for box tests
//     struct Walk;   // 16 bytes: the state of a traversal at a leaf
//     // The nodes and the shape of `tree`, whose coordinates are at most `magnitude` in size.
//     static EncodedNodes encode(const BinaryTree& tree, float magnitude);
//     struct Encoder;  // stores single nodes, on host or device
//     static Slabs slabs_of(const RaySetup&, const Ray&, const TreeShape&);
//     // The distance t of the best hit so far, in the form that box tests compare with.
//     static Limit limit_of(slabs, float t);
//     // The children of a node that the ray enters at a distance up to `limit`. Conservative: no
//     // hit that intersect_triangle accepts is missed; see box_slack.
//     static ChildOrder cross(nodes, node, slabs, limit);
//     // The boxes of a node's children, for traversals without a ray.
//     static ChildBoxes boxes(nodes, node, shape);
//     // A function beside Node: adapts a node for an array of several trees, one after the other.
//     void move_references(Node&, u32 nodes, u32 leaves);
//     // A traversal that visits one leaf after the other, and can be interrupted at each leaf.
//     static Walk start();  static Walk stop();
//     static bool finished(walk);
//     static u32 leaf(nodes, shape, walk);   // the leaf, unless the traversal is finished
//     // Goes on to the next leaf. If there is none, finishes the traversal and returns false.
//     static bool advance(nodes, shape, slabs, limit, walk);
//     // True if the lanes of a warp can test different boxes of one traversal
//     // (kernels/pipelines/warp/three_levels.hpp).
//     static constexpr bool kForGroups;
//     // Only if kForGroups is true: a slot is an index into the children of all nodes.
//     struct Child;  // has the member `reference`
//     static Child child(nodes, slot);
//     static BoxEntry enter(child, slabs, limit);
//     struct Sight;  // converts a child's box into a SeenBox
//     static Sight sight_from(origin, signs, slack, shape);
//     static SeenBox seen(child, sight, kz);
//   };
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bvh/binary_tree.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// A row of the table of layouts.
struct LayoutInfo {
  std::string_view name;
  std::string_view summary;
};

/// The size in bytes of Layout::Walk, the state of a traversal at a leaf, in every layout.
inline constexpr u64 kWalkBytes = 16;

/// Memory for nodes, with the largest alignment that any layout needs.
struct alignas(64) NodeBytes {
  std::byte bytes[64];
};

/// The nodes of a tree in some layout.
struct EncodedNodes {
  Array<NodeBytes> nodes;  // an array of the layout's nodes
  u64 bytes = 0;           // size of this array in bytes
  TreeShape shape{};
};

/// A tree in some layout, ready to be copied to a device.
struct EncodedBvh : EncodedNodes {
  const LayoutInfo* layout = nullptr;  // the row of layouts/layouts.hpp
  LeafForm leaves;
  Array<TriangleRows> triangles;  // in leaf order
};

/// A hash of the nodes and of the triangles in leaf order, as 16 hexadecimal digits. Equal trees
/// have equal hashes on every machine.
std::string hash_of(const EncodedBvh& tree);

/// The row of the layout called `name`, or null for "auto". If no layout has this name, throws
/// UsageError, which lists the layouts.
const LayoutInfo* layout_called(std::string_view name);

/// The layout that `auto` selects for a tree over a mesh whose coordinates have absolute values of
/// at most `magnitude`.
const LayoutInfo* layout_for(const BinaryTree& tree, float magnitude);

/// Encodes `tree` in a layout, or, if `layout` is null, in the layout that `auto` selects. Frees
/// the nodes of the tree before it copies the triangles.
EncodedBvh encode(const LayoutInfo* layout, BinaryTree tree, const Mesh& mesh);

/// Two functions that encode the same tree again after its mesh has changed: the first one stores
/// the triangles; after the boxes of the tree were updated, the second one stores the nodes.
/// `magnitude` is that of the mesh.
void store_triangles_again(EncodedBvh& encoded, const BinaryTree& tree, const Mesh& mesh);
void encode_nodes_again(EncodedBvh& encoded, const BinaryTree& tree, float magnitude);

/// The rows of all layouts; the first is the reference layout.
std::vector<LayoutInfo> layouts();

}  // namespace ballotcast::detail
