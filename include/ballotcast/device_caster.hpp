// Casts rays that are already in GPU memory, on a CUDA stream of the caller.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "ballotcast/api.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/ray.hpp"
#include "ballotcast/scene.hpp"

namespace ballotcast {

namespace device {
struct SceneView;
}

namespace detail {
struct Query;
class StreamCaster;
}  // namespace detail

/// The instances that can't be hit because their transforms are unusable; see
/// DeviceCaster::unusable_transforms().
struct UnusableTransforms {
  std::uint32_t count;  ///< number of these instances
  std::uint32_t first;  ///< index of the first of these instances; meaningless if there is none
};

/// A scene on a CUDA device, for casting rays that are in the memory of that device: the device
/// that was current when the caster was created. Its functions may be called by threads that use
/// other devices.
///
/// A cast is only enqueued: it copies nothing, allocates nothing and waits for nothing. So a cast
/// may be captured in a CUDA graph. closest_points() and contains() are enqueued, too, but the
/// first call of a caster with 256 Ki points or more allocates 42 MB, to sort the points. Without
/// this memory they are not sorted, which takes longer. So make one such call before you capture
/// others. Hits have the same bits as those of
/// Renderer. The argument `stream` of a cast is a cudaStream_t (in PyTorch:
/// torch.cuda.current_stream().cuda_stream); null is the default stream.
///
/// Until the stream has finished a cast, nothing else may write to its arrays. Arrays of results
/// are memory to work in, too: closest_points() keeps numbers of triangles there. What another
/// stream writes to them in the meantime may lead to reads beyond the scene.
///
/// The casts of one caster must be ordered, on one stream or by events. Casts that may run at the
/// same time need several casters: see another_one().
class BALLOTCAST_API DeviceCaster {
 public:
  /// Builds the tree, copies the scene to the device, and waits for the copy. Ignores
  /// RendererOptions::device and RendererOptions::partition: the device holds the whole scene. With
  /// RendererOptions::moves, the scene takes about 170 more bytes per instance and 84 per world,
  /// which may exceed RendererOptions::max_memory. Throws UsageError for unknown names, InputError
  /// for an unusable mesh, DeviceError if there is no usable GPU, OutOfDeviceMemory if the scene
  /// does not fit.
  explicit DeviceCaster(Scene scene, const RendererOptions& options = {});
  ~DeviceCaster();
  /// Moves a caster. The moved-from object may only be destroyed or assigned to.
  DeviceCaster(DeviceCaster&&) noexcept;
  /// Moves a caster. The moved-from object may only be destroyed or assigned to.
  DeviceCaster& operator=(DeviceCaster&&) noexcept;

  /// Creates another caster for the same scene on the device. It needs only a few more bytes, until
  /// it sorts points.
  DeviceCaster another_one() const;

  /// Creates a caster for the same scene on another CUDA device, for rays in that device's memory
  /// and for its streams. Copies the scene, with its tree, from GPU to GPU and waits for the copy.
  /// `device` is a number as for cudaSetDevice. Throws UsageError if there is no such device, or
  /// with RendererOptions::moves; OutOfDeviceMemory if the scene does not fit; DeviceError if a
  /// device fails.
  DeviceCaster another_one(int device) const;

  /// The number of the CUDA device, as for cudaSetDevice.
  int device() const;

  /// Finds the closest hits: hits[i] is the closest hit of rays[i]. Both arrays have `count`
  /// elements, lie in device memory and are aligned to 16 bytes. They must live until the stream
  /// has finished the cast. Throws UsageError if `count` is 2^31 or more, and DeviceError if a
  /// launch fails. Errors that occur later are reported where the caller waits for the stream.
  /// `worlds`: the worlds into which the rays are cast; RayWorlds::each lies in device memory. Rays
  /// into a world that does not exist hit nothing. Without instances there is only world 0; other
  /// worlds throw UsageError. `filter`: which hits count; its arrays lie in device memory.
  /// RayFilter::skip and skip_instances may contain numbers of nothing, which skip nothing. In a
  /// scene without instances, masks and instances to skip throw UsageError.
  void closest(const Ray* rays, Hit* hits, std::uint64_t count, void* stream = nullptr,
               const RayWorlds& worlds = {}, const RayFilter& filter = {});

