// Casts rays that are in arrays in GPU memory. Python checks the arrays and passes their addresses.
// No function here waits for the GPU, unless a comment says so.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "arrays.hpp"
#include "backends/cuda/stream_caster.hpp"
#include "ballotcast/device.hpp"
#include "gpu_arrays.hpp"
#include "scene.hpp"
#include "scene/scene_data.hpp"
#include "support/recently_used.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

using detail::RayArrays;

detail::ArrayShape shape_of(const std::vector<std::uint32_t>& sizes) {
  detail::ArrayShape shape{static_cast<detail::u32>(sizes.size()), {}};
  copy_axes(sizes, shape.size);
  return shape;
}

/// A scene on a GPU, for arrays in the memory of that GPU. It has one caster per stream. Python's
/// global interpreter lock protects its members.
class GpuScene {
 public:
  GpuScene(DeviceCaster caster, const Scene& scene)
      : first_(std::move(caster)),
        ball_(ball_around(scene.data()->bounds(), dvec3(scene.origin()))),
        origin_(scene.origin()) {}

  /// Moves this scene in the same way as `moved`, which arrays in host memory have moved before.
  /// move(caster) must pass these arrays to the caster. Waits for earlier casts on all streams, and
  /// until the scene has moved.
  template <class Move>
  void follow(SceneHandle& moved, const Move& move) {
    Ball ball = ball_;
    moved.work([&](Renderer& renderer) { ball = ball_around(renderer); });
    wait_for_casts();
    const detail::OnDevice here(first_.device());
    move(first_);
    first_.refit();
    detail::wait_for(nullptr);
    ball_ = ball;
  }

  /// Copies masks of instances from host memory. Waits for earlier casts on all streams, and until
  /// the masks are copied.
  void set_masks(const std::uint32_t* masks, std::uint64_t count) {
    wait_for_casts();
    const detail::OnDevice here(first_.device());
    first_.set_masks(masks, count);
    detail::wait_for(nullptr);
  }

  /// Gives access to a caster. While a Here exists, the caster's GPU is the current GPU of the
  /// thread.
  class Here {
   public:
    explicit Here(DeviceCaster& caster) : device_(caster.device()), caster_(caster) {}
    DeviceCaster* operator->() const { return &caster_; }
    /// The form of the caster for functions that pack and store arrays.
    operator detail::StreamCaster&() const { return caster_.for_arrays(); }

   private:
    const detail::OnDevice device_;
    DeviceCaster& caster_;
  };

  /// The caster for a stream; creates it if necessary.
  Here on(Address stream) {
    if (others_.is_full() && !others_.find(stream)) {
      wait_for_casts();
      others_.drop_half();
    }
    DeviceCaster* caster = others_.find(stream);
    if (!caster) caster = &others_.add(stream, first_.another_one());
    // A CUDA graph uses the caster's memory whenever it is replayed, so keep that caster.
    if (detail::may_be_captured(pointer<void>(stream))) others_.keep(stream);
    return Here(*caster);
  }
  DeviceCaster on_another(int device) const { return first_.another_one(device); }
  /// The bytes of a view of the scene, for the caller's own kernels.
  template <class View>
  nb::bytes view() const {
    const View view = first_.device_view<View>();
    return nb::bytes(static_cast<const void*>(&view), sizeof view);
  }
  const dvec3& origin() const { return origin_; }
  const Ball& ball() const { return ball_; }

 private:
  /// Waits for all earlier casts.
  void wait_for_casts() const {
    const detail::OnDevice here(first_.device());
    {
      const nb::gil_scoped_release unlocked;
      detail::wait_for_device();
    }
    // Waits once more, because other threads may have enqueued work meanwhile. This time, Python's
    // lock is held.
    detail::wait_for_device();
  }

  DeviceCaster first_;
  detail::RecentlyUsed<Address, DeviceCaster> others_{64};  // programs may create many streams
  Ball ball_;
  dvec3 origin_;
};

/// Copies a scene to a GPU.
std::unique_ptr<GpuScene> gpu_scene(const SceneHandle& handle, int device) {
  std::unique_ptr<GpuScene> scene;
  without_gil([&] {
    const detail::OnDevice there(device);
    scene = std::make_unique<GpuScene>(DeviceCaster(handle.scene(), handle.casting().renderer),
                                       handle.scene());
  });
  return scene;
}

/// Copies a scene from one GPU to another.
std::unique_ptr<GpuScene> gpu_scene_on_another(const GpuScene& other, const SceneHandle& handle,
                                               int device) {
  std::unique_ptr<GpuScene> scene;
  without_gil(
      [&] { scene = std::make_unique<GpuScene>(other.on_another(device), handle.scene()); });
  return scene;
}

