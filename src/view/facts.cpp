#include "view/facts.hpp"

#include <algorithm>
#include <cmath>

#include "ballotcast/tables.hpp"
#include "bvh/layouts/layouts.hpp"
#include "image/color.hpp"
#include "kernels/shadings/visits.hpp"
#include "kernels/strategies/strategy.hpp"
#include "render/explain.hpp"
#include "render/internals.hpp"
#include "render/setting_tables.hpp"
#include "render/settings.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

Json camera_json(const Camera& camera) {
  return {{"eye", json_of(camera.eye)},
          {"look_at", json_of(camera.look_at)},
          {"up", json_of(camera.up)},
          {"fov", camera.fov},
          {"lens", camera.lens},
          {"focus", camera.focus},
          {"ortho", camera.ortho_height},
          {"aspect", camera.pixel_aspect},
          {"shift", {camera.shift_x, camera.shift_y}},
          {"curvilinear",
           camera.projection != Projection::perspective || camera.distortion != Distortion{}}};
}

/// The settings of tree and kernels that have a menu on the page, each with its values and the
/// value that is used unless the page requests another.
Json choices_of_casts(const CastSettings& used) {
  Json list = Json::array();
  for (const CastSetting& row : cast_settings())
    if (row.part != CastPart::machine && !row.menu.empty())
      list.push_back({{"name", row.name},
                      {"words", row.words()},
                      {"rows", names_and_summaries(row.menu)},
                      {"preset", row.text(used)}});
  return list;
}

/// The legends of heat maps: for each shading, its colours from the lowest value to the highest.
Json legends() {
  constexpr int kColors = 64;
  Json visits = Json::array(), light = Json::array(), grey = Json::array();
  for (int i = 0; i < kColors; ++i) {
    const float share = static_cast<float>(i) / (kColors - 1);
    const vec3 color = VisitsShading::heat(share) * 255.0f;
    visits.push_back({std::lround(color.x), std::lround(color.y), std::lround(color.z)});
    const int level = static_cast<int>(std::lround((1.0f - share) * 255.0f));
    grey.push_back({level, level, level});
    const u8 open = srgb_code(share, srgb_threshold_table().data());
    light.push_back({open, open, open});
  }
  return {{"visits", visits}, {"depth", grey}, {"ao", light}};
}

/// The number of atomics on global memory that a cast has issued; null if its counter does not
/// count them.
Json atomics_issued(const CastOptions& cast, const CastCounts& counts) {
  const CastChoice choice(cast);
  const StrategyInfo& strategy = *choice.strategy;
  if (strategy.atomics_per == AtomicsPer::none) return 0;
  const CounterMeaning counter = counter_meaning_of(choice);
  if ((strategy.atomics_per == AtomicsPer::lane && counter == CounterMeaning::rays) ||
      (strategy.atomics_per == AtomicsPer::block && counter == CounterMeaning::blocks))
    return counts.counter;
  return nullptr;
}

// Pixels per side of the square whose rays the 256 lanes of a block cast
constexpr u32 kSquare = 16;

/// A node whose children have not been visited yet: its reference and its box.
struct OpenBox {
  u32 reference;
  Aabb box;
};

/// The boxes of the deepest requested level that has few enough. Replaces nodes by their children,
/// level by level.
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

std::string_view name_of(AtomicsPer atomics_per) {
  switch (atomics_per) {
    case AtomicsPer::none:
      return "none";
    case AtomicsPer::lane:
      return "lane";
    case AtomicsPer::warp:
      return "warp";
    case AtomicsPer::block:
      return "block";
    case AtomicsPer::cluster:
      return "cluster";
    case AtomicsPer::varies:
      break;
  }
  return "";
}

