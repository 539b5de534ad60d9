#include "render/renderer.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/pipelines/table.hpp"
#include "kernels/shadings/table.hpp"
#include "kernels/strategies/table.hpp"
#include "render/framing.hpp"
#include "render/preview.hpp"
#include "support/float_environment.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

void require_sensible(const RenderSettings& settings, u32 samples) {
  const std::string size = std::to_string(settings.width) + "x" + std::to_string(settings.height);
  if (settings.width == 0 || settings.height == 0)
    throw UsageError("size " + size + ": both sides must be at least 1");
  if (settings.width > kLargestSide || settings.height > kLargestSide ||
      u64{settings.width} * settings.height > kMostPixels)
    throw UsageError("size " + size + ": at most 32768 a side and 2^28 pixels in all");
  if (samples > kMostSamples)
    throw UsageError(std::to_string(samples) + " samples a pixel: the most is " +
                     std::to_string(kMostSamples));
  if (settings.bounces > kMostBounces)
    throw UsageError(std::to_string(settings.bounces) + " bounces: the most is " +
                     std::to_string(kMostBounces));
  if (settings.exposure && !(*settings.exposure >= 0.0f && *settings.exposure <= 1e6f))
    throw UsageError("exposure must lie between 0 and 1e6");
}

}  // namespace

Renderer::Renderer(std::shared_ptr<const SceneData> scene, const RendererOptions& options)
    : choice_(choose_backend(options.device)) {
  const Stopwatch build;
  prepared_ = prepare(std::move(scene), options.builder, options.layout, options.progress);
  times_.build_ms = build.milliseconds();
  scene_memory_ = memory_of(*prepared_);
  budget_ = budget_on(*choice_.backend, options.max_memory);
  if (!budget_.bytes || bytes_of(scene_memory_) <= *budget_.bytes) upload();
}

void Renderer::upload() {
  const Stopwatch upload;
  try {
    resident_ = choice_.backend->upload(*prepared_);
  } catch (const OutOfDeviceMemory& error) {
    throw OutOfDeviceMemory(std::string(error.what()) + "\nthe scene takes:\n" +
                            text_of(scene_memory_));
  }
  times_.upload_ms = upload.milliseconds();
}

/// Does `work` with as many rays under way as fit. What is free can change, and a device has needs
/// of its own: where it turns out to have less, tries again with fewer.
void Renderer::work_within_memory(const MemoryOfWork& memory_of_work,
                                  const std::function<void()>& work) {
  plan_ = plan_memory(scene_memory_, memory_of_work, budget_);
  if (!resident_) upload();
  for (;;) {
    try {
      resident_->set_batch(plan_.at_once);
      return work();
    } catch (const OutOfDeviceMemory& error) {
      const std::optional<MemoryPlan> next = smaller(plan_, scene_memory_, memory_of_work);
      if (!next)
        throw OutOfDeviceMemory(std::string(error.what()) + "\nthe smallest batches take:\n" +
                                text_of(plan_.parts));
      plan_ = *next;
    }
  }
}

CastCounts Renderer::cast(RayKind kind, std::span<const Ray> rays, std::span<Hit> hits,
                          const CastOptions& options) {
  if (rays.size() != hits.size())
    throw UsageError("cast: " + std::to_string(rays.size()) + " rays, but room for " +
                     std::to_string(hits.size()) + " hits");
  const DefaultFloats floats;
  CastCounts counts;
  work_within_memory([&](u32 at_once) { return memory_of_cast(rays.size(), options, at_once); },
                     [&] {
                       counts = resident_->cast(kind, rays.data(), hits.data(), nullptr,
                                                rays.size(), options);
                     });
  return counts;
}

void Renderer::count(std::span<const Ray> rays, std::span<u32> counts) {
  if (rays.size() != counts.size())
    throw UsageError("count: " + std::to_string(rays.size()) + " rays, but room for " +
                     std::to_string(counts.size()) + " counts");
  const DefaultFloats floats;
  work_within_memory([&](u32 at_once) { return memory_of_crossings(rays.size(), at_once); },
                     [&] { resident_->count_crossings(rays.data(), counts.data(), rays.size()); });
}

AllHits Renderer::all(std::span<const Ray> rays) {
  std::vector<u32> counts(rays.size());
  count(rays, counts);
  AllHits out;
  out.starts.assign(1, 0);
  out.starts.reserve(rays.size() + 1);
  for (const u32 n : counts) out.starts.push_back(out.starts.back() + n);
  out.hits.resize(out.starts.back());
  const DefaultFloats floats;
  work_within_memory(
      [&](u32 at_once) { return memory_of_crossings(rays.size(), at_once); },
      [&] { resident_->crossings(rays.data(), out.starts.data(), out.hits.data(), rays.size()); });
  return out;
}

