// The main interface of the library: a scene on a device, for casting rays and drawing pictures.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "ballotcast/api.hpp"
#include "ballotcast/explanation.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/ray.hpp"
#include "ballotcast/scene.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

namespace device {
struct SceneView;
}

namespace detail {
class RendererState;
struct RendererInternals;
}  // namespace detail

/// How long it took to prepare a renderer.
struct PrepareTimes {
  double build_ms = 0.0;   ///< time to build the trees and the scene's tables, in milliseconds
  double upload_ms = 0.0;  ///< time to copy the scene to the device, in milliseconds
};

/// A scene on a device.
///
/// Calls on the same renderer must not overlap. Different renderers may work at the same time, even
/// with the same scene. Every result has the same bits on every device and with every option; only
/// the shading `visits` depends on builder and layout.
///
/// Until a call returns, its arrays are its own. Arrays of results are memory to work in, too:
/// closest_points() keeps numbers of triangles there. If another thread writes to them in the
/// meantime, or if they overlap with other arrays of the call, the call may crash.
class BALLOTCAST_API Renderer {
 public:
  /// Builds the tree and copies the scene to the device. Throws UsageError for unknown names,
  /// InputError for an unusable mesh, DeviceError if the device can't be used. A scene that does
  /// not fit into the memory that it may take (RendererOptions::max_memory) is not copied. Then the
  /// first call that needs the scene on the device throws OutOfDeviceMemory, with a table of the
  /// memory needed.
  explicit Renderer(Scene scene, const RendererOptions& options = {});
  ~Renderer();
  /// Moves a renderer. The moved-from object may only be destroyed or assigned to.
  Renderer(Renderer&&) noexcept;
  /// Moves a renderer. The moved-from object may only be destroyed or assigned to.
  Renderer& operator=(Renderer&&) noexcept;

  /// Finds the closest hit of each ray, among those that count by `filter`: hits[i] belongs to
  /// rays[i]. Throws UsageError if an option is unknown, if `hits` and `rays` differ in size, if a
  /// world, or a triangle or instance to skip does not exist, or if a scene without instances gets
  /// masks; OutOfDeviceMemory if not even a small batch of rays fits, DeviceError if the device
  /// fails.
  CastCounts closest(Span<const Ray> rays, Span<Hit> hits, const CastOptions& options = {},
                     const RayWorlds& worlds = {}, const RayFilter& filter = {});

  /// Tests whether each ray hits anything: hits[i].found(). The hits do not say which triangle: t
  /// is the t_max of the ray, and triangle is 0 or kNoTriangle. Throws the same errors as
  /// closest().
  CastCounts any(Span<const Ray> rays, Span<Hit> hits, const CastOptions& options = {},
                 const RayWorlds& worlds = {}, const RayFilter& filter = {});

  /// Counts how often each ray crosses a surface with t in (t_min, t_max]: counts[i] belongs to
  /// rays[i]. A ray through an edge or a corner of a closed mesh counts once when it enters and
  /// once when it leaves. So if t_max is infinite, an odd count means that the ray starts inside.
  /// Triangles at the same place count separately. Throws the same errors as closest().
  void count(Span<const Ray> rays, Span<std::uint32_t> counts, const RayWorlds& worlds = {},
             const RayFilter& filter = {});

  /// Counts how often each triangle is the closest hit of a ray: counts[id]. `counts` has
  /// Scene::triangle_count() elements, and is overwritten. Threads of a warp that hit the same
  /// triangle share one atomic; with the strategy "naive" (CastOptions::atomics), each thread
  /// issues its own atomic. The counts do not depend on this. Throws the same errors as closest(),
  /// and UsageError for another number of counts.
  CastCounts hits_per_triangle(Span<const Ray> rays, Span<std::uint64_t> counts,
                               const CastOptions& options = {}, const RayWorlds& worlds = {},
                               const RayFilter& filter = {});

  /// Finds every crossing that count() counts. Each crossing is a Hit, with the bits that closest()
  /// would give for that triangle. Throws the same errors as closest().
  AllHits all(Span<const Ray> rays, const RayWorlds& worlds = {}, const RayFilter& filter = {});