Json facts_of(const Show& show, const Renderer& renderer) {
  const SceneData& scene = show.scene();
  RenderSettings settings;
  settings.camera = show.options().camera;
  settings = renderer.resolved(settings);

  // For each pipeline, the names of the strategies that it can use.
  Json takes_of = Json::object();
  for (const Choice& pipeline : ballotcast::pipelines()) {
    takes_of[pipeline.name] = Json::array();
    for (const Choice& strategy : ballotcast::strategies())
      if (takes(pipeline.name, strategy.name)) takes_of[pipeline.name].push_back(strategy.name);
  }
  return {{"name", scene.name},
          {"files", scene.files},
          {"warnings", scene.warnings},
          {"triangles", scene.triangle_count()},
          {"origin", json_of(scene.origin)},
          {"last_frame", show.last_frame()},
          {"camera", camera_json(complete(settings.camera))},
          {"frames_per_second", show.options().scene.frames_per_second},
          {"camera_moves", show.last_frame() > 0 && scene.camera && !show.options().camera.eye},
          {"shading", settings.shading},
          {"exposure", settings.exposure ? Json(*settings.exposure) : Json()},
          {"device", show.device()},
          {"description", show.device_description()},
          {"is_gpu", device_of(renderer).backend->has_pipelines && device_of(renderer).has_times()},
          {"remarks", show.remarks()},
          {"levels", prepared_of(renderer).statistics.depth},
          {"shadings", names_and_summaries(ballotcast::shadings())},
          {"choices", choices_of_casts(settings_used(renderer, {show.options().renderer}))},
          {"legends", legends()},
          {"takes", takes_of}};
}

Json facts_of(const PictureRequest& request, const Renderer& renderer, const Frame& frame,
              double milliseconds) {
  const RenderSettings& s = frame.settings;
  Json stages = Json::object();
  double casting = 0.0;
  for (const StageTime& stage : frame.stages) {
    stages[stage.name] = stage.milliseconds;
    if (stage.name == "closest hits" || stage.name == "occlusion") casting += stage.milliseconds;
  }
  Json facts = {{"number", request.number},
                {"width", s.width},
                {"height", s.height},
                {"samples", s.samples},
                {"shading", s.shading},
                {"exposure", frame.exposure},
                {"white", json_of(frame.white)},
                {"camera", camera_json(complete(s.camera))},
                {"device", renderer.device()},
                {"ms", milliseconds},
                {"casting_ms", casting},
                {"stages", stages},
                {"rays", frame.counts.rays},
                {"passes", frame.counts.passes},
                {"counter", frame.counts.counter},
                {"atomics", atomics_issued(s.cast, frame.counts)},
                {"losses", renderer.losses()}};
  const CastSettings used = settings_used(renderer, {{}, s.cast});
  for (const CastSetting& row : cast_settings())
    if (row.part != CastPart::machine) facts["how"][std::string(row.key)] = json_of(row, used);
  return facts;
}

LevelOfBoxes boxes_of_level(const Renderer& renderer, u32 level) {
  const PreparedScene& prepared = prepared_of(renderer);
  const SceneArrays& arrays = prepared.arrays;
  LevelOfBoxes out;
  dispatch_row(Layouts{}, prepared.encoded.layout, [&](auto tag) {
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
  const ExplainReport report = explained(renderer, renderer.pixel_ray(settings, x, y),
                                         RayKind::closest, 0, {settings.sides});
  return {{"text", explain_text(report)}, {"explanation", Json::parse(explain_json(report))}};
}

Json lanes_of_block(Renderer& emulated, const RenderSettings& settings, u32 x, u32 y) {
  std::vector<Ray> rays;
  Json visits = Json::array();
  const RayFilter filter{settings.sides};
  const auto inside = [](u32 at, u32 step, u32 size) { return std::min(at + step, size - 1u); };
  const u32 left = x - std::min(x, kSquare / 2), top = y - std::min(y, kSquare / 2);
  for (u32 row = 0; row < kSquare; ++row)
    for (u32 column = 0; column < kSquare; ++column) {
      rays.push_back(emulated.pixel_ray(settings, inside(left, column, settings.width),
                                        inside(top, row, settings.height)));
      visits.push_back(
          explain(prepared_of(emulated), rays.back(), RayKind::closest, 0, {filter}).leaves());
    }
  CastOptions options;
  options.pipeline = "passes";
  options.atomics = settings.cast.atomics;
  options.block_size = kSquare * kSquare;
  std::vector<Hit> hits(rays.size());
  const CastCounts counts = emulated.closest(rays, hits, options, {}, filter);
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
