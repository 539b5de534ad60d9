// Rays that go from part to part of a scene.
//
// In a round, each ray goes to the nearest part that it has not been in and that may have a nearer
// hit. All rays for a part are cast at once, by the machine that holds the part.
//
//   rays     0 1 2 3 4 5 6 7          a list per part         cast           merged
//   next     A B A - B B A A    -->   A: 0 2 6 7      -->   machine 0  -->   the closer hit stays:
//                                     B: 1 4 5              machine 1        smaller t, then
//                                                                            smaller id
//   The next round has the rays that meet another part closer than their hit. Ray 3 is done.
//
// A ray from far away is moved to the scene first (geometry/far_origin.hpp), and the parts get the
// moved ray. So t is compared before it is rounded to t of the given ray, as in a single tree.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "backends/parts/cut.hpp"
#include "backends/several/machine_thread.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// A part on its machine.
struct SeatedPart {
  ScenePart part;
  std::unique_ptr<ResidentScene> scene;
};

/// A machine, its thread, and its parts. They are made, used and freed in the thread.
struct MachineOfParts {
  std::string name;
  std::unique_ptr<MachineThread> thread;
  std::vector<std::size_t> parts;  // their numbers
};

/// Calls work(machine, part) for each part of each machine, in the threads of the machines. An
/// error of a machine names it.
void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work);

/// What the whole scene says of rays: see WorldTree. Without instances the slack is 1 and the slope
/// 0.
struct Approach {
  float magnitude, slack, least_slope;
};
Approach approach_of(const PreparedScene& whole);

class Exchange {
 public:
  /// Parts and machines must outlive it.
  Exchange(const std::vector<SeatedPart>& parts, const std::vector<MachineOfParts>& machines,
           const Approach& approach)
      : parts_(parts), machines_(machines), approach_(approach), lists_(parts.size()) {}

  /// As ResidentScene::cast, without visits.
  CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32 count, const CastChoice& choice);
  /// As ResidentScene::count_crossings and crossings.
  void count_crossings(const Ray* rays, u32* counts, u32 count);
  void crossings(const Ray* rays, const u64* starts, Hit* hits, u32 count);

 private:
  /// The rays for a part.
  struct List {
    Array<u32> numbers;  // of the rays, ascending if all rays were asked
    Array<Ray> rays;
    u32 count = 0;

    void make_room(u32 most);
  };

  /// The part that a ray was in last, as the place in the order of parts along the ray from which
  /// it goes on: the distance at which it enters, and the number of the part.
  struct Place {
    float entry;
    u32 part;
  };

  /// Fills the lists from `count` rays: those with these numbers, or if that is null, all.
  /// part_for(i) is the part to which ray i goes, or kNoPart; ray_for(i) is the ray to cast there.
  template <class PartFor, class RayFor>
  void fill_lists(const u32* numbers, u32 count, const PartFor& part_for, const RayFor& ray_for);
  /// Fills the list of one part with all rays that enter its box.
  void fill_with_all_for(u32 part, const Ray* rays, u32 count);
  /// Calls work(part) for all parts with rays.
  void on_machines(const std::function<void(std::size_t part)>& work);

  const std::vector<SeatedPart>& parts_;
  const std::vector<MachineOfParts>& machines_;
  const Approach approach_;
  std::vector<List> lists_;
  Array<u32> next_;  // the part for each ray that is asked
};

}  // namespace ballotcast::detail
