// A scene in device memory: its arrays in the form that kernels use, and functions that cast rays
// and draw frames.
#pragma once

#include <functional>
#include <memory>

#include "backends/cuda/machine.cuh"
#include "backends/device/resident_scene.hpp"
#include "bvh/layouts/layouts.hpp"
#include "kernels/queries/queries.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// Owns the copies of a scene's arrays in device memory; `view` points to them.
struct DeviceArrays {
  SceneArrays view;
  std::vector<DeviceBuffer<std::byte>> owned;

  /// Copies every array of `scene`, and waits for the copies.
  DeviceArrays(CudaMachine& machine, const PreparedScene& scene);
  /// Copies the arrays from another GPU.
  DeviceArrays(CudaMachine& machine, const PreparedScene& scene, const DeviceArrays& there);

  /// Takes over all values of `scene`. Copies those arrays again that change with `moved`.
  void follow(CudaMachine& machine, const PreparedScene& scene, Moved moved);
};

/// Sorts points along a space-filling curve, on the stream of the caller. Without this, a lane and
/// its neighbours visit different parts of the tree. (Points of a Renderer are sorted by the host:
/// backends/device/batches.hpp.)
class PointSorter {
 public:
  /// Sorting fewer points costs more than it saves. More points take more memory, 42 MB for kMost,
  /// so larger queries are cut.
  static constexpr u32 kFewest = 1u << 18, kMost = 1u << 21;

  /// Returns `query`, about at most kMost points, with the order of the points and spare memory.
  template <class View>
  Query sorted(CudaMachine& machine, const View& view, const Query& query);

  /// True if the points of a query should be sorted, and there is memory for it. The memory is
  /// allocated once, because a captured graph may contain it. In a graph nothing is allocated: if
  /// the first call is captured, its points are not sorted.
  bool prepare(const CudaMachine& machine, const Query& query);

 private:
  bool has_memory_ = false;
  DeviceBuffer<u64> keys_, spare_keys_;
  DeviceBuffer<u32> lists_;
  DeviceBuffer<u8> scratch_;
};

/// A scene on the device, and the machine that casts its rays.
struct DeviceScene {
  CudaMachine machine;
  std::shared_ptr<DeviceArrays> arrays;
  // Scratch memory for the state of traversals between two kernels.
  DeviceBuffer<uint4> walks = machine.make<uint4>(0);
  // Only for a scene whose vertices move on the device, else null: the values that change with the
  // vertices, in device memory. Only pipeline warp can cast rays through such a scene.
  const WalkFrame* moving = nullptr;
  PointSorter points;

  explicit DeviceScene(const PreparedScene& scene)
      : arrays(std::make_shared<DeviceArrays>(machine, scene)) {}
  /// Copies the arrays from another GPU.
  DeviceScene(const PreparedScene& scene, const DeviceArrays& there)
      : arrays(std::make_shared<DeviceArrays>(machine, scene, there)) {}
  /// Shares the arrays of another scene.
  explicit DeviceScene(std::shared_ptr<DeviceArrays> shared) : arrays(std::move(shared)) {}
};

/// Answers a query whose arrays are all on the device, including RayWorlds::each. cast(query) casts
/// the rays. It is cast_on_device, unless the vertices of the scene move.
CastCounts answer_on_device(DeviceScene& scene, Query query,
                            FunctionRef<CastCounts(const Query& cast)> cast);

/// Casts rays whose arrays are all on the device. The vertices of the scene must not move.
CastCounts cast_on_device(DeviceScene& scene, const Query& cast, const CastChecks& checks = {});

/// As cast_on_device. Also adds the number of atomics to *atomics, which is in device memory.
CastCounts cast_counting(DeviceScene& scene, const Query& cast, u64* atomics);

/// Draws a frame, with `at_once` paths at a time. If `films` is not null, smooths and finishes
/// these films instead. Rays are cast with the options of `choice`.
DrawnFrame draw_frame_on_device(DeviceScene& scene, const FrameSettings& settings,
                                const CastChoice& choice, u32 at_once, const Progress& progress,
                                const std::vector<RawFilm>* films);

/// The reason why this program's kernels can't run on the current device, or "".
std::string missing_code();

/// Calls visit(view) with the view of a scene for a query. The type of the view depends on the
/// layout and on whether there are instances. The vertices of the scene must not move.
template <Kernels kKernels = Kernels::fast, class Visit>
void with_still_view(const DeviceScene& scene, const Query& query, Visit visit) {
  const SceneArrays& arrays = scene.arrays->view;
  dispatch_row(Layouts{}, arrays.layout, [&](auto layout_tag) {
    with_view_in<typename decltype(layout_tag)::type, kKernels>(arrays, of_items(query), visit);
  });
}

/// As with_still_view, for a scene whose vertices move. Such a scene has no instances.
template <class Visit>
void with_moving_view(const DeviceScene& scene, const Query& query, Visit visit) {
  const SceneArrays& arrays = scene.arrays->view;
  dispatch_row(Layouts{}, arrays.layout, [&](auto layout_tag) {
    using Layout = typename decltype(layout_tag)::type;
    visit(
        MovingTraceView<Layout>{trace_view<TraceView<Layout>>(arrays, query.filter), scene.moving});
  });
}

/// Calls visit(view) with the view of any scene.
template <class Visit>
void with_view(const DeviceScene& scene, const Query& query, Visit visit) {
  if (scene.moving)
    with_moving_view(scene, query, visit);
  else
    with_still_view(scene, query, visit);
}

}  // namespace ballotcast::detail
