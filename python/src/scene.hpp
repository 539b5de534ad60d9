// A scene as Python holds it: the library's scene, and its renderer.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballotcast/ballotcast.hpp"

namespace ballotcast::python {

namespace nb = nanobind;

/// Rows of `Columns` numbers in host memory, one behind the other.
template <class T, int Columns>
using Rows = nb::ndarray<T, nb::shape<-1, Columns>, nb::c_contig, nb::device::cpu>;

template <class T>
using Numbers = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The worlds of rays or points: one for all, or one each.
using Worlds = std::optional<Numbers<const std::uint32_t>>;

inline RayWorlds worlds_of(const Worlds& worlds) {
  if (!worlds) return {};
  if (worlds->shape(0) == 1) return {worlds->data()[0], nullptr};
  return {0, worlds->data()};
}

/// Hits in the memory of a NumPy array with the fields t, id, u and v.
using HitBytes = Rows<std::uint8_t, sizeof(Hit)>;

/// A scene and its renderer, which is made when rays are first cast. Any number of threads may use
/// it; its casts take turns.
class SceneHandle {
 public:
  SceneHandle(Scene scene, RendererOptions options)
      : scene_(std::move(scene)), options_(std::move(options)) {}

  const Scene& scene() const { return scene_; }
  const RendererOptions& options() const { return options_; }

  /// Calls use(renderer) while no other thread uses it. The caller must not hold the GIL.
  template <class Use>
  void with_renderer(const Use& use) {
    const std::lock_guard lock(mutex_);
    const auto work = [&] {
      if (!renderer_) renderer_.emplace(scene_, options_);
      use(*renderer_);
    };
    if (is_forked()) return work_after_fork(work);
    work();
  }

 private:
  /// True in a process that was forked from one in which this scene was made.
  bool is_forked() const;
  void work_after_fork(const std::function<void()>& work);

  const Scene scene_;
  const RendererOptions options_;
  const long process_ = current_process();
  std::mutex mutex_;
  std::optional<Renderer> renderer_;

  static long current_process();
};

/// Calls part(first, count), without the GIL, for ranges of at most `at_once` that together are all
/// below `count`. Looks at signals between them, such as Ctrl-C, and throws what Python's handlers
/// raise.
template <class Part>
void in_parts(std::size_t count, std::size_t at_once, const Part& part) {
  for (std::size_t first = 0; first < count; first += at_once) {
    {
      const nb::gil_scoped_release unlocked;
      part(first, std::min(at_once, count - first));
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

/// A NumPy array that owns `values`, in rows of `columns` numbers.
template <class Number, class T>
nb::ndarray<nb::numpy, Number> owned_array(std::vector<T> values, std::size_t columns) {
  auto* owned = new std::vector<T>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[2] = {owned->size() * sizeof(T) / sizeof(Number) / columns, columns};
  return nb::ndarray<nb::numpy, Number>(owned->data(), 2, shape, owner);
}

/// Adds the functions of a file to the module.
void bind_scenes(nb::module_& module, nb::class_<SceneHandle>& scene);
void bind_casts(nb::class_<SceneHandle>& scene);
void bind_distances(nb::class_<SceneHandle>& scene);
void bind_gpu(nb::module_& module);
void bind_pictures(nb::module_& module, nb::class_<SceneHandle>& scene);

}  // namespace ballotcast::python
