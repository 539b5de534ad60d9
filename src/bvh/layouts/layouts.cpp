#include "bvh/layouts/layout.hpp"
#include "bvh/layouts/table.hpp"

namespace ballotcast {

std::vector<TriangleRows> rows_in_leaf_order(const Bvh2& tree, const Mesh& mesh) {
  std::vector<TriangleRows> rows;
  rows.reserve(tree.order.size());
  for (const u32 id : tree.order) {
    const uvec3 corners = mesh.triangles[id];
    const vec3 a = mesh.positions[corners.x], b = mesh.positions[corners.y],
               c = mesh.positions[corners.z];
    const float tag = float_of(id);
    rows.push_back({{{a.x, b.x, c.x, tag}, {a.y, b.y, c.y, tag}, {a.z, b.z, c.z, tag}}});
  }
  return rows;
}

EncodedBvh encode(std::string_view name, const Bvh2& tree, const Mesh& mesh) {
  EncodedBvh encoded;
  dispatch(Layouts{}, "layout", name, [&](auto tag) {
    using Layout = typename decltype(tag)::type;
    encoded.layout = Layout::info.name;
    encoded.nodes = Layout::encode_nodes(tree);
  });
  encoded.triangles = rows_in_leaf_order(tree, mesh);
  return encoded;
}

std::vector<LayoutInfo> layouts() { return rows_of(Layouts{}); }

}  // namespace ballotcast