RayWorlds worlds_of(Address each, std::uint32_t all) {
  return {all, pointer<const std::uint32_t>(each)};
}

RayArrays ray_arrays(const GpuScene& scene, const std::vector<std::uint32_t>& sizes,
                     const StridedNumbers& origins, const StridedNumbers& directions,
                     const StridedNumbers& t_min, const StridedNumbers& t_max, bool precise) {
  return {shape_of(sizes), origins,      directions, t_min, t_max,
          scene.origin(),  scene.ball(), precise,    0u};
}

detail::PointArray point_array(const GpuScene& scene, const std::vector<std::uint32_t>& sizes,
                               const StridedNumbers& points) {
  return {shape_of(sizes), points, scene.origin()};
}

/// Makes a method of a `store` function: it takes two addresses, a number of elements and a stream.
template <class From, class To>
auto storing(void (*store)(detail::StreamCaster&, From*, To*, std::uint32_t, void*)) {
  return [store](GpuScene& scene, Address from, Address to, std::uint32_t count, Address stream) {
    store(scene.on(stream), pointer<From>(from), pointer<To>(to), count, pointer<void>(stream));
  };
}

using GpuSceneClass = nb::class_<GpuScene>;

/// Binds the functions for poses of instances and of sensors.
void bind_poses(GpuSceneClass& scene) {
  scene
      .def("set_poses",
           [](GpuScene& s, const detail::PoseArrays& poses, Address chosen, std::uint32_t per_world,
              std::uint32_t poses_per_world, Address mesh_origins, Address transforms,
              std::uint32_t count, Address stream) {
             const GpuScene::Here caster = s.on(stream);
             void* const on = pointer<void>(stream);
             auto* const to = pointer<Transform>(transforms);
             const detail::PosedInstances instances{pointer<const std::uint32_t>(chosen), per_world,
                                                    poses_per_world,
                                                    pointer<const dvec3>(mesh_origins), s.origin()};
             detail::pack_transforms(caster, poses, instances, to, count, on);
             caster->set_transforms(to, count, on);
             caster->refit(on);
           })
      .def("unusable_transforms",
           [](GpuScene& s, Address stream) {
             const UnusableTransforms found =
                 s.on(stream)->unusable_transforms(pointer<void>(stream));
             return std::tuple(found.count, found.first);
           })
      .def("place_rays",
           [](GpuScene& s, const detail::PoseArrays& sensors, Address own, std::uint32_t per_world,
              float t_min, Address rays, Address worlds, std::uint32_t count, Address stream) {
             const detail::SensorRays sensor{pointer<const dvec3>(own), per_world, t_min,
                                             s.origin()};
             detail::place_rays(s.on(stream), sensors, sensor, pointer<Ray>(rays),
                                pointer<std::uint32_t>(worlds), count, pointer<void>(stream));
           })
      .def("store_ranges",
           [](GpuScene& s, Address numbers, std::uint32_t instances, float miss, Address hits,
              Address ranges, Address found, std::uint32_t count, Address stream) {
             detail::store_ranges(s.on(stream), pointer<const std::int32_t>(numbers), instances,
                                  miss, pointer<const Hit>(hits), pointer<float>(ranges),
                                  pointer<std::int32_t>(found), count, pointer<void>(stream));
           });
}

