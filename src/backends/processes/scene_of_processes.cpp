#include "backends/processes/scene_of_processes.hpp"

#include <array>
#include <optional>

#include "backends/parts/owners.hpp"
#include "backends/processes/calls.hpp"
#include "backends/processes/remote_part.hpp"
#include "backends/processes/remote_scene.hpp"
#include "kernels/stage_times.hpp"
#include "support/content_hash.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// One end of the calls that all processes make together.
class Together {
 public:
  explicit Together(Processes& processes) : processes_(processes) {}

  /// Runs a call. `items` is the first of its rays or points, from which the leader counts what it
  /// hands out; null if it counts rows or parts. The leader calls lead(), which hands out pieces. A
  /// helper calls help(first, count) for each piece that it gets; or if the scene is in parts,
  /// casts at the part that the leader names, with `choice`.
  ///
  /// If memory runs out in either, the call can be made again with smaller batches; the others take
  /// no notice. A helper then begins with the piece that it had.
  template <class Lead, class Help>
  void call(CallKind kind, std::initializer_list<u64> what, const void* items,
            const CastChoice& choice, const Lead& lead, const Help& help) {
    call_.calls.begin(kind, what);
    call_.items = items;
    if (processes_.leads()) {
      lead();
      Order end{call_.calls.id(), 0, 0};
      for (u32 rank = 1; rank < processes_.count(); ++rank)
        pass_elements(&end, 1, sending_to(processes_, rank));
    } else {
      while (is_ordered()) {
        if (parts_)
          serve_part(processes_, *parts_, order_->first, order_->count, choice, at_once_);
        else
          help(order_->first, order_->count);
        order_.reset();
      }
      order_.reset();
    }
    call_.calls.end();
  }

  /// A helper's results go to the leader.
  template <class T>
  void reply(const T* elements, u64 count) {
    pass_elements(elements, count, sending_to(processes_, 0));
  }
  /// The leader's results go to all.
  template <class T>
  void spread(T* elements, u64 count) {
    pass_elements(elements, count, broadcasting(processes_));
  }

  /// For a helper whose scene is in parts.
  void serve(SceneInParts& parts) { parts_ = &parts; }
  void begin_work(u32 rays) { at_once_ = rays; }

  Processes& processes() { return processes_; }
  /// For the leader's remote scenes.
  const LeaderCall& leader_call() const { return call_; }

 private:
  /// Waits for a piece, unless there is one. False if the call has ended.
  bool is_ordered() {
    if (!order_) {
      order_.emplace();
      pass_elements(&*order_, 1, receiving_from(processes_, 0));
    }
    if (order_->call != call_.calls.id())
      throw UsageError(
          "this process does something else than rank 0: all must be started with "
          "the same options");
    return order_->count > 0;
  }

  Processes& processes_;
  LeaderCall call_;
  std::optional<Order> order_;  // what a helper is at
  SceneInParts* parts_ = nullptr;
  u32 at_once_ = kPathsAtOnce;
};

class RaysOfProcesses final : public ResidentRays {
 public:
  RaysOfProcesses(Together& together, std::unique_ptr<ResidentRays> rays, u32 here, u32 all)
      : together_(together), rays_(std::move(rays)), here_(here), all_(all) {}

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
    CastCounts counts;
    u64 atomics = 0;
    CastChecks own = checks;
    own.atomics = &atomics;
    if (!checks.atomics) own.atomics = nullptr;
    const auto work = [&] { counts = rays_->cast(choice, own); };
    together_.call(CallKind::cast, {all_}, nullptr, choice, work, [&](u64, u64) {
      work();
      together_.reply(&counts, 1);
      together_.reply(&atomics, 1);
    });
    together_.spread(&counts, 1);
    together_.spread(&atomics, 1);
    if (checks.atomics) *checks.atomics = atomics;
    return counts;
  }

  void results(Hit* hits, u32* visits) override {
    together_.call(
        CallKind::results, {all_, visits != nullptr}, nullptr, plain_,
        [&] { rays_->results(hits, visits); },
        [&](u64, u64) {
          rays_->results(hits, visits);
          together_.reply(hits, here_);
          if (visits) together_.reply(visits, here_);
        });
    together_.spread(hits, all_);
    if (visits) together_.spread(visits, all_);
  }

  std::vector<double> time(const CastChoice& choice, u32 runs) override {
    std::vector<double> times(runs);
    const auto work = [&] { times = rays_->time(choice, runs); };
    together_.call(CallKind::time, {all_, runs}, nullptr, choice, work, [&](u64, u64) {
      work();
      together_.reply(times.data(), runs);
    });
    together_.spread(times.data(), runs);
    return times;
  }

 private:
  Together& together_;
  const std::unique_ptr<ResidentRays> rays_;
  const u32 here_, all_;  // how many rays are in `rays_`, and in all processes
  const CastChoice plain_{CastOptions{}};
};

