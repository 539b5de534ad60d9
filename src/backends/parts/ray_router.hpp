// A router sends rays from part to part of a scene. It runs kernels in the memory of one machine.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backends/host/host_machine.hpp"
#include "kernels/parts/route.hpp"
#include "kernels/pipelines/machine.hpp"

namespace ballotcast::detail {

/// The rays for a part, in the memory of the router's machine.
struct PartList {
  const u32* numbers;  // indices of the rays
  const Ray* rays;
  Hit* hits;  // written by the machine that casts the rays
  u32 count;
  RayFilter filter;  // the filter of these rays
};

/// Routes rays through the parts. Call take and begin, then route and merge alternately until all
/// lists are empty, then end. See kernels/parts/route.hpp.
class RayRouter {
 public:
  virtual ~RayRouter() = default;

  /// Copies rays[0 .. count) and their filter from host memory.
  virtual void take(const Ray* rays, u32 count, const RayFilter& filter) = 0;
  /// Starts all rays, with no hits yet.
  virtual void begin(RayKind kind) = 0;
  /// Finds the next part for each ray that was in a list of the last round; in the first round, for
  /// all rays. After this call, all machines can read the lists. Returns false if all lists are
  /// empty.
  virtual bool route() = 0;
  /// Used instead of rounds: the list of one part gets all rays that enter this part.
  virtual void route_all_to(u32 part) = 0;
  virtual PartList list(u32 part) const = 0;
  /// Keeps the best hit of each ray. Call this function when the hits of all lists are written.
  virtual void merge() = 0;
  /// Converts the hits of rays that were moved to the scene; see EndRoute.
  virtual void end() = 0;
  /// Copies the hits to host memory.
  virtual void results(Hit* hits) = 0;
  /// Frees the memory for rays.
  virtual void release() = 0;
};

/// The boxes of all parts, and the data of the whole scene that traversals need.
struct PartBoxes {
  std::vector<Aabb> boxes;
  Approach scene;
};

/// Makes a router in host memory that uses all threads.
std::unique_ptr<RayRouter> make_host_router(const PartBoxes& parts);

/// The memory for `count` rays that are being routed. `Machine` is documented in
/// kernels/pipelines/machine.hpp; it may also be a class that only measures memory.
template <class Machine>
struct RouterMemory {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

  Buffer<Ray> given_rays;
  Buffer<Hit> best;
  Buffer<PlaceInParts> places;
  Buffer<u32> parts, ranks, numbers, next_numbers;
  Buffer<Ray> rays;
  Buffer<Hit> hits;
  // For a filter with a value per ray: the given values, and the values for the rays in lists.
  Buffer<u32> masks, skip, skip_instances, list_masks, list_skip, list_skip_instances;

  RouterMemory(Machine& machine, std::size_t count, const RayFilter& filter)
      : given_rays(machine.template make<Ray>(count)),
        best(machine.template make<Hit>(count)),
        places(machine.template make<PlaceInParts>(count)),
        parts(machine.template make<u32>(count)),
        ranks(machine.template make<u32>(count)),
        numbers(machine.template make<u32>(count)),
        next_numbers(machine.template make<u32>(count)),
        rays(machine.template make<Ray>(count)),
        hits(machine.template make<Hit>(count)),
        masks(machine.template make<u32>(filter.masks ? count : 0)),
        skip(machine.template make<u32>(filter.skip ? count : 0)),
        skip_instances(machine.template make<u32>(filter.skip_instances ? count : 0)),
        list_masks(machine.template make<u32>(filter.masks ? count : 0)),
        list_skip(machine.template make<u32>(filter.skip ? count : 0)),
        list_skip_instances(machine.template make<u32>(filter.skip_instances ? count : 0)) {}
};

/// Computes the positions of rays in the lists of parts, with votes of lanes. Writes the number of
/// rays of each list to `totals`. If `only` is not kNoPart, only the list of part `only` gets rays.
template <class Machine>
void rank_rays(Machine& machine, const PartsView& parts, const RaysInFlight& rays,
               const RayRound& round, u32 only, u32* totals) {
  constexpr u32 kBlock = 256;
  machine.template launch<RankRays>("rank rays", blocks_for(round.count, kBlock), kBlock, parts,
                                    rays, round, only, totals);
}

/// As above on a CPU, which has no lanes that vote: in each list, rays are in the order that they
/// have in `round`.
void rank_rays(HostMachine& machine, const PartsView& parts, const RaysInFlight& rays,
               const RayRound& round, u32 only, u32* totals);

template <class Machine>
class MachineRouter final : public RayRouter {
 public:
  explicit MachineRouter(const PartBoxes& parts)
      : boxes_(machine_.upload(parts.boxes.data(), parts.boxes.size())),
        parts_{std::as_const(boxes_).data(), static_cast<u32>(parts.boxes.size()), parts.scene},
        on_machine_(machine_.template make<u32>(parts.boxes.size())),
        totals_(parts.boxes.size()),
        starts_(parts.boxes.size()) {}