CastCounts Renderer::closest(std::span<const Ray> rays, std::span<Hit> hits,
                             const CastOptions& options) {
  return cast(RayKind::closest, rays, hits, options);
}

CastCounts Renderer::any(std::span<const Ray> rays, std::span<Hit> hits,
                         const CastOptions& options) {
  return cast(RayKind::any, rays, hits, options);
}

Camera Renderer::camera_for(const std::optional<Camera>& stated, u32 width, u32 height) const {
  if (stated) return *stated;
  if (scene().camera) return *scene().camera;
  const DefaultFloats floats;
  return frame_scene(prepared(), double(width) / height);
}

Frame Renderer::render(const RenderSettings& settings, const ProgressReport& report) {
  const DefaultFloats floats;
  FrameSettings frame = frame_of(scene(), settings);
  const Camera camera = camera_for(settings.camera, settings.width, settings.height);
  frame.camera = make_view(camera, scene().origin, settings.width, settings.height);
  // What is too large for the device is refused before a preview is drawn.
  plan_memory(
      scene_memory_, [&](u32 at_once) { return memory_of_frame(frame, settings.cast, at_once); },
      budget_);
  if (shading_called(frame.shading).encoding == Encoding::light) {
    const std::optional<float> stated = settings.exposure ? settings.exposure : scene().exposure;
    frame.exposure = stated ? *stated : choose_exposure(draw_preview(frame, camera, settings.cast));
  }
  return draw(frame, settings.cast, report);
}

Frame Renderer::draw(const FrameSettings& frame, const CastOptions& options,
                     const ProgressReport& report) {
  Frame drawn;
  work_within_memory([&](u32 at_once) { return memory_of_frame(frame, options, at_once); },
                     [&] { drawn = resident_->draw(frame, options, report); });
  return drawn;
}

/// A small version of `frame`, to judge its light by.
Frame Renderer::draw_preview(FrameSettings frame, const Camera& camera,
                             const CastOptions& options) {
  constexpr double kPixels = 4096.0;
  frame.samples = 16;
  const double pixels = double(frame.width) * frame.height;
  const double rays = std::min(kPixels, pixels) * frame.samples * 2.0 * (1.0 + frame.bounces);
  const double shrink =
      std::min(1.0, std::sqrt(kPixels / pixels)) * preview_scale(prepared(), rays);
  frame.width = std::max(1u, static_cast<u32>(frame.width * shrink));
  frame.height = std::max(1u, static_cast<u32>(frame.height * shrink));
  frame.camera = make_view(camera, scene().origin, frame.width, frame.height);
  frame.keep_hits = true;
  frame.keep_film = true;
  return draw(frame, options, {});
}

FrameSettings frame_of(const SceneData& scene, const RenderSettings& settings) {
  const std::string wish = scene.shading.value_or(std::string(shadings().front().name));
  const ShadingInfo shading =
      shading_called(settings.shading.empty() ? std::string_view(wish) : settings.shading);
  const u32 samples = settings.samples == 0 ? shading.samples : settings.samples;
  require_sensible(settings, samples);
  FrameSettings frame;
  frame.shading = shading.name;
  frame.width = settings.width;
  frame.height = settings.height;
  frame.samples = samples;
  frame.bounces = settings.bounces;
  frame.smooth = settings.smooth && u64{frame.width} * frame.height <= kMostSmoothPixels;
  frame.keep_hits = settings.keep_hits;
  return frame;
}

float choose_exposure(const Frame& frame) {
  constexpr float kTarget = 0.5f;
  const std::size_t samples = frame.film.empty() ? 1 : frame.hits.size() / frame.film.size();
  std::vector<float> luminances;
  for (std::size_t pixel = 0; pixel < frame.film.size(); ++pixel) {
    const auto first = frame.hits.begin() + static_cast<std::ptrdiff_t>(pixel * samples);
    if (!std::any_of(first, first + static_cast<std::ptrdiff_t>(samples),
                     [](const Hit& hit) { return hit.found(); }))
      continue;
    const vec3 c = frame.film[pixel];
    const float luminance = luminance_of(c);
    if (luminance > 0.0f) luminances.push_back(luminance);
  }
  if (luminances.empty()) return 1.0f;
  std::sort(luminances.begin(), luminances.end());
  return clamp_to(kTarget / luminances[luminances.size() * 3 / 4], 1e-4f, 1e4f);
}

ShadingInfo shading_called(std::string_view name) {
  std::optional<ShadingInfo> found;
  dispatch(Shadings{}, "shading", name, [&](auto tag) { found = decltype(tag)::type::info; });
  return *found;
}

std::vector<ShadingInfo> shadings() { return rows_of(Shadings{}); }
std::vector<PipelineInfo> pipelines() { return rows_of(Pipelines{}); }
std::vector<StrategyInfo> strategies() { return rows_of(Strategies{}); }

}  // namespace ballotcast::detail
