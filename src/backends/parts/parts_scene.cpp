#include "backends/cpu/cpu_machine.hpp"
#include "backends/device/backend.hpp"
#include "backends/device/batches.hpp"
#include "backends/host/host_scene.hpp"
#include "backends/parts/exchange.hpp"
#include "backends/parts/parts.hpp"
#include "ballotcast/error.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

/// Rays that are cast repeatedly. They stay in the memory of the machines that
/// send them from part to part.
class RaysInParts final : public ResidentRays {
 public:
  /// `host` returns the whole scene on the host, where leaf visits are counted in the tree of the
  /// whole scene: see results().
  RaysInParts(const PartsOnMachines& parts, std::function<ResidentScene&()> host, RayKind kind,
              const Ray* rays, u32 count)
      : host_(std::move(host)), kind_(kind), rays_(rays, rays + count), exchange_(parts) {
    exchange_.take(rays_.data(), count);
  }

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
    if (checks.atomics) *checks.atomics = 0;
    return exchange_.cast(kind_, choice);
  }

  void results(Hit* hits, u32* visits) override {
    if (visits)
      host_().cast(kind_, rays_.data(), hits, visits, rays_.size(), CastChoice(CastOptions{}));
    exchange_.results(hits);
  }

  std::vector<double> time(const CastChoice& choice, u32 runs) override {
    std::vector<double> times;
    for (u32 run = 0; run < runs; ++run) {
      const Stopwatch watch;
      exchange_.cast(kind_, choice);
      times.push_back(watch.milliseconds());
    }
    return times;
  }

 private:
  const std::function<ResidentScene&()> host_;
  const RayKind kind_;
  const std::vector<Ray> rays_;
  Exchange exchange_;
};

class PartsScene final : public ResidentScene {
 public:
  PartsScene(const PreparedScene& whole, const std::vector<ScenePart>& parts,
             const std::vector<PartsMember>& members)
      : whole_(whole) {
    parts_.approach = approach_of(whole);
    for (const ScenePart& part : parts) parts_.parts.push_back({part, nullptr});
    for (const PartsMember& member : members)
      parts_.machines.push_back(
          {member.name, std::make_unique<MachineThread>(), member.parts, member.make_router});
    on_parts(parts_.machines, [&](std::size_t machine, std::size_t part) {
      parts_.parts[part].scene = members[machine].upload(*parts[part].prepared);
    });
    exchange_ = std::make_unique<Exchange>(parts_);
  }

  CastCounts answer(const Query& query) override {
    const auto batches = [&](std::size_t at_once, const auto& answer) {
      return in_batches(query, static_cast<u32>(at_once), whole_.bounds, answer);
    };
    // Visits are counted in the tree of the whole scene.
    switch (query.visits ? AcrossParts::not_cut : query.info->across_parts) {
      case AcrossParts::nearest:
        return batches(at_once_ * exchange_->routers(), [&](const Query& batch) {
          if (batch.info->answered_by != AnsweredBy::on_hits) return cast_across_parts(batch);
          return run_on_hits(HitQueries{}, machine_, batch,
                             [&](const Query& cast) { return cast_across_parts(cast); });
        });
      case AcrossParts::added:
        exchange_->release();
        return batches(at_once_, [&](const Query& batch) {
          add_across_parts(parts_, batch);
          return CastCounts();
        });
      case AcrossParts::joined:
        exchange_->release();
        return batches(at_once_, [&](const Query& batch) {
          join_across_parts(parts_, batch);
          return CastCounts();
        });
      case AcrossParts::not_cut:
        break;
    }
    return host().answer(query);
  }

  void begin_work(u32 rays, u64 bytes) override {
    if (rays < at_once_) exchange_->release();
    at_once_ = rays;
    on_parts(parts_.machines, [&](std::size_t, std::size_t part) {
      parts_.parts[part].scene->begin_work(rays, bytes);
    });
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<RaysInParts>(
        parts_, [this]() -> ResidentScene& { return host(); }, kind, rays, count);
  }

  /// Only lights can change, because scenes in parts do not move.
  void follow(Moved moved) override {
    if (host_) host_->follow(moved);
  }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    const auto cast = [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
      Query query = cast_query(kind, rays, hits, count, choice, {}, visits);
      query.filter = settings.filter;
      return visits ? host().answer(query) : cast_across_parts(query);
    };
    return draw_on(machine_, {whole_.view, settings, at_once_, cast, report});
  }

  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return host().develop(settings, films);
  }

 private:
  /// The whole scene on the CPU. It is made when it is first needed, because it takes memory.
  ResidentScene& host() {
    if (!host_) host_ = backend_called("cpu").upload(whole_);
    return *host_;
  }

  CastCounts cast_across_parts(const Query& batch) {
    exchange_->take(batch.items_as<Ray>(), static_cast<u32>(batch.count), batch.filter);
    const CastCounts counts = exchange_->cast(kind_of(batch), *batch.choice);
    exchange_->results(batch.results_as<Hit>());
    return counts;
  }

  const PreparedScene& whole_;
  std::unique_ptr<ResidentScene> host_;
  PartsOnMachines parts_;
  std::unique_ptr<Exchange> exchange_;  // kept, so that its memory is reused for the next cast
  CpuMachine machine_;
  u32 at_once_ = kPathsAtOnce;
};

}  // namespace

std::unique_ptr<ResidentScene> make_parts_scene(const PreparedScene& whole,
                                                const std::vector<ScenePart>& parts,
                                                const std::vector<PartsMember>& machines) {
  return std::make_unique<PartsScene>(whole, parts, machines);
}

}  // namespace ballotcast::detail