  /// Finds the closest point of the scene's triangles and shapes for each point: nearest[i] belongs
  /// to points[i]. Points are in world units, relative to Scene::origin(). Nothing is found if no
  /// triangle is within `max_distance`, or if a coordinate of the point is NaN or not from -2^40 to
  /// 2^40. Both sides of a triangle count, and so do the holes that a texture makes in it. In a
  /// scene of instances, the instances in the world of the point are searched. Their corners are
  /// transformed and rounded to floats, so the result is the same as for one mesh with all these
  /// triangles. Of a shape, the surface is searched, also for a point inside; if several of its
  /// points are equally close, one of them is found, the same everywhere. Throws UsageError if
  /// `nearest` and `points` differ in size, if `max_distance` is NaN or negative, or if a world
  /// does not exist; otherwise the same errors as closest().
  void closest_points(Span<const Vec3f> points, Span<Nearest> nearest,
                      float max_distance = std::numeric_limits<float>::infinity(),
                      const RayWorlds& worlds = {});

  /// Tests whether each point is inside: inside[i] is 1 or 0 and belongs to points[i], which are
  /// relative to Scene::origin(). `rule` is applied to a ray from the point straight up, along +z.
  /// Each of its crossings is decided exactly and counts once, also at edges and corners. A point
  /// on the surface counts as if it were shifted by an infinitely small distance towards +x (if
  /// that does not decide, towards +y, then +z). So all results are right for a closed mesh.
  /// Triangles at the same place count separately, holes that a texture makes are ignored, and
  /// instances are placed as for closest_points(); a mirrored instance keeps its front. Points with
  /// a NaN or beyond 2^40 are outside. Throws UsageError if `inside` and `points` differ in size or
  /// if a world does not exist; otherwise the same errors as closest().
  void contains(Span<const Vec3d> points, Span<std::uint8_t> inside,
                InsideRule rule = InsideRule::parity, const RayWorlds& worlds = {});
  /// Tests points given as floats.
  void contains(Span<const Vec3f> points, Span<std::uint8_t> inside,
                InsideRule rule = InsideRule::parity, const RayWorlds& worlds = {});

  /// Computes the distance of each point from the surface, negative inside: the distances of
  /// closest_points(), with the signs of contains(). If solids overlap, use InsideRule::nonzero.
  /// Throws the same errors as these two.
  void signed_distances(Span<const Vec3f> points, Span<float> distances,
                        InsideRule rule = InsideRule::parity, const RayWorlds& worlds = {});

  /// Computes how often the surface goes around each point: the sum of the solid angles of all
  /// triangles, as a share of the whole sphere (A. Jacobson et al., Robust Inside-Outside
  /// Segmentation using Generalized Winding Numbers, 2013). The result is 1 inside of a closed mesh
  /// and 0 outside, and between these values near holes. A triangle on which the point lies adds 0.
  /// All triangles are added up for each point, so this takes long for large meshes. Each triangle
  /// adds an error of at most 2^-36. A plane counts as two triangles. NaN for points with a NaN or
  /// beyond 2^40. Throws the same errors as contains(). Throws UsageError for a scene with a disc.
  /// Throws UsageError between set_vertices() or set_transforms() and follow(), as does contains()
  /// with InsideRule::winding.
  void winding_numbers(Span<const Vec3d> points, Span<double> numbers,
                       const RayWorlds& worlds = {});
  /// Computes the winding numbers of points given as floats.
  void winding_numbers(Span<const Vec3f> points, Span<double> numbers,
                       const RayWorlds& worlds = {});

  /// Draws a picture. `progress` gets the number of rays done. Throws UsageError for invalid
  /// settings and for a scene of several worlds (see Scene::world), InputError if the scene names
  /// an unknown shading or no camera can show the whole scene, otherwise the same errors as
  /// closest().
  Frame render(const RenderSettings& settings = {}, const Progress& progress = {});

  /// Computes numbers about each pixel, such as depth, in the order of `names`: names of outputs(),
  /// except colour and alpha, which render() gives. The numbers belong to the ray through the
  /// pixel's centre, and are never blended. Of `settings`, only the size, the camera and the sides
  /// matter. Throws UsageError for an unknown name or if the numbers would take more than 16 GiB;
  /// otherwise the same errors as render().
  std::vector<PixelNumbers> outputs(const RenderSettings& settings, Span<const std::string> names);

  /// The properties of the surface at each hit: points[i] belongs to hits[i]. For a miss, the
  /// position is NaN, the material is kNoTriangle, and everything else is 0. Throws UsageError if
  /// the spans differ in size or if a triangle does not exist.
  void surfaces(Span<const Hit> hits, Span<SurfacePoint> points) const;

