#include <algorithm>

#include "render/explain.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Resolves the options for pipeline queue. Throws UsageError for strategies that this pipeline
/// can't use.
CastChoice queue_choice(CastOptions options) {
  options.pipeline = "queue";
  options.loop = "host";
  return CastChoice(options);
}

std::string head_of_pass(std::size_t pass, std::size_t rays) {
  return "pass " + std::to_string(pass) + ": " + counted(rays, "ray");
}

}  // namespace

Queues queues_of(ResidentRays& rays, CastChoice choice) {
  choice.loop = Loop{Loop::Who::host, 1};
  Queues queues;
  CastChecks checks;
  checks.on_queue = [&](u32, const std::vector<u32>& ids) { queues.push_back(ids); };
  rays.cast(choice, checks);
  return queues;
}

Queues queues_of_picture(const Renderer& renderer, const RenderSettings& picture, RayKind kind,
                         const CastOptions& options) {
  const CastChoice choice = queue_choice(options);
  const DeviceChoice& device = device_of(renderer);
  if (device.is_shared())
    throw UsageError("queues are those of one machine, not of " + device.name());
  if (!device.backend->has_pipelines)
    throw UsageError("device " + device.name() +
                     " casts without queues; cuda and emulated have some");
  const PreparedScene& scene = prepared_of(renderer);
  const u32 width = picture.width, height = picture.height;
  const CameraView view = make_view(camera_for(scene, picture.camera, width, height),
                                    scene_of(renderer).origin, width, height);
  std::vector<Ray> rays;
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x)
      rays.push_back(ray_through(view, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f));
  const auto resident = device.upload(scene, {});
  return queues_of(*resident->keep(kind, rays.data(), static_cast<u32>(rays.size())), choice);
}

std::string queues_text(const Queues& queues) {
  constexpr std::size_t kInLine = 8;
  std::string text;
  for (std::size_t pass = 0; pass < queues.size(); ++pass) {
    const std::vector<u32>& ids = queues[pass];
    text += head_of_pass(pass, ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      text += (i % kInLine == 0 ? "\n  " : " ") + std::to_string(ids[i]);
    text += "\n";
  }
  return text;
}

std::string place_in_queues_text(const Queues& queues, u32 ray) {
  std::string text;
  for (std::size_t pass = 0; pass < queues.size(); ++pass) {
    const std::vector<u32>& ids = queues[pass];
    const auto at = std::find(ids.begin(), ids.end(), ray);
    if (at == ids.end()) return text + head_of_pass(pass, ids.size()) + ", not this one\n";
    text += head_of_pass(pass, ids.size()) + ", this one at place " +
            std::to_string(at - ids.begin()) + "\n";
  }
  return text;
}

std::string queues_json(const Queues& queues, const CastOptions& options) {
  const CastOptions used = queue_choice(options).options();
  return text_of({{"pipeline", used.pipeline},
                  {"atomics", used.atomics},
                  {"order", used.order},
                  {"block_size", used.block_size},
                  {"passes", queues}});
}

}  // namespace ballotcast::detail