  void take(const Ray* rays, u32 count, const RayFilter& filter) override {
    const auto has_room = [&](const auto& buffer, bool needed) {
      return !needed || buffer.size() >= count;
    };
    if (!memory_ || !has_room(memory_->given_rays, true) ||
        !has_room(memory_->masks, filter.masks) || !has_room(memory_->skip, filter.skip) ||
        !has_room(memory_->skip_instances, filter.skip_instances)) {
      memory_.reset();
      memory_.emplace(machine_, count, filter);
    }
    count_ = count;
    filter_ = filter;
    machine_.copy_in(memory_->given_rays.data(), rays, count);
    if (filter.masks) machine_.copy_in(memory_->masks.data(), filter.masks, count);
    if (filter.skip) machine_.copy_in(memory_->skip.data(), filter.skip, count);
    if (filter.skip_instances)
      machine_.copy_in(memory_->skip_instances.data(), filter.skip_instances, count);
  }

  void begin(RayKind kind) override {
    kind_ = kind;
    live_ = count_;
    is_first_ = true;
    machine_.template each<BeginRoute>("begin ways", count_, parts_, rays());
  }

  bool route() override {
    make_lists(kNoPart);
    is_first_ = false;
    return live_ > 0u;
  }

  void route_all_to(u32 part) override {
    live_ = count_;
    is_first_ = true;
    make_lists(part);
  }

  PartList list(u32 part) const override {
    const u32 start = starts_[part];
    const RayFilter of_all{filter_.sides,
                           filter_.mask,
                           filter_.masks ? lists_.masks : nullptr,
                           filter_.skip ? lists_.skip : nullptr,
                           filter_.skip_instance,
                           filter_.skip_instances ? lists_.skip_instances : nullptr};
    return {lists_.numbers + start, lists_.rays + start, lists_.hits + start, totals_[part],
            of_all.from(start)};
  }

  void merge() override { machine_.template each<MergeHit>("merge hits", live_, lists_, rays()); }

  void end() override {
    machine_.template each<EndRoute>("end ways", count_, parts_, rays());
    machine_.wait();
  }

  void results(Hit* hits) override {
    machine_.download(hits, static_cast<const Hit*>(memory_->best.data()), count_);
  }

  void release() override { memory_.reset(); }

 private:
  RaysInFlight rays() {
    return {memory_->given_rays.data(),
            memory_->best.data(),
            memory_->places.data(),
            kind_,
            filter_.masks ? memory_->masks.data() : nullptr,
            filter_.skip ? memory_->skip.data() : nullptr,
            filter_.skip_instances ? memory_->skip_instances.data() : nullptr};
  }

  void make_lists(u32 only) {
    const RayRound round{is_first_ ? nullptr : memory_->numbers.data(), live_,
                         memory_->parts.data(), memory_->ranks.data()};
    std::fill(totals_.begin(), totals_.end(), 0u);
    machine_.copy_in(on_machine_.data(), totals_.data(), totals_.size());
    if (round.count > 0u) rank_rays(machine_, parts_, rays(), round, only, on_machine_.data());
    machine_.download(totals_.data(), static_cast<const u32*>(on_machine_.data()), totals_.size());
    live_ = 0;
    for (std::size_t part = 0; part < totals_.size(); ++part) {
      starts_[part] = live_;
      live_ += totals_[part];
    }
    machine_.copy_in(on_machine_.data(), starts_.data(), starts_.size());
    lists_ = {memory_->next_numbers.data(), memory_->rays.data(),
              memory_->hits.data(),         memory_->list_masks.data(),
              memory_->list_skip.data(),    memory_->list_skip_instances.data()};
    machine_.template each<FillLists>("fill lists", round.count, parts_, rays(), round,
                                      static_cast<const u32*>(on_machine_.data()), lists_);
    machine_.wait();
    std::swap(memory_->numbers, memory_->next_numbers);
  }

  Machine machine_;
  decltype(std::declval<Machine&>().upload(static_cast<const Aabb*>(nullptr), 0)) boxes_;
  const PartsView parts_;
  decltype(std::declval<Machine&>().template make<u32>(0)) on_machine_;  // totals, then starts
  std::optional<RouterMemory<Machine>> memory_;
  u32 count_ = 0;
  RayKind kind_{};
  RayFilter filter_;  // the filter of the caller
  u32 live_ = 0;      // number of rays in the last round
  // True in the first round, in which all rays are live and there is no list of their indices
  bool is_first_ = true;
  std::vector<u32> totals_, starts_;
  RayLists lists_{};
};

}  // namespace ballotcast::detail
