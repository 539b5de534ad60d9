#include "backends/processes/remote_part.hpp"

#include "kernels/stage_times.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

/// What the leader wants of a part.
enum class Wanted : u64 { closest, any, counts, all };

class RemotePart final : public ResidentScene {
 public:
  RemotePart(Processes& processes, u32 rank, std::size_t part, const LeaderCall& call)
      : processes_(processes), rank_(rank), part_(part), call_(call) {}

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32*, u64 count,
                  const CastChoice&) override {
    ask(kind == RayKind::any ? Wanted::any : Wanted::closest, rays, count);
    CastCounts counts;
    receive(&counts, 1);
    receive(hits, count);
    return counts;
  }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    ask(Wanted::counts, rays, count);
    receive(counts, count);
  }

  AllHits all_crossings(const WorldRays& rays, u64 count) override {
    ask(Wanted::all, rays, count);
    AllHits all;
    pass_vector(all.starts, receiving_from(processes_, rank_));
    pass_vector(all.hits, receiving_from(processes_, rank_));
    return all;
  }

  void begin_work(u32, u64) override {}
  void follow(Moved) override {}

  void crossings(const WorldRays&, const u64*, Hit*, u64) override { refuse(); }
  void closest_points(const WorldPoints<Vec3f>&, float, Nearest*, u64) override { refuse(); }
  void contains(const WorldPoints<Vec3d>&, InsideRule, u8*, u64) override { refuse(); }
  void winding_numbers(const WorldPoints<Vec3d>&, double*, u64) override { refuse(); }
  std::unique_ptr<ResidentRays> keep(RayKind, const Ray*, u32) override { refuse(); }
  DrawnFrame draw(const FrameSettings&, const CastChoice&, const Progress&) override { refuse(); }
  DrawnFrame develop(const FrameSettings&, const std::vector<RawFilm>&) override { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw DeviceError("parts of a scene only cast rays"); }

  void ask(Wanted wanted, const WorldRays& rays, u64 count) {
    Order order{call_.calls.id(), part_, count};
    pass_elements(&order, 1, sending_to(processes_, rank_));
    pass_elements(&wanted, 1, sending_to(processes_, rank_));
    pass_elements(rays.rays, count, sending_to(processes_, rank_));
  }
  template <class T>
  void receive(T* elements, u64 count) {
    pass_elements(elements, count, receiving_from(processes_, rank_));
  }

  Processes& processes_;
  const u32 rank_;
  const std::size_t part_;
  const LeaderCall& call_;
};

/// Runs work(). As long as memory is short, tries again with smaller batches: the rays are here
/// already, so the call itself can't be made again.
template <class Work>
void with_less_and_less_memory(ResidentScene& scene, u32 at_once, const Work& work) {
  constexpr u32 kLeast = 1u << 10;
  for (;;) {
    try {
      return work();
    } catch (const OutOfDeviceMemory&) {
      if (at_once <= kLeast) throw;
      scene.begin_work(at_once /= 2u, 0);
    }
  }
}

}  // namespace

std::unique_ptr<ResidentScene> make_remote_part(Processes& processes, u32 rank, std::size_t part,
                                                const LeaderCall& call) {
  return std::make_unique<RemotePart>(processes, rank, part, call);
}

void serve_part(Processes& processes, SceneInParts& scene, std::size_t part, u64 count,
                const CastChoice& choice, u32 at_once, std::vector<StageTime>& times) {
  Stopwatch watch;
  const auto end_stage = [&](const char* name) {
    add_time(name, watch.milliseconds(), times);
    watch = {};
  };
  Wanted wanted{};
  std::vector<Ray> rays(count);
  pass_elements(&wanted, 1, receiving_from(processes, 0));
  pass_elements(rays.data(), count, receiving_from(processes, 0));
  end_stage("receive rays");
  const auto reply = [&](const auto* elements, u64 number) {
    pass_elements(elements, number, sending_to(processes, 0));
  };
  CastCounts cast;
  std::vector<Hit> hits(wanted == Wanted::closest || wanted == Wanted::any ? count : 0u);
  std::vector<u32> counts(wanted == Wanted::counts ? count : 0u);
  AllHits all;
  scene.with_part(part, [&](ResidentScene& here) {
    with_less_and_less_memory(here, at_once, [&] {
      if (wanted == Wanted::counts)
        here.count_crossings(rays.data(), counts.data(), count);
      else if (wanted == Wanted::all)
        all = here.all_crossings(rays.data(), count);
      else
        cast = here.cast(wanted == Wanted::any ? RayKind::any : RayKind::closest, rays.data(),
                         hits.data(), nullptr, count, choice);
    });
  });
  end_stage("cast at parts");
  if (wanted == Wanted::counts) {
    reply(counts.data(), count);
  } else if (wanted == Wanted::all) {
    pass_vector(all.starts, sending_to(processes, 0));
    pass_vector(all.hits, sending_to(processes, 0));
  } else {
    reply(&cast, 1);
    reply(hits.data(), count);
  }
  end_stage("send hits");
}

}  // namespace ballotcast::detail