class SceneOfProcesses final : public ResidentScene {
 public:
  SceneOfProcesses(Processes& processes, std::vector<Member> members,
                   std::function<void(const std::string&)> on_loss)
      : together_(processes) {
    if (processes.leads())
      for (u32 rank = 1; rank < processes.count(); ++rank)
        members.push_back({processes.name_of(rank),
                           [&processes, rank, &call = together_.leader_call()] {
                             return make_remote_scene(processes, rank, call);
                           },
                           false});
    scene_ = make_several_scene(std::move(members), std::move(on_loss));
  }

  /// A scene in parts.
  SceneOfProcesses(Processes& processes, std::vector<PartsMember> members,
                   const PreparedScene& whole, const std::vector<ScenePart>& parts)
      : together_(processes) {
    if (processes.leads())
      for (u32 rank = 1; rank < processes.count(); ++rank) {
        PartsMember& member = members.emplace_back();
        member.name = processes.name_of(rank);
        for (std::size_t part = 0; part < parts.size(); ++part)
          if (rank_of_part(part, processes.count()) == rank) member.parts.push_back(part);
        member.upload = [&processes, rank, &call = together_.leader_call()](std::size_t part,
                                                                            const PreparedScene*) {
          return make_remote_part(processes, rank, part, call);
        };
      }
    std::unique_ptr<SceneInParts> scene = make_parts_scene(whole, parts, members);
    if (!processes.leads()) together_.serve(*scene);
    scene_ = std::move(scene);
  }

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    CastCounts counts;
    together_.call(
        CallKind::cast, {count, static_cast<u64>(kind), visits != nullptr}, rays.rays, choice,
        [&] { counts = scene_->cast(kind, rays, hits, visits, count, choice); },
        [&](u64 first, u64 part) {
          u32* const its_visits = visits ? visits + first : nullptr;
          counts = scene_->cast(kind, rays.from(first), hits + first, its_visits, part, choice);
          together_.reply(&counts, 1);
          together_.reply(hits + first, part);
          if (visits) together_.reply(its_visits, part);
        });
    together_.spread(&counts, 1);
    together_.spread(hits, count);
    if (visits) together_.spread(visits, count);
    return counts;
  }

  void begin_work(u32 rays, u64 bytes) override {
    together_.begin_work(rays);
    scene_->begin_work(rays, bytes);
  }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    together_.call(
        CallKind::count_crossings, {count}, rays.rays, plain_,
        [&] { scene_->count_crossings(rays, counts, count); },
        [&](u64 first, u64 part) {
          scene_->count_crossings(rays.from(first), counts + first, part);
          together_.reply(counts + first, part);
        });
    together_.spread(counts, count);
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    together_.call(
        CallKind::crossings, {count}, rays.rays, plain_,
        [&] { scene_->crossings(rays, starts, hits, count); },
        [&](u64 first, u64 part) {
          scene_->crossings(rays.from(first), starts + first, hits, part);
          together_.reply(hits + starts[first], starts[first + part] - starts[first]);
        });
    together_.spread(hits, starts[count]);
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    together_.call(
        CallKind::closest_points, {count}, points.points, plain_,
        [&] { scene_->closest_points(points, max_distance, nearest, count); },
        [&](u64 first, u64 part) {
          scene_->closest_points(points.from(first), max_distance, nearest + first, part);
          together_.reply(nearest + first, part);
        });
    together_.spread(nearest, count);
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    together_.call(
        CallKind::contains, {count}, points.points, plain_,
        [&] { scene_->contains(points, rule, inside, count); },
        [&](u64 first, u64 part) {
          scene_->contains(points.from(first), rule, inside + first, part);
          together_.reply(inside + first, part);
        });
    together_.spread(inside, count);
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    together_.call(
        CallKind::winding_numbers, {count}, points.points, plain_,
        [&] { scene_->winding_numbers(points, numbers, count); },
        [&](u64 first, u64 part) {
          scene_->winding_numbers(points.from(first), numbers + first, part);
          together_.reply(numbers + first, part);
        });
    together_.spread(numbers, count);
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    std::unique_ptr<ResidentRays> kept;
    u32 here = count;
    together_.call(
        CallKind::keep, {count, static_cast<u64>(kind)}, nullptr, plain_,
        [&] { kept = scene_->keep(kind, rays, count); },
        [&](u64, u64 part) {
          std::vector<Ray> own(part);
          pass_elements(own.data(), part, receiving_from(together_.processes(), 0));
          here = static_cast<u32>(part);
          kept = scene_->keep(kind, own.data(), here);
        });
    // Parts are sent their rays at each cast.
    if (!kept) kept = scene_->keep(kind, rays, here = 0u);
    return std::make_unique<RaysOfProcesses>(together_, std::move(kept), here, count);
  }

  void follow(Moved moved) override { scene_->follow(moved); }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    DrawnFrame frame;
    std::vector<StageTime> own_times;
    together_.call(
        CallKind::draw, {hash_of(settings)}, nullptr, choice,
        [&] { frame = scene_->draw(settings, choice, report); },
        [&](u64 first_row, u64 rows) {
          FrameSettings some = settings;
          some.first_row = static_cast<u32>(first_row);
          some.rows = rows == settings.height ? 0u : static_cast<u32>(rows);
          DrawnFrame drawn = scene_->draw(some, choice, {});
          pass_frame(drawn, sending_to(together_.processes(), 0));
          std::vector<char> stages = packed(drawn.stages);
          pass_vector(stages, sending_to(together_.processes(), 0));
          for (const StageTime& time : drawn.stages)
            add_time(time.name, time.milliseconds, own_times);
        });
    pass_frame(frame, broadcasting(together_.processes()));
    if (!together_.processes().leads()) frame.stages = std::move(own_times);
    return frame;
  }

  /// Only whole films are smoothed, and only the leader has them, in `draw`.
  DrawnFrame develop(const FrameSettings& settings, const RawFilm& film) override {
    return scene_->develop(settings, film);
  }

 private:
  Together together_;
  std::unique_ptr<ResidentScene> scene_;  // of the leader: with the helpers among its machines
  const CastChoice plain_{CastOptions{}};
};

