#include "scene.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <utility>

#include "backends/device/device_choice.hpp"
#include "ballotcast/device.hpp"
#include "render/internals.hpp"
#include "scene/instances/instances.hpp"
#include "scene/instances/shapes.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::python {

using namespace nb::literals;
using detail::dvec3;

std::uint32_t& thread_limit() {
  thread_local std::uint32_t limit = 0;
  return limit;
}

long SceneHandle::current_process() { return getpid(); }

void SceneHandle::enter_process() {
  const bool is_interrupted =
      user_ == std::this_thread::get_id();  // a handler of a signal interrupted this thread's work,
                                            // and has forked
  if (const long process = current_process(); process != process_ && !is_interrupted) {
    process_ = process;
    (void)mutex_.release();  // the thread that holds the mutex may not exist in this process
    mutex_ = std::make_unique<std::mutex>();
    const bool was_used = user_.exchange({}) != std::thread::id();
    is_elsewhere_ = renderer_ && renderer_->device().find("cuda") != std::string::npos;
    is_half_moved_ = moves_;
    if (was_used && renderer_ && !is_elsewhere_ && !is_half_moved_)
      detail::recover_after_fork(*renderer_);
  }
  if (is_elsewhere_)
    throw DeviceError(
        "this process was forked from one that uses the GPU, which CUDA does not allow; start "
        "processes with multiprocessing's method 'spawn', or use device='cpu'");
  if (is_half_moved_)
    throw Error(
        "this process was forked while another thread moved the scene, which is half done here; "
        "make the scene anew");
}

void SceneHandle::warn_of_losses() {
  const std::string losses = detail::take_new_losses(*renderer_);
  if (losses.empty()) return;
  const nb::gil_scoped_acquire locked;
  if (PyErr_WarnEx(PyExc_RuntimeWarning, losses.c_str(), 1) != 0) throw nb::python_error();
}

namespace {

/// The options from Python as texts: settings of casts by their names, and "moves".
using GivenOptions = std::map<std::string, std::string>;

/// Converts options to settings of casts. The renderer is made later, but wrong names and values
/// are reported now.
detail::CastSettings settings_of(const GivenOptions& options) {
  detail::CastSettings settings;
  for (const auto& [name, text] : options)
    if (name == "moves")
      settings.renderer.moves = true;
    else
      detail::cast_setting(name).set(settings, name, text);
  return settings;
}

/// Makes a handle of the scene that make() returns. make() is called without the GIL.
template <class Make>
std::unique_ptr<SceneHandle> made(const Make& make, const GivenOptions& options) {
  const detail::CastSettings casting = settings_of(options);
  std::unique_ptr<SceneHandle> handle;
  without_gil([&] {
    with_threads(casting.threads, [&] { handle = std::make_unique<SceneHandle>(make(), casting); });
  });
  return handle;
}

std::unique_ptr<SceneHandle> of_arrays(const Rows<const float, 3>& vertices,
                                       const Rows<const std::uint32_t, 3>& triangles,
                                       const std::tuple<double, double, double>& origin,
                                       const GivenOptions& options) {
  const Span<const Vec3f> positions(reinterpret_cast<const Vec3f*>(vertices.data()),
                                    vertices.shape(0));
  const Span<const Triangle> corners(reinterpret_cast<const Triangle*>(triangles.data()),
                                     triangles.shape(0));
  const auto [x, y, z] = origin;
  const Vec3d at(x, y, z);
  return made([&] { return make_scene(positions, corners, at); }, options);
}

std::unique_ptr<SceneHandle> of_shape(const std::string& kind, const std::vector<double>& size,
                                      const GivenOptions& options) {
  return made([&] { return make_scene(detail::shape_called(kind, size)); }, options);
}

std::unique_ptr<SceneHandle> of_file(const std::string& path, std::optional<double> time,
                                     const std::string& animation, const GivenOptions& options) {
  SceneRequest request;
  request.file = path;
  request.time = time;
  request.animation = animation;
  return made([&] { return load_scene(request); }, options);
}

/// Makes an instance for each transform. A transform is a row of 12 numbers: the 3x4 matrix from
/// the world coordinates of a mesh to those of the scene. mesh_of(i): the mesh of instance i.
template <class MeshOf>
std::vector<detail::PlacedPart> placed_parts(const Rows<const double, 12>& transforms,
                                             const MeshOf& mesh_of) {
  std::vector<detail::PlacedPart> parts;
  parts.reserve(transforms.shape(0));
  for (std::size_t i = 0; i < transforms.shape(0); ++i) {
    const double* const row = transforms.data() + 12 * i;
    const auto column = [&](int k) { return dvec3(row[k], row[4 + k], row[8 + k]); };
    parts.push_back({mesh_of(i), {column(0), column(1), column(2), column(3)}});
  }
  return parts;
}

std::unique_ptr<SceneHandle> of_instances(const std::vector<SceneHandle*>& meshes,
                                          const Rows<const double, 12>& transforms,
                                          const Numbers<const std::uint32_t>& mesh_of,
                                          const Numbers<const std::uint32_t>& worlds,
                                          const GivenOptions& options) {
  auto parts = placed_parts(transforms, [&](std::size_t i) { return mesh_of.data()[i]; });
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].world = worlds.data()[i];
  const auto make = [&] {
    std::vector<detail::SceneData> all;
    for (const SceneHandle* mesh : meshes) all.push_back(*mesh->scene().data());
    detail::SceneData scene = detail::scene_of_instances(std::move(all), parts);
    scene.name = "instances in memory";
    return Scene(std::make_shared<const detail::SceneData>(std::move(scene)));
  };
  return made(make, options);
}