/// Binds the functions that pack the caller's arrays, and that move the scene.
void bind_inputs(GpuSceneClass& scene) {
  scene
      .def("rays", &ray_arrays, "sizes"_a, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a,
           "precise"_a)
      .def("points", &point_array, "sizes"_a, "points"_a)
      .def("poses",
           [](const GpuScene&, const std::vector<std::uint32_t>& sizes, const StridedNumbers& x,
              const StridedNumbers& y, const StridedNumbers& z, const StridedNumbers& at) {
             return detail::PoseArrays{shape_of(sizes), {x, y, z}, at};
           })
      .def("pack_rays",
           [](GpuScene& s, const RayArrays& arrays, Address rays, std::uint32_t count,
              Address stream) {
             detail::pack_rays(s.on(stream), arrays, pointer<Ray>(rays), count,
                               pointer<void>(stream));
           })
      .def("pack_points",
           [](GpuScene& s, const detail::PointArray& array, Address points, std::uint32_t count,
              Address stream) {
             detail::pack_points(s.on(stream), array, pointer<Vec3f>(points), count,
                                 pointer<void>(stream));
           })
      .def("nan_rays",
           [](GpuScene& s, const RayArrays& arrays, std::uint32_t count, Address stream) {
             return detail::count_nan_rays(s.on(stream), arrays, count, pointer<void>(stream));
           })
      .def("follow_vertices",
           [](GpuScene& s, SceneHandle& moved, const Rows<const float, 3>& vertices) {
             s.follow(moved, [&](DeviceCaster& caster) {
               caster.set_vertices(vertices.data(), vertices.shape(0));
             });
           })
      .def("follow_transforms",
           [](GpuScene& s, SceneHandle& moved, const Rows<const float, 12>& transforms) {
             s.follow(moved, [&](DeviceCaster& caster) {
               caster.set_transforms(reinterpret_cast<const Transform*>(transforms.data()),
                                     transforms.shape(0));
             });
           })
      .def("set_masks",
           [](GpuScene& s, const Numbers<const std::uint32_t>& masks) {
             s.set_masks(masks.data(), masks.shape(0));
           })
      .def("pack_skip",
           [](GpuScene& s, Address ids, Address skip, std::uint32_t count, Address stream) {
             detail::pack_skip(s.on(stream), pointer<const std::int64_t>(ids),
                               pointer<std::uint32_t>(skip), count, pointer<void>(stream));
           })
      .def("set_vertices", [](GpuScene& s, Address vertices, std::uint64_t count, Address stream) {
        const GpuScene::Here caster = s.on(stream);
        caster->set_vertices(pointer<float>(vertices), count, pointer<void>(stream));
        caster->refit(pointer<void>(stream));
      });
}

/// Binds the queries about rays.
void bind_ray_queries(GpuSceneClass& scene) {
  scene
      .def("cast",
           [](GpuScene& s, Address rays, Address hits, std::uint64_t count, bool any, Address each,
              std::uint32_t world, const RayFilter& filter, Address stream) {
             const GpuScene::Here caster = s.on(stream);
             const RayWorlds worlds = worlds_of(each, world);
             void* const on = pointer<void>(stream);
             const auto* const from = pointer<const Ray>(rays);
             any ? caster->any(from, pointer<Hit>(hits), count, on, worlds, filter)
                 : caster->closest(from, pointer<Hit>(hits), count, on, worlds, filter);
           })
      .def("count",
           [](GpuScene& s, Address rays, Address counts, std::uint64_t count, Address each,
              std::uint32_t world, const RayFilter& filter, Address stream) {
             s.on(stream)->count(pointer<Ray>(rays), pointer<std::uint32_t>(counts), count,
                                 pointer<void>(stream), worlds_of(each, world), filter);
           })
      .def("starts_of",
           [](GpuScene& s, Address counts, Address starts, std::uint32_t count, Address stream) {
             return detail::starts_of(s.on(stream), pointer<std::uint32_t>(counts),
                                      pointer<std::uint64_t>(starts), count, pointer<void>(stream));
           })
      .def("crossings",
           [](GpuScene& s, Address rays, Address starts, Address hits, std::uint32_t count,
              Address each, std::uint32_t world, const RayFilter& filter, Address stream) {
             detail::Query asked = detail::query<detail::Crossings>(
                 pointer<Ray>(rays), count, worlds_of(each, world), pointer<Hit>(hits));
             asked.starts = pointer<std::uint64_t>(starts);
             asked.filter.rays = filter;
             s.on(stream)->answer(asked, pointer<void>(stream));
           });
}

/// Binds the queries about points.
void bind_point_queries(GpuSceneClass& scene) {
  scene
      .def("closest_points",
           [](GpuScene& s, Address points, Address nearest, std::uint64_t count, float max_distance,
              Address each, std::uint32_t world, Address stream) {
             s.on(stream)->closest_points(pointer<Vec3f>(points), pointer<Nearest>(nearest), count,
                                          max_distance, pointer<void>(stream),
                                          worlds_of(each, world));
           })
      .def("contains",
           [](GpuScene& s, const detail::PointArray& points, std::uint32_t rule, Address inside,
              std::uint32_t count, Address each, std::uint32_t world, Address stream) {
             detail::Query asked = detail::query<detail::PointsInside>(
                 &points, count, worlds_of(each, world), pointer<std::uint8_t>(inside));
             asked.rule = static_cast<InsideRule>(rule);
             s.on(stream)->answer(asked, pointer<void>(stream));
           })
      .def("winding_numbers", [](GpuScene& s, const detail::PointArray& points, Address numbers,
                                 std::uint32_t count, Address each, std::uint32_t world,
                                 Address stream) {
        s.on(stream)->answer(detail::query<detail::WindingNumbers>(
                                 &points, count, worlds_of(each, world), pointer<double>(numbers)),
                             pointer<void>(stream));
      });
}

