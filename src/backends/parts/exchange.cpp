#include "backends/parts/exchange.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "bvh/layouts/bvh2/walk.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/trace.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kNoPart = std::numeric_limits<u32>::max();
// In the place of a ray that no part is asked about: it is not valid, or it can hit nothing.
constexpr u32 kInvalid = kNoPart, kCantHit = kNoPart - 1u;
constexpr u32 kBlock = 4096;  // rays that one task asks

bvh2::Entry enter(const Aabb& box, const bvh2::Slabs& slabs, float limit) {
  return bvh2::enter_box(slabs, limit, box.low.x, box.high.x, box.low.y, box.high.y, box.low.z,
                         box.high.z);
}

/// The ray to cast for a given ray, as a walk through the whole scene prepares it.
RayToCast prepared(const Ray& given, const Approach& scene) {
  RayToCast cast = ray_to_cast(given, scene.magnitude);
  cast.setup.slack *= scene.slack;
  cast.setup.valid &= largest_magnitude(cast.ray.direction) >= scene.least_slope;
  return cast;
}

/// True if a moved ray can hit nothing: it is still far, so it does not meet the box of the scene.
bool passes_by(const RayToCast& cast, const Approach& scene) {
  return cast.moved && is_far(cast.ray, scene.magnitude);
}

/// The ray of `prepared`, without its setup.
Ray moved(const Ray& given, const Approach& scene) {
  return is_far(given, scene.magnitude) ? moved_near(given, scene.magnitude).ray : given;
}

bool is_closer(const Hit& a, const Hit& b) {
  return a.found() && (a.t < b.t || (a.t == b.t && a.triangle < b.triangle));
}

template <class T>
void grow(Array<T>& array, u32 count) {
  if (array.size() < count) array = Array<T>::unset(count);
}

}  // namespace

Approach approach_of(const PreparedScene& whole) {
  if (whole.scene->instances.empty()) return {whole.view.magnitude, 1.0f, 0.0f};
  const WorldTree& world = whole.levels.worlds[0];
  return {world.frame.magnitude, world.slack, world.least_slope};
}

void Exchange::List::make_room(u32 most) {
  grow(numbers, most);
  grow(rays, most);
}

template <class PartFor, class RayFor>
void Exchange::fill_lists(const u32* numbers, u32 count, const PartFor& part_for,
                          const RayFor& ray_for) {
  const u32 blocks = blocks_for(count, kBlock);
  const std::size_t parts = lists_.size();
  std::vector<u32> places(blocks * parts, 0);  // first how many of a block go to a part
  grow(next_, count);
  u32* const next = next_.data();
  const auto in_block = [&](u32 block, const auto& use) {
    const u32 end = static_cast<u32>(std::min<u64>(count, (u64{block} + 1u) * kBlock));
    for (u32 k = block * kBlock; k < end; ++k) use(k, numbers ? numbers[k] : k);
  };
  for_each_index(blocks, [&](u32 block) {
    in_block(block, [&](u32 k, u32 i) {
      next[k] = part_for(i);
      if (next[k] != kNoPart) ++places[block * parts + next[k]];
    });
  });
  for (std::size_t part = 0; part < parts; ++part) {
    u32 sum = 0;
    for (u32 block = 0; block < blocks; ++block)
      sum += std::exchange(places[block * parts + part], sum);
    lists_[part].count = sum;
    lists_[part].make_room(sum);
  }
  std::vector<std::pair<u32*, Ray*>> lists;
  for (List& list : lists_) lists.emplace_back(list.numbers.data(), list.rays.data());
  for_each_index(blocks, [&](u32 block) {
    in_block(block, [&](u32 k, u32 i) {
      if (next[k] == kNoPart) return;
      const u32 place = places[block * parts + next[k]]++;
      const auto& [its_numbers, its_rays] = lists[next[k]];
      its_numbers[place] = i;
      its_rays[place] = ray_for(i);
    });
  });
}

void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work) {
  std::vector<std::future<void>> works;
  for (std::size_t i = 0; i < machines.size(); ++i)
    works.push_back(machines[i].thread->start([&, i] {
      try {
        for (const std::size_t part : machines[i].parts) work(i, part);
      } catch (const OutOfDeviceMemory&) {
        throw;
      } catch (const DeviceError& error) {
        throw DeviceError(machines[i].name + ", which holds a part of the scene: " + error.what());
      }
    }));
  wait_for(works);
}

void Exchange::on_machines(const std::function<void(std::size_t part)>& work) {
  on_parts(machines_, [&](std::size_t, std::size_t part) {
    if (lists_[part].count > 0) work(part);
  });
}

