#include "view/facts.hpp"

#include <cmath>

#include "ballotcast/tables.hpp"
#include "image/srgb.hpp"
#include "kernels/shadings/visits.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

Json camera_json(const Camera& camera) {
  return {{"eye", json_of(camera.eye)},  {"look_at", json_of(camera.look_at)},
          {"up", json_of(camera.up)},    {"fov", camera.fov},
          {"lens", camera.lens},         {"focus", camera.focus},
          {"ortho", camera.ortho_height}};
}

template <class Rows>
Json choices_in(const Rows& rows) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back({{"name", row.name}, {"summary", row.summary}});
  return list;
}

/// The colours of heat maps, from the low end to the high one, by shading.
Json legends() {
  constexpr int kColors = 64;
  Json visits = Json::array(), light = Json::array(), grey = Json::array();
  for (int i = 0; i < kColors; ++i) {
    const float part = static_cast<float>(i) / (kColors - 1);
    const vec3 color = VisitsShading::heat(part) * 255.0f;
    visits.push_back({std::lround(color.x), std::lround(color.y), std::lround(color.z)});
    const int level = static_cast<int>(std::lround((1.0f - part) * 255.0f));
    grey.push_back({level, level, level});
    const u8 open = srgb_code(part, srgb_threshold_table().data());
    light.push_back({open, open, open});
  }
  return {{"visits", visits}, {"depth", grey}, {"ao", light}};
}

/// The atomics on global memory that the cast has issued, where the counter tells; else null.
Json atomics_issued(const CastOptions& cast, const CastCounts& counts) {
  const CastChoice choice(cast);
  const StrategyInfo& strategy = *choice.strategy;
  if (strategy.atomics_per == AtomicsPer::none) return 0;
  const Counts counted = counts_of(choice);
  if ((strategy.atomics_per == AtomicsPer::lane && counted == Counts::rays) ||
      (strategy.atomics_per == AtomicsPer::block && counted == Counts::blocks))
    return counts.counter;
  return nullptr;
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

  // Which strategies each pipeline can use.
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
          {"camera_moves", show.last_frame() > 0 && !show.options().camera.eye},
          {"shading", settings.shading},
          {"exposure", settings.exposure ? Json(*settings.exposure) : Json()},
          {"device", show.device()},
          {"description", show.device_description()},
          {"is_gpu", device_of(renderer).backend->has_pipelines && device_of(renderer).has_times()},
          {"remarks", show.remarks()},
          {"layout", prepared_of(renderer).encoded.layout->name},
          {"builder", prepared_of(renderer).builder.name()},
          {"levels", prepared_of(renderer).statistics.depth},
          {"shadings", choices_in(ballotcast::shadings())},
          {"pipelines", choices_in(ballotcast::pipelines())},
          {"strategies", choices_in(ballotcast::strategies())},
          {"layouts", choices_in(ballotcast::layouts())},
          {"builders", choices_in(ballotcast::builders())},
          {"legends", legends()},
          {"takes", takes_of}};
}

Json facts_of(const Wish& wish, const Renderer& renderer, const Frame& frame, double milliseconds) {
  const RenderSettings& s = frame.settings;
  Json stages = Json::object();
  double casting = 0.0;
  for (const StageTime& stage : frame.stages) {
    stages[stage.name] = stage.milliseconds;
    if (stage.name == "closest hits" || stage.name == "occlusion") casting += stage.milliseconds;
  }
  return {{"number", wish.number},
          {"width", s.width},
          {"height", s.height},
          {"samples", s.samples},
          {"shading", s.shading},
          {"exposure", frame.exposure},
          {"white", json_of(frame.white)},
          {"camera", camera_json(complete(s.camera))},
          {"device", renderer.device()},
          {"pipeline", s.cast.pipeline},
          {"atomics_name", s.cast.atomics},
          {"loop", s.cast.loop},
          {"block_size", s.cast.block_size},
          {"layout", prepared_of(renderer).encoded.layout->name},
          {"builder", prepared_of(renderer).builder.name()},
          {"ms", milliseconds},
          {"casting_ms", casting},
          {"stages", stages},
          {"rays", frame.counts.rays},
          {"passes", frame.counts.passes},
          {"counter", frame.counts.counter},
          {"atomics", atomics_issued(s.cast, frame.counts)},
          {"losses", renderer.losses()}};
}

}  // namespace ballotcast::detail