/// Binds the functions that write single fields of results to the caller's arrays.
void bind_results(GpuSceneClass& scene) {
  scene.def("store_found", storing<const Hit, std::uint8_t>(&detail::store_found))
      .def("store_ids", storing<const Hit, std::int64_t>(&detail::store_ids))
      .def("store_t", storing<const Hit, float>(&detail::store_t))
      .def("store_weights", storing<const Hit, float>(&detail::store_weights))
      .def("store_normals", storing<const Hit, float>(&detail::store_normals))
      .def("negate_floats", storing<const std::uint8_t, float>(&detail::negate))
      .def("negate_doubles", storing<const std::uint8_t, double>(&detail::negate));
}

/// Binds the functions that write fields as doubles, which need the caller's rays or points.
void bind_precise_results(GpuSceneClass& scene) {
  scene
      .def("store_precise_t",
           [](GpuScene& s, const RayArrays& arrays, Address hits, Address t, std::uint32_t count,
              Address stream) {
             detail::store_precise_t(s.on(stream), arrays, pointer<Hit>(hits), pointer<double>(t),
                                     count, pointer<void>(stream));
           })
      .def("store_precise_t_of_all",
           [](GpuScene& s, const RayArrays& arrays, Address starts, Address hits, Address t,
              std::uint32_t count, Address stream) {
             detail::store_precise_t_of_all(
                 s.on(stream), arrays, pointer<const std::uint64_t>(starts),
                 pointer<const Hit>(hits), pointer<double>(t), count, pointer<void>(stream));
           })
      .def("store_places",
           [](GpuScene& s, Address hits, Address places, std::uint32_t count, Address stream) {
             detail::store_places(s.on(stream), s.origin(), pointer<Hit>(hits),
                                  pointer<double>(places), count, pointer<void>(stream));
           })
      .def("store_precise_places",
           [](GpuScene& s, const RayArrays& arrays, Address t, Address hits, Address places,
              std::uint32_t count, Address stream) {
             detail::store_precise_places(s.on(stream), arrays, pointer<Hit>(hits),
                                          pointer<double>(t), pointer<double>(places), count,
                                          pointer<void>(stream));
           })
      .def("store_precise_places_of_all",
           [](GpuScene& s, const RayArrays& arrays, Address starts, Address t, Address places,
              std::uint32_t count, Address stream) {
             detail::store_precise_places_of_all(
                 s.on(stream), arrays, pointer<const std::uint64_t>(starts),
                 pointer<const double>(t), pointer<double>(places), count, pointer<void>(stream));
           })
      .def("store_closest_places",
           [](GpuScene& s, const detail::PointArray& array, Address nearest, Address places,
              std::uint32_t count, Address stream) {
             detail::store_closest_places(s.on(stream), array, pointer<Nearest>(nearest),
                                          pointer<double>(places), count, pointer<void>(stream));
           })
      .def("store_locations",
           [](GpuScene& s, Address starts, std::uint32_t start_count, std::uint32_t part,
              Address hits, Address numbers, std::uint32_t count, Address stream) {
             detail::store_locations(s.on(stream), {pointer<std::uint32_t>(starts), start_count},
                                     static_cast<detail::LocationPart>(part), pointer<Hit>(hits),
                                     pointer<std::int64_t>(numbers), count, pointer<void>(stream));
           })
      .def("store_distances", [](GpuScene& s, const detail::PointArray& array, Address nearest,
                                 Address distances, std::uint32_t count, Address stream) {
        detail::store_distances(s.on(stream), array, pointer<Nearest>(nearest),
                                pointer<double>(distances), count, pointer<void>(stream));
      });
}

}  // namespace

void bind_gpu(nb::module_& module) {
  bind_gpu_arrays(module);
  module.def("gpu_scene", &gpu_scene, "scene"_a, "device"_a);
  module.def("gpu_scene_on_another", &gpu_scene_on_another, "other"_a, "scene"_a, "device"_a);
  GpuSceneClass scene(module, "GpuScene");
  bind_inputs(scene);
  bind_poses(scene);
  bind_ray_queries(scene);
  bind_point_queries(scene);
  bind_results(scene);
  bind_precise_results(scene);
  scene.def(
      "device_view",
      [](const GpuScene& s, bool plain) {
        return plain ? s.view<device::PlainView>() : s.view<device::SceneView>();
      },
      "plain"_a);
}

}  // namespace ballotcast::python
