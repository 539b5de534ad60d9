#include "ballotcast/renderer.hpp"

#include <algorithm>
#include <cmath>

#include "backends/parts/parts.hpp"
#include "render/framing/lookout.hpp"
#include "render/framing/preview.hpp"
#include "render/internals.hpp"
#include "render/renderer_state.hpp"
#include "render/settings.hpp"
#include "support/float_environment.hpp"
#include "support/profile.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "support/threads/stop.hpp"

namespace ballotcast {

using namespace detail;

namespace detail {

namespace {

std::unique_ptr<MovingScene> motion_of(const Scene& scene, const DeviceChoice& device,
                                       const RendererOptions& options) {
  if (!options.moves) return nullptr;
  return std::make_unique<MovingScene>(*scene.data(), options.builder, options.layout,
                                       options.progress, build_on(device, options.max_memory));
}

std::shared_ptr<const PreparedScene> prepared_for(const Scene& scene, const DeviceChoice& device,
                                                  const RendererOptions& options) {
  return prepare_as_packed(scene.data(), options.builder, options.layout, options.progress,
                           build_on(device, options.max_memory));
}

}  // namespace

RendererState::RendererState(Scene scene_, const RendererOptions& options)
    : scene(std::move(scene_)), device(choose_device(options.device)) {
  instance_masks = scene.data()->masks;
  const Stopwatch build;
  motion = motion_of(scene, device, options);
  prepared = motion ? motion->prepared() : prepared_for(scene, device, options);
  times.build_ms = build.milliseconds();
  scene_memory = memory_of(*prepared);
  budget = budget_on(device, options.max_memory);
  note = device.note;
  cut_scene(options);
  if (!options.strict_devices) report_losses();
  if (!budget.bytes || bytes_of(scene_memory) <= *budget.bytes) {
    upload();
    plan.table = scene_memory;
  }
}

RendererState::RendererState(RendererState& interrupted)
    : scene(interrupted.scene),
      device(interrupted.device),
      motion(std::move(interrupted.motion)),
      prepared(interrupted.prepared),
      parts(std::move(interrupted.parts)),
      note(interrupted.note),
      scene_memory(interrupted.scene_memory),
      budget(interrupted.budget),
      times(interrupted.times),
      losses(interrupted.losses),
      leader_has_all(interrupted.leader_has_all),
      must_follow(interrupted.must_follow),
      instance_masks(interrupted.instance_masks),
      given_losses_(interrupted.given_losses_) {
  if (interrupted.on_loss_) report_losses();
}

void RendererState::report_losses() {
  on_loss_ = [this](const std::string& why) { losses += (losses.empty() ? "" : "\n") + why; };
}

void RendererState::cut_scene(const RendererOptions& options) {
  const u32 count = number_of_parts(device, options.partition, scene_memory, budget);
  if (count == 1) return;
  if (motion) throw UsageError("a scene that moves can't be cut into parts", "partition");
  const Stopwatch build;
  parts = cut_into_parts(prepared, count, build_on(device, options.max_memory));
  times.build_ms += build.milliseconds();
  scene_memory = memory_of(parts, device);
  note += (note.empty() ? "" : "; ") + std::string("the scene is in ") +
          counted(parts.size(), "part") + "; a machine holds up to " +
          bytes_in_words(bytes_of(scene_memory));
}

MemoryPlans RendererState::plans_of_picture(const FrameSettings& frame,
                                            const CastChoice& choice) const {
  const bool in_chunks =
      device.are_of_one_kind() && (device.machines.size() > 1u || device.processes);
  const u64 paths = u64{frame.width} * frame.height * frame.samples;
  const auto table_of = [&](u32 at_once) {
    // Machines that hold parts only cast rays. A path has up to two rays at a time.
    if (!parts.empty())
      return memory_of_cast_in_parts(2 * std::min<u64>(paths, at_once), choice, 2 * at_once);
    MemoryTable table = memory_of_frame(frame, choice, device.paths_at_once(choice, at_once));
    if (in_chunks) table.push_back(memory_of_chunks(frame));
    return table;
  };
  return plans_of(scene_memory, table_of, ~u64{0}, MemoryFor::picture);
}

void RendererState::upload() {
  const ProfileSpan span("upload the scene");
  const Stopwatch watch;
  try {
    resident =
        parts.empty() ? device.upload(*prepared, on_loss_) : device.upload_parts(*prepared, parts);
  } catch (const OutOfDeviceMemory& error) {
    throw OutOfDeviceMemory(std::string(error.what()) + "\nthe scene takes:\n" +
                            text_of(scene_memory));
  }
  times.upload_ms = watch.milliseconds();
}

MovingScene& RendererState::moving() const {
  if (!motion) throw UsageError("this renderer's vertices can't move: set RendererOptions::moves");
  return *motion;
}

void RendererState::follow(Follow mode) {
  MovingScene& tree = moving();
  must_follow = false;
  if (tree.has_instances()) {
    tree.rebuild_upper();
    return update_device(Moved::instances);
  }
  if (mode != Follow::rebuild) tree.refit();
  if (mode == Follow::rebuild || (mode == Follow::automatic && tree.wear() > kWornOut))
    tree.rebuild({});
  update_device(Moved::vertices);
}

void RendererState::change_scene(SceneChange change, Follow mode) {
  const bool moved = change.pose || change.transforms;
  moving().change_scene(std::move(change));
  if (moved) return follow(mode);
  moving().keep_tree();
  update_device(Moved::nothing);
}

std::string RendererState::take_new_losses() {
  const std::size_t from = given_losses_ + (given_losses_ > 0 && losses.size() > given_losses_);
  given_losses_ = losses.size();
  return losses.substr(from);  // skips the line end
}

bool RendererState::is_lamplit(const RenderSettings& settings, Framing& framing) const {
  if (!may_be_lamplit(data()) || settings.light == kDaylight) return false;
  if (settings.light == kLamplight) return true;
  if (!lamplit_room_) lamplit_room_ = is_lamplit_room(framing);
  return *lamplit_room_;
}

void RendererState::update_device(Moved moved) {
  lamplit_room_.reset();
  if (resident) resident->follow(moved);
  scene_memory = memory_of(*prepared);
}

void RendererState::work_within_memory(const MemoryPlans& plans,
                                       const std::function<void()>& work) {
  plan = plan_memory(plans, budget);
  if (!resident) upload();
  for (;;) {
    try {
      resident->begin_work(plan.at_once, plan.bytes() - bytes_of(scene_memory));
      return work();
    } catch (const OutOfDeviceMemory& error) {
      const MemoryPlan* const next = smaller_plan(plans, plan);
      if (!next)
        throw OutOfDeviceMemory(std::string(error.what()) + "\nthe smallest batches take:\n" +
                                text_of(plan.table));
      plan = *next;
    }
  }
}

void RendererInternals::recover_after_fork(Renderer& renderer) {
  // The old state is never freed, because the thread that was using it does not exist in this
  // process, and may have left it in an inconsistent condition.
  RendererState& interrupted = *renderer.state_.release();
  renderer.state_ = std::make_unique<RendererState>(interrupted);
}

namespace {
const RendererState& state_of(const Renderer& renderer) { return RendererInternals::of(renderer); }
RendererState& state_of(Renderer& renderer) { return RendererInternals::of(renderer); }
}  // namespace

const PreparedScene& prepared_of(const Renderer& renderer) { return *state_of(renderer).prepared; }
const SceneData& scene_of(const Renderer& renderer) { return state_of(renderer).data(); }
const DeviceChoice& device_of(const Renderer& renderer) { return state_of(renderer).device; }
ResidentScene& resident_of(Renderer& renderer) { return *state_of(renderer).resident; }
const std::vector<ScenePart>& parts_of(const Renderer& renderer) {
  return state_of(renderer).parts;
}

const MemoryPlan& plan_of(const Renderer& renderer) { return state_of(renderer).plan; }
const MemoryTable& scene_memory_of(const Renderer& renderer) {
  return state_of(renderer).scene_memory;
}
std::optional<u64> budget_of(const Renderer& renderer) { return state_of(renderer).budget.bytes; }

const u32* instance_masks_of(const Renderer& renderer) {
  return state_of(renderer).masks_of_instances();
}

Light light_in(const Renderer& renderer, const RenderSettings& settings) {
  const SceneData& scene = scene_of(renderer);
  Light light = light_of(scene);
  Framing framing(prepared_of(renderer));
  if (!state_of(renderer).is_lamplit(settings, framing)) return light;
  if (!is_given(scene.sun)) light.sun.strength = 0.0f;
  if (!is_given(scene.sky)) light.sky.strength = 0.0f;
  return light;
}

void change_scene(Renderer& renderer, SceneChange change, Follow mode) {
  state_of(renderer).change_scene(std::move(change), mode);
}
void recover_after_fork(Renderer& renderer) { RendererInternals::recover_after_fork(renderer); }
void let_leader_have_all(Renderer& renderer) { state_of(renderer).leader_has_all = true; }
std::string take_new_losses(Renderer& renderer) { return state_of(renderer).take_new_losses(); }

namespace {

DrawnFrame draw(RendererState& state, const FrameSettings& frame, const CastChoice& choice,
                const Progress& progress) {
  DrawnFrame drawn;
  state.work_within_memory(state.plans_of_picture(frame, choice),
                           [&] { drawn = state.resident->draw(frame, choice, progress); });
  return drawn;
}

/// Resolves the settings of a picture, including the camera.
ResolvedPicture resolve(const RendererState& state, const RenderSettings& settings) {
  const DefaultFloats floats;
  if (state.data().world_count() > 1)
    throw UsageError("a picture shows one world: draw the scene that Scene::world() gives");
  ResolvedPicture picture = resolved_without_camera(state.data(), settings, *state.device.backend);
  Framing framing(*state.prepared);
  set_camera(picture, framing);
  if (picture.frame.shading->encoding == Encoding::light &&
      state.is_lamplit(picture.settings, framing))
    put_out_daylight(state.data(), picture.frame);
  set_white_balance(picture, *state.prepared);
  return picture;
}

/// Draws a small version of a picture to choose the exposure.
DrawnFrame draw_preview(RendererState& state, const ResolvedPicture& picture) {
  constexpr double kPixels = 4096.0;
  FrameSettings frame = picture.frame;
  frame.background = {};  // so that the background does not affect the exposure
  frame.samples = 16;
  const double pixels = double(frame.width) * frame.height;
  const double rays = std::min(kPixels, pixels) * frame.samples * 2.0 * (1.0 + frame.bounces);
  const double shrink =
      std::min(1.0, std::sqrt(kPixels / pixels)) * preview_scale(*state.prepared, rays);
  frame.width = std::max(1u, static_cast<u32>(frame.width * shrink));
  frame.height = std::max(1u, static_cast<u32>(frame.height * shrink));
  frame.camera =
      make_view(complete(picture.settings.camera), state.data().origin, frame.width, frame.height);
  frame.keep_hits = true;
  frame.keep_film = true;
  return draw(state, frame, picture.choice, {});
}

}  // namespace
}  // namespace detail

Renderer::Renderer(Scene scene, const RendererOptions& options)
    : state_(std::make_unique<RendererState>(std::move(scene), options)) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Ray Renderer::pixel_ray(const RenderSettings& settings, std::uint32_t x, std::uint32_t y) const {
  if (x >= settings.width || y >= settings.height)
    throw UsageError("pixel " + std::to_string(x) + ", " + std::to_string(y) + " of a picture of " +
                     std::to_string(settings.width) + "x" + std::to_string(settings.height));
  const DefaultFloats floats;
  const u32 width = settings.width, height = settings.height;
  const Camera camera = camera_for(*state_->prepared, settings.camera, width, height);
  const Ray ray = ray_through(make_view(camera, state_->data().origin, width, height),
                              static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
  if (!ray.asks())
    throw UsageError("pixel " + std::to_string(x) + ", " + std::to_string(y) +
                     " has no ray: the lens shows nothing there");
  return ray;
}

RenderSettings Renderer::resolved(const RenderSettings& settings) const {
  return resolve(*state_, settings).settings;
}

Frame Renderer::render(const RenderSettings& settings, const Progress& progress) {
  const DefaultFloats floats;
  ResolvedPicture picture = resolve(*state_, settings);
  FrameSettings& frame = picture.frame;
  // If the frame is too large for the device, this throws an error before a preview is drawn.
  plan_memory(state_->plans_of_picture(frame, picture.choice), state_->budget);
  frame.filter.instance_masks = state_->masks_of_instances();
  ChosenExposure chosen;
  std::vector<StageTime> preview;
  if (picture.settings.exposure) {
    chosen.exposure = *picture.settings.exposure;
  } else if (frame.shading->encoding == Encoding::light) {
    const Stopwatch watch;
    chosen = choose_exposure(draw_preview(*state_, picture), frame.white_balance);
    preview.push_back({kPreviewStage, watch.milliseconds()});
  }
  if (frame.shading->encoding == Encoding::light) frame.exposure = chosen.exposure;
  frame.leader_has_all = state_->leader_has_all;
  set_range(picture, *state_->prepared);
  DrawnFrame out = draw(*state_, frame, picture.choice, progress);
  out.stages.insert(out.stages.begin(), preview.begin(), preview.end());
  out.settings = picture.settings;
  out.unlit = chosen.unlit;
  if (out.settings.keep_linear)
    out.linear = {frame.width, frame.height, {out.film.begin(), out.film.end()}, out.image.alpha};
  return out;  // the film is not returned
}

void Renderer::set_vertices(Span<const Vec3f> vertices) {
  // A move is never interrupted, because the scene would be inconsistent
  const StopScope unstoppable(nullptr);
  state_->moving().set_vertices(vertices);
  state_->must_follow = true;
}

void Renderer::set_transforms(Span<const Transform> transforms) {
  const StopScope unstoppable(nullptr);
  state_->moving().set_transforms(transforms);
  state_->must_follow = true;
}

void Renderer::set_masks(Span<const std::uint32_t> masks) {
  require_mask_of_each(masks.size(), state_->scene.instance_count());
  state_->instance_masks.assign(masks.begin(), masks.end());
}

void Renderer::follow(Follow mode) {
  const StopScope unstoppable(nullptr);
  state_->follow(mode);
}
double Renderer::wear() const { return state_->moving().wear(); }

void Renderer::fill_view(void* view, std::uint64_t bytes, std::uint32_t kind,
                         std::uint32_t version) const {
  fill_device_view({state_->prepared->arrays, state_->masks_of_instances(), nullptr}, view, bytes,
                   kind, version);
}

const Scene& Renderer::scene() const { return state_->scene; }
std::string Renderer::device() const { return state_->device.name(); }
std::string Renderer::device_description() const { return state_->device.description(); }
const std::string& Renderer::losses() const { return state_->losses; }
const std::string& Renderer::note() const { return state_->note; }
const PrepareTimes& Renderer::prepare_times() const { return state_->times; }
std::uint64_t Renderer::memory_bytes() const { return state_->plan.bytes(); }

}  // namespace ballotcast