  /// Replaces the vertices of the scene: `count` times x, y, z, finite numbers, in the order of
  /// Scene::vertices() and relative to Scene::origin(). They lie in device memory, or in host
  /// memory that stays unchanged until the stream has copied them. Hits change with the next
  /// refit() or rebuild(). The call is only enqueued, like a cast, and must be ordered with the
  /// casts of all casters of this scene. Throws UsageError without RendererOptions::moves or for
  /// another number of vertices, and DeviceError if it can't be enqueued.
  void set_vertices(const float* vertices, std::uint64_t count, void* stream = nullptr);

  /// Updates the tree for the current vertices: its leaves keep their triangles, and all boxes are
  /// computed anew. Then casts give the hits of a scene that had these vertices from the start. The
  /// call is only enqueued, and must be ordered with casts, like set_vertices(). Throws UsageError
  /// without RendererOptions::moves, and DeviceError if a launch fails.
  ///
  /// In a scene of instances, refit() and rebuild() both rebuild the trees over the instances of
  /// all worlds. The trees of the meshes stay, and reserve_rebuild() is not needed.
  void refit(void* stream = nullptr);

  /// Replaces the transforms of all instances of the scene, in their order. They map the vertices
  /// of a mesh as Scene::vertices() has them, relative to the mesh's own origin, to coordinates
  /// relative to Scene::origin(). They lie in device memory, or in host memory that stays unchanged
  /// until the stream has copied them. Hits change with the next refit() or rebuild(). The call is
  /// only enqueued, and must be ordered with casts, like set_vertices(). Throws UsageError without
  /// RendererOptions::moves or for another number of transforms, and DeviceError if it can't be
  /// enqueued.
  void set_transforms(const Transform* transforms, std::uint64_t count, void* stream = nullptr);

  /// Replaces the masks of all instances, in their order; see Renderer::set_masks(). They lie in
  /// device memory, or in host memory that stays unchanged until the stream has copied them. The
  /// call is only enqueued, and must be ordered with casts, like set_vertices(). Unlike vertices,
  /// later casts use the masks without a refit(). The first call allocates memory, and CUDA graphs
  /// that were captured before it ignore masks. Throws UsageError for a scene without instances or
  /// for another number of masks, OutOfDeviceMemory if the masks do not fit, and DeviceError if the
  /// call can't be enqueued.
  void set_masks(const std::uint32_t* masks, std::uint64_t count, void* stream = nullptr);

  /// The instances that the last refit() or rebuild() left out, because make_scene() would refuse
  /// their transforms. They can be hit again as soon as they have usable transforms. Hidden
  /// instances are not counted. A transform is also unusable if its instance becomes too small in
  /// relation to the coordinates of its world; so an instance that moves far away can make others
  /// unusable. Waits until the stream is done. Throws UsageError without RendererOptions::moves or
  /// instances, and DeviceError if the device fails.
  UnusableTransforms unusable_transforms(void* stream = nullptr);

  /// Allocates the memory that rebuild() needs: at most 114 bytes per triangle with layout grid2,
  /// and 146 with bvh2, which may exceed RendererOptions::max_memory. Copies the tree into it,
  /// waits for the copy, and frees the tree's old memory. From now on, casts use more of the GPU's
  /// shared memory, for deeper trees. No cast of any caster of this scene may run during the call,
  /// and CUDA graphs that were captured before must be captured again. A second call does nothing.
  /// Throws UsageError without RendererOptions::moves, OutOfDeviceMemory if the memory does not
  /// suffice (then nothing has changed), and DeviceError if the device fails.
  void reserve_rebuild(void* stream = nullptr);

