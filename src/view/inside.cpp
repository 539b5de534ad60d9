#include "view/inside.hpp"

#include <algorithm>

#include "backends/dispatch.hpp"
#include "kernels/strategies/strategy.hpp"
#include "render/explain.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "support/json.hpp"
#include "view/facts.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kSquare = 16;  // pixels per side: the rays of a block of 256 lanes

/// A part of a tree that is not yet taken apart: a reference and its box.
struct OpenBox {
  u32 reference;
  Aabb box;
};

/// Replaces nodes by their children, level by level.
template <class Layout>
LevelOfBoxes level_of(const typename Layout::Node* nodes, const TreeShape& shape, const Aabb& all,
                      u32 level) {
  LevelOfBoxes out;
  std::vector<OpenBox> open{{shape.root, all}};
  for (; out.level < level; ++out.level) {
    std::vector<OpenBox> below;
    bool deeper = false;
    for (const OpenBox& one : open) {
      if (!is_node(one.reference)) {
        below.push_back(one);
        continue;
      }
      deeper = true;
      const ChildBoxes children = Layout::boxes(nodes, one.reference, shape);
      for (u32 side = 0; side < 2; ++side)
        if (is_somewhere(children.reference[side]))
          below.push_back({children.reference[side], children.box[side]});
    }
    if (!deeper) break;
    if (below.size() > kMostBoxes) {
      out.whole = false;
      break;
    }
    open = std::move(below);
  }
  for (const OpenBox& one : open) out.boxes.push_back(one.box);
  return out;
}

}  // namespace

LevelOfBoxes boxes_of_level(const Renderer& renderer, u32 level) {
  const PreparedScene& prepared = prepared_of(renderer);
  const SceneArrays& arrays = prepared.arrays;
  LevelOfBoxes out;
  dispatch_layout(prepared.encoded.layout, [&](auto tag) {
    using Layout = typename decltype(tag)::type;
    const bool instanced = arrays.worlds != nullptr;
    const auto* nodes = reinterpret_cast<const typename Layout::Node*>(
        instanced ? arrays.upper_nodes : arrays.nodes);
    const TreeShape& shape = instanced ? arrays.worlds[0].frame.shape : arrays.shape;
    out = level_of<Layout>(nodes, shape, prepared.bounds, level);
  });
  return out;
}

Json explained_pixel(Renderer& renderer, const RenderSettings& settings, u32 x, u32 y) {
  const ExplainReport report =
      explained(renderer, renderer.pixel_ray(settings, x, y), RayKind::closest);
  return {{"text", explain_text(report)}, {"explanation", Json::parse(explain_json(report))}};
}

Json lanes_of_block(Renderer& emulated, const RenderSettings& settings, u32 x, u32 y) {
  std::vector<Ray> rays;
  Json visits = Json::array();
  const auto inside = [](u32 at, u32 step, u32 size) { return std::min(at + step, size - 1u); };
  const u32 left = x - std::min(x, kSquare / 2), top = y - std::min(y, kSquare / 2);
  for (u32 row = 0; row < kSquare; ++row)
    for (u32 column = 0; column < kSquare; ++column) {
      rays.push_back(emulated.pixel_ray(settings, inside(left, column, settings.width),
                                        inside(top, row, settings.height)));
      visits.push_back(explain(prepared_of(emulated), rays.back(), RayKind::closest).leaves());
    }
  CastOptions options;
  options.pipeline = "passes";
  options.atomics = settings.cast.atomics;
  options.block_size = kSquare * kSquare;
  std::vector<Hit> hits(rays.size());
  const CastCounts counts = emulated.closest(rays, hits, options);
  const StrategyInfo& strategy = *CastChoice(options).strategy;
  return {{"columns", kSquare},
          {"left", left},
          {"top", top},
          {"visits", visits},
          {"atomics_name", strategy.name},
          {"atomics_per", name_of(strategy.atomics_per)},
          {"passes", counts.passes},
          {"counter", counts.counter}};
}

}  // namespace ballotcast::detail