/// Converts the transforms of all instances to the form of Renderer::set_transforms, which is
/// relative to the origins of the meshes and of the scene.
nb::ndarray<nb::numpy, float> placed(const SceneHandle& handle,
                                     const Rows<const double, 12>& transforms) {
  const detail::SceneData& scene = *handle.scene().data();
  detail::require_count(scene, transforms.shape(0));
  const auto parts =
      placed_parts(transforms, [&](std::size_t i) { return scene.instances[i].mesh; });
  return owned_array<float>(detail::transforms_of(scene, parts, scene.origin).transforms, 12);
}

/// Returns the origin of the mesh of each instance; see `placed`.
nb::ndarray<nb::numpy, double> mesh_origins(const SceneHandle& handle) {
  const detail::SceneData& scene = *handle.scene().data();
  std::vector<dvec3> all;
  all.reserve(scene.instances.size());
  for (const detail::SceneInstance& instance : scene.instances)
    all.push_back(scene.parts[instance.mesh].origin);
  return owned_array<double>(std::move(all), 3);
}

/// Returns all vertices in world coordinates. In a scene of instances, the vertices of meshes in
/// the world coordinates of each mesh.
nb::ndarray<nb::numpy, double> vertices(const SceneHandle& handle) {
  const detail::SceneData& scene = *handle.scene().data();
  const auto& positions = scene.mesh.positions;
  std::vector<dvec3> all(positions.size(), scene.origin);
  if (!scene.instances.empty())
    for (const detail::MeshPart& part : scene.parts)
      std::fill_n(all.begin() + part.first_vertex, part.vertices, part.origin);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] += dvec3(positions[i]);
  return owned_array<double>(std::move(all), 3);
}

nb::ndarray<nb::numpy, std::uint32_t> triangles(const SceneHandle& handle) {
  const auto& all = handle.scene().data()->mesh.triangles;
  std::vector<Triangle> corners;
  corners.reserve(all.size());
  for (const auto& t : all) corners.push_back({t.x, t.y, t.z});
  return owned_array<std::uint32_t>(std::move(corners), 3);
}

/// Converts names from files to strings. Bytes that are not UTF-8 are replaced.
nb::list texts(const std::vector<std::string>& names) {
  nb::list all;
  for (const std::string& name : names)
    all.append(nb::steal<nb::str>(
        PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "replace")));
  return all;
}

/// Returns the defaults of all settings of casts as texts, by their names as keywords.
std::map<std::string, std::string> defaults_of_casts() {
  std::map<std::string, std::string> defaults;
  for (const detail::CastSetting& row : detail::cast_settings()) {
    std::string name(row.name);
    std::replace(name.begin(), name.end(), '-', '_');
    defaults[name] = row.text({});
  }
  return defaults;
}

