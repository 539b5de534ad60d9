#include "backends/parts/parts_scene.hpp"

#include "backends/dispatch.hpp"
#include "backends/host/host_machine.hpp"
#include "backends/host/host_rays.hpp"
#include "backends/parts/exchange.hpp"
#include "kernels/frame.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

class PartsScene final : public SceneInParts {
 public:
  PartsScene(const PreparedScene& whole, const std::vector<ScenePart>& parts,
             const std::vector<PartsMember>& members)
      : whole_(whole),
        host_(backend_called("cpu").upload(whole)),
        parts_(parts.size()),
        machines_(members.size()),
        exchange_(parts_, machines_, approach_of(whole)) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts_[i].part = parts[i];
    for (std::size_t i = 0; i < members.size(); ++i)
      machines_[i] = {members[i].name, std::make_unique<MachineThread>(), members[i].parts};
    on_parts(machines_, [&](std::size_t machine, std::size_t part) {
      parts_[part].scene = members[machine].upload(part, parts[part].prepared.get());
    });
  }

  ~PartsScene() override {
    try {
      on_parts(machines_, [&](std::size_t, std::size_t part) { parts_[part].scene.reset(); });
    } catch (...) {  // errors here were already reported by the call that failed
    }
  }

  void with_part(std::size_t part, const std::function<void(ResidentScene&)>& work) override {
    bool is_here = false;
    on_parts(machines_, [&](std::size_t, std::size_t other) {
      if (other != part) return;
      is_here = true;
      work(*parts_[part].scene);
    });
    if (!is_here) throw DeviceError("part " + std::to_string(part) + " of the scene is not here");
  }

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    return cast_in_parts(count, at_once_, [&](u64 first, u32 part) {
      return cast_batch(kind, rays.rays + first, hits + first, visits ? visits + first : nullptr,
                        part, choice);
    });
  }

  void begin_work(u32 rays, u64 bytes) override {
    at_once_ = rays;
    host_->begin_work(rays, bytes);
    on_parts(machines_,
             [&](std::size_t, std::size_t part) { parts_[part].scene->begin_work(rays, bytes); });
  }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      exchange_.count_crossings(rays.rays + first, counts + first, part);
    });
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      exchange_.crossings(rays.rays + first, starts + first, hits, part);
    });
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    host_->closest_points(points, max_distance, nearest, count);
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    host_->contains(points, rule, inside, count);
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    host_->winding_numbers(points, numbers, count);
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<HostRays>(
        rays, count,
        [this, kind](const Ray* all, Hit* hits, u32* visits, u32 number, const CastChoice& choice,
                     const CastChecks& checks) {
          if (checks.atomics) *checks.atomics = 0;
          return cast_batch(kind, all, hits, visits, number, choice);
        });
  }

  /// Only lights can change: scenes in parts do not move.
  void follow(Moved moved) override { host_->follow(moved); }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    DrawnFrame frame;
    dispatch_shading(settings.shading, [&](auto tag) {
      using Shading = typename decltype(tag)::type;
      draw_frame<Shading>(
          machine_, whole_.view, settings, at_once_,
          [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
            return cast_batch(kind, rays, hits, visits, count, choice);
          },
          report, nullptr, frame);
    });
    return frame;
  }

  DrawnFrame develop(const FrameSettings& settings, const RawFilm& film) override {
    return host_->develop(settings, film);
  }

 private:
  CastCounts cast_batch(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count,
                        const CastChoice& choice) {
    // Visits are those of the whole tree.
    if (visits) return host_->cast(kind, rays, hits, visits, count, choice);
    return exchange_.cast(kind, rays, hits, count, choice);
  }

  const PreparedScene& whole_;
  const std::unique_ptr<ResidentScene> host_;
  std::vector<SeatedPart> parts_;
  std::vector<MachineOfParts> machines_;
  Exchange exchange_;
  HostMachine machine_;
  u32 at_once_ = kPathsAtOnce;
};

}  // namespace

std::unique_ptr<SceneInParts> make_parts_scene(const PreparedScene& whole,
                                               const std::vector<ScenePart>& parts,
                                               const std::vector<PartsMember>& machines) {
  return std::make_unique<PartsScene>(whole, parts, machines);
}

}  // namespace ballotcast::detail