  /// Explains the hit of a ray: traces the ray through the tree on the host, and notes each
  /// decision. Also casts the ray on the device, and says whether the hit is the same. `any`:
  /// explains any() instead of closest(). `filter`: which hits count. Throws the same errors as
  /// closest().
  HitExplanation explain(const Ray& ray, bool any = false, std::uint32_t world = 0,
                         const RayFilter& filter = {});

  /// The ray through the centre of a pixel of a picture with these settings; (0, 0) is at the top
  /// left. Throws UsageError if there is no such pixel or for an invalid camera, and InputError if
  /// no camera can show the whole scene.
  Ray pixel_ray(const RenderSettings& settings, std::uint32_t x, std::uint32_t y) const;

  /// Replaces the vertices of the scene, in the order of Scene::vertices() and relative to
  /// Scene::origin(). Hits change only with the next follow(). Texture coordinates and normals of
  /// the scene stay as they are. Throws UsageError without RendererOptions::moves or for another
  /// number of vertices, and InputError if a coordinate is not finite or beyond 2^40; then nothing
  /// has changed.
  void set_vertices(Span<const Vec3f> vertices);

  /// Replaces the transforms of all instances, in their order. They map the vertices of a mesh as
  /// Scene::vertices() has them, relative to the mesh's own origin, to coordinates relative to
  /// Scene::origin(). Hits change only with the next follow(), which then rebuilds the tree over
  /// the instances; the trees of their meshes stay. Throws UsageError without
  /// RendererOptions::moves or for another number of transforms, and InputError, which names the
  /// instance, for a transform that make_scene() would refuse; then nothing has changed.
  void set_transforms(Span<const Transform> transforms);

  /// Replaces the masks of all instances, in their order; at first all bits are set. From the next
  /// call on, a ray hits an instance only if their masks have a bit in common. Points and the rays
  /// of pictures have all bits. So an instance with mask 0 is never found, but if it is a lamp, it
  /// still shines. No tree changes, and RendererOptions::moves is not needed. Throws UsageError for
  /// a scene without instances, and for another number of masks.
  void set_masks(Span<const std::uint32_t> masks);

  /// Updates the tree for the current vertices and transforms. From then on, every result is the
  /// same as for a renderer whose scene had them from the start; only the shading `visits` may
  /// depend on the history. Throws UsageError without RendererOptions::moves, and DeviceError if
  /// the device fails.
  void follow(Follow mode = Follow::automatic);

  /// How much slower the tree has become by refitting: the number of nodes and triangles that
  /// sample rays test now, divided by the number when the tree was built. Above 1.3,
  /// Follow::automatic rebuilds the tree. Throws UsageError without RendererOptions::moves.
  double wear() const;

  /// `settings` with all defaults filled in: all parts of the camera, the shading, the samples and
  /// the names that auto stands for. `smooth` is off if the picture is too large for it. If
  /// `exposure` was absent, it is the scene's exposure. If the scene has none, one is
  /// chosen from each picture: then it stays absent, and Frame::exposure has it. Throws the same
  /// errors as render().
  RenderSettings resolved(const RenderSettings& settings) const;

  /// The scene that the renderer was made with.
  const Scene& scene() const;
  /// The machines that have failed so far, of several machines, and why, one per line; "" if none
  /// has.
  const std::string& losses() const;

  /// The name of the device: cuda, cpu or emulated. For several machines, the names of all:
  /// "cuda:0+cuda:1+cpu".
  std::string device() const;
  /// A description of the device: "NVIDIA H200, compute capability 9.0, ...".
  std::string device_description() const;
  /// If the device was auto and no GPU is usable: the reason. Otherwise "".
  const std::string& note() const;
  /// How long the preparation took.
  const PrepareTimes& prepare_times() const;
  /// The bytes of device memory that the scene and the last call took; 0 before the scene is
  /// copied.
  std::uint64_t memory_bytes() const;

  /// A view of the scene in host memory, for your own functions that cast rays. Include
  /// ballotcast/device.hpp, which defines `View`. The view may be used on the host only, whatever
  /// the device of this renderer is. For kernels on a GPU, use DeviceCaster::device_view(). Throws
  /// the same errors as that function.
  template <class View = device::SceneView>
  View host_view() const {
    View view;
    fill_view(&view, sizeof view, View::kKind, View::kVersion);
    return view;
  }

 private:
  void fill_view(void* view, std::uint64_t bytes, std::uint32_t kind, std::uint32_t version) const;
  friend struct detail::RendererInternals;

  std::unique_ptr<detail::RendererState> state_;
};

}  // namespace ballotcast