/// The bytes of a view of the scene in host memory, for the caller's own functions.
template <class View>
nb::bytes host_view(SceneHandle& handle) {
  View view;
  handle.work([&](Renderer& renderer) { view = renderer.host_view<View>(); });
  return nb::bytes(static_cast<const void*>(&view), sizeof view);
}

void move_vertices(SceneHandle& handle, Follow mode, const Rows<const float, 3>& vertices) {
  const Span<const Vec3f> to(reinterpret_cast<const Vec3f*>(vertices.data()), vertices.shape(0));
  handle.move(mode, [&](Renderer& renderer) { renderer.set_vertices(to); });
}

}  // namespace

void bind_scenes(nb::module_& module, nb::class_<SceneHandle>& scene) {
  module.def("limit_threads",
             [](std::uint32_t threads) { return std::exchange(thread_limit(), threads); });
  module.def("cast_settings", &defaults_of_casts);
  module.def("of_arrays", &of_arrays, "vertices"_a, "triangles"_a, "origin"_a, "options"_a);
  module.def("of_shape", &of_shape, "kind"_a, "size"_a, "options"_a);
  module.def("of_file", &of_file, "path"_a, "time"_a.none(), "animation"_a, "options"_a);
  module.def("of_instances", &of_instances, "meshes"_a, "transforms"_a, "mesh_of"_a, "worlds"_a,
             "options"_a);
  scene.def_prop_ro("name", [](const SceneHandle& s) { return s.scene().name(); })
      .def_prop_ro("triangle_count",
                   [](const SceneHandle& s) { return s.scene().triangle_count(); })
      .def_prop_ro("instance_count",
                   [](const SceneHandle& s) { return s.scene().instance_count(); })
      .def_prop_ro("world_count", [](const SceneHandle& s) { return s.scene().world_count(); })
      .def_prop_ro("move_count", &SceneHandle::move_count)
      .def_prop_ro("warnings", [](const SceneHandle& s) { return s.scene().warnings(); })
      .def_prop_ro("part_names", [](const SceneHandle& s) { return texts(s.scene().part_names()); })
      .def_prop_ro("material_names",
                   [](const SceneHandle& s) { return texts(s.scene().material_names()); })
      .def_prop_ro("origin",
                   [](const SceneHandle& s) {
                     const Vec3d o = s.scene().origin();
                     return std::tuple(o.x, o.y, o.z);
                   })
      .def_prop_ro("bounds",
                   [](SceneHandle& s) {
                     const Box& box = s.bounds();
                     return std::tuple(box.low.x, box.low.y, box.low.z, box.high.x, box.high.y,
                                       box.high.z);
                   })
      .def("vertices", &vertices)
      .def("relative_vertices",
           [](const SceneHandle& s) { return owned_array<float>(s.scene().vertices(), 3); })
      .def("placed", &placed, "transforms"_a)
      .def("mesh_origins", &mesh_origins)
      .def("triangles", &triangles)
      .def("device",
           [](SceneHandle& s) {
             std::string name;
             s.work([&](Renderer& renderer) { name = renderer.device(); });
             return name;
           })
      .def(
          "host_view",
          [](SceneHandle& s, bool plain) {
            return plain ? host_view<device::PlainView>(s) : host_view<device::SceneView>(s);
          },
          "plain"_a)
      .def("set_vertices",
           [](SceneHandle& s, const Rows<const float, 3>& vertices) {
             move_vertices(s, Follow::automatic, vertices);
           })
      .def("refit",
           [](SceneHandle& s, const Rows<const float, 3>& vertices) {
             move_vertices(s, Follow::refit, vertices);
           })
      .def("set_transforms",
           [](SceneHandle& s, const Rows<const float, 12>& transforms) {
             const Span<const Transform> to(reinterpret_cast<const Transform*>(transforms.data()),
                                            transforms.shape(0));
             s.move(Follow::automatic, [&](Renderer& renderer) { renderer.set_transforms(to); });
           })
      .def("set_masks", [](SceneHandle& s, const Numbers<const std::uint32_t>& masks) {
        const Span<const std::uint32_t> to(masks.data(), masks.shape(0));
        s.work([&](Renderer& renderer) { renderer.set_masks(to); });
      });
}

}  // namespace ballotcast::python