  /// Builds a new tree for the current vertices with builder `ploc`, whatever builder the scene was
  /// built with. After large motions, rays visit fewer nodes of a new tree than of a refitted tree.
  /// Hits are the same as after refit(). The call is only enqueued, and must be ordered with casts,
  /// like set_vertices(). refit() may be used again afterwards.
  ///
  /// If the new tree would be too deep, or if vertices are not finite or lie beyond 2^40, the old
  /// tree is refitted instead, and refused_rebuilds() increases by 1. A tree may be 42 nodes deep,
  /// or ten nodes deeper than the first tree if that is more, but never deeper than 62. Throws
  /// UsageError before reserve_rebuild(), and DeviceError if a launch fails.
  void rebuild(void* stream = nullptr);

  /// The number of calls of rebuild() that have refitted the tree instead, summed over all casters
  /// of this scene. Waits until the stream is done. 0 before reserve_rebuild(). Throws UsageError
  /// without RendererOptions::moves, and DeviceError if the device fails.
  std::uint32_t refused_rebuilds(void* stream = nullptr);

  /// Tests whether each ray hits anything; see Renderer::any(). Arguments and errors are those of
  /// closest().
  void any(const Ray* rays, Hit* hits, std::uint64_t count, void* stream = nullptr,
           const RayWorlds& worlds = {}, const RayFilter& filter = {});

  /// Counts how often each ray crosses a surface; see Renderer::count(). `counts` lies in device
  /// memory. Other arguments and errors are those of closest().
  void count(const Ray* rays, std::uint32_t* counts, std::uint64_t count, void* stream = nullptr,
             const RayWorlds& worlds = {}, const RayFilter& filter = {});

  /// Finds the closest points; see Renderer::closest_points(). Both arrays have `count` elements
  /// and lie in device memory; `nearest` is aligned to 16 bytes. `worlds` as in closest(). Throws
  /// UsageError as closest() and Renderer::closest_points() do, and DeviceError if a launch fails.
  void closest_points(const Vec3f* points, Nearest* nearest, std::uint64_t count,
                      float max_distance = std::numeric_limits<float>::infinity(),
                      void* stream = nullptr, const RayWorlds& worlds = {});

  /// Tests whether points are inside; see Renderer::contains(). Both arrays have `count` elements
  /// and lie in device memory. `worlds` and errors are those of closest_points().
  void contains(const Vec3d* points, std::uint8_t* inside, std::uint64_t count,
                InsideRule rule = InsideRule::parity, void* stream = nullptr,
                const RayWorlds& worlds = {});
  /// Tests points given as floats.
  void contains(const Vec3f* points, std::uint8_t* inside, std::uint64_t count,
                InsideRule rule = InsideRule::parity, void* stream = nullptr,
                const RayWorlds& worlds = {});

  /// Computes winding numbers; see Renderer::winding_numbers(). Both arrays have `count` elements
  /// and lie in device memory. `worlds` and errors are those of closest_points().
  void winding_numbers(const Vec3d* points, double* numbers, std::uint64_t count,
                       void* stream = nullptr, const RayWorlds& worlds = {});
  /// Computes the winding numbers of points given as floats.
  void winding_numbers(const Vec3f* points, double* numbers, std::uint64_t count,
                       void* stream = nullptr, const RayWorlds& worlds = {});

  /// A view of the scene, for your own kernels that cast rays. Include ballotcast/device.hpp, which
  /// defines `View` (device::SceneView, device::PlainView for a scene without instances, or
  /// device::ShapesView for any scene) and says how long a view is valid. Throws UsageError if the
  /// program was compiled with another version of that header than the library, for a view that the
  /// scene can't have, or unless the layout is grid2.
  template <class View = device::SceneView>
  View device_view() const {
    View view;
    fill_view(&view, sizeof view, View::kKind, View::kVersion);
    return view;
  }

  /// For the library itself: answers a query whose arrays are on the device.
  void answer(const detail::Query& query, void* stream);
  /// For the library itself: the caster, in the form in which functions for arrays need it.
  detail::StreamCaster& for_arrays();

 private:
  void fill_view(void* view, std::uint64_t bytes, std::uint32_t kind, std::uint32_t version) const;
  struct Parts;
  explicit DeviceCaster(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace ballotcast