CastCounts Exchange::cast(RayKind kind, const Ray* rays, Hit* hits, u32 count,
                          const CastChoice& choice) {
  Array<Place> places = Array<Place>::unset(count);
  Place* const place = places.data();
  for_each_range<u32>(count, kBlock, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) {
      const RayToCast cast = prepared(rays[i], approach_);
      hits[i] = miss_of(cast.setup.valid ? cast.ray : rays[i]);
      place[i] = {-unbounded(), !cast.setup.valid            ? kInvalid
                                : passes_by(cast, approach_) ? kCantHit
                                                             : 0u};
    }
  });

  const auto next_part = [&](u32 i) {
    Place& at = place[i];
    if (at.part >= kCantHit || (kind == RayKind::any && hits[i].found())) return kNoPart;
    const RayToCast cast = prepared(rays[i], approach_);
    const bvh2::Slabs slabs = bvh2::slabs_of(cast.setup, cast.ray);
    Place nearest{unbounded(), kNoPart};
    for (u32 part = 0; part < parts_.size(); ++part) {
      const bvh2::Entry entry = enter(parts_[part].part.box, slabs, hits[i].t);
      if (!entry.hit || entry.distance < at.entry || (entry.distance == at.entry && part < at.part))
        continue;
      if (nearest.part == kNoPart || entry.distance < nearest.entry)
        nearest = {entry.distance, part};
    }
    if (nearest.part != kNoPart) at = {nearest.entry, nearest.part + 1u};
    return nearest.part;
  };
  // No farther than the best hit; a hit at the same t counts, because its id may be smaller.
  const auto ray_for = [&](u32 i) {
    Ray ray = moved(rays[i], approach_);
    ray.t_max = hits[i].t;
    return ray;
  };

  CastCounts counts;
  std::mutex mutex;
  std::vector<u32> live;  // the numbers of rays that went to a part in the last round
  for (bool first = true; first || !live.empty(); first = false) {
    fill_lists(first ? nullptr : live.data(), first ? count : static_cast<u32>(live.size()),
               next_part, ray_for);
    on_machines([&](std::size_t part) {
      const List& list = lists_[part];
      Array<Hit> found = Array<Hit>::unset(list.count);
      const CastCounts its = parts_[part].scene->cast(kind, std::as_const(list.rays).data(),
                                                      found.data(), nullptr, list.count, choice);
      const u32* const numbers = std::as_const(list.numbers).data();
      const Hit* const its_hits = found.data();
      for_each_range<u32>(list.count, kBlock, [&](u32 begin, u32 end) {
        for (u32 k = begin; k < end; ++k) {
          Hit& best = hits[numbers[k]];
          if (kind == RayKind::any ? its_hits[k].found() : is_closer(its_hits[k], best))
            best = its_hits[k];
        }
      });
      const std::lock_guard lock(mutex);
      counts.add(its);
    });
    live.clear();
    for (const List& list : lists_)
      live.insert(live.end(), list.numbers.begin(), list.numbers.begin() + list.count);
  }
  for_each_range<u32>(count, kBlock, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i)
      if (place[i].part != kInvalid)
        hits[i] = given_hit(rays[i], approach_.magnitude, kind, hits[i]);
  });
  counts.rays = count;
  return counts;
}

void Exchange::count_crossings(const Ray* rays, u32* counts, u32 count) {
  std::fill_n(counts, count, 0u);
  for (u32 part = 0; part < parts_.size(); ++part) {
    fill_with_all_for(part, rays, count);
    on_machines([&](std::size_t) {
      const List& list = lists_[part];
      std::vector<u32> its(list.count);
      parts_[part].scene->count_crossings(std::as_const(list.rays).data(), its.data(), list.count);
      for (u32 k = 0; k < list.count; ++k) counts[std::as_const(list.numbers)[k]] += its[k];
    });
  }
}

void Exchange::crossings(const Ray* rays, const u64* starts, Hit* hits, u32 count) {
  std::vector<u64> ends(starts, starts + count);  // of what each ray has so far
  for (u32 part = 0; part < parts_.size(); ++part) {
    fill_with_all_for(part, rays, count);
    on_machines([&](std::size_t) {
      const List& list = lists_[part];
      const AllHits its =
          parts_[part].scene->all_crossings(std::as_const(list.rays).data(), list.count);
      for (u32 k = 0; k < list.count; ++k)
        for (const Hit& hit : its.of(k)) hits[ends[std::as_const(list.numbers)[k]]++] = hit;
    });
  }
  for_each_range<u32>(count, kBlock, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) {
      std::sort(hits + starts[i], hits + ends[i], is_closer);
      for (u64 k = starts[i]; k < ends[i]; ++k)
        give_back_if_far(rays[i], approach_.magnitude, hits[k]);
    }
  });
}

void Exchange::fill_with_all_for(u32 part, const Ray* rays, u32 count) {
  fill_lists(
      nullptr, count,
      [&](u32 i) {
        const RayToCast cast = prepared(rays[i], approach_);
        if (!cast.setup.valid || passes_by(cast, approach_)) return kNoPart;
        const bvh2::Slabs slabs = bvh2::slabs_of(cast.setup, cast.ray);
        return enter(parts_[part].part.box, slabs, cast.ray.t_max).hit ? part : kNoPart;
      },
      [&](u32 i) { return moved(rays[i], approach_); });
}

}  // namespace ballotcast::detail