/// A hash of all that results depend on: the files of the scene, its trees, its light.
u64 hash_of_scene(const PreparedScene& prepared) {
  std::vector<u64> parts;
  const auto add = [&](const void* bytes, std::size_t count) {
    parts.push_back(content_hash(bytes, count));
  };
  SceneArrays arrays = prepared.arrays;
  for_each_array(prepared, arrays, [&]<class Array>(const char*, const Array& array, auto&) {
    // Lists of textures have pointers; their texels are arrays of their own.
    if constexpr (!std::is_same_v<typename Array::value_type, TextureView>)
      add(array.data(), array.size() * sizeof(typename Array::value_type));
  });
  const SceneView& view = prepared.view;
  const vec3 lights[] = {view.sun.direction, view.sun.irradiance, view.sky.up,
                         view.sky.zenith,    view.sky.horizon,    view.sky.ground};
  add(lights, sizeof lights);
  const double origin[] = {prepared.scene->origin.x, prepared.scene->origin.y,
                           prepared.scene->origin.z};
  add(origin, sizeof origin);
  return content_hash(parts.data(), parts.size() * sizeof(u64));
}

/// Throws UsageError in a helper whose trees are not the leader's, and InputError if its scene is
/// not.
void require_same_scene(Processes& processes, const PreparedScene& scene, std::size_t parts) {
  require_same(processes, "a tree",
               scene.builder.name() + ", " + std::string(scene.encoded.layout->name) + ", " +
                   counted(parts, "part"));
  const u64 own = hash_of_scene(scene);
  u64 leaders = own;
  processes.broadcast(&leaders, sizeof leaders);
  if (own != leaders)
    throw InputError(scene.scene->place() + ": not the same scene as that of rank 0");
}

}  // namespace

std::unique_ptr<ResidentScene> make_scene_of_processes(
    Processes& processes, std::vector<Member> members, const PreparedScene& scene,
    std::function<void(const std::string& why)> on_loss) {
  require_same_scene(processes, scene, 1);
  return std::make_unique<SceneOfProcesses>(processes, std::move(members), std::move(on_loss));
}

std::unique_ptr<ResidentScene> make_parts_of_processes(Processes& processes,
                                                       std::vector<PartsMember> members,
                                                       const PreparedScene& scene,
                                                       const std::vector<ScenePart>& parts) {
  require_same_scene(processes, scene, parts.size());
  return std::make_unique<SceneOfProcesses>(processes, std::move(members), scene, parts);
}

}  // namespace ballotcast::detail
