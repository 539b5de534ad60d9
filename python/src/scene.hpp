// The object behind a scene in Python: the library's scene, and its renderer.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ballotcast/ballotcast.hpp"
#include "render/setting_tables.hpp"
#include "support/threads/stop.hpp"

namespace ballotcast::python {

namespace nb = nanobind;

/// An array of rows of `Columns` numbers in host memory, C-contiguous.
template <class T, int Columns>
using Rows = nb::ndarray<T, nb::shape<-1, Columns>, nb::c_contig, nb::device::cpu>;

template <class T>
using Numbers = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The worlds of rays or points: one for all, or one for each; absent for world 0.
using Worlds = std::optional<Numbers<const std::uint32_t>>;

inline RayWorlds worlds_of(const Worlds& worlds) {
  if (!worlds) return {};
  if (worlds->shape(0) == 1) return {worlds->data()[0], nullptr};
  return {0, worlds->data()};
}

/// Hits in the memory of a NumPy array with the fields t, id, u and v.
using HitBytes = Rows<std::uint8_t, sizeof(Hit)>;

/// The limit on the threads that calls from this thread may use; 0: the limit in the scene's
/// options.
std::uint32_t& thread_limit();

/// Calls work() without the GIL. Checks for signals, such as Ctrl-C, during the work: if Python's
/// handler raises an exception, the work ends and the exception is thrown.
template <class Work>
void without_gil(const Work& work) {
  std::optional<nb::python_error> raised;
  const auto wants_stop = [&raised] {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) return false;
    raised.emplace();
    return true;
  };
  try {
    const nb::gil_scoped_release unlocked;
    stoppable(wants_stop, work);
  } catch (...) {
    if (!raised) throw;
  }
  if (raised) throw nb::python_error(std::move(*raised));
}

/// A scene and its renderer, which is made when rays are first cast. Any number of threads may use
/// a SceneHandle; their casts take turns.
class SceneHandle {
 public:
  SceneHandle(Scene scene, detail::CastSettings casting)
      : scene_(std::move(scene)), casting_(std::move(casting)) {}

  const Scene& scene() const { return scene_; }
  const detail::CastSettings& casting() const { return casting_; }
  /// Returns Scene::bounds(), and keeps the result, because computing it takes time. Python's lock
  /// protects the result.
  const Box& bounds() {
    if (!bounds_) bounds_ = scene_.bounds();
    return *bounds_;
  }

  /// Calls use(renderer) without the GIL, while no other thread uses the renderer. Throws Error if
  /// this thread is using it already: then the caller is the handler of a signal. Also throws Error
  /// if this process was forked from one that uses a GPU, or while another thread was moving the
  /// scene.
  template <class Use>
  void work(const Use& use) {
    enter_process();
    on_threads([&] { with_renderer(use); });
  }
  /// Calls work() without the GIL, with the limit of threads that applies to this thread and this
  /// scene.
  template <class Work>
  void on_threads(const Work& work) const {
    const std::uint32_t limit = thread_limit() != 0 ? thread_limit() : casting_.threads;
    without_gil([&] { with_threads(limit, work); });
  }
  /// Moves the scene by set(renderer), then updates the tree. A process that is forked during this
  /// has a half moved scene, which it can't use.
  template <class Set>
  void move(Follow mode, const Set& set) {
    work([&](Renderer& renderer) {
      const Flag moves(moves_);
      set(renderer);
      ++move_count_;
      renderer.follow(mode);
    });
  }
  /// The number of moves of the scene, including calls that threw an error after moving it.
  std::uint64_t move_count() const { return move_count_; }

 private:
  template <class Use>
  void with_renderer(const Use& use) {
    const auto thread = std::this_thread::get_id();
    if (user_ == thread)
      throw Error("the scene is in use by the call that this handler of a signal has interrupted");
    const std::lock_guard lock(*mutex_);
    const UsedBy user(user_, thread);
    if (!renderer_) renderer_.emplace(scene_, casting_.renderer);
    use(*renderer_);
    warn_of_losses();
  }

  /// Must be called with Python's lock. In a process that was forked from the process that made the
  /// scene, replaces the locks that threads of the other process held, because no thread here would
  /// release them.
  void enter_process();
  /// Issues a Python warning about machines that have failed since the last one. If the warning
  /// raises an exception, throws it.
  void warn_of_losses();

  using User = std::atomic<std::thread::id>;

  /// Sets `user` to this thread for as long as the object exists.
  class UsedBy {
   public:
    UsedBy(User& user, std::thread::id thread) : user_(user) { user_ = thread; }
    ~UsedBy() { user_ = std::thread::id(); }
    UsedBy(const UsedBy&) = delete;
    UsedBy& operator=(const UsedBy&) = delete;

   private:
    User& user_;
  };

  /// Sets `flag` to true for as long as the object exists.
  class Flag {
   public:
    explicit Flag(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
    ~Flag() { flag_ = false; }
    Flag(const Flag&) = delete;
    Flag& operator=(const Flag&) = delete;

   private:
    std::atomic<bool>& flag_;
  };

  const Scene scene_;
  const detail::CastSettings casting_;
  long process_ = current_process();
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  User user_{};  // the thread that uses the renderer now
  std::atomic<bool> moves_{false};
  std::atomic<std::uint64_t> move_count_{0};
  // Reasons why this process can't use the scene: its renderer is on the GPU of another process, or
  // the scene is half moved.
  bool is_elsewhere_ = false, is_half_moved_ = false;
  std::optional<Renderer> renderer_;
  std::optional<Box> bounds_;

  static long current_process();
};

/// Returns a NumPy array that owns `values`, in rows of `columns` numbers.
template <class Number, class T>
nb::ndarray<nb::numpy, Number> owned_array(std::vector<T> values, std::size_t columns) {
  auto* owned = new std::vector<T>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[2] = {owned->size() * sizeof(T) / sizeof(Number) / columns, columns};
  return nb::ndarray<nb::numpy, Number>(owned->data(), 2, shape, owner);
}

// Each of these adds the functions of one file, e.g. of scene.cpp, to the module.
void bind_scenes(nb::module_& module, nb::class_<SceneHandle>& scene);
void bind_casts(nb::module_& module, nb::class_<SceneHandle>& scene);
void bind_distances(nb::class_<SceneHandle>& scene);
void bind_explanations(nb::class_<SceneHandle>& scene);
void bind_gpu(nb::module_& module);
void bind_pictures(nb::module_& module, nb::class_<SceneHandle>& scene);

}  // namespace ballotcast::python
